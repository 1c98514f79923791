"""Earlier values of each row in a patient's chart, and the trend of its numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.chart.cells import column_of
from app.chart.records import Placed
from extraction.flowsheet.values import Value

_STEADY = 0.03  # share of the largest number below which a change does not count


@dataclass(frozen=True, slots=True)
class Earlier:
    """Earlier assessments of a patient.

    Attributes:
        columns: their times (UTC, to the minute), earliest first.
        rows: by row id, the charted values, earliest first; for a column in several encounters, the last value.
    """

    columns: tuple[str, ...] = ()
    rows: dict[str, tuple[Placed, ...]] | None = None

    def of(self, row_id: str) -> tuple[Placed, ...]:
        return self.rows.get(row_id, ()) if self.rows else ()

    def at(self, row_id: str, column: str) -> Placed | None:
        return next((one for one in self.of(row_id) if column_of(one) == column), None)

    def by_column(self) -> dict[str, list[Placed]]:
        """The values of each column."""
        found: dict[str, list[Placed]] = {column: [] for column in self.columns}
        for row in (self.rows or {}).values():
            for one in row:
                found[column_of(one)].append(one)
        return found


def earlier(standing: Iterable[Placed], before: str) -> Earlier:
    """The charted values of a patient in columns before `before`."""
    rows: defaultdict[str, dict[str, Placed]] = defaultdict(dict)
    for one in standing:
        if column_of(one) < before:
            rows[one.value.row_id][column_of(one)] = one
    columns = sorted({column for row in rows.values() for column in row})
    return Earlier(
        tuple(columns), {row_id: tuple(row[column] for column in sorted(row)) for row_id, row in rows.items()}
    )


def numbers_in(value: Value) -> tuple[float, ...]:
    """The number of a value, or the two of a blood pressure; empty for anything else."""
    if isinstance(value, bool):
        return ()
    if isinstance(value, int | float):
        return (float(value),)
    parts = [part.strip() for part in value.split("/")] if isinstance(value, str) and value.count("/") == 1 else []
    return tuple(map(float, parts)) if parts and all(map(str.isdecimal, parts)) else ()


def number_in(value: Value) -> float | None:
    """The number to plot for a value: the value itself or the systolic blood pressure; None for anything else."""
    return next(iter(numbers_in(value)), None)


def direction(numbers: Sequence[float]) -> str:
    """The trend from first to last: `rising`, `falling`, `steady` or `varying`; empty for fewer than two numbers."""
    if len(numbers) < 2:
        return ""
    slack = _STEADY * max(abs(number) for number in numbers)
    steps = [after - before for before, after in pairwise(numbers)]
    up, down = any(step > slack for step in steps), any(step < -slack for step in steps)
    if up and down:
        return "varying"
    total = numbers[-1] - numbers[0]
    if abs(total) <= slack:
        return "steady"
    return "rising" if total > 0 else "falling"
