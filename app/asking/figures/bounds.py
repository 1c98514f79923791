"""Between which bounds a number lies if values that were flagged are wrong: other than charted, or not there at all."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from extraction.questions.query import Aggregate


class Item(NamedTuple):
    """A number that is aggregated, its bounds, and whether it might not be there."""

    number: Decimal
    low: Decimal
    high: Decimal
    doubtful: bool = False


class Bounds(NamedTuple):
    """The lowest and the highest that an aggregate can be, and whether there might be none."""

    low: Decimal
    high: Decimal
    may_be_absent: bool = False


def bounds(aggregate: Aggregate, items: Sequence[Item]) -> Bounds:
    """The bounds of an aggregate of items, at least one, in order of time."""
    sure = [item for item in items if not item.doubtful]
    lows, highs = [item.low for item in items], [item.high for item in items]
    match aggregate:
        case Aggregate.SUM:
            low = sum((min(item.low, Decimal(0)) if item.doubtful else item.low for item in items), Decimal(0))
            high = sum((max(item.high, Decimal(0)) if item.doubtful else item.high for item in items), Decimal(0))
        case Aggregate.COUNT:
            low, high = Decimal(len(sure)), Decimal(len(items))
        case Aggregate.MEAN:
            low = _mean([item.low for item in sure], sorted(item.low for item in items if item.doubtful), lowest=True)
            doubtful = sorted((item.high for item in items if item.doubtful), reverse=True)
            high = _mean([item.high for item in sure], doubtful, lowest=False)
        case Aggregate.LOWEST:
            low, high = min(lows), min(item.high for item in sure) if sure else max(highs)
        case Aggregate.HIGHEST:
            low, high = max(item.low for item in sure) if sure else min(lows), max(highs)
        case Aggregate.CHANGE | Aggregate.TREND:
            first, last = _reached(items), _reached(items[::-1])
            low, high = last.low - first.high, last.high - first.low
            if len(sure) == len(items):
                low, high = items[-1].low - items[0].high, items[-1].high - items[0].low
            return Bounds(low, high, len(sure) < 2)
        case Aggregate.FIRST:
            return _reached(items)
        case _:
            return _reached(items[::-1])
    return Bounds(low, high, not sure)


def _reached(items: Iterable[Item]) -> Bounds:
    """What the first item can be: itself, and while it might not be there, the next one."""
    found: list[Item] = []
    for item in items:
        found.append(item)
        if not item.doubtful:
            break
    return Bounds(min(one.low for one in found), max(one.high for one in found), found[-1].doubtful)


def _mean(sure: Sequence[Decimal], doubtful: Sequence[Decimal], *, lowest: bool) -> Decimal:
    """The most extreme mean: doubtful numbers, the most extreme first, are taken as long as they move it further."""
    total, count = sum(sure, Decimal(0)), len(sure)
    for number in doubtful:
        if count and (number >= total / count if lowest else number <= total / count):
            break
        total, count = total + number, count + 1
    return total / count
