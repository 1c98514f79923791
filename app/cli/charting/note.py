"""`note`: the nurse's note of a dictation's confirmed values."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.chart.note.note import note_of
from app.cli.arguments import add_machine
from app.cli.charting.extract import kept
from app.cli.console import Console
from app.services.handover.notes import save_note
from app.services.handover.prepare import chosen_layout
from app.services.review.sheet_loader import lit, read_sheet
from app.store import Store
from app.system import paths
from app.system.settings import load_settings


def note_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("dictation", type=int, nargs="?", help="number of the dictation (default: the newest)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a text file (default: show it)")
    parser.set_defaults(function=note)


def note(arguments: argparse.Namespace, console: Console) -> None:
    """Tells the confirmed values of a dictation in sentences."""
    settings = load_settings(paths.config_file())
    with Store(paths.database_file()) as store:
        dictation, schema = kept(store, arguments.dictation)
        sheet = lit(read_sheet(store, dictation.id, lambda _: schema), settings, None)
    made = note_of(sheet, chosen_layout())
    if arguments.out:
        save_note(made, arguments.out)
    data = {
        "dictation": made.dictation_id,
        "file": str(arguments.out) if arguments.out else None,
        "values": made.values,
        "undecided": made.undecided,
        "text": made.text,
        "sentences": [
            {"text": one.text, "values": [piece.value_id for piece in one.pieces if piece.value_id is not None]}
            for one in made.sentences
        ],
    }
    console.answer(data, str(arguments.out) if arguments.out else made.text)
