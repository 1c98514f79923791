"""Measures error detection with fewer values to calibrate it or to train its layers (ReDD, Figures 3 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from app.adaptation.training import Gathered
from app.evaluation.papers.error_detection.methods import acc_at, named
from app.evaluation.papers.error_detection.values import (
    Unseen,
    WeighedValues,
    confidences,
    states_and_labels,
    weighed,
    without_states,
)
from extraction.confidence.acceptance_features import PROBES
from extraction.estimators.conformal import Scape
from extraction.estimators.layer_classifiers import fit_layers
from extraction.estimators.linear_probes import fit_probes, held_out_scores
from extraction.learning.fit import Fitted, fit_acceptance
from models.base.errors import InputError
from models.base.progress import CancelledCallback, stop_if

if TYPE_CHECKING:
    from numpy.typing import NDArray

# The FPR_pop at which sizes and weights are compared, as in the paper.
SIZES_FPR = 0.2
TRAINING_SIZES = (25, 50, 100, 200)
CALIBRATION_SIZES = (30, 60, 150, 300)
# The weight of SCAPE-Hyb where the layers are trained on fewer values.
_WEIGHT = 0.5
_FOLDS = 5


def calibration_sizes(
    calibration: Fitted | WeighedValues, values: WeighedValues, weights: Sequence[float], seeds: int
) -> list[dict[str, Any]]:
    """ROC-AUC and ACC_pop of SCAPE and SCAPE-Hyb, calibrated on random samples of different sizes (Figures 3, 4)."""
    known = calibration.sample
    found = []
    for size in CALIBRATION_SIZES:
        for weight in (0.0, *weights):
            drawn: list[tuple[float, float]] = []
            for seed in range(seeds if size <= len(known.wrong) else 0):
                draw = np.random.default_rng(seed).permutation(len(known.wrong))[:size]
                try:
                    scape = Scape.fit(known.errors[draw], known.wrong[draw], known.case[draw], weight, seed)
                except InputError:  # too few of one kind
                    continue
                drawn.append(_worth(values, -scape.rank(values.sample.errors).astype(np.float64)))
            found.append(_size_line(size, named(weight), weight or None, drawn, seeds))
    return found


@dataclass(frozen=True)
class Bare:
    """An acceptance without hidden states, and the hidden states for the values that it weighs.

    Layers that build on it know of hidden states only what their own training values show.

    Attributes:
        values: of the cases.
        confidence: in every reading of the cases, shape (readings,).
        states: for the values of the examples, shape (values, layers, embedding).
        targets: what the probes learn to predict for these values, by probe, shape (values,).
        states_of_cases: for the values of the cases, shape (values, layers, embedding).
    """

    fitted: Fitted
    values: WeighedValues
    confidence: NDArray[np.float64]
    states: NDArray[np.float16]
    targets: dict[str, NDArray[np.bool_]]
    states_of_cases: NDArray[np.float16]

    @classmethod
    def fit(cls, found: Gathered, unseen: Unseen) -> Bare:
        examples = [without_states(one) for one in found.readings]
        cases = [replace(one, readings=without_states(one.readings)) for one in unseen.cases]
        fitted = fit_acceptance(examples, found.folds, found.gold, for_any_schema=False)
        values = weighed(fitted, cases, unseen.gold)
        states, filled, best_right = states_and_labels(found.readings, fitted.reading)
        return cls(
            fitted,
            values,
            confidences(fitted, [one.readings for one in cases]),
            states,
            dict(zip(PROBES, (filled, best_right), strict=True)),
            states_and_labels([one.readings for one in unseen.cases], values.reading)[0],
        )


def training_sizes(bare: Bare, seeds: int, cancelled: CancelledCallback) -> list[dict[str, Any]]:
    """ROC-AUC and ACC_pop when probes and layers are trained on random samples of different sizes (Figure 5).

    The samples are drawn from half of the examples; all values of the other half are used to calibrate.
    """
    found = []
    for size in TRAINING_SIZES:
        drawn: dict[str, list[tuple[float, float]]] = {"layers": [], named(0.0): [], named(_WEIGHT): []}
        for seed in range(seeds):
            stop_if(cancelled)
            for name, worth in _trained(bare, size, seed).items():
                drawn[name].append(worth)
        weights = {named(_WEIGHT): _WEIGHT}
        found += [_size_line(size, name, weights.get(name), worths, seeds) for name, worths in drawn.items()]
    return found


def _trained(bare: Bare, size: int, seed: int) -> dict[str, tuple[float, float]]:
    """ROC-AUC and ACC_pop of layers trained on `size` values, and of what is calibrated on their errors, by method.

    What cannot be trained or calibrated is left out.
    """
    sample, random = bare.fitted.sample, np.random.default_rng(seed)
    order = random.permutation(np.unique(sample.case))
    teaching = np.isin(sample.case, order[: len(order) // 2])
    draw = random.permutation(np.flatnonzero(teaching))[:size]
    if len(draw) < size or sample.wrong[draw].all() or not sample.wrong[draw].any():
        return {}
    layers = tuple(range(bare.states.shape[1]))
    fold = np.argsort(order)[np.searchsorted(np.unique(sample.case), sample.case[draw])] % _FOLDS
    targets = {name: target[draw] for name, target in bare.targets.items()}
    row, value = held_out_scores(bare.states[draw], targets, fold, layers).values()
    classifiers = fit_layers(bare.fitted.confidence[draw], row, value, ~sample.wrong[draw])
    probes = fit_probes(bare.states[draw], targets, layers).values()
    rest = ~teaching
    known, now = (
        classifiers.errors(confidence, *(probe.scores(states.astype(np.float32)) for probe in probes))
        for confidence, states in (
            (bare.fitted.confidence[rest], bare.states[rest]),
            (bare.values.confidence, bare.states_of_cases),
        )
    )
    worth = {"layers": _worth(bare.values, now.mean(axis=1))}
    for weight in (0.0, _WEIGHT):
        with suppress(InputError):  # too few of one kind
            scape = Scape.fit(known, sample.wrong[rest], sample.case[rest], weight, seed)
            worth[named(weight)] = _worth(bare.values, -scape.rank(now).astype(np.float64))
    return worth


def _size_line(
    size: int, method: str, weight: float | None, drawn: Sequence[tuple[float, float]], seeds: int
) -> dict[str, Any]:
    """Means and standard deviations over the draws, and the numbers of draws used and left out."""
    aucs, accuracies = zip(*drawn, strict=True) if drawn else ((), ())
    return {
        "values": size,
        "method": method,
        "weight": weight,
        "roc_auc": _spread(aucs),
        "acc_pop": _spread(accuracies),
        "draws": len(drawn),
        "left_out": seeds - len(drawn),
    }


def _spread(numbers: Sequence[float]) -> dict[str, float | None]:
    return {
        "mean": round(fmean(numbers), 6) if numbers else None,
        "sd": round(stdev(numbers), 6) if len(numbers) > 1 else None,
    }


def _worth(values: WeighedValues, suspicion: NDArray[np.float64]) -> tuple[float, float]:
    """ROC-AUC, and ACC_pop at SIZES_FPR."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(values.sample.wrong, suspicion)), acc_at(values, suspicion, SIZES_FPR)
