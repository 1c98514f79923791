"""Passes answers about whose dictation it is to the workbench, for the sheet shown and for a running recording."""

from __future__ import annotations

from dataclasses import replace

from app.chart.dictation_identity import LeftOut, SpokenAnswer
from app.chart.records import Patient
from app.record.errors import NotSigned
from app.services.engine.job_lanes import Job
from app.services.intake.jobs import Overheard
from app.services.intake.recording import Recording
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.dictation_controller import DictationController
from ui.controllers.navigation import Navigation
from ui.controllers.signing_controller import unless_unsigned
from ui.patients.identity_bar import SpokenBar


class IdentityController(Controller):
    """Handles the user's answers about whose dictation it is; `spoken` asks about the running recording."""

    def __init__(
        self, context: WindowContext, navigation: Navigation, dictations: DictationController, spoken: SpokenBar
    ) -> None:
        super().__init__(context)
        self._navigation, self._dictations, self.spoken = navigation, dictations, spoken
        page = self._page
        self._recording: Recording | None = None
        self.spoken.answered.connect(self._answer_spoken)
        page.identity.same_asked.connect(self.confirm)
        page.words.answered.again_asked.connect(self.withdraw)
        page.identity.move_asked.connect(self.move)
        page.identity.words_asked.connect(self.show_words)
        page.words.left_out.words_asked.connect(self._show_left_out)
        page.words.left_out.add_asked.connect(self._add_for)
        self._jobs.on(Overheard, self._overhear)

    # on a sheet

    def confirm(self) -> None:
        """Confirms that the sheet shown belongs to its patient."""
        sheet = self._page.sheet
        if sheet and sheet.identity_question:
            unless_unsigned(lambda: self._answer(self._workbench.identity.confirm(sheet)))

    def withdraw(self) -> None:
        sheet = self._page.sheet
        if sheet and sheet.identity_answer:
            unless_unsigned(lambda: self._answer(self._workbench.identity.withdraw(sheet)))

    def _answer(self, job: Job[int, None]) -> None:
        self._jobs.watch(job, done=lambda _: self._navigation.read_again(job.subject))

    def move(self, patient: Patient | None) -> None:
        """Moves the dictation shown to a patient; asks which one if `patient` is None."""
        sheet = self._page.sheet
        if not sheet:
            return
        if patient:
            self._dictations.move(sheet.dictation.id, patient)
        else:
            self._dictations.ask_patient(sheet.dictation.id)

    def show_words(self) -> None:
        """Shows and plays the first words that name somebody else."""
        question = self._page.sheet.identity_question if self._page.sheet else None
        if question and question.naming.strangers:
            first = question.naming.strangers[0]
            self._page.show_words(first.start, first.end)

    def _show_left_out(self, left: LeftOut) -> None:
        self._page.show_words(left.start, left.end)

    def _add_for(self, patient: Patient) -> None:
        if sheet := self._page.sheet:
            job = self._workbench.identity.add_for(sheet, patient)
            self._jobs.watch(job, done=lambda _: self._tell_added(job.subject))

    def _tell_added(self, dictation_id: int) -> None:
        self._message.show_message("done", "Added.", "The same recording is being processed for the other patient.")
        self._navigation.read_again(dictation_id)

    # while a recording runs

    def _overhear(self, event: Overheard) -> None:
        """Shows the question that the words heard so far raise about whose recording is running."""
        recording, question = event.job.subject, event.question
        if recording is not self._recorder.recording:
            return
        if recording is not self._recording or question is not self.spoken.question:
            self._recording = recording
            self.spoken.show_question(question, recording.whose)

    def follow(self) -> None:
        """Hides the question when another recording runs, or none."""
        running = self._recorder.recording
        if running is not self._recording:
            self._recording = running
            self.spoken.show_question(None, None)

    def _answer_spoken(self, answer: SpokenAnswer | None) -> None:
        recording = self._recording
        if recording is None:
            return
        if answer:
            try:
                answer = replace(answer, reviewer=self._workbench.signing.sign())
            except NotSigned:
                return
        recording.whose = answer
        if recording is self._recording:  # it may have ended while the user was asked who signs
            self.spoken.show_question(self.spoken.question, answer)
