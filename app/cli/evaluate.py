"""`eval` and `eval compare`: the extraction on annotated cases, and two such evaluations side by side."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import Any

from app.cli.console import Console, table
from app.cli.setup import open_inference, schema_of, settings_of, stoppable
from app.evaluation import compare as compared
from app.evaluation import evaluate as evaluated
from app.evaluation_report import headline
from extraction.cases import read_cases
from models.errors import Cancelled, InputError
from models.hardware import detect

_WARNINGS_SHOWN = 5


def evaluate(arguments: argparse.Namespace, console: Console) -> None:
    if arguments.cases is None or arguments.out is None:
        raise InputError("What is to be evaluated?", "Name annotated cases with --cases FILE and a folder with --out.")
    if arguments.repeat < 1:
        raise InputError(f"--repeat cannot be {arguments.repeat}.", "Name how often each case is run, at least 1.")
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    cases = read_cases(arguments.cases, schema)
    for warning in cases.warnings[:_WARNINGS_SHOWN]:
        console.note(f"{warning} No prediction can match it.")
    if more := cases.warnings[_WARNINGS_SHOWN:]:
        console.note(f"Values that no prediction can match, listed in the report: {len(more)} more.")
    with open_inference(settings) as inference, stoppable() as cancelled:
        try:
            measured = evaluated(
                cases,
                schema,
                inference,
                settings,
                arguments.out,
                repeat=arguments.repeat,
                resume=arguments.resume,
                facts=_facts(arguments.cases.name, schema.name),
                progress=console.progress,
                cancelled=cancelled,
            )
        except (Cancelled, KeyboardInterrupt):
            console.note("The finished cases are kept. Continue with the same command and --resume.")
            raise
    console.end_progress()
    lines = [table(["figure", "value"], headline(measured)), "", str(arguments.out / "report.md")]
    console.answer(measured, "\n".join(lines))


def compare(arguments: argparse.Namespace, console: Console) -> None:
    result = compared(arguments.a, arguments.b)
    micro = result["micro_f1"]
    rows = [
        ("micro-F1", f"{micro['a']:.3f}", f"{micro['b']:.3f}", ""),
        *(
            (name.replace("_", " "), f"{result[name]['a']:.3f}", f"{result[name]['b']:.3f}", f"{result[name]['p']:.4f}")
            for name in ("case_f1", "seconds", "prompt_tokens")
        ),
    ]
    lines = [
        table([f"{result['cases']} cases", "A", "B", "p"], rows),
        "",
        f"micro-F1 of B less that of A: {micro['difference']:+.3f}",
        f"95 % interval of the difference: {micro['low']:+.3f} to {micro['high']:+.3f}",
        *(f"{name}: {a} in A, {b} in B" for name, (a, b) in result["differs"].items()),
    ]
    console.answer(result, "\n".join(lines))


def _facts(cases: str, schema: str) -> dict[str, Any]:
    machine = asdict(detect())
    return {"cases_file": cases, "schema": schema, "machine": machine | {"cpu_flags": sorted(machine["cpu_flags"])}}
