"""`confidence`: measures on annotated cases how well several methods find wrong values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.common import open_inference, run_facts, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.cli.measuring.learn import warn_of
from app.evaluation.papers.error_detection.report import equal_fpr_rows, separation_rows, states_add
from app.evaluation.papers.error_detection.run import ALPHAS, SEEDS, WEIGHTS, measure_confidence
from extraction.annotation.case_files import Cases, read_cases
from models.base.errors import Cancelled, InputError
from models.base.progress import ProgressMonitor
from models.errors import WorkerDied


def confidence_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Measure how well wrong values are found by several methods, calibrated on annotated examples."
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--examples", type=Path, required=True, metavar="FILE", help="annotated cases to learn from")
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="other annotated cases")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for figures and report")
    parser.add_argument(
        "--alpha", type=float, nargs="+", metavar="SHARE", help="shares of errors that may stay unflagged"
    )
    parser.add_argument(
        "--weight", type=float, nargs="+", metavar="WEIGHT", help="how much it counts that layers disagree"
    )
    parser.add_argument("--seeds", type=int, metavar="N", help="how often smaller sizes are drawn (default: 5)")
    add_schema(parser, "that the cases were annotated with")
    parser.set_defaults(function=confidence)


def confidence(arguments: argparse.Namespace, console: Console) -> None:
    seeds = SEEDS if arguments.seeds is None else arguments.seeds
    if seeds < 1:
        raise InputError(f"--seeds cannot be {seeds}.", "Name how often smaller sizes are drawn, at least 1.")
    alphas = _shares("--alpha", arguments.alpha, ALPHAS, most=0.5)
    weights = _shares("--weight", arguments.weight, WEIGHTS, most=1.0)
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    examples, cases = read_cases(arguments.examples, schema), read_cases(arguments.cases, schema)
    if both := _shared(examples, cases):
        console.note(f"{both} of the cases are among the examples too (same id or text): the figures will be too good.")
    warn_of(examples, console)
    warn_of(cases, console)
    with open_inference(settings) as inference, stoppable() as cancelled:
        try:
            measured = measure_confidence(
                examples,
                cases,
                schema,
                inference,
                settings,
                arguments.out,
                alphas=alphas,
                weights=weights,
                seeds=seeds,
                facts=run_facts(arguments.cases.name, schema.name) | {"examples_file": arguments.examples.name},
                monitor=ProgressMonitor(console.progress, cancelled),
            )
        except (Cancelled, KeyboardInterrupt, WorkerDied):
            console.note("What was read is kept. Continue with the same command.")
            raise
    console.end_progress()
    lines = [
        table(*separation_rows(measured)),
        "",
        states_add(measured),
        "",
        table(*equal_fpr_rows(measured)),
        "",
        str(arguments.out / "confidence.md"),
    ]
    console.answer(measured, "\n".join(lines))


def _shares(name: str, given: Sequence[float] | None, usual: Sequence[float], *, most: float) -> list[float]:
    """The numbers given for an option, or the usual ones, without duplicates.

    Raises InputError if one is not above 0 and at most `most`.
    """
    for number in given or ():
        if not 0 < number <= most:
            raise InputError(f"{name} cannot be {number:g}.", f"Name numbers above 0, at most {most:g}.")
    return list(dict.fromkeys(given or usual))


def _shared(examples: Cases, cases: Cases) -> int:
    """Number of cases that are also examples, by id or text."""
    ids, texts = {case.id for case in examples.cases}, {case.text for case in examples.cases}
    return sum(case.id in ids or case.text in texts for case in cases.cases)
