"""`missing`: rows that a dictation lacks."""

from __future__ import annotations

import argparse
from typing import Any

from app.chart.cells import column_of
from app.chart.gaps.gaps import SHOWN_FIRST, Gap
from app.chart.gaps.habits import ChartingHabits
from app.chart.gaps.words import gap_text, reasons_text
from app.chart.records import Dictation
from app.cli.arguments import add_machine
from app.cli.charting.dictations import patient_named
from app.cli.charting.extract import kept
from app.cli.charting.patient_words import who_is
from app.cli.console import Console
from app.services.handover.gaps import found_gaps
from app.services.review.sheet_loader import read_sheet
from app.store import Store
from app.system import paths
from models.base.errors import InputError


def missing_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("--patient", metavar="NAME", help="the newest dictation of this patient")
    parser.add_argument("--dictation", type=int, metavar="ID", help="number of the dictation (default: the newest)")
    parser.add_argument("--all", action="store_true", help=f"more than the first {SHOWN_FIRST}")
    parser.set_defaults(function=missing)


def missing(arguments: argparse.Namespace, console: Console) -> None:
    """Lists the rows that a dictation lacks, required ones first."""
    with Store(paths.database_file()) as store:
        number = arguments.dictation
        if arguments.patient:
            number = _newest(store, arguments.patient, number)
        dictation, schema = kept(store, number)
        sheet = read_sheet(store, dictation.id, lambda _: schema)
        found = found_gaps(store, sheet)
    gaps = found.gaps
    shown = gaps if arguments.all else gaps[:SHOWN_FIRST]
    head = f"Dictation {dictation.id}, {dictation.name}, of {who_is(sheet.patient)}"
    lines = [f"{gap_text(gap, dictation.created_at)}   ({reasons_text(gap)})" for gap in shown]
    if more := len(gaps) - len(shown):
        lines.append(f"and {more} more: --all")
    data = {
        "dictation": dictation.id,
        "patient": sheet.patient.id,
        "counted_dictations": found.habits.dictations,
        "missing": [_facts(found.habits, gap) for gap in shown],
        "more": more,
    }
    console.answer(data, "\n".join([f"{head} lacks:", *lines] if lines else [f"{head} lacks nothing usual."]))


def _newest(store: Store, name: str, number: int | None) -> int:
    """The number of the newest dictation of a patient. Raises InputError if there is none, or another one is named."""
    patient = patient_named(store, name)
    own: list[Dictation] = store.dictations.of_patient(patient.id)
    if not own:
        raise InputError(f"{who_is(patient)} has no dictation.", "Name another patient.")
    if number is not None and number not in {one.id for one in own}:
        raise InputError(f"Dictation {number} is not of {who_is(patient)}.", "Leave out --patient or --dictation.")
    return number or max(own, key=lambda one: (one.created_at, one.id)).id


def _facts(habits: ChartingHabits, gap: Gap) -> dict[str, Any]:
    last = gap.last
    return {
        "row": gap.row.id,
        "name": gap.row.name,
        "reasons": [str(one) for one in gap.reasons],
        "share_of_filed": round(habits.share(gap.row.id), 3),
        "last_charted": f"{column_of(last)}+00:00" if last else None,
        "last_dictation": last.value.dictation_id if last else None,
    }
