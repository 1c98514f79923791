"""Each decision needs a press of its own: held keys, drummed keys and double clicks decide nothing more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from tests.gui.conftest import Ward
from tests.gui.hands import CTRL, NONE, SHIFT, filed
from tests.kit.fake_app import MORE, SENTENCES, TEXT, WEIGHED_BY, FakeEngine
from ui.kit.key_presses import KeyPresses

PROPOSED, CONFIRMED, EDITED = ReviewStatus.PROPOSED, ReviewStatus.CONFIRMED, ReviewStatus.EDITED
ALT = Qt.KeyboardModifier.AltModifier
LIT = 16
SIXTEEN = " ".join(sentence for sentence in SENTENCES if "Pain is" not in sentence)


def opened(new_ward: Callable[..., Ward], text: str, count: int) -> Ward:
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text("case.txt", text)
    ward.until_review(count)
    return ward


@pytest.fixture
def lit(new_ward: Callable[..., Ward], calibrated: None, out: Any) -> Ward:
    """Sixteen values wait for review, all of them lit."""
    strict = replace(load_settings(paths.config_file()), alpha=0.01, conflict_weight=0.0, accept_threshold=0.5)
    save_settings(strict, paths.config_file())
    ward = opened(new_ward, SIXTEEN, LIT)
    assert ward.window.page.flowsheet.lit == LIT
    return ward


@pytest.fixture
def few(new_ward: Callable[..., Ward], calibrated: None, out: Any) -> Ward:
    """Eighteen values wait for review, three of them lit; the first of these is chosen."""
    ward = opened(new_ward, TEXT, 18)
    assert ward.window.page.flowsheet.lit == 3
    return ward


@pytest.fixture
def maybe(new_ward: Callable[..., Ward]) -> Ward:
    """Two more values were maybe said; the keyboard is at the first of them."""
    ward = opened(new_ward, TEXT + MORE, 18)
    ward.key(Qt.Key.Key_M, CTRL)
    return ward


def settle(ward: Ward) -> None:
    """Until every decision that was asked for has reached the disk and the window."""
    ward.until(lambda: not ward.workbench.workspace.sheets.jobs)
    dictation = ward.values()[0].dictation_id
    ward.until(lambda: ward.values() == tuple(ward.workbench.workspace.store.values.of(dictation)))


def decided(ward: Ward) -> int:
    settle(ward)
    return sum(value.status is not PROPOSED for value in ward.values())


# a key that is held


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_Delete])
def test_a_key_held_for_two_seconds_decides_about_one_lit_value(lit: Ward, key: Qt.Key) -> None:
    lit.hold(key)
    assert decided(lit) == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_A, Qt.Key.Key_R])
def test_a_held_key_decides_about_one_value_that_is_not_lit(few: Ward, key: Qt.Key) -> None:
    few.choose("hr")
    few.hold(key)
    assert decided(few) == 1


def test_alt_and_the_letter_of_a_button_held_decide_about_one_value(few: Ward) -> None:
    few.choose("hr")
    few.hold(Qt.Key.Key_A, ALT)
    few.until_status("hr", CONFIRMED)
    few.qtbot.wait(150)  # a button pressed by its letter is seen to go down
    assert decided(few) == 1


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_held_on_the_accept_button_decides_about_one_value(few: Ward, key: Qt.Key) -> None:
    few.choose("hr")
    few.window.page.detail.accept.setFocus()
    few.hold(key)
    assert decided(few) == 1


def test_enter_held_in_an_editor_saves_one_value_and_accepts_none(few: Ward) -> None:
    few.choose("hr")
    few.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    few.type("118")
    few.hold(Qt.Key.Key_Return)
    few.until_status("hr", EDITED)
    assert decided(few) == 1


def test_the_number_of_another_reading_held_with_enter_after_it_saves_one_value(few: Ward) -> None:
    few.hold(Qt.Key.Key_1)
    assert decided(few) == 0
    few.hold(Qt.Key.Key_Return)
    few.until_status("device", EDITED)
    assert decided(few) == 1


@pytest.mark.parametrize(("key", "modifiers"), [(Qt.Key.Key_U, NONE), (Qt.Key.Key_Z, CTRL)])
def test_undo_held_takes_one_step_back(few: Ward, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    for row_id in ("hr", "rhythm", "bp"):
        few.choose(row_id)
        few.key(Qt.Key.Key_A)
        few.until_status(row_id, CONFIRMED)
    few.hold(key, modifiers)
    few.until_status("bp", PROPOSED)
    assert decided(few) == 2


def test_enter_held_in_possible_mentions_takes_one_value(maybe: Ward) -> None:
    maybe.hold(Qt.Key.Key_Return)
    settle(maybe)
    assert len(maybe.values()) == 19
    maybe.key(Qt.Key.Key_Return)
    settle(maybe)
    assert len(maybe.values()) == 20, "a second press, long after the first"
    assert decided(maybe) == 2


def test_enter_drummed_among_what_was_maybe_said_takes_one_value_and_accepts_none(maybe: Ward) -> None:
    maybe.key(Qt.Key.Key_Return)
    for _ in range(2):
        maybe.key(Qt.Key.Key_Return, after=0.1)
    assert decided(maybe) == 1
    assert len(maybe.values()) == 19


def test_the_filing_key_held_does_not_answer_its_own_question(few: Ward) -> None:
    few.workbench.workspace.settings = replace(few.workbench.settings.current, file_folder="")
    for row_id in ("device", "foley", "temp"):
        few.choose(row_id)
        few.key(Qt.Key.Key_A)
        few.until_status(row_id, CONFIRMED)
    few.key(Qt.Key.Key_A, SHIFT)
    few.until(lambda: all(value.status is not PROPOSED for value in few.values()))
    asked: list[bool] = []

    def hold_on(dialog: Any) -> None:
        few.clock.seconds += 1
        for _ in range(30):
            QTest.simulateEvent(QApplication.focusWidget(), True, Qt.Key.Key_Return, CTRL, "", True)
            QTest.simulateEvent(QApplication.focusWidget(), True, Qt.Key.Key_Return, NONE, "", True)
        asked.append(dialog.isVisible())
        dialog.reject()

    def file() -> None:
        few.key(Qt.Key.Key_Return, CTRL)
        few.until(lambda: asked)

    few.in_dialog(file, hold_on)
    assert asked == [True]
    settle(few)
    assert not filed(few)


def test_the_arrows_and_text_still_repeat(few: Ward) -> None:
    few.choose("hr")
    before = few.window.page.current
    few.hold(Qt.Key.Key_Down, seconds=0.3)
    assert few.window.page.current != before
    few.choose("skin")
    few.key(Qt.Key.Key_E)
    few.hold(Qt.Key.Key_X, seconds=0.3, text="x")
    assert "xxx" in QApplication.focusWidget().toPlainText()  # type: ignore[union-attr]
    few.hold(Qt.Key.Key_Backspace, seconds=0.3)
    assert "x" not in QApplication.focusWidget().toPlainText()  # type: ignore[union-attr]


# keys that are drummed


def test_each_lit_value_takes_a_press_of_its_own(lit: Ward) -> None:
    presses = 0
    while lit.window.page.flowsheet.lit:
        lit.key(Qt.Key.Key_Return, after=0.31)
        presses += 1
        settle(lit)
        assert decided(lit) <= presses
    assert presses == LIT
    assert all(value.status is CONFIRMED for value in lit.values())


@pytest.mark.parametrize("keys", [(Qt.Key.Key_Return, Qt.Key.Key_Return), (Qt.Key.Key_Return, Qt.Key.Key_A)])
def test_drummed_accept_keys_confirm_no_unseen_lit_value(lit: Ward, keys: tuple[Qt.Key, Qt.Key]) -> None:
    for press in range(20):  # nine in a second
        lit.key(keys[press % 2], after=0.11)
    assert decided(lit) == 7, "of each three presses the first"
    assert lit.window.message.text == "", "nothing went wrong"


def test_two_accept_keys_rolled_confirm_nothing_while_the_first_is_held(lit: Ward) -> None:
    view = lit.window.page.flowsheet
    QTest.keyPress(view, Qt.Key.Key_Return)
    for _ in range(5):
        lit.key(Qt.Key.Key_A, after=1.0)
    assert decided(lit) == 1
    QTest.keyRelease(view, Qt.Key.Key_Return)
    lit.key(Qt.Key.Key_A, after=0.0)
    assert decided(lit) == 2


def test_an_accept_at_speed_does_not_run_into_a_lit_value(few: Ward) -> None:
    last = few.window.page.flowsheet._model.ordered()[-1]
    few.window.page.choose(last.id)
    few.key(Qt.Key.Key_Return)
    few.key(Qt.Key.Key_Return, after=0.1)  # it wraps round to what is lit
    few.until_status(last.row_id, CONFIRMED)
    assert decided(few) == 1


@pytest.mark.parametrize("modifiers", [SHIFT, CTRL | SHIFT])
def test_accepting_the_rest_never_takes_lit_values(lit: Ward, modifiers: Qt.KeyboardModifier) -> None:
    lit.key(Qt.Key.Key_A, modifiers)
    lit.hold(Qt.Key.Key_A, modifiers)
    assert decided(lit) == 0
    assert not lit.window.page.head.accept_all.isEnabled()


def test_a_double_click_on_accept_decides_about_one_lit_value(lit: Ward) -> None:
    accept = lit.window.page.detail.accept
    lit.click(accept)
    QTest.mouseClick(accept, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(accept, Qt.MouseButton.LeftButton)
    assert decided(lit) == 1


class Pressed(QPushButton):
    """Notes the presses that reach it."""

    def __init__(self) -> None:
        super().__init__("Accept")
        self.reached: list[int] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        self.reached.append(event.timestamp())


@pytest.mark.parametrize(("gap", "reached"), [(0, [1000]), (2, [1000]), (80, [1000, 1130, 1260])])
def test_a_press_in_the_moment_of_its_release_is_a_repeat(qtbot: QtBot, gap: int, reached: list[int]) -> None:
    """Remote desktops send a held key as pairs of a release and a press, none of which is called a repeat."""
    button = Pressed()
    qtbot.addWidget(button)
    presses = KeyPresses()
    presses.watch(button)
    moment = 1000
    for _ in range(3):
        for kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
            moment += 50 if kind is QEvent.Type.KeyRelease else 0
            event = QKeyEvent(kind, Qt.Key.Key_Return, NONE)
            event.setTimestamp(moment)
            QApplication.sendEvent(button, event)
        moment += gap
    assert button.reached == reached
