"""`eval utterances`: short utterances, each hard in one way, and which of them are charted right."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.common import (
    DEMONSTRATION_SCHEMA,
    RESOURCES,
    open_inference,
    read_schema,
    run_facts,
    settings_of,
    stoppable,
)
from app.cli.console import Console, table
from app.evaluation.challenge import HEADINGS, figures, measure
from extraction.annotation.challenge_cases import read_utterances

OWN_CASES = RESOURCES / "challenge"


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
            progress=console.progress,
            cancelled=cancelled,
        )
    console.end_progress()
    lines = [table(HEADINGS, figures(measured)), "", str(arguments.out / "report.md")]
    console.answer(measured, "\n".join(lines))
