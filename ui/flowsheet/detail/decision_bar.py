"""The buttons that decide on a value; they stay in sight while its details scroll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QWidget

from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from extraction.flowsheet.ranges import is_alarming, is_impossible
from extraction.flowsheet.schema import Row
from ui.flowsheet.range_words import is_unfit
from ui.kit.responsive_layout import ButtonRow
from ui.kit.theme import Theme
from ui.kit.widgets import ElidedButton, button, key_hint, restyle
from ui.kit.words import value_words


class DecisionBar(QWidget):
    """May be shown outside of the pane of its value, which gets the keys that no button takes.

    Attributes:
        accept, reject, reopen: decide on the value, or take the decision back.
        keep_other, replace_other: choose between the two values of a conflict.
        choices: all of them, in the order of the Tab key.
    """

    def __init__(self, theme: Theme, pane: QWidget) -> None:
        super().__init__(pane)
        self._theme, self._pane = theme, pane
        self.accept = button("&Accept", theme.icon("accept", "on_accent"), kind="primary")
        self.reject = button("&Reject", theme.icon("reject", "rejected"), tip="Leave this value out of the chart (R)")
        self.reopen = button("Undo decision", theme.icon("undo"), tip="Undo the decision and restore the proposal")
        self.keep_other = ElidedButton(theme.icon("accept", "on_accent"))
        self.replace_other = ElidedButton(theme.icon("replaced"))
        for choice, key in (
            (self.keep_other, "K"),
            (self.replace_other, "P"),
            (self.accept, "Enter"),
            (self.reject, "R"),
        ):
            key_hint(choice, key)
        self.choices = (self.keep_other, self.replace_other, self.accept, self.reject, self.reopen)
        self._icons = {
            self.accept: ("accept", "confirmed"),
            self.keep_other: ("accept", "confirmed"),
            self.replace_other: ("replaced", "text"),
        }
        self._lines = layout = QBoxLayout(QBoxLayout.Direction.TopToBottom, self)
        layout.setSpacing(7)
        self.set_framed(True)
        layout.addWidget(self.keep_other)
        layout.addWidget(self.replace_other)
        layout.addWidget(ButtonRow((self.accept, self.reject, self.reopen)))

    def show_choices(
        self, row: Row, value: ReviewedValue, against: Sequence[ChartEntry], *, changed: bool, filed: bool
    ) -> None:
        """Shows what can be decided.

        Args:
            against: what is charted in the cell of the value.
            changed: whether there is an unsaved entry.
        """
        replaced, decided = value.replaced_by is not None, value.status is not ReviewStatus.PROPOSED
        rejected, free = value.status is ReviewStatus.REJECTED, not filed
        claimed = bool(against) and not changed
        if changed:
            self.accept.setText("S&ave change")
            self._tell(self.accept, "Save and go to the next value (Enter)")
        else:
            self.accept.setText("&Accept")
            self._tell(self.accept, "Accept this value and go to the next one (Enter or A)")
        acceptable = changed or not is_impossible(row, value.value)
        self.accept.setVisible(free and not claimed and acceptable and (changed or not decided or rejected))
        self._put_first(self.accept, first=changed or not is_unfit(row, value.value))
        self.reject.setVisible(free and not claimed and not changed and not rejected)
        self.reopen.setVisible(free and not changed and decided and value.filled is not None)
        self.keep_other.setVisible(claimed and not replaced)
        self.replace_other.setVisible(bool(against) and acceptable)
        if against:
            self._name_conflict(row, value, against[-1], changed=changed, replaced=replaced)

    def set_framed(self, framed: bool) -> None:
        """Arranges the buttons for the pane, or for one line elsewhere."""
        way = QBoxLayout.Direction.TopToBottom if framed else QBoxLayout.Direction.LeftToRight
        self._lines.setDirection(way)
        self._lines.setContentsMargins(*((16, 8, 16, 9) if framed else (0, 0, 0, 0)))

    def ask_again(self) -> None:
        """Names the button by what the next press does."""
        self.accept.setText("Confirm &anyway")

    def event(self, event: QEvent) -> bool:
        keys = event.type() in (QEvent.Type.KeyPress, QEvent.Type.ShortcutOverride)
        if keys and not self._pane.isAncestorOf(self):
            return self._pane.event(cast(QKeyEvent, event))
        return super().event(event)

    def _name_conflict(
        self, row: Row, value: ReviewedValue, charted: ChartEntry, *, changed: bool, replaced: bool
    ) -> None:
        unfit = is_unfit(row, charted.value.value)
        mine_unfit = not changed and is_unfit(row, value.value)
        self._put_first(self.keep_other, first=not is_alarming(row, charted.value.value))
        self._put_first(self.replace_other, first=unfit and not mine_unfit)
        there = value_words(row, charted.value)
        mine = "your entry" if changed else value_words(row, value)
        self.keep_other.show_words(f"Keep {there}")
        self._tell(self.keep_other, f"Keep {there}, discard {mine}; both stay in the history (K)")
        self.replace_other.show_words(f"Restore {mine}" if replaced else f"Replace with {mine}")
        self._tell(self.replace_other, f"Replace {there} with {mine}; both stay in the history (P)")

    def _put_first(self, choice: QPushButton, *, first: bool) -> None:
        """Styles a button as the primary one, or not."""
        restyle(choice, "kind", "primary" if first else "")
        icon, ink = self._icons[choice]
        choice.setIcon(self._theme.icon(icon, "on_accent" if first else ink))

    @staticmethod
    def _tell(widget: QWidget, tip: str) -> None:
        widget.setToolTip(tip)
        widget.setAccessibleDescription(tip)
