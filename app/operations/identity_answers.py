"""Answers to the question of whose dictation it is; each call is a job. To move it, see `Workbench.move`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.chart.records import Dictation, Patient
from app.chart.sheet import Sheet
from app.system.job_lanes import Job, JobKind
from app.workspace.context import Workspace

if TYPE_CHECKING:
    from app.intake.service import Intake

# the subject is the dictation's id
IDENTITY = JobKind[int, None]("identity")  # the question was answered or reopened
ADD_FOR = JobKind[int, Dictation]("add for")  # the same recording for another patient; also queues its filling


class IdentityOperations:
    """Answers `Sheet.identity_question`, and adds dictations for other patients who are named."""

    def __init__(self, workspace: Workspace, intake: Intake) -> None:
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
