"""`examples`: makes annotated cases for `wardlight learn` from a hospital's own reviews."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.adaptation.reviewed_cases import examples_of
from app.adaptation.training import LEAST_CASES
from app.cli.arguments import add_machine, add_schema
from app.cli.common import schema_of, settings_of
from app.cli.console import Console
from app.store import Store
from app.system import paths
from extraction.annotation.case_files import case_line
from models.base.atomic_files import disk, replace_file
from models.base.errors import InputError


def examples_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the new file, one JSON object a line")
    add_schema(parser, "that the dictations were filled with")
    parser.set_defaults(function=examples)


def examples(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    if not settings.collect_examples:
        raise InputError(
            "Reviewed dictations do not become examples, because collecting them is switched off.",
            f"Switch it on in the settings of the window, or with collect_examples = true in {paths.config_file()}; "
            "it holds for what is reviewed from then on.",
        )
    if arguments.out.exists():
        raise InputError(
            f"{arguments.out} already exists, and may have been looked through by somebody.", "Choose a new name."
        )
    schema, _ = schema_of(arguments, settings)
    with Store(paths.database_file()) as store:
        cases = examples_of(store, schema)
    if not cases:
        raise InputError(
            f"No dictation of the schema {schema.name} was reviewed to the end while examples were collected.",
            "Decide about every value of a dictation, in the window or with wardlight review; then try again.",
        )
    lines = "".join(f"{case_line(case.id, case.text, case.observations, schema)}\n" for case in cases)
    with disk(arguments.out):
        replace_file(arguments.out, lines.encode())
    console.note(
        "The names that are known were taken out. Free text may still hold others: "
        f"look through {arguments.out} before anybody else reads it."
    )
    values = sum(len(case.observations) for case in cases)
    missing = max(LEAST_CASES - len(cases), 0)
    then = (
        f"wardlight learn needs {missing} more of them."
        if missing
        else f"Learn from them with: wardlight learn --examples {arguments.out} --out DIR"
    )
    console.answer(
        {"file": str(arguments.out), "cases": len(cases), "values": values, "missing": missing},
        f"{arguments.out}: reviewed dictations {len(cases)}, values {values}. {then}",
    )
