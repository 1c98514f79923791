"""`eval gaps`: of rows that a dictation lacks, how many are offered before it is filed."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import add_machine, add_schema
from app.cli.common import schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.evaluation.gaps import measure
from extraction.annotation.case_files import read_cases
from models.base.errors import InputError
from models.base.progress import ProgressMonitor


def gaps_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument(
        "--cases", type=Path, nargs="+", default=[], metavar="FILE", help="graded cases, a file for each author"
    )
    add_schema(parser, "that the cases were charted in")
    parser.set_defaults(function=gaps)


def gaps(arguments: argparse.Namespace, console: Console) -> None:
    """Takes each required row of each case away in turn, and counts whether it is offered."""
    if len(arguments.cases) < 2:
        raise InputError(
            "What is usual is counted in the cases of other authors.", "Name the files of at least two with --cases."
        )
    schema, _ = schema_of(arguments, settings_of(arguments))
    authors = [read_cases(path, schema).cases for path in arguments.cases]
    with stoppable() as cancelled:
        found = measure(authors, schema, ProgressMonitor(console.progress, cancelled)).as_json()
    rows = [[name.replace("_", " "), f"{number:g}"] for name, number in found.items()]
    console.answer(found, table(["measure", "value"], rows))
