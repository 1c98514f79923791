"""The microphones of this computer; the program uses them only through `Microphones`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from models.base.errors import ResourceError
from speech.audio import SAMPLE_RATE
from ui.kit import sound_library

if TYPE_CHECKING:
    from PySide6.QtMultimedia import QAudioDevice, QAudioSource

_BUFFER_BYTES = SAMPLE_RATE * 2  # one second, during which the window may be busy


@dataclass(frozen=True, slots=True)
class Device:
    """A microphone: the sound system's id, and the name shown to people."""

    id: str
    name: str


class Capture(QObject):
    """An open microphone.

    Attributes:
        name: its name for people.

    Signals:
        heard: sound, as bytes of int16 samples, mono, 16 kHz.
        failed: no more sound will come (a ResourceError); all earlier sound was emitted.
    """

    heard = Signal(bytes)
    failed = Signal(object)
    name = ""

    def stop(self) -> None:
        """Emits the remaining sound with `heard`, and closes the microphone."""


class Microphones(QObject):
    """Lists and opens microphones.

    Signals:
        changed: a microphone was connected or disconnected.
    """

    changed = Signal()

    def devices(self) -> list[Device]:
        """The microphones, the computer's default first. Raises ResourceError if there is no sound system."""
        raise NotImplementedError

    def open(self, device_id: str) -> Capture:
        """Opens a microphone, or the default one if none has this id.

        Raises ResourceError if there is no microphone or it cannot be used.
        """
        raise NotImplementedError


class QtMicrophones(Microphones):
    """The sound system's microphones, through Qt's multimedia library, which is loaded on first use."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._monitor: Any = None

    def devices(self) -> list[Device]:
        return [Device(_id(device), device.description()) for device in self._inputs()]

    def open(self, device_id: str) -> Capture:
        inputs = self._inputs()
        if not inputs:
            raise ResourceError(
                "No microphone was found.",
                "Connect one or switch it on, then try again. Settings lists the microphones that were found.",
                retryable=True,
            )
        return _QtCapture(self, next((device for device in inputs if _id(device) == device_id), inputs[0]))

    def _inputs(self) -> list[QAudioDevice]:
        sound_library.quieten()  # the errors raised here say what is missing
        try:
            from PySide6.QtMultimedia import QMediaDevices
        except ImportError as error:
            raise ResourceError(
                "Recording is not possible: a sound library is missing on this computer.",
                "Install it (libpulse0 on Debian), or record elsewhere and open the file.",
            ) from error
        if self._monitor is None:
            self._monitor = QMediaDevices(self)
            self._monitor.audioInputsChanged.connect(self.changed)
        return sorted(QMediaDevices.audioInputs(), key=lambda device: not device.isDefault())


class _QtCapture(Capture):
    def __init__(self, microphones: QtMicrophones, device: QAudioDevice) -> None:
        from PySide6.QtMultimedia import QAudioFormat, QAudioSource

        super().__init__(microphones)
        self.name = device.description()
        self._microphones, self._id = microphones, _id(device)
        wanted = QAudioFormat()
        wanted.setSampleRate(SAMPLE_RATE)
        wanted.setChannelCount(1)
        wanted.setSampleFormat(QAudioFormat.SampleFormat.Int16)
        if not device.isFormatSupported(wanted):
            raise ResourceError(
                f"{self.name} cannot record mono sound at 16 kHz.", "Choose another microphone in the settings."
            )
        self._source: QAudioSource | None = QAudioSource(device, wanted, self)
        self._source.setBufferSize(_BUFFER_BYTES)
        self._stream = self._source.start()
        if self._source.error().name != "NoError" or self._stream is None:
            error = self._error()
            self._source = None
            raise error
        self._stream.readyRead.connect(self._read)
        self._source.stateChanged.connect(self._look)
        microphones.changed.connect(self._look_whether_there)

    def stop(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            self._read()
            source.stop()
            self.deleteLater()

    def _read(self) -> None:
        data = bytes(self._stream.readAll().data())
        if data:
            self.heard.emit(data)

    def _look(self) -> None:
        if self._source is not None and self._source.state().name == "StoppedState":
            self._fail(self._error())

    def _look_whether_there(self) -> None:
        if self._source is not None and all(device.id != self._id for device in self._microphones.devices()):
            self._fail(unplugged(self.name))

    def _fail(self, error: ResourceError) -> None:
        self.stop()
        self.failed.emit(error)

    def _error(self) -> ResourceError:
        opening = self._source is not None and self._source.error().name == "OpenError"
        return not_opened(self.name) if opening else unplugged(self.name)


def not_opened(name: str) -> ResourceError:
    """The error for a microphone that the system does not open."""
    return ResourceError(
        f"{name} cannot be used: another program is using it, or Wardlight is not allowed to.",
        "Close the other program, or allow the microphone in the computer's privacy settings; then try again.",
        retryable=True,
    )


def unplugged(name: str) -> ResourceError:
    """The error for a microphone that was disconnected or stopped."""
    return ResourceError(
        f"{name} stopped working. The recording so far is kept.",
        "Reconnect it or choose another microphone in the settings, then resume.",
        retryable=True,
    )


def _id(device: QAudioDevice) -> str:
    return bytes(device.id().data()).decode("utf-8", "replace")
