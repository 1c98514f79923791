"""The jobs around a handover: their subjects and results."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.chart.gaps.gaps import Gap
from app.chart.gaps.habits import ChartingHabits
from app.chart.handover.page import Handover
from app.chart.note.note import Note
from app.services.engine.job_lanes import JobKind


@dataclass(frozen=True, slots=True)
class FoundGaps:
    """The rows that a dictation lacks.

    Attributes:
        habits: what the ward's filed dictations chart.
        dismissed: ids of the rows that are dismissed, in the order of dismissal.
        now: when they were found, UTC in ISO 8601.
    """

    gaps: tuple[Gap, ...]
    habits: ChartingHabits
    dismissed: tuple[str, ...]
    now: str


# the subject is the dictation's id
GAPS = JobKind[int, FoundGaps]("gaps")
DISMISS = JobKind[int, None]("dismiss a row")
NOTE = JobKind[int, Note]("note")
NOTE_FILE = JobKind[int, Path]("note as text")

# the subject is the patient's id
HANDOVER = JobKind[int, Handover]("handover")
WRITE = JobKind[int, None]("write a handover")

WARD = JobKind[None, tuple[Handover, ...]]("handover of the ward")
PDF = JobKind[None, Path]("handover as PDF")
