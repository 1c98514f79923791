"""Keys that act in the flowsheet only, mostly letters; in text fields they type as usual. Arrows may act from there."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QLineEdit

from ui.kit.actions import ACTIONS

# by id of the action
FLOWSHEET_KEYS = {action.id: action.letters for action in ACTIONS if action.letters}
_ALSO = {"Enter": "Return"}  # the main Enter key
_PLAIN = Qt.KeyboardModifier.ShiftModifier
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}
_NAMES = {
    QKeySequence(spelt).toString(): name
    for name, keys in FLOWSHEET_KEYS.items()
    for key in keys
    for spelt in (key, _ALSO.get(key, key))
}


def is_escape(event: QEvent) -> bool:
    """Whether an event asks if Esc is a key of the widget rather than of the window; accept it to use Esc there."""
    asks = event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent)
    return asks and cast(QKeyEvent, event).key() == Qt.Key.Key_Escape


def lets_go(event: QEvent, key: Qt.Key | None) -> bool:
    """Whether an event of the application ends a key being held: its release, or that another program would get it."""
    released = event.type() == QEvent.Type.KeyRelease and isinstance(event, QKeyEvent)
    if released and cast(QKeyEvent, event).key() == key and not cast(QKeyEvent, event).isAutoRepeat():
        return True
    return event.type() == QEvent.Type.ApplicationDeactivate


def action_of(event: QKeyEvent) -> str:
    """Id of the action of a flowsheet key; empty for any other key."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers & ~_PLAIN:
        return ""
    return _NAMES.get(QKeySequence(event.key() | modifiers.value).toString(), "")


def keys_of(action: QAction) -> tuple[str, ...]:
    """Keys of an action as its menu shows them; empty if it has none."""
    _, _, tail = action.text().partition("\t")
    if tail:
        return tuple(tail.split(", "))
    return tuple(map(native, action.shortcuts()))


def native(sequence: QKeySequence) -> str:
    """A shortcut with the key names of this platform."""
    return sequence.toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")


def words_of(action: QAction) -> str:
    """Menu text of an action, without mnemonic, keys and ellipsis."""
    return action.text().partition("\t")[0].replace("&", "").removesuffix("…")


def move_by_arrows(view: QAbstractItemView, field: QLineEdit) -> None:
    """Lets the arrow keys move through what a search found while its field has the focus."""
    _Arrows(view, field)


class _Arrows(QObject):
    def __init__(self, view: QAbstractItemView, field: QLineEdit) -> None:
        super().__init__(field)
        self._view = view
        field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if pressed and (step := _STEPS.get(Qt.Key(cast(QKeyEvent, event).key()))):
            found = self._view.model()
            row = self._view.currentIndex().row() + step
            self._view.setCurrentIndex(found.index(max(0, min(row, found.rowCount() - 1)), 0))
            return True
        return super().eventFilter(watched, event)
