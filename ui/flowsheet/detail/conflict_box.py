"""The other values that are charted in a value's place."""

from __future__ import annotations

import html
from collections.abc import Sequence
from datetime import UTC, datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.chart.records import ChartEntry, ReviewedValue
from extraction.flowsheet.schema import Row
from ui.flowsheet.range_words import ABNORMAL, judged_text, marked
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, label
from ui.kit.words import value_unit, value_words, when_text


class ConflictBox(QFrame):
    """Other values charted in a value's cell, including one that replaced it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("conflict")
        self.setAccessibleName("Conflict")
        self._theme = theme
        self._shown: tuple[Row, ReviewedValue, Sequence[ChartEntry]] | None = None
        theme.changed.connect(self._colour)
        self._title, self.words = label(role="conflict", wrap=True), label(role="small", wrap=True)
        self.words.setTextFormat(Qt.TextFormat.RichText)
        told = QVBoxLayout()
        told.setSpacing(1)
        told.addWidget(self._title)
        told.addWidget(self.words)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 7, 12, 8)
        layout.setSpacing(8)
        layout.addWidget(IconLabel(theme.icon("conflict", "conflict")), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(told, 1)
        self.hide()

    def show_conflict(self, row: Row, value: ReviewedValue, others: Sequence[ChartEntry]) -> None:
        """Shows the other values in the cell of a value; hidden if there are none."""
        self.setVisible(bool(others))
        if not others:
            return
        self._shown = row, value, others
        there = _marked(row, others[-1].value)
        replaced = value.replaced_by is not None
        own = others[-1].value.dictation_id == value.dictation_id
        charted = "Already in this dictation" if own else "Already charted at this time"
        self._title.setText(f"{'Replaced by' if replaced else f'{charted}:'} {there}")
        self._colour()
        spoken = "\n".join(standing_words(row, one) for one in others)
        self.setAccessibleDescription(f"{self._title.text()}. {spoken}")

    def _colour(self) -> None:
        """Writes the other values, abnormal ones in their colour."""
        if self._shown is None:
            return
        row, _, others = self._shown
        ink = self._theme.colour(ABNORMAL).name()
        lines = []
        for one in others:
            value, who = html.escape(_marked(row, one.value)), html.escape(_decided_words(one))
            if judged := judged_text(row, one.value.value):
                value = f"<span style='color:{ink}; font-weight:600'>{value} ({html.escape(judged)})</span>"
            lines.append(f"{value}, {who}")
        self.words.setText("<br>".join(lines))


def standing_words(row: Row, placed: ChartEntry) -> str:
    """A charted value in words: its judgement, its status, who decided on it and when, and its dictation."""
    judged = judged_text(row, placed.value.value)
    return f"{value_words(row, placed.value)}{f' ({judged})' if judged else ''}, {_decided_words(placed)}"


def _decided_words(placed: ChartEntry) -> str:
    value, filed = placed.value, " and filed" if placed.filed else ""
    when = when_text(value.reviewed_at, datetime.now(UTC))
    return f"{value.status}{filed} by {value.reviewer} at {when} ({placed.source})"


def _marked(row: Row, value: ReviewedValue) -> str:
    return marked(row, value.value, value_unit(row, value))
