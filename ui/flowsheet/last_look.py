"""A last look before filing: what is charted, for whom, signed by whom; abnormal and edited values first."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chart.records import ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from ui.flowsheet.range_words import ABNORMAL, is_abnormal, marked
from ui.kit.keys import action_of
from ui.kit.theme import Theme
from ui.kit.widgets import button, heading, key_hint, label, rule
from ui.kit.words import by_hand, identity_text, plural, row_unit, status_name, status_words, time_text, unit_text

_LINE = 28  # pixels


class LastLook(QWidget):
    """A list of what would be filed, with what is missing above it.

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
        self.missing = label(role="warning", wrap=True)
        self.values = _Values()
        self.values.confirmed.connect(self.confirmed)
        self.values.left.connect(self.left)
        self.back = button("Back", tip="Go on reviewing (Esc)", clicked=self.left.emit)
        self.file = button(
            "Sign and &file",
            theme.icon("filed", "on_accent"),
            kind="primary",
            tip="File these values (Enter or F)",
            clicked=self.confirmed.emit,
        )
        key_hint(self.back, "Esc")
        key_hint(self.file, "Enter")
        words = QVBoxLayout()
        words.setContentsMargins(16, 8, 16, 8)
        words.setSpacing(2)
        for line in (self.whose, self.counts, self.missing):
            words.addWidget(line)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(heading("Last look", label(), self.back, self.file))
        layout.addWidget(rule())
        layout.addLayout(words)
        layout.addWidget(self.values, 1)
        self.setFocusProxy(self.values)

    def show_sheet(self, sheet: Sheet, signer: str) -> None:
        """Shows what filing a sheet would chart, signed by `signer`."""
        self.whose.setText(identity_text(sheet.patient))
        kinds = (
            (ReviewStatus.CONFIRMED, "accepted"),
            (ReviewStatus.EDITED, "edited"),
            (ReviewStatus.ADDED, "added"),
            (ReviewStatus.REJECTED, "rejected"),
        )
        parts = [f"{count} {words}" for status, words in kinds if (count := sheet.count(status))]
        if sheet.uncharted:
            parts.append(f"{plural(len(sheet.uncharted), 'sentence')} said but not charted")
        self.counts.setText(" · ".join([f"Signed by {signer}" if signer else "Not signed yet", *parts]))
        self.missing.setText(f"Missing: {', '.join(row.name for row in sheet.missing)}")
        self.missing.setVisible(bool(sheet.missing))
        self.values.clear()
        for value in sorted((one for one in sheet.values if one.stands), key=lambda one: _order(sheet, one)):
            self.values.addItem(self._line(sheet, value))
        self.values.setCurrentRow(0)

    def _line(self, sheet: Sheet, value: ReviewedValue) -> QListWidgetItem:
        row = sheet.schema.row(value.row_id)
        said = marked(row, value.value, unit_text(value.unit) or row_unit(row))
        at = f" at {time_text(value.observed_at, sheet.dictation.created_at)}" if value.observed_at else ""
        item = QListWidgetItem(f"{row.name}: {said}{at}")
        item.setIcon(self._theme.icon(status_name(value), status_name(value)))
        item.setSizeHint(QSize(0, _LINE))
        item.setToolTip(f"{status_words(value)} by {value.reviewer}")
        item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {status_words(value).lower()}")
        if is_abnormal(row, value.value):
            item.setForeground(self._theme.colour(ABNORMAL))
        return item


class _Values(QListWidget):
    """Signals: `confirmed` for Enter or F, `left` for Esc."""

    confirmed = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Values to file")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setIconSize(QSize(16, 16))

    def event(self, event: QEvent) -> bool:
        overriding = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
        # here Escape goes back; elsewhere it closes a message
        if overriding and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat():
            return  # a key that is held decides nothing
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or action_of(event) == "file":
            self.confirmed.emit()
        else:
            super().keyPressEvent(event)


def _order(sheet: Sheet, value: ReviewedValue) -> tuple[bool, bool, int]:
    """Abnormal values first, then those that a person entered, then in the schema's order."""
    row = sheet.schema.row(value.row_id)
    return not is_abnormal(row, value.value), not by_hand(value), sheet.schema.rows.index(row)
