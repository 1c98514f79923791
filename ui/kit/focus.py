"""Where the keyboard goes by itself: never to a button that a key pressed for something else would press."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QPushButton, QWidget
from shiboken6 import isValid

_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
_PRESSES = (Qt.Key.Key_Space, Qt.Key.Key_Select, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class FocusKeeper(QObject):
    """Watches a window: when what has the keyboard is hidden or disabled, Qt gives it to the next control, and where
    that is a button, it is taken `back` to where keys are meant for the values."""

    def __init__(self, window: QWidget, back: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._back = window, back
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)

    def _follow(self, former: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self) or former is None or not isValid(former) or not isinstance(now, QAbstractButton):
            return
        gone = not (former.isVisible() and former.isEnabled())
        if gone and now.window() is self._window and former.window() is self._window:
            self._back()


class _OnPurpose(QObject):
    """Lets keys press a button only when the person came to it by Tab, and has not left the window since."""

    def __init__(self, button: QPushButton) -> None:
        super().__init__(button)
        self._reached = False
        button.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self._reached = cast(QFocusEvent, event).reason() in _BY_TAB
        if event.type() in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease) and not self._reached:
            return cast(QKeyEvent, event).key() in _PRESSES
        return super().eventFilter(watched, event)


def press_on_purpose_only(button: QPushButton) -> None:
    """Has a button that begins something keep out of the keyboard's way: a click does not give it the keyboard, and
    keys press it only for a person who went to it by Tab."""
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    _OnPurpose(button)
