"""The numbers of a patient's chart over time, for its graph."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from app.chart.cells import column_of, local_of
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.chart.trends import numbers_in
from extraction.flowsheet.schema import NUMBER_TYPES, Row
from extraction.flowsheet.unit_conversion import convert, ucum

_FEWEST = 2  # points of a curve


@dataclass(frozen=True, slots=True)
class Point:
    """A value of a curve.

    Attributes:
        at: when it was observed, by the ward's clock.
        numbers: in the row's unit: one, or the two of a blood pressure.
        charted: whether a person accepted it; otherwise it is a proposal of the dictation under review.
    """

    at: datetime
    numbers: tuple[float, ...]
    value: ReviewedValue
    charted: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """The values of a row, earliest first."""

    row: Row
    points: tuple[Point, ...]


def curves_of(sheet: Sheet) -> tuple[Curve, ...]:
    """The rows with at least two values that are numbers, in the schema's order; rejected values are left out."""
    found = []
    for row in sheet.schema.rows:
        if row.value_type not in NUMBER_TYPES:
            continue
        placed = [(local_of(column_of(one)), one.value) for one in sheet.earlier.of(row.id)]
        assessed = local_of(sheet.dictation.created_at)
        for value in sheet.values:
            if value.row_id == row.id and value.status is not ReviewStatus.REJECTED and value.replaced_by is None:
                at = datetime.fromisoformat(value.observed_at) if value.observed_at else assessed
                placed.append((at, value))
        points = [
            Point(at, numbers, value, value.stands)
            for at, value in sorted(placed, key=lambda one: one[0])
            if (numbers := _numbers_of(row, value))
        ]
        if len(points) >= _FEWEST:
            found.append(Curve(row, tuple(points)))
    return tuple(found)


def _numbers_of(row: Row, value: ReviewedValue) -> tuple[float, ...]:
    """The numbers of a value in the row's unit; empty if it has none, or in a unit that cannot be converted."""
    numbers = numbers_in(value.value)
    source, target = ucum(value.unit or ""), row.ucum or ucum(row.unit or "")
    if source is None or target is None or source == target:
        return numbers
    with suppress(ValueError):
        return tuple(convert(number, source, target) for number in numbers)
    return ()
