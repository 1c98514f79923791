"""A last look before filing: what is charted, for whom, signed by whom; abnormal, edited and flagged values first."""

from __future__ import annotations

from datetime import UTC, datetime

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chart.cells import beside
from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Schema
from ui.flowsheet.gaps.gap_panel import GapPanel
from ui.flowsheet.range_words import ABNORMAL, is_abnormal, marked
from ui.kit.keys import action_of, is_escape
from ui.kit.theme import Theme
from ui.kit.widgets import button, heading, key_hint, label, rule
from ui.kit.words import (
    by_hand,
    identity_text,
    status_name,
    status_words,
    time_text,
    value_unit,
    when_text,
)

_LINE = 28  # pixels
_WIDE = 700  # pixels from which what lacks stands beside the values, not below them
_CONTEXT = 24  # characters before and after one of several values


class LastLook(QWidget):
    """A list of what would be filed, with what is unresolved above it.

    Signals:
        confirmed: the person files.
        left: the person goes back to the flowsheet.
    """

    confirmed = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.whose, self.counts = label(role="heading", wrap=True), label(role="small", wrap=True)
        self.unresolved = label(role="warning", wrap=True)
        self.values = _Values()
        self.values.confirmed.connect(self.confirmed)
        self.values.left.connect(self.left)
        self.gaps = GapPanel(theme)
        self.gaps.confirmed.connect(self.confirmed)
        self.gaps.left.connect(self.left)
        self.gaps.beside_asked.connect(self.values.setFocus)
        self.values.beside_asked.connect(self.gaps.list.setFocus)
        self.back = button("Back", tip="Go on reviewing (Esc)", clicked=self.left.emit)
        self.file = button(
            "&Sign and file",
            theme.icon("filed", "on_accent"),
            kind="primary",
            tip="Sign and file these values (F)",
            clicked=self.confirmed.emit,
        )
        key_hint(self.back, "Esc")
        key_hint(self.file, "F")
        words = QVBoxLayout()
        words.setContentsMargins(16, 8, 16, 8)
        words.setSpacing(2)
        for line in (self.whose, self.counts, self.unresolved):
            words.addWidget(line)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(heading("Last look", label(), self.back, self.file))
        layout.addWidget(rule())
        layout.addLayout(words)
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(0)
        self._beside.addWidget(self.values, 1)
        self._beside.addWidget(self.gaps, 1)
        layout.addLayout(self._beside, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        way = QBoxLayout.Direction.LeftToRight if self.width() >= _WIDE else QBoxLayout.Direction.TopToBottom
        self._beside.setDirection(way)

    def show_sheet(self, sheet: Sheet, signer: str) -> None:
        """Shows what filing a sheet would chart, signed by `signer`."""
        self.whose.setText(identity_text(sheet.patient))
        kinds = (
            (ReviewStatus.CONFIRMED, "accepted"),
            (ReviewStatus.EDITED, "edited"),
            (ReviewStatus.ADDED, "added"),
            (ReviewStatus.REJECTED, "rejected"),
        )
        when = f"for {when_text(sheet.dictation.created_at, datetime.now(UTC))}"
        parts = [f"{count} {words}" for status, words in kinds if (count := sheet.count(status))]
        self.counts.setText(" · ".join([f"Will be signed by {signer}" if signer else "Asks who signs", when, *parts]))
        left = [f"These do not fit together: {words}" for words in sheet.contradiction_words]
        left += [f"Missing: {', '.join(row.name for row in sheet.missing)}"] if sheet.missing else []
        if uncharted := sheet.uncharted:
            first = uncharted[0].text
            more = f" and {len(uncharted) - 1} more" if len(uncharted) > 1 else ""
            left.append(f"Said but not charted: “{first}”{more}")
        self.unresolved.setText("\n".join(left))
        self.unresolved.setVisible(bool(left))
        self.values.clear()
        reasons = sheet.reasons
        charted = [one for one in sheet.values if one.stands]
        for value in sorted(charted, key=lambda one: _order(sheet.schema, one, flagged=one.id in reasons)):
            self.values.addItem(self._line(sheet, value, reasons.get(value.id, ())))
        self.values.setCurrentRow(0)

    def _line(self, sheet: Sheet, value: ReviewedValue, reasons: tuple[str, ...]) -> QListWidgetItem:
        row = sheet.schema.row(value.row_id)
        said = marked(row, value.value, value_unit(row, value))
        at = f" at {time_text(value.observed_at, sheet.dictation.created_at)}" if value.observed_at else ""
        several = beside(sheet.placed).get(value.id)
        at += f"  ·  “{around}”" if several and (around := sheet.words_around(value, _CONTEXT)) else ""
        flagged = f"  ·  was flagged: {reasons[0]}" if reasons and not by_hand(value) else ""
        item = QListWidgetItem(f"{row.name}: {said}{at}{flagged}")
        item.setIcon(self._theme.icon(status_name(value), status_name(value)))
        item.setSizeHint(QSize(0, _LINE))
        item.setToolTip(f"{status_words(value)} by {value.reviewer}")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {status_words(value).lower()}")
        if is_abnormal(row, value.value):
            item.setForeground(self._theme.colour(ABNORMAL))
        return item


class _Values(QListWidget):
    """Signals: `confirmed` for F, `left` for Esc, `beside_asked` for Right. Enter files nothing: it accepts values."""

    confirmed = Signal()
    left = Signal()
    beside_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Values to file")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setIconSize(QSize(16, 16))

    def event(self, event: QEvent) -> bool:
        if is_escape(event):  # here it goes back; elsewhere it closes a message
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return  # a key that is held decides nothing
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Right:
            self.beside_asked.emit()
        elif action_of(event) == "file":
            self.confirmed.emit()
        else:
            super().keyPressEvent(event)


def _order(schema: Schema, value: ReviewedValue, *, flagged: bool) -> tuple[bool, bool, bool, int]:
    """Abnormal values first, then those that a person entered, flagged ones, and the rest in the schema's order."""
    row = schema.row(value.row_id)
    return not is_abnormal(row, value.value), not by_hand(value), not flagged, schema.rows.index(row)
