"""Shows the models' jobs in the strip, the lists and the page; starts and stops fillings and handles their results."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal

from app.services.engine.job_lanes import AnyJob, Job, JobProgress, JobQueued, JobStarted
from app.services.intake.jobs import FILL, FOLLOW, ValuesRead
from app.services.intake.recording import RecordingState
from app.services.settings.jobs import INSTALL, PRELOAD
from models.base.errors import WardlightError
from models.base.progress import Progress
from ui.controllers.controller import Controller, WindowContext
from ui.kit.dictation_states import PAUSED, RECORDING, listed_patients, progress_words
from ui.kit.jobs import nothing
from ui.kit.message_bar import Holds
from ui.patients.side_bar import SideBar
from ui.progress.work_strip import WorkStrip


class WorkController(Controller):
    """Shows the models' jobs and reports failures.

    Signals:
        changed: another job runs, or none does (for actions that depend on it).
        asked: the filling of a dictation was queued (its id).
        ended: the filling of a dictation has finished, failed or stopped (its id).
    """

    changed = Signal()
    asked = Signal(int)
    ended = Signal(int)

    def __init__(self, context: WindowContext, side: SideBar, strip: WorkStrip) -> None:
        super().__init__(context)
        self._side, self._strip = side, strip
        self._latest: tuple[AnyJob, Progress] | None = None
        strip.cancel_asked.connect(self._cancel_running)
        page, jobs = self._page, self._jobs
        page.go_on_asked.connect(self.fill)
        jobs.otherwise(failed=self.show_failure, stopped=self.show)
        jobs.on(JobProgress, self._show_progress)
        jobs.on(ValuesRead, lambda event: page.show_values_so_far(event.job, event.values))
        jobs.on(JobQueued, lambda event: self._show_if_work(event.job))
        jobs.on(JobStarted, lambda event: self._show_if_work(event.job))
        jobs.adopt(FILL, self._watch_filling)
        jobs.adopt(PRELOAD, partial(jobs.watch, failed=nothing))  # the first dictation reports the same error

    # showing

    def show(self) -> None:
        """Shows the running job, or that there is none."""
        jobs = [job for job in self._workbench.jobs if job.kind != FOLLOW]  # shown by its live words instead
        if not jobs:
            self._strip.stop()
        elif jobs[0] is not self._strip.job:
            self._strip.start(jobs[0], self._name_of(jobs[0]))
        self.mark_current()
        self._page.show_state()
        self.changed.emit()

    def show_failure(self, error: WardlightError, holds: Holds | None = None) -> None:
        """Shows the error of a job that failed."""
        self.show()
        self._message.show_error(error, holds=holds, stays=True)

    def mark_current(self) -> None:
        """Updates the lists and marks the chosen patient and dictation."""
        patient = self._selection.patient
        mine = [entry for entry in self._selection.overview.entries if not patient or entry.patient.id == patient.id]
        mine.sort(key=lambda entry: entry.dictation.created_at, reverse=True)  # as the list tells their times
        self._side.recent.show_entries(mine, self._workbench, self._selection.dictation_id, self._latest)
        self._show_states()

    def rename(self) -> None:
        """Updates the patient's name shown with the running job."""
        if self._strip.job:
            self._strip.rename(self._name_of(self._strip.job))

    def _show_states(self) -> None:
        recording = self._recorder.recording
        recorded = None
        if recording:
            recorded = (recording.patient, PAUSED if recording.state is RecordingState.PAUSED else RECORDING)
        listed = listed_patients(self._selection.overview, self._workbench, self._latest, recorded)
        self._side.patients.show_patients(listed, self._selection.patient)

    def _name_of(self, job: AnyJob) -> str:
        if job.kind == INSTALL:
            return next((model.title for model in self._workbench.models.all if model.id == job.subject), job.subject)
        patient = self._selection.patient_of(job.subject)
        return patient.name if patient else "Dictation"  # not always the patient who is shown

    def _show_progress(self, event: JobProgress) -> None:
        if event.job.kind == FOLLOW:
            return
        self._strip.show_progress(event.progress)
        former, self._latest = self._latest, (event.job, event.progress)
        if former is None or progress_words(former[1]) != progress_words(event.progress):
            self.mark_current()
        self._page.show_progress(event.job, event.progress)

    def _show_if_work(self, job: AnyJob) -> None:
        if job.kind in (FILL, INSTALL):
            self.show()

    # fillings

    def fill(self, dictation_id: int) -> None:
        """Queues the filling of a dictation and shows the dictation."""
        self._workbench.intake.fill(dictation_id)
        self.asked.emit(dictation_id)

    def cancel(self) -> None:
        """Stops the running job of the models, like the button in the strip."""
        if not self._strip.isHidden():
            self._strip.cancel.click()

    def _cancel_running(self) -> None:
        job = next((job for job in self._workbench.jobs if job.kind != FOLLOW), None)
        if job:
            self._workbench.intake.stop(job)

    def delete_expired(self) -> None:
        """Deletes what is no longer kept, except of the dictation shown."""

        def show(deleted: list[int]) -> None:
            if deleted:
                self._page.evidence.show_playing()

        self._jobs.watch(self._workbench.intake.delete_expired(self._selection.dictation_id), done=show)

    def _watch_filling(self, job: Job[int, None]) -> None:
        self._jobs.watch(
            job,
            done=lambda _: self._filled(job),
            failed=partial(self._not_filled, job),
            stopped=partial(self._filling_stopped, job),
        )

    def _filled(self, job: Job[int, None]) -> None:
        self._end(job)
        self.delete_expired()

    def _not_filled(self, job: Job[int, None], error: WardlightError) -> None:
        self._end(job)
        self._message.show_error(
            error, action="R&etry", do=lambda: self.fill(job.subject), holds=self._until_filled_again(job)
        )

    def _filling_stopped(self, job: Job[int, None]) -> None:
        self._end(job)
        patient = self._selection.patient_of(job.subject)
        self._message.show_message(
            "info",
            "Stopped.",
            f"{f'The dictation of {patient.name}' if patient else 'It'} is kept. Resume to continue where it stopped.",
            action="R&esume",
            do=lambda: self.fill(job.subject),
            holds=self._until_filled_again(job),
        )

    def _end(self, job: Job[int, None]) -> None:
        self.show()
        self.ended.emit(job.subject)

    def _until_filled_again(self, job: Job[int, None]) -> Holds:
        """Returns a condition that holds until the dictation is filled again, or its patient was shown and left."""
        seen = False

        def holds() -> bool:
            nonlocal seen
            again = self._workbench.intake.job_of(job.subject)
            patient = self._selection.patient_of(job.subject)
            here = patient is None or self._selection.is_about(patient)
            seen = seen or here
            return again in (None, job) and (here or not seen)

        return holds
