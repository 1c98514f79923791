"""A shift at three beds: each dictation spoken live, a value corrected by voice, a missing row said, all filed, one
reopened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from tests.gui.conftest import Ward
from tests.gui.hands import CTRL, SHIFT, Hands, filed
from tests.gui.rounds import SPOKEN, Rounds, Speaker, opened
from tests.kit.fake_app import write_schema

PROPOSED, CONFIRMED, EDITED, ADDED = (
    ReviewStatus.PROPOSED,
    ReviewStatus.CONFIRMED,
    ReviewStatus.EDITED,
    ReviewStatus.ADDED,
)


def opened_demanding(new_ward: Callable[..., Ward], folder: Path) -> Ward:
    """A ward whose schema requires a row that nobody says, and that takes a last look before filing."""
    path = write_schema(folder, required=("visitors",))
    chosen = replace(load_settings(paths.config_file()), schema=str(path), last_look=True)
    save_settings(chosen, paths.config_file())
    return opened(new_ward)


class Shift(Rounds):
    """Goes round three beds; by keys and voice alone."""

    def whole(self) -> dict[str, float]:
        """The whole shift; by step, the seconds for which it held the window at the longest."""
        longest: dict[str, float] = {}
        for after in (self.correct_by_voice, self.say_what_is_missing, self.reopen):
            bed = next(self._beds)
            self.heart.start()
            self.begin(bed)
            self.listen(Speaker(self.ward))
            after()
            self.heart.stop()
            longest |= {f"{after.__name__}: {step}": seconds for step, seconds in self.heart.held.items()}
        return longest

    def correct_by_voice(self) -> None:
        ward = self.ward
        self.heart.step("a correction by voice")
        ward.choose("bp")
        self.say("No, 128 over 82.")
        ward.until(lambda: ward.window.page.detail.unsaved)
        ward.key(Qt.Key.Key_Return)
        ward.until_status("bp", EDITED)
        assert ward.value("bp").value == "128/82"
        self.review_rest()

    def say_what_is_missing(self) -> None:
        ward = self.ward
        self.heart.step("a missing row by voice")
        heading = ward.window.page.leftovers.missing.heading
        assert heading.text().replace("&", "") == "Missing (1)"
        ward.key(Qt.Key.Key_J, CTRL)
        ward.in_dialog(lambda: self.say("Yes, her daughter.", until=lambda: not heading.isEnabled()), self.take)
        ward.until(lambda: ward.value("visitors").status is ADDED)
        ward.until(lambda: heading.text().replace("&", "") == "Missing (0)")
        assert ward.value("visitors").value is True
        self.review_rest()

    def reopen(self) -> None:
        ward = self.ward
        self.review_rest()
        self.heart.step("reopened")
        ward.key(Qt.Key.Key_R, CTRL)
        ward.until(lambda: not filed(ward))
        ward.choose("hr")
        ward.key(Qt.Key.Key_E)
        ward.type("98")
        ward.key(Qt.Key.Key_Return)
        ward.until_status("hr", EDITED)
        self.file()

    def say(self, words: str, until: Callable[[], object] | None = None) -> None:
        """Holds V and says the words to the row that has the keyboard."""
        ward = self.ward
        ward.engine.says = words
        QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
        ward.microphones.capture.give(SPOKEN)
        QTest.keyRelease(QApplication.focusWidget(), Qt.Key.Key_V)
        ward.until(until or (lambda: ward.microphones.capture.stopped))

    def take(self, _: Any) -> None:
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)

    def review_rest(self) -> None:
        """Looks at what is lit, accepts the rest, and files."""
        ward, hands = self.ward, Hands(self.ward)
        self.heart.step("review")
        ward.window.page.leftovers.fold()
        while ward.window.page.flowsheet.lit:
            before = ward.window.page.flowsheet.lit
            hands.press(Qt.Key.Key_L, Qt.Key.Key_A)
            ward.until(lambda before=before: ward.window.page.flowsheet.lit < before)
        hands.press(Qt.Key.Key_A, modifiers=SHIFT)
        ward.until(lambda: not any(value.status is PROPOSED for value in ward.values()))
        self.file()

    def file(self) -> None:
        ward = self.ward
        self.heart.step("a last look")
        Hands(ward).press(Qt.Key.Key_F)
        assert ward.window.page.looks.shown, "a last look"
        self.heart.step("filing")
        Hands(ward).press(Qt.Key.Key_F)
        ward.until(lambda: filed(ward))
