"""`ablation` and `retrieval`: compare ways of reducing and filling on annotated cases."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.common import open_inference, run_facts, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.cli.measuring.learn import warn_of
from app.evaluation.papers.ablation.report import ablation_rows
from app.evaluation.papers.ablation.retrieval import measure_retrieval, retrieval_rows
from app.evaluation.papers.ablation.run import ABLATIONS, ablate, chosen_conditions, first
from extraction.annotation.case_files import Cases, read_cases
from extraction.flowsheet.schema import Schema
from models.base.errors import Cancelled, InputError
from models.base.progress import ProgressMonitor


def ablation_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Run other ways of reducing and filling, and compare them with the product's own."
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("conditions", choices=tuple(ABLATIONS), help="those that matter most, or all")
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="annotated cases")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for an evaluation of each condition"
    )
    parser.add_argument("--examples", metavar="FILE", help="annotated cases that conditions may show or search")
    parser.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    parser.add_argument("--resume", action="store_true", help="continue an ablation that was stopped")
    parser.add_argument("--most", type=int, metavar="N", help="the first N cases (default: 3 or 5)")
    parser.add_argument("--condition", action="append", metavar="NAME", help="this condition alone; may be repeated")
    add_schema(parser, "to fill")
    parser.set_defaults(function=ablation)


def ablation(arguments: argparse.Namespace, console: Console) -> None:
    chosen = ABLATIONS[arguments.conditions]
    most = chosen.most if arguments.most is None else arguments.most
    if most < 1:
        raise InputError(f"--most cannot be {most}.", "Name how many cases are run, at least 1.")
    conditions = chosen_conditions(chosen, arguments.condition or (), examples=bool(arguments.examples))
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    cases = first(read_cases(arguments.cases, schema), most)
    examples = _examples(arguments, schema)
    warn_of(cases, console)
    with open_inference(settings) as inference, stoppable() as cancelled:
        try:
            found = ablate(
                conditions,
                chosen.baseline,
                cases,
                schema,
                inference,
                settings,
                arguments.out,
                examples=examples,
                resume=arguments.resume,
                facts=run_facts(arguments.cases.name, schema.name),
                monitor=ProgressMonitor(console.progress, cancelled),
            )
        except (Cancelled, KeyboardInterrupt):
            console.note("What is finished is kept. Continue with the same command and --resume.")
            raise
    console.end_progress()
    console.answer(found, "\n".join([table(*ablation_rows(found)), "", str(arguments.out / "ablation.md")]))


def retrieval_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = "Measure which rows the ways of ranking them find, without filling any."
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="annotated cases")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for table and plot")
    parser.add_argument("--examples", metavar="FILE", help="annotated cases whose sentences are searched as well")
    parser.add_argument("--learned", metavar="DIR", help="what wardlight learn made")
    add_schema(parser, "to search")
    parser.set_defaults(function=retrieval)


def retrieval(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    cases = read_cases(arguments.cases, schema)
    with open_inference(settings) as inference, stoppable() as cancelled:
        found = measure_retrieval(
            cases,
            schema,
            inference,
            settings,
            arguments.out,
            examples=_examples(arguments, schema),
            facts=run_facts(arguments.cases.name, schema.name),
            monitor=ProgressMonitor(console.progress, cancelled),
        )
    console.end_progress()
    console.answer(found, "\n".join([table(*retrieval_rows(found)), "", str(arguments.out / "retrieval.md")]))


def _examples(arguments: argparse.Namespace, schema: Schema) -> Cases | None:
    return read_cases(Path(arguments.examples), schema) if arguments.examples else None
