"""Replaces a flowsheet without values: says that none were found, and what to do next."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from ui.kit.keys import action_of
from ui.kit.theme import Theme
from ui.kit.widgets import button, key_hint, label

_NEXT = (
    "Read the transcript: is anything missing?",
    "Add a row for anything said but not charted (Ctrl+F).",
    "Dictate again if the recording is incomplete or unclear.",
    "Recorded by mistake? Delete it from the list of dictations.",
    "Nothing to chart? Sign without values: File asks first (F).",
)


class NoValues(QWidget):
    """Says that no values were found.

    Signals:
        add_asked: add a row by hand.
        asked: a key of the flowsheet was pressed (the name of its action, see `ui.kit.keys`).
    """

    add_asked = Signal()
    asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("No values found")
        title = label("No values found", "display", wrap=True)
        self._lines = [title, *(label(f"•  {words}", "muted", wrap=True) for words in _NEXT)]
        self.add = button(
            "Add a row…", theme.icon("add"), tip="Search the flowsheet and add a value", clicked=self.add_asked.emit
        )
        key_hint(self.add, "Ctrl+F")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 22, 28, 18)
        layout.setSpacing(9)
        for line in self._lines:
            layout.addWidget(line)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add)
        buttons.addStretch(1)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        layout.addStretch(1)
        self.setFocusProxy(self.add)

    @property
    def text(self) -> str:
        """All words shown."""
        return "\n".join(line.text() for line in self._lines)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = action_of(event)
        if action and event.key() not in (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.asked.emit(action)
            return
        super().keyPressEvent(event)
