"""Spoken numbers in the unit that the chart keeps, and what had to be assumed for it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import DIMENSION_UNITS, convert, meant, unit_words
from extraction.flowsheet.validation import chart_unit
from extraction.flowsheet.values import Value
from extraction.language.numbers import numbers
from extraction.language.quantities import amounts, said_unit

NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)


def in_chart_unit(row: Row, value: Value, text: str, span: tuple[int, int] | None) -> tuple[Value, tuple[Finding, ...]]:
    """A spoken number in the chart's unit, and what had to be assumed for it; other values are unchanged.

    `span` are the characters of `text` that it was read from.
    """
    unit = chart_unit(row)
    if row.value_type not in NUMBERS or not isinstance(value, float) or unit is None:
        return value, ()
    said = unit_said(text, span)
    if said is None:
        return _in_assumed_unit(row, value, unit)
    said = meant(said, unit)
    try:
        converted = convert(value, said, unit)
    except ValueError:
        return value, (Finding("other_unit", (unit_words(said), unit_words(row.unit))),)
    others = (other for other in _units(row) if other != said and _is_plausible(row, convert(value, other, unit)))
    if _is_plausible(row, converted) is False and (other := next(others, None)):
        return convert(value, other, unit), (Finding("unit_contradicted", (unit_words(said), unit_words(other))),)
    return converted, ()


def _units(row: Row) -> Sequence[str]:
    """The units of what the row measures; none if it is no quantity."""
    return DIMENSION_UNITS.get(row.dimension or "", ())


def _is_plausible(row: Row, value: float) -> bool | None:
    """Whether the number lies in the row's plausible range; None if that is not known."""
    return None if row.minimum is None or row.maximum is None else row.minimum <= value <= row.maximum


def unit_said(text: str, span: tuple[int, int] | None) -> str | None:
    """The unit said after the number at the start of the span."""
    if span is None:
        return None
    said = text[span[0] : span[1]]
    for amount in amounts(said, numbers(said)):
        if (amount.start, amount.end) == (0, len(said)):
            return amount.unit
    for start in (match.start() for match in re.finditer(r"(?<=[\w\s-])[^\d\s.,-]|%|°", said)):
        unit, end = said_unit(said, start)
        if unit and end >= len(said):
            return unit
    return None


def _in_assumed_unit(row: Row, value: float, unit: str) -> tuple[float, tuple[Finding, ...]]:
    """A number without a unit is in the chart's unit, unless only another unit makes it plausible.

    A fraction of a percentage row whose range starts above 1 is a share: 0.4 becomes 40. A temperature that no unit
    makes plausible may have lost its point: 386 becomes 38.6.
    """
    if unit == "%" and 0 < value <= 1 < (row.minimum or 0) <= 100 * value:
        return round(100 * value, 2), (Finding("fraction_as_percent"),)
    if row.value_type is not ValueType.QUANTITY or row.minimum is None or row.maximum is None:
        return value, ()
    if _is_plausible(row, value):
        return value, (Finding("unit_assumed", (unit_words(row.unit),)),) if row.dimension != "volume" else ()
    for other in _units(row):
        converted = convert(value, other, unit)
        if other != unit and _is_plausible(row, converted):
            return converted, (Finding("unit_guessed", (unit_words(other),)),)
    for other in _units(row) if row.dimension == "temperature" else ():
        converted = convert(value / 10, other, unit)
        if _is_plausible(row, converted):
            taken = f"{value / 10:g} {unit_words(other)}"
            return converted, (Finding("point_guessed", (f"{value:g}", taken)),)
    return value, ()
