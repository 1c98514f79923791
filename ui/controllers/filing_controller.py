"""Files, reopens and exports dictations, and shows what still has to be reviewed before filing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.chart.records import Filing
from app.chart.sheet import Sheet
from app.operations.filing import NothingToChart, refuse_unreviewed
from app.record.errors import NotSigned
from app.system.job_lanes import AnyJob, Job
from app.workbench import Workbench
from app.workspace.jobs import EXPORT, FILE, REOPEN
from models.base.errors import ResourceError, WardlightError
from ui.controllers.work_controller import WorkController
from ui.dialogs.export import ExportDialog
from ui.kit.job_answers import JobAnswers
from ui.kit.message_bar import MessageBar
from ui.kit.responsive_layout import accepted
from ui.kit.theme import Theme
from ui.patients.selection import Selection
from ui.review.review_page import ReviewPage


class FilingController(QObject):
    """Files, reopens and exports the dictation on the review page.

    Signals:
        changed: a dictation was filed or reopened and must be reloaded (its id).
    """

    changed = Signal(int)

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        workbench: Workbench,
        answers: JobAnswers,
        selection: Selection,
        work: WorkController,
        page: ReviewPage,
        message: MessageBar,
    ) -> None:
        super().__init__(parent)
        self._parent, self._theme, self._workbench = parent, theme, workbench
        self._selection, self._work, self._page, self._message = selection, work, page, message
        self._export: ExportDialog | None = None
        self._folder: Path | None = None  # of the last export
        self._answer: tuple[Path, str] | None = None  # folder and formats to save as settings once filed
        self._asked_about: int | None = None  # dictation last asked about for having no values
        self._unvalued: int | None = None  # dictation to file without values
        self._elsewhere = False  # whether the filing under way asks for a folder of its own
        page.export_asked.connect(self.export)
        page.file_asked.connect(lambda: self.file())  # noqa: PLW0108 - `elsewhere` is not the signal's
        page.reopen_asked.connect(self.reopen)
        page.refused.connect(self.refuse_change)
        page.looks.file_asked.connect(lambda: self.file(elsewhere=self._elsewhere, looked_at=True))
        answers.on(FILE, done=self._filed, failed=self._not_filed)
        answers.on(REOPEN, done=self._reopened, failed=self._not_reopened)
        answers.on(EXPORT, done=self._exported, failed=self._not_exported)

    def file(self, *, elsewhere: bool = False, looked_at: bool = False) -> None:
        """Files the dictation shown, or says why it cannot be filed yet.

        Shows a last look first, unless it was `looked_at`, or the settings want none and no values contradict each
        other. Then asks for the folder if the settings have none, or if this dictation is to be filed `elsewhere`.
        """
        sheet, settings = self._page.sheet, self._workbench.settings
        if not sheet or sheet.filing or self._page.decisions.asks_whose():
            return
        if unsaved := self._page.unsaved:
            value = next(value for value in sheet.values if value.id in unsaved)
            self._page.left_unsaved.emit(value.id, sheet.schema.row(value.row_id).name)
            self._page.choose(value.id)
            return
        self._elsewhere = elsewhere
        known = Path(settings.file_folder).expanduser() if settings.file_folder and not elsewhere else None
        # a second press means yes while the question is on the screen
        self._unvalued = sheet.dictation.id if self._asks_about(sheet.dictation.id) else None
        answered = self._unvalued is not None
        formats = settings.file_formats
        looks = (settings.last_look and sheet.values) or sheet.contradictions
        if looks and not looked_at and self._refusal(sheet.dictation.id) is None:
            self._message.leave_past()
            self._page.show_last_look(self._workbench.signing.sure_name)
            return
        self._page.leave_look()
        self._signed(lambda: self._workbench.file(sheet, known, formats, without_values=answered))

    def ask(self) -> None:
        """Asks for folder and formats and files the dictation shown.

        The answer is saved in the settings once it is filed, unless it is filed elsewhere.
        """
        sheet = self._page.sheet
        answer = self._ask_where(sheet) if sheet else None
        if sheet and answer:
            folder, formats = answer
            self._answer = None if self._elsewhere else (folder, " and ".join(formats))
            answered = self._unvalued == sheet.dictation.id
            self._signed(lambda: self._workbench.file(sheet, folder, formats, without_values=answered))

    def _ask_where(self, sheet: Sheet) -> tuple[Path, Sequence[str]] | None:
        """Asks for the folder and formats to file a sheet in; None if the user cancels."""
        known = self._workbench.settings.file_folder
        folder = Path(known) if known else self._folder
        once, reused = "For this dictation only.", "From now on, F files here; Ctrl+Shift+Enter files elsewhere, once."
        about = once if self._elsewhere else reused
        dialog = ExportDialog(self._theme, sheet, folder, self._parent, filing=about)
        chosen: list[tuple[Path, Sequence[str]]] = []

        def choose(folder: Path, formats: Sequence[str]) -> None:
            chosen.append((folder, formats))
            dialog.accept()

        dialog.export_asked.connect(choose)
        return chosen[0] if accepted(dialog) else None

    def reopen(self) -> None:
        """Reopens the filed dictation shown for review."""
        sheet = self._page.sheet
        if sheet and sheet.filing:
            self._signed(lambda: self._workbench.reopen(sheet))

    def _signed(self, decide: Callable[[], AnyJob]) -> None:
        """Calls `decide`, which files or reopens; shows a message if no one signs."""
        try:
            decide()
        except NotSigned as error:
            self._answer = None
            self._message.show_message("info", error.what, error.next_step)

    def refuse_change(self) -> None:
        """Says that the dictation shown is filed and cannot be changed, and offers to reopen it."""
        about = self._page.sheet
        if about:
            self._message.show_message(
                "info",
                "This sheet is filed.",
                "Reopen it to change it (Ctrl+R).",
                action="R&eopen",
                do=self.reopen,
                holds=lambda: self._shows_filed(about.dictation.id),
            )

    def _shows_filed(self, dictation_id: int) -> bool:
        sheet = self._page.sheet
        return self._page.filed_shown and sheet is not None and sheet.dictation.id == dictation_id

    def _filed(self, job: Job[int, Filing | None], filing: Filing | None) -> None:
        """Handles a finished filing job; without a result, the folder was unknown and is asked for."""
        if filing:
            self._keep_answer()
            self.changed.emit(job.subject)
        elif self._page.sheet and job.subject == self._page.sheet.dictation.id:
            # not inside this event, or no more events would arrive while the dialog is open
            QTimer.singleShot(0, self, self.ask)

    def _not_filed(self, job: Job[int, Filing | None], error: WardlightError) -> None:
        self._answer = self._unvalued = None
        shown, about = self._page.sheet, job.subject
        if isinstance(error, NothingToChart):
            if shown and shown.dictation.id == job.subject:
                self._asked_about = job.subject
                next_step = f"{error.next_step} Press the button, or File (F) again."
                self._message.show_message(
                    "warning",
                    error.what,
                    next_step,
                    action="Sign witho&ut values",
                    do=self._sign,
                    holds=lambda: self._is_unfiled(about) and not (self._page.sheet and self._page.sheet.values),
                )
        elif isinstance(error, ResourceError):
            self._message.show_error(
                error, action="Choose fo&lder…", do=self.ask, holds=lambda: self._is_unfiled(about)
            )
        else:
            self._message.show_message(
                "warning",
                error.what,
                error.next_step,
                holds=lambda: self._is_unfiled(about),
                now=(lambda: self._refusal(about)) if self._refusal(about) else None,
            )
            self._page.go_to_open()

    def _asks_about(self, dictation_id: int) -> bool:
        """True if the message shown asks whether to file this dictation without values."""
        return self._asked_about == dictation_id and self._message.offers(self._sign)

    def _sign(self) -> None:
        """Files the dictation shown without values, if the question was about it."""
        sheet, settings = self._page.sheet, self._workbench.settings
        if sheet and sheet.dictation.id == self._asked_about:
            self._unvalued = sheet.dictation.id
            folder = Path(settings.file_folder).expanduser() if settings.file_folder else None
            formats = settings.file_formats
            self._signed(lambda: self._workbench.file(sheet, folder, formats, without_values=True))

    def _is_unfiled(self, dictation_id: int) -> bool:
        """True if a dictation is still shown and not filed."""
        sheet = self._page.sheet
        return sheet is not None and sheet.dictation.id == dictation_id and sheet.filing is None

    def _refusal(self, dictation_id: int) -> WardlightError | None:
        """Why a dictation cannot be filed now; None if it can, has no values, or is not shown."""
        sheet = self._page.sheet
        if sheet is None or not self._is_unfiled(dictation_id):
            return None
        try:
            refuse_unreviewed(sheet)
        except NothingToChart:
            return None
        except WardlightError as error:
            return error
        return None

    def _reopened(self, job: Job[int, None], _: None) -> None:
        self._message.show_message("done", "Reopened.", "Files already written are kept; file again when finished.")
        self.changed.emit(job.subject)

    def _not_reopened(self, job: Job[int, None], error: WardlightError) -> None:
        self._work.show_failure(error, self._selection.stays_at(job.subject))

    def _keep_answer(self) -> None:
        answer, self._answer = self._answer, None
        settings = self._workbench.settings
        if answer and (str(answer[0]), answer[1]) != (settings.file_folder, settings.file_format):
            self._workbench.apply(replace(settings, file_folder=str(answer[0]), file_format=answer[1]))

    # export

    def export(self) -> None:
        """Asks for folder and formats, and exports the accepted values of the dictation shown."""
        sheet = self._page.sheet
        if self._page.decisions.asks_whose() or not sheet:
            return
        dialog = self._export = ExportDialog(self._theme, sheet, self._folder, self._parent)

        def write(folder: Path, formats: Sequence[str]) -> None:
            self._folder = folder
            self._workbench.export(sheet, folder, formats)

        dialog.export_asked.connect(write)
        accepted(dialog)
        self._export = None

    def _exported(self, _: Job[int, list[Path]], paths: list[Path]) -> None:
        if self._export:
            self._export.show_paths(paths)
        self._message.show_message("done", "Exported.", ", ".join(str(path) for path in paths))

    def _not_exported(self, _: Job[int, list[Path]], error: WardlightError) -> None:
        if self._export:
            self._export.show_error(error)
        else:
            self._message.show_error(error, holds=self._selection.stays_at(self._selection.dictation_id))
