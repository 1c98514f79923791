"""Measures error detection on annotated cases (ReDD, sections 3.3 to 4.2, 6.2).

Models learned from examples weigh the values read from other cases. Each method, calibrated on held-out examples, then
lights some of them; the gold shows how many wrong values are found, and at what cost. Readings are kept in `out`/work,
so that a stopped run can be continued.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from app.adaptation.training import gather
from app.evaluation.folder import EvaluationFolder, circumstances_of, json_bytes
from app.evaluation.papers.error_detection.methods import at_equal_fpr, lines, methods, scape_of, separation
from app.evaluation.papers.error_detection.report import report_files
from app.evaluation.papers.error_detection.sample_sizes import SIZES_FPR, Bare, calibration_sizes, training_sizes
from app.evaluation.papers.error_detection.values import Unseen, WeighedValues, read_unseen, weighed
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.annotation.case_files import Cases
from extraction.flowsheet.schema import Schema
from extraction.learning.fit import Fitted, fit_acceptance
from models.base.errors import InputError
from models.base.progress import Progress, ProgressMonitor, stop_if

RESULT = "confidence.json"
ALPHAS = (0.3, 0.2, 0.15, 0.1, 0.05, 0.04, 0.03, 0.02)
WEIGHTS = (0.25, 0.5, 0.75)
SEEDS = 5
KINDS = ("not in the gold", "another value")


def measure_confidence(
    examples: Cases,
    cases: Cases,
    schema: Schema,
    inference: Inference,
    settings: Settings,
    out: Path,
    *,
    alphas: Sequence[float] = ALPHAS,
    weights: Sequence[float] = WEIGHTS,
    seeds: int = SEEDS,
    facts: dict[str, Any],
    monitor: ProgressMonitor,
) -> dict[str, Any]:
    """Learns from the examples, reads the cases, and returns the content of `out`/confidence.json.

    Raises:
        InputError: `out` holds a result; the examples are too few, see `app.adaptation.training.learn`; or the values
            of the examples or of the cases are all right or all wrong.
        Cancelled, WorkerDied: see `models.process.worker`; what was read is kept.
    """
    if (out / RESULT).exists():
        raise InputError(
            f"The folder {out} already holds a result.",
            f"Choose a new one; a copy of {out / 'work'} in it saves reading everything again.",
        )
    circumstances = circumstances_of(replace(settings, learned=""), schema, cases.sha256, inference.models)
    chosen = {"alphas": list(alphas), "weights": list(weights), "seeds": seeds}
    circumstances |= {"examples_sha256": examples.sha256, **chosen}
    found = gather(examples, schema, inference, settings, out / "work", monitor=monitor)
    unseen = read_unseen(cases, schema, found, inference, settings, out / "work", monitor=monitor)

    def next_step(message: str) -> None:
        stop_if(monitor.cancelled)
        monitor.report(Progress("eval", None, message))

    next_step("fitting which values are likely right")
    fitted = fit_acceptance(found.readings, found.folds, found.gold, for_any_schema=False)
    values = weighed(fitted, unseen.cases, unseen.gold)
    _both_kinds(fitted, "examples")
    _both_kinds(values, "cases")
    next_step("fitting the same without hidden states")
    bare = Bare.fit(found, unseen)
    next_step("calibrating")
    calibrated = methods(fitted, values, alphas, weights)
    dark = confidently_wrong(fitted, values, unseen, cases, schema, settings)
    next_step("calibrating on fewer values")
    of_calibration = calibration_sizes(fitted, values, weights, seeds)
    next_step("training on fewer values")
    of_training = training_sizes(bare, seeds, monitor.cancelled)
    measured = {
        "cases": len(cases.cases),
        "examples": len(examples.cases),
        "gold": values.gold,
        "values": _counts(values),
        "calibration": _counts(fitted),
        "separation": separation(values, bare.confidence[values.reading]),
        "methods": lines(calibrated, values),
        "equal_fpr": at_equal_fpr(calibrated, values),
        "sizes_fpr": SIZES_FPR,
        "calibration_sizes": of_calibration,
        "training_sizes": of_training,
        "confidently_wrong": {"alpha": settings.alpha, "weight": settings.conflict_weight} | _kinds(dark),
        "warnings": [*examples.warnings, *cases.warnings],
        "run": circumstances,
        "facts": facts,
    }
    folder = EvaluationFolder(out)
    folder.write(
        "confidently_wrong.jsonl", "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in dark).encode()
    )
    for name, data in report_files(measured).items():
        folder.write(name, data)
    folder.write(RESULT, json_bytes(measured))  # last, because it marks the result as complete
    monitor.report(Progress("eval", 1.0, f"{len(cases.cases)} cases"))
    return measured


def _both_kinds(known: Fitted | WeighedValues, of: str) -> None:
    wrong = known.sample.wrong
    if wrong.all() or not wrong.any():
        kind = "wrong" if wrong.all() else "right"
        raise InputError(
            f"All {len(wrong)} values that were read of the {of} are {kind}: there is nothing to tell apart.",
            f"Name more {of} with --{of}, or check that they were annotated with this schema.",
        )


def _counts(known: Fitted | WeighedValues) -> dict[str, int]:
    sample = known.sample
    return {
        "count": len(sample.wrong),
        "wrong": int(sample.wrong.sum()),
        "proposals": int(sample.proposed.sum()),
        "wrong_proposals": int((sample.wrong & sample.proposed).sum()),
        "layers": sample.errors.shape[1],
    }


def confidently_wrong(
    fitted: Fitted, values: WeighedValues, unseen: Unseen, cases: Cases, schema: Schema, settings: Settings
) -> list[dict[str, Any]]:
    """The wrong proposals that are not lit with the settings, most confident first."""
    sample = values.sample
    try:
        lit = scape_of(fitted.sample.proposals, settings.conflict_weight).lit(sample.errors, settings.alpha)
    except InputError:  # too few proposals are right or wrong: confidence alone decides
        lit = values.confidence < settings.accept_threshold
    stated = [one for case in unseen.cases for one in case.stated]
    dark = np.flatnonzero(sample.proposed & sample.wrong & ~lit)
    found = []
    for place in dark[np.argsort(-values.confidence[dark], kind="stable")]:
        one = stated[values.reading[place]]
        found.append(
            {
                "case": cases.cases[sample.case[place]].id,
                "row_id": one.row_id,
                "row": schema.row(one.row_id).name,
                "value": one.value,
                "gold": list(one.gold),
                "kind": KINDS[bool(one.gold)],
                "confidence": round(float(values.confidence[place]), 4),
                "sentence": one.sentence,
            }
        )
    return found


def _kinds(dark: Sequence[dict[str, Any]]) -> dict[str, Any]:
    counted = Counter(one["kind"] for one in dark)
    return {"count": len(dark), "kinds": {kind: counted[kind] for kind in KINDS}}
