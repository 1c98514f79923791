"""Chooses and adds patients, and changes them from the lists and menus: edit, transfer, discharge, readmit."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from app.chart.patient_identity import OpenDictations
from app.chart.records import Patient
from app.services.engine.job_lanes import Job
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.navigation import Navigation
from ui.controllers.signing_controller import unless_unsigned
from ui.dialogs.patient import PatientDialog
from ui.dialogs.patient_change import BedDialog, EditPatientDialog
from ui.dialogs.questions import ask_to_discharge
from ui.kit.actions import BY_ID
from ui.kit.responsive_layout import accepted
from ui.kit.words import identity_text, place_text
from ui.patients.patient_list import PatientList


class PatientController(Controller):
    """Asks the user, calls the workbench and reports the result; changes use the chosen patient if none is given."""

    def __init__(self, context: WindowContext, navigation: Navigation, patients: PatientList) -> None:
        super().__init__(context)
        self._navigation = navigation
        patients.menu_asked.connect(self._open_menu)

    # choosing

    def add(self) -> None:
        """Lets the user add a patient, who is chosen once stored."""
        self.ask(adding=True)

    def ask(self, then: Callable[[], object] | None = None, *, adding: bool = False) -> bool:
        """Lets the user choose or add a patient. True if a known one was chosen; a new one is chosen once stored.

        Args:
            then: called once the patient, known or new, is chosen.
            adding: begins with the form of a new patient.
        """
        if not self._workbench.ready:
            return False
        patients, current = self._selection.overview.patients, self._selection.patient
        dialog = PatientDialog(self._theme, patients, self._parent, current=current, adding=adding)
        if not accepted(dialog):
            return False
        if dialog.chosen:
            self._navigation.choose_patient(dialog.chosen)
            if then:
                then()
            return True
        if dialog.entered:
            self._store(self._workbench.patients.add(dialog.entered, namesake=dialog.namesake), then)
        return False

    def choose_sample(self, then: Callable[[], object]) -> None:
        """Goes to the patient of the sample dictation, then calls `then`."""
        self._store(self._workbench.patients.sample(), then)

    def _store(self, job: Job[None, Patient], then: Callable[[], object] | None) -> None:
        """Goes to the patient once stored, then calls `then`."""

        def stored(patient: Patient) -> None:
            self._navigation.load_overview()
            self._navigation.choose_patient(patient)
            if then:
                then()

        self._jobs.watch(job, done=stored, failed=self._message.show_error)

    # changes

    def _open_menu(self, patient: Patient, place: QPoint) -> None:
        """Opens the context menu of a patient."""
        menu = QMenu(self._parent)
        if patient.discharged:
            menu.addAction(self._theme.icon("undo"), BY_ID["readmit"].text, lambda: self.readmit(patient))
        menu.addAction(self._theme.icon("edit"), BY_ID["edit-patient"].text, lambda: self.edit(patient))
        if not patient.discharged:
            menu.addAction(BY_ID["transfer"].text, lambda: self.transfer(patient))
            menu.addSeparator()
            menu.addAction(BY_ID["discharge"].text, lambda: self.discharge(patient))
        menu.setAccessibleName(f"Patient {patient.name}")
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def edit(self, patient: Patient | None = None) -> None:
        """Lets the user correct name, birth date, MRN and bed."""
        if not (patient := patient or self._selection.patient):
            return
        dialog = EditPatientDialog(self._theme, patient, self._selection.overview.patients, self._parent)
        if accepted(dialog) and dialog.entered:
            entered, namesake = dialog.entered, dialog.namesake
            unless_unsigned(lambda: self._change(self._workbench.patients.edit(patient, entered, namesake=namesake)))

    def transfer(self, patient: Patient | None = None) -> None:
        """Asks for another bed; if that is taken, the two patients can swap beds."""
        if not (patient := patient or self._selection.patient) or patient.discharged:
            return
        dialog = BedDialog(self._theme, patient, self._selection.overview.patients, self._parent)
        if not accepted(dialog):
            return
        if dialog.swap_with:
            other = dialog.swap_with
            unless_unsigned(lambda: self._change(self._workbench.patients.swap(patient, other)))
        else:
            unless_unsigned(lambda: self._change(self._workbench.patients.transfer(patient, dialog.bed)))

    def discharge(self, patient: Patient | None = None) -> None:
        """Asks for confirmation and discharges the patient, unless a recording about them is running."""
        if not (patient := patient or self._selection.patient) or patient.discharged:
            return
        recording = self._recorder.recording
        if recording and recording.patient.id == patient.id:
            self._message.show_message(
                "warning", f"A recording about {patient.name} is running.", "Finish it, then discharge the patient."
            )
        elif ask_to_discharge(
            self._parent,
            patient,
            "The patient leaves the lists; the charts stay readable, and nothing new can be recorded until the patient "
            "is readmitted.",
            "&Discharge",
        ):
            unless_unsigned(lambda: self._change(self._workbench.patients.discharge(patient)))

    def readmit(self, patient: Patient | None = None) -> None:
        """Asks for a free bed and begins a new stay of a discharged patient."""
        if not (patient := patient or self._selection.patient) or not patient.discharged:
            return
        dialog = BedDialog(self._theme, patient, self._selection.overview.patients, self._parent, readmitting=True)
        if accepted(dialog):
            unless_unsigned(lambda: self._change(self._workbench.patients.readmit(patient, dialog.bed)))

    def _change(self, job: Job[Patient, Patient]) -> None:
        self._jobs.watch(job, done=partial(self._changed, job.subject), failed=partial(self._not_changed, job.subject))

    def _changed(self, before: Patient, after: Patient) -> None:
        """Reports the change."""
        if before.discharged != after.discharged:
            what = f"{after.name} is {'discharged' if after.discharged else 'readmitted'}."
        elif before.bed != after.bed and before.name == after.name:
            what = f"{after.name} is in {place_text(after)} now." if after.bed else f"{after.name} now has no bed."
        else:
            what = f"Saved: {identity_text(after)}."
        self._message.show_message("done", what)
        self._navigation.load_overview()

    def _not_changed(self, patient: Patient, error: WardlightError) -> None:
        """Shows why a change failed; asks whether to discharge anyway if dictations are not filed."""
        if isinstance(error, OpenDictations):
            words = f"{error.what} They stay readable and you can still file them."
            if ask_to_discharge(self._parent, patient, words, "Discharge &anyway"):
                unless_unsigned(lambda: self._change(self._workbench.patients.discharge(patient, anyway=True)))
        else:
            self._message.show_error(error)
            self._navigation.load_overview()
