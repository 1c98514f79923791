"""What a patient's chart holds of each row from earlier assessments, and where its numbers go."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from app.chart.cells import column_of
from app.chart.records import Placed
from extraction.flowsheet.values import Value

_STEADY = 0.03  # of the largest number: a change of less is none


@dataclass(frozen=True, slots=True)
class Earlier:
    """Earlier assessments of a patient.

    Attributes:
        columns: their times (UTC, to the minute), the earliest first.
        rows: by row id what stands there, the earliest first; of a column with several encounters the last.
    """

    columns: tuple[str, ...] = ()
    rows: dict[str, tuple[Placed, ...]] | None = None

    def of(self, row_id: str) -> tuple[Placed, ...]:
        return self.rows.get(row_id, ()) if self.rows else ()

    def at(self, row_id: str, column: str) -> Placed | None:
        return next((one for one in self.of(row_id) if column_of(one) == column), None)


def earlier(standing: Iterable[Placed], before: str) -> Earlier:
    """What stands in columns before this one, out of all that stands in a patient's chart."""
    rows: defaultdict[str, dict[str, Placed]] = defaultdict(dict)
    for one in standing:
        if column_of(one) < before:
            rows[one.value.row_id][column_of(one)] = one
    columns = sorted({column for row in rows.values() for column in row})
    return Earlier(
        tuple(columns), {row_id: tuple(row[column] for column in sorted(row)) for row_id, row in rows.items()}
    )


def number_in(value: Value) -> float | None:
    """The number of a value that can be drawn: itself, or a blood pressure's systolic one; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    systolic = value.partition("/")[0].strip() if isinstance(value, str) and value.count("/") == 1 else ""
    return float(systolic) if systolic.isdecimal() else None


def direction(numbers: Sequence[float]) -> str:
    """Where numbers go from the first to the last: `rising`, `falling`, `steady`, or `varying` for up and down."""
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
