"""A short question with its answers as buttons, in the window's own look."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from ui.kit.responsive_layout import accepted
from ui.kit.widgets import button, label, restyle

_WIDTH = 440
T = TypeVar("T")


class Question(QDialog):
    """A question with its answers as buttons; Esc and the last button leave it unanswered.

    Attributes:
        answer: the words of the chosen button; empty if none was.
        buttons: by their words, in the order shown.
    """

    def __init__(self, question: str, words: str, answers: tuple[str, ...], leave: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Wardlight")
        self.setAccessibleName(question)
        self.setAccessibleDescription(words)
        self.question, self.words, self.answer = question, words, ""
        self.buttons: dict[str, QPushButton] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(label(question, "title", wrap=True))
        layout.addWidget(label(words, wrap=True))
        layout.addSpacing(8)
        below = QHBoxLayout()
        below.addStretch(1)
        for one in (*answers, leave):
            self.buttons[one] = button(one, clicked=partial(self._choose, "" if one == leave else one))
            self.buttons[one].setAutoDefault(True)  # Enter belongs to the button that has the focus
            below.addWidget(self.buttons[one])
        layout.addLayout(below)
        width = max(_WIDTH, layout.minimumSize().width())
        self.resize(width, layout.totalHeightForWidth(width))  # a dialog's own hint cuts wrapped text off

    def set_default(self, answer: str) -> None:
        """Makes Enter choose an answer; it gets the focus and the colour of a main button."""
        restyle(self.buttons[answer], "kind", "primary")
        self.buttons[answer].setDefault(True)
        self.buttons[answer].setFocus()

    def _choose(self, answer: str) -> None:
        self.answer = answer
        self.done(QDialog.DialogCode.Accepted if answer else QDialog.DialogCode.Rejected)


def ask(
    parent: QWidget, question: str, words: str, answers: Mapping[str, T], *, default: str = "", leave: str = "Cancel"
) -> T | None:
    """Asks a question; None if it was left unanswered. Enter chooses `default`, which is the safe answer.

    Args:
        answers: what each answer means, by the words of its button.
        default: one of the answers; leaving the question if empty.
    """
    dialog = Question(question, words, tuple(answers), leave, parent)
    dialog.set_default(default or leave)
    return answers[dialog.answer] if accepted(dialog) else None
