"""The first-run assistant: with keys and clicks, without models, microphone, network or room on the disk."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from app.system import paths
from app.system.settings import Settings, load_settings, save_settings
from models.base.errors import ResourceError
from models.base.progress import Progress, ProgressMonitor, stop_if
from models.errors import ModelFileError
from speech.levels import Verdict
from tests.gui.conftest import Ward, lay_out
from tests.kit.audio import voice
from tests.kit.fake_app import SCHEMA, FakeEngine, write_schema
from tests.kit.patience import PATIENCE_SECONDS
from ui.kit.words import language_text, size_text
from ui.setup.assistant import Assistant

WHISPER, QWEN, MINILM = "whisper-base", "qwen2.5-coder-1.5b-q4", "minilm-l6-v2"
ALL = (WHISPER, QWEN, MINILM)
Opened = Callable[..., tuple[Ward, Assistant]]


@pytest.fixture
def first_start(new_ward: Callable[..., Ward], tmp_path: Path) -> Opened:
    """Starts Wardlight where nobody has set it up, and waits for the assistant."""

    def start(engine: FakeEngine | None = None, **chosen: Any) -> tuple[Ward, Assistant]:
        save_settings(Settings(theme="light", **chosen), paths.config_file())
        ward = new_ward(engine or FakeEngine())
        ward.until(lambda: ward.window.set_up.assistant)
        return ward, assistant_of(ward)

    return start


def assistant_of(ward: Ward) -> Assistant:
    found = ward.window.set_up.assistant
    assert found
    found.activateWindow()
    lay_out()
    return found


def line_of(assistant: Assistant, model: str) -> str:
    return assistant.models._lines[model].text


def settle(ward: Ward) -> Settings:
    """The settings in the file once nothing is being written any more."""
    ward.until(lambda: not ward.workbench.workspace.files.jobs)
    return load_settings(paths.config_file())


def steps(assistant: Assistant) -> list[str]:
    return [step.text().replace("\n", ": ") for step in assistant.steps]


# coming and going


def test_it_opens_at_the_first_start_and_not_after_it_was_finished(
    first_start: Opened, new_ward: Callable[..., Ward]
) -> None:
    ward, assistant = first_start()
    assert assistant.page is assistant.models
    for page in (assistant.microphone, assistant.schema, assistant.signer, assistant.done_page):
        if assistant.page is assistant.signer:
            ward.type("Anna Novak")
        ward.until(lambda: assistant.page.ready)
        if assistant.page is assistant.microphone:
            assert assistant.microphone.input.test.hasFocus(), "Enter would test the microphone"
            assistant.next.setFocus()
        ward.key(Qt.Key.Key_Return)
        assert assistant.page is page
    assert assistant.next.text() == "&Finish"
    ward.key(Qt.Key.Key_Return)
    ward.until(lambda: ward.window.set_up.assistant is None)
    assert settle(ward).setup_finished
    ward.close()
    again = new_ward()
    again.until_ready()
    assert again.window.set_up.assistant is None


@pytest.mark.parametrize("how", ["escape", "button", "window"])
def test_postponed_it_keeps_the_choices_and_opens_again(
    first_start: Opened, new_ward: Callable[..., Ward], how: str
) -> None:
    ward, assistant = first_start()
    ward.click(assistant.steps[1])
    box = assistant.microphone.input.box
    box.setCurrentIndex(box.findData("headset"))
    if how == "escape":
        ward.key(Qt.Key.Key_Escape)
    elif how == "button":
        ward.click(assistant.later)
    else:
        assistant.close()
    ward.until(lambda: ward.window.set_up.assistant is None)
    kept = settle(ward)
    assert (kept.microphone, kept.setup_finished) == ("headset", False)
    ward.close()
    again = new_ward()
    again.until(lambda: again.window.set_up.assistant)
    assistant_of(again).go(1)
    assert assistant_of(again).microphone.input.box.currentText() == "Headset"


def test_it_can_be_opened_at_any_time_and_stays_finished(ward: Ward) -> None:
    assert ward.window.set_up.assistant is None
    entry = next(action for action in ward.window.actions_.all if action.text() == "&Set up Wardlight…")
    entry.trigger()
    entry.trigger()
    assert len(ward.window.findChildren(Assistant)) == 1
    assistant_of(ward)
    ward.key(Qt.Key.Key_Escape)
    ward.until(lambda: ward.window.set_up.assistant is None)
    assert settle(ward).setup_finished


def test_every_step_says_what_will_not_work_without_it(first_start: Opened) -> None:
    ward, assistant = first_start(FakeEngine(missing=ALL))
    ward.microphones.plug()
    assert assistant.next.text() == "&Skip for now"
    assert "recordings are not transcribed" in assistant.consequence
    assert "no values are proposed" in assistant.next.toolTip()
    ward.click(assistant.next)
    assert "you cannot record here" in assistant.consequence
    ward.click(assistant.next)
    ward.click(assistant.schema.own)
    ward.until(lambda: "No file chosen yet" in assistant.schema.text)
    assert "the template in use stays" in assistant.consequence
    ward.click(assistant.next)
    assert "the first decision asks for a name" in assistant.consequence
    ward.click(assistant.next)
    summary = assistant.done_page.text
    assert "Models: 3 of 3 missing. Without “Speech recognition”, recordings are not transcribed" in summary
    assert "Microphone: None found." in summary
    assert "Template: None chosen." in summary
    assert steps(assistant)[:3] == ["Models: 3 of 3 missing", "Microphone: None found", "Template: None chosen"]
    assert not assistant.done_page.sample.isEnabled()
    ward.click(assistant.next)
    assert settle(ward).setup_finished


# models


def test_nothing_is_downloaded_before_download_is_pressed(first_start: Opened) -> None:
    engine = FakeEngine(missing=ALL)
    ward, assistant = first_start(engine)
    for number in (1, 2, 3, 4, 0):
        assistant.go(number)
    ward.until_idle()
    assert engine.installed == []
    assert assistant.models.download.text() == "&Download (1.36 GB)"
    assert "not installed" in line_of(assistant, WHISPER)


def test_a_download_shows_progress_and_continues_on_other_pages(first_start: Opened) -> None:
    engine = FakeEngine(missing=(WHISPER, QWEN))
    go = threading.Event()

    def half(_: FakeEngine, monitor: ProgressMonitor) -> None:
        monitor.report(Progress("install", 0.5, "Getting Whisper base: 74 of 148 MB"))
        assert go.wait(PATIENCE_SECONDS)

    engine.before_install.append(half)
    ward, assistant = first_start(engine)
    QTest.keyClick(assistant, Qt.Key.Key_D, Qt.KeyboardModifier.AltModifier)
    ward.until(lambda: "50%" in line_of(assistant, WHISPER))
    assert "74 of 148 MB" in line_of(assistant, WHISPER)
    assert "queued" in line_of(assistant, QWEN)
    assert not assistant.models.download.isVisible()
    assert steps(assistant)[0] == "Models: Installing"
    ward.click(assistant.next)
    go.set()
    ward.until(lambda: steps(assistant)[0] == "Models: All installed")
    assert engine.installed == [(WHISPER, None), (QWEN, None)]
    assistant.go(0)
    assert assistant.next.text() == "&Next"
    assert not assistant.models.bring.isVisible()


def test_a_stopped_download_resumes(first_start: Opened) -> None:
    engine = FakeEngine(missing=(WHISPER, QWEN))

    def until_stopped(engine: FakeEngine, monitor: ProgressMonitor) -> None:
        monitor.report(Progress("install", 0.2, "Getting Whisper base: 31 of 148 MB"))
        while not monitor.cancelled():
            ward.engine.interrupted.wait(0.005)
        engine.brought[WHISPER] = 31_000_000
        stop_if(monitor.cancelled)

    engine.before_install.append(until_stopped)
    ward, assistant = first_start(engine)
    ward.click(assistant.models.download)
    ward.until(lambda: "20%" in line_of(assistant, WHISPER))
    ward.click(assistant.models.cancel)
    ward.until(lambda: assistant.models.download.isVisible())
    assert engine.installed == []
    assert "31 MB of 148 MB downloaded" in line_of(assistant, WHISPER)
    assert "not installed" in line_of(assistant, QWEN)
    assert "resumes from there" in assistant.models.note.text()
    assert assistant.models.download.text() == "&Resume download (1.23 GB)"
    ward.click(assistant.models.download)
    ward.until(lambda: assistant.models.ready)


def test_a_full_disk_during_the_download_is_reported_in_the_assistant(first_start: Opened) -> None:
    engine = FakeEngine(missing=(WHISPER, QWEN))

    def full(engine: FakeEngine, monitor: ProgressMonitor) -> None:
        engine.brought[WHISPER] = 100_000_000
        raise ResourceError(
            "Whisper base cannot be written to /models: No space left on device.",
            "Check free space and permissions of that folder, then install again.",
            retryable=True,
        )

    engine.before_install.append(full)
    ward, assistant = first_start(engine)
    ward.click(assistant.models.download)
    ward.until(lambda: assistant.models.error.isVisible() and assistant.models.download.isVisible())
    assert "No space left on device. Check free space" in assistant.models.error.text()
    assert "100 MB of 148 MB downloaded" in line_of(assistant, WHISPER)
    assert engine.installed == [], "the next one was not tried on the full disk"
    assert "No space" not in ward.window.message.text
    assert not ward.window.strip.isVisible()
    ward.click(assistant.models.download)  # some room was made
    ward.until(lambda: assistant.models.ready)
    assert not assistant.models.error.isVisible()


def test_without_a_network_the_models_come_from_a_folder(
    first_start: Opened, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    engine = FakeEngine(missing=(MINILM,))

    def unreachable(engine: FakeEngine, monitor: ProgressMonitor) -> None:
        raise ModelFileError("model.bin of MiniLM could not be installed.", "Connect this computer.", retryable=True)

    engine.before_install.append(unreachable)
    ward, assistant = first_start(engine)
    ward.click(assistant.models.download)
    ward.until(lambda: assistant.models.error.isVisible() and assistant.models.bring.isVisible())
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    ward.click(assistant.models.bring)
    ward.until(lambda: assistant.models.ready)
    assert engine.installed == [(MINILM, tmp_path)]


def test_a_download_outlives_the_assistant(first_start: Opened) -> None:
    engine = FakeEngine(missing=(WHISPER, QWEN))
    go = threading.Event()
    engine.before_install.append(lambda *_: None if go.wait(PATIENCE_SECONDS) else pytest.fail("nobody let it go on"))
    ward, assistant = first_start(engine)
    ward.click(assistant.models.download)
    ward.key(Qt.Key.Key_Escape)
    ward.until(lambda: ward.window.strip.isVisible())
    go.set()
    ward.until(lambda: not ward.window.strip.isVisible())
    assert engine.installed == [(WHISPER, None), (QWEN, None)]
    ward.until(lambda: not ward.window.message.text)  # what was missing is not called missing any more


# microphone


def test_the_microphone_is_off_before_the_test_and_after_the_page(first_start: Opened) -> None:
    ward, assistant = first_start()
    assert assistant.microphone.input.box.count() == 0, "not even looked for"
    ward.click(assistant.next)
    assert ward.microphones.captures == []
    ward.key(Qt.Key.Key_Space)  # the test has the cursor
    assert not ward.microphones.capture.stopped
    ward.click(assistant.next)
    assert ward.microphones.capture.stopped


def test_the_microphone_is_tested_and_chosen(first_start: Opened) -> None:
    ward, assistant = first_start()
    assistant.go(1)
    chosen = assistant.microphone.input
    chosen.box.setCurrentIndex(chosen.box.findData("headset"))
    ward.click(chosen.test)
    assert ward.microphones.capture.name == "Headset"
    ward.microphones.capture.give(voice(10.5))
    assert chosen.verdict.text() == Verdict.GOOD
    assert steps(assistant)[1] == "Microphone: Tested: good"
    ward.click(assistant.next)
    assert settle(ward).microphone == "headset"


def test_a_microphone_that_is_plugged_in_appears(first_start: Opened) -> None:
    ward, assistant = first_start()
    devices = ward.microphones.devices()
    ward.microphones.plug()
    assistant.go(1)
    assert "No microphone is connected" in assistant.microphone.input.verdict.text()
    assert not assistant.microphone.ready
    ward.microphones.plug(*devices)
    assert assistant.microphone.ready
    assert assistant.microphone.input.verdict.text() == ""
    assert assistant.next.text() == "&Next"


# schema


def test_the_demonstration_is_summed_up(first_start: Opened) -> None:
    ward, assistant = first_start()
    assistant.go(2)
    ward.until(lambda: assistant.schema.ready)
    assert "703 rows in 60 categories. Language: English." in assistant.schema.text
    assert "Vital signs (18)" in assistant.schema.text
    assert "single choice (283)" in assistant.schema.text


def test_a_file_of_the_hospital_is_checked_and_taken(
    first_start: Opened, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_schema(tmp_path)
    ward, assistant = first_start()
    assistant.go(2)
    ward.until(lambda: assistant.schema.ready)
    ward.click(assistant.schema.own)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    ward.click(assistant.schema.choose)
    ward.until(lambda: assistant.schema.ready)
    assert "Test ward, version 1" in assistant.schema.text
    assert "Language: not stated in the file" in assistant.schema.text
    ward.click(assistant.next)
    assert "Template: Test ward, 20 rows." in assistant.done_page.text
    assert settle(ward).schema == str(path)
    ward.until(lambda: ward.workbench.workspace.schema.name == "Test ward")


def test_a_broken_file_is_refused_with_line_and_field_and_the_former_stays(first_start: Opened, tmp_path: Path) -> None:
    good = write_schema(tmp_path)
    broken = json.loads(json.dumps(SCHEMA))
    broken["categories"][0]["rows"][1]["options"] = "Regular"
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(broken, indent=1), encoding="utf-8")
    line = 1 + path.read_text(encoding="utf-8").split("\n").index('     "options": "Regular"')
    ward, assistant = first_start(schema=str(good))
    assistant.go(2)
    ward.until(lambda: assistant.schema.ready)
    assistant.schema.path.setFocus()
    assistant.schema.path.selectAll()
    ward.type(str(path))
    ward.key(Qt.Key.Key_Tab)
    ward.until(lambda: "cannot be used" in assistant.schema.text)
    assert f'Line {line}: Row "rhythm" (Heart rhythm): the field "options" must be a list' in assistant.schema.text
    assert "stays in use" in assistant.schema.text
    assert steps(assistant)[2] == "Template: Cannot be used"
    assert assistant.next.text() == "&Skip for now"
    ward.click(assistant.next)
    assert settle(ward).schema == str(good)
    assert ward.workbench.workspace.schema.name == "Test ward"


def test_a_schema_in_another_language_is_said_to_be_one(first_start: Opened, tmp_path: Path) -> None:
    path = tmp_path / "station.json"
    path.write_text(json.dumps(SCHEMA | {"language": "de-AT"}), encoding="utf-8")
    ward, assistant = first_start(schema=str(path))
    assistant.go(2)
    ward.until(lambda: assistant.schema.ready)
    assert "Language: German." in assistant.schema.text
    assert "understands English dictation only" in assistant.schema.text


def test_unwritable_settings_are_reported_in_the_assistant(
    first_start: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise ResourceError("The settings cannot be saved: No space left on device.", "Check the free space.")

    ward, assistant = first_start()
    monkeypatch.setattr("app.services.settings.service.save_settings", full)
    assistant.go(1)
    assistant.microphone.input.choose("headset")
    ward.click(assistant.next)
    ward.until(lambda: assistant._error.isVisible())
    assert "No space left" in assistant._error.text()


# the sample


def test_the_sample_dictation_is_opened_at_the_end(first_start: Opened) -> None:
    ward, assistant = first_start()
    assistant.go(4)
    assistant.go(2)
    ward.until(lambda: assistant.schema.ready)
    assistant.go(4)
    ward.click(assistant.done_page.sample)
    ward.until(lambda: ward.window.page.sheet)
    assert "Sample patient" in ward.window.banner.patient_text
    assert ward.window.page.sheet
    assert ward.window.page.sheet.dictation.original_name == "sample.flac"
    assert settle(ward).setup_finished


# words


def test_sizes_and_languages_in_words() -> None:
    assert [size_text(size) for size in (148_000_000, 1_117_320_768, 1_500)] == ["148 MB", "1.12 GB", "2 kB"]
    assert [language_text(tag) for tag in ("en", "de-AT", "zz")] == ["English", "German", "zz"]
