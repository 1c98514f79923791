"""How numbers compare with those of a condition, which may be in another unit."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from app.asking.figures.amounts import converted, converted_difference
from extraction.questions.query import Aggregate, Comparison, Condition, Value


class UnitMisfit(Exception):
    """The number of a condition is in a unit that the values cannot be converted into."""


def limits_of(asked: Condition, unit: str | None) -> tuple[Decimal, ...]:
    """The numbers of a condition in the unit of the values. Raises UnitMisfit."""
    change = isinstance(asked.value, Value) and asked.value.aggregate in (Aggregate.CHANGE, Aggregate.TREND)
    convert = converted_difference if change else converted
    found = [convert(number, asked.unit, unit) if asked.unit else Decimal(repr(number)) for number in asked.numbers]
    if None in found:
        raise UnitMisfit(asked.unit)
    return tuple(number for number in found if number is not None)


def holds_for(comparison: Comparison, number: Decimal, wanted: Sequence[Decimal]) -> bool:
    """Whether a number compares so with those wanted."""
    match comparison:
        case Comparison.EQUAL:
            return number in wanted
        case Comparison.NOT_EQUAL:
            return number not in wanted
        case Comparison.BELOW:
            return number < wanted[0]
        case Comparison.AT_MOST:
            return number <= wanted[0]
        case Comparison.ABOVE:
            return number > wanted[0]
        case Comparison.AT_LEAST:
            return number >= wanted[0]
    return min(wanted) <= number <= max(wanted)


def could_hold(comparison: Comparison, low: Decimal, high: Decimal, wanted: Sequence[Decimal]) -> set[bool | None]:
    """What a comparison could be of a number between bounds."""
    found: set[bool | None] = {holds_for(comparison, low, wanted), holds_for(comparison, high, wanted)}
    inside = any(low <= number <= high for number in wanted)
    if inside and low < high and comparison in (Comparison.EQUAL, Comparison.NOT_EQUAL, Comparison.BETWEEN):
        found |= {True, False}
    return found
