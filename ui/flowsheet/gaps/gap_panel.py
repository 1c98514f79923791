"""Rows that the dictation lacks, with when they were last charted: each is added, said, or dismissed with one key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.chart.gaps.gaps import SHOWN_FIRST, Gap
from app.chart.gaps.words import gap_text, reasons_text
from extraction.flowsheet.schema import Row
from ui.kit.keys import FLOWSHEET_KEYS, action_of, is_escape
from ui.kit.theme import Theme
from ui.kit.widgets import button, heading, key_hint, label, rule

_LINE = 60  # pixels, of two lines of text


class GapPanel(QWidget):
    """Signals:
    add_asked, speak_asked: the person wants to enter, or to say, a value of a row (the Row).
    dismiss_asked: the person does not want to be reminded of a row here (the Row).
    restore_asked: take the last dismissal back.
    confirmed: the person files.
    left: the person goes back to the flowsheet.
    beside_asked: the person goes to the list beside this one.
    """

    add_asked = Signal(object)
    speak_asked = Signal(object)
    dismiss_asked = Signal(object)
    restore_asked = Signal()
    confirmed = Signal()
    left = Signal()
    beside_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gaps: Sequence[Gap] = ()
        self._now, self._whole = "", False
        self.about = label(role="small", wrap=True)
        self.list = _Gaps()
        self.add = button("Enter value…", theme.icon("add"), tip="Add a value of this row (Enter)", clicked=self._add)
        self.dismiss = button(
            "Dismiss",
            theme.icon("reject", "rejected"),
            tip="Do not remind of this row in this dictation (R)",
            clicked=self._dismiss,
        )
        self.undo = button(
            "Undo", theme.icon("undo"), tip="Show the row again that was dismissed last (U)", clicked=self._restore
        )
        self.more = button("", kind="quiet", tip="Show all rows, or the first ones (M)", clicked=self._toggle)
        for one, key in ((self.add, "Enter"), (self.dismiss, "R"), (self.undo, "U"), (self.more, "M")):
            key_hint(one, key)
        self.say = label(f"Right goes to this list; hold {FLOWSHEET_KEYS['speak'][0]} there and say it", "small")
        self.list.pressed_key.connect(self._press)
        self.list.itemActivated.connect(lambda _: self._add())
        buttons = QHBoxLayout()
        buttons.setContentsMargins(14, 8, 8, 10)
        buttons.setSpacing(6)
        for one in (self.add, self.dismiss):
            buttons.addWidget(one)
        buttons.addStretch(1)
        words = QVBoxLayout()
        words.setContentsMargins(16, 8, 12, 8)
        words.addWidget(self.about)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(heading("Before you file", label(), self.undo, self.more))
        layout.addWidget(rule())
        layout.addLayout(words)
        layout.addWidget(self.list, 1)
        said = QVBoxLayout()
        said.setContentsMargins(16, 4, 12, 0)
        said.addWidget(self.say)
        layout.addLayout(said)
        layout.addLayout(buttons)

    def forget(self) -> None:
        """Shows that it is not known yet what lacks."""
        self._whole = False
        self._show((), "")
        self.undo.hide()
        self.about.setText("Looking for rows that are usually charted…")

    def show_gaps(self, gaps: Sequence[Gap], now: str, *, counted: int, dismissed: int) -> None:
        """Shows what lacks, as seen at a time (UTC).

        Args:
            counted: how many filed dictations say what is usual on the ward.
            dismissed: how many rows are dismissed.
        """
        self._show(gaps, now)
        parts = [
            "Not in this dictation." if gaps else "Nothing usual is missing.",
            f"What is usual is counted in {counted} filed dictations." if counted else "",
            f"{dismissed} dismissed." if dismissed else "",
        ]
        self.about.setText(" ".join(filter(None, parts)))
        self.undo.setVisible(dismissed > 0)

    @property
    def current(self) -> Row | None:
        """The row of the current line."""
        item = self.list.currentItem()
        row: Row | None = item.data(Qt.ItemDataRole.UserRole) if item else None
        return row

    def texts(self) -> list[str]:
        return [self.list.item(place).text() for place in range(self.list.count())]

    def _show(self, gaps: Sequence[Gap], now: str) -> None:
        kept, place = self.current, self.list.currentRow()
        self._gaps, self._now = gaps, now
        shown = gaps if self._whole else gaps[:SHOWN_FIRST]
        self.list.clear()
        for gap in shown:
            name, _, when = gap_text(gap, now).partition(", ")
            item = QListWidgetItem(f"{name}\n{when}  ·  {reasons_text(gap)}", self.list)
            item.setData(Qt.ItemDataRole.UserRole, gap.row)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}, {when}, {reasons_text(gap)}")
            item.setSizeHint(QSize(0, _LINE))
            item.setToolTip(item.text())
        ids = [gap.row.id for gap in shown]
        at = ids.index(kept.id) if kept and kept.id in ids else min(max(place, 0), len(shown) - 1)
        self.list.setCurrentRow(at)
        for one in (self.add, self.dismiss):
            one.setEnabled(bool(shown))
        self.more.setVisible(len(gaps) > SHOWN_FIRST)
        self.more.setText("First ones" if self._whole else f"{len(gaps) - SHOWN_FIRST} more")

    def _press(self, key: str) -> None:
        acts: dict[str, Callable[[], None]] = {
            "accept": self._add,
            "reject": self._dismiss,
            "undo": self._restore,
            "more": self._toggle,
            "file": self.confirmed.emit,
            "leave": self.left.emit,
            "beside": self.beside_asked.emit,
            "speak": self._speak,
        }
        acts[key]()

    def _add(self) -> None:
        if row := self.current:
            self.add_asked.emit(row)

    def _speak(self) -> None:
        if row := self.current:
            self.speak_asked.emit(row)

    def _dismiss(self) -> None:
        if row := self.current:
            self.dismiss_asked.emit(row)

    def _restore(self) -> None:
        if not self.undo.isHidden():
            self.restore_asked.emit()

    def _toggle(self) -> None:
        self._whole = not self._whole
        self._show(self._gaps, self._now)


class _Gaps(QListWidget):
    """Signals: `pressed_key`, what a key press asks for."""

    pressed_key = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Rows that this dictation lacks")
        self.setFrameShape(QListWidget.Shape.NoFrame)
        self.setWordWrap(True)  # else only the first line is written
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def event(self, event: QEvent) -> bool:
        if is_escape(event):  # here it goes back; elsewhere it closes a message
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.isAutoRepeat() and event.key() not in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            return  # a key that is held decides nothing
        keys = {
            Qt.Key.Key_Escape: "leave",
            Qt.Key.Key_M: "more",
            Qt.Key.Key_Left: "beside",
        }
        action = keys.get(Qt.Key(event.key())) or action_of(event)
        if action in ("accept", "reject", "undo", "more", "file", "leave", "beside", "speak"):
            self.pressed_key.emit(action)
        else:
            super().keyPressEvent(event)
