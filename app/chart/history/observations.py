"""The values that the chart has and that the dictation under review adds, each once, in order of time."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from app.chart.cells import column_of, local_of
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.chart.trends import charted, numbers_in
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


def observations_of(sheet: Sheet) -> dict[str, list[Observation]]:
    """By row id, the values of the whole chart, earliest first, without rejected and replaced ones.

    What this dictation and another one say alike of one place counts once, charted if either is.
    """
    placed = [one for row in sheet.charted.rows.values() for one in row]
    placed += [
        one for one in sheet.placed if one.value.status is not ReviewStatus.REJECTED and one.value.replaced_by is None
    ]
    placed.sort(key=lambda one: not one.value.stands)
    found: dict[str, list[Observation]] = {}
    # by column, in UTC, so that an hour that occurs twice keeps its order
    for row_id, row in charted(placed).rows.items():
        found[row_id] = [Observation(local_of(column_of(one)), one.value, one.value.stands) for one in row]
    return found


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
