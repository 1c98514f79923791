"""`batch`: reads a backlog of dictations with several processes, on this computer or on others."""

from __future__ import annotations

import argparse
from pathlib import Path

from app.batch.backlog import Item, Results, conditions, items_of
from app.batch.run import Outcome, check_installed, read_backlog, threads_for, workers_at, workers_here
from app.cli.arguments import add_machine, add_schema, add_tuning
from app.cli.backlog.pipeline_reader import PipelineReader
from app.cli.charting.extract import output_folder
from app.cli.common import open_inference, schema_of, settings_of, stoppable
from app.cli.console import Console
from models.base.errors import Cancelled, InputError
from models.base.progress import ProgressMonitor

_SHOWN = 10


def batch_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Read a folder of texts with several processes. Each result is a file of its own; a backlog that was stopped "
        "continues with the same command."
    )
    add_machine(parser)
    add_tuning(parser)
    add_schema(parser, "to fill")
    parser.add_argument("folder", type=Path, metavar="DIR", help="folder of text files, one a dictation")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, default=1, metavar="N", help="processes on this computer (default: 1)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler whose workers read, tls://HOST:PORT")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the results")
    parser.set_defaults(function=batch)


def batch(arguments: argparse.Namespace, console: Console) -> int:
    check_installed()
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    if arguments.threads is not None:
        raise InputError("The threads follow from the workers.", "Leave out --threads.")
    threads = 0 if arguments.scheduler else threads_for(arguments.workers)
    with open_inference(settings) as inference:  # is not started: it only tells which models are meant
        under = conditions(schema, settings, inference.models)
    items, refused = items_of(arguments.folder, under)
    results = Results(output_folder(arguments.out))
    results.name(items)
    if all(results.has(one.key) for one in items):
        outcome = Outcome(known=len(items))
    else:
        outcome = _read(arguments, items, results, PipelineReader(schema, settings), threads, console)
    failed = refused | outcome.failed
    lines = [f"{outcome.read} read, {outcome.known} known already, {len(failed)} without a result: {arguments.out}"]
    lines += [f"{name}: {why}" for name, why in sorted(failed.items())[:_SHOWN]]
    console.answer({"read": outcome.read, "known": outcome.known, "failed": failed}, "\n".join(lines))
    return 1 if failed else 0


def _read(
    arguments: argparse.Namespace,
    items: list[Item],
    results: Results,
    reader: PipelineReader,
    threads: int,
    console: Console,
) -> Outcome:
    workers = workers_at(arguments.scheduler) if arguments.scheduler else workers_here(arguments.workers)
    with stoppable() as cancelled, workers as client:
        try:
            monitor = ProgressMonitor(console.progress, cancelled)
            outcome = read_backlog(items, results, reader, client, threads, monitor)
        except Cancelled:
            console.note("What was read is kept. Continue with the same command.")
            raise
    console.end_progress()
    return outcome
