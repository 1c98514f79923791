"""The other undecided values of the sentence that a value was read from, to accept all of it at once."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chart.records import ReviewedValue
from app.chart.sheet import Sheet
from ui.flowsheet.range_words import marked
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, clear, key_hint, label
from ui.kit.words import time_text, value_unit


class SameSentence(QWidget):
    """Hidden unless there are others.

    Attributes:
        ids: the values that would be accepted together, the one shown in the pane among them.

    Signals:
        accept_asked: accept all of them.
    """

    accept_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.ids: tuple[int, ...] = ()
        self._lines = QVBoxLayout()
        self._lines.setSpacing(3)
        self.accept = button("Accept all", theme.icon("accept-all", "confirmed"), clicked=self.accept_asked.emit)
        key_hint(self.accept, "S")
        head = QHBoxLayout()
        head.addWidget(label("Same sentence:", "small"), 1)
        head.addWidget(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addLayout(self._lines)
        self.hide()

    @property
    def on_screen(self) -> bool:
        """Whether all of it is in sight."""
        return self.visibleRegion().boundingRect().height() >= self.height()

    def show_values(self, sheet: Sheet | None, values: Sequence[ReviewedValue]) -> None:
        """Shows the values that can be accepted together; the first one is shown in the pane already."""
        self.ids = tuple(value.id for value in values)
        clear(self._lines)
        self.setVisible(len(values) > 1)
        if sheet is None or len(values) < 2:
            return
        reasons, plain = sheet.reasons, []
        for value in values[1:]:
            row, why = sheet.schema.row(value.row_id), reasons.get(value.id, ())
            text = f"{row.name}: {marked(row, value.value, value_unit(row, value))}"
            if value.observed_at:
                text += f", {time_text(value.observed_at, sheet.dictation.created_at)}"
            if why:
                self._lines.addWidget(self._lit(f"{text} ({'; '.join(why)})"))
            else:
                plain.append(text)
        if plain:
            self._lines.addWidget(label(" · ".join(plain), wrap=True))
        tip = f"Accept these {len(values)} values together (S)"
        self.accept.setToolTip(tip)
        self.accept.setAccessibleDescription(tip)
        self.accept.setText(f"Accept all {len(values)}")

    def _lit(self, text: str) -> QWidget:
        line = QWidget()
        words = QHBoxLayout(line)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(6)
        words.addWidget(IconLabel(self._theme.icon("lit", "lit"), 15), 0, Qt.AlignmentFlag.AlignTop)
        words.addWidget(label(text, "lit", wrap=True), 1)
        return line
