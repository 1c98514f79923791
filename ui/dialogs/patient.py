"""Dialog to choose a patient or add a new one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.chart.patient_identity import Identity, duplicate_of, is_incomplete
from app.chart.records import Patient
from models.base.errors import InputError
from ui.kit.theme import Theme
from ui.kit.widgets import button, label, rule, show_as_search
from ui.kit.words import INCOMPLETE, identity_text
from ui.patients.patient_form import PatientForm
from ui.patients.patient_search import search_patients


class PatientDialog(QDialog):
    """After acceptance, either `chosen` is a known patient, or `entered` is a new one.

    Args:
        current: the patient who is shown, and initially chosen; None if no patient is chosen.
        adding: begins with the form of a new patient.

    Attributes:
        namesake: whether the user said that `entered` is not the known patient of the same name and birth date.
    """

    def __init__(
        self,
        theme: Theme,
        patients: Sequence[Patient],
        parent: QWidget | None = None,
        *,
        current: Patient | None = None,
        adding: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Patient")
        self.setMinimumSize(600, 640)
        self.chosen: Patient | None = None
        self.entered: Identity | None = None
        self.namesake = False
        self._patients = list(patients)
        self._same: Patient | None = None
        self._current = current
        self._carried = ""  # what was searched for in vain and stands as the name of a new patient
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("Which patient?", "display"))
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search by name, date of birth, MRN or bed")
        self.search.setAccessibleName("Search patients")
        show_as_search(self.search, theme.icon("search", "muted"))
        self.search.textChanged.connect(self._fill)
        layout.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName("Patients")
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemActivated.connect(self._choose)
        self.list.currentItemChanged.connect(self._update)
        layout.addWidget(self.list, 1)
        self.none = label("", "small", wrap=True)
        layout.addWidget(self.none)
        self.discharged = QCheckBox("&Show discharged")
        self.discharged.setVisible(any(patient.discharged for patient in self._patients))
        self.discharged.toggled.connect(self._fill)
        self.choose = button("&Choose", kind="primary", tip="Choose the selected patient (Enter)", clicked=self._choose)
        below = QHBoxLayout()
        below.addWidget(self.discharged)
        below.addStretch(1)
        below.addWidget(self.choose)
        layout.addLayout(below)
        layout.addWidget(rule())

        layout.addWidget(label("New patient", "title"))
        self.form = PatientForm()
        self.name, self.born, self.mrn, self.bed = self.form.name, self.form.born, self.form.mrn, self.form.bed
        self.form.changed.connect(self._update)
        self.form.finished.connect(self._add)
        layout.addWidget(self.form)
        self.error = label(role="error", wrap=True)
        layout.addWidget(self.error)
        self.open_same = button("", tip="Choose the existing patient", clicked=self._choose_same)
        self.other = button("Add as &another person", tip="They are different people", clicked=self._add_namesake)
        self.add = button("&Add patient", theme.icon("add"), tip="Add and choose this patient", clicked=self._add)
        self.cancel = button("Cancel", tip="Cancel without changes (Esc)", clicked=self.reject)
        buttons = QHBoxLayout()
        buttons.addWidget(self.open_same)
        buttons.addWidget(self.other)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.add)
        layout.addLayout(buttons)
        self.search.returnPressed.connect(self._choose)
        self._fill()
        (self.name if adding or not self._patients else self.search).setFocus()

    def _fill(self) -> None:
        self.list.clear()
        typed = " ".join(self.search.text().split())
        hidden = 0
        for patient in search_patients(self._patients, typed):
            if patient.discharged and not self.discharged.isChecked():
                hidden += 1
                continue
            identity = identity_text(patient) + (f" · {INCOMPLETE}" if is_incomplete(patient) else "")
            item = QListWidgetItem(identity, self.list)
            item.setData(Qt.ItemDataRole.UserRole, patient)
            item.setToolTip(identity)
        same = [place for place, one in enumerate(self._listed) if self._current and one.id == self._current.id]
        # without a search nobody else is chosen, so that Enter does not choose a patient by accident
        self.list.setCurrentRow(0 if typed else same[0] if same else -1)
        self._carry(typed if not self.list.count() and not any(map(str.isdigit, typed)) else "")
        more = f" {hidden} discharged." if hidden else ""
        self.none.setText(f"No patient matches “{typed}”.{more}")
        self.none.setVisible(bool(typed) and self.list.count() == 0)
        self._update()

    @property
    def _listed(self) -> list[Patient]:
        items = map(self.list.item, range(self.list.count()))
        return [item.data(Qt.ItemDataRole.UserRole) for item in items]

    def _carry(self, name: str) -> None:
        """Copies a name that matches no patient into the form, unless another one was typed there."""
        if self.name.text() == self._carried:
            self.name.setText(name)
            self._carried = name

    def _update(self) -> None:
        self.choose.setEnabled(self.list.currentItem() is not None)
        self.add.setEnabled(bool(self.name.text().strip()))
        self._show_error(None)

    def _choose(self) -> None:
        item = self.list.currentItem()
        if item:
            self.chosen = item.data(Qt.ItemDataRole.UserRole)
            self.accept()

    def _add(self, *, namesake: bool = False) -> None:
        if not self.name.text().strip():
            return
        try:
            entered = self.form.identity()
            if same := duplicate_of(entered, self._patients, namesake=namesake):
                raise same
        except InputError as error:
            self._show_error(error)
            return
        self.entered, self.namesake = entered, namesake
        self.accept()

    def _add_namesake(self) -> None:
        self._add(namesake=True)

    def _choose_same(self) -> None:
        self.chosen = self._same
        self.accept()

    def _show_error(self, error: InputError | None) -> None:
        self._same = getattr(error, "patient", None)
        shared = getattr(error, "shared", "")
        self.error.setText(str(error) if error else "")
        self.error.setVisible(error is not None)
        self.open_same.setVisible(self._same is not None and shared != "bed")
        self.open_same.setText(f"&Open {self._same.name}" if self._same else "")
        self.other.setVisible(shared == "name")
