"""Answers to the question of whose dictation it is; each call is a job. To move it, see `DictationService.move`."""

from __future__ import annotations

from app.chart.records import Dictation, Patient
from app.chart.sheet import Sheet
from app.services.context.workspace import Workspace
from app.services.dictations.jobs import ADD_FOR, IDENTITY
from app.services.engine.job_lanes import Job
from app.services.intake.service import IntakeService


class IdentityService:
    """Answers `Sheet.identity_question`, and adds dictations for other patients who are named."""

    def __init__(self, workspace: Workspace, intake: IntakeService) -> None:
        self._workspace, self._intake = workspace, intake

    def confirm(self, sheet: Sheet) -> Job[int, None]:
        """Records that a dictation is about its patient although it names others."""
        dictation_id, question = sheet.dictation.id, sheet.identity_question
        signed = self._workspace.sign()

        def work(job: Job[int, None]) -> None:
            if question:
                self._workspace.store.identity_answers.confirm(
                    dictation_id, question.patient.id, question.naming.called, signed
                )

        return self._workspace.sheets.submit(IDENTITY, dictation_id, work)

    def withdraw(self, sheet: Sheet) -> Job[int, None]:
        """Withdraws that answer, so that the question is open again.

        Accepted values stay, but cannot be filed until it is answered.
        """
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            IDENTITY, dictation_id, lambda _: self._workspace.store.identity_answers.withdraw(dictation_id, signed)
        )

    def add_for(self, sheet: Sheet, patient: Patient) -> Job[int, Dictation]:
        """Adds a dictation of the same recording for another patient named in it, and queues its filling."""
        dictation_id = sheet.dictation.id

        def work(job: Job[int, Dictation]) -> Dictation:
            encounter = self._workspace.store.encounters.open(patient.id)
            added = self._workspace.store.dictations.add_same_recording(dictation_id, encounter.id)
            self._intake.fill(added.id)
            return added

        return self._workspace.files.submit(ADD_FOR, dictation_id, work)
