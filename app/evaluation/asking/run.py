"""Asks the questions of a file about a ward, and compares the answers with the right ones."""

from __future__ import annotations

import json
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from app.evaluation.asking.gold_form import gold_forms
from app.evaluation.asking.scoring import Scored, bounds_of, is_exact, is_right, metrics_of
from app.evaluation.asking.ward import REVIEWER, fill_store, json_lines, read_ward
from app.inference.interface import Stages
from app.services.asking.answering import Asking
from app.store import Store
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from models.base.atomic_files import replace_file
from models.base.errors import InputError
from models.base.progress import ProgressMonitor

ANSWERS, METRICS = "answers.jsonl", "metrics.json"


def ask_all(
    ward: Path,
    questions: Path,
    schema: Schema,
    schema_bytes: bytes,
    settings: Settings,
    out: Path,
    inference: Stages | None,
    monitor: ProgressMonitor,
) -> dict[str, float | None]:
    """Writes `answers.jsonl` and `metrics.json` into a folder; returns the metrics.

    Args:
        inference: reads the dictations; None to chart their annotations.

    Raises InputError for a file that cannot be used.
    """
    asked = list(json_lines(questions))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lines = read_ward(ward, schema, folder)
        with Store(folder / "wardlight.db") as store:
            refused = fill_store(store, lines, schema, schema_bytes, folder, inference, monitor)
            asking = Asking(store, schema, settings, lambda _: schema)
            answers = [_answered(one, asking, store, schema) for one in asked]
    scored = [one for _, one in answers if one]
    found = metrics_of(scored) | {"values_not_charted": float(refused)}
    out.mkdir(parents=True, exist_ok=True)
    replace_file(out / ANSWERS, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line, _ in answers).encode())
    replace_file(out / METRICS, json.dumps(found, indent=1).encode())
    return found


def _answered(
    question: dict[str, Any], asking: Asking, store: Store, schema: Schema
) -> tuple[dict[str, Any], Scored | None]:
    try:
        number, text, now = str(question["id"]), str(question["question"]), datetime.fromisoformat(question["asked_at"])
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"A question is incomplete: {error}.", "See docs/evaluation.md for its form.") from error
    start = time.perf_counter()
    asked = asking.ask(text, REVIEWER, now.replace(tzinfo=None))
    seconds = time.perf_counter() - start
    gold = question.get("gold")
    forms = list(gold_forms(asked.answer))
    form = next((one for one in forms if isinstance(gold, dict) and is_right(one, gold)), forms[0])
    line = {"id": number, **form, "head": asked.answer.head, "seconds": round(seconds, 4)}
    if not isinstance(gold, dict):
        return line, None
    texts = dict(
        store.questions.transcripts(one.transcript_id for one in asked.answer.citations.values() if one.transcript_id)
    )
    words = [one for one in asked.answer.citations.values() if one.transcript_id in texts]
    exact = sum(is_exact(one, texts[one.transcript_id or 0].text, schema.by_id.get(one.row_id)) for one in words)
    covered, width = bounds_of(asked.answer, gold)
    kind = str(question.get("kind", ""))
    return line, Scored(number, kind, gold, form, seconds, covered, width, len(words), exact)
