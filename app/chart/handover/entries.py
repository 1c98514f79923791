"""What nurses write for a handover, as it is kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How ill a patient is, as a nurse judges it; the first letter of I-PASS."""

    STABLE = "stable"
    WATCHER = "watcher"
    UNSTABLE = "unstable"


# The parts that a person writes, by the name that they are kept under.
SEVERITY, ISSUES, TO_DO, IF_THEN = "severity", "issues", "to_do", "if_then"
TYPED = {ISSUES: "Active issues", TO_DO: "To do", IF_THEN: "If … then …"}


@dataclass(frozen=True, slots=True)
class HandoverEntry:
    """What a person wrote, or chose: empty if it was taken back. `written_at` is UTC in ISO 8601."""

    content: str
    reviewer: str
    written_at: str
