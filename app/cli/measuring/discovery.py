"""`eval discovery`: measures how many hidden rows come back as something that has no row."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.common import open_inference, run_facts, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.evaluation.discovery import HEADINGS, measure
from extraction.annotation.case_files import read_cases
from models.base.atomic_files import replace_file
from models.base.errors import InputError
from models.base.progress import ProgressMonitor


def discovery_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Hide rows of a schema and say how many are found again in dictations that have them."
    add_machine(parser)
    add_tuning(parser)
    add_schema(parser, "to hide rows of")
    parser.add_argument("--cases", type=Path, action="append", required=True, metavar="FILE", help="may be repeated")
    parser.add_argument("--hidden", type=int, default=20, metavar="N", help="rows to hide (default: 20)")
    parser.add_argument("--draws", type=int, default=5, metavar="N", help="how often to hide others (default: 5)")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file for the figures, JSON")
    parser.set_defaults(function=discovery)


def discovery(arguments: argparse.Namespace, console: Console) -> None:
    if arguments.hidden < 1 or arguments.draws < 1:
        raise InputError("At least one row is hidden at least once.", "Give --hidden and --draws from 1 on.")
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    cases = [case for path in arguments.cases for case in read_cases(path, schema).cases]
    with open_inference(settings) as inference, stoppable() as cancelled:
        monitor = ProgressMonitor(console.progress, cancelled)
        found = measure(cases, schema, inference, arguments.hidden, arguments.draws, monitor)
    console.end_progress()
    names = ", ".join(path.name for path in arguments.cases)
    replace_file(arguments.out, (json.dumps(found | run_facts(names, schema.name), indent=1) + "\n").encode())
    lines = []
    for key, words in (("charted", "other values charted"), ("texts", "texts alone")):
        of = found[key]
        rest = of["junk"] - of["of_others"]
        lines.append(
            [words, *(f"{of[name]:.1f}" for name in ("hidden", "back", "clusters", "junk", "of_others")), f"{rest:.1f}"]
        )
    console.answer(found, f"{table(HEADINGS, lines)}\n{arguments.out}")
