"""Overlay that lists all keys, read from the actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ui.kit.keys import keys_of, words_of
from ui.kit.theme import Theme
from ui.kit.widgets import button, clear, label

Groups = Mapping[str, Sequence[QAction]]
_SCRIM = QColor(0, 0, 0, 120)
_COLUMNS, _COLUMN_WIDTH, _BETWEEN, _AROUND = 3, 316, 32, 28
_BESIDE = 24 + 14 + 12 + 2  # the margins of the card, the scroll bar, and the frame


class KeyOverlay(QWidget):
    """Covers its parent while it is open.

    Esc, `?`, F1 or a click outside the card closes it; the arrows scroll, and no other key does anything.

    Args:
        groups: returns the actions by heading; those without a key are left out.
    """

    def __init__(self, theme: Theme, groups: Callable[[], Groups], parent: QWidget) -> None:
        super().__init__(parent)
        self._groups = groups
        self._before: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Keys")
        self._card = QFrame(self)
        self._card.setObjectName("card")
        self.close_button = button("", theme.icon("close"), kind="quiet", tip="Close (Esc)", clicked=self.close_keys)
        head = QHBoxLayout()
        head.addWidget(label("Keys", "display"))
        head.addSpacing(12)
        head.addWidget(label("In an editor, Enter saves and Esc discards the change.", "small", wrap=True), 1)
        head.addWidget(self.close_button)
        self._content = QWidget()
        self._content.setObjectName("plain")
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._content)
        layout = QVBoxLayout(self._card)
        layout.setContentsMargins(24, 16, 14, 20)
        layout.setSpacing(12)
        layout.addLayout(head)
        layout.addWidget(self._scroll, 1)
        self._columns = QHBoxLayout(self._content)
        self._columns.setContentsMargins(0, 0, 10, 0)
        self._columns.setSpacing(_BETWEEN)
        parent.installEventFilter(self)
        self.hide()

    def rows(self) -> list[tuple[str, str, tuple[str, ...]]]:
        """The lines listed: heading, what the action does, and its current keys."""
        return [
            (heading, words_of(action), keys_of(action))
            for heading, actions in self._groups().items()
            for action in actions
            if keys_of(action)
        ]

    def toggle(self) -> None:
        """Opens or closes the overlay."""
        if self.isVisible():
            self.close_keys()
            return
        self._before = QApplication.focusWidget()
        self._fill(self._fitting())
        self._place()
        self.show()
        self.raise_()
        self.setFocus()

    def close_keys(self) -> None:
        """Closes the overlay and returns the focus to where it was."""
        self.hide()
        if self._before and self._before.isVisible():
            self._before.setFocus()

    def _fitting(self) -> int:
        """Number of columns that fit the width of the window."""
        room = cast(QWidget, self.parent()).width() - 2 * _AROUND - _BESIDE - self._columns.contentsMargins().right()
        return max(1, min(_COLUMNS, (room + _BETWEEN) // (_COLUMN_WIDTH + _BETWEEN)))

    def _fill(self, count: int) -> None:
        clear(self._columns)
        by_heading: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for heading, words, keys in self.rows():
            by_heading.setdefault(heading, []).append((words, keys))
        for headings in _balanced({heading: len(rows) + 2 for heading, rows in by_heading.items()}, count):
            column = QWidget()
            column.setFixedWidth(_COLUMN_WIDTH)
            groups = QVBoxLayout(column)
            groups.setContentsMargins(0, 0, 0, 0)
            groups.setSpacing(18)
            for heading in headings:
                groups.addLayout(_group(heading, by_heading[heading]))
            groups.addStretch(1)
            self._columns.addWidget(column)
            column.show()  # at once: what is hidden has no size, and the card takes its size from the columns

    def _place(self) -> None:
        parent = cast(QWidget, self.parent())
        self.setGeometry(parent.rect())
        wanted = self._content.sizeHint()
        width = min(wanted.width() + _BESIDE, self.width() - 2 * _AROUND)
        height = min(wanted.height() + 110, self.height() - 2 * _AROUND)
        self._card.setGeometry((self.width() - width) // 2, (self.height() - height) // 2, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            if self._columns.count() != (count := self._fitting()):
                self._fill(count)
            self._place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # no shortcut of the window may act while it is covered
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_F1, Qt.Key.Key_Question):
            self.close_keys()
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            bar = self._scroll.verticalScrollBar()
            bar.setValue(bar.value() + (40 if event.key() == Qt.Key.Key_Down else -40))

    def focusNextPrevChild(self, on: bool) -> bool:
        return True  # the focus stays here

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self._card.geometry().contains(event.position().toPoint()):
            self.close_keys()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), _SCRIM)
        painter.end()


def _balanced(heights: Mapping[str, int], count: int) -> list[list[str]]:
    """Splits the headings, in order, into at most `count` columns of about the same height."""
    share = sum(heights.values()) / count
    columns: list[list[str]] = [[]]
    filled = 0
    for heading, height in heights.items():
        if columns[-1] and filled + height / 2 > share * len(columns) and len(columns) < count:
            columns.append([])
        columns[-1].append(heading)
        filled += height
    return columns


def _group(heading: str, rows: Sequence[tuple[str, tuple[str, ...]]]) -> QVBoxLayout:
    group = QVBoxLayout()
    group.setSpacing(7)
    group.addWidget(label(heading, "section"))
    grid = QGridLayout()
    grid.setHorizontalSpacing(12)
    grid.setVerticalSpacing(7)
    grid.setColumnStretch(0, 1)
    for place, (words, keys) in enumerate(rows):
        grid.addWidget(label(words), place, 0)
        caps = QHBoxLayout()
        caps.setSpacing(5)
        caps.addStretch(1)
        for key in keys:
            caps.addWidget(label(key, "cap"))
        grid.addLayout(caps, place, 1)
    group.addLayout(grid)
    return group
