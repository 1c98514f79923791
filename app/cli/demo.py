"""`demo`: runs the pipeline on the sample dictation and compares the proposals with its gold values."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from app.cli.arguments import add_machine, add_tuning
from app.cli.charting.extract import keep, output_folder, result_json, result_text, run_kept
from app.cli.common import open_inference, read_schema, settings_of, stoppable
from app.cli.console import Console
from app.exchange.export import export
from app.pipeline import PipelineResult
from app.services.patients.lookup import SAMPLE
from app.store import Store
from extraction.flowsheet.ranges import is_alarming
from extraction.flowsheet.values import Value
from models.base.progress import ProgressMonitor
from resources import DEMONSTRATION_SCHEMA, FOLDER

_SAMPLE = FOLDER / "dictation"
_REVIEWER = "demonstration (nobody reviewed this)"
RIGHT_AT_LEAST = 0.85
WRONG_AT_MOST = 0.20


def demo_arguments(parser: argparse.ArgumentParser) -> None:
    add_machine(parser)
    add_tuning(parser)
    parser.add_argument("--out", type=Path, default=Path("out"), help="folder for the exported files (default: out)")
    parser.set_defaults(function=demo)


def demo(arguments: argparse.Namespace, console: Console) -> int:
    """Returns 0 if the sample is filled well enough, 1 otherwise."""
    settings = settings_of(arguments)
    schema, schema_bytes = read_schema(DEMONSTRATION_SCHEMA)
    folder = output_folder(arguments.out)
    console.note("The sample dictation. Its proposals are accepted here without a person: for demonstration only.")
    with (
        Store(folder / "demo.db") as store,
        open_inference(settings) as inference,
        stoppable() as cancelled,
    ):
        monitor = ProgressMonitor(console.progress, cancelled)
        dictation = keep(store, SAMPLE, _SAMPLE / "sample.flac", "audio", schema, schema_bytes)
        result = run_kept(store, dictation, schema, inference, monitor)
        proposed = store.values.of(dictation.id)
        plain = [one.id for one in proposed if not is_alarming(schema.row(one.row_id), one.value)]
        store.reviews.decide_all(plain, "confirm", _REVIEWER)
        files = export(store, dictation.id, schema, folder)
    console.end_progress()
    gold = json.loads((_SAMPLE / "gold.json").read_text(encoding="utf-8"))
    score = _score(result, {value["row_id"]: value["value"] for value in gold["values"]})
    good = score["right_share"] >= RIGHT_AT_LEAST and score["wrong_share"] <= WRONG_AT_MOST
    lines = [
        result_text(result, schema),
        "",
        *(str(path) for path in files),
        "",
        (
            f"Gold values filled right: {len(score['right'])} of {score['gold']} ({score['right_share']:.0%});"
            f" wrong proposals: {len(score['wrong'])} of {score['proposed']} ({score['wrong_share']:.0%})."
        ),
    ]
    if score["missed"]:
        lines.append("Not filled right: " + ", ".join(schema.row(row).name for row in score["missed"]))
    if score["wrong"]:
        lines.append("Wrong: " + ", ".join(schema.row(row).name for row in score["wrong"]))
    if not good:
        lines.append(
            f"This misses the targets: right at least {RIGHT_AT_LEAST:.0%}, wrong at most {WRONG_AT_MOST:.0%}."
        )
    data = result_json(result, schema) | {"files": [str(path) for path in files], "score": score}
    console.answer(data, "\n".join(lines))
    return 0 if good else 1


def _score(result: PipelineResult, gold: dict[str, Any]) -> dict[str, Any]:
    """Compares the proposals with the gold: a value is right if row and value are equal."""
    proposed: dict[str, Value] = {value.row_id: value.value for value in result.values}
    wanted = {row: tuple(value) if isinstance(value, list) else value for row, value in gold.items()}
    right = sorted(row for row, value in wanted.items() if proposed.get(row) == value)
    wrong = sorted(row for row, value in proposed.items() if wanted.get(row) != value)
    return {
        "gold": len(wanted),
        "proposed": len(proposed),
        "right": right,
        "missed": sorted(set(wanted) - set(right)),
        "wrong": wrong,
        "right_share": len(right) / len(wanted),
        "wrong_share": len(wrong) / max(len(proposed), 1),
    }
