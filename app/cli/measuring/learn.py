"""`learn`: fits learned models to a hospital's annotated cases."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path
from typing import Any

from app.adaptation.training import answers_file, check_enough
from app.adaptation.training import learn as learned_from
from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.charting.extract import output_folder
from app.cli.common import open_inference, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.annotation.case_files import Cases, read_cases
from extraction.confidence.binding import Binding
from extraction.confidence.learned_models import FACTS, Learned, check_learned, learned_facts, save_learned
from extraction.flowsheet.schema import Schema
from models.base.atomic_files import disk
from models.base.errors import Cancelled, InputError
from models.base.progress import CancelledCallback, ProgressMonitor
from models.errors import WorkerDied

_WARNINGS_SHOWN = 5
_NOT_PROMISED = (
    "Their confidence alone decides which proposals are flagged; nothing is promised of values read with these models."
)


def learn_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--examples", type=Path, metavar="FILE", help="annotated cases to learn from")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for what is learned")
    parser.add_argument(
        "--check", type=Path, metavar="DIR", help="learn nothing; say whether what was learned can still be used"
    )
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="DIR",
        help="keep the language model's answers in this folder, so that learning again takes minutes",
    )
    add_schema(parser, "that the cases were annotated with")
    parser.set_defaults(function=learn)


def learn(arguments: argparse.Namespace, console: Console) -> int:
    """Returns 1 if `--check` finds that the learned models cannot be used, otherwise 0."""
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    if arguments.check:
        return _check(arguments, settings, schema, console)
    if arguments.examples is None or arguments.out is None:
        raise InputError(
            "Learning needs annotated cases and an output folder.",
            "Give both: wardlight learn --examples FILE --out DIR.",
        )
    cases = cases_to_learn(arguments.examples, arguments.out, schema, console)
    facts, told = learn_cases(arguments.out, cases, schema, settings, console, arguments.answers)
    console.answer(facts, told)
    return 0


def cases_to_learn(examples: Path, out: Path, schema: Schema, console: Console) -> Cases:
    """The cases of a file, if there are enough to learn from and the result can go to a folder.

    Raises InputError if not.
    """
    cases = read_cases(examples, schema)
    warn_of(cases, console)
    check_enough(len(cases.cases), sum(len(case.observations) for case in cases.cases))
    if (out / FACTS).exists():
        raise InputError(f"The folder {out} already holds something learned.", "Choose a new one.")
    return cases


def learn_cases(
    out: Path, cases: Cases, schema: Schema, settings: Settings, console: Console, answers: Path | None = None
) -> tuple[dict[str, Any], str]:
    """Learns from cases; returns the facts about it, and the same in words."""
    with open_inference(settings) as inference, stoppable() as cancelled:
        learn_into(out, cases, schema, inference, settings, console, cancelled, answers)
    console.end_progress()
    facts = learned_facts(out)
    rows = [(name.replace("_", " "), f"{value:g}") for name, value in facts["held_out"].items()]
    lines = [
        f"Learned from {facts['cases']} cases with {facts['values']} values. Estimated on cases held out in turn:",
        table(["figure", "value"], rows),
        "",
        f"To use it, name the folder {out} as `learned` in the settings, or for one evaluation with --learned.",
    ]
    return facts, "\n".join(lines)


def _check(arguments: argparse.Namespace, settings: Settings, schema: Schema, console: Console) -> int:
    """Reports whether a learned folder can be used, without running or fitting models; returns 1 if not."""
    folder: Path = arguments.check
    with open_inference(settings) as inference:
        now = Binding.of(inference.models["filler"], inference.models["embedder"], settings.top_k)
    found = check_learned(folder, now, schema)
    answer: dict[str, Any] = {
        "usable": not found.differs,
        "differs": list(found.differs),
        "rows": len(schema.rows),
        "rows_as_they_were": len(found.rows),
        "promised": found.promised,
    }
    if found.differs:
        lines = [f"What was learned in {folder} cannot be used. It belongs to", *(f"  {one}" for one in found.differs)]
    else:
        kept = f"{len(found.rows)} of {len(schema.rows)} rows of the schema have not changed since."
        lines = [f"What was learned in {folder} can be used. {kept}", *([] if found.promised else [_NOT_PROMISED])]
    if arguments.examples and arguments.answers:
        cases = read_cases(arguments.examples, schema).cases
        answered = sum(answers_file(arguments.answers, case, now).exists() for case in cases)
        answer |= {"cases": len(cases), "cases_answered": answered}
        lines.append(f"The language model's answers are kept for {answered} of {len(cases)} cases.")
        lines.append("Learning again asks only about the others.")
    console.answer(answer, "\n".join(lines))
    return 1 if found.differs else 0


def learn_into(
    folder: Path,
    cases: Cases,
    schema: Schema,
    inference: Inference,
    settings: Settings,
    console: Console,
    cancelled: CancelledCallback,
    answers: Path | None = None,
) -> Learned:
    """Learns from the cases and writes the folder. Readings go to `answers`, else into the folder until it is done."""
    work = answers or output_folder(folder) / "work"
    try:
        learned = learned_from(
            cases, schema, inference, settings, work, monitor=ProgressMonitor(console.progress, cancelled)
        )
    except (Cancelled, KeyboardInterrupt, WorkerDied):
        console.note("What was read is kept. Continue with the same command.")
        raise
    with disk(folder):
        save_learned(folder, learned, schema)
        if answers is None:
            shutil.rmtree(work, ignore_errors=True)
    return learned


def warn_of(cases: Cases, console: Console) -> None:
    """Prints which annotations no prediction can match."""
    for warning in cases.warnings[:_WARNINGS_SHOWN]:
        console.note(f"{warning} No prediction can match it.")
    if more := cases.warnings[_WARNINGS_SHOWN:]:
        console.note(f"Values that no prediction can match, listed in the report: {len(more)} more.")
