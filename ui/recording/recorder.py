"""Feeds the sound of a microphone into a recording of the workbench, and shows it in a bar."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.chart.records import Patient
from app.services.intake.recording import LONGEST_SECONDS, Recording, RecordingState
from app.services.workbench import Workbench
from models.base.errors import InputError, ResourceError, WardlightError
from speech.levels import CLIPPED, HEARD_FROM_DB, Verdict
from ui.kit.keys import lets_go
from ui.kit.theme import Theme
from ui.recording.microphone import Capture, Microphones, unplugged
from ui.recording.record_bar import RecordBar

TICK_MS = 50
SILENT_SECONDS = 4.0  # longer than any pause in a dictation at the bedside
LOUD_SECONDS = 2.0
DEAD_SECONDS = 3.0
TAIL_MS = 300  # delay from the microphone to here, which would cut off the last word


class Recorder(QObject):
    """Runs one recording at a time, on the window's thread; `bar` shows it.

    Attributes:
        recording: the recording that is running, paused or being saved; None without one.

    Signals:
        changed: a recording began, was paused or resumed, or ended.
        failed: an error for the message bar; what was recorded is kept.
    """

    changed = Signal()
    failed = Signal(object)

    def __init__(
        self, theme: Theme, workbench: Workbench, microphones: Microphones, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._workbench, self._microphones = workbench, microphones
        self.recording: Recording | None = None
        self._capture: Capture | None = None
        self._held: Qt.Key | None = None
        self._came = self._heard = self._loud = 0.0
        self._waits = False  # until an opened microphone delivers its first sound
        self._tail = QTimer(self)
        self._tail.setSingleShot(True)
        self._tail.setInterval(TAIL_MS)
        self._tail.timeout.connect(self._come_through)
        self._coming = RecordingState.FINISHING  # state after the tail
        self.bar = RecordBar(theme)
        self.bar.pause_asked.connect(self.pause_or_go_on)
        self.bar.finish_asked.connect(self.finish)
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def state(self) -> RecordingState:
        if self._tail.isActive():
            return self._coming
        return self.recording.state if self.recording else RecordingState.IDLE

    @property
    def running(self) -> bool:
        """Whether a recording is running or paused."""
        return self.state in (RecordingState.RECORDING, RecordingState.PAUSED)

    def start(self, patient: Patient) -> None:
        """Begins a recording about a patient, unless there already is one or no microphone can be used."""
        if self.recording is None and (capture := self._open()):
            self.recording = self._workbench.intake.record(patient)
            self._listen(capture)
            self._show()

    def start_held(self, patient: Patient, key: Qt.Key) -> None:
        """Begins a recording that ends when the key is released."""
        self.start(patient)
        if self.running:
            self._held = key
            QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def pause_or_go_on(self) -> None:
        if self.recording and self.state is RecordingState.RECORDING:
            self._after_the_tail(RecordingState.PAUSED)
        elif self._tail.isActive() and self.state is RecordingState.PAUSED:
            self._tail.stop()  # it is still listening
            self._show()
        elif self.recording and self.state is RecordingState.PAUSED and (capture := self._open()):
            self.recording.resume()
            self._listen(capture)
            self._show()

    def finish(self) -> None:
        """Ends the recording once the last sound has arrived; it is then imported like an opened file."""
        if self.running and self._capture:
            self._after_the_tail(RecordingState.FINISHING)
        elif self.running:
            self._end()

    def _after_the_tail(self, state: RecordingState) -> None:
        self._coming = state
        self._let_go_of_key()
        self._tail.start()
        self._show()

    def _come_through(self) -> None:
        self._tail.stop()
        if self._coming is RecordingState.FINISHING:
            self._end()
        else:
            self._pause()

    def _end(self) -> None:
        self._stop_listening()
        if self.recording:
            self.recording.finish()
            self._show()

    def stop(self) -> None:
        """Stops listening; an unfinished recording is offered at the next start of the program."""
        self._tail.stop()
        self._let_go_of_key()
        self._stop_listening()

    def ended(self, subject: object) -> Recording | None:
        """Ends and returns the recording if the finished job, given by its subject, was about it; otherwise None."""
        recording = self.recording
        if recording is None or subject not in (recording, recording.folder):
            return None
        self.stop()
        self.recording = None
        self.bar.hide()
        self.changed.emit()
        return recording

    # listening

    def _open(self) -> Capture | None:
        try:
            return self._microphones.open(self._workbench.settings.current.microphone)
        except ResourceError as error:
            self.failed.emit(error)
            return None

    def _listen(self, capture: Capture) -> None:
        self._capture = capture
        self._came = self._heard = time.monotonic()
        self._loud = 0.0
        self._waits = True
        capture.heard.connect(self._take)
        capture.failed.connect(self._lost)
        self._timer.start()

    def _stop_listening(self) -> None:
        self._timer.stop()
        capture, self._capture = self._capture, None
        if capture:
            capture.stop()  # delivers its remaining sound first
            capture.heard.disconnect(self._take)
            capture.failed.disconnect(self._lost)

    def _take(self, pcm: bytes) -> None:
        recording = self.recording
        if recording is None:
            return
        recording.take(pcm)
        self._came = time.monotonic()
        if recording.level.peak > HEARD_FROM_DB:
            self._heard = self._came
        if recording.level.clipped > CLIPPED:
            self._loud = self._came
        if self._waits:
            self._waits = False
            self._show()

    def _lost(self, error: WardlightError) -> None:
        if self._tail.isActive():
            self._come_through()
        else:
            self._pause()
        self.failed.emit(error)

    def _pause(self) -> None:
        if self.recording:
            self._let_go_of_key()
            self._stop_listening()
            self.recording.pause()
            self._show()

    def _tick(self) -> None:
        recording, capture = self.recording, self._capture
        if recording is None or capture is None or self.state is not RecordingState.RECORDING:
            return
        now = time.monotonic()
        self.bar.show_sound(recording)
        if now - self._heard > SILENT_SECONDS:
            self.bar.show_hint(Verdict.SILENT, warning=True)
        elif now - self._loud < LOUD_SECONDS:
            self.bar.show_hint(Verdict.LOUD, warning=True)
        else:
            self.bar.show_hint(capture.name)
        if now - self._came > DEAD_SECONDS:
            self._lost(unplugged(capture.name))
        elif recording.seconds > LONGEST_SECONDS:
            self.finish()
            self.failed.emit(
                InputError(
                    f"The recording was finished after {LONGEST_SECONDS / 3600:.0f} hours, the longest possible.",
                    "Start a new one to continue.",
                )
            )

    def _show(self) -> None:
        if self.recording:
            microphone = self._capture.name if self._capture else ""
            self.bar.show_recording(self.recording, self.state, microphone, waits=self._waits)
        self.changed.emit()

    # the held key

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if lets_go(event, self._held):
            self.finish()
        return super().eventFilter(watched, event)

    def _let_go_of_key(self) -> None:
        if self._held is not None:
            self._held = None
            QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
