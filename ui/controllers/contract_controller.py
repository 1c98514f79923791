"""Imports from the record system, and shows where the rows in use came from."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from app.services.contracts.jobs import READ_EXPORTS, TRY_DICTATION, Catalogue, ReadExport, TriedDictation
from app.services.engine.job_lanes import AnyJob, JobProgress
from extraction.flowsheet.schema import Schema
from models.base.errors import WardlightError
from ui.contracts.catalogue import CatalogueDialog
from ui.contracts.import_dialog import ImportDialog
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.settings_controller import SettingsController
from ui.dialogs.file_choice import choose_file, choose_new_file
from ui.kit.responsive_layout import accepted, fit_to_screen
from ui.kit.words import plural

_ANSWERS = "Answers (*.json)"
_REPORTS = "Page to print (*.pdf);;Text (*.txt)"


class ContractController(Controller):
    """Shows the import and carries out what it asks for.

    Attributes:
        dialog: the open import; None if there is none.
    """

    def __init__(self, context: WindowContext, settings: SettingsController) -> None:
        super().__init__(context)
        self._settings = settings
        self.dialog: ImportDialog | None = None
        self._job: AnyJob | None = None
        self._trial: AnyJob | None = None
        self._jobs.on(JobProgress, self._follow)

    def show_import(self) -> None:
        """Opens the import and returns at once; if it is open already, activates it."""
        if self.dialog:
            self.dialog.activateWindow()
            return
        contracts = self._workbench.contracts
        dialog = self.dialog = ImportDialog(
            self._theme,
            contracts.in_use,
            self._named,
            contracts.snapshots(),
            can_fill=contracts.can_fill,
            parent=self._parent,
        )
        dialog.read_asked.connect(self._read)
        dialog.stop_asked.connect(self._stop_reading)
        dialog.answers_given.connect(self._keep)
        dialog.report_asked.connect(self._save_report)
        dialog.trial.trial_asked.connect(self._try)
        dialog.trial.stop_asked.connect(self._stop_trial)
        dialog.use_asked.connect(self._use)
        dialog.use.keep_asked.connect(self._keep_for_review)
        dialog.folder.throw_away_asked.connect(self._throw_away)
        dialog.questions.file_asked.connect(self._move_answers)
        dialog.finished.connect(self._let_go)
        fit_to_screen(dialog)
        dialog.open()

    def show_catalogue(self) -> None:
        """Shows the rows in use with their origin; says so if they were not imported."""
        contracts = self._workbench.contracts
        if contracts.in_use is None:
            self._message.show_message(
                "info",
                "The flowsheet in use was not imported from a record system.",
                "Import it (menu File) to see where each row came from.",
            )
            return
        self._jobs.watch(contracts.catalogue(contracts.in_use), done=self._show_catalogue)

    def _show_catalogue(self, catalogue: Catalogue) -> None:
        accepted(CatalogueDialog(self._theme, catalogue, self._named, self._parent))

    @property
    def _named(self) -> str:
        return self._workbench.workspace.schema.name

    def _read(self, folder: Path, former: Path | None, answers: dict[str, str]) -> None:
        self._job = self._jobs.watch(
            self._workbench.contracts.read(folder, former, answers),
            done=self._show_read,
            failed=self._tell,
            stopped=self._stopped,
        )

    def _keep(self, folder: Path, answers: dict[str, str]) -> None:
        self._jobs.watch(self._workbench.contracts.keep(folder, answers), failed=self._tell)

    def _keep_for_review(self, read: ReadExport) -> None:
        def kept(_: Path) -> None:
            if self.dialog:
                self.dialog.use.show_kept()

        self._jobs.watch(self._workbench.contracts.keep_snapshot(read), done=kept, failed=self._tell)

    def _throw_away(self, snapshot: Path) -> None:
        def gone(_: None) -> None:
            if self.dialog:
                self.dialog.folder.forget(snapshot)

        self._jobs.watch(self._workbench.contracts.throw_away(snapshot), done=gone, failed=self._tell)

    def _move_answers(self, into_file: bool) -> None:
        """Writes the answers into a file, or takes those of a file and reads the exports with them."""
        dialog = self.dialog
        if not dialog or not (read := dialog.read):
            return
        contracts = self._workbench.contracts
        if into_file:
            if path := choose_new_file(dialog, "Save the answers", _ANSWERS, "answers.json"):
                self._jobs.watch(contracts.save_answers(read, path), failed=self._tell)
        elif path := choose_file(dialog, "Answers of another import", _ANSWERS):
            self._jobs.watch(contracts.take_answers(read.folder, path), done=self._read_again, failed=self._tell)

    def _read_again(self, _: None) -> None:
        if self.dialog:
            self.dialog.questions.show_taken()

    def _save_report(self, read: ReadExport, named: str) -> None:
        dialog = self.dialog
        if dialog and (path := choose_new_file(dialog, "Save the report", _REPORTS, "import-report.pdf")):
            self._jobs.watch(self._workbench.contracts.save_report(read, named, path), failed=self._tell)

    def _try(self, schema: Schema, text: str) -> None:
        self._trial = self._jobs.watch(
            self._workbench.contracts.try_dictation(schema, text),
            done=self._tried,
            failed=self._not_tried,
            stopped=self._trial_stopped,
        )

    def _use(self, read: ReadExport, named: str) -> None:
        self._jobs.watch(
            self._workbench.contracts.use(read, named), done=partial(self._used, read, named), failed=self._tell
        )

    # results

    def _follow(self, event: JobProgress) -> None:
        if self.dialog and event.job is self._job and event.job.kind == READ_EXPORTS:
            self.dialog.show_progress(event.progress)
        if self.dialog and event.job is self._trial and event.job.kind == TRY_DICTATION:
            self.dialog.trial.show_progress(event.progress)

    def _show_read(self, read: ReadExport) -> None:
        if self.dialog:
            self.dialog.show_read(read)

    def _stopped(self) -> None:
        if self.dialog:
            self.dialog.show_stopped()

    def _tell(self, error: WardlightError) -> None:
        if self.dialog:
            self.dialog.show_error(error)
        else:
            self._message.show_error(error)

    def _tried(self, tried: TriedDictation) -> None:
        if self.dialog:
            self.dialog.trial.show_tried(tried)

    def _not_tried(self, error: WardlightError) -> None:
        if self.dialog:
            self.dialog.trial.show_error(error)

    def _trial_stopped(self) -> None:
        if self.dialog:
            self.dialog.trial.show_stopped()

    def _used(self, read: ReadExport, named: str, schema: Path) -> None:
        if self.dialog:
            self.dialog.accept()
        rows = sum(not row.retired for row in read.contract.rows)
        self._message.show_message(
            "done", f"{named} is in use: {plural(rows, 'row')}.", "Dictations keep the template they were filled with."
        )
        self._settings.save(replace(self._workbench.settings.current, schema=str(schema), contract=""))

    def _stop_reading(self) -> None:
        if self._job:
            self._job.cancel()

    def _stop_trial(self) -> None:
        if self._trial:
            self._trial.cancel()

    def _let_go(self) -> None:
        self._stop_trial()
        if self.dialog:
            self.dialog.deleteLater()
        self.dialog = None
