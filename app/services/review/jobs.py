"""The jobs of the review: their subjects and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Literal

from app.chart.records import ChartEntry, Dictation, Filing, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.services.engine.job_lanes import Job, JobKind
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Value


@dataclass(frozen=True, slots=True)
class ReviewResult:
    """The values of a dictation after a review step, and their conflicts (see `Sheet`).

    Attributes:
        undone: ids of the values that an undo restored; None after any other step.
        reopened: filed dictations that the step reopened, because it changed what is charted of them.
    """

    dictation_id: int
    values: tuple[ReviewedValue, ...]
    can_undo: bool
    conflicts: Mapping[int, tuple[ChartEntry, ...]] = field(default_factory=dict)
    undone: tuple[int, ...] | None = None
    reopened: tuple[Dictation, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every value is decided."""
        return not any(value.status is ReviewStatus.PROPOSED for value in self.values)


class Command(Enum):
    """What a person may say instead of a value; the word itself."""

    ACCEPT = "accept"
    NEXT = "next"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class SpokenValue:
    """What a person said for a row.

    Attributes:
        said: the value that was read from the words, or the command that they are.
        words: the words.
    """

    row: Row
    said: Value | Command
    words: str


Decision = Literal["confirm", "reject", "reopen"]
ReviewJob = Job[int, ReviewResult]

# the subject is the dictation's id
SHEET = JobKind[int, Sheet]("sheet")
REVIEW = JobKind[int, ReviewResult]("review")
EXPORT = JobKind[int, list[Path]]("export")  # into files
FILE = JobKind[int, Filing | None]("file")  # None if it can be filed but no folder was given
REOPEN = JobKind[int, None]("reopen")  # a filed one

REVIEW_MONITOR = JobKind[None, None]("review monitor")  # sheets read afterwards consider the latest reviews
SPOKEN_VALUE = JobKind[str, SpokenValue]("spoken value", passing=True)  # for a row (its id); nothing is charted yet
