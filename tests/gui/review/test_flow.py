"""Opening, working, stopping, failing and going on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from app.chart.records import ReviewStatus
from app.services.intake.file_kinds import kind_of
from app.system import paths
from app.system.settings import Settings, load_settings, save_settings
from tests.gui.conftest import Ward, lay_out
from tests.kit.fake_app import SENTENCES, TEXT, FakeEngine, break_down, deaf, die, until_cancelled, write_recording
from tests.kit.patience import PATIENCE_SECONDS
from ui.kit.question import Question


def test_the_window_is_there_before_anything_is_opened(new_ward: Callable[..., Ward]) -> None:
    ward = new_ward()
    assert ward.window.isVisible()
    assert not ward.window.side.open.isEnabled()
    ward.until_ready()
    assert "No patient chosen" in ward.window.banner.patient_text
    assert ward.window.start.patient.isVisible()


def test_the_models_are_loaded_as_soon_as_the_window_is_ready(new_ward: Callable[..., Ward]) -> None:
    """What goes wrong there is said when a dictation meets it, and nobody is asked to wait for it before closing."""
    engine = FakeEngine()
    engine.before_ready += [die, until_cancelled]
    ward = new_ward(engine)
    ward.until_ready()
    ward.window.workbench.models.preload()
    ward.until(lambda: len(engine.got_ready) == 2)
    ward.add_patient()  # by then the failure has reached the window
    assert not ward.window.message.text
    assert ward.window.strip.isHidden()
    assert ward.window.close()


def test_a_text_from_the_file_dialog_to_the_review(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    path = ward.folder / "night.txt"
    path.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    ward.add_patient()
    ward.key(Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    ward.until_review()
    assert ward.window.page.words.transcript.toPlainText().split() == TEXT.split()
    assert "text" in ward.window.page.detail.quote.play.toolTip()
    assert not ward.window.page.detail.quote.play.isEnabled()
    assert "Hawthorne, Ada" in ward.window.banner.patient_text


def test_opening_without_a_patient_asks_for_one_first(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: pytest.fail("no patient yet"))
    ward.in_dialog(lambda: ward.click(ward.window.side.open), lambda dialog: dialog.reject())
    assert ward.window.selection.patient is None


def test_a_known_patient_is_found_and_chosen_with_the_keyboard(ward: Ward) -> None:
    ward.add_patient()
    ward.window.banner.show_patient(None)
    ward.window.selection.patient = None
    ward.add_patient("Okafor", "3", "77")
    ward.until(lambda: len(ward.window.selection.overview.patients) == 2)

    def choose(dialog: Any) -> None:
        QTest.keyClicks(dialog.search, "hawth")
        QTest.keyClick(dialog.search, Qt.Key.Key_Return)

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier), choose)
    assert "Hawthorne" in ward.window.banner.patient_text


def test_a_recording_dropped_on_the_window(ward: Ward) -> None:
    ward.add_patient()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(write_recording(ward.folder / "drop.wav")))])
    actions, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(300, 300), actions, mime, buttons, keys)
    QApplication.sendEvent(ward.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(ward.window, QDropEvent(QPointF(300, 300), actions, mime, buttons, keys))
    ward.until_review()


def test_words_appear_while_they_are_heard_and_every_stage_shows(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.pace = pace = threading.Semaphore(0)
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    page, heard = ward.window.page, ward.window.page.words.transcript.toPlainText
    ward.until(lambda: page.sheet and page.filling.stages.isVisible())
    pace.release(len(SENTENCES) - 1)
    ward.until(lambda: SENTENCES[-2] in heard())
    assert SENTENCES[0] in heard()
    assert SENTENCES[-1] not in heard()
    pace.release()
    ward.until(lambda: SENTENCES[-1] in heard())
    ward.until(lambda: "filling values" in ward.window.strip.text)
    assert ward.window.page.filling.stages.isVisible()
    ward.key(Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    ward.until(lambda: not ward.window.strip.isVisible())


def test_the_first_values_stand_there_while_the_rest_is_read(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.first_values = 5
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    page, so_far = ward.window.page, ward.window.page.filling.values
    ward.until(so_far.isVisible)
    assert so_far.count.text() == "5 values so far. Review them when all are read."
    assert len(so_far.flowsheet.ids()) == 5
    assert not page.filling.stages.isVisible(), "one display of progress, in the line below"
    ward.until(lambda: "filling values" in ward.window.strip.text)
    so_far.flowsheet.setFocus()
    so_far.flowsheet.choose(so_far.flowsheet.ids()[0])
    ward.key(Qt.Key.Key_A)
    assert not ward.window.page.decidable, "nothing of it is stored yet"
    ward.open_text("another.txt")  # waits for its turn, and shows nothing of the first
    ward.until(lambda: page.sheet and page.sheet.dictation.original_name == "another.txt" and not so_far.isVisible())
    assert page.filling.stages.isVisible()
    ward.window.navigation.show_dictation(1)
    ward.until(so_far.isVisible)
    assert len(so_far.flowsheet.ids()) == 5
    ward.click(ward.window.strip.cancel)
    ward.until(lambda: page.unfinished.go_on.isVisible())
    ward.click(page.unfinished.go_on)
    ward.until(lambda: ward.values() and page.sheet and page.sheet.dictation.id == 1 and page.reviewable)
    assert len(ward.values()) == 18
    assert not so_far.isVisible()


def test_values_that_came_while_another_dictation_was_shown_are_there_on_return(
    new_ward: Callable[..., Ward],
) -> None:
    engine = FakeEngine()
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text("first.txt")
    ward.until_review()
    go_on = threading.Event()

    def held(engine: FakeEngine, monitor: Any) -> None:
        assert go_on.wait(PATIENCE_SECONDS)

    engine.first_values = 4
    engine.before_transcript.append(held)
    engine.before_fill.append(until_cancelled)
    page, so_far = ward.window.page, ward.window.page.filling.values
    ward.open_recording("second.wav")
    ward.until(lambda: page.sheet and page.sheet.dictation.id == 2 and page.filling.stages.isVisible())
    ward.window.navigation.show_dictation(1)
    ward.until(lambda: page.sheet and page.sheet.dictation.id == 1 and page.reviewable)
    go_on.set()
    ward.until(lambda: "filling values" in ward.window.strip.text)
    assert page.reviewable
    ward.window.navigation.show_dictation(2)
    ward.until(so_far.isVisible)
    assert len(so_far.flowsheet.ids()) == 4
    ward.click(ward.window.strip.cancel)
    ward.until(lambda: page.unfinished.go_on.isVisible())


def test_stopping_keeps_the_transcript_and_going_on_uses_it(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: "filling values" in ward.window.strip.text)
    ward.key(Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    ward.until(lambda: ward.window.page.unfinished.go_on.isVisible())
    ward.until(lambda: "Stopped." in ward.window.message.text)
    assert ward.engine.interrupts == 0
    assert ward.window.page.words.transcript.toPlainText().split() == TEXT.split()
    ward.click(ward.window.page.unfinished.go_on)
    ward.until_review()
    assert engine.given[0] is None
    assert engine.given[1] is not None


def test_a_worker_that_does_not_listen_is_killed_after_the_grace_period(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(deaf)
    ward = new_ward(engine, grace_seconds=0.1)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: "filling values" in ward.window.strip.text)
    ward.click(ward.window.strip.cancel)
    assert "stopping" in ward.window.strip.text
    ward.until(lambda: ward.window.page.unfinished.go_on.isVisible())
    assert engine.interrupts == 1
    ward.until(lambda: "Stopped." in ward.window.message.text)


def test_a_dead_worker_leaves_window_and_draft_and_can_be_retried(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.extend([die, die])  # once is not told
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.window.message.text)
    ward.until(lambda: "inference process ended" in ward.window.message.text)
    assert not ward.window.message.copy.isVisible()
    ward.until(lambda: ward.window.page.words.transcript.toPlainText().split() == TEXT.split())
    ward.click(ward.window.message.act)
    ward.until_review()
    assert engine.given[2] is not None
    assert not ward.window.message.isVisible()


def test_a_failed_dictation_can_be_retried_from_the_list_on_another_day(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.extend([die, die])  # once is not told
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.window.message.text)
    ward.close()
    again = new_ward()
    again.until(lambda: again.window.page.unfinished.go_on.isVisible())
    assert "inference process ended" in again.window.page.unfinished.reason.text()
    again.click(again.window.page.unfinished.go_on)
    again.until_review()


def test_a_defect_is_shown_as_one_with_a_report(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    engine.before_fill.append(break_down)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.window.message.text)
    ward.until(lambda: "Wardlight had an internal error" in ward.window.message.text)
    assert "Traceback" not in ward.window.message.text
    ward.click(ward.window.message.copy)
    assert "break_down" in QApplication.clipboard().text()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("scan.pdf", b"%PDF-1.4", "not a recording or text"),
        ("empty.txt", b"", "contains no text"),
        ("binary.txt", bytes(range(256)), "is not a text file"),
    ],
)
def test_a_wrong_file_is_refused_in_plain_words_and_leaves_nothing(
    ward: Ward, name: str, content: bytes, words: str
) -> None:
    ward.add_patient()
    path = ward.folder / name
    path.write_bytes(content)
    ward.window.intake.open_file(path)
    ward.until(lambda: ward.window.message.text)
    ward.until(lambda: words in ward.window.message.text)
    assert ward.window.side.recent.count() == 0
    ward.click(ward.window.message.dismiss)
    assert not ward.window.message.isVisible()


def test_a_file_that_is_gone(ward: Ward) -> None:
    ward.add_patient()
    ward.window.intake.open_file(Path("nowhere.wav"))
    ward.until(lambda: "nowhere.wav no longer exists" in ward.window.message.text)


def test_a_second_window_on_the_same_store_says_what_to_do(ward: Ward, new_ward: Callable[..., Ward]) -> None:
    second = new_ward()
    second.until(lambda: second.window.message.text)
    assert not second.window.side.open.isEnabled()
    assert second.window.message.act.isVisible()
    ward.close()
    second.click(second.window.message.act)
    second.until_ready()


def test_a_schema_that_is_not_valid_names_the_fault_and_leads_to_the_settings(
    new_ward: Callable[..., Ward], tmp_path: Path, use_schema: None
) -> None:
    good = load_settings(paths.config_file())
    broken = tmp_path / "broken.json"
    broken.write_text('{"format": "wardlight-flowsheet/1", "id": "x"')
    save_settings(Settings(schema=str(broken), theme="light", setup_finished=True), paths.config_file())
    ward = new_ward()
    ward.until(lambda: ward.window.message.text)
    ward.until(lambda: "broken.json" in ward.window.message.text)

    def mend(dialog: Any) -> None:
        dialog.schema.setText(good.schema)
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: not dialog.isVisible())

    ward.in_dialog(lambda: ward.click(ward.window.message.act), mend)
    ward.until_ready()


def test_settings_are_refused_in_their_dialog_and_saved_when_right(ward: Ward, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("[]")

    def enter(dialog: Any) -> None:
        former = dialog.schema.text()
        dialog.schema.setText(str(broken))
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: dialog._error.isVisible())
        dialog.schema.setText(former)
        dialog.confirm_signer.setCurrentIndex(dialog.confirm_signer.findData(30))
        dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
        dialog.threads.setCurrentIndex(dialog.threads.findData("2"))
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: not dialog.isVisible())

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier), enter)
    kept = load_settings(paths.config_file())
    assert (kept.confirm_signer_minutes, kept.theme, kept.threads) == (30, "dark", 2)
    ward.until(lambda: ward.theme.scheme == "dark")
    assert ward.workbench.signing.minutes == 30


@pytest.mark.parametrize("on", [True, False])
def test_collecting_examples_is_switched_in_the_settings(ward: Ward, on: bool) -> None:
    def choose(dialog: Any) -> None:
        assert not dialog.collect.isChecked()
        dialog.collect.setFocus()
        if on:
            ward.key(Qt.Key.Key_Space)
        QTest.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        ward.until(lambda: not dialog.isVisible())

    ward.in_dialog(lambda: ward.key(Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier), choose)
    assert load_settings(paths.config_file()).collect_examples is on


def test_missing_models_are_reported_and_installed_from_a_folder(
    new_ward: Callable[..., Ward], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engine = FakeEngine(missing=("whisper-base",))
    ward = new_ward(engine)
    ward.until_ready()
    ward.until(lambda: "Not installed yet: Whisper base" in ward.window.message.text)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))

    def install(dialog: Any) -> None:
        box = dialog.models["speech"]
        assert "not installed" in box.currentText()
        dialog._install(box.currentData())

    ward.in_dialog(lambda: ward.click(ward.window.message.act), install)
    ward.until(lambda: engine.installed == [("whisper-base", tmp_path)])
    ward.until(lambda: not ward.window.strip.isVisible())


def test_another_dictation_can_be_reviewed_while_one_is_worked_on(new_ward: Callable[..., Ward]) -> None:
    engine = FakeEngine()
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text("first.txt")
    ward.until_review()
    engine.before_fill.append(until_cancelled)
    ward.open_recording("second.wav")
    ward.until(lambda: "filling values" in ward.window.strip.text and ward.window.page.filling.stages.isVisible())
    ward.open_text("third.txt")
    ward.until(lambda: ward.window.side.recent.count() == 3)
    states = [ward.window.side.recent.item(i).data(Qt.ItemDataRole.AccessibleTextRole) for i in range(3)]
    assert "Queued" in states[0]
    assert "Filling" in states[1]
    first = ward.window.side.recent.item(2)
    QTest.mouseClick(
        ward.window.side.recent.viewport(),
        Qt.MouseButton.LeftButton,
        pos=ward.window.side.recent.visualItemRect(first).center(),
    )
    ward.until_review()
    ward.key(Qt.Key.Key_A)
    ward.until_status("skin", ReviewStatus.CONFIRMED)
    assert ward.window.strip.isVisible()
    ward.click(ward.window.strip.cancel)  # the third takes its turn
    ward.until(lambda: not ward.window.strip.isVisible())
    assert ward.workbench.jobs == ()


@pytest.mark.parametrize("answer", ["Keep open", "&Quit"])
def test_closing_during_a_job_asks(new_ward: Callable[..., Ward], answer: str) -> None:
    engine = FakeEngine()
    engine.before_fill.append(until_cancelled)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: "filling values" in ward.window.strip.text)

    def reply(box: Question) -> None:
        QTest.mouseClick(box.buttons[answer], Qt.MouseButton.LeftButton)

    ward.in_dialog(ward.window.close, reply)
    assert ward.window.isVisible() is (answer == "Keep open")


def test_dark_and_light_by_menu_are_kept(ward: Ward) -> None:
    ward.window.actions_["theme-dark"].trigger()
    assert ward.theme.scheme == "dark"
    ward.until(lambda: load_settings(paths.config_file()).theme == "dark")
    ward.window.actions_["theme-light"].trigger()
    assert ward.theme.scheme == "light"


def _lost() -> LookupError:
    try:
        raise LookupError("lost")
    except LookupError as error:
        return error


def test_a_defect_in_the_window_itself_is_shown_in_the_window(ward: Ward) -> None:
    ward.window.show_bug(_lost())
    ward.until(lambda: "Wardlight had an internal error" in ward.window.message.text)
    ward.click(ward.window.message.copy)
    report = QApplication.clipboard().text()
    assert "in _lost" in report
    assert report.endswith("LookupError")


def test_a_late_file_does_not_change_the_patient(review: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    may_come = threading.Event()

    def slow(path: Path) -> str:
        may_come.wait(PATIENCE_SECONDS)
        return kind_of(path)

    before = review.window.selection.patient
    assert before
    monkeypatch.setattr("app.services.intake.file_kinds.kind_of", slow)
    review.open_recording("late.wav")
    review.add_patient("Bianchi", "7", "004712")
    review.until(lambda: review.window.selection.patient and review.window.selection.patient.name == "Bianchi")
    may_come.set()
    review.until(lambda: f"The file about {before.name} is saved." in review.window.message.text)
    assert review.window.selection.patient
    assert review.window.selection.patient.name == "Bianchi"
    review.until(lambda: not review.workbench.jobs)


def test_a_text_that_waits_can_be_read(new_ward: Callable[..., Ward]) -> None:
    engine, go_on = FakeEngine(), threading.Event()
    engine.before_transcript.append(lambda *_: go_on.wait(PATIENCE_SECONDS))
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until(lambda: ward.workbench.jobs)
    ward.open_text("second.txt")
    page = ward.window.page
    ward.until(lambda: page.sheet and page.sheet.dictation.original_name == "second.txt")
    lay_out()
    assert page.words.transcript.toPlainText().split() == TEXT.split()
    assert page.filling.stages.isVisible()
    assert "The text is saved." in page.filling.stages._note.text()
    go_on.set()
    ward.until_filled("second.txt")
