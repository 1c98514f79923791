"""Whose recording it is: choose a patient, or add one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.records import Patient
from ui.parts import button, label, rule
from ui.theme import Theme


class PatientDialog(QDialog):
    """After it was accepted, either `chosen` is a known patient, or `entered` is name, bed and MRN of another."""

    def __init__(self, theme: Theme, patients: Sequence[Patient], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Patient")
        self.setMinimumSize(520, 540)
        self.chosen: Patient | None = None
        self.entered: tuple[str, str, str] | None = None
        self._patients = list(patients)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 18)
        layout.setSpacing(10)
        layout.addWidget(label("Which patient?", "display"))
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search by name, bed or MRN")
        self.search.setAccessibleName("Search patients")
        self.search.setClearButtonEnabled(True)
        self.search.addAction(theme.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textChanged.connect(self._fill)
        layout.addWidget(self.search)
        self.list = QListWidget()
        self.list.setAccessibleName("Known patients")
        self.list.itemActivated.connect(self._choose)
        self.list.currentItemChanged.connect(self._update)
        layout.addWidget(self.list, 1)
        self.choose = button("&Choose", kind="primary", tip="Choose the marked patient (Enter)", clicked=self._choose)
        layout.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(rule())

        layout.addWidget(label("Someone new", "title"))
        self.name, self.bed, self.mrn = QLineEdit(), QLineEdit(), QLineEdit()
        self.name.setPlaceholderText("as the ward calls them")
        form = QFormLayout()
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        for text, field in (("&Name or alias", self.name), ("&Bed", self.bed), ("&MRN", self.mrn)):
            form.addRow(text, field)
            field.textChanged.connect(self._update)
            field.returnPressed.connect(self._add)
        layout.addLayout(form)
        self.add = button("&Add patient", theme.icon("add"), tip="Add this patient and choose them", clicked=self._add)
        self.cancel = button("Cancel", tip="Go back without a change (Esc)", clicked=self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.add)
        layout.addLayout(buttons)
        self.search.returnPressed.connect(self._choose)
        self._fill()
        (self.search if self._patients else self.name).setFocus()

    def _fill(self) -> None:
        self.list.clear()
        words = self.search.text().casefold().split()
        for patient in self._patients:
            identity = f"{patient.name}   ·   Bed {patient.bed or '–'}   ·   MRN {patient.mrn or '–'}"
            if all(word in identity.casefold() for word in words):
                item = QListWidgetItem(identity, self.list)
                item.setData(Qt.ItemDataRole.UserRole, patient)
        self.list.setCurrentRow(0)
        self._update()

    def _update(self) -> None:
        self.choose.setEnabled(self.list.currentItem() is not None)
        self.add.setEnabled(bool(self.name.text().strip()))

    def _choose(self) -> None:
        item = self.list.currentItem()
        if item:
            self.chosen = item.data(Qt.ItemDataRole.UserRole)
            self.accept()

    def _add(self) -> None:
        if self.name.text().strip():
            self.entered = (self.name.text().strip(), self.bed.text().strip(), self.mrn.text().strip())
            self.accept()
