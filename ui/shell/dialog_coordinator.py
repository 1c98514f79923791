"""Opens the dialogs and brings their answers to the workbench."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QMessageBox

from app.chart.records import Patient
from app.chart.sheet import Sheet
from app.system import paths
from app.system.job_lanes import JobEvent, JobFailed
from app.system.settings import Settings
from app.workbench import SAMPLE_DICTATION
from app.workspace.engine import ModelState
from app.workspace.jobs import JobKind, LightsPreview
from extraction.flowsheet.ranges import OutOfRangeValue
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Value
from models.errors import InputError, WardlightError
from ui.dialogs.add_row import AddRowDialog
from ui.dialogs.export import ExportDialog
from ui.dialogs.patient import PatientDialog
from ui.kit.responsive_layout import fit_to_screen
from ui.kit.theme import Theme
from ui.kit.words import ROLE_WORDS, identity_text
from ui.settings.settings_dialog import SettingsDialog
from ui.setup.assistant import Assistant

if TYPE_CHECKING:
    from ui.shell.window import MainWindow


class Leave(Enum):
    """What becomes of a recording that runs while the person goes to another patient; `STAY` where they do not go."""

    FINISH = auto()
    GO_ON = auto()
    STAY = auto()


class Dialogs:
    """At most one dialog of each kind is open; jobs answer to the one that asked."""

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        self._window, self._theme = window, theme
        self._export: ExportDialog | None = None
        self._settings: SettingsDialog | None = None
        self.assistant: Assistant | None = None
        self._asked: Settings | None = None  # what the open settings, or the assistant, asked to save last
        self._folder: Path | None = None
        self._after_patient: Callable[[], object] | None = None

    def patient(self, patients: Sequence[Patient], then: Callable[[], object] | None = None) -> bool:
        """Asks for a patient. Whether a known one was chosen; a new one arrives when it is stored.

        Args:
            then: done once the patient, known or new, is the window's.
        """
        dialog = PatientDialog(self._theme, patients, self._window)
        self._after_patient = None
        if not _accepted(dialog):
            return False
        if dialog.chosen:
            self._window.choose_patient(dialog.chosen)
            if then:
                then()
            return True
        if dialog.entered:
            self._after_patient = then
            self._window.workbench.ward.add(dialog.entered, namesake=dialog.namesake)
        return False

    def patient_stored(self) -> None:
        """Goes on with what the patient was asked for."""
        then, self._after_patient = self._after_patient, None
        if then:
            then()

    def patient_refused(self) -> None:
        """Forgets what the patient was asked for, who was not stored: it must not be done with the next one."""
        self._after_patient = None

    def leave_recording(self, recorded: Patient, other: Patient) -> Leave:
        """Asks what becomes of a recording about a patient while the person goes to another one."""
        box = QMessageBox(self._window)
        box.setWindowTitle("A recording is running")
        box.setText(
            f"A recording is running: {identity_text(recorded)}.\n\nFinish it before you go to {identity_text(other)}?"
        )
        box.setInformativeText(f"If you keep recording, all that is said is still charted for {recorded.name}.")
        answers = {
            box.addButton("&Finish recording", QMessageBox.ButtonRole.AcceptRole): Leave.FINISH,
            box.addButton("&Keep recording", QMessageBox.ButtonRole.DestructiveRole): Leave.GO_ON,
            box.addButton(QMessageBox.StandardButton.Cancel): Leave.STAY,
        }
        box.setDefaultButton(next(iter(answers)))
        box.exec()
        answer = next((what for one, what in answers.items() if one is box.clickedButton()), Leave.STAY)
        box.deleteLater()
        return answer

    def close(self, *, recording: bool) -> bool:
        """Asks whether to close the window while a recording, or a job, runs."""
        running = (
            "A recording is running. What was said is kept, and the next start offers to go on with it."
            if recording
            else "Wardlight is still working on a dictation. The recording is kept; you can go on with it later."
        )
        answer = QMessageBox.question(
            self._window,
            "Close Wardlight?",
            running,
            QMessageBox.StandardButton.Close | QMessageBox.StandardButton.Cancel,
            QMessageBox.StandardButton.Cancel,
        )
        return answer == QMessageBox.StandardButton.Close

    def ask(self, dialog: QDialog) -> bool:
        """Shows a dialog until it is closed and lets it go; whether it was closed with yes."""
        return _accepted(dialog)

    def add_row(self) -> None:
        """Searches the schema and adds a value by hand."""
        page = self._window.page
        if not page.sheet or not page.reviewable:
            return
        dialog = AddRowDialog(self._theme, page.sheet, self._window)

        def add(row: Row, value: Value, unit: str | None) -> None:
            if not page.pace.allows(doubtful=False):
                return
            try:
                page.add_value(row, value, unit, dialog.again.caution)
            except OutOfRangeValue as error:
                page.pace.decided(doubtful=True)  # the question is to be read
                dialog.ask_again(error)
            except InputError as error:
                dialog.show_error(error)
            else:
                dialog.accept()

        dialog.add_asked.connect(add)
        dialog.existing_asked.connect(page.choose)
        _accepted(dialog)

    def export(self) -> None:
        """Asks for folder and formats."""
        sheet = self._window.page.sheet
        if not sheet:
            return
        dialog = self._export = ExportDialog(self._theme, sheet, self._folder, self._window)

        def write(folder: Path, formats: Sequence[str]) -> None:
            self._folder = folder
            self._window.workbench.export(sheet, folder, formats)

        dialog.export_asked.connect(write)
        _accepted(dialog)
        self._export = None

    def file(self, sheet: Sheet) -> tuple[Path, Sequence[str]] | None:
        """Asks into which folder and as which formats a sheet is filed; None where nothing was chosen."""
        known = self._window.workbench.settings.file_folder
        dialog = ExportDialog(self._theme, sheet, Path(known) if known else self._folder, self._window, filing=True)
        chosen: list[tuple[Path, Sequence[str]]] = []

        def choose(folder: Path, formats: Sequence[str]) -> None:
            chosen.append((folder, formats))
            dialog.accept()

        dialog.export_asked.connect(choose)
        return chosen[0] if _accepted(dialog) else None

    def exported(self, paths: Sequence[Path]) -> None:
        if self._export:
            self._export.show_paths(paths)
        self._window.message.show_message("done", "Exported.", ", ".join(str(path) for path in paths))

    def export_failed(self, error: WardlightError) -> None:
        if self._export:
            self._export.show_error(error)
        else:
            shown = self._window.shown_dictation
            self._window.message.show_error(error, holds=lambda: self._window.shown_dictation == shown)

    def settings(self) -> None:
        """Shows the settings; they are put into force by a job, which `settings_saved` or `settings_refused` ends."""
        workbench = self._window.workbench
        dialog = SettingsDialog(
            self._theme,
            workbench.settings,
            workbench.models,
            self._window.microphones,
            recording=self._window.recorder.recording is not None,
            parent=self._window,
        )
        self._settings = dialog
        dialog.save_asked.connect(self._save)
        dialog.install_asked.connect(workbench.install)
        if workbench.ready:
            workbench.preview_lights(dialog.lights.alphas, dialog.lights.weights)
        else:
            dialog.lights.show_unknown("Nothing could be opened yet.")
        _accepted(dialog)
        self._settings = self._asked = None

    def set_up(self) -> None:
        """Shows the first-run assistant, and returns at once; it stays open until the person closes it."""
        if self.assistant:
            self.assistant.activateWindow()
            return
        workbench = self._window.workbench
        dialog = self.assistant = Assistant(
            self._theme,
            workbench.settings,
            self._chosen_models(),
            paths.models_dir(),
            self._window.microphones,
            workbench.signing,
            recording=self._window.recorder.recording is not None,
            parent=self._window,
        )
        dialog.signer_entered.connect(self._window.signing.enter)
        dialog.save_asked.connect(self._save)
        dialog.models.install_asked.connect(workbench.install)
        dialog.models.cancel_asked.connect(self._cancel_installations)
        dialog.schema.check_asked.connect(workbench.check_schema_file)
        dialog.sample_asked.connect(self._open_sample)
        dialog.finished.connect(self._let_assistant_go)
        fit_to_screen(dialog)
        dialog.open()

    def follow(self, event: JobEvent) -> bool:
        """Shows an event in the open assistant; whether its failure has been told there."""
        if not self.assistant:
            return False
        self.assistant.take(event, self._chosen_models())
        return isinstance(event, JobFailed) and event.job.kind in (JobKind.INSTALL, JobKind.CHECK_SCHEMA)

    def _chosen_models(self) -> list[ModelState]:
        chosen = (self._window.workbench.chosen_model(role) for role in ROLE_WORDS)
        return [model for model in chosen if model]

    def _cancel_installations(self) -> None:
        for job in self._window.workbench.jobs:
            if job.kind == JobKind.INSTALL:
                job.cancel()

    def _open_sample(self) -> None:
        self._after_patient = lambda: self._window.open_file(SAMPLE_DICTATION)
        self._window.workbench.ward.sample()

    def _let_assistant_go(self) -> None:
        if self.assistant:
            self.assistant.deleteLater()
        self.assistant = None

    def _save(self, settings: Settings) -> None:
        self._asked = settings
        self._window.workbench.apply(settings)

    def settings_saved(self, settings: object) -> None:
        """Closes the open settings if these are the ones that they asked to save, and not a theme chosen before."""
        if self._settings and settings is self._asked:
            self._settings.accept()

    def settings_refused(self, settings: object, error: WardlightError) -> bool:
        """Shows the error in the open settings; whether it is theirs."""
        asking = self._settings or self.assistant
        if asking is None or settings is not self._asked:
            return False
        asking.show_error(error)
        return True

    def show_prospect(self, prospect: LightsPreview) -> None:
        if self._settings:
            self._settings.lights.show_prospect(prospect)

    def prospect_failed(self, error: WardlightError) -> None:
        if self._settings:
            self._settings.lights.show_unknown(str(error))

    def about(self) -> None:
        QMessageBox.about(
            self._window,
            "About Wardlight",
            "Wardlight turns a dictation into a flowsheet that you check. It works on this computer alone and sends "
            "nothing anywhere. Values that you have not confirmed are never exported.",
        )


def _accepted(dialog: QDialog) -> bool:
    """Shows a dialog until it is closed and lets it go; whether it was closed with yes."""
    fit_to_screen(dialog)
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    dialog.deleteLater()
    return accepted
