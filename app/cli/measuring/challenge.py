"""`eval utterances`: measures which short utterances, each hard in one way, are charted right."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import add_machine, add_tuning
from app.cli.common import (
    open_inference,
    read_schema,
    run_facts,
    settings_of,
    stoppable,
)
from app.cli.console import Console, table
from app.evaluation.challenge import HEADINGS, figures, measure
from extraction.annotation.challenge_cases import read_utterances
from models.base.progress import ProgressMonitor
from resources import DEMONSTRATION_SCHEMA, FOLDER

OWN_CASES = FOLDER / "challenge"


def utterances_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Run the extraction on short utterances and say which are charted right, by what makes them hard."
    )
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--cases", type=Path, metavar="DIR", help="folder of <phenomenon>.jsonl (default: our own)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="this one; may be repeated")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for figures and report")
    parser.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    parser.add_argument(
        "--schema", type=Path, metavar="FILE", help="the schema of the cases (default: the demonstration schema)"
    )
    parser.set_defaults(function=utterances)


def utterances(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    schema, _ = read_schema(arguments.schema or DEMONSTRATION_SCHEMA)
    folder: Path = arguments.cases or OWN_CASES
    cases = read_utterances(folder, schema, arguments.only)
    with open_inference(settings) as inference, stoppable() as cancelled:
        measured = measure(
            cases,
            schema,
            inference,
            settings,
            arguments.out,
            facts=run_facts(folder.name, schema.name),
            monitor=ProgressMonitor(console.progress, cancelled),
        )
    console.end_progress()
    lines = [table(HEADINGS, figures(measured)), "", str(arguments.out / "report.md")]
    console.answer(measured, "\n".join(lines))
