"""`discover`: what dictations say that the flowsheet has no row for."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.charting.extract import output_folder
from app.cli.common import open_inference, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.services.discovery.decisions_file import Decisions, read_decisions
from app.services.discovery.notes import notes_of_folder, notes_of_store
from app.services.discovery.service import schema_with
from app.store import Store
from app.system import paths
from extraction.discovery.discover import Discovery, Unplaced
from extraction.flowsheet.schema import Schema
from models.base.atomic_files import replace_file
from models.base.errors import InputError, ResourceError
from models.base.progress import ProgressMonitor

REPORT_FILE, SCHEMA_FILE = "no-row.json", "schema.json"
_SHOWN = 40


def discover_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Find what dictations say that the flowsheet has no row for. Files hold names and numbers, no sentence of a "
        "dictation; what was decided in the window is left out, and is written as a further flowsheet template."
    )
    add_machine(parser)
    add_tuning(parser)
    add_schema(parser, "to look in")
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="folder of text files, one a dictation")
    parser.add_argument("--store", action="store_true", help="the dictations that are kept")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the report")
    parser.set_defaults(function=discover)


def discover(arguments: argparse.Namespace, console: Console) -> None:
    if arguments.store == (arguments.folder is not None):
        raise InputError("It is not clear where to look.", "Name a folder of texts, or give --store.")
    settings = settings_of(arguments)
    schema, data = schema_of(arguments, settings)
    decisions = Decisions()
    if arguments.store:
        with Store(paths.database_file()) as store:
            notes = notes_of_store(store)
        decisions = read_decisions(paths.data_dir())
        if not notes:
            raise InputError("No dictation has been transcribed yet.", "Look again when there are some.")
    else:
        notes = notes_of_folder(arguments.folder)
    folder = output_folder(arguments.out)
    with open_inference(settings) as inference, stoppable() as cancelled:
        found = inference.discover(tuple(notes), schema, ProgressMonitor(console.progress, cancelled))
    console.end_progress()
    decided = {one.about for one in decisions.decided}
    listed = [one for one in found.found if one.name not in decided]
    report = _report(found, listed, schema)
    files = {REPORT_FILE: (json.dumps(report, ensure_ascii=False, indent=1) + "\n").encode()}
    if not all(one.ignored for one in decisions.decided):
        files[SCHEMA_FILE] = schema_with(decisions, schema_data=data, schema=schema)
    for name, content in files.items():
        _write(folder / name, content)
    written = [str(folder / name) for name in files]
    console.answer(report | {"files": written}, "\n".join([*_lines(found, listed, schema), *written]))


def _report(found: Discovery, listed: list[Unplaced], schema: Schema) -> dict[str, Any]:
    complete = found.completeness
    return {
        "schema": {"id": schema.id, "version": schema.version, "sha256": schema.sha256},
        "dictations": complete.dictations,
        "mentions": complete.mentions,
        "things": complete.things,
        "mentioned_once": complete.once,
        "missing_mass": round(complete.missing, 4),
        "with_row": round(found.with_row, 4),
        "changed_by_last": round(complete.changed[-1], 4) if complete.changed else None,
        "read_enough_by_entropy": complete.read_enough,
        "dictations_needed_by_entropy": complete.needed,
        "found": [_data(one, schema) for one in listed],
    }


def _data(one: Unplaced, schema: Schema) -> dict[str, Any]:
    return {
        "name": one.name,
        "mentions": one.mentions,
        "dictations": one.dictations,
        "patients": one.patients,
        "with_number": round(one.numbers, 2),
        "unit": one.unit,
        "denied": round(one.denied, 2),
        "near": [
            {"row_id": row_id, "name": schema.row(row_id).name, "similarity": round(similarity, 2)}
            for row_id, similarity in one.near
        ],
    }


def _lines(found: Discovery, listed: list[Unplaced], schema: Schema) -> list[str]:
    cells = []
    for one in listed[:_SHOWN]:
        row_id, similarity = one.near[0] if one.near else ("", 0.0)
        near = f"{schema.row(row_id).name} ({similarity:.2f})" if row_id else ""
        cells.append([one.name, str(one.dictations), str(one.patients), str(one.mentions), one.unit, near])
    complete = found.completeness
    more = [f"and {len(listed) - _SHOWN} more"] if len(listed) > _SHOWN else []
    return [
        table(["said", "dictations", "patients", "mentions", "unit", "nearest row"], cells),
        *more,
        "",
        f"{complete.dictations} dictations mention {complete.things} things {complete.mentions} times.",
        f"Of what they say, {found.with_row:.0%} has a row.",
        f"Of what the next one says, about {complete.missing:.0%} was said in none of them.",
    ]


def _write(path: Path, data: bytes) -> None:
    try:
        replace_file(path, data)
    except OSError as error:
        raise ResourceError(f"{path} cannot be written: {error.strerror}.", "Check the free space.") from error
