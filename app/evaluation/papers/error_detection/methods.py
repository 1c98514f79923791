"""Which values each error detection method lights, and how good that is (ReDD, sections 3.3 to 4.2, Eq. 16 and 17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from app.evaluation.papers.error_detection.detectors import IndivConformal, conflict_filter, majority_vote
from app.evaluation.papers.error_detection.values import WeighedValues
from extraction.estimators.calibration import Sample
from extraction.estimators.conformal import Scape, wrong_needed
from extraction.learning.fit import Fitted
from models.base.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

EQUAL_FPR = (0.05, 0.1, 0.2)
# All values that were read, as in the paper, or only those that a nurse sees. Methods are calibrated for each scope.
SCOPES = ("filled", "proposals")
_RESAMPLES = 2_000
_SEED = 20260101
# Alphas close enough together to rank values by when they are lit.
_FINE = np.linspace(0.995, 0.005, 199)


@dataclass(frozen=True)
class Method:
    """A calibrated error detection method, applied to the values of the cases.

    Attributes:
        suspicion: shape (values,); values with higher suspicion are lit first.
        lights: for each setting (of `alpha`, of `conflicts`, or none), which values are lit, shape (values,).
        weight: of disagreement; None if the method does not use it.
        wrong: number of wrong values that its threshold is based on; None if the method is not calibrated.
    """

    name: str
    suspicion: NDArray[np.float64]
    lights: tuple[tuple[dict[str, float], NDArray[np.bool_]], ...]
    weight: float | None = None
    wrong: int | None = None


# separation of right and wrong values


def separation(values: WeighedValues, bare: NDArray[np.float64]) -> dict[str, Any]:
    """ROC-AUC of several scores for finding wrong values, and how much hidden states add to that of the acceptance.

    Args:
        bare: confidence in the same values by an acceptance without hidden states, shape (values,).
    """
    from sklearn.metrics import roc_auc_score

    sample = values.sample
    suspicions = {
        "layers": sample.errors.mean(axis=1),
        "acceptance": 1 - values.confidence,
        "acceptance_without_states": 1 - bare,
        "log_probability": -values.log_probability,
    }
    aucs = {name: float(roc_auc_score(sample.wrong, suspicion)) for name, suspicion in suspicions.items()}
    resamples = _Resamples(sample.case)
    resampled = {name: resamples.auc(suspicions[name], sample.wrong) for name in aucs if "acceptance" in name}
    differences = resampled["acceptance"] - resampled["acceptance_without_states"]
    low, high = np.nanquantile(differences, (0.025, 0.975))
    difference = aucs["acceptance"] - aucs["acceptance_without_states"]
    interval = {"difference": difference, "low": float(low), "high": float(high)}
    return {
        "roc_auc": {name: round(auc, 6) for name, auc in aucs.items()},
        "states_add": {name: round(value, 6) for name, value in interval.items()} | {"resamples": _RESAMPLES},
    }


class _Resamples:
    """Bootstrap resamples of the cases; the values of a case stay together."""

    def __init__(self, case: NDArray[np.int64]) -> None:
        _, self._place = np.unique(case, return_inverse=True)
        self._count = int(self._place.max()) + 1
        shares = np.full(self._count, 1 / self._count)
        self._weights = np.random.default_rng(_SEED).multinomial(self._count, shares, _RESAMPLES)

    def share(self, which: NDArray[np.bool_], among: NDArray[np.bool_]) -> NDArray[np.float64]:
        """In each resample, the share of `among` that is also in `which`; NaN if `among` is empty."""
        return _divided(self._weights @ self._by_case(which & among), self._weights @ self._by_case(among))

    def auc(self, suspicion: NDArray[np.float64], wrong: NDArray[np.bool_]) -> NDArray[np.float64]:
        """In each resample, the ROC-AUC: the share of pairs of a wrong and a right value that are in right order."""
        right = suspicion[~wrong]
        pairs = np.zeros(
            (self._count, self._count)
        )  # number in the right order, by the case of the wrong and of the right value
        for number in range(self._count):
            own = suspicion[wrong & (self._place == number)][:, None]
            below = (own > right).sum(axis=0) + 0.5 * (own == right).sum(axis=0)
            pairs[number] = np.bincount(self._place[~wrong], below, minlength=self._count)
        in_order = ((self._weights @ pairs) * self._weights).sum(axis=1)
        return _divided(in_order, (self._weights @ self._by_case(wrong)) * (self._weights @ self._by_case(~wrong)))

    def _by_case(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        return np.bincount(self._place, which, minlength=self._count).astype(np.float64)


def _divided(above: NDArray[np.float64], below: NDArray[np.float64]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = np.divide(above, below, out=np.full(len(above), np.nan), where=below > 0)
    return shares


# the methods


def methods(
    calibration: Fitted | WeighedValues,
    values: WeighedValues,
    alphas: Sequence[float],
    weights: Sequence[float],
) -> dict[str, list[Method]]:
    """By scope, every method, calibrated on the values of `calibration` in this scope and applied to all `values`.

    Without the scope of the proposals if the calibration has too few right or wrong ones, see `Scape.fit`. Raises
    InputError if all its values together are too few.
    """
    filled, proposals = _scopes(calibration.sample).items()
    found = {filled[0]: _calibrated(calibration, filled[1], values, alphas, weights)}
    with suppress(InputError):
        found[proposals[0]] = _calibrated(calibration, proposals[1], values, alphas, weights)
    return found


def _scopes(sample: Sample) -> dict[str, NDArray[np.bool_]]:
    """By scope, whether each value of the sample is in it."""
    return dict(zip(SCOPES, (np.ones(len(sample.wrong), dtype=bool), sample.proposed), strict=True))


def _calibrated(
    calibration: Fitted | WeighedValues,
    among: NDArray[np.bool_],
    values: WeighedValues,
    alphas: Sequence[float],
    weights: Sequence[float],
) -> list[Method]:
    errors, known = values.sample.errors, calibration.sample.only(among)
    majority = majority_vote(errors)
    filters = [conflict_filter(errors, conflicts) for conflicts in range(1, errors.shape[1] // 2 + 1)]
    by_conflicts = tuple(({"conflicts": float(place)}, lit) for place, lit in enumerate(filters, 1))
    found = [
        Method("MV", majority.astype(np.float64), (({}, majority),)),
        # Filters with fewer conflicts light more: the more filters light a value, the more suspicious it is.
        Method("CF", _how_often([majority, *filters]), by_conflicts),
        _layer_by_layer("IndivConformal", known.errors, known.wrong, errors, alphas),
    ]
    for weight in (0.0, *weights):
        scape = scape_of(known, weight)
        lights = tuple(({"alpha": alpha}, scape.lit(errors, alpha)) for alpha in alphas)
        suspicion = -scape.rank(errors).astype(np.float64)
        found.append(Method(named(weight), suspicion, lights, weight or None, len(scape.ranks)))
    # Their thresholds are set as for a layer: on the wrong values of the calibration.
    for name, before, now in (
        ("acceptance", 1 - calibration.confidence[among], 1 - values.confidence),
        ("log-probability", -calibration.log_probability[among], -values.log_probability),
    ):
        found.append(_layer_by_layer(name, before[:, None], known.wrong, now[:, None], alphas))
    return found


def _layer_by_layer(
    name: str,
    known: NDArray[np.float64],
    wrong: NDArray[np.bool_],
    errors: NDArray[np.float64],
    alphas: Sequence[float],
) -> Method:
    """Split conformal prediction over one or more layers."""
    detector = IndivConformal.fit(known, wrong)
    one = errors.shape[1] == 1
    suspicion = errors[:, 0] if one else _how_often([detector.lit(errors, alpha) for alpha in _FINE])
    lights = tuple(({"alpha": alpha}, detector.lit(errors, alpha)) for alpha in alphas)
    return Method(name, suspicion, lights, wrong=len(detector.wrong))


def _how_often(lights: Sequence[NDArray[np.bool_]]) -> NDArray[np.float64]:
    """By how many of the lights each value is lit, shape (values,)."""
    return np.asarray(np.sum(lights, axis=0), dtype=np.float64)


def scape_of(sample: Sample, weight: float) -> Scape:
    """As `Scape.fit`; the error names the option of the command."""
    try:
        return Scape.fit(sample.errors, sample.wrong, sample.case, weight)
    except InputError as error:
        raise InputError(error.what, "Name more examples with --examples.") from error


def named(weight: float) -> str:
    return "SCAPE-Hyb" if weight else "SCAPE"


def lines(calibrated: Mapping[str, Sequence[Method]], values: WeighedValues) -> list[dict[str, Any]]:
    """The figures of each method and setting in each scope.

    With an alpha, `enough` says whether there were enough wrong values to guarantee it (otherwise everything is lit),
    and `kept` whether the lit share of the wrong values reaches 1 - alpha, within three standard errors.
    """
    resamples, scopes = _Resamples(values.sample.case), _scopes(values.sample)
    found = []
    for each in zip(*calibrated.values(), strict=True):  # one method in each scope
        for lights in zip(*(method.lights for method in each), strict=True):  # one setting in each scope
            choice = lights[0][0]
            line: dict[str, Any] = {"method": each[0].name, "weight": each[0].weight, "alpha": None, "conflicts": None}
            line |= choice
            for scope, method, (_, lit) in zip(calibrated, each, lights, strict=True):
                promise = _promise(method, choice.get("alpha"), lit, scopes[scope], values, resamples)
                line[scope] = figures(values, lit, scopes[scope]) | promise
            found.append(line)
    return found


def figures(values: WeighedValues, lit: NDArray[np.bool_], among: NDArray[np.bool_]) -> dict[str, float | None]:
    """The figures of the lights for the values in `among`; None for a share of nothing.

    `flagged`: share that is lit. `fpr_pop`: lit share of the right values (Eq. 17). `coverage`: lit share of the wrong
    values. `unlit_wrong`: wrong share of the unlit values. `acc_pop`: share of the gold's items that is right when lit
    values are corrected (Eq. 16; items that were never read stay missing), `acc_pop_before` when nothing is corrected.
    `acc_pop_extra`: `acc_pop`, less one item for each wrong unlit value that the gold has nothing for.
    """
    wrong, gain = values.sample.wrong, values.corrected - values.found
    before = values.found[among].sum() / values.gold
    after = before + gain[among & lit].sum() / values.gold
    extra = (among & wrong & ~lit & (values.corrected == 0)).sum() / values.gold
    shares = {
        "flagged": _share(lit, among),
        "fpr_pop": _share(lit, among & ~wrong),
        "coverage": _share(lit, among & wrong),
        "unlit_wrong": _share(wrong, among & ~lit),
    }
    accuracies = {"acc_pop_before": before, "acc_pop": after, "acc_pop_extra": after - extra}
    return shares | {name: round(float(value), 6) for name, value in accuracies.items()}


def _share(which: NDArray[np.bool_], among: NDArray[np.bool_]) -> float | None:
    return round(float(which[among].mean()), 6) if among.any() else None


def _promise(
    method: Method,
    alpha: float | None,
    lit: NDArray[np.bool_],
    among: NDArray[np.bool_],
    values: WeighedValues,
    resamples: _Resamples,
) -> dict[str, Any]:
    if alpha is None or method.wrong is None:
        return {"standard_error": None, "enough": None, "kept": None}
    wrong = values.sample.wrong & among
    if not wrong.any():
        return {"standard_error": None, "enough": method.wrong >= wrong_needed(alpha), "kept": None}
    # Values of a case are correlated, which the binomial error ignores; if nearly all are lit, resamples barely vary.
    binomial = np.sqrt(alpha * (1 - alpha) / wrong.sum())
    error = max(float(np.nanstd(resamples.share(lit, wrong))), float(binomial))
    kept = bool(lit[wrong].mean() >= 1 - alpha - 3 * error)
    return {"standard_error": round(error, 6), "enough": method.wrong >= wrong_needed(alpha), "kept": kept}


def at_equal_fpr(calibrated: Mapping[str, Sequence[Method]], values: WeighedValues) -> list[dict[str, Any]]:
    """ACC_pop of each method at each FPR_pop of EQUAL_FPR (Figure 2), interpolated between its possible thresholds."""
    scopes = _scopes(values.sample)
    found = []
    for each in zip(*calibrated.values(), strict=True):
        line: dict[str, Any] = {"method": each[0].name, "weight": each[0].weight}
        for scope, method in zip(calibrated, each, strict=True):
            line[scope] = {str(fpr): acc_at(values, method.suspicion, fpr, scopes[scope]) for fpr in EQUAL_FPR}
        found.append(line)
    return found


def trade_off(
    values: WeighedValues, suspicion: NDArray[np.float64], among: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """FPR_pop and ACC_pop, both increasing, as values are lit in order of suspicion, from none to all."""
    ranked = suspicion[among]
    order = np.argsort(-ranked, kind="stable")
    ranked = ranked[order]
    last_of_equals = np.append(ranked[:-1] != ranked[1:], np.ones(min(len(ranked), 1), dtype=bool))
    right = np.cumsum(~values.sample.wrong[among][order])[last_of_equals]
    gain = np.cumsum((values.corrected - values.found)[among][order])[last_of_equals]
    fpr = np.append(0.0, right / max(int((~values.sample.wrong[among]).sum()), 1))
    return fpr, (values.found[among].sum() + np.append(0, gain)) / values.gold


def acc_at(
    values: WeighedValues, suspicion: NDArray[np.float64], fpr: float, among: NDArray[np.bool_] | None = None
) -> float:
    every = np.ones(len(values.found), dtype=bool)
    return round(float(np.interp(fpr, *trade_off(values, suspicion, every if among is None else among))), 6)
