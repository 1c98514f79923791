"""Dictations as a whole: the list of all, patient, time, title, deletion and restoration. Each call is a job."""

from __future__ import annotations

from datetime import datetime

from app.chart.records import WRONG_PATIENT, Dictation, Patient, ReviewStatus
from app.chart.sheet import Overview
from app.services.context.workspace import Workspace
from app.services.dictations.jobs import DELETE, MOVE, OVERVIEW, PAST, RENAME, RESTORE, TIME, Deleted, Moved, Past
from app.services.dictations.overview import read_overview
from app.services.engine.job_lanes import GRACE_SECONDS, Job
from app.services.intake.service import IntakeService
from app.services.review.cautions import clock_words
from models.base.errors import InputError

# the grace period of a running filling, plus time to end its process
_STOP_SECONDS = 2 * GRACE_SECONDS


class DictationService:
    """Submits the jobs that list dictations or change one as a whole."""

    def __init__(self, workspace: Workspace, intake: IntakeService) -> None:
        self._workspace, self._intake = workspace, intake

    def load_overview(self) -> Job[None, Overview]:
        """Reads the list of all patients and dictations."""
        return self._workspace.sheets.submit(OVERVIEW, None, lambda _: read_overview(self._workspace))

    def clock_warning(self, overview: Overview) -> tuple[str, str]:
        """What is wrong with a clock that is behind `Overview.entry_to_come`, and what to do about it."""
        return clock_words(overview.entry_to_come, self._workspace.store.now())

    def move(self, dictation_id: int, patient: Patient, reason: str = WRONG_PATIENT) -> Job[int, Moved]:
        """Moves a dictation to another patient and queues its filling, whose result depends on the patient.

        Fails while it is filed or being filled; see also `app.store.dictations`.
        """

        signed = self._workspace.sign()

        def work(job: Job[int, Moved]) -> Moved:
            if self._intake.job_of(dictation_id):
                raise InputError(
                    "This dictation is being processed or is queued.",
                    "Wait until it is finished or stop it (Ctrl+.), then move it.",
                )
            return self._move(dictation_id, patient, reason, signed, back=False)

        return self._workspace.sheets.submit(MOVE, dictation_id, work)

    def move_back(self, moved: Moved) -> Job[int, Moved]:
        """Undoes a move: stops a filling for the other patient and restores the earlier decisions."""
        dictation_id, signed = moved.dictation.id, self._workspace.sign()

        def work(job: Job[int, Moved]) -> Moved:
            self._stop_filling(dictation_id)
            return self._move(dictation_id, moved.came, "Moved back", signed, back=True)

        return self._workspace.sheets.submit(MOVE, dictation_id, work)

    def _move(self, dictation_id: int, patient: Patient, reason: str, signed: str, *, back: bool) -> Moved:
        store = self._workspace.store
        values = sum(one.status is not ReviewStatus.REJECTED for one in store.values.of(dictation_id))
        event = store.dictations.move(dictation_id, patient.id, signed, reason)
        assert event.from_patient_id is not None, "it was moved"
        came, went = store.patients.one(event.from_patient_id), store.patients.one(patient.id)
        self._intake.fill(dictation_id)
        return Moved(store.dictations.one(dictation_id), came, went, values, event.taken_back, back)

    def change_time(self, dictation_id: int, made_at: datetime) -> Job[int, Dictation]:
        """Changes the time of a dictation and of its values.

        Spoken times are relative to it: if there are any, the filling is queued again. Fails while the dictation is
        filed or being filled.
        """
        signed = self._workspace.sign()

        def work(job: Job[int, Dictation]) -> Dictation:
            store = self._workspace.store
            if self._intake.job_of(dictation_id):
                raise InputError(
                    "This dictation is being processed or is queued.",
                    "Wait until it is finished or stop it, then change its time.",
                )
            changed = store.dictations.change_time(dictation_id, made_at, signed)
            if any(value.filled and value.filled.timing for value in store.values.of(dictation_id)):
                self._intake.fill(dictation_id)
            return changed

        return self._workspace.sheets.submit(TIME, dictation_id, work)

    def rename(self, dictation_id: int, title: str) -> Job[int, Dictation]:
        """Gives a dictation a title; an empty title restores its original name."""
        signed = self._workspace.sign()
        return self._workspace.sheets.submit(
            RENAME, dictation_id, lambda _: self._workspace.store.dictations.rename(dictation_id, title, signed)
        )

    def delete(self, dictation_id: int, reason: str) -> Job[int, Deleted]:
        """Deletes a dictation and stops its filling.

        It can be restored for some days (see `app.services.intake.audio_retention`).
        """

        signed = self._workspace.sign()

        def work(job: Job[int, Deleted]) -> Deleted:
            store = self._workspace.store
            dictation = store.dictations.one(dictation_id)
            patient = self._patient_of(dictation)
            if not store.filings.of(dictation_id):
                self._stop_filling(dictation_id)
            store.dictations.delete(dictation_id, signed, reason)
            self._workspace.forget_texts()
            return Deleted(dictation, patient)

        return self._workspace.sheets.submit(DELETE, dictation_id, work)

    def restore(self, dictation_id: int) -> Job[int, Dictation]:
        """Restores a deleted dictation and queues its filling if that was not finished."""

        signed = self._workspace.sign()

        def work(job: Job[int, Dictation]) -> Dictation:
            dictation = self._workspace.store.dictations.restore(dictation_id, signed)
            if dictation.status in ("recorded", "transcribed"):
                self._intake.fill(dictation_id)
            return dictation

        return self._workspace.sheets.submit(RESTORE, dictation_id, work)

    def past(self, dictation_id: int) -> Job[int, Past]:
        """Reads the history of a dictation."""

        def work(job: Job[int, Past]) -> Past:
            dictation = self._workspace.store.dictations.one(dictation_id)
            events = self._workspace.store.dictations.events(dictation_id)
            times = self._workspace.store.dictations.times(dictation_id)
            return Past(dictation, self._patient_of(dictation), tuple(events), tuple(times))

        return self._workspace.sheets.submit(PAST, dictation_id, work)

    def _patient_of(self, dictation: Dictation) -> Patient:
        store = self._workspace.store
        return store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)

    def _stop_filling(self, dictation_id: int) -> None:
        job = self._intake.job_of(dictation_id)
        if job is None:
            return
        self._intake.stop(job)
        if not job.wait(_STOP_SECONDS):
            raise InputError("This dictation is still being processed.", "Try again in a moment.")
