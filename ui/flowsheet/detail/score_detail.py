"""The current score: its result, the arithmetic, and the values that it is calculated from."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.chart.computed_rows import Score, state
from extraction.flowsheet.schema import Schema
from ui.flowsheet.range_words import judged_text, marked
from ui.flowsheet.score_words import is_abnormal_score, parts_text, score_unit, status_of_score, status_words_of_score
from ui.kit.responsive_layout import MinimumTextHeight
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, label, restyle
from ui.kit.words import category_text


class ScoreDetail(MinimumTextHeight):
    """A score needs no decision, since it follows its parts."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._name, self._category = label(role="title", wrap=True), label(role="small", wrap=True)
        self._result, self._judged = label(role="display", wrap=True), label(role="abnormal", wrap=True)
        self._steps, self._state = label(wrap=True), label(wrap=True)
        self._from, self._parts = label("Calculated from", "section"), label(wrap=True)
        self._status = label(role="heading")
        self._icon = IconLabel(theme.icon("proposed", "proposed"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 9, 16, 11)
        layout.setSpacing(7)
        head = QHBoxLayout()
        names = QVBoxLayout()
        names.setSpacing(0)
        names.addWidget(self._name)
        names.addWidget(self._category)
        head.addLayout(names, 1)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._status, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(head)
        for line in (self._result, self._judged, self._steps, self._state, self._from, self._parts):
            layout.addWidget(line)
        layout.addStretch(1)
        about = "Changes with these values. Exported once all of them are confirmed."
        self._about = label(about, "small", wrap=True)
        layout.addWidget(self._about)
        self.hide()

    def show_score(self, score: Score | None, schema: Schema | None) -> None:
        """Shows a score; None hides the pane."""
        self.setVisible(score is not None)
        if score is None or schema is None:
            return
        status = status_of_score(score)
        self._icon.show_icon(self._theme.icon(status, status))
        self._status.setText(status_words_of_score(score))
        self._name.setText(score.row.name)
        self._category.setText(category_text(score.row))
        self._result.setText("–" if score.value is None else marked(score.row, score.value, score_unit(score)))
        restyle(self._result, "role", "abnormal-display" if is_abnormal_score(score) else "display")
        for line, text in (
            (self._judged, "" if score.value is None else judged_text(score.row, score.value)),
            (self._steps, score.steps),
            (self._state, state(score).capitalize()),
            (self._parts, parts_text(score, schema)),
        ):
            line.setText(text)
            line.setVisible(bool(text))
        self._from.setText("Calculated from" if score.value is not None else "Known so far")
        self._from.setVisible(bool(score.parts))
        self._about.setVisible(score.value is not None)

    @property
    def wanted_height(self) -> int:
        """The height from which on nothing is cut."""
        return self.minimumSizeHint().height()

    @property
    def text(self) -> str:
        """Everything shown; empty while hidden."""
        lines = (self._name, self._result, self._judged, self._steps, self._state, self._parts)
        return "\n".join(line.text() for line in lines if line.text()) if not self.isHidden() else ""
