"""Whose dictation it is: brings the answers to the workbench, on a sheet and while a recording runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.chart.dictation_identity import IdentityQuestion, LeftOut, SpokenAnswer
from app.chart.records import Dictation, Patient
from app.intake.recording import Recording
from app.system.job_lanes import Job
from models.errors import NotSigned
from ui.kit.message_bar import MessageBar
from ui.kit.theme import Theme
from ui.review.identity_bar import SpokenBar
from ui.review.review_page import ReviewPage
from ui.shell.signing_controller import unless_unsigned

if TYPE_CHECKING:
    from app.workbench import Workbench


class Identity(QObject):
    """What a person answers about whose dictation it is; `spoken` asks it about the recording that runs.

    Signals:
        changed: it is known, or open again, whose a dictation is (its id).
        added: a dictation of the same recording was made for somebody else.
    """

    changed = Signal(int)
    added = Signal()

    def __init__(
        self,
        theme: Theme,
        workbench: Workbench,
        page: ReviewPage,
        message: MessageBar,
        move: Callable[[int], object],
    ) -> None:
        super().__init__(page)
        self._workbench, self._page, self._message, self._choose_patient = workbench, page, message, move
        self._recording: Recording | None = None
        self.spoken = SpokenBar(theme)
        self.spoken.answered.connect(self._answer_spoken)
        page.identity.same_asked.connect(self.confirm)
        page.answered.again_asked.connect(self.withdraw)
        page.identity.move_asked.connect(self.move)
        page.identity.words_asked.connect(self.show_words)
        page.left_out.words_asked.connect(self._show_left_out)
        page.left_out.add_asked.connect(self._add_for)

    # on a sheet

    def confirm(self) -> None:
        """The sheet shown is its patient's."""
        sheet = self._page.sheet
        if sheet and sheet.identity_question:
            unless_unsigned(lambda: self._workbench.identities.confirm(sheet))

    def withdraw(self) -> None:
        sheet = self._page.sheet
        if sheet and sheet.identity_answer:
            unless_unsigned(lambda: self._workbench.identities.withdraw(sheet))

    def move(self, patient: Patient | None) -> None:
        """Moves the dictation shown to a patient, or asks to whom."""
        sheet = self._page.sheet
        if not sheet:
            return
        if patient:
            unless_unsigned(lambda: self._workbench.move(sheet.dictation.id, patient))
        else:
            self._choose_patient(sheet.dictation.id)

    def show_words(self) -> None:
        """Shows the words that name somebody else, and plays them."""
        question = self._page.sheet.identity_question if self._page.sheet else None
        if question and question.naming.strangers:
            first = question.naming.strangers[0]
            self._page.show_words(first.start, first.end)

    def _show_left_out(self, left: LeftOut) -> None:
        self._page.show_words(left.start, left.end)

    def _add_for(self, patient: Patient) -> None:
        if self._page.sheet:
            self._workbench.identities.add_for(self._page.sheet, patient)

    def finished(self, job: Job, result: object) -> None:
        """A job about whose a dictation is, is done."""
        if isinstance(result, Dictation):
            self._message.show_message(
                "done", "Added.", "A dictation of the same recording is being filled for the other patient."
            )
            self.added.emit()
        self.changed.emit(job.subject)

    # while a recording runs

    def overheard(self, recording: Recording, question: IdentityQuestion | None, running: Recording | None) -> None:
        """Shows what the words that were heard so far say about whose the recording that is `running` is."""
        if recording is not running:
            return
        if recording is not self._recording or question is not self.spoken.question:
            self._recording = recording
            self.spoken.show_question(question, recording.whose)

    def follow(self, running: Recording | None) -> None:
        """Another recording runs, or none."""
        if running is not self._recording:
            self._recording = running
            self.spoken.show_question(None, None)

    def _answer_spoken(self, answer: SpokenAnswer | None) -> None:
        recording = self._recording
        if recording is None:
            return
        if answer:
            try:
                answer = replace(answer, reviewer=self._workbench.sign())
            except NotSigned:
                return
        recording.whose = answer
        if recording is self._recording:  # it may have ended while the person was asked who signs
            self.spoken.show_question(self.spoken.question, answer)
