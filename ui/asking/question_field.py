"""The field of a question, with the questions asked before."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from ui.kit.theme import Theme
from ui.kit.widgets import show_as_search

PLACEHOLDER = "Ask, e.g. “urine below 30 mL/h since midnight”"
_LONGEST = 400  # characters


class QuestionField(QLineEdit):
    """Up and Down go through the questions of this session, and back to what was being typed.

    Signals:
        left: Down was pressed at the latest question, below which is the answer.
    """

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(PLACEHOLDER)
        self.setAccessibleName("Question about the ward")
        self.setAccessibleDescription("Enter asks; Up and Down bring earlier questions back")
        self.setMaxLength(_LONGEST)
        show_as_search(self, theme.icon("search", "muted"))
        self.asked: list[str] = []
        self._at = 0
        self._draft = ""
        self.textEdited.connect(self._type)

    def remember(self, question: str) -> None:
        """Adds a question to those that were asked; the last place is its own."""
        if question in self.asked:
            self.asked.remove(question)
        self.asked.append(question)
        self._at, self._draft = len(self.asked), ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if step is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
            return
        at = self._at + step
        if self._at == len(self.asked) and step < 0 and self.asked and self.text() == self.asked[-1]:
            at -= 1  # that one is there already
        if step > 0 and self.text() == (self.asked[-1] if self.asked else ""):
            self.left.emit()
        elif 0 <= at <= len(self.asked):
            self._at = at
            self.setText(self.asked[at] if at < len(self.asked) else self._draft)

    def _type(self, text: str) -> None:
        self._at, self._draft = len(self.asked), text
