"""What a person says about whose dictation it is; each call is a job. Moving it is `Workbench.move`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chart.records import Dictation, Patient
from app.chart.sheet import Sheet
from app.system.job_lanes import Job, JobKind
from app.workspace.context import Workspace

if TYPE_CHECKING:
    from app.intake.service import Intake

# of a dictation (its id)
IDENTITY = JobKind[int, None]("identity")  # it is known, or open again, whose it is
ADD_FOR = JobKind[int, Dictation]("add for")  # the same recording for somebody else, whose filling is queued


class IdentityOperations:
    """Answers to `Sheet.identity_question`, and dictations for those who are named beside the patient."""

    def __init__(self, workspace: Workspace, intake: Intake) -> None:
        self._workspace, self._intake = workspace, intake

    def confirm(self, sheet: Sheet) -> Job[int, None]:
        """Records that a sheet is its patient's, though its dictation names others."""
        dictation_id, question = sheet.dictation.id, sheet.identity_question
        signed = self._workspace.sign()

        def work(job: Job[int, None]) -> None:
            if question:
                self._workspace.store.identity_answers.confirm(
                    dictation_id, question.patient.id, question.naming.called, signed
                )

        return self._workspace.sheets.submit(IDENTITY, dictation_id, work)

    def withdraw(self, sheet: Sheet) -> Job[int, None]:
        """Takes that back: the question is open again. What was accepted stays, and cannot be filed meanwhile."""
        dictation_id, signed = sheet.dictation.id, self._workspace.sign()
        return self._workspace.sheets.submit(
            IDENTITY, dictation_id, lambda _: self._workspace.store.identity_answers.withdraw(dictation_id, signed)
        )

    def add_for(self, sheet: Sheet, patient: Patient) -> Job[int, Dictation]:
        """Makes a dictation of the same recording for somebody else who is named in it, and queues its filling."""
        dictation_id = sheet.dictation.id

        def work(job: Job[int, Dictation]) -> Dictation:
            encounter = self._workspace.store.encounters.open(patient.id)
            added = self._workspace.store.dictations.add_same_recording(dictation_id, encounter.id)
            self._intake.fill(added.id)
            return added

        return self._workspace.files.submit(ADD_FOR, dictation_id, work)
