"""How a value compares with the ranges of its row, and the request to confirm it anyway."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chart.records import ReviewedValue
from extraction.flowsheet.ranges import Caution, OutOfRangeValue
from extraction.flowsheet.schema import Row
from ui.flowsheet.range_words import confirmed_text, judged_text, marked
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, come_into_view, label
from ui.kit.words import row_unit


class AgainLine(QWidget):
    """Asks for a second confirmation, which the next key press gives if the question is visible."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._caution: Caution | None = None
        self.words = label(role="warning", wrap=True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(IconLabel(theme.icon("warning", "warning")), 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.words, 1)
        self.hide()

    def ask(self, error: OutOfRangeValue, key: str) -> None:
        """Asks to press `key` again to confirm the value that was refused."""
        self._caution = error.caution
        self.words.setText(f"{error.what} Press {key} again to confirm.")
        self.show()
        come_into_view(self, with_room=True)

    @property
    def caution(self) -> Caution | None:
        """What the visible question asks to confirm; None if it is scrolled out of view."""
        return None if self.words.visibleRegion().isEmpty() else self._caution

    def forget(self) -> None:
        self._caution = None
        self.hide()


class RangeLine(QWidget):
    """Whether a value is low or high, what is normal, and who confirmed it anyway."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.judged, self.confirmed = label(role="abnormal", wrap=True), label(role="small", wrap=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(1)
        layout.addWidget(self.judged)
        layout.addWidget(self.confirmed)
        self.hide()

    def show_value(self, row: Row, value: ReviewedValue) -> None:
        """Shows the judgement of a value; hidden if it is not abnormal and was not confirmed despite its ranges."""
        judged, confirmed = judged_text(row, value.value), confirmed_text(row, value)
        self.judged.setText(f"{marked(row, value.value, row_unit(row))}   {judged}" if judged else "")
        self.confirmed.setText(f"{confirmed[:1].upper()}{confirmed[1:]} by {value.reviewer}" if confirmed else "")
        self.judged.setVisible(bool(judged))
        self.confirmed.setVisible(bool(confirmed))
        self.setVisible(bool(judged or confirmed))
