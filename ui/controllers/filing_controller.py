"""Files, reopens and exports dictations, and shows what still has to be reviewed before filing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QTimer, Signal

from app.chart.records import Filing
from app.chart.sheet import Sheet
from app.record.errors import NothingToChart, NotSigned
from app.services.review.filing import refuse_unreviewed
from models.base.errors import ResourceError, WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.controllers.settings_controller import SettingsController
from ui.controllers.work_controller import WorkController
from ui.dialogs.export import ExportDialog
from ui.kit.responsive_layout import accepted


class FilingController(Controller):
    """Files, reopens and exports the dictation on the review page.

    Signals:
        filed: a dictation was filed.
    """

    filed = Signal()

    def __init__(
        self,
        context: WindowContext,
        work: WorkController,
        navigation: Navigation,
        settings: SettingsController,
    ) -> None:
        super().__init__(context)
        self._work, self._navigation, self._settings, page = work, navigation, settings, self._page
        self._export: ExportDialog | None = None
        self._folder: Path | None = None  # of the last export
        self._asked_about: int | None = None  # dictation last asked about for having no values
        self._elsewhere = False  # whether the filing under way asks for a folder of its own
        page.export_asked.connect(self.export)
        page.file_asked.connect(lambda: self.file())  # noqa: PLW0108 - `elsewhere` is not the signal's
        page.reopen_asked.connect(self.reopen)
        page.refused.connect(self.refuse_change)
        page.looks.file_asked.connect(lambda: self.file(elsewhere=self._elsewhere, looked_at=True))

    def file(self, *, elsewhere: bool = False, looked_at: bool = False) -> None:
        """Files the dictation shown, or says why it cannot be filed yet.

        Shows a last look first, unless it was `looked_at`, or the settings want none and no values contradict each
        other. Then asks for the folder if the settings have none, or if this dictation is to be filed `elsewhere`.
        """
        sheet, settings = self._page.sheet, self._workbench.settings.current
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
        answered = self._asks_about(sheet.dictation.id)
        looks = (settings.last_look and sheet.values) or sheet.contradictions
        if looks and not looked_at and self._refusal(sheet.dictation.id) is None:
            self._message.leave_past()
            self._page.show_last_look(self._workbench.signing.sure_name)
            return
        self._page.leave_look()
        self._file(sheet, known, settings.file_formats, without_values=answered)

    def file_elsewhere(self) -> None:
        """Files the dictation shown in a folder that is asked for."""
        self.file(elsewhere=True)

    def _file(
        self, sheet: Sheet, folder: Path | None, formats: Sequence[str], *, without_values: bool, keep: bool = False
    ) -> None:
        """Files a sheet, if someone signs; `keep` saves folder and formats in the settings once it is filed."""
        about = sheet.dictation.id

        def filed(filing: Filing | None) -> None:
            if filing:
                if keep and folder:
                    self._keep(folder, " and ".join(formats))
                self._navigation.read_again(about)
                self.filed.emit()
            elif self._page.sheet and self._page.sheet.dictation.id == about:  # the folder is asked for
                # not inside this event, or no more events would arrive while the dialog is open
                QTimer.singleShot(0, self, lambda: self._ask(without_values=without_values))

        self._signed(
            lambda: self._jobs.watch(
                self._workbench.filing.file(sheet, folder, formats, without_values=without_values),
                done=filed,
                failed=partial(self._not_filed, about),
            )
        )

    def _ask(self, *, without_values: bool = False) -> None:
        """Asks for folder and formats and files the dictation shown.

        The answer is saved in the settings once it is filed, unless it is filed elsewhere.
        """
        sheet = self._page.sheet
        answer = self._ask_where(sheet) if sheet else None
        if sheet and answer:
            folder, formats = answer
            self._file(sheet, folder, formats, without_values=without_values, keep=not self._elsewhere)

    def _ask_where(self, sheet: Sheet) -> tuple[Path, Sequence[str]] | None:
        """Asks for the folder and formats to file a sheet in; None if the user cancels."""
        settings = self._workbench.settings.current
        folder = Path(settings.file_folder) if settings.file_folder else self._folder
        once, reused = "For this dictation only.", "From now on, F files here; Ctrl+Shift+Enter files elsewhere, once."
        about = once if self._elsewhere else reused
        dialog = ExportDialog(self._theme, sheet, folder, settings.file_formats, self._parent, filing=about)
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
            about = sheet.dictation.id
            self._signed(
                lambda: self._jobs.watch(
                    self._workbench.filing.reopen(sheet),
                    done=lambda _: self._reopened(about),
                    failed=partial(self._work.show_failure, holds=self._selection.stays_at(about)),
                )
            )

    def _signed(self, decide: Callable[[], object]) -> None:
        """Calls `decide`, which files or reopens; shows a message if no one signs."""
        try:
            decide()
        except NotSigned as error:
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

    def _not_filed(self, about: int, error: WardlightError) -> None:
        shown = self._page.sheet
        if isinstance(error, NothingToChart):
            if shown and shown.dictation.id == about:
                self._asked_about = about
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
                error, action="Choose fo&lder…", do=self._ask, holds=lambda: self._is_unfiled(about)
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
        sheet, settings = self._page.sheet, self._workbench.settings.current
        if sheet and sheet.dictation.id == self._asked_about:
            folder = Path(settings.file_folder).expanduser() if settings.file_folder else None
            self._file(sheet, folder, settings.file_formats, without_values=True)

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

    def _reopened(self, dictation_id: int) -> None:
        self._message.show_message("done", "Reopened.", "Files already written are kept; file again when finished.")
        self._navigation.read_again(dictation_id)

    def _keep(self, folder: Path, file_format: str) -> None:
        settings = self._workbench.settings.current
        if (str(folder), file_format) != (settings.file_folder, settings.file_format):
            self._settings.save(replace(settings, file_folder=str(folder), file_format=file_format))

    # export

    def export(self) -> None:
        """Asks for folder and formats, and exports the accepted values of the dictation shown."""
        sheet = self._page.sheet
        if self._page.decisions.asks_whose() or not sheet:
            return
        formats = self._workbench.settings.current.file_formats
        dialog = self._export = ExportDialog(self._theme, sheet, self._folder, formats, self._parent)

        def write(folder: Path, formats: Sequence[str]) -> None:
            self._folder = folder
            self._jobs.watch(
                self._workbench.filing.export(sheet, folder, formats), done=self._exported, failed=self._not_exported
            )

        dialog.export_asked.connect(write)
        accepted(dialog)
        self._export = None

    def _exported(self, paths: list[Path]) -> None:
        if self._export:
            self._export.show_paths(paths)
        self._message.show_message("done", "Exported.", ", ".join(str(path) for path in paths))

    def _not_exported(self, error: WardlightError) -> None:
        if self._export:
            self._export.show_error(error)
        else:
            self._message.show_error(error, holds=self._selection.stays_at(self._selection.dictation_id))
