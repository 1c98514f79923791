"""`eval ask`: measures answers to questions about a ward."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.common import open_inference, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from models.base.progress import ProgressMonitor


def ask_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--ward", type=Path, required=True, metavar="FILE", help="patients with dictations and values")
    parser.add_argument("--questions", type=Path, required=True, metavar="FILE", help="questions with right answers")
    parser.add_argument(
        "--values",
        choices=("gold", "read"),
        default="gold",
        help="whether the annotated values are charted, or what the models read (default: gold)",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for answers and metrics")
    add_schema(parser, "of the values")
    parser.set_defaults(function=measure_answers)


def measure_answers(arguments: argparse.Namespace, console: Console) -> None:
    from app.evaluation.asking.run import METRICS, ask_all

    settings = settings_of(arguments)
    schema, data = schema_of(arguments, settings)
    files = (arguments.ward, arguments.questions, schema, data, settings, arguments.out)
    if arguments.values == "gold":
        found = ask_all(*files, None, ProgressMonitor(console.progress, lambda: False))
    else:
        with open_inference(settings) as inference, stoppable() as cancelled:
            found = ask_all(*files, inference, ProgressMonitor(console.progress, cancelled))
    console.end_progress()
    shown = [(name, "" if value is None else f"{value:g}") for name, value in found.items() if "." not in name]
    console.answer(found, "\n".join([table(["figure", "value"], shown), "", str(arguments.out / METRICS)]))
