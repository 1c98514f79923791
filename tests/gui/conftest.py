"""The real window on a fake engine, offscreen, driven as a nurse would."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from pytestqt.qtbot import QtBot

from app.chart.records import ReviewedValue, ReviewStatus
from app.services.workbench import Workbench
from app.system import paths
from app.system.settings import Settings, load_settings, save_settings
from tests.kit.fake_app import TEXT, FakeEngine, calibrated_lighting, calibration, write_recording, write_schema
from tests.kit.fake_microphone import FakeMicrophones
from tests.kit.patience import PATIENCE_MS, PATIENCE_SECONDS
from ui.kit.theme import Theme
from ui.shell.bridge import Bridge
from ui.shell.window import MainWindow

SECONDS_BETWEEN_PRESSES, REPEATS_PER_SECOND = 0.5, 30
IDLE_LOOKS = 10
NARROW = QSize(683, 384)  # what a scale of 200 % leaves of a screen of 1366 x 768 pixels


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Any other warning of Qt fails a test; these say that the machine has neither sound nor a window manager."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.qt_log_ignore("PulseAudioService", "This plugin does not support"))


def give_room(monkeypatch: pytest.MonkeyPatch, room: QSize) -> None:
    """Windows and dialogs find so much room for themselves on the screen."""
    for module in ("ui.kit.responsive_layout", "ui.shell.window", "ui.settings.settings_dialog"):
        monkeypatch.setattr(f"{module}.room_on_screen", lambda _: room)


def lay_out() -> None:
    """Has everything take its place: what is nested lays itself out level by level."""
    for _ in range(24):
        QApplication.processEvents()


class Clock:
    """Shows the seconds that a test lets pass."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Ward:
    """Drives the window like a user, who looks before each press."""

    def __init__(
        self,
        qtbot: QtBot,
        engine: Any,
        folder: Path,
        theme: str = "light",
        *,
        grace_seconds: float = PATIENCE_SECONDS,
        patience_seconds: float = PATIENCE_SECONDS,
    ) -> None:
        self.microphones = FakeMicrophones()
        self.qtbot = qtbot
        self.engine = engine
        self.patience_seconds = patience_seconds
        self.folder = folder
        self.closed = False
        self.bridge = Bridge()
        self.workbench = Workbench(self.bridge.listen, engine=engine, grace_seconds=grace_seconds)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        self.theme = Theme(app, theme)
        self.window = MainWindow(self.theme, self.workbench, self.bridge, self.microphones)
        self.clock = self.window.page.pace.clock = Clock()
        self.window.message._timer.setInterval(PATIENCE_MS)  # no message goes before a test has looked at it
        self.window.resize(1280, 800)  # the offscreen screen is smaller
        self.window.show()
        self.window.activateWindow()
        self.window.open()

    # time

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=round(1000 * self.patience_seconds))

    def until_ready(self) -> None:
        self.until(lambda: self.workbench.ready and self.window.side.open.isEnabled())
        self.workbench.signing.confirm()  # nobody has to be asked who signs

    def until_review(self, count: int = 18) -> None:
        self.until(lambda: len(self.values()) == count and self.window.page.reviewable)

    def until_filled(self, name: str) -> None:
        """Until the dictation of this file name stands there for review and nothing runs any more."""
        page = self.window.page
        self.until(lambda: page.sheet and page.sheet.dictation.original_name == name and self.values())
        self.until(lambda: page.reviewable and not self.window.strip.isVisible())

    def until_idle(self) -> None:
        """Until nothing is worked on, and the window has shown what came of it."""
        workspace = self.workbench.workspace
        files = (workspace.sound, workspace.files, workspace.messages, workspace.contracts, workspace.questions)
        lanes, looks = (*files, workspace.sheets, workspace.filling), count()

        def idle() -> bool:
            nonlocal looks
            lay_out()
            if any(lane.jobs for lane in lanes) or self.bridge._awake:
                looks = count()
            return next(looks) >= IDLE_LOOKS

        self.until(idle)

    def until_status(self, row_id: str, status: ReviewStatus) -> None:
        self.until(lambda: self.value(row_id).status is status)

    # hands

    def key(
        self,
        key: Qt.Key,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        after: float = SECONDS_BETWEEN_PRESSES,
    ) -> None:
        """Presses a key and lets it go, so many seconds after what was done before."""
        lay_out()  # a person sees where things are by then
        self.clock.seconds += after
        QTest.keyClick(QApplication.focusWidget() or self.window, key, modifiers)

    def hold(
        self,
        key: Qt.Key,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        seconds: float = 2.0,
        text: str = "",
    ) -> None:
        """Holds a key down, which repeats 30 times a second, and lets it go."""
        self.clock.seconds += SECONDS_BETWEEN_PRESSES
        for repeat in range(round(seconds * REPEATS_PER_SECOND)):
            held = QApplication.focusWidget() or self.window
            QTest.simulateEvent(held, True, key, modifiers, text, repeat > 0)
            self.clock.seconds += 1 / REPEATS_PER_SECOND
            self.qtbot.wait(1)
        QTest.simulateEvent(QApplication.focusWidget() or self.window, False, key, modifiers, text, False)

    def type(self, text: str) -> None:
        widget = QApplication.focusWidget()
        assert widget, "nothing has the cursor"
        QTest.keyClicks(widget, text)

    def click(self, widget: QWidget) -> None:
        lay_out()  # a person clicks on what has been painted
        assert widget.isVisible(), "it cannot be seen"
        assert widget.isEnabled(), "it cannot be pressed"
        self.clock.seconds += SECONDS_BETWEEN_PRESSES
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def in_dialog(self, act: Callable[[], object], *do: Callable[[Any], None]) -> None:
        """Does `act`, which opens one or more dialogs, and `do` with each. A failure there fails the test."""
        left, met = list(do), list[QWidget]()

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if dialog is None or dialog in met or not left or not dialog.isActiveWindow():
                return
            met.append(dialog)
            try:
                left.pop(0)(dialog)
            finally:
                if isinstance(dialog, QDialog) and dialog.isVisible():
                    dialog.reject()

        timer = QTimer()
        timer.timeout.connect(look)
        timer.start(5)
        act()
        timer.stop()
        self.window.activateWindow()  # offscreen there is no window manager that does it
        QApplication.processEvents()
        assert not left, "no dialog came"

    # what stands there

    def values(self) -> tuple[ReviewedValue, ...]:
        return self.window.page.sheet.values if self.window.page.sheet else ()

    def value(self, row_id: str) -> ReviewedValue:
        return next(value for value in self.values() if value.row_id == row_id)

    def choose(self, row_id: str) -> None:
        self.window.page.choose(self.value(row_id).id)

    def live_words(self) -> str:
        """What was written down of the recording that runs."""
        return self.window.live.transcript.toPlainText()

    def live_rows(self) -> dict[str, str]:
        """The rows of the live flowsheet with their values, in order."""
        model = self.window.live.values.flowsheet.model()
        found = {}
        for group in range(model.rowCount()):
            parent = model.index(group, 0)
            for place in range(model.rowCount(parent)):
                found[model.index(place, 0, parent).data()] = model.index(place, 1, parent).data()
        return found

    # steps that many tests begin with

    def add_patient(self, name: str = "Hawthorne, Ada", bed: str = "12", mrn: str = "004711") -> None:
        def enter(dialog: Any) -> None:
            dialog.name.setFocus()
            for field, text in ((dialog.name, name), (dialog.bed, bed), (dialog.mrn, mrn)):
                QTest.keyClicks(field, text)
            QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)

        self.in_dialog(lambda: self.click(self.window.banner.choose), enter)
        chosen = self.window.selection
        self.until(lambda: chosen.patient and chosen.patient.name == name)  # another may be shown before
        self.until(
            lambda: any(one.id == chosen.patient.id for one in chosen.overview.patients)
        )  # read after it is shown

    def open_text(self, name: str = "morning.txt", text: str = TEXT) -> None:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        self.window.intake.open_file(path)

    def open_recording(self, name: str = "morning.wav") -> None:
        self.window.intake.open_file(write_recording(self.folder / name))

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self.window._closing = True
        self.window.close()
        self.workbench.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def use_schema(tmp_path: Path) -> None:
    """A small flowsheet; filing is without a last look, which has tests of its own."""
    chosen = Settings(
        schema=str(write_schema(tmp_path)), reviewer="R. Nurse", theme="light", last_look=False, setup_finished=True
    )
    save_settings(chosen, paths.config_file())


@pytest.fixture
def out(tmp_path: Path, use_schema: None) -> Path:
    """Reviews are filed into this folder."""
    folder = tmp_path / "Chart files"
    save_settings(replace(load_settings(paths.config_file()), file_folder=str(folder)), paths.config_file())
    return folder


@pytest.fixture
def calibrated(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an engine with WEIGHED_BY fills is lit by a calibration on invented values."""
    calibration()  # fitted before a window is watched: the product only loads one
    for place in ("app.lighting.lighting", "app.services.settings.service.lighting"):
        monkeypatch.setattr(place, calibrated_lighting)


@pytest.fixture
def new_ward(qtbot: QtBot, tmp_path: Path, use_schema: None) -> Iterator[Callable[..., Ward]]:
    """Opens windows that are closed at the end."""
    wards: list[Ward] = []

    def make(engine: FakeEngine | None = None, **how: Any) -> Ward:
        wards.append(Ward(qtbot, engine or FakeEngine(), tmp_path, **how))
        return wards[-1]

    yield make
    for ward in wards:
        ward.close()


@pytest.fixture
def ward(new_ward: Callable[..., Ward]) -> Ward:
    ward = new_ward()
    ward.until_ready()
    return ward


@pytest.fixture
def review(ward: Ward) -> Ward:
    """A ward with a recording that waits for review, at the heart rate, which is not lit."""
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    ward.choose("hr")
    return ward


@pytest.fixture(autouse=True)
def still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A microphone that gives nothing for seconds is not silent or dead before a test lets time pass."""
    monkeypatch.setattr("ui.recording.recorder.time", SimpleNamespace(monotonic=lambda: 1000.0))


@pytest.fixture(autouse=True)
def no_leaked_lanes() -> Iterator[None]:
    """The lanes are daemons, so that a crash cannot hang the program; closing must end them all the same."""
    yield
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("wardlight-")]


@pytest.fixture(autouse=True)
def garbage_of_this_test_alone() -> Iterator[None]:
    """As in the program, cycles with objects of Qt in them are never collected on the thread of a lane."""
    gc.disable()
    gc.freeze()  # what earlier tests left is there for good; scanning it again takes a tenth of a second
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def plain_hook() -> Iterator[None]:
    hook = sys.excepthook
    yield
    sys.excepthook = hook
