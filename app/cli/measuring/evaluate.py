"""`eval` and `eval compare`: evaluate the extraction on annotated cases, and compare two evaluations."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.command import Command, add_commands
from app.cli.common import open_inference, run_facts, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.cli.measuring.learn import learn_into, warn_of
from app.evaluation.folder import LEARNED, EvaluationFolder
from app.evaluation.report import headline
from app.evaluation.run import compare as compared
from app.evaluation.run import evaluate as evaluated
from app.system.settings import Settings
from extraction.annotation.case_files import Cases, read_cases
from extraction.confidence.learned_models import FACTS, learned_facts
from extraction.flowsheet.schema import Schema
from models.base.errors import Cancelled, InputError
from models.base.progress import ProgressMonitor

OTHER_PROOFS = (
    Command("compare", "two finished evaluations", "measuring.evaluate"),
    Command("gaps", "what is offered before filing of rows that a dictation lacks", "measuring.gaps"),
    Command("ask", "answers to questions about a ward", "measuring.ask"),
    Command("utterances", "short utterances, by what makes them hard", "measuring.challenge"),
    Command("discovery", "hidden rows that are found again", "measuring.discovery"),
)


def eval_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--cases", type=Path, metavar="FILE", help="annotated cases, one JSON object a line")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder for predictions, metrics and report")
    parser.add_argument("--examples", metavar="FILE", help="annotated cases to learn from first")
    parser.add_argument("--learned", metavar="DIR", help="what wardlight learn made of them before")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="how often to run every case (default: 1)")
    parser.add_argument("--resume", action="store_true", help="continue an evaluation that was stopped")
    add_schema(parser, "to fill")
    parser.set_defaults(function=evaluate)
    add_commands(parser, OTHER_PROOFS, f"[{' | '.join(one.name for one in OTHER_PROOFS)}]", required=False)


def evaluate(arguments: argparse.Namespace, console: Console) -> None:
    if arguments.cases is None or arguments.out is None:
        raise InputError(
            "No cases or no output folder was given.",
            "Give annotated cases with --cases FILE and a folder with --out DIR.",
        )
    if arguments.repeat < 1:
        raise InputError(f"--repeat cannot be {arguments.repeat}.", "Name how often each case is run, at least 1.")
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    cases = read_cases(arguments.cases, schema)
    warn_of(cases, console)
    settings = _learned(arguments, settings, cases, schema, console)
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
                facts=run_facts(arguments.cases.name, schema.name),
                monitor=ProgressMonitor(console.progress, cancelled),
            )
        except (Cancelled, KeyboardInterrupt):
            console.note("The finished cases are kept. Continue with the same command and --resume.")
            raise
    console.end_progress()
    lines = [table(["figure", "value"], headline(measured)), "", str(arguments.out / "report.md")]
    console.answer(measured, "\n".join(lines))


def _learned(
    arguments: argparse.Namespace, settings: Settings, cases: Cases, schema: Schema, console: Console
) -> Settings:
    """The settings with the models learned from `--examples`: in an existing folder if there is one, else learned now.

    Raises InputError if the folder was learned from other cases.
    """
    if not arguments.examples:
        return settings
    examples = read_cases(Path(arguments.examples), schema)
    texts = {case.text for case in examples.cases}
    if both := sum(case.text in texts for case in cases.cases):
        console.note(f"{both} of the cases are among the examples too: the figures will be too good.")
    warn_of(examples, console)
    EvaluationFolder(arguments.out).check(resume=arguments.resume)
    folder = Path(settings.learned) if settings.learned else arguments.out / LEARNED
    if settings.learned or (folder / FACTS).exists():
        if learned_facts(folder).get("cases_sha256") != examples.sha256:
            raise InputError(
                f"The models in {folder} were not learned from {arguments.examples}.",
                "Give the examples that they were learned from, or leave --learned out and choose a new folder.",
            )
    else:
        with open_inference(settings) as inference, stoppable() as cancelled:
            learn_into(folder, examples, schema, inference, settings, console, cancelled)
    return replace(settings, learned=str(folder))


def compare_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Compare two finished evaluations."
    add_machine(parser)
    parser.add_argument("a", type=Path, metavar="A", help="folder of the first")
    parser.add_argument("b", type=Path, metavar="B", help="folder of the second")
    parser.set_defaults(function=compare)


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
