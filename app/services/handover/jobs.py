"""The jobs around a handover: their subjects and results."""

from __future__ import annotations

from pathlib import Path

from app.chart.gaps.gaps import Gap
from app.chart.handover.page import Handover
from app.services.engine.job_lanes import JobKind

# the subject is the dictation's id
GAPS = JobKind[int, tuple[Gap, ...]]("gaps")
DISMISS = JobKind[int, tuple[str, ...]]("dismiss a row")  # ids of all that are then dismissed

# the subject is the patient's id
HANDOVER = JobKind[int, Handover]("handover")
WRITE = JobKind[int, None]("write a handover")

WARD = JobKind[None, tuple[Handover, ...]]("handover of the ward")
PDF = JobKind[None, Path]("handover as PDF")
