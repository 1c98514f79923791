"""The whole program, on the fake engine and a microphone that hears by itself, of which somebody presses the keys:
`python -m tests.gui.dictating`.

It prints two lines of JSON, first the names of the recordings that it offers to go on with, then when its own recording
began (monotonic seconds), and records until it is killed.
"""

from __future__ import annotations

import json

from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.services.engine.job_lanes import JobEvent, JobFinished
from app.services.intake.jobs import UNFINISHED
from app.services.workbench import Workbench
from tests.kit.fake_app import FakeEngine, follow
from tests.kit.fake_microphone import CountingCapture, CountingMicrophones
from ui.kit import sound_library
from ui.kit.theme import Theme
from ui.shell.bridge import Bridge
from ui.shell.window import MainWindow


class Person:
    """Looks at what is offered at the start, then presses the key that records."""

    def __init__(self, window: MainWindow, microphones: CountingMicrophones) -> None:
        self._window, self._microphones = window, microphones
        self._timer = QTimer()
        self._timer.timeout.connect(self._begin)

    def see(self, event: JobEvent) -> None:
        if isinstance(event, JobFinished) and event.job.kind == UNFINISHED:
            bar = self._window.recovery
            offered = [] if bar.isHidden() else [found.kept.folder.name for found in bar._recordings]
            print(json.dumps(offered), flush=True)
            self._timer.start(10)

    def _begin(self) -> None:
        if self._window.selection.patient is None:
            return
        self._timer.stop()
        QTest.keyClick(self._window, Qt.Key.Key_F9)
        capture = self._microphones.capture
        assert isinstance(capture, CountingCapture)
        print(json.dumps(capture.began), flush=True)


def main() -> int:
    sound_library.quieten()
    app = QApplication([])
    bridge, microphones, engine = Bridge(), CountingMicrophones(), FakeEngine()
    engine.following = follow(2, 5)
    workbench = Workbench(bridge.listen, engine=engine)
    window = MainWindow(Theme(app, "light"), workbench, bridge, microphones)
    person = Person(window, microphones)
    bridge.arrived.connect(person.see)
    window.show()
    window.open()
    return app.exec()


if __name__ == "__main__":
    raise SystemExit(main())
