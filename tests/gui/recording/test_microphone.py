"""The microphones of the sound system: what Qt says of them, in words that help."""

# ruff: noqa: N802, N815 - Qt's own names
from __future__ import annotations

import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal
from pytestqt.qtbot import QtBot

from models.base.errors import ResourceError
from ui.recording.microphone import Device, QtMicrophones


class FakeDevice:
    """A QAudioDevice."""

    def __init__(self, name: str, *, default: bool = False, fitting: bool = True) -> None:
        self._name, self._default, self._fitting = name, default, fitting

    def id(self) -> QByteArray:
        return QByteArray(self._name.lower().encode())

    def description(self) -> str:
        return self._name

    def isDefault(self) -> bool:
        return self._default

    def isFormatSupported(self, wanted: Any) -> bool:
        assert (wanted.sampleRate(), wanted.channelCount(), wanted.sampleFormat().name) == (16000, 1, "Int16")
        return self._fitting


class FakeSource(QObject):
    """A QAudioSource that hears what the test writes into `stream`."""

    stateChanged = Signal(object)
    first_error = "NoError"
    made: list[FakeSource] = []  # noqa: RUF012 - each test has a fresh one

    def __init__(self, device: FakeDevice, wanted: Any, parent: QObject) -> None:
        super().__init__(parent)
        self._error, self._state = self.first_error, "ActiveState"
        self.stream = QBuffer(self)
        self.stopped = False
        FakeSource.made.append(self)

    def setBufferSize(self, size: int) -> None:
        assert size >= 16000

    def start(self) -> QIODevice | None:
        self.stream.open(QIODevice.OpenModeFlag.ReadWrite)
        return self.stream if self._error == "NoError" else None

    def stop(self) -> None:
        self.stopped = True

    def error(self) -> Any:
        return SimpleNamespace(name=self._error)

    def state(self) -> Any:
        return SimpleNamespace(name=self._state)

    def hear(self, data: bytes, *, tell: bool = True) -> None:
        place = self.stream.pos()
        self.stream.seek(self.stream.size())
        self.stream.blockSignals(not tell)
        self.stream.write(data)
        self.stream.blockSignals(False)
        self.stream.seek(place)
        if tell:
            self.stream.readyRead.emit()

    def end(self, error: str) -> None:
        self._error, self._state = error, "StoppedState"
        self.stateChanged.emit(None)


@pytest.fixture
def inputs(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[FakeDevice]]:
    """What is plugged in."""
    found: list[FakeDevice] = []
    monkeypatch.setattr("PySide6.QtMultimedia.QAudioSource", FakeSource)
    monkeypatch.setattr(QtMicrophones, "_inputs", lambda _: found)
    FakeSource.made, FakeSource.first_error = [], "NoError"
    return found


@pytest.fixture
def microphones(qtbot: QtBot) -> QtMicrophones:
    return QtMicrophones()


def test_the_sound_system_can_be_asked_on_any_machine(microphones: QtMicrophones) -> None:
    assert all(isinstance(device, Device) for device in microphones.devices())


def test_a_machine_without_sound_libraries(microphones: QtMicrophones, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PySide6.QtMultimedia", None)
    with pytest.raises(ResourceError, match=r"sound library is missing.*libpulse0"):
        microphones.devices()


def test_no_microphone(microphones: QtMicrophones, inputs: list[FakeDevice]) -> None:
    assert microphones.devices() == []
    with pytest.raises(ResourceError, match=r"No microphone was found.*Connect one"):
        microphones.open("")


def test_the_chosen_microphone_or_the_first(microphones: QtMicrophones, inputs: list[FakeDevice]) -> None:
    inputs += [FakeDevice("Desk"), FakeDevice("Headset")]
    assert microphones.devices() == [Device("desk", "Desk"), Device("headset", "Headset")]
    assert [microphones.open(name).name for name in ("headset", "", "gone")] == ["Headset", "Desk", "Desk"]


def test_sound_arrives_in_blocks_and_the_rest_at_the_end(microphones: QtMicrophones, inputs: list[FakeDevice]) -> None:
    inputs.append(FakeDevice("Desk"))
    heard: list[bytes] = []
    capture = microphones.open("")
    capture.heard.connect(heard.append)
    source = FakeSource.made[0]
    source.hear(b"\1\2\3\4")
    source.hear(b"\5\6", tell=False)
    capture.stop()
    capture.stop()
    assert heard == [b"\1\2\3\4", b"\5\6"]
    assert source.stopped


def test_a_microphone_that_cannot_deliver_what_is_needed(microphones: QtMicrophones, inputs: list[FakeDevice]) -> None:
    inputs.append(FakeDevice("Desk", fitting=False))
    with pytest.raises(ResourceError, match="Desk cannot record mono sound at 16 kHz"):
        microphones.open("")


@pytest.mark.parametrize(
    ("error", "words"),
    [("OpenError", r"another program is using it.*privacy settings"), ("IOError", "stopped working")],
)
def test_one_that_is_busy_or_denied_or_broken(
    microphones: QtMicrophones, inputs: list[FakeDevice], error: str, words: str
) -> None:
    inputs.append(FakeDevice("Desk"))
    FakeSource.first_error = error
    with pytest.raises(ResourceError, match=words):
        microphones.open("")


@pytest.mark.parametrize("how", ["the sound system stops it", "it is gone from the list"])
def test_one_that_is_pulled_out(microphones: QtMicrophones, inputs: list[FakeDevice], how: str) -> None:
    inputs += [FakeDevice("Desk"), FakeDevice("Headset")]
    errors: list[ResourceError] = []
    capture = microphones.open("desk")
    capture.failed.connect(errors.append)
    source = FakeSource.made[0]
    microphones.changed.emit()
    assert not errors
    if how.startswith("the"):
        source.end("IOError")
    else:
        del inputs[0]
        microphones.changed.emit()
    assert ["Desk stopped working" in str(error) for error in errors] == [True]
    assert source.stopped
    microphones.changed.emit()
    assert len(errors) == 1
