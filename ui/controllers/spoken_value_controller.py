"""Saying the value of a row: hold V, say it, look at what was understood, and save it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt

from app.system.job_lanes import Job
from app.workbench import Workbench
from app.workspace.jobs import SPOKEN_VALUE, SpokenValue
from models.errors import WardlightError
from speech.audio import SAMPLE_RATE
from ui.kit.job_answers import JobAnswers
from ui.kit.message_bar import MessageBar
from ui.recording.microphone import Microphones
from ui.recording.recorder import Recorder
from ui.recording.value_recorder import ValueRecorder
from ui.review.review_page import ReviewPage

_LEAST_BYTES = SAMPLE_RATE // 2 * 2  # half a second; less is a key that was pressed, not held


class SpokenValueController(QObject):
    """Attributes: `listener` has the microphone while the key is held."""

    def __init__(
        self,
        parent: QObject,
        workbench: Workbench,
        answers: JobAnswers,
        microphones: Microphones,
        recorder: Recorder,
        page: ReviewPage,
        message: MessageBar,
    ) -> None:
        super().__init__(parent)
        self._workbench, self._recorder, self._page, self._message = workbench, recorder, page, message
        self._value_id = 0
        self.listener = ValueRecorder(microphones, self)
        self.listener.said.connect(self._take)
        self.listener.failed.connect(message.show_error)
        page.speak_asked.connect(self.listen)
        answers.on(SPOKEN_VALUE, done=self._understood, failed=self._not_understood)

    def listen(self) -> None:
        """Listens for a value of the chosen row until V is released."""
        value = self._page.current
        if value is None or self.listener.listening:
            return
        if self._recorder.recording is not None:
            self._message.show_message(
                "info", "A recording is running.", "Finish it (F9) before you say a single value."
            )
            return
        self._value_id = value.id
        if self.listener.start(self._workbench.settings.microphone, Qt.Key.Key_V):
            row = self._page.row_of(value)
            self._message.show_message("info", f"Listening for {row.name}.", "Say its value, and release V.")

    def _take(self, sound: bytes) -> None:
        sheet = self._page.sheet
        value = next((one for one in sheet.values if one.id == self._value_id), None) if sheet else None
        if sheet is None or value is None:
            return
        if len(sound) < _LEAST_BYTES:
            self._message.show_message("info", "Hold V while you speak.", "Release it after the value.")
            return
        self._message.show_message("info", "Transcribing what you said.", "")
        self._workbench.hear_value(sheet, value, sound)

    def _understood(self, _: Job[int, SpokenValue], said: SpokenValue) -> None:
        if self._page.enter(said.value_id, said.value):
            self._message.show_message("done", f"Heard “{said.words}”.", "Enter saves it; Esc discards it.")

    def _not_understood(self, _: Job[int, SpokenValue], error: WardlightError) -> None:
        self._message.show_error(error)
