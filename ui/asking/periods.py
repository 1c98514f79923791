"""Periods that are offered in place of that of a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time, timedelta

from extraction.questions.query import ALWAYS, Window

_LENGTHS = (1, 4, 8, 12, 24, 48)  # hours


def periods(now: datetime, shifts: Sequence[time]) -> Iterator[Window]:
    """The periods that a question can be changed to, by the clock of its answer."""
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    yield ALWAYS
    for hours in _LENGTHS:
        words = "last hour" if hours == 1 else f"last {hours} hours"
        yield Window(now - timedelta(hours=hours), None, words)
    starts = _shift_starts(now, shifts)
    if starts:
        yield Window(starts[0], None, "this shift")
    if len(starts) > 1:
        yield Window(starts[1], starts[0], "last shift")
    yield Window(midnight, None, "since midnight")
    yield Window(midnight - timedelta(days=1), midnight, "yesterday")
    yield Window(now - timedelta(days=7), None, "last 7 days")


def _shift_starts(now: datetime, shifts: Sequence[time]) -> list[datetime]:
    """When the shifts up to now began, latest first."""
    days = [now.date() - timedelta(days=back) for back in range(3)]
    return sorted((at for day in days for one in shifts if (at := datetime.combine(day, one)) <= now), reverse=True)
