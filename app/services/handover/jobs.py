"""The jobs around a handover: their subjects and results."""

from __future__ import annotations

from app.chart.gaps.gaps import Gap
from app.services.engine.job_lanes import JobKind

# the subject is the dictation's id
GAPS = JobKind[int, tuple[Gap, ...]]("gaps")
DISMISS = JobKind[int, tuple[str, ...]]("dismiss a row")  # ids of all that are then dismissed
