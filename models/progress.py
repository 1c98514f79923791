"""How a long stage reports, and how it is stopped, without knowing who watches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from models.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Progress:
    """One report of a running stage.

    Attributes:
        stage: `load`, `transcribe`, `segment`, `index`, `reduce`, `fill`, `learn`, `eval` or `install`.
        fraction: 0 to 1, or None where the length is not known.
        message: a few words for a person; for `transcribe`, the words heard so far in this step.
    """

    stage: str
    fraction: float | None
    message: str = ""


ProgressCallback = Callable[[Progress], None]
CancelledCallback = Callable[[], bool]


def ignore_progress(report: Progress) -> None:
    """The callback of a caller who does not watch."""


def never_cancelled() -> bool:
    """The callback of a caller who never stops the job."""
    return False


def stop_if(cancelled: CancelledCallback) -> None:
    """Raises Cancelled when the caller has asked to stop."""
    if cancelled():
        raise Cancelled
