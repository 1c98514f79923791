"""Progress reports and cancellation of long stages, independent of who observes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.base.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Progress:
    """A progress report of a running stage.

    Attributes:
        stage: `load`, `transcribe`, `index`, `reduce`, `fill`, `learn`, `eval`, `install` or
            `contract`.
        fraction: 0 to 1, or None if the total is unknown.
        message: a few words for a person; for `transcribe`, the words heard in this step.
    """

    stage: str
    fraction: float | None
    message: str = ""


ProgressCallback = Callable[[Progress], None]
CancelledCallback = Callable[[], bool]


def ignore_progress(report: Progress) -> None:
    """Ignores progress."""


def never_cancelled() -> bool:
    return False


def stop_if(cancelled: CancelledCallback) -> None:
    """Raises Cancelled if the caller has asked to stop."""
    if cancelled():
        raise Cancelled


@dataclass(frozen=True, slots=True)
class ProgressMonitor:
    """Who watches a long stage: `report` gets its progress, `cancelled` says whether it is to stop."""

    report: ProgressCallback = ignore_progress
    cancelled: CancelledCallback = never_cancelled


NOT_MONITORED = ProgressMonitor()
