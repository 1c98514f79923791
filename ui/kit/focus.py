"""Keeps the focus off buttons, so that a key meant for something else does not press one."""

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
    """Calls `back` if Qt moves a window's focus to a button because the focused widget was hidden or disabled."""

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


class EnterPresses(QObject):
    """Makes Enter press a push button of the window or of a dialog, but only while that button has the focus.

    So Enter in a field never presses one that was not meant. A choice that Space ticks is left alone.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pressed_by_enter: QPushButton | None = None
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self):
            return
        former, self._pressed_by_enter = self._pressed_by_enter, None
        if former is not None and isValid(former):
            former.setAutoDefault(False)
        if isinstance(now, QPushButton) and not now.isCheckable() and not now.autoDefault():
            now.setAutoDefault(True)
            self._pressed_by_enter = now


class _OnPurpose(QObject):
    """Lets keys press a button only if the user reached it with Tab and has not left the window since."""

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
    """Makes a button take no focus when clicked, and react to keys only if the user reached it with Tab."""
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    _OnPurpose(button)
