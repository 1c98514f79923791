"""Context menus of list items, opened by right click, the Menu key or Shift+F10."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication

Open = Callable[[QModelIndex, QPoint], object]


class ContextMenu(QObject):
    """Calls `opened` with the index of an item of a view and the screen position for its menu.

    Handles the two keys itself, because not every system turns them into a context menu event.
    """

    def __init__(self, view: QAbstractItemView, opened: Open) -> None:
        super().__init__(view)
        self._view, self._opened = view, opened
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ContextMenu:
            asked = cast(QContextMenuEvent, event)
            if asked.reason() is QContextMenuEvent.Reason.Mouse:
                place = self._view.viewport().mapFromGlobal(asked.globalPos())
                self._open(self._view.indexAt(place), asked.globalPos())
            else:
                self._open_at_current()
            return True
        if event.type() == QEvent.Type.KeyPress and asks_for_menu(cast(QKeyEvent, event)):
            self._open_at_current()
            return True
        return False

    def _open_at_current(self) -> None:
        index = self._view.currentIndex()
        place = self._view.visualRect(index).center()
        self._open(index, self._view.viewport().mapToGlobal(place))

    def _open(self, index: QModelIndex, place: QPoint) -> None:
        if index.isValid() and QApplication.activePopupWidget() is None:
            self._opened(index, place)


def asks_for_menu(event: QKeyEvent) -> bool:
    """Whether a key press is the Menu key or Shift+F10."""
    shift = event.modifiers() == Qt.KeyboardModifier.ShiftModifier
    return event.key() == Qt.Key.Key_Menu or (event.key() == Qt.Key.Key_F10 and shift)
