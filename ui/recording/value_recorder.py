"""Listens while a key is held, for one value that is said to a row."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from models.base.errors import ResourceError, WardlightError
from ui.kit.keys import lets_go
from ui.recording.microphone import Capture, Microphones
from ui.recording.recorder import TAIL_MS

LONGEST_MS = 20_000


class ValueRecorder(QObject):
    """Keeps the sound in memory alone.

    Signals:
        said: the key was released: the sound, as int16 samples, mono, 16 kHz.
        failed: no sound can be had (a WardlightError).
    """

    said = Signal(bytes)
    failed = Signal(object)

    def __init__(self, microphones: Microphones, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._microphones = microphones
        self._capture: Capture | None = None
        self._sound = bytearray()
        self._key = Qt.Key.Key_unknown
        self._end = QTimer(self)
        self._end.setSingleShot(True)
        self._end.timeout.connect(self._finish)

    @property
    def listening(self) -> bool:
        return self._capture is not None

    def start(self, microphone: str, key: Qt.Key) -> bool:
        """Listens with this microphone until the key is released; False if that is not possible."""
        if self.listening:
            return False
        try:
            self._capture = self._microphones.open(microphone)
        except ResourceError as error:
            self.failed.emit(error)
            return False
        self._key = key
        self._sound.clear()
        self._capture.heard.connect(self._sound.extend)
        self._capture.failed.connect(self._lost)
        self._end.start(LONGEST_MS)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]
        return True

    def stop(self) -> None:
        """Stops listening; what was said is dropped."""
        capture, self._capture = self._capture, None
        self._end.stop()
        if capture:
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
            capture.stop()  # delivers its remaining sound first
            capture.heard.disconnect(self._sound.extend)
            capture.failed.disconnect(self._lost)

    def _finish(self) -> None:
        self.stop()
        self.said.emit(bytes(self._sound))

    def _lost(self, _: WardlightError) -> None:
        self.stop()
        self.failed.emit(
            ResourceError(
                "The microphone stopped working. Nothing was entered.",
                "Reconnect it or choose another microphone in the settings, then say the value again.",
                retryable=True,
            )
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if lets_go(event, self._key):
            self._end.start(TAIL_MS)
        return super().eventFilter(watched, event)
