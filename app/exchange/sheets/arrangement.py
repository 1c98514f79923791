"""How values are arranged for people: by the ward's clock, by category, and by who signed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from app.chart.cells import local_of
from app.exchange.records import ExportRecord


def observed(record: ExportRecord) -> str:
    """When a value was observed, UTC in ISO 8601: the time that was said, else that of the dictation."""
    return record.observed_at or record.time


def clock_text(moment: str) -> str:
    """A moment (UTC) by the ward's clock, to the minute."""
    return f"{local_of(moment):%Y-%m-%d %H:%M}"


def clock_offset(moment: str) -> str:
    """How far the ward's clock is ahead of UTC at a moment, such as `+01:00`."""
    offset = datetime.fromisoformat(moment).astimezone().utcoffset() or timedelta()
    sign = "-" if offset < timedelta() else "+"
    minutes = abs(offset) // timedelta(minutes=1)
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}"


def by_category(records: Iterable[ExportRecord]) -> dict[str, list[ExportRecord]]:
    """The records of each category, by its name with ` > ` between its parts, both in the order given."""
    groups: dict[str, list[ExportRecord]] = {}
    for record in records:
        groups.setdefault(" > ".join(record.category), []).append(record)
    return groups


@dataclass(frozen=True, slots=True)
class Signature:
    """Who decided about values, about how many, and between which moments (UTC)."""

    reviewer: str
    values: int
    first: str
    last: str

    def __str__(self) -> str:
        first, last = clock_text(self.first), clock_text(self.last)
        count = "1 value" if self.values == 1 else f"{self.values} values"
        return f"{self.reviewer}, {count}, {first}" + (f" to {last}" if last != first else "")


def signatures(records: Sequence[ExportRecord]) -> list[Signature]:
    """Everyone who decided about one of the values, in the order of the values."""
    moments: dict[str, list[str]] = {}
    for record in records:
        moments.setdefault(record.reviewer, []).append(record.reviewed_at)
    return [Signature(reviewer, len(found), min(found), max(found)) for reviewer, found in moments.items()]
