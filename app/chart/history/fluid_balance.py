"""The fluid balance of a shift: what went in and what came out, from the values that are charted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from app.chart.cells import local_of
from app.chart.history.observations import Observation, numbers_in_unit, observations_of
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Fluid, Row


@dataclass(frozen=True, slots=True)
class FluidBalance:
    """The volumes from one moment to another, in mL.

    Attributes:
        start, end: by the ward's clock; the end of a whole shift belongs to the next one.
        intake, output: sums of what is charted.
        proposed_intake, proposed_output: sums of what nobody has decided on in the dictation under review.
        volumes: number of values in these sums.
        charted: number of those that are charted.
        uncounted: number of charted values that are no volume, such as `small amount`.
    """

    start: datetime
    end: datetime
    intake: float = 0.0
    output: float = 0.0
    proposed_intake: float = 0.0
    proposed_output: float = 0.0
    volumes: int = 0
    charted: int = 0
    uncounted: int = 0

    @property
    def net(self) -> float:
        return self.intake - self.output

    @property
    def empty(self) -> bool:
        return not (self.volumes or self.uncounted)


def shift_at(moment: datetime, starts: Sequence[time]) -> tuple[datetime, datetime]:
    """The shift in which a moment lies: its start and its end. `starts` are the times of day at which shifts begin."""
    around = [
        datetime.combine(moment.date() + timedelta(days=day), start) for day in (-1, 0, 1) for start in sorted(starts)
    ]
    begun = max(start for start in around if start <= moment)
    return begun, min(start for start in around if start > begun)


def fluid_balances(sheet: Sheet, starts: Sequence[time]) -> tuple[FluidBalance, ...]:
    """The balance of the latest shift up to the last that is known, and of the shift before it.

    Those without volumes are left out. The last that is known is the dictation, or what was charted after it.
    """
    now = local_of(max((sheet.column, *sheet.charted.columns[-1:])))
    begun, _ = shift_at(now, starts)
    before, _ = shift_at(begun - timedelta(minutes=1), starts)
    of_rows = observations_of(sheet)
    observed = [(row, row.fluid, one) for row in sheet.schema.rows if row.fluid for one in of_rows.get(row.id, ())]
    former = _balance(before, begun, [one for one in observed if before <= one[2].at < begun], sheet)
    latest = _balance(begun, now, [one for one in observed if begun <= one[2].at <= now], sheet)
    found = (former, latest)
    return tuple(one for one in found if not one.empty)


def _balance(
    start: datetime, end: datetime, observed: Sequence[tuple[Row, Fluid, Observation]], sheet: Sheet
) -> FluidBalance:
    sums: defaultdict[tuple[Fluid, bool], float] = defaultdict(float)
    volumes = charted = uncounted = 0
    for row, side, one in observed:
        rivals = one.value.id in sheet.conflicts and not one.charted  # would replace a volume rather than add one
        if rivals:
            continue
        milliliters = numbers_in_unit(row, one.value, "mL")
        if milliliters:
            sums[side, one.charted] += sum(milliliters)
            volumes += 1
            charted += one.charted
        elif one.charted:
            uncounted += 1
    return FluidBalance(
        start,
        end,
        intake=sums[Fluid.INTAKE, True],
        output=sums[Fluid.OUTPUT, True],
        proposed_intake=sums[Fluid.INTAKE, False],
        proposed_output=sums[Fluid.OUTPUT, False],
        volumes=volumes,
        charted=charted,
        uncounted=uncounted,
    )
