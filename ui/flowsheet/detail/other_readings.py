"""The other readings of a value as numbered chips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.kit.widgets import Chip, ElidedLabel, clear

CHIPS_IN_A_LINE = 4


class OtherReadings(QWidget):
    """Signals: `chosen` with the text of a reading."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(5)

    def show_readings(self, readings: Sequence[tuple[str, float]], *, with_probabilities: bool) -> None:
        """Shows readings, given best first, with or without their probabilities."""
        clear(self._lines)
        for start in range(0, len(readings), CHIPS_IN_A_LINE):
            holder = QWidget()
            line = QHBoxLayout(holder)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(5)
            if start == 0:
                also = ElidedLabel("small")
                also.setText("Also possible:")
                line.addWidget(also)
            for number, (text, probability) in enumerate(readings[start : start + CHIPS_IN_A_LINE], start + 1):
                choice = Chip(number, text, probability if with_probabilities else None)
                choice.clicked.connect(lambda _=False, text=text: self.chosen.emit(text))
                line.addWidget(choice)
            line.addStretch(1)
            self._lines.addWidget(holder)
        self.setVisible(bool(readings))

    @property
    def chips(self) -> list[Chip]:
        """The chips shown, in order."""
        lines = [item.widget() for item in map(self._lines.itemAt, range(self._lines.count())) if item]
        return [chip for line in lines if line for chip in line.findChildren(Chip)]

    def focus_first(self) -> None:
        """Moves the keyboard focus to the first chip."""
        first = next((chip for chip in self.findChildren(Chip) if chip.isVisible()), None)
        if first:
            first.setFocus(Qt.FocusReason.ShortcutFocusReason)
