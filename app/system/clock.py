"""The time as documents state it."""

from __future__ import annotations

from datetime import UTC, datetime


def utc_now() -> str:
    """Now, in UTC, ISO 8601 to the second: '2026-03-01T10:00:00Z'."""
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
