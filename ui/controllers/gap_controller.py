"""What the dictation lacks, beside the last look: found, dismissed and shown again, and entered or said."""

from __future__ import annotations

from collections.abc import Callable

from app.chart.sheet import Sheet
from app.record.errors import NotSigned
from app.services.engine.job_lanes import Job
from app.services.handover.jobs import FoundGaps
from extraction.flowsheet.schema import Row
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.review_controller import ReviewController


class GapController(Controller):
    """Keeps the panel beside the last look in step with the sheet."""

    def __init__(self, context: WindowContext, review: ReviewController) -> None:
        super().__init__(context)
        self._panel = panel = self._page.looks.last_look.gaps
        self._dismissed: tuple[str, ...] = ()
        self._page.looks.gaps_asked.connect(self._find)
        panel.add_asked.connect(review.add_row)
        panel.dismiss_asked.connect(self._dismiss)
        panel.restore_asked.connect(self._restore)

    def _find(self, sheet: Sheet) -> None:
        self._jobs.watch(self._workbench.gaps.find(sheet), done=lambda found: self._show(sheet, found))

    def _show(self, sheet: Sheet, found: FoundGaps) -> None:
        if self._page.sheet is sheet:  # else another search is under way
            self._dismissed = found.dismissed
            self._panel.show_gaps(
                found.gaps, found.now, counted=found.habits.dictations, dismissed=len(found.dismissed)
            )

    def _dismiss(self, row: Row) -> None:
        if sheet := self._page.sheet:
            told = f"{row.name} is dismissed for this dictation."
            self._change(sheet, lambda: self._workbench.gaps.dismiss(sheet, row.id), told, "U undoes it.")

    def _restore(self) -> None:
        sheet = self._page.sheet
        if sheet and self._dismissed:
            last = self._dismissed[-1]
            told = f"{sheet.schema.row(last).name} is listed again."
            self._change(sheet, lambda: self._workbench.gaps.restore(sheet, last), told, "")

    def _change(self, sheet: Sheet, submit: Callable[[], Job[int, None]], told: str, next_step: str) -> None:
        """Submits a dismissal, or what takes one back, and shows what comes of it."""
        try:
            job = submit()
        except NotSigned as error:
            self._message.show_message("info", error.what, error.next_step)
            return

        def done(_: None) -> None:
            self._message.show_message("done", told, next_step)
            if self._page.sheet is sheet:
                self._find(sheet)

        self._jobs.watch(job, done=done)
