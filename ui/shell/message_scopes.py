"""How long a message stays true, as conditions that a message bar looks at after everything that happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.intake.recording import RecordingState
from app.system.job_lanes import Job
from app.workspace.jobs import JobKind
from ui.kit.message_bar import Holds

if TYPE_CHECKING:
    from ui.shell.window import MainWindow


class Scopes:
    """The conditions of the messages of a window."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def closed(self) -> bool:
        """Until dictations can be opened."""
        return not self._window.workbench.ready

    def dictation(self, dictation_id: int | None) -> Holds:
        """Until another dictation, or none, is shown."""
        return lambda: self._window.shown_dictation == dictation_id

    def step(self, dictation_id: int) -> Holds:
        """Until another dictation is shown, or a later step of its review succeeds."""
        page, steps = self._window.page, self._window.page.steps
        return lambda: self._window.shown_dictation == dictation_id and page.steps == steps

    def filling(self, job: Job) -> Holds:
        """Until the dictation is worked on again, or its patient was looked at and is left."""
        window, seen = self._window, False

        def holds() -> bool:
            nonlocal seen
            again = window.workbench.intake.job_of(job.subject)
            patient = window.patient_of(job.subject)
            here = patient is None or (window.patient is not None and window.patient.id == patient.id)
            seen = seen or here
            return again in (None, job) and (here or not seen)

        return holds

    def failed(self, job: Job, *, of_file: bool) -> Holds | None:
        """Of a job that failed: as long as what it was about is shown or not tried again; None where it concerns no
        place in particular."""
        match job.kind:
            case JobKind.REVIEW:
                return self.step(job.subject)
            case JobKind.SHEET | JobKind.REOPEN:
                return self.dictation(job.subject)
            case JobKind.IMPORT if of_file:
                return self.file()
        return None

    def file(self) -> Holds:
        """Until another file is opened, or another patient is."""
        window, opened, patient = self._window, self._window.files_opened, self._window.patient
        return lambda: (
            window.files_opened == opened
            and (patient is None or (window.patient is not None and window.patient.id == patient.id))
        )

    def microphone(self) -> Holds:
        """Until something is recorded again."""
        recorder = self._window.recorder
        return lambda: recorder.state is not RecordingState.RECORDING

    def unsaved(self, value_id: int) -> Holds:
        """Until a change that was begun is saved or given up, or its dictation is left."""
        page = self._window.page
        return lambda: value_id in page.unsaved
