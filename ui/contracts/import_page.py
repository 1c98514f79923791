"""The base of all steps of the import from a record system."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.services.contracts.jobs import ReadExport
from ui.kit.widgets import label


class ImportPage(QWidget):
    """One step.

    Signals:
        changed: `ready`, `state` or `forward_words` may have changed.
        answered: a person answered questions (answer by question); they are kept at once.
        decided: the same, of what decides so much that the exports are read again at once.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    about: ClassVar[str]
    changed = Signal()
    answered = Signal(object)
    decided = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(8)
        self.body.addWidget(label(self.title, "display"))
        self.body.addWidget(label(self.about, "muted", wrap=True))

    @property
    def ready(self) -> bool:
        """Whether the next step can be taken."""
        return True

    @property
    def state(self) -> str:
        """The state of this step in a few words."""
        return ""

    @property
    def forward_words(self) -> str:
        """The words of the button that goes on."""
        return "&Next"

    @property
    def first(self) -> QWidget | None:
        """The widget that gets the keyboard focus when the page is shown; None for the button that goes on."""
        return None

    def show_read(self, read: ReadExport) -> None:
        """Shows what was read of the exports."""

    def forward(self) -> bool:
        """Goes on within the page; False if the next step is to be shown."""
        return False

    def backward(self) -> bool:
        """Goes back within the page; False if the step before is to be shown."""
        return False
