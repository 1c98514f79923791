"""The fluid balance of a shift: what went in and what came out, from the values that are charted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from app.chart.cells import column_of, local_of
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Fluid, Row
from extraction.flowsheet.unit_conversion import convert, ucum


@dataclass(frozen=True, slots=True)
class FluidBalance:
    """The volumes of one shift, in mL.

    Attributes:
        start, end: by the ward's clock; `end` belongs to the next shift.
        intake, output: sums of what is charted.
        proposed_intake, proposed_output: sums of what nobody has decided on in the dictation under review.
        uncounted: number of values that are no volume, such as `small amount`.
    """

    start: datetime
    end: datetime
    intake: float = 0.0
    output: float = 0.0
    proposed_intake: float = 0.0
    proposed_output: float = 0.0
    uncounted: int = 0

    @property
    def net(self) -> float:
        return self.intake - self.output

    @property
    def empty(self) -> bool:
        sums = (self.intake, self.output, self.proposed_intake, self.proposed_output)
        return not (any(sums) or self.uncounted)


def shift_at(moment: datetime, starts: Sequence[time]) -> tuple[datetime, datetime]:
    """The shift in which a moment lies: its start and its end. `starts` are the times of day at which shifts begin."""
    around = [
        datetime.combine(moment.date() + timedelta(days=day), start) for day in (-1, 0, 1) for start in sorted(starts)
    ]
    begun = max(start for start in around if start <= moment)
    return begun, min(start for start in around if start > begun)


def fluid_balances(sheet: Sheet, starts: Sequence[time]) -> tuple[FluidBalance, ...]:
    """The balance of the shift before that of the dictation, and of its own, without those that have no volumes."""
    begun, end = shift_at(local_of(sheet.dictation.created_at), starts)
    before, _ = shift_at(begun - timedelta(minutes=1), starts)
    volumes = list(_volumes(sheet))
    found = (_balance(start, stop, volumes) for start, stop in ((before, begun), (begun, end)))
    return tuple(one for one in found if not one.empty)


def _balance(
    start: datetime, end: datetime, volumes: Sequence[tuple[datetime, Fluid, ReviewedValue, float | None]]
) -> FluidBalance:
    sums: defaultdict[tuple[Fluid, bool], float] = defaultdict(float)
    uncounted = 0
    for at, side, value, volume in volumes:
        if not start <= at < end:
            continue
        if volume is None:
            uncounted += 1
        else:
            sums[side, value.stands] += volume
    return FluidBalance(
        start,
        end,
        intake=sums[Fluid.INTAKE, True],
        output=sums[Fluid.OUTPUT, True],
        proposed_intake=sums[Fluid.INTAKE, False],
        proposed_output=sums[Fluid.OUTPUT, False],
        uncounted=uncounted,
    )


def _volumes(sheet: Sheet) -> Iterator[tuple[datetime, Fluid, ReviewedValue, float | None]]:
    """The volumes of the chart and of the dictation: when, which side, the value, and its mL (None for no volume)."""
    assessed = local_of(sheet.dictation.created_at)
    for row in sheet.schema.rows:
        if row.fluid is None:
            continue
        for placed in sheet.earlier.of(row.id):
            at = local_of(column_of(placed))
            yield at, row.fluid, placed.value, _milliliters(row, placed.value)
        for value in sheet.values:
            if value.row_id == row.id and (value.stands or value.status is ReviewStatus.PROPOSED):
                at = datetime.fromisoformat(value.observed_at) if value.observed_at else assessed
                yield at, row.fluid, value, _milliliters(row, value)


def _milliliters(row: Row, value: ReviewedValue) -> float | None:
    unit = ucum(value.unit or row.ucum or row.unit or "")
    if unit is None or isinstance(value.value, bool) or not isinstance(value.value, int | float):
        return None
    with suppress(ValueError):
        return convert(float(value.value), unit, "mL")
    return None
