"""Scores and balances calculated from the values, shown below the flowsheet with their arithmetic."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from app.chart.computed_rows import Score, arithmetic, is_confirmed, state
from app.chart.sheet import Sheet
from ui.flowsheet.range_words import is_abnormal, judged_text, marked
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, label
from ui.kit.words import time_text, unit_text

_SHOWN = 5


class Scores(QWidget):
    """One line per score; hidden without scores. They need no decisions, since a score follows its components."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines = QGridLayout(self)
        self._lines.setContentsMargins(16, 7, 16, 7)
        self._lines.setHorizontalSpacing(10)
        self._lines.setVerticalSpacing(3)
        self._lines.setColumnStretch(3, 1)
        self._scores: tuple[Score, ...] = ()
        self.setAccessibleName("Calculated from the flowsheet")
        self.hide()

    def show_sheet(self, sheet: Sheet) -> None:
        """Shows the scores of the current values, those with a result first."""
        scores = tuple(sorted(sheet.scores, key=lambda score: score.value is None))[:_SHOWN]
        if scores == self._scores:
            return
        self._scores = scores
        while item := self._lines.takeAt(0):
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for place, score in enumerate(scores):
            self._add(place, score, sheet.dictation.created_at)
        self.setVisible(bool(scores))

    def texts(self) -> list[str]:
        """Each line as a screen reader reads it."""
        return [
            f"{score.row.name}: {arithmetic(score)}{_judged(score)}. {score.steps or ''} {state(score)}".strip()
            for score in self._scores
        ]

    def _add(self, place: int, score: Score, created_at: str) -> None:
        confirmed = is_confirmed(score)
        status = "confirmed" if confirmed else "lit" if score.differing else "proposed"
        icon = IconLabel(self._theme.icon("lit" if score.differing else status, status), 15)
        at = f" · {time_text(score.observed_at, created_at)}" if score.observed_at else ""
        words = [score.steps, state(score)]
        if score.differing:
            words.append("differs from charted value")
        explained = label(" · ".join(filter(None, words)), "small", wrap=True)
        explained.setAccessibleDescription(self.texts()[place])
        top = Qt.AlignmentFlag.AlignTop
        self._lines.addWidget(icon, place, 0, top)
        self._lines.addWidget(label(f"{score.row.name}{at}"), place, 1, top)
        abnormal = score.value is not None and is_abnormal(score.row, score.value)
        self._lines.addWidget(label(_marked(score), "abnormal" if abnormal else "heading"), place, 2, top)
        self._lines.addWidget(explained, place, 3, top)


def _marked(score: Score) -> str:
    return arithmetic(score) if score.value is None else marked(score.row, score.value, unit_text(score.row.unit))


def _judged(score: Score) -> str:
    """How a result compares with the ranges of its row, in words; empty if it is not abnormal."""
    words = "" if score.value is None else judged_text(score.row, score.value)
    return f", {words.lower()}" if words else ""
