"""The numbers of a patient's chart over time, for its graph."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from app.chart.history.observations import numbers_in_unit, observations_of
from app.chart.records import ReviewedValue
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import NUMBER_TYPES, Row
from extraction.flowsheet.validation import chart_unit

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
    """The rows with at least two values that are numbers, in the schema's order."""
    found, observed = [], observations_of(sheet)
    for row in sheet.schema.rows:
        if row.value_type in NUMBER_TYPES:
            points = tuple(
                Point(one.at, numbers, one.value, one.charted)
                for one in observed.get(row.id, ())
                if (numbers := numbers_in_unit(row, one.value, chart_unit(row)))
            )
            if len(points) >= _FEWEST:
                found.append(Curve(row, points))
    return tuple(found)
