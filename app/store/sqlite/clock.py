"""Times as the database stores them."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    return stamp(datetime.now(UTC))


def stamp(at: datetime) -> str:
    """A time as stored: UTC in ISO 8601, with milliseconds."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds")
