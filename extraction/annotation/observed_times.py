"""Compares the times of observation of proposals with those of annotated cases, where the cases give times.

Readings of a row are matched by value and time: as many values as possible, and of these as many at their time. A right
value at a wrong time is an error of its own kind, which the comparison of values alone does not count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from extraction.annotation.case_files import Case
from extraction.annotation.grading import Grader, Item, graded_items
from extraction.flowsheet.values import Value

Reading = tuple[
    str, Value, str
]  # row id, value, and when it was observed: 'HH:MM', or empty for the time of the dictation

_VALUE = 2  # a right value weighs more than a right time, which counts only with it


@dataclass(frozen=True, slots=True)
class TimedItem:
    """An annotated item with its time, and the time that was proposed for it; None without a proposal of its value.

    `several`: whether its row has several times in the case.
    """

    item: Item
    time: str
    proposed: str | None
    several: bool

    @property
    def is_at_wrong_time(self) -> bool:
        return self.proposed is not None and self.proposed != self.time


def gives_times(case: Case) -> bool:
    """Whether a case says of any of its values when it was observed."""
    return any(one.time for one in case.observations)


def timed_items(case: Case, proposed: Iterable[Reading], grader: Grader) -> list[TimedItem]:
    """The annotated items of a case, each with the time of the proposal that is matched to it."""
    from scipy.optimize import linear_sum_assignment

    said_at = f"{case.dictated_at:%H:%M}"
    gold = [
        (item, one.time or said_at, one.any_instance)
        for one in case.observations
        for item in graded_items(one.row_id, one.value)
    ]
    found = [(item, time or said_at) for row_id, value, time in proposed for item in graded_items(row_id, value)]
    weights = [
        [_VALUE + (time == at) if grader.fits(item, other, anywhere) else 0 for other, at in found]
        for item, time, anywhere in gold
    ]
    places = zip(*linear_sum_assignment(weights, maximize=True), strict=True) if gold and found else ()
    matched = {one: found[other][1] for one, other in places if weights[one][other]}
    times = Counter(row_id for row_id, _ in {(item[0], time) for item, time, _ in gold})
    return [TimedItem(item, time, matched.get(place), times[item[0]] > 1) for place, (item, time, _) in enumerate(gold)]


def time_figures(cases: Sequence[Sequence[TimedItem]]) -> dict[str, Any]:
    """How many values and times of annotated cases with times are right, over all and of rows with several times."""
    every = [one for case in cases for one in case]
    return {"cases": len(cases)} | _figures(every) | {"several": _figures([one for one in every if one.several])}


def _figures(found: Sequence[TimedItem]) -> dict[str, int]:
    return {
        "annotated": len(found),
        "values_right": sum(one.proposed is not None for one in found),
        "times_right": sum(one.proposed == one.time for one in found),
        "wrong_time": sum(one.is_at_wrong_time for one in found),
    }
