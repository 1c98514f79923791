"""Messages: closed without stopping anything, gone once they are not true, and the keyboard is where it was."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.chart.records import ReviewStatus
from tests.gui.conftest import NARROW, Ward, lay_out
from tests.gui.hands import CTRL, SHIFT, filed
from tests.kit.fake_app import WEIGHED_BY, FakeEngine, until_cancelled
from ui.kit import message_bar
from ui.shell.window import COMFORTABLE

PROPOSED, CONFIRMED = ReviewStatus.PROPOSED, ReviewStatus.CONFIRMED


@pytest.fixture
def lit(new_ward: Callable[..., Ward], calibrated: None, out: Path) -> Ward:
    """A text waits for review; three of its values are lit."""
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text()
    ward.until_review()
    return ward


@pytest.fixture
def busy(new_ward: Callable[..., Ward]) -> Ward:
    """A dictation waits for review while the next one is filled, for as long as nobody stops it."""
    engine = FakeEngine()
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text()
    ward.until_review()
    engine.before_fill.append(until_cancelled)
    ward.open_text("evening.txt")
    ward.until(lambda: ward.window.strip.isVisible())
    ward.until(lambda: ward.window.side.recent.count() == 2)
    first = next(e for e in ward.window.selection.overview.entries if e.dictation.original_name == "morning.txt")
    ward.window.navigation.show_dictation(first.dictation.id)
    ward.until(lambda: ward.window.page.reviewable)
    ward.window.page.flowsheet.setFocus()
    return ward


def refuse_file(ward: Ward, name: str = "scan.pdf") -> None:
    path = ward.folder / name
    path.write_bytes(b"%PDF-1.4")
    ward.window.intake.open_file(path)
    ward.until(lambda: name in ward.window.message.text)


def stops(ward: Ward) -> bool:
    return not ward.window.strip.cancel.isEnabled() or not ward.window.strip.isVisible()


# Esc


def test_escape_closes_a_message_and_stops_no_work(busy: Ward) -> None:
    busy.window.message.show_message("error", "Something.")
    busy.key(Qt.Key.Key_Escape)
    assert busy.window.message.text == ""
    busy.qtbot.wait(50)
    assert not stops(busy)
    assert busy.window.page.flowsheet.hasFocus()
    busy.window.work.cancel()
    busy.until(lambda: not busy.window.strip.isVisible())


def test_escape_by_itself_stops_nothing_and_says_what_does(busy: Ward) -> None:
    for _ in range(3):
        busy.key(Qt.Key.Key_Escape)
        busy.qtbot.wait(20)
        assert not stops(busy)
    busy.until(lambda: "Press Ctrl+. to stop it" in busy.window.message.text)
    busy.hold(Qt.Key.Key_Escape, seconds=0.5)
    assert not stops(busy)
    busy.key(Qt.Key.Key_Period, CTRL)
    busy.until(lambda: "Stopped." in busy.window.message.text)


def test_stopped_work_can_be_resumed_at_once(busy: Ward) -> None:
    busy.key(Qt.Key.Key_Period, CTRL)
    busy.until(lambda: "Stopped." in busy.window.message.text)
    busy.until(lambda: "Hawthorne, Ada" in busy.window.message.text)
    busy.until(lambda: "Resume to continue" in busy.window.message.text)
    busy.click(busy.window.message.act)
    busy.until_filled("evening.txt")
    assert "Stopped" not in busy.window.message.text


# the keyboard


def tab_to(ward: Ward, widget: QWidget) -> None:
    for _ in range(60):
        if widget.hasFocus():
            return
        ward.key(Qt.Key.Key_Tab)
    raise AssertionError("Tab does not reach it")


@pytest.mark.parametrize("how", ["click", "tab"])
def test_closing_a_message_gives_the_keyboard_back(lit: Ward, how: str) -> None:
    lit.window.message.show_message("error", "Something.")
    lit.window.page.flowsheet.setFocus()
    if how == "click":
        lit.click(lit.window.message.dismiss)
    else:
        lit.window.message.dismiss.setFocus(Qt.FocusReason.TabFocusReason)
        lit.key(Qt.Key.Key_Space)
    assert lit.window.message.text == ""
    assert lit.window.page.flowsheet.hasFocus()
    lit.key(Qt.Key.Key_Space)
    assert lit.window.recorder.recording is None


def test_a_message_that_goes_by_itself_under_the_keyboard_gives_it_back(
    lit: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = [True]
    lit.window.message.show_message("error", "Something.", holds=lambda: bool(true))
    lit.window.message.dismiss.setFocus(Qt.FocusReason.TabFocusReason)
    true.clear()
    lit.window.message.check()
    assert lit.window.page.flowsheet.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return])
def test_a_record_button_with_an_accidental_focus_records_nothing(lit: Ward, key: Qt.Key) -> None:
    for reason in (Qt.FocusReason.OtherFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
        lit.window.side.record.setFocus(reason)
        lit.key(key)
        assert lit.window.recorder.recording is None
    lit.window.page.flowsheet.setFocus()
    QTest.mousePress(lit.window.side.record, Qt.MouseButton.LeftButton)
    assert not lit.window.side.record.hasFocus(), "a click leaves the keyboard where it is"


def test_record_can_be_pressed_by_who_goes_to_it_by_tab(lit: Ward) -> None:
    tab_to(lit, lit.window.side.record)
    lit.key(Qt.Key.Key_Space)
    assert lit.window.recorder.running
    assert not isinstance(QApplication.focusWidget(), type(lit.window.side.record)), "no button is under the next Space"
    lit.window.recorder.finish()
    lit.until(lambda: lit.window.recorder.recording is None)


def test_a_button_that_goes_leaves_the_keyboard_to_the_values(lit: Ward) -> None:
    for row_id in ("device", "foley", "temp"):
        lit.choose(row_id)
        lit.key(Qt.Key.Key_A)
        lit.until_status(row_id, CONFIRMED)
    lit.window.page.head.accept_all.setFocus(Qt.FocusReason.TabFocusReason)
    lit.key(Qt.Key.Key_Space)  # it is disabled, for nothing is left to accept
    lit.until(lambda: not lit.window.page.head.accept_all.isEnabled())
    assert lit.window.page.flowsheet.hasFocus()


# what is not true any more


def test_the_not_filed_message_is_updated_until_filing_is_possible(lit: Ward) -> None:
    message = lit.window.message
    lit.key(Qt.Key.Key_F)
    lit.until(lambda: "3 flagged values are not reviewed" in message.text)
    lit.key(Qt.Key.Key_A)
    lit.until(lambda: "2 flagged values are not reviewed" in message.text)
    lit.key(Qt.Key.Key_A)
    lit.until(lambda: "1 flagged value is not reviewed" in message.text)
    lit.key(Qt.Key.Key_A)
    lit.until(lambda: "15 values are not reviewed" in message.text)
    lit.key(Qt.Key.Key_A, SHIFT)
    lit.until(lambda: "15 values accepted. Nothing is left to review" in message.text)
    message.close_message()
    assert message.text == ""
    assert not filed(lit)


def test_an_error_about_a_file_ends_with_the_next_file(lit: Ward) -> None:
    refuse_file(lit)
    lit.key(Qt.Key.Key_A)
    lit.until_status("device", CONFIRMED)
    lit.until(lambda: "scan.pdf" in lit.window.message.text)
    lit.open_text("evening.txt")
    lit.until_filled("evening.txt")
    assert lit.window.message.text == ""


def test_a_message_about_a_dictation_ends_when_another_patient_is_opened(lit: Ward) -> None:
    lit.key(Qt.Key.Key_F)
    lit.until(lambda: "Not filed" in lit.window.message.text)
    lit.add_patient("Okafor, Ben", "3", "77")
    lit.until(lambda: lit.window.start.isVisible())
    assert lit.window.message.text == ""


def test_a_message_without_an_end_of_its_own_belongs_to_the_dictation_where_it_came(lit: Ward) -> None:
    message = lit.window.message
    message.show_message("warning", "Something about this dictation.")
    message.show_message("warning", "The disk is nearly full.", stays=True)
    lit.open_text("evening.txt")
    lit.until_filled("evening.txt")
    assert message.text == "The disk is nearly full."
    message.close_message()
    assert message.text == ""


def test_a_message_moves_nothing_and_its_buttons_lie_on_no_others(lit: Ward) -> None:
    window = lit.window
    for size in (COMFORTABLE, NARROW):
        window.resize(size)
        lay_out()
        buttons = [one for one in window.findChildren(QPushButton) if one.isVisible()]
        before = {one: QRect(one.mapTo(window, QPoint()), one.size()) for one in buttons}
        window.message.show_message("warning", "Something happened.", "Do something.", action="&Do it", do=lambda: None)
        lay_out()
        assert before == {one: QRect(one.mapTo(window, QPoint()), one.size()) for one in buttons}
        for mine in (window.message.act, window.message.dismiss):
            place = QRect(mine.mapTo(window, QPoint()), mine.size())
            assert not [one.text() for one, there in before.items() if there.intersects(place)]
        window.message.close_message()


def test_enter_presses_the_button_that_has_the_focus(lit: Ward) -> None:
    done: list[str] = []
    lit.window.message.show_message("warning", "Something.", action="&Do it", do=lambda: done.append("it"))
    lit.window.message.act.setFocus(Qt.FocusReason.TabFocusReason)
    lit.key(Qt.Key.Key_Return)
    assert done == ["it"]
    assert lit.window.page.flowsheet.hasFocus()
    assert not lit.window.message.act.autoDefault(), "only while it has the focus"


def test_a_change_that_is_saved_is_not_said_to_be_unsaved(lit: Ward) -> None:
    lit.choose("hr")
    lit.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    lit.type("118")
    lit.choose("rr")
    lit.until(lambda: "not saved" in lit.window.message.text)
    lit.choose("hr")
    lit.key(Qt.Key.Key_E)
    lit.key(Qt.Key.Key_Return)
    lit.until_status("hr", ReviewStatus.EDITED)
    assert "not saved" not in lit.window.message.text


def test_a_confirmation_goes_by_itself_and_the_error_before_it_is_seen_again(
    lit: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = lit.window.message
    message._timer.setInterval(50)
    refuse_file(lit)
    message.show_message("done", "Exported.")
    assert message.text == "Exported."
    lit.until(lambda: "scan.pdf" in message.text)
    lit.qtbot.wait(100)
    assert "scan.pdf" in message.text
    message.close_message()
    assert message.text == ""
    assert message_bar.DONE_MS < 10_000


def test_errors_wait_for_each_other(lit: Ward) -> None:
    refuse_file(lit, "a.pdf")
    lit.window.message.show_message("error", "The microphone is unplugged.")
    lit.key(Qt.Key.Key_Escape)
    lit.until(lambda: "a.pdf" in lit.window.message.text)
    lit.key(Qt.Key.Key_Escape)
    assert lit.window.message.text == ""


def test_that_a_microphone_is_lost_is_said_until_it_records_again(ward: Ward) -> None:
    ward.add_patient()
    ward.key(Qt.Key.Key_F9)
    from models.base.errors import ResourceError

    ward.window.recorder._lost(ResourceError("The microphone is unplugged.", "Plug it in."))
    ward.until(lambda: "unplugged" in ward.window.message.text)
    ward.window.recorder.pause_or_go_on()
    ward.until(lambda: ward.window.message.text == "")
    ward.window.recorder.stop()


def test_settings_say_nothing_of_models_that_are_there(lit: Ward, monkeypatch: Any) -> None:
    models = lit.workbench.models.all
    missing = tuple(replace(model, status="missing") for model in models)
    lit.workbench.workspace.models = missing
    lit.window.settings.show_machine()
    lit.until(lambda: "Not installed yet" in lit.window.message.text)
    lit.workbench.workspace.models = models
    lit.window.message.check()
    assert lit.window.message.text == ""


def test_a_graphics_card_that_is_not_used_is_said_once(lit: Ward) -> None:
    window, engine = lit.window, lit.engine
    engine.device_note = "The language model runs on the processor: the graphics card could not load it."
    window.work.show()
    lit.until(lambda: "could not load it" in window.message.text)
    assert "could not load it" in window.banner._offline.toolTip()
    window.message.close_message()
    window.work.show()
    assert window.message.text == ""
    engine.device_note = ""
    window.work.show()
    assert "Runs on the processor." in window.banner._offline.toolTip()
