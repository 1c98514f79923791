"""Microphones that hear what a test gives them."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer

from models.base.errors import ResourceError
from speech.audio import SAMPLE_RATE
from tests.kit.audio import counted
from ui.recording.microphone import Capture, Device, Microphones


class FakeCapture(Capture):
    """Hears what `give` is given, until it is stopped; `left` is what it still has then."""

    def __init__(self, device: Device, left: bytes) -> None:
        super().__init__()
        self.name, self.id = device.name, device.id
        self.left = left
        self.stopped = False

    def give(self, pcm: bytes) -> None:
        assert not self.stopped, "nobody listens any more"
        for start in range(0, len(pcm), 3200):
            if not self.stopped:
                self.heard.emit(pcm[start : start + 3200])

    def break_off(self, error: ResourceError) -> None:
        self.stop()
        self.failed.emit(error)

    def stop(self) -> None:
        if not self.stopped:
            if self.left:
                self.give(self.left)
            self.stopped = True


class FakeMicrophones(Microphones):
    """Attributes: `listed` are plugged in, `error` is what opening fails with, `captures` were opened."""

    def __init__(self) -> None:
        super().__init__()
        self.listed = [Device("desk", "Desk microphone"), Device("headset", "Headset")]
        self.error: ResourceError | None = None
        self.captures: list[FakeCapture] = []
        self.left = b""

    def devices(self) -> list[Device]:
        return list(self.listed)

    def open(self, device_id: str) -> FakeCapture:
        if self.error:
            raise self.error
        device = next((device for device in self.listed if device.id == device_id), self.listed[0])
        self.captures.append(FakeCapture(device, self.left))
        return self.captures[-1]

    @property
    def capture(self) -> FakeCapture:
        """The one that was opened last."""
        return self.captures[-1]

    def plug(self, *devices: Device) -> None:
        """From now on these are there."""
        self.listed = list(devices)
        self.changed.emit()


class CountingCapture(FakeCapture):
    """Hears `counted` samples as time passes, from `began` (monotonic seconds) on, in the window's thread."""

    def __init__(self, device: Device) -> None:
        super().__init__(device, b"")
        self.began, self._given = time.monotonic(), 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._go_on)
        self._timer.start(50)

    def _go_on(self) -> None:
        until = int((time.monotonic() - self.began) * SAMPLE_RATE)
        self.give(counted(self._given, until))
        self._given = until

    def stop(self) -> None:
        self._timer.stop()
        super().stop()


class CountingMicrophones(FakeMicrophones):
    """Microphones that hear by themselves."""

    def open(self, device_id: str) -> FakeCapture:
        self.captures.append(CountingCapture(self.listed[0]))
        return self.captures[-1]
