"""The values of each row in a patient's chart, by time, and the trend of its numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from app.chart.cells import Cell, cell_of, column_of, differ
from app.chart.records import ChartEntry, ReviewedValue
from extraction.flowsheet.values import Value

_STEADY = 0.03  # share of the largest number below which a change does not count


@dataclass(frozen=True, slots=True)
class Charted:
    """Charted values of a patient.

    Attributes:
        columns: their times (UTC, to the minute), earliest first.
        rows: by row id, the values, earliest first. Several may have the same time.
    """

    columns: tuple[str, ...] = ()
    rows: Mapping[str, tuple[ChartEntry, ...]] = field(default_factory=dict)

    def of(self, row_id: str) -> tuple[ChartEntry, ...]:
        return self.rows.get(row_id, ())

    def at(self, row_id: str, column: str) -> tuple[ChartEntry, ...]:
        return tuple(one for one in self.of(row_id) if column_of(one) == column)

    def by_column(self) -> dict[str, list[ChartEntry]]:
        """The values of each column."""
        found: dict[str, list[ChartEntry]] = {column: [] for column in self.columns}
        for row in self.rows.values():
            for one in row:
                found[column_of(one)].append(one)
        return found

    def until(self, column: str) -> Charted:
        """The values up to a column, which is included."""
        return charted(one for row in self.rows.values() for one in row if column_of(one) <= column)


def charted(values: Iterable[ChartEntry]) -> Charted:
    """Arranges charted values; what several dictations say alike of one place is in it once."""
    cells: defaultdict[Cell, list[ChartEntry]] = defaultdict(list)
    rows: defaultdict[str, list[ChartEntry]] = defaultdict(list)
    for one in sorted(values, key=column_of):
        there = cells[cell_of(one)]
        if not any(_repeats(one.value, other.value) for other in there):
            there.append(one)
            rows[one.value.row_id].append(one)
    columns = {column_of(one) for row in rows.values() for one in row}
    return Charted(tuple(sorted(columns)), {row_id: tuple(row) for row_id, row in rows.items()})


def _repeats(one: ReviewedValue, other: ReviewedValue) -> bool:
    """Whether one dictation says of a place what another one says."""
    return one.dictation_id != other.dictation_id and not differ(one, other)


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
