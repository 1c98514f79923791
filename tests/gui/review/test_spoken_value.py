"""Saying the value of a row: hold V, say it, look, and save."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.chart.records import ReviewStatus
from app.services.review.jobs import Command
from app.services.review.spoken_values import _command
from app.system import paths
from extraction.flowsheet.schema import Option, Row, ValueType
from models.base.errors import ResourceError
from speech.audio import SAMPLE_RATE
from speech.errors import AudioError
from tests.gui.conftest import Ward
from tests.gui.shell.test_views import FakePlayer
from tests.kit.audio import counted
from tests.kit.patience import PATIENCE_SECONDS

PROPOSED, EDITED = ReviewStatus.PROPOSED, ReviewStatus.EDITED
SECONDS = 1.5


def say(ward: Ward, words: str, seconds: float = SECONDS) -> bytes:
    """Holds V, says the words, and releases it; the sound that the microphone heard."""
    ward.engine.says = words
    before = len(ward.microphones.captures)
    QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
    assert len(ward.microphones.captures) == before + 1
    sound = counted(0, round(seconds * SAMPLE_RATE))
    ward.microphones.capture.give(sound)
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key.Key_V)
    ward.until(lambda: ward.microphones.capture.stopped)
    return sound


def test_a_value_that_was_not_heard_is_told_in_the_words_of_its_row(
    review: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(file: Path, *_: Any, **__: Any) -> Any:
        raise AudioError(f"No speech was heard in {file.name}.", "It is kept and can be transcribed again.")

    monkeypatch.setattr(review.engine, "transcribe", silent)
    review.choose("hr")
    say(review, "")
    review.until(lambda: "Nothing was heard for Heart rate." in review.window.message.text)
    assert ".wav" not in review.window.message.text
    assert "kept" not in review.window.message.text


def left_behind() -> list[Path]:
    return list(paths.scratch_dir().iterdir())


def test_a_value_that_is_said_is_entered_and_saved_with_enter(review: Ward) -> None:
    review.choose("bp")
    detail = review.window.page.detail
    sound = say(review, "No, 128 over 82.")
    review.until(lambda: detail.unsaved)
    assert review.engine.sounds == [sound]
    assert detail.editor
    assert detail.editor.value() == "128/82"
    assert review.value("bp").status is PROPOSED, "nothing is charted before the person has looked"
    review.until(lambda: "Heard “No, 128 over 82.”" in review.window.message.text)
    assert not left_behind()
    review.key(Qt.Key.Key_Return)
    review.until_status("bp", EDITED)
    assert review.value("bp").value == "128/82"


def test_what_is_not_one_value_is_said_and_changes_nothing(review: Ward) -> None:
    say(review, "98 or 102")
    review.until(lambda: "Several values of Heart rate were heard: 98 and 102." in review.window.message.text)
    assert not review.window.page.detail.unsaved
    say(review, "I do not remember")
    review.until(lambda: "No value of Heart rate was heard" in review.window.message.text)
    assert review.value("hr").status is PROPOSED
    assert not left_behind()


def test_a_key_that_is_pressed_and_not_held_says_what_to_do(review: Ward) -> None:
    say(review, "98", seconds=0.1)
    review.until(lambda: "Hold V while you speak." in review.window.message.text)
    assert review.engine.sounds == []


def test_the_value_goes_to_the_row_it_was_said_to(review: Ward) -> None:
    review.engine.says = "98"
    QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
    review.microphones.capture.give(counted(0, round(SECONDS * SAMPLE_RATE)))
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key.Key_V)
    review.choose("rhythm")  # before the last sound has come
    review.until(lambda: review.window.page.detail.unsaved)
    assert review.window.page.current == review.value("hr")


def test_what_is_said_to_one_patient_is_never_entered_for_another(review: Ward) -> None:
    other = review.values()
    review.add_patient("Novak, Jan", "14B", "004712")
    review.open_recording("other.wav")
    review.until_filled("other.wav")
    review.choose("hr")
    review.engine.says = "98"
    QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
    review.microphones.capture.give(counted(0, round(SECONDS * SAMPLE_RATE)))
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key.Key_V)
    review.window.navigation.show_dictation(other[0].dictation_id)
    review.until(lambda: "Nothing was entered." in review.window.message.text)
    review.until(lambda: "Heart rate of Novak, Jan" in review.window.message.text)
    assert not review.window.page.detail.unsaved


def test_without_a_microphone_it_says_so(review: Ward) -> None:
    review.microphones.error = ResourceError("No microphone was found.", "Connect one.")
    QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
    review.until(lambda: "No microphone was found." in review.window.message.text)
    assert not review.window.spoken_value.listener.listening


def test_a_microphone_that_is_pulled_out_enters_nothing(review: Ward) -> None:
    QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
    review.microphones.capture.break_off(ResourceError("It stopped working.", "Reconnect it."))
    review.until(lambda: "Nothing was entered." in review.window.message.text)
    assert not review.window.spoken_value.listener.listening
    assert review.engine.sounds == []


def test_while_a_recording_runs_nothing_else_listens(review: Ward) -> None:
    review.key(Qt.Key.Key_F9)
    review.until(lambda: review.window.recorder.running)
    review.window.navigation.show_dictation(review.values()[0].dictation_id)
    review.until(lambda: review.window.page.isVisible() and review.window.page.reviewable)
    review.window.page.flowsheet.setFocus()
    before = len(review.microphones.captures)
    review.key(Qt.Key.Key_V)
    assert len(review.microphones.captures) == before
    review.until(lambda: "A recording is running." in review.window.message.text)
    review.window.recorder.stop()


@pytest.fixture
def obeying(review: Ward) -> Ward:
    review.window.settings.save(replace(review.workbench.settings.current, spoken_commands=True))
    review.until(lambda: review.workbench.settings.current.spoken_commands)
    review.until(lambda: not review.workbench.jobs)
    review.choose("hr")
    return review


def test_commands_are_obeyed_where_the_nurse_turned_them_on(obeying: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    player = FakePlayer()
    player.install(obeying, monkeypatch)
    page = obeying.window.page
    say(obeying, "Next.")
    obeying.until(lambda: page.current == obeying.value("rhythm"))
    say(obeying, "Accept")
    obeying.until_status("rhythm", ReviewStatus.CONFIRMED)
    say(obeying, "play")
    obeying.until(lambda: player.played)
    assert obeying.value("hr").status is PROPOSED


def test_commands_mean_nothing_unless_they_are_turned_on(review: Ward) -> None:
    say(review, "Accept.")
    review.until(lambda: "No value of Heart rate was heard" in review.window.message.text)
    assert review.value("hr").status is PROPOSED


def test_a_command_never_reaches_a_value_that_it_was_not_said_to(obeying: Ward) -> None:
    obeying.engine.says = "accept"
    QTest.keyPress(QApplication.focusWidget(), Qt.Key.Key_V)
    obeying.microphones.capture.give(counted(0, round(SECONDS * SAMPLE_RATE)))
    QTest.keyRelease(QApplication.focusWidget(), Qt.Key.Key_V)
    obeying.choose("weight")
    obeying.until(lambda: "Nothing was done. You said it for Heart rate." in obeying.window.message.text)
    assert obeying.value("weight").status is PROPOSED
    assert obeying.value("hr").status is PROPOSED


def test_accept_does_not_accept_a_flagged_value_whose_evidence_is_out_of_sight(
    obeying: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = obeying.window.page
    monkeypatch.setattr(type(page.detail), "evidence_on_screen", False)
    obeying.choose("temp")
    assert page.flowsheet.wants_a_look(obeying.value("temp").id)
    say(obeying, "accept")
    obeying.until(lambda: "Temperature was not accepted." in obeying.window.message.text)
    obeying.until(lambda: not obeying.workbench.jobs)
    assert obeying.value("temp").status is PROPOSED


def test_accept_means_what_was_in_sight_when_it_was_said(obeying: Ward) -> None:
    obeying.choose("bp")
    heard = obeying.engine.transcribe
    began, go_on = threading.Event(), threading.Event()

    def slowly(*args: Any, **more: Any) -> Any:
        began.set()
        assert go_on.wait(PATIENCE_SECONDS)
        obeying.engine.says = "130 over 80"
        said = heard(*args, **more)
        obeying.engine.says = "accept"
        return said

    obeying.engine.transcribe = slowly  # type: ignore[method-assign]
    say(obeying, "130 over 80")
    obeying.until(began.is_set)
    obeying.engine.transcribe = heard  # type: ignore[method-assign]
    say(obeying, "accept")
    go_on.set()
    obeying.until(lambda: "was not accepted" in obeying.window.message.text)
    obeying.until(lambda: not obeying.workbench.jobs)
    assert obeying.value("bp").status is PROPOSED
    assert obeying.window.page.detail.unsaved, "the value that was said waits to be looked at"


def test_a_command_that_is_an_option_of_the_row_is_a_value() -> None:
    option = Option("Accepted", synonyms=("accept",))
    row = Row("care", "Care", ValueType.SINGLE_SELECT, (), options=(option,))
    assert _command(row, "Accept.") is None
    assert _command(replace(row, options=()), "Accept.") is Command.ACCEPT
