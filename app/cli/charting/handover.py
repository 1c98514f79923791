"""`handover`: a patient's page, or the list of the ward, of confirmed values."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.chart.handover.page import Handover, HandoverPart
from app.chart.handover.ward_list import WARD_HEADS, ward_line
from app.chart.handover.words import HandoverLine, identity, part_lines, summary
from app.chart.records import Dictation
from app.cli.arguments import add_machine
from app.cli.charting.dictations import patient_named
from app.cli.common import schema_of as chosen_schema
from app.cli.console import Console, table
from app.exchange.sheets.arrangement import clock_text
from app.services.handover.prepare import DEFAULT_ORDER, SHIPPED, chosen_layout, prepare, prepare_ward
from app.services.handover.service import write_pdf
from app.store import Store
from app.system import paths
from app.system.settings import load_settings
from extraction.flowsheet.schema import Schema
from extraction.schema_files.native_format import parse_schema
from models.base.atomic_files import disk, replace_file
from models.base.errors import InputError


def handover_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    whose = parser.add_mutually_exclusive_group(required=True)
    whose.add_argument("--patient", metavar="NAME", help="name or alias of the patient")
    whose.add_argument("--ward", action="store_true", help="a line for each patient on the ward")
    parser.add_argument("--bed", default="", help="bed of the patient, where several have the name")
    parser.add_argument("--out", type=Path, metavar="FILE", help="a .pdf to print, or a text file (default: show it)")
    parser.add_argument(
        "--order",
        choices=sorted(one.stem for one in SHIPPED.glob("*.toml")),
        default="",
        help=f"a shipped order (default: the ward's own, else {DEFAULT_ORDER})",
    )
    parser.set_defaults(function=handover)


def handover(arguments: argparse.Namespace, console: Console) -> None:
    settings = load_settings(paths.config_file())
    layout = chosen_layout(arguments.order)
    current, _ = chosen_schema(arguments, settings)
    with Store(paths.database_file()) as store:
        if arguments.ward:
            pages = prepare_ward(store, _schemas(store), current, settings, layout)
        else:
            patient = patient_named(store, arguments.patient, arguments.bed)
            pages = (prepare(store, patient, _schemas(store), current, settings, layout),)
    if arguments.ward and not pages:
        raise InputError("There is no patient on the ward.", "Add one with: wardlight patients add.")
    told = _ward_text(pages) if arguments.ward else page_text(pages[0])
    if arguments.out is None:
        console.answer([_facts(page) for page in pages] if arguments.ward else _facts(pages[0]), told)
        return
    if arguments.out.suffix.casefold() == ".pdf":
        write_pdf(pages, arguments.out, settings, ward=arguments.ward)
    else:
        with disk(arguments.out):
            replace_file(arguments.out, f"{told}\n".encode())
    facts = [_facts(page) for page in pages]
    console.answer({"file": str(arguments.out), "patients": facts}, str(arguments.out))


def page_text(page: Handover) -> str:
    """A page as text."""
    lines = [identity(page), f"Handover ({page.layout}), prepared {clock_text(page.prepared_at)}", f"{summary(page)}."]
    for part in page.parts:
        lines += ["", part.section.title.upper(), *map(_line_text, part_lines(part, page.prepared_at))]
    return "\n".join(lines)


def _line_text(line: HandoverLine) -> str:
    name = f"{line.name}: " if line.name else ""
    flagged = f"  ! was flagged: {line.flagged}" if line.flagged else ""
    return f"  {name}{line.content}{flagged}" + (f"   ({line.note})" if line.note else "")


def _ward_text(pages: Sequence[Handover]) -> str:
    return table(WARD_HEADS, [ward_line(page) for page in pages], widest=40)


def _schemas(store: Store) -> Callable[[Dictation], Schema]:
    """The schemas of dictations, each read once."""
    known: dict[int, Schema] = {}

    def of(dictation: Dictation) -> Schema:
        version = dictation.schema_version_id
        if version not in known:
            known[version] = parse_schema(store.schemas.content(version), f"schema version {version}")
        return known[version]

    return of


def _facts(page: Handover) -> dict[str, Any]:
    return {
        "patient": page.patient.id,
        "identity": identity(page),
        "layout": page.layout,
        "prepared_at": page.prepared_at,
        "dictations": page.dictations,
        "values": len(page.cells),
        "flagged": page.flagged,
        "older_values": page.older,
        "unreviewed_dictations": page.unreviewed,
        "sections": [_part_facts(part, page.prepared_at) for part in page.parts],
    }


def _part_facts(part: HandoverPart, now: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"title": part.section.title, "kind": str(part.section.kind)}
    facts["values"] = [
        {
            "row": cell.row.id,
            "name": cell.row.name,
            "value_id": cell.value.id,
            "dictation": cell.value.dictation_id,
            "at": f"{cell.at}+00:00",
            "direction": cell.direction,
            "flagged": list(cell.flagged),
        }
        for cell in part.cells
    ]
    facts["lines"] = [_line_text(line).strip() for line in part_lines(part, now)]
    return facts
