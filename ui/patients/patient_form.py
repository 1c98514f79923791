"""Form for a patient's identity; shows in words how the date of birth was understood."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.chart.patient_identity import Identity, complete, refuse_impossible, today
from extraction.language.birth_dates import birth_dates
from models.base.errors import InputError
from ui.kit.widgets import label
from ui.kit.words import date_text


class PatientForm(QWidget):
    """Signals: `changed` on every change; `finished` on Enter in a field."""

    changed = Signal()
    finished = Signal()

    def __init__(self, identity: Identity | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        known = identity or Identity("")
        self.name, self.born, self.mrn, self.bed = (
            QLineEdit(text) for text in (known.name, known.birth_date, known.mrn, known.bed)
        )
        self.born.setPlaceholderText("such as 3 Feb 1950 or 1950-02-03")
        self.temporary = QCheckBox("&Temporary number (patient not identified yet)")
        self.temporary.setChecked(known.temporary)
        self.understood = label(role="small")
        self.readings = [QRadioButton(), QRadioButton()]
        self._days: tuple[str, ...] = ()
        self._only_one = QButtonGroup(self)
        meaning = QHBoxLayout()
        meaning.setContentsMargins(0, 0, 0, 0)
        meaning.addWidget(self.understood)
        for reading in self.readings:
            self._only_one.addButton(reading)
            reading.toggled.connect(self.changed)
            meaning.addWidget(reading)
        meaning.addStretch(1)
        birth = QVBoxLayout()
        birth.setSpacing(2)
        birth.addWidget(self.born)
        birth.addLayout(meaning)
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignRight)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
        form.addRow("&Name or alias", self.name)
        form.addRow("&Date of birth", birth)
        form.addRow("&MRN", self.mrn)
        form.addRow("", self.temporary)
        form.addRow("&Bed", self.bed)
        date_label = form.labelForField(birth)
        date_label.setBuddy(self.born)  # type: ignore[attr-defined]
        self.born.setAccessibleName("Date of birth")
        for field in (self.name, self.born, self.mrn, self.bed):
            field.textChanged.connect(self.changed)
            field.returnPressed.connect(self.finished)
        self.temporary.toggled.connect(self.changed)
        self.born.textChanged.connect(self._understand)
        self._understand()

    @property
    def begun(self) -> bool:
        """True if anything is entered."""
        return any(field.text().strip() for field in (self.name, self.born, self.mrn, self.bed))

    def identity(self) -> Identity:
        """The identity entered. Raises InputError if it is incomplete or the date of birth invalid or ambiguous."""
        entered = Identity(
            self.name.text(), self.bed.text(), self.mrn.text(), self._birth_date(), self.temporary.isChecked()
        )
        return complete(entered)

    def _birth_date(self) -> str:
        if not self.born.text().strip():
            return ""
        days = self._days or birth_dates(self.born.text())
        if len(days) == 1:
            return days[0]
        for day, reading in zip(days, self.readings, strict=True):
            if reading.isChecked():
                return day
        raise InputError(f"“{self.born.text().strip()}” could be two dates.", "Choose the correct one.")

    def _understand(self) -> None:
        text = self.born.text().strip()
        try:
            self._days = _in_the_order_of_this_computer(birth_dates(text)) if text else ()
            for day in self._days:
                refuse_impossible(day)
            words = f"{date_text(self._days[0])} · {_age(self._days[0])}" if len(self._days) == 1 else ""
            self.understood.setText("Which one?" if len(self._days) > 1 else words)
        except InputError as error:
            self.understood.setText(error.what if len(text) >= len("3/2/1950") else "")
            if len(self._days) > 1:
                self._days = tuple(day for day in self._days if _possible(day))
        self._only_one.setExclusive(False)
        for place, reading in enumerate(self.readings):
            reading.setVisible(len(self._days) > 1)
            if len(self._days) > 1:
                reading.setText(date_text(self._days[place]))
            reading.setChecked(False)  # the person says which one
        self._only_one.setExclusive(True)
        self.understood.setVisible(bool(self.understood.text()))


def _order() -> str | None:
    """'d' or 'm', whichever comes first in this computer's dates; None if the year does."""
    written = QLocale().dateFormat(QLocale.FormatType.ShortFormat).casefold()
    places = {part: written.find(part) for part in "ymd"}
    first = min(places, key=lambda part: places[part])
    return None if first == "y" else first


def _in_the_order_of_this_computer(days: Sequence[str]) -> tuple[str, ...]:
    return tuple(reversed(days)) if _order() == "m" else tuple(days)


def _possible(day: str) -> bool:
    try:
        refuse_impossible(day)
    except InputError:
        return False
    return True


def _age(birth_date: str) -> str:
    year, month, day = map(int, birth_date.split("-"))
    on = today()
    years = on.year - year - ((on.month, on.day) < (month, day))
    return f"{years} years old" if years >= 2 else "under 2 years old"
