"""Saying the value of a row: hold V, say it, look at what was understood, and save it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer

from app.chart.records import ReviewedValue
from app.chart.sheet import Sheet
from app.services.engine.job_lanes import Job
from app.services.review.jobs import Command, SpokenValue
from extraction.flowsheet.schema import Row
from models.base.errors import WardlightError
from speech.audio import SAMPLE_BYTES, SAMPLE_RATE
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.review_controller import ReviewController
from ui.flowsheet.detail.detail_pane import Draft
from ui.recording.microphone import Microphones
from ui.recording.value_recorder import ValueRecorder

_LEAST_BYTES = SAMPLE_RATE // 2 * SAMPLE_BYTES  # half a second; less is a key that was pressed, not held


@dataclass(frozen=True)
class _Meant:
    """What a person speaks to: a row of a sheet, in place of a value or, without one, as a new value.

    Attributes:
        seen: the value and the unsaved entry that were in sight; None for a new value.
        alone: whether nothing that was said before is still being understood.
    """

    sheet: Sheet
    row: Row
    value_id: int | None
    seen: tuple[ReviewedValue | None, Draft | None] | None
    alone: bool


class SpokenValueController(Controller):
    """Attributes: `listener` has the microphone while the key is held."""

    def __init__(self, context: WindowContext, microphones: Microphones, review: ReviewController) -> None:
        super().__init__(context)
        self._review, page = review, self._page
        self._meant: _Meant | None = None
        self._heard: set[Job[str, SpokenValue]] = set()  # not understood yet
        self.listener = ValueRecorder(microphones, self)
        self.listener.said.connect(self._take)
        self.listener.failed.connect(self._message.show_error)
        page.speak_asked.connect(self._listen_for_value)
        page.leftovers.speak_asked.connect(self._listen)
        page.looks.last_look.gaps.speak_asked.connect(self._listen)

    def _listen_for_value(self) -> None:
        value, sheet = self._page.current, self._page.sheet
        if value and sheet:
            self._listen(sheet.schema.row(value.row_id), value.id)

    def _listen(self, row: Row, value_id: int | None = None) -> None:
        """Listens until V is released: for another value in place of one of the sheet, or for a missing row."""
        sheet = self._page.sheet
        if sheet is None or self.listener.listening:
            return
        if self._recorder.recording is not None:
            self._message.show_message(
                "info", "A recording is running.", "Finish it (F9) before you say a single value."
            )
        elif self.listener.start(self._workbench.settings.current.microphone, Qt.Key.Key_V):
            seen = self._in_sight() if value_id is not None else None
            self._meant = _Meant(sheet, row, value_id, seen, alone=not self._heard)
            self._message.show_message("info", f"Listening for {row.name}.", "Say its value, and release V.")

    def _take(self, sound: bytes) -> None:
        assert self._meant
        if len(sound) < _LEAST_BYTES:
            self._message.show_message("info", "Hold V while you speak.", "Release it after the value.")
            return
        busy = bool(self._workbench.jobs)
        meant = self._meant
        job = self._workbench.spoken_values.hear(meant.sheet, meant.row, sound)
        self._heard.add(job)
        self._jobs.watch(
            job, done=lambda said: self._understood(job, meant, said), failed=lambda error: self._fail(job, error)
        )
        self._message.show_message(
            "info",
            f"Transcribing what you said for {meant.row.name}.",
            "It waits for the dictation that is being filled." if busy else "",
            holds=lambda: job in self._heard,
        )

    def _understood(self, job: Job[str, SpokenValue], meant: _Meant, said: SpokenValue) -> None:
        self._heard.discard(job)
        shown, heard = self._page.sheet, f"Heard “{said.words}”."
        if shown is None or shown.dictation.id != meant.sheet.dictation.id:
            next_step = f"You said it for {meant.row.name} of {meant.sheet.patient.name}. Say it again there."
            self._message.show_message("warning", f"{heard} Nothing was entered.", next_step)
        elif isinstance(value := said.said, Command):
            self._obey(value, meant, heard)
        elif meant.value_id is None:
            self._message.show_message("done", heard, "")
            QTimer.singleShot(0, lambda: self._review.add_row(said.row, value))
        elif self._page.enter(meant.value_id, value):
            self._message.show_message("done", heard, "Enter saves it; Esc discards it.")

    def _in_sight(self) -> tuple[ReviewedValue | None, Draft | None]:
        return self._page.current, self._page.detail.draft

    def _obey(self, command: Command, meant: _Meant, heard: str) -> None:
        """Does what was said, if the value that it was said to is still the current one.

        It is accepted only as it was in sight when V was pressed.
        """
        current = self._page.current
        if current is None or current.id != meant.value_id:
            self._message.show_message("warning", f"{heard} Nothing was done.", f"You said it for {meant.row.name}.")
        elif command is Command.ACCEPT:
            self._accept(current.id, meant, heard)
        else:
            self._message.show_message("done", heard, "")
            if command is Command.NEXT:
                self._page.step(1)
            else:
                self._page.act(command.value)

    def _accept(self, value_id: int, meant: _Meant, heard: str) -> None:
        refused = f"{heard} {meant.row.name} was not accepted."
        self._message.show_message("warning", refused, "Look at it and press Enter.")
        if meant.alone and meant.seen == self._in_sight():
            self._page.act(Command.ACCEPT.value)
            if self._page.decisions.is_deciding(value_id):
                self._message.show_message("done", heard, f"{meant.row.name} was accepted.")

    def _fail(self, job: Job[str, SpokenValue], error: WardlightError) -> None:
        self._heard.discard(job)
        self._message.show_error(error)
