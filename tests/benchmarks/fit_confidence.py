"""Fits the shipped confidence model: `python -m tests.benchmarks.fit_confidence --schema FILE --cases FILE`.

The features name no row (see `extraction.confidence`), so that the coefficients carry over to other schemas. Figures
are cross-validated by case; the threshold is the one that gives the best F1 there.
"""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
from pathlib import Path

import numpy as np
from extraction.schema_file import load_schema
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from app import paths
from app.inference import Inference
from app.settings import Settings
from extraction.confidence import FEATURES, features
from extraction.fill import Reading, Task
from models.manifest import load_manifest
from models.progress import CancelledCallback, ProgressCallback, ignore_progress, never_cancelled
from models.registry import Registry
from models.runtimes import Runtimes
from tests.benchmarks.synur import items, read_cases

_SEED = 20260101
_FOLDS = 5


def read_rows(
    runtimes: Runtimes, *, task: Task, progress: ProgressCallback, cancelled: CancelledCallback
) -> list[Reading]:
    """Every reading of the default strategy, before any is weighed; runs in the inference process."""
    from extraction.rowwise import RowwiseFiller

    return RowwiseFiller(runtimes.llm).read(task, progress, cancelled)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schema", type=Path, required=True)
    parser.add_argument("--cases", type=Path, required=True)
    parser.add_argument("--most", type=int, default=40, help="how many cases, from the first")
    parser.add_argument("--out", type=Path, default=Path("resources/confidence.json"))
    arguments = parser.parse_args()
    schema = load_schema(arguments.schema)
    cases = read_cases(arguments.cases)[: arguments.most]
    rows: list[tuple[float, ...]] = []
    right: list[bool] = []
    group: list[int] = []
    with Inference(Settings(), Registry(load_manifest(), paths.models_dir())) as inference:
        for number, case in enumerate(cases):
            segments = inference.segment(case.text, "sentence", ignore_progress, never_cancelled).value
            reduced = inference.reduce(schema, segments, ignore_progress, never_cancelled).value
            task = Task(case.text, segments, schema, reduced, dt.date(2026, 1, 1))
            for reading in inference.call("filler", read_rows, ignore_progress, never_cancelled, task=task):
                found = items(reading.row.id, reading.value)
                rows.append(features(reading))
                right.append(bool(found & case.gold))
                group.append(number)
            print(f"{number + 1}/{len(cases)} {case.id}: {sum(right)} right of {len(right)}", flush=True)
        models = inference.models
    gold = sum(len(case.gold) for case in cases)
    report = fit(np.array(rows), np.array(right), np.array(group), gold)
    report |= {
        "fitted_on": {
            "cases": len(cases),
            "case_file": arguments.cases.name,
            "case_file_sha256": hashlib.sha256(arguments.cases.read_bytes()).hexdigest(),
            "schema_sha256": schema.sha256,
            "models": {role: models[role] for role in ("filler", "embedder")},
            "seed": _SEED,
        }
    }
    arguments.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=1))


def fit(x: np.ndarray, y: np.ndarray, group: np.ndarray, gold: int) -> dict[str, object]:
    """Coefficients on all readings; ROC-AUC, precision and recall cross-validated by case."""
    held_out = np.zeros(len(y))
    for train, test in GroupKFold(_FOLDS).split(x, y, group):
        held_out[test] = _model().fit(x[train], y[train]).predict_proba(x[test])[:, 1]
    threshold, f1, precision, recall = _best(held_out, y, gold)
    model = _model().fit(x, y)
    return {
        "features": list(FEATURES),
        "coefficients": [round(float(c), 5) for c in model.coef_[0]],
        "intercept": round(float(model.intercept_[0]), 5),
        "propose_from": round(threshold, 2),
        "cross_validated": {
            "readings": len(y),
            "right": int(y.sum()),
            "gold": gold,
            "roc_auc": round(float(roc_auc_score(y, held_out)), 4),
            "roc_auc_mentioned_alone": round(float(roc_auc_score(y, x[:, 0])), 4),
            "f1": round(f1, 4),
            "precision": round(precision, 4),
            "recall": round(recall, 4),
        },
    }


def _model() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=5000, random_state=_SEED)


def _best(scores: np.ndarray, y: np.ndarray, gold: int) -> tuple[float, float, float, float]:
    """The threshold with the best F1, with F1, precision and recall there."""
    best = (0.5, 0.0, 0.0, 0.0)
    for threshold in np.arange(0.1, 0.91, 0.02):
        kept = scores >= threshold
        hits, shown = int(y[kept].sum()), int(kept.sum())
        f1 = 2 * hits / (shown + gold)
        if f1 > best[1]:
            best = (float(threshold), f1, hits / max(shown, 1), hits / gold)
    return best


if __name__ == "__main__":
    main()
