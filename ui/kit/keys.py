"""The keys that belong to the flowsheet alone: letters, which stay letters wherever something is typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence

# by the name of the action that they stand for; the first is the one that is shown on buttons
FLOWSHEET_KEYS: dict[str, tuple[str, ...]] = {
    "accept": ("Enter", "A"),
    "reject": ("R", "Del"),
    "edit": ("E", "F2"),
    "play": ("Space",),
    "next-lit": ("L",),
    "keep": ("K",),
    "replace": ("P",),
    "accept-rest": ("Shift+A",),
    "undo": ("U",),
    "file": ("F",),
    "history": ("H",),
    "patients": ("B",),
    "whose-words": ("W",),
    "whose-other": ("M",),
    "whose-same": ("I",),
}
_ALSO = {"Enter": "Return"}  # the large one
_PLAIN = Qt.KeyboardModifier.ShiftModifier
_NAMES = {
    QKeySequence(spelt).toString(): name
    for name, keys in FLOWSHEET_KEYS.items()
    for key in keys
    for spelt in (key, _ALSO.get(key, key))
}


def action_of(event: QKeyEvent) -> str:
    """The name of the action that a key of the flowsheet stands for, empty for any other key."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    if modifiers & ~_PLAIN:
        return ""
    return _NAMES.get(QKeySequence(event.key() | modifiers.value).toString(), "")


def keys_of(action: QAction) -> tuple[str, ...]:
    """The keys of an action as a menu shows them, read from the action itself; empty where it has none."""
    _, _, tail = action.text().partition("\t")
    if tail:
        return tuple(tail.split(", "))
    return tuple(map(native, action.shortcuts()))


def native(sequence: QKeySequence) -> str:
    """A shortcut as it stands on the keys of this computer."""
    return sequence.toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")


def words_of(action: QAction) -> str:
    """What an action does, as a menu says it."""
    return action.text().partition("\t")[0].replace("&", "").removesuffix("…")
