"""The choice of the microphone, and a test of whether it is good enough."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from models.base.errors import ResourceError
from speech.audio import SAMPLE_RATE
from speech.levels import Verdict, judge_room, level_of, room_of
from ui.kit.theme import Theme
from ui.kit.widgets import IconLabel, button, label, restyle
from ui.recording.level_meter import LevelMeter
from ui.recording.microphone import Capture, Microphones

TEST_SECONDS = 10
_NONE = "No microphone is connected. Connect one or switch it on; it appears here automatically."
_BUSY = "A recording is running; finish it to test the microphone."


class MicrophoneChoice(QWidget):
    """A list of microphones and a test of ten seconds. Microphones are looked for once the widget is shown.

    Args:
        wanted: id of the microphone in use; empty for the computer's default.
        busy: whether a recording is running, which a test would disturb.

    Attributes:
        found: whether there is any microphone; None before the first look.
        judged: the verdict of the last completed test; None before one.

    Signals:
        changed: the list was filled again, or a test was completed.
    """

    changed = Signal()

    def __init__(
        self, theme: Theme, microphones: Microphones, wanted: str, *, busy: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme, self._microphones, self._wanted, self._busy = theme, microphones, wanted, busy
        self._capture: Capture | None = None
        self._heard = bytearray()
        self.found: bool | None = None
        self.judged: Verdict | None = None
        self.box = QComboBox()
        self.box.setAccessibleName("Microphone")
        # device names can be long
        self.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.box.setMinimumContentsLength(12)
        self.refresh = button("", theme.icon("retry"), tip="Refresh the list of microphones", clicked=self.fill)
        self.test = button("&Test microphone", theme.icon("recording"), clicked=self._test_or_stop)
        self.meter, self._verdict_icon = LevelMeter(theme), IconLabel(theme.icon("info", "muted"))
        self.verdict = label(role="small", wrap=True)
        self.verdict.setAccessibleName("Test result")
        self._timer = QTimer(self)
        self._timer.setInterval(250)
        self._timer.timeout.connect(self._tick)
        choice, found = QHBoxLayout(), QHBoxLayout()
        for row, widgets, stretched in (
            (choice, (self.box, self.refresh, self.test), self.box),
            (found, (self.meter, self._verdict_icon, self.verdict), self.verdict),
        ):
            row.setSpacing(10)
            for widget in widgets:
                row.addWidget(widget)
            row.setStretchFactor(stretched, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addLayout(choice)
        layout.addLayout(found)
        self.test.setEnabled(not busy)
        self._tell(_BUSY if busy else "", "info")
        self._rest()
        microphones.changed.connect(self._follow)

    @property
    def chosen(self) -> str:
        """Id of the chosen microphone; empty for the computer's default."""
        return (self.box.currentData() or "") if self.box.count() else self._wanted

    def choose(self, device_id: str) -> None:
        """Chooses the microphone with this id, or the computer's default if it is empty."""
        self._wanted = device_id
        if self.box.count():
            self.box.setCurrentIndex(max(0, self.box.findData(device_id)))

    def fill(self) -> None:
        """Lists the microphones connected now; the chosen one stays chosen even if it is gone."""
        wanted, had = self.chosen, self.found
        self.box.clear()
        try:
            devices = self._microphones.devices()
        except ResourceError as error:
            devices = []
            self._tell(str(error), "warning")
        else:
            if not devices:
                self._tell(_NONE, "warning")
            elif had is False:
                self._tell(_BUSY if self._busy else "", "info")
        self.found = bool(devices)
        first = f" ({devices[0].name})" if devices else ""
        self.box.addItem(f"Default{first}", "")
        for device in devices:
            self.box.addItem(device.name, device.id)
        if wanted and self.box.findData(wanted) < 0:
            self.box.addItem("Previous choice (not connected)", wanted)
        self.box.setCurrentIndex(max(0, self.box.findData(wanted)))
        self.changed.emit()

    def stop(self) -> None:
        """Ends a running test."""
        self._timer.stop()
        capture, self._capture = self._capture, None
        if capture:
            capture.stop()
            capture.heard.disconnect(self._take)
            capture.failed.disconnect(self._fail)
        self._rest()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.found is None:
            self.fill()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.stop()  # never listen while the person cannot see it

    def _follow(self) -> None:
        if self.found is not None:
            self.fill()

    # the test

    def _test_or_stop(self) -> None:
        if self._capture:
            self.stop()
            self._tell("", "info")
            return
        try:
            capture = self._microphones.open(self.chosen)
        except ResourceError as error:
            self._tell(str(error), "error")
            return
        self._capture = capture
        self._heard.clear()
        capture.heard.connect(self._take)
        capture.failed.connect(self._fail)
        self.test.setText("S&top")
        self.test.setIcon(self._theme.icon("stop"))
        self.test.setToolTip("Stop the test")
        self._tick()
        self._timer.start()

    def _take(self, pcm: bytes) -> None:
        self._heard += pcm
        self.meter.show_level(level_of(pcm))
        if self._seconds >= TEST_SECONDS:
            self.stop()
            self.judged = judge_room(room_of(bytes(self._heard)))
            self._tell(self.judged, "confirmed" if self.judged is Verdict.GOOD else "warning")
            self.changed.emit()

    @property
    def _seconds(self) -> float:
        return len(self._heard) / 2 / SAMPLE_RATE

    def _tick(self) -> None:
        left = max(1, round(TEST_SECONDS - self._seconds))
        self._tell(f"Speak normally, with short pauses: {left} s", "info")

    def _fail(self, error: ResourceError) -> None:
        self.stop()
        self._tell(str(error), "error")

    def _rest(self) -> None:
        self.meter.rest()
        self.test.setText("&Test microphone")
        self.test.setIcon(self._theme.icon("recording"))
        self.test.setToolTip(f"Listen for {TEST_SECONDS} seconds and rate the sound; nothing is saved")
        self.test.setAccessibleDescription(self.test.toolTip())

    def _tell(self, words: str, icon: str) -> None:
        self.verdict.setText(words)
        colour = {"info": "muted", "confirmed": "confirmed", "warning": "warning", "error": "error"}[icon]
        self._verdict_icon.show_icon(self._theme.icon(icon, colour))
        self._verdict_icon.setVisible(bool(words))
        restyle(self.verdict, "role", {"warning": "small-warning", "error": "error"}.get(icon, "small"))
