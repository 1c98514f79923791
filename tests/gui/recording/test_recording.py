"""From the button to a filled dictation, and everything that can come between."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from models.base.errors import ResourceError
from speech import recording_journal
from speech.levels import Verdict
from tests.gui.conftest import Ward
from tests.gui.hands import filed
from tests.kit.audio import voice
from tests.kit.fake_app import FakeEngine, follow, until_cancelled
from tests.kit.fake_microphone import FakeCapture
from tests.kit.patience import PATIENCE_SECONDS
from ui.kit.question import Question
from ui.recording.microphone import Device, not_opened, unplugged

SHIFT = Qt.KeyboardModifier.ShiftModifier
VOICE = voice(2.0)


def folders() -> list[Path]:
    return list(paths.unfinished_dir().glob("*"))


def audio(ward: Ward) -> bytes:
    """The sound of the dictation that is shown."""
    assert ward.window.page.sheet
    return ward.window.page.sheet.dictation.path.read_bytes()[44:]


def begin(ward: Ward, pcm: bytes = VOICE) -> FakeCapture:
    ward.click(ward.window.side.record)
    ward.microphones.capture.give(pcm)
    return ward.microphones.capture


def on_disk(ward: Ward, size: int) -> None:
    ward.until(lambda: sum(path.stat().st_size for path in paths.unfinished_dir().glob("*/sound.pcm")) >= size)


@pytest.fixture
def bed(ward: Ward) -> Ward:
    """A ward with a patient, before anything was recorded."""
    ward.add_patient()
    return ward


def test_from_the_button_to_a_filled_dictation(bed: Ward) -> None:
    capture = begin(bed)
    bed.until(lambda: "Recording · Hawthorne, Ada · MRN 004711 · bed 12 · 0:02" in bed.window.recorder.bar.text)
    assert not bed.window.side.record.isEnabled()
    bed.click(bed.window.recorder.bar.finish)
    assert "Saving" in bed.window.recorder.bar.text
    bed.until(lambda: capture.stopped)
    bed.until_review()
    assert audio(bed) == VOICE
    assert bed.window.page.sheet
    assert bed.window.page.sheet.dictation.original_name.startswith("recording-")
    bed.until(lambda: not folders())
    assert not bed.window.recorder.bar.isVisible()
    assert bed.window.side.record.isEnabled()


def test_the_key_records_pauses_and_finishes(bed: Ward) -> None:
    bed.key(Qt.Key.Key_F9)
    first = bed.microphones.capture
    first.give(VOICE[:8000])
    bed.key(Qt.Key.Key_F9, SHIFT)
    bed.until(lambda: first.stopped)
    assert "Paused" in bed.window.recorder.bar.text
    assert bed.window.recorder.bar.pause.text() == "Resume"
    bed.key(Qt.Key.Key_F9, SHIFT)
    bed.microphones.capture.give(VOICE[8000:])
    bed.key(Qt.Key.Key_F9)
    bed.until_review()
    assert audio(bed) == VOICE


def test_the_last_word_may_come_after_the_key(bed: Ward) -> None:
    capture = begin(bed, VOICE[:-9600])
    bed.key(Qt.Key.Key_F9)
    bed.key(Qt.Key.Key_F9)  # changes nothing any more
    capture.give(VOICE[-9600:])
    bed.until_review()
    assert audio(bed) == VOICE


def test_the_last_word_may_come_after_the_pause(bed: Ward) -> None:
    capture = begin(bed, VOICE[:3200])
    bed.key(Qt.Key.Key_F9, SHIFT)
    assert "Paused" in bed.window.recorder.bar.text
    bed.key(Qt.Key.Key_F9, SHIFT)  # at once: it goes on as if nothing had been
    assert "Recording ·" in bed.window.recorder.bar.text
    capture.give(VOICE[3200:6400])
    bed.key(Qt.Key.Key_F9, SHIFT)
    capture.give(VOICE[6400:9600])
    assert not capture.stopped
    bed.until(lambda: capture.stopped)
    bed.key(Qt.Key.Key_F9, SHIFT)
    bed.microphones.capture.give(VOICE[9600:16000])
    bed.key(Qt.Key.Key_F9, SHIFT)
    bed.key(Qt.Key.Key_F9)  # finishes, and does not wait for the pause
    bed.microphones.capture.give(VOICE[16000:])
    bed.until_review()
    assert audio(bed) == VOICE


def test_the_bar_says_when_the_microphone_begins_to_hear(bed: Ward) -> None:
    bed.click(bed.window.side.record)
    assert "Starting the microphone" in bed.window.recorder.bar.text
    bed.microphones.capture.give(VOICE[:640])
    assert "Recording ·" in bed.window.recorder.bar.text


def test_a_microphone_that_is_lost_with_the_last_word_ends_the_recording(bed: Ward) -> None:
    capture = begin(bed)
    bed.key(Qt.Key.Key_F9)
    capture.break_off(unplugged("Desk microphone"))
    bed.until_review()
    assert audio(bed) == VOICE


def test_what_the_microphone_still_has_is_not_lost(bed: Ward) -> None:
    bed.microphones.left = VOICE[-640:]
    begin(bed, VOICE[:-640])
    bed.click(bed.window.recorder.bar.finish)
    bed.until_review()
    assert audio(bed) == VOICE


@pytest.mark.parametrize("known", [True, False])
def test_without_a_patient_one_is_asked_for_first(ward: Ward, known: bool) -> None:
    if known:
        ward.add_patient()
        ward.until(lambda: ward.window.selection.overview.patients)
        ward.window.selection.patient = None

    def choose(dialog: Any) -> None:
        if known:
            dialog.list.setCurrentRow(0)  # nobody is chosen beforehand
            return QTest.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
        QTest.keyClicks(dialog.name, "Okafor")
        QTest.keyClicks(dialog.mrn, "77")
        return QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)

    ward.in_dialog(lambda: ward.click(ward.window.side.record), choose)
    ward.until(lambda: ward.window.recorder.running)
    assert ("Hawthorne" if known else "Okafor") in ward.window.recorder.bar.text


def test_no_patient_no_recording(ward: Ward) -> None:
    ward.in_dialog(lambda: ward.click(ward.window.side.record), lambda dialog: dialog.reject())
    assert not ward.microphones.captures
    ward.add_patient()  # what was given up is not taken up again
    assert not ward.microphones.captures


def test_the_next_patient_is_recorded_while_the_last_is_filled(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    begin(ward)
    ward.click(ward.window.recorder.bar.finish)
    ward.until(lambda: "filling values" in ward.window.strip.text)
    ward.add_patient("Okafor, Ben", "3", "77")
    ward.until(lambda: ward.window.selection.patient and ward.window.selection.patient.name == "Okafor, Ben")
    begin(ward)
    assert "Okafor, Ben · MRN 77 · bed 3" in ward.window.recorder.bar.text
    assert ward.window.strip.isVisible()
    ward.click(ward.window.recorder.bar.finish)
    ward.until(lambda: len(ward.window.selection.overview.entries) == 2)
    ward.click(ward.window.strip.cancel)
    ward.until_review()
    assert "Okafor" in ward.window.banner.patient_text


def test_recording_needs_no_model(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine(missing=("whisper-base", "qwen2.5-coder-1.5b-q4", "minilm-l6-v2"))
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    begin(ward)
    ward.click(ward.window.recorder.bar.finish)
    ward.until(lambda: ward.window.side.recent.count() == 1)


@pytest.mark.parametrize("answer", ["&Finish recording", "&Keep recording", "Cancel"])
def test_choosing_another_patient_asks_about_the_recording(bed: Ward, answer: str) -> None:
    bed.add_patient("Okafor", "3", "77")
    bed.until(lambda: len(bed.window.selection.overview.patients) == 2)
    begin(bed)
    hawthorne = next(p for p in bed.window.selection.overview.patients if p.name != "Okafor")

    def decide(box: Question) -> None:
        assert box.question == "A recording is running: Okafor · MRN 77 · bed 3."
        QTest.mouseClick(box.buttons[answer], Qt.MouseButton.LeftButton)

    bed.in_dialog(lambda: bed.window.navigation.choose_patient(hawthorne), decide)
    assert bed.window.recorder.running is (answer != "&Finish recording")
    assert bed.window.selection.patient
    if answer == "Cancel":
        assert bed.window.selection.patient.name == "Okafor"
    else:
        assert bed.window.selection.patient.name == "Hawthorne, Ada"
    if bed.window.recorder.running:
        assert "Okafor" in bed.window.recorder.bar.text
        bed.click(bed.window.recorder.bar.finish)
    bed.until(lambda: [entry.patient.name for entry in bed.window.selection.overview.entries] == ["Okafor"])
    if answer == "Cancel":
        bed.until_review()
    else:
        bed.until(lambda: "The recording about Okafor is saved" in bed.window.message.text)
        assert bed.window.start.isVisible()
        assert bed.window.selection.patient.name == "Hawthorne, Ada"


# what goes wrong


def test_no_microphone_says_what_to_do_and_nothing_begins(bed: Ward) -> None:
    bed.microphones.error = not_opened("Headset")
    bed.click(bed.window.side.record)
    bed.until(lambda: "another program" in bed.window.message.text)
    bed.until(lambda: "Close the other program" in bed.window.message.text)
    assert not bed.window.recorder.running
    assert not folders()


def test_an_unplugged_microphone_pauses_and_another_one_resumes(bed: Ward) -> None:
    capture = begin(bed, VOICE[:16000])
    capture.break_off(unplugged("Desk microphone"))
    bed.until(lambda: "Desk microphone stopped working" in bed.window.message.text)
    assert "Paused" in bed.window.recorder.bar.text
    bed.microphones.error = ResourceError("No microphone was found.", "Plug one in.")
    bed.click(bed.window.recorder.bar.pause)
    bed.until(lambda: "No microphone" in bed.window.message.text)
    assert "Paused" in bed.window.recorder.bar.text
    bed.microphones.error = None
    bed.microphones.plug(Device("headset", "Headset"))
    bed.click(bed.window.recorder.bar.pause)
    bed.microphones.capture.give(VOICE[16000:])
    assert bed.microphones.capture.name == "Headset"
    bed.click(bed.window.recorder.bar.finish)
    bed.until_review()
    assert audio(bed) == VOICE


def test_a_silent_microphone_is_reported_and_a_dead_one_pauses(bed: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("ui.recording.recorder.time.monotonic", lambda: now[0])
    capture = begin(bed)
    for _ in range(10):
        now[0] += 0.5
        capture.give(bytes(3200))
    bed.until(lambda: Verdict.SILENT in bed.window.recorder.bar.text)
    capture.give(voice(0.1, speech_db=-2.0, gain_db=12))
    bed.until(lambda: Verdict.LOUD in bed.window.recorder.bar.text)
    now[0] += 2.5
    bed.until(lambda: bed.window.recorder.bar.text.endswith("Desk microphone"))
    now[0] += 3.5
    bed.until(lambda: "Paused" in bed.window.recorder.bar.text)
    bed.until(lambda: "stopped working" in bed.window.message.text)


def test_a_recording_ends_by_itself_before_it_gets_too_long(bed: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.recording.recorder.LONGEST_SECONDS", 1.5)
    begin(bed)
    bed.until(lambda: "The recording was finished" in bed.window.message.text)
    bed.until_review()
    assert audio(bed) == VOICE


def test_an_empty_recording_is_reported_and_leaves_nothing(bed: Ward) -> None:
    begin(bed, b"")
    bed.click(bed.window.recorder.bar.finish)
    bed.until(lambda: "Nothing was recorded" in bed.window.message.text)
    bed.until(lambda: not folders() and bed.window.side.record.isEnabled())
    assert not bed.window.recorder.bar.isVisible()
    assert not bed.window.recovery.isVisible()


def test_a_full_disk_ends_the_recording_and_offers_what_is_there(bed: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    bed.engine.following = follow(2)
    begin(bed, VOICE[:32000])
    on_disk(bed, 32000)
    with monkeypatch.context() as patch:
        patch.setattr(recording_journal.os, "fsync", _no_space)
        bed.microphones.capture.give(VOICE[32000:])
        bed.until(lambda: "No space left on device" in bed.window.message.text)
    assert not bed.window.recorder.running
    assert bed.microphones.capture.stopped
    bed.until(lambda: bed.window.recovery.isVisible())
    bed.click(bed.window.recovery.keep)
    bed.until_review()
    assert audio(bed)[:32000] == VOICE[:32000]


def test_a_recording_that_cannot_be_saved_is_offered_again(bed: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(bed)
    with monkeypatch.context() as patch:
        patch.setattr(recording_journal.wave, "open", _no_space)
        bed.click(bed.window.recorder.bar.finish)
        bed.until(lambda: "No space left on device" in bed.window.message.text)
        bed.until(lambda: bed.window.recovery.isVisible() and bed.window.side.record.isEnabled())
    bed.click(bed.window.recovery.keep)
    bed.until_review()
    assert audio(bed) == VOICE


def _no_space(*_: object) -> None:
    raise OSError(28, "No space left on device")


# after a crash


@pytest.fixture
def crashed(new_ward: Callable[..., Ward]) -> Ward:
    """The next start after a program that ended in the middle of a recording."""
    first = new_ward()
    first.until_ready()
    first.add_patient()
    begin(first)
    on_disk(first, len(VOICE))
    first.close()
    second = new_ward()
    second.until(lambda: second.window.recovery.isVisible())
    return second


def test_the_next_start_offers_to_keep_the_recording(crashed: Ward) -> None:
    assert "A recording about Hawthorne, Ada · MRN 004711 · bed 12 was not finished." in crashed.window.recovery.text
    assert "2 seconds" in crashed.window.recovery.text
    crashed.click(crashed.window.recovery.keep)
    crashed.until_review()
    assert audio(crashed) == VOICE
    assert not crashed.window.recovery.isVisible()
    crashed.until(lambda: not folders())


@pytest.mark.parametrize("sure", [True, False])
def test_discarding_asks_again(crashed: Ward, sure: bool) -> None:
    def answer(box: Question) -> None:
        assert "This cannot be undone" in box.words
        assert box.buttons["Cancel"].isDefault(), "Enter must not delete"
        QTest.mouseClick(box.buttons["&Discard" if sure else "Cancel"], Qt.MouseButton.LeftButton)

    crashed.in_dialog(lambda: crashed.click(crashed.window.recovery.discard), answer)
    assert crashed.window.recovery.isVisible() is not sure
    if sure:
        crashed.until(lambda: not folders())
    else:
        crashed.until_idle()
        assert len(folders()) == 1


def test_a_recovered_recording_without_a_patient_goes_to_the_chosen_one(new_ward: Callable[..., Ward]) -> None:
    with recording_journal.Journal(
        paths.unfinished_dir(), recording_journal.Head("2026-03-04T05:06:07+00:00", 99, "", "ward", "")
    ) as opened:
        opened.append(VOICE)
    ward = new_ward()
    ward.until(lambda: "an unknown patient" in ward.window.recovery.text)
    ward.in_dialog(lambda: ward.click(ward.window.recovery.keep), lambda dialog: dialog.reject())
    ward.until(lambda: ward.window.recovery.isVisible())

    def enter(dialog: Any) -> None:
        QTest.keyClicks(dialog.name, "Hawthorne, Ada")
        QTest.keyClicks(dialog.mrn, "004711")
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)

    ward.in_dialog(lambda: ward.click(ward.window.recovery.keep), enter)
    ward.until_review()
    ward.until(lambda: not ward.window.recovery.isVisible())
    assert ward.window.page.sheet
    assert ward.window.page.sheet.patient.name == "Hawthorne, Ada"


def test_closing_while_recording_asks_and_loses_nothing(bed: Ward, new_ward: Callable[..., Ward]) -> None:
    begin(bed)

    def stay(box: Question) -> None:
        assert "A recording is running" in box.question
        box.reject()

    bed.in_dialog(bed.window.close, stay)
    assert bed.window.recorder.running
    bed.close()
    second = new_ward()
    second.until(lambda: second.window.recovery.isVisible())
    second.click(second.window.recovery.keep)
    second.until_review()
    assert audio(second) == VOICE


# settings


def change(ward: Ward, do: Callable[[Any], None]) -> None:
    def edit(dialog: Any) -> None:
        ward.click(dialog.recording)
        do(dialog.record)
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: not dialog.isVisible())

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier), edit)


def test_microphone_key_and_retention_are_chosen_in_the_settings(bed: Ward) -> None:
    def choose(record: Any) -> None:
        assert record.input.box.itemText(0) == "Default (Desk microphone)"
        bed.microphones.plug(Device("desk", "Desk microphone"), Device("usb", "USB microphone"))
        record.input.box.setCurrentIndex(record.input.box.findData("usb"))
        bed.microphones.plug(Device("desk", "Desk microphone"))
        assert "not connected" in record.input.box.currentText()
        record.key.setCurrentIndex(record.key.findData("F13"))
        assert not record.days.isVisible()
        record.keep.setCurrentIndex(record.keep.findData("days"))
        assert record.days.isVisible()
        record.days.setValue(7)

    change(bed, choose)
    kept = load_settings(paths.config_file())
    assert (kept.microphone, kept.record_key, kept.keep_audio, kept.keep_audio_days) == ("usb", "F13", "days", 7)
    bed.microphones.plug(Device("desk", "Desk microphone"), Device("usb", "USB microphone"))
    bed.until(lambda: "(F13)" in bed.window.side.record.toolTip())
    bed.key(Qt.Key.Key_F9)
    assert not bed.window.recorder.running
    bed.key(Qt.Key.Key_F13)
    assert bed.window.recorder.running
    assert bed.microphones.capture.name == "USB microphone"


def test_a_held_key_is_released_with_the_window(bed: Ward) -> None:
    change(bed, lambda record: record.hold.setChecked(True))
    bed.until(lambda: bed.window.actions_["record"].shortcut().isEmpty())
    QTest.keyPress(QApplication.focusWidget() or bed.window, Qt.Key.Key_F9)
    bed.microphones.capture.give(VOICE)
    QApplication.sendEvent(QApplication.instance(), QEvent(QEvent.Type.ApplicationDeactivate))
    assert not bed.window.recorder.running
    bed.until_review()


def test_a_key_to_hold_finishes_what_the_button_began_and_asks_for_a_patient(ward: Ward) -> None:
    change(ward, lambda record: record.hold.setChecked(True))
    ward.until(lambda: ward.window.actions_["record"].shortcut().isEmpty())
    ward.in_dialog(lambda: ward.key(Qt.Key.Key_F9), lambda dialog: dialog.reject())
    assert not ward.microphones.captures
    ward.add_patient()
    begin(ward)
    ward.key(Qt.Key.Key_F9)
    ward.until_review()


def test_the_key_can_be_held_to_talk(bed: Ward) -> None:
    change(bed, lambda record: record.hold.setChecked(True))
    bed.until(lambda: bed.window.actions_["record"].shortcut().isEmpty())
    QTest.keyPress(QApplication.focusWidget() or bed.window, Qt.Key.Key_F9)
    assert bed.window.recorder.running
    bed.microphones.capture.give(VOICE)
    QTest.keyRelease(QApplication.focusWidget() or bed.window, Qt.Key.Key_A)
    assert bed.window.recorder.running
    QTest.keyRelease(QApplication.focusWidget() or bed.window, Qt.Key.Key_F9)
    assert not bed.window.recorder.running
    bed.until_review()
    assert audio(bed) == VOICE


@pytest.mark.parametrize(
    ("pcm", "verdict"),
    [(voice(10.5), Verdict.GOOD), (bytes(340_000), Verdict.SILENT), (voice(10.5, noise_db=-30), Verdict.NOISY)],
)
def test_a_test_of_the_microphone_says_whether_it_will_do(bed: Ward, pcm: bytes, verdict: Verdict) -> None:
    def test(record: Any) -> None:
        QTest.mouseClick(record.input.test, Qt.MouseButton.LeftButton)
        capture = bed.microphones.capture
        capture.give(pcm[:64_000])
        assert record.input.test.text() == "S&top"
        bed.until(lambda: "8 s" in record.input.verdict.text())
        capture.give(pcm[64_000:])
        assert capture.stopped
        assert record.input.verdict.text() == verdict
        assert record.input.test.text() == "&Test microphone"

    change(bed, test)
    assert not folders()


def test_a_test_ends_with_the_dialog_and_tells_what_fails(bed: Ward) -> None:
    def test(record: Any) -> None:
        bed.microphones.error = not_opened("Headset")
        QTest.mouseClick(record.input.test, Qt.MouseButton.LeftButton)
        assert "another program" in record.input.verdict.text()
        bed.microphones.error = None
        QTest.mouseClick(record.input.test, Qt.MouseButton.LeftButton)
        bed.microphones.capture.break_off(unplugged("Desk microphone"))
        assert "stopped working" in record.input.verdict.text()
        QTest.mouseClick(record.input.test, Qt.MouseButton.LeftButton)
        assert not bed.microphones.capture.stopped

    change(bed, test)
    assert bed.microphones.capture.stopped


def test_a_recording_is_not_disturbed_by_a_test(bed: Ward) -> None:
    begin(bed)
    bed.in_dialog(
        lambda: bed.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier),
        lambda dialog: pytest.fail("it can be tested") if dialog.record.input.test.isEnabled() else None,
    )
    assert bed.window.recorder.running


# how long sound is kept


def test_sound_is_deleted_when_a_filed_dictation_is_left(out: Path, bed: Ward) -> None:
    begin(bed)
    bed.click(bed.window.recorder.bar.finish)
    bed.until_review()
    assert bed.window.page.sheet
    path = bed.window.page.sheet.dictation.path
    bed.window.review.watch(
        bed.workbench.review.decide(bed.window.page.sheet, [value.id for value in bed.values()], "confirm")
    )
    bed.until(lambda: all(value.status is ReviewStatus.CONFIRMED for value in bed.values()))
    first = bed.window.page.sheet.dictation.id
    bed.key(Qt.Key.Key_F)
    bed.until(lambda: filed(bed))
    bed.workbench.intake.delete_expired(bed.window.selection.dictation_id).wait(PATIENCE_SECONDS)
    assert path.exists()  # it is still looked at
    bed.open_text()
    bed.until(lambda: not path.exists())
    bed.window.navigation.show_dictation(first)
    bed.until(lambda: bed.window.page.sheet and bed.window.page.sheet.dictation.id == first)
    bed.choose("hr")
    play = bed.window.page.detail.quote.play
    assert not play.isEnabled()
    assert "The audio was deleted" in play.toolTip()


def test_sound_is_deleted_at_once_if_never_kept(new_ward: Callable[..., Ward], tmp_path: Path) -> None:
    save_settings(replace(load_settings(paths.config_file()), keep_audio="never"), paths.config_file())
    ward = new_ward()
    ward.until_ready()
    ward.add_patient()
    begin(ward)
    ward.click(ward.window.recorder.bar.finish)
    ward.until_review()
    assert ward.window.page.sheet
    path = ward.window.page.sheet.dictation.path
    ward.until(lambda: not path.exists())
    ward.choose("hr")
    ward.until(lambda: "The audio was deleted" in ward.window.page.detail.quote.play.toolTip())


def test_the_window_never_waits_for_the_disk(bed: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    sync, syncing = recording_journal.os.fsync, set[threading.Thread]()
    monkeypatch.setattr(
        recording_journal.os, "fsync", lambda file: (syncing.add(threading.current_thread()), sync(file))[1]
    )
    begin(bed)
    bed.key(Qt.Key.Key_F9)
    bed.until(bed.window.side.record.isEnabled)
    assert syncing
    assert threading.main_thread() not in syncing


# what is said of it


def test_every_control_has_a_name_a_key_and_a_tip(bed: Ward) -> None:
    begin(bed)
    bar = bed.window.recorder.bar
    assert "(F9)" in bar.finish.toolTip()
    assert "(Shift+F9)" in bar.pause.toolTip()
    assert "(F9)" in bed.window.side.record.toolTip()
    assert bar.meter.accessibleName() == "Level"
    bed.until(lambda: "decibels" in bar.meter.accessibleDescription())
    assert 5 < bar.meter.lit < 30

    def look(dialog: Any) -> None:
        assert dialog.recording.toolTip() == "Show this page (Alt+C)"
        record = dialog.record
        names = {box.accessibleName() for box in (record.input.box, record.key, record.keep, record.days)}
        assert names == {"Microphone", "Record key", "Keep sound", "Days to keep sound"}
        for button in (record.input.refresh, record.input.test, record.hold):
            assert button.toolTip()

    bed.in_dialog(lambda: bed.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier), look)
