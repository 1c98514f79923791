"""Presses keys like a nurse and counts them; a round with a short review: fifteen values, three of them flagged."""

from __future__ import annotations

from PySide6.QtCore import Qt

from tests.gui.conftest import Ward
from tests.kit.fake_app import SENTENCES

NONE, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
BETWEEN_KEYS_MS = 20  # nobody types faster; all at once, they would be one long event to the window
MOST_PRESSES = 12  # for reviewing and filing FIFTEEN
# what says the values of fifteen rows, three of which are lit
FIFTEEN = " ".join(sentence for sentence in SENTENCES if "foot" not in sentence and "Weight" not in sentence).replace(
    "Pain is a six out of ten in the right hip, worse with movement. ", ""
)


class Hands:
    """Presses keys, one after the other as fingers do, and counts them: each key that goes down is one, Shift and Ctrl
    included."""

    def __init__(self, ward: Ward) -> None:
        self.ward, self.pressed = ward, 0

    def press(self, *keys: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        for key in keys:
            self.pressed += 1 + modifiers.value.bit_count()
            self.ward.key(key, modifiers)
            self.ward.qtbot.wait(BETWEEN_KEYS_MS)


def filed(ward: Ward) -> bool:
    sheet = ward.window.page.sheet
    return sheet is not None and sheet.filing is not None
