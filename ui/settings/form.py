"""Fields of a settings page in a column."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from ui.kit.widgets import label


class Form(QWidget):
    """Fields in a column, each with its name on the left and an explanation below."""

    def __init__(self) -> None:
        super().__init__()
        self._notes: dict[QWidget, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 8, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)

    def add(self, words: str, field: QWidget, about: str, *, beside: QWidget | None = None, tall: bool = False) -> None:
        """Adds a field.

        Args:
            words: its name; empty for a field that shows its own.
            about: the explanation below it.
            beside: a widget on its right.
            tall: whether it has several lines, so that its name stands beside the first one.
        """
        row = self._grid.rowCount()
        if words:
            name = QLabel(words)
            name.setBuddy(field)
            field.setAccessibleName(words.replace("&", ""))
            height = Qt.AlignmentFlag.AlignTop if tall else Qt.AlignmentFlag.AlignVCenter
            name.setAlignment(Qt.AlignmentFlag.AlignRight | height)
            name.setContentsMargins(0, 7 if tall else 0, 0, 0)  # aligns with the first line of the field
            self._grid.addWidget(name, row, 0)
        self._grid.addWidget(field, row, 1, 1, 1 if beside else 2)
        if beside:
            self._grid.addWidget(beside, row, 2)
        note = self._notes[field] = label("", "small", wrap=True)
        note.setContentsMargins(0, 0, 0, 10)
        self._grid.addWidget(note, row + 1, 1, 1, 2)
        self.explain(field, about)

    def explain(self, field: QWidget, about: str) -> None:
        """Changes the explanation below a field."""
        field.setAccessibleDescription(about)
        field.setToolTip(about)
        self._notes[field].setText(about)

    def end(self) -> None:
        """Puts the remaining room below the last field."""
        self._grid.setRowStretch(self._grid.rowCount(), 1)


def choices(words: dict[Any, str]) -> QComboBox:
    """A box with choices, by what each one stands for."""
    box = QComboBox()
    for value, text in words.items():
        box.addItem(text, value)
    return box
