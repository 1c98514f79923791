"""What the dictation lacks, beside the last look: found, dismissed and shown again, and entered or said."""

from __future__ import annotations

from collections.abc import Callable

from app.chart.gaps.gaps import Gap
from app.chart.sheet import Sheet
from app.record.errors import NotSigned
from app.services.engine.job_lanes import Job
from extraction.flowsheet.schema import Row
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.review_controller import ReviewController


class GapController(Controller):
    """Keeps the panel beside the last look in step with the sheet."""

    def __init__(self, context: WindowContext, review: ReviewController) -> None:
        super().__init__(context)
        self._panel = panel = self._page.looks.last_look.gaps
        self._page.looks.gaps_asked.connect(self._find)
        panel.add_asked.connect(review.add_row)
        panel.dismiss_asked.connect(self._dismiss)
        panel.restore_asked.connect(self._restore)

    def _find(self, sheet: Sheet) -> None:
        self._jobs.watch(self._workbench.gaps.find(sheet), done=lambda gaps: self._show(sheet, gaps))

    def _show(self, sheet: Sheet, gaps: tuple[Gap, ...]) -> None:
        if self._page.sheet is sheet:  # else another search is under way
            now = self._workbench.gaps.now()
            counted, dismissed = sheet.habits.dictations, len(sheet.dismissed)
            self._panel.show_gaps(gaps, now, counted=counted, dismissed=dismissed)

    def _dismiss(self, row: Row) -> None:
        if sheet := self._page.sheet:
            self._change(lambda: self._workbench.gaps.dismiss(sheet, row.id), f"{row.name}: dismissed.", "U undoes it.")

    def _restore(self) -> None:
        sheet = self._page.sheet
        if sheet and sheet.dismissed:
            last = sheet.dismissed[-1]
            self._change(
                lambda: self._workbench.gaps.restore(sheet, last), f"{sheet.schema.row(last).name}: offered again.", ""
            )

    def _change(self, submit: Callable[[], Job[int, tuple[str, ...]]], told: str, next_step: str) -> None:
        """Submits a dismissal, or what takes one back, and shows what comes of it."""
        try:
            job = submit()
        except NotSigned as error:
            self._message.show_message("info", error.what, error.next_step)
            return

        def done(dismissed: tuple[str, ...]) -> None:
            self._page.take_dismissed(job.subject, dismissed)
            self._message.show_message("done", told, next_step)

        self._jobs.watch(job, done=done)
