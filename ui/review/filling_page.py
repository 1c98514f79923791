"""A dictation while the models read it: the stages, and from the first value on the flowsheet so far. One that is read
again, for another patient or time, stays in view as it was read before."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QStackedWidget, QWidget

from app.chart.records import Patient
from app.chart.sheet import Sheet
from app.inference.live_events import LiveValues
from app.record.values import ProposedValue
from app.services.engine.job_lanes import AnyJob
from models.base.progress import Progress
from ui.flowsheet.values_so_far import ValuesSoFar
from ui.kit.theme import Theme
from ui.progress.stage_card import AUDIO_STAGES, TEXT_STAGES, StageCard


class FillingPage(QStackedWidget):
    """Shows one job at a time."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stages = StageCard(theme)
        self.values = ValuesSoFar(theme, "Review them when all are read.")
        self.addWidget(self.stages)
        self.addWidget(self.values)
        self._latest: tuple[AnyJob, Progress] | None = None
        self._latest_values: tuple[AnyJob, LiveValues] | None = None
        self._displayed: tuple[Patient, Sequence[ProposedValue], str] | None = None

    def show_job(self, job: AnyJob, sheet: Sheet, *, waiting: bool) -> None:
        """Shows how far the job is that fills this sheet, or the values it has read; `waiting` if it is queued."""
        heard = sheet.transcript is not None or sheet.dictation.kind == "text"
        kept = "text" if sheet.dictation.kind == "text" else "recording"
        self.stages.start(job, TEXT_STAGES if heard else AUDIO_STAGES, kept, waiting=waiting)
        if self._latest and self._latest[0] is job:
            self.stages.show_progress(self._latest[1])
        latest = self._latest_values[1] if self._latest_values and self._latest_values[0] is job else None
        before = sheet.read_before or tuple(value.filled for value in sheet.values if value.filled)
        if before:
            text = sheet.transcript.text if sheet.transcript else ""
            self._show_values(sheet, before, text, again=True)
        elif latest:
            self._show_values(sheet, latest.proposed, latest.text)
        self.setCurrentWidget(self.values if before or latest else self.stages)

    def note(self, job: AnyJob, news: Progress | LiveValues) -> None:
        """Remembers the latest progress and values, for when their job is shown."""
        if isinstance(news, Progress):
            self._latest = (job, news)
        elif news.values or (self._latest_values and self._latest_values[0] is job):
            self._latest_values = (job, news)  # the stages stay until there is a value

    def _show_values(self, sheet: Sheet, values: Sequence[ProposedValue], text: str, *, again: bool = False) -> None:
        if (sheet.patient, values, text) != self._displayed:
            self._displayed = sheet.patient, values, text
            self.values.show_values(sheet.patient, sheet.schema, values, text, again=again)
