"""The numbers that a hospital usually charts in a row, for a question about a number outside of them."""

from __future__ import annotations

import math

from extraction.contract.row_history import NumberHistory, RowHistory
from extraction.flowsheet.schema import Interval

# With these, about 1 of 1,000 true numbers of other patients is asked about, see docs/contract.md.
_LEAST_VALUES, _LEAST_PATIENTS = 100, 20
_MARGIN = 0.5  # of the distance between the kept extremes, beyond each of them


def usual_intervals(history: RowHistory | None) -> tuple[Interval, ...]:
    """The usual numbers: one interval, or two for a blood pressure; empty where too few were charted to say."""
    numbers = history.numbers if history else ()
    if not all(one.count >= _LEAST_VALUES and one.patients >= _LEAST_PATIENTS for one in numbers):
        return ()
    return tuple(_interval(one) for one in numbers)


def _interval(numbers: NumberHistory) -> Interval:
    """A little more than what was charted, rounded outward: the next patient may have a more extreme number."""
    distance = numbers.highest - numbers.lowest or abs(numbers.highest) or 1.0
    step = 10.0 ** (math.floor(math.log10(distance)) - 1)
    low = math.floor((numbers.lowest - _MARGIN * distance) / step) * step
    high = math.ceil((numbers.highest + _MARGIN * distance) / step) * step
    if numbers.lowest >= 0:
        low = max(low, 0.0)
    return Interval(_plain(low), _plain(high))


def _plain(number: float) -> float:
    return float(f"{number:.6g}")
