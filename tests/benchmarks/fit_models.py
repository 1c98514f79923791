"""Fits the two shipped logistic models: `python -m tests.benchmarks.fit_models prior|confidence --schema S --cases C`.

Their features name no row (`extraction.reduce`, `extraction.confidence`), so that the coefficients carry over to other
schemas. Figures are cross-validated by case.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from app import paths
from app.inference import Inference
from app.settings import Settings
from extraction import confidence, reduce
from extraction.fill import Reading, Task
from extraction.index import open_index
from extraction.reduce import Candidate
from extraction.schema import Schema
from extraction.schema_file import load_schema
from extraction.segment import Segment, segment
from models.manifest import load_manifest
from models.progress import CancelledCallback, ProgressCallback, ignore_progress, never_cancelled
from models.registry import Registry
from models.runtimes import Runtimes
from tests.benchmarks.synur import Case, items, read_cases

_SEED = 20260101
_FOLDS = 5
# Rows worth a question: at this probability the reduced schema of a SYNUR case has about 36 rows.
_PRIOR_FROM = 0.03


def pooled(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segments: tuple[Segment, ...],
    top_k: int,
    folder: Path,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> list[Candidate]:
    """Every candidate before it is weighed; runs in the inference process."""
    index = open_index(
        schema, runtimes.embedder, runtimes.config.embedder_id, folder, progress=progress, cancelled=cancelled
    )
    return reduce.pool(schema, segments, index, runtimes.embedder, top_k)


def read_rows(
    runtimes: Runtimes, *, task: Task, progress: ProgressCallback, cancelled: CancelledCallback
) -> list[Reading]:
    """Every reading of the default strategy before it is weighed; runs in the inference process."""
    from extraction.rowwise import RowwiseFiller

    return RowwiseFiller(runtimes.llm).read(task, progress, cancelled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=("prior", "confidence"))
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--most", type=int, default=1000, help="how many cases, from the first")
    arguments = parser.parse_args()
    schema = load_schema(arguments.schema)
    cases = read_cases(arguments.cases)[: arguments.most]
    collect, names = (_candidates, reduce.FEATURES) if arguments.model == "prior" else (_readings, confidence.FEATURES)
    rows: list[tuple[float, ...]] = []
    right: list[bool] = []
    group: list[int] = []
    with Inference(Settings(), Registry(load_manifest(), paths.models_dir())) as inference:
        for number, case in enumerate(cases):
            for values, is_right in collect(inference, schema, case):
                rows.append(values)
                right.append(is_right)
                group.append(number)
            print(f"{number + 1}/{len(cases)} {case.id}: {sum(right)} right of {len(right)}", flush=True)
        models = {role: inference.models[role] for role in ("filler", "embedder")}
    gold = sum(_gold_rows(schema, case) if arguments.model == "prior" else len(case.gold) for case in cases)
    report = fit(
        names,
        np.array(rows),
        np.array(right),
        np.array(group),
        gold,
        keep_from=_PRIOR_FROM if arguments.model == "prior" else None,
    )
    report["fitted_on"] = {
        "cases": len(cases),
        "case_file": arguments.cases.name,
        "case_file_sha256": hashlib.sha256(arguments.cases.read_bytes()).hexdigest(),
        "schema_sha256": schema.sha256,
        "models": models,
        "seed": _SEED,
    }
    out = Path("resources") / f"{arguments.model}.json"
    out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


def _gold_rows(schema: Schema, case: Case) -> int:
    """How many rows the gold fills, unit rows counted with their numbers."""
    return len({schema.row(row_id).unit_of or row_id for row_id, _ in case.gold})


def _candidates(inference: Inference, schema: Schema, case: Case) -> list[tuple[tuple[float, ...], bool]]:
    filled = {schema.row(row_id).unit_of or row_id for row_id, _ in case.gold}
    found = inference.call(
        "embedder",
        pooled,
        ignore_progress,
        never_cancelled,
        schema=schema,
        segments=segment(case.text),
        top_k=Settings().top_k,
        folder=paths.cache_dir() / "indexes",
    )
    return [(reduce.features(schema.row(c.row_id), c), c.row_id in filled) for c in found]


def _readings(inference: Inference, schema: Schema, case: Case) -> list[tuple[tuple[float, ...], bool]]:
    segments = segment(case.text)
    reduced = inference.reduce(schema, segments, ignore_progress, never_cancelled).value
    task = Task(case.text, segments, schema, reduced, dt.date(2026, 1, 1))
    found: list[Reading] = inference.call("filler", read_rows, ignore_progress, never_cancelled, task=task)
    right = [bool(items(reading.row.id, reading.value) & case.gold) for reading in found]
    return list(zip(confidence.features(found), right, strict=True))


def fit(
    names: tuple[str, ...],
    x: np.ndarray,
    y: np.ndarray,
    group: np.ndarray,
    gold: int,
    keep_from: float | None = None,
) -> dict[str, Any]:
    """Coefficients on everything; ROC-AUC, precision and recall cross-validated by case.

    Without `keep_from`, the threshold is the one with the best cross-validated F1.
    """
    held_out = np.zeros(len(y))
    for train, test in GroupKFold(_FOLDS).split(x, y, group):
        held_out[test] = _model().fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    thresholds = [keep_from] if keep_from is not None else [round(0.1 + 0.02 * step, 2) for step in range(41)]
    threshold, f1, precision, recall = max((_score(held_out, y, gold, t) for t in thresholds), key=lambda s: s[1])
    model = _model().fit(x, y)
    return {
        "features": list(names),
        "coefficients": [round(float(c), 5) for c in model.coef_[0]],
        "intercept": round(float(model.intercept_[0]), 5),
        "keep_from": threshold,
        "cross_validated": {
            "cases": len(set(group.tolist())),
            "rows": len(y),
            "kept": int((held_out >= threshold).sum()),
            "right": int(y.sum()),
            "gold": gold,
            "roc_auc": round(float(roc_auc_score(y, held_out)), 4),
            "roc_auc_first_feature_alone": round(float(roc_auc_score(y, x[:, 0])), 4),
            "f1": round(f1, 4),
            "precision": round(precision, 4),
            "recall": round(recall, 4),
        },
    }


def _model() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=5000, random_state=_SEED)


def _score(scores: np.ndarray, y: np.ndarray, gold: int, threshold: float) -> tuple[float, float, float, float]:
    kept = scores >= threshold
    hits, shown = int(y[kept].sum()), int(kept.sum())
    return threshold, 2 * hits / (shown + gold), hits / max(shown, 1), hits / gold


if __name__ == "__main__":
    # Under its importable name: functions travel to the inference process by module and name.
    import_module("tests.benchmarks.fit_models").main()
