"""Compares predictions with annotated cases by SYNUR's rules.

An item is one value of one row; a multi-select counts once per option. Rows are compared by id, numbers as floats,
texts exactly; Fahrenheit equals F and Celsius equals C. If both gold and predictions are empty, precision, recall and
F1 are 1; if only one of them is, they are 0.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Any

from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Item = tuple[str, str]  # row id, and the value in the form of `comparable`

# Kinds of error. The first four are gold items that were missed, the last two predicted items that the gold lacks.
ERRORS = {
    "not_retrieved": "the row was not among those asked",
    "not_mentioned": "the row was asked, and no value was read",
    "held_back": "the right value was read, but held back",
    "wrong_value": "the row was asked, and another value was read",
    "extra_value": "predicted: the gold has the row, with another value",
    "spurious_row": "predicted: the gold does not have the row at all",
}
_TEMPERATURE = {"fahrenheit": "F", "celsius": "C"}
_RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of items found, wrongly predicted, and missed."""

    true_positives: int = 0
    false_positives: int = 0
    false_negatives: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.true_positives + other.true_positives,
            self.false_positives + other.false_positives,
            self.false_negatives + other.false_negatives,
        )

    @property
    def gold(self) -> int:
        return self.true_positives + self.false_negatives

    @property
    def predicted(self) -> int:
        return self.true_positives + self.false_positives

    @property
    def precision(self) -> float:
        return self._share(self.predicted)

    @property
    def recall(self) -> float:
        return self._share(self.gold)

    @property
    def f1(self) -> float:
        return self._share((self.gold + self.predicted) / 2)

    def _share(self, of: float) -> float:
        if of:
            return self.true_positives / of
        return 0.0 if self.gold or self.predicted else 1.0

    def to_json(self) -> dict[str, float]:
        """Precision, recall and F1 with the underlying numbers of items."""
        shares = {"precision": self.precision, "recall": self.recall, "f1": self.f1}
        return {name: round(share, 6) for name, share in shares.items()} | {
            "gold": self.gold,
            "predicted": self.predicted,
        }


@dataclass(frozen=True, slots=True)
class Scored:
    """The prediction for one case with its gold.

    Attributes:
        held_back: items that were read but not proposed.
        asked: ids of the rows of the reduced schema.
    """

    case_id: str
    gold: frozenset[Item]
    predicted: frozenset[Item]
    held_back: frozenset[Item] = frozenset()
    asked: frozenset[str] = frozenset()

    @property
    def true_positives(self) -> frozenset[Item]:
        return self.gold & self.predicted

    @property
    def false_positives(self) -> frozenset[Item]:
        return self.predicted - self.gold

    @property
    def false_negatives(self) -> frozenset[Item]:
        return self.gold - self.predicted

    @property
    def counts(self) -> Counts:
        return Counts(len(self.true_positives), len(self.false_positives), len(self.false_negatives))


def items(row_id: str, value: Value) -> frozenset[Item]:
    """One item per value, or per option of a multi-select."""
    parts = value if isinstance(value, tuple) else (value,)
    return frozenset((row_id, comparable(part)) for part in parts)


def all_items(values: Iterable[tuple[str, Value]]) -> frozenset[Item]:
    """The items of several values, each given with its row id."""
    return frozenset(item for row_id, value in values for item in items(row_id, value))


def comparable(value: str | float | bool) -> str:
    """A single value as text, equal for equal values."""
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, str):
        return _TEMPERATURE.get(value.casefold(), value)
    return repr(float(value) + 0.0)  # minus zero becomes zero


def equal_values(one: Value, other: Value, tolerance: float) -> bool:
    """Whether two values of a row are equal: texts whatever their case, numbers within a tolerance."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, abs_tol=tolerance)
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    return one == other


def metrics(scored: Sequence[Scored], schema: Schema) -> dict[str, Any]:
    """Precision, recall and F1, overall and by group, with error counts.

    `micro` is over all items, `macro_f1` the mean over the rows that occur in gold or predictions, `case_f1_mean` the
    mean over cases; `errors` counts items by the kinds in ERRORS.
    """
    by_row = _grouped(scored, lambda row_id: row_id)
    by_type = _grouped(scored, lambda row_id: schema.row(row_id).value_type.value)
    by_category = _grouped(scored, lambda row_id: " / ".join(schema.row(row_id).category))
    found: Counter[str] = Counter(kind for case in scored for kind, _ in errors(case, schema))
    return {
        "micro": _total(scored).to_json(),
        "macro_f1": _mean_f1(by_row.values()),
        "case_f1_mean": _mean_f1(case.counts for case in scored),
        "by_value_type": {name: counts.to_json() for name, counts in sorted(by_type.items())},
        "by_category": {name: counts.to_json() for name, counts in sorted(by_category.items())},
        "errors": {kind: found[kind] for kind in ERRORS},
    }


def errors(case: Scored, schema: Schema) -> Iterator[tuple[str, Item]]:
    """Every missed and every wrongly predicted item of a case with its kind, one of ERRORS.

    A unit row is never asked itself: it counts as asked if the row of its number was.
    """
    read = {row_id for row_id, _ in case.predicted | case.held_back}
    rows_of_gold = {row_id for row_id, _ in case.gold}
    for item in sorted(case.false_negatives):
        row_id = item[0]
        if row_id not in read and (schema.row(row_id).unit_of or row_id) not in case.asked:
            yield "not_retrieved", item
        elif item in case.held_back:
            yield "held_back", item
        else:
            yield "wrong_value" if row_id in read else "not_mentioned", item
    for item in sorted(case.false_positives):
        yield "extra_value" if item[0] in rows_of_gold else "spurious_row", item


def precision_recall(readings: Sequence[tuple[float, bool]], gold: int) -> list[tuple[float, float, float]]:
    """Threshold, precision and recall at every threshold, in ascending order.

    Args:
        readings: confidence of every item read, proposed or not, and whether it is right.
        gold: number of items to find; those never read count as missed at every threshold.
    """
    found = sum(right for _, right in readings)
    if not found:
        return []
    from sklearn.metrics import precision_recall_curve

    precision, recall, thresholds = precision_recall_curve(
        [right for _, right in readings], [confidence for confidence, _ in readings]
    )
    # The last point of the curve is the convention "nothing proposed, precision 1" and has no threshold.
    return [
        (float(threshold), float(p), float(r) * found / gold)
        for threshold, p, r in zip(thresholds, precision[:-1], recall[:-1], strict=True)
    ]


def signed_rank_p(one: Sequence[float], other: Sequence[float]) -> float:
    """Two-sided p of the Wilcoxon signed-rank test over pairs; 1.0 if no pair differs.

    Pairs without a difference are ranked too (Pratt): they are evidence against a difference and must not be dropped.
    """
    differences = [round(b - a, 9) for a, b in zip(one, other, strict=True)]
    if not any(differences):
        return 1.0
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences, zero_method="pratt").pvalue)


def f1_difference(one: Sequence[Counts], other: Sequence[Counts], *, seed: int = 0) -> tuple[float, float, float]:
    """Micro-F1 of `other` minus that of `one`, with a 95 % percentile-bootstrap interval over resampled cases.

    Both must count the same cases in the same order; each resample uses the same cases for both.
    """
    import numpy as np

    weights = np.random.default_rng(seed).multinomial(len(one), np.full(len(one), 1 / len(one)), _RESAMPLES)
    low, high = np.quantile(_resampled_f1(other, weights) - _resampled_f1(one, weights), (0.025, 0.975))
    return sum(other, Counts()).f1 - sum(one, Counts()).f1, float(low), float(high)


def _resampled_f1(counts: Sequence[Counts], weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """Micro-F1 of each resample; `weights` has shape (resamples, cases)."""
    import numpy as np

    found = weights @ np.array([case.true_positives for case in counts])
    half = weights @ np.array([(case.gold + case.predicted) / 2 for case in counts])
    f1: NDArray[np.float64] = np.divide(found, half, out=np.ones(len(weights)), where=half > 0)
    return f1


def _total(scored: Iterable[Scored]) -> Counts:
    return sum((case.counts for case in scored), Counts())


def _mean_f1(groups: Iterable[Counts]) -> float:
    return round(fmean([counts.f1 for counts in groups] or [1.0]), 6)


def _grouped(scored: Iterable[Scored], group_of: Callable[[str], Hashable]) -> dict[Any, Counts]:
    """The counts for each group of rows."""
    groups: defaultdict[Hashable, Counts] = defaultdict(Counts)
    for case in scored:
        for found, counts in (
            (case.true_positives, Counts(true_positives=1)),
            (case.false_positives, Counts(false_positives=1)),
            (case.false_negatives, Counts(false_negatives=1)),
        ):
            for row_id, _ in found:
                groups[group_of(row_id)] += counts
    return dict(groups)
