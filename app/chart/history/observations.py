"""The values of a row that the chart has and that the dictation under review adds, each once, in order of time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from app.chart.cells import column_of, local_of
from app.chart.records import Placed, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.chart.trends import numbers_in
from extraction.flowsheet.schema import Row
from extraction.flowsheet.unit_conversion import convert, ucum


@dataclass(frozen=True, slots=True)
class Observation:
    """A value that is charted or proposed.

    Attributes:
        at: when it was observed, to the minute by the ward's clock.
        charted: whether a person accepted it; otherwise it is a proposal of the dictation under review.
    """

    at: datetime
    value: ReviewedValue
    charted: bool


def observations_of(sheet: Sheet, row: Row) -> list[Observation]:
    """The values of a row, earliest first, without rejected and replaced ones.

    What was charted before counts unless it is the dictation's own, or the dictation has a value in its place.
    """
    own = [
        Placed.of(value, sheet.dictation)
        for value in sheet.values
        if value.row_id == row.id and value.status is not ReviewStatus.REJECTED and value.replaced_by is None
    ]
    taken = {column_of(one) for one in own if one.value.stands}
    before = [
        one
        for one in sheet.earlier.of(row.id)
        if one.value.dictation_id != sheet.dictation.id and column_of(one) not in taken
    ]
    in_order = sorted((*before, *own), key=column_of)  # UTC, so that an hour that occurs twice keeps its order
    return [Observation(local_of(column_of(one)), one.value, one.value.stands) for one in in_order]


def numbers_in_unit(row: Row, value: ReviewedValue, unit: str | None) -> tuple[float, ...]:
    """The numbers of a value in a UCUM unit; empty if it has none, or one that cannot be converted."""
    numbers = numbers_in(value.value)
    said = value.unit or row.ucum or row.unit
    if said is None or said == unit:
        return numbers
    source = ucum(said) or said
    with suppress(ValueError):
        return tuple(convert(number, source, unit or "") for number in numbers)
    return ()
