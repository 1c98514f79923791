"""Gives each decision its own key press: held keys do not repeat it, and doubtful values must be visible first."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

SECONDS_TO_LOOK = 0.3
REPEAT_MS = 15  # no finger is so quick; remote desktops repeat a held key as releases and presses
_MOVES = frozenset(
    {
        Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
        Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Tab, Qt.Key.Key_Backtab,
    }
)  # fmt: skip
_ERASES = frozenset({Qt.Key.Key_Backspace, Qt.Key.Key_Delete})
_TYPED_INTO = (QLineEdit, QTextEdit, QPlainTextEdit, QAbstractSpinBox)
_COMMANDS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier


class KeyPresses(QObject):
    """Swallows repeats of held keys in all windows of the program, except for navigation and typed text.

    A press within `REPEAT_MS` of the key's release is a repeat, too, whatever the system calls it.

    The focused widget gets a key before anything else, shortcuts included. So each widget is watched from the first
    time it gets the focus; menus, which never get it, are registered with `watch`.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: set[int] = set()
        self._released: dict[int, int] = {}  # when each key was let go (ms of the system's clock)
        self.latest: int | None = None
        cast(QApplication, QApplication.instance()).focusChanged.connect(self._follow)
        if focus := QApplication.focusWidget():
            self.watch(focus)

    def watch(self, widget: QWidget) -> None:
        """Filters the keys of a widget before it gets them; may be called more than once."""
        widget.installEventFilter(self)

    def is_held(self, key: int | None) -> bool:
        """True if a key was pressed and is not released yet."""
        return key in self._held

    def _follow(self, _: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self):
            return
        if now is None:
            self._held.clear()  # another program may get the releases
        else:
            self.watch(now)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            key = cast(QKeyEvent, event)
            repeated = self._is_repeat(key)
            if repeated and not _may_repeat(watched, key):
                event.accept()  # so that it triggers no shortcut either
                return True
            if not repeated:
                self._held.add(key.key())
                self.latest = key.key()
        elif kind == QEvent.Type.KeyRelease and not cast(QKeyEvent, event).isAutoRepeat():
            key = cast(QKeyEvent, event)
            self._held.discard(key.key())
            if key.timestamp():
                self._released[key.key()] = key.timestamp()
        return super().eventFilter(watched, event)

    def _is_repeat(self, press: QKeyEvent) -> bool:
        released = self._released.get(press.key())
        return press.isAutoRepeat() or (
            released is not None and 0 <= press.timestamp() - released < REPEAT_MS and press.key() not in self._held
        )


class DecisionPace:
    """Allows decisions about doubtful values one at a time, each after the user could see the value.

    A decision about a doubtful value, or the one after it, counts only if the key of the previous decision was released
    and `SECONDS_TO_LOOK` have passed since that decision. Callers ignore earlier ones silently: they are accidental
    second presses, or were meant for the previous value.

    Args:
        presses: tells which key was pressed last and which keys are held.

    Attributes:
        clock: monotonic time in seconds.
    """

    def __init__(self, presses: KeyPresses, clock: Callable[[], float] = time.monotonic) -> None:
        self._presses = presses
        self.clock = clock
        self._at = float("-inf")
        self._key: int | None = None
        self._doubtful = False

    def allows(self, *, doubtful: bool) -> bool:
        """True if a decision counts now; `doubtful` says whether its value is."""
        if not (doubtful or self._doubtful):
            return True
        other_key_held = self._presses.latest != self._key and self._presses.is_held(self._key)
        return not other_key_held and self.clock() - self._at >= SECONDS_TO_LOOK

    def decided(self, *, doubtful: bool) -> None:
        """Records that a decision was made now."""
        self._at, self._doubtful = self.clock(), doubtful
        latest = self._presses.latest
        self._key = latest if self._presses.is_held(latest) else None


def _may_repeat(watched: QObject, event: QKeyEvent) -> bool:
    """True if the repeat of a held key only navigates, or types or erases text in a field."""
    key = event.key()
    if key in _MOVES:
        return True
    if not isinstance(watched, _TYPED_INTO):
        return False
    if key in _ERASES:
        return True
    # on some computers, AltGr arrives as Ctrl+Alt and types characters
    commands = event.modifiers() & _COMMANDS
    typing = not commands or commands == Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
    return typing and event.text().isprintable() and event.text() != ""
