"""`bench live`: measures how far words and values lag behind the speaker on this machine."""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median
from typing import Any

from app.cli.arguments import add_common, add_machine, add_schema, add_tuning
from app.cli.command import Command, add_commands
from app.cli.common import open_inference, schema_of, settings_of, stoppable
from app.cli.console import Console, table
from app.evaluation.live_latency import Delays, batch, delays, play, same_rows
from models.base.progress import ProgressMonitor

MEASURED = (Command("live", "how far behind the speaker words and values come", "measuring.bench"),)


def bench_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    add_commands(parser, MEASURED, "live", required=True)


def live_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Play recordings as a microphone would; measure how far behind the speaker words and values come."
    )
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument(
        "--audio", type=Path, nargs="+", required=True, metavar="FILE", help="recordings of one speaker"
    )
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="how often to play each (default: 1)")
    add_schema(parser, "to fill")
    parser.set_defaults(function=live)


def live(arguments: argparse.Namespace, console: Console) -> None:
    settings = settings_of(arguments)
    schema, _ = schema_of(arguments, settings)
    runs: list[dict[str, Any]] = []
    with stoppable() as cancelled:
        monitor = ProgressMonitor(console.progress, cancelled)
        with open_inference(settings) as inference:
            inference.preload_models(schema, monitor)  # as the window does when it opens
            played = [
                (path, play(path, schema, inference, monitor=monitor))
                for path in arguments.audio
                for _ in range(arguments.repeat)
            ]
        with open_inference(settings) as inference:  # a new process, without anything cached from playing
            filled = {path: batch(path, schema, inference, monitor=monitor) for path in dict.fromkeys(arguments.audio)}
        for path, one in played:
            share, differing = same_rows(one.result.values, filled[path].values)
            runs.append(
                {
                    "audio": str(path),
                    "audio_s": round(one.result.transcript.duration, 2),
                    **_json(delays(one)),
                    "same_rows": round(share, 4),
                    "differing_rows": differing,
                    "rows": len(one.result.values),
                    "transcript": one.result.transcript.text,
                    "transcript_afterwards": filled[path].transcript.text,
                    "seconds": one.result.seconds,
                }
            )
    console.end_progress()
    medians = {name: round(median(run[name] for run in runs), 2) for name in _json(Delays(0, 0, 0, 0))}
    overall = medians | {"same_rows": round(sum(run["same_rows"] for run in runs) / len(runs), 4)}
    rows = [[run["audio"], *(f"{run[name]:.2f}" for name in medians), f"{run['same_rows']:.0%}"] for run in runs]
    headings = ["recording", "final text s", "last value s", "live word s", "slowest word s", "rows as afterwards"]
    console.answer(overall | {"runs": runs}, table(headings, rows))


def _json(one: Delays) -> dict[str, float]:
    return {
        "final_text_delay_s": round(one.final_text, 3),
        "last_value_delay_s": round(one.last_value, 3),
        "live_word_delay_s": round(one.live_word, 3),
        "slowest_live_word_delay_s": round(one.slowest_live_word, 3),
    }
