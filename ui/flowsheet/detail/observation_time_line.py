"""The observation time below a value's editor: the minute, which can be corrected, and the words it was read from."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QDateTimeEdit, QHBoxLayout, QVBoxLayout, QWidget

from app.chart.records import KEPT, Dictation, ReviewedValue
from ui.flowsheet.editors import DATE_TIME
from ui.kit.widgets import label
from ui.kit.words import local_minute, when_said


class ObservedLine(QWidget):
    """One line, hidden for values observed at the time of the dictation.

    Signals:
        changed: the person chose another minute.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[Dictation, ReviewedValue] | None = None
        self._entered = False
        self.picker = QDateTimeEdit()
        self.picker.setDisplayFormat("d MMM yyyy  HH:mm")
        self.picker.setCalendarPopup(True)
        self.picker.setCorrectionMode(QAbstractSpinBox.CorrectionMode.CorrectToNearestValue)
        self.picker.setAccessibleName("Observed at")
        self.picker.setMinimumWidth(190)
        self.picker.dateTimeChanged.connect(self._enter)
        self.words = label(role="small", wrap=True)
        line = QHBoxLayout()
        line.addWidget(label("Observed", "small"))
        line.addWidget(self.picker)
        line.addStretch(1)
        lines = QVBoxLayout(self)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(3)
        lines.addLayout(line)
        lines.addWidget(self.words)

    @property
    def observed_at(self) -> str | None:
        """The minute that the person chose; KEPT if none."""
        return self.picker.dateTime().toString(DATE_TIME) if self._entered else KEPT

    def show_value(self, dictation: Dictation, value: ReviewedValue, entered: str | None = KEPT) -> None:
        """Shows the observation time of a value, or the unsaved minute `entered`."""
        self._shown = (dictation, value)
        timing = value.filled.timing if value.filled else None
        self.setVisible(bool(timing or value.observed_at))
        shown = (entered or value.observed_at) or local_minute(dictation.created_at)
        self.picker.blockSignals(True)
        self.picker.setDateTime(QDateTime.fromString(shown, DATE_TIME))
        self.picker.blockSignals(False)
        self._entered = entered != KEPT
        self.words.setText(when_said(timing, value.observed_at) if timing else "")
        self.words.setVisible(bool(self.words.text()))

    def reset(self) -> None:
        """Shows the saved observation time again."""
        if self._shown:
            self.show_value(*self._shown)

    def _enter(self) -> None:
        self._entered = True
        self.changed.emit()
