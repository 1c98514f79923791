"""Dialogs to edit a patient, and to choose a bed for a transfer or readmission."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QFormLayout, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from app.chart.patient_identity import Identity, bed_key, bed_name, duplicate_of
from app.chart.records import Patient
from models.base.errors import InputError
from ui.kit.theme import Theme
from ui.kit.widgets import button, label
from ui.kit.words import identity_text
from ui.patients.patient_form import PatientForm


class EditPatientDialog(QDialog):
    """After acceptance, `entered` is the patient's corrected identity.

    Attributes:
        namesake: whether the user said that another patient of the same name and birth date is a different person.
    """

    def __init__(
        self, theme: Theme, patient: Patient, patients: Sequence[Patient], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Edit patient")
        self.setMinimumWidth(520)
        self.entered: Identity | None = None
        self.namesake = False
        self._patient, self._patients = patient, list(patients)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(12)
        layout.addWidget(label("Edit patient", "display"))
        layout.addWidget(label(identity_text(patient), "heading", wrap=True))
        self.form = PatientForm(Identity.of(patient))
        self.form.finished.connect(self._save)
        self.form.changed.connect(lambda: self._show_error(None))
        layout.addWidget(self.form)
        layout.addWidget(label("The change is recorded with your name and the time.", "small", wrap=True))
        self.error = label(role="error", wrap=True)
        layout.addWidget(self.error)
        layout.addStretch(1)
        self.other = button("Save as t&wo patients", tip="They are different people", clicked=self._save_namesake)
        self.cancel = button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject)
        self.save = button("&Save", kind="primary", tip="Save the change (Enter)", clicked=self._save)
        buttons = QHBoxLayout()
        buttons.addWidget(self.other)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        layout.addLayout(buttons)
        self._show_error(None)
        self.form.name.setFocus()

    def _save(self, *, namesake: bool = False) -> None:
        try:
            entered = self.form.identity()
            present = not self._patient.discharged
            same = duplicate_of(entered, self._patients, self._patient, namesake=namesake, present=present)
            if same:
                raise same
        except InputError as error:
            self._show_error(error)
            return
        self.entered, self.namesake = entered, namesake
        self.accept()

    def _save_namesake(self) -> None:
        self._save(namesake=True)

    def _show_error(self, error: InputError | None) -> None:
        self.error.setText(str(error) if error else "")
        self.error.setVisible(error is not None)
        self.other.setVisible(getattr(error, "shared", "") == "name")


class BedDialog(QDialog):
    """Asks for a bed. After acceptance, `bed` is a free bed, or `swap_with` is the patient to swap beds with.

    Args:
        readmitting: whether the patient is readmitted; there is then no bed to swap, and `bed` may be empty.
    """

    def __init__(
        self,
        theme: Theme,
        patient: Patient,
        patients: Sequence[Patient],
        parent: QWidget | None = None,
        *,
        readmitting: bool = False,
    ) -> None:
        super().__init__(parent)
        title = "Readmit" if readmitting else "Transfer to another bed"
        self.setWindowTitle(title)
        self.setMinimumWidth(460)
        self.bed = ""
        self.swap_with: Patient | None = None
        self._patient, self._readmitting = patient, readmitting
        self._others = [other for other in patients if other.id != patient.id and not other.discharged]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(12)
        layout.addWidget(label(title, "display"))
        layout.addWidget(label(identity_text(patient), "heading", wrap=True))
        self.field = QLineEdit(patient.bed if readmitting else "")
        self.field.textChanged.connect(self._update)
        form = QFormLayout()
        form.addRow("&Bed" if readmitting else "&New bed", self.field)
        layout.addLayout(form)
        self.taken = label(role="small-warning", wrap=True)
        layout.addWidget(self.taken)
        layout.addStretch(1)
        self.swap = button("S&wap beds", tip="Each patient moves to the other's bed", clicked=self._swap)
        self.cancel = button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject)
        self.save = button(
            "&Readmit" if readmitting else "&Transfer", kind="primary", tip=f"{title} (Enter)", clicked=self._save
        )
        self.field.returnPressed.connect(self._save)
        buttons = QHBoxLayout()
        buttons.addWidget(self.swap)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.save)
        layout.addLayout(buttons)
        self._update()
        self.field.setFocus()

    def _in_it(self) -> Patient | None:
        key = bed_key(self.field.text())
        return next((other for other in self._others if key and bed_key(other.bed) == key), None)

    def _update(self) -> None:
        there, text = self._in_it(), self.field.text()
        self.taken.setText(f"Bed {there.bed} is taken by {identity_text(there)}." if there else "")
        self.taken.setVisible(there is not None)
        self.swap.setVisible(there is not None and not self._readmitting and bool(self._patient.bed))
        changed = self._readmitting or (bool(bed_key(text)) and bed_key(text) != bed_key(self._patient.bed))
        self.save.setEnabled(there is None and changed)

    def _save(self) -> None:
        if self.save.isEnabled():
            self.bed = bed_name(self.field.text())
            self.accept()

    def _swap(self) -> None:
        self.swap_with = self._in_it()
        self.accept()
