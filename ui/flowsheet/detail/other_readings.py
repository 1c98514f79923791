"""The other readings of a value as numbered chips."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.kit.widgets import Chip, clear, label

_SPACE = 5


class OtherReadings(QWidget):
    """As many chips in a line as fit.

    Signals: `chosen` with the text of a reading.
    """

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = QVBoxLayout(self)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(_SPACE)
        self._readings: tuple[str, ...] = ()

    def show_readings(self, readings: Sequence[str]) -> None:
        """Shows readings, given best first."""
        self._readings = tuple(readings)
        self._fill()
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width() and len(self._readings) > 1:
            self._fill()

    def _fill(self) -> None:
        """Puts the chips into lines, and the number keys in their order."""
        clear(self._lines)
        if not self._readings:
            return
        self._lines.addWidget(label("Also possible:", "small"))
        line, left = self._new_line(), self.width()
        for number, text in enumerate(self._readings, start=1):
            chip = Chip(number, text)
            chip.clicked.connect(lambda _=False, text=text: self.chosen.emit(text))
            chip.ensurePolished()
            taken = chip.sizeHint().width() + _SPACE
            if taken > left and number > 1:
                line, left = self._new_line(), self.width()
            line.insertWidget(line.count() - 1, chip)
            left -= taken

    def _new_line(self) -> QHBoxLayout:
        holder = QWidget()
        line = QHBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(_SPACE)
        line.addStretch(1)
        self._lines.addWidget(holder)
        return line
