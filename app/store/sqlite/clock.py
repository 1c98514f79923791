"""The time, as the database keeps it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    return stamp(datetime.now(UTC))


def stamp(at: datetime) -> str:
    """A time as the database keeps it."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
