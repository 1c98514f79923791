"""What is done to a patient from the lists and menus: edit, transfer, discharge, readmit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QMenu, QMessageBox

from app.chart.patient_identity import OpenDictations
from app.chart.records import Patient
from app.system.job_lanes import Job
from models.errors import WardlightError
from ui.dialogs.patient_change import BedDialog, EditPatientDialog
from ui.kit.responsive_layout import fit_to_screen
from ui.kit.theme import Theme
from ui.kit.words import identity_text, place_text
from ui.shell.signing_controller import unless_unsigned

if TYPE_CHECKING:
    from ui.shell.window import MainWindow


class PatientCare:
    """Asks, and has it done; `changed` and `failed` take what comes of it.

    Without a patient it is about the one shown.
    """

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        self._window, self._theme = window, theme

    def menu(self, patient: Patient, place: QPoint) -> None:
        """Shows what can be done to a patient."""
        menu = QMenu(self._window)
        if patient.discharged:
            menu.addAction(self._theme.icon("undo"), "&Readmit…", lambda: self.readmit(patient))
        menu.addAction(self._theme.icon("edit"), "&Edit…", lambda: self.edit(patient))
        if not patient.discharged:
            menu.addAction("&Transfer to another bed…", lambda: self.transfer(patient))
            menu.addSeparator()
            menu.addAction("&Discharge…", lambda: self.discharge(patient))
        menu.setAccessibleName(f"Patient {patient.name}")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def edit(self, patient: Patient | None = None) -> None:
        """Lets the person correct name, birth date, MRN and bed."""
        if not (patient := patient or self._window.patient):
            return
        dialog = EditPatientDialog(self._theme, patient, self._window.known_patients, self._window)
        if self._accepted(dialog) and dialog.entered:
            entered, namesake = dialog.entered, dialog.namesake
            unless_unsigned(lambda: self._window.workbench.ward.edit(patient, entered, namesake=namesake))

    def transfer(self, patient: Patient | None = None) -> None:
        """Asks for another bed; with whoever is in it, beds can be swapped."""
        if not (patient := patient or self._window.patient) or patient.discharged:
            return
        dialog = BedDialog(self._theme, patient, self._window.known_patients, self._window)
        if not self._accepted(dialog):
            return
        if dialog.swap_with:
            other = dialog.swap_with
            unless_unsigned(lambda: self._window.workbench.ward.swap(patient, other))
        else:
            unless_unsigned(lambda: self._window.workbench.ward.transfer(patient, dialog.bed))

    def discharge(self, patient: Patient | None = None) -> None:
        """Asks whether the stay is over."""
        if not (patient := patient or self._window.patient) or patient.discharged:
            return
        recording = self._window.recorder.recording
        if recording and recording.patient.id == patient.id:
            self._window.message.show_message(
                "warning", f"A recording about {patient.name} is running.", "Finish it, then discharge the patient."
            )
        elif self._sure(
            patient,
            "The patient leaves the lists; the charts stay readable, and nothing new can be recorded until the patient "
            "is readmitted.",
            "&Discharge",
        ):
            unless_unsigned(lambda: self._window.workbench.ward.discharge(patient))

    def readmit(self, patient: Patient | None = None) -> None:
        """Begins another stay, in a bed that is free."""
        if not (patient := patient or self._window.patient) or not patient.discharged:
            return
        dialog = BedDialog(self._theme, patient, self._window.known_patients, self._window, readmitting=True)
        if self._accepted(dialog):
            unless_unsigned(lambda: self._window.workbench.ward.readmit(patient, dialog.bed))

    def changed(self, before: Patient, after: Patient) -> None:
        """Says what was done."""
        if before.discharged != after.discharged:
            what = f"{after.name} is {'discharged' if after.discharged else 'readmitted'}."
        elif before.bed != after.bed and before.name == after.name:
            what = f"{after.name} is in {place_text(after)} now." if after.bed else f"{after.name} has no bed now."
        else:
            what = f"Saved: {identity_text(after)}."
        self._window.message.show_message("done", what)
        self._window.workbench.load_overview()

    def failed(self, job: Job, error: WardlightError) -> None:
        """Says why it was not done; a discharge with something left to file can be made anyway."""
        patient: Patient = job.subject
        if isinstance(error, OpenDictations):
            if self._sure(patient, f"{error.what} They stay readable and can still be filed.", "Discharge &anyway"):
                unless_unsigned(lambda: self._window.workbench.ward.discharge(patient, anyway=True))
        else:
            self._window.message.show_error(error)
            self._window.workbench.load_overview()

    def _sure(self, patient: Patient, words: str, does: str) -> bool:
        box = QMessageBox(QMessageBox.Icon.Question, "Discharge", f"Discharge {identity_text(patient)}?")
        box.setParent(self._window, box.windowFlags())
        box.setInformativeText(words)
        yes = box.addButton(does, QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        sure = box.clickedButton() is yes
        box.deleteLater()
        return sure

    @staticmethod
    def _accepted(dialog: QDialog) -> bool:
        fit_to_screen(dialog)
        accepted = dialog.exec() == QDialog.DialogCode.Accepted
        dialog.deleteLater()
        return accepted
