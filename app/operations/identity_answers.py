"""What a person says about whose dictation it is; each call is a job. Moving it is `Workbench.move`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chart.records import Dictation, Patient
from app.chart.sheet import Sheet
from app.system.job_lanes import Job
from app.workspace.context import Workspace
from app.workspace.jobs import JobKind

if TYPE_CHECKING:
    from app.intake.service import Intake


class Identities:
    """Answers to `Sheet.identity_question`, and dictations for those who are named beside the patient."""

    def __init__(self, workspace: Workspace, intake: Intake) -> None:
        self._workspace, self._intake = workspace, intake

    def confirm(self, sheet: Sheet) -> Job:
        """Records that a sheet is its patient's, though its dictation names others."""
        dictation_id, question = sheet.dictation.id, sheet.identity_question
        signed = self._workspace.sign()

        def work(job: Job) -> None:
            if question:
                self._workspace.store.identity_answers.confirm(
                    dictation_id, question.patient.id, question.naming.called, signed
                )

        return self._workspace.sheets.submit(JobKind.IDENTITY, work, dictation_id)

    def withdraw(self, sheet: Sheet) -> Job:
        """Takes that back: the question is open again. What was accepted stays, and cannot be filed meanwhile."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            JobKind.IDENTITY,
            lambda _: self._workspace.store.identity_answers.withdraw(dictation_id, signed),
            dictation_id,
        )

    def add_for(self, sheet: Sheet, patient: Patient) -> Job:
        """Makes a dictation of the same recording for somebody else who is named in it, and queues its filling."""
        dictation_id = sheet.dictation.id

        def work(job: Job) -> Dictation:
            encounter = self._workspace.store.encounters.open(patient.id)
            added = self._workspace.store.dictations.add_same_recording(dictation_id, encounter.id)
            self._intake.fill(added.id)
            return added

        return self._workspace.files.submit(JobKind.ADD_FOR, work, dictation_id)
