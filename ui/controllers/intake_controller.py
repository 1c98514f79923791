"""Brings dictations in: opened files, and recordings with their live transcript."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt

from app.chart.records import Dictation, Patient
from app.inference.live_events import LiveWords
from app.services.engine.job_lanes import Job
from app.services.intake.file_kinds import AUDIO_SUFFIXES, TEXT_SUFFIXES
from app.services.intake.jobs import FOLLOW, IMPORT, RECORD, Overheard, Unfinished
from app.services.intake.recording import Recording, RecordingState
from models.base.errors import WardlightError
from ui.controllers.controller import Controller, WindowContext
from ui.controllers.dictation_controller import DictationController
from ui.controllers.navigation import Navigation
from ui.controllers.patient_controller import PatientController
from ui.controllers.ward_list_controller import is_list
from ui.controllers.work_controller import WorkController
from ui.dialogs.file_choice import choose_file
from ui.dialogs.questions import ask_to_open
from ui.kit.message_bar import Holds
from ui.kit.words import identity_text
from ui.recording.recovery_bar import RecoveryBar
from ui.review.live_page import LivePage


class IntakeController(Controller):
    """Opens files, records, recovers interrupted recordings, and shows a recording live."""

    def __init__(
        self,
        context: WindowContext,
        work: WorkController,
        navigation: Navigation,
        patients: PatientController,
        dictations: DictationController,
        recovery: RecoveryBar,
        live: LivePage,
    ) -> None:
        super().__init__(context)
        self._work, self._navigation, self._patients, self._dictations = work, navigation, patients, dictations
        self._recovery, self._live = recovery, live
        self._files_opened = self._saved = 0
        self._recorder.failed.connect(lambda error: self._message.show_error(error, holds=self._until_recorded_again))
        recovery.keep_asked.connect(self._keep)
        recovery.discard_asked.connect(self._discard)
        jobs = self._jobs
        jobs.on(Overheard, self._overhear)
        jobs.adopt(FOLLOW, self._watch_following)
        jobs.adopt(RECORD, lambda job: jobs.watch(job, failed=partial(self._not_taken_in, job.subject)))
        jobs.adopt(IMPORT, self._watch_import)

    # files

    def ask_file(self) -> None:
        """Lets the user choose a recording or text, and first a patient if none is chosen."""
        if self._selection.patient:
            self._ask_for_chosen()
        else:
            self._patients.ask(then=self._ask_for_chosen)

    def _ask_for_chosen(self) -> None:
        if self._is_gone():
            return
        audio, text = (" ".join(f"*{suffix}" for suffix in group) for group in (AUDIO_SUFFIXES, TEXT_SUFFIXES))
        names = f"Recordings and texts ({audio} {text});;All files (*)"
        if path := choose_file(self._parent, "Open a recording or text", names):
            self.open_file(path)

    def open_file(self, path: Path) -> None:
        """Imports a recording or text for the chosen patient, as `open_files` does."""
        self.open_files([path])

    def open_files(self, paths: Sequence[Path]) -> None:
        """Imports recordings and texts for the chosen patient, whose filling is then queued.

        Asks for a patient if none is chosen, and whether several files are really about the same one.
        """
        if not self._workbench.ready or not paths:
            return
        if self._selection.patient:
            self._open_for_chosen(paths)
        else:
            self._patients.ask(then=lambda: self._open_for_chosen(paths))

    def _open_for_chosen(self, paths: Sequence[Path]) -> None:
        patient = self._selection.patient
        if not patient or self._is_gone():
            return
        if len(paths) > 1 and not ask_to_open(self._parent, [path.name for path in paths], patient):
            return
        for path in paths:
            self._files_opened += 1
            self._watch_import(self._workbench.intake.import_file(path, patient), opened_for=patient)

    def drop_words(self, paths: Sequence[Path]) -> str:
        """What becomes of files if they are dropped; empty if nothing can be opened now."""
        if not self._workbench.ready or not paths:
            return ""
        files = [path for path in paths if not is_list(path)]
        if not files:
            return "Drop to import the ward list"
        patient, what = self._selection.patient, "" if len(files) == 1 else f" {len(files)} files"
        if patient is None:
            return f"Drop to open{what}, then choose the patient"
        if patient.discharged:
            return f"{patient.name} is discharged: nothing can be opened"
        return f"Drop to open{what} for {identity_text(patient)}"

    def _watch_import(self, job: Job[Path, Dictation], opened_for: Patient | None = None) -> None:
        """Shows what becomes of a recording, or of a file that was opened for a patient."""
        self._jobs.watch(
            job,
            done=partial(self._taken_in, job.subject, opened_for),
            failed=partial(self._not_taken_in, job.subject, opened=opened_for is not None),
        )

    def _taken_in(self, path: Path, opened_for: Patient | None, dictation: Dictation) -> None:
        self._saved += 1
        recording = self._recorder.ended(path)
        about = recording.patient if recording else opened_for
        if recording and recording is self._live.recording:
            self._navigation.spoken = dictation.id
        self._navigation.load_overview()
        if not self._recovery.isHidden():
            self.look_for_unfinished()
        if about is None or self._selection.is_about(about):
            self._navigation.show_dictation(dictation.id)
        else:  # the user has gone to another patient meanwhile
            what = "recording" if recording else "file"
            self._message.show_message("done", f"The {what} about {about.name} is saved.")
        self._dictations.tell_time(dictation)

    def _not_taken_in(self, subject: Path | Recording, error: WardlightError, *, opened: bool = False) -> None:
        self._work.show_failure(error, self._until_another_is_opened() if opened else self._until_saved_again())
        self._recorder.ended(subject)
        self.look_for_unfinished()

    def _until_another_is_opened(self) -> Holds:
        """Returns a condition that holds until another file is opened or another patient is chosen."""
        opened, patient = self._files_opened, self._selection.patient
        return lambda: self._files_opened == opened and (patient is None or self._selection.is_about(patient))

    # recordings

    def record_or_finish(self) -> None:
        """Finishes the running recording, or starts one, after asking for the patient if none is chosen."""
        if self._recorder.running:
            self._recorder.finish()
        elif self._selection.patient:
            self._record_chosen()
        else:
            self._patients.ask(then=self._record_chosen)

    def record_while_held(self) -> None:
        """Records while the key is held. Without a patient, only asks for one: the key cannot be held meanwhile."""
        patient = self._selection.patient
        if self._recorder.running:
            self._recorder.finish()
        elif patient is None:
            self._patients.ask()
        elif not self._is_gone():
            self._recorder.start_held(patient, getattr(Qt.Key, f"Key_{self._workbench.settings.current.record_key}"))

    def _record_chosen(self) -> None:
        if (patient := self._selection.patient) and not self._is_gone():
            self._recorder.start(patient)

    def _is_gone(self) -> bool:
        """True if the chosen patient is discharged and can have no new dictations; then shows a warning."""
        patient = self._selection.patient
        if patient is None or not patient.discharged:
            return False
        self._message.show_message(
            "warning",
            f"{patient.name} is discharged.",
            "Readmit the patient to record or open a file.",
            action="R&eadmit…",
            do=lambda: self._patients.readmit(patient),
        )
        return True

    def look_for_unfinished(self) -> None:
        """Offers the recordings that were interrupted."""
        self._jobs.watch(self._workbench.intake.look_for_unfinished(), done=self._recovery.show_recordings)

    def _discard(self, found: Unfinished) -> None:
        folder = found.kept.folder
        self._jobs.watch(self._workbench.intake.discard(folder), failed=partial(self._not_taken_in, folder))

    def _keep(self, found: Unfinished) -> None:
        """Makes a dictation of an interrupted recording, for its own patient if known, else for the chosen one."""
        patient = found.patient or self._selection.patient
        if patient:
            self._watch_import(self._workbench.intake.keep(found.kept.folder, patient))
        elif not self._patients.ask(then=lambda: self._keep(found)):
            self.look_for_unfinished()

    def _until_saved_again(self) -> Holds:
        """Returns a condition that holds until a recording is written again, or one was saved."""
        saved = self._saved
        return lambda: self._saved == saved and self._until_recorded_again()

    def _until_recorded_again(self) -> bool:
        return self._recorder.state is not RecordingState.RECORDING

    # live transcript

    def _overhear(self, event: Overheard) -> None:
        """Passes what was heard to the live page; at the first word, opens that page if its patient is chosen."""
        recording, news, live = event.job.subject, event.news, self._live
        if recording is not self._recorder.recording:
            return
        if live.recording is not recording and isinstance(news, LiveWords) and (news.final or news.draft):
            live.begin(recording)
            self._navigation.spoken = None
            if self._selection.is_about(recording.patient):
                self._navigation.show_live()
        if live.recording is recording:
            live.take(news)

    def _watch_following(self, job: Job[Recording, None]) -> None:
        self._jobs.watch(
            job,
            done=lambda _: self._navigation.show_what_was_spoken(),
            failed=lambda _: self._deaf(job.subject),
            stopped=self._not_followed,
        )

    def _deaf(self, recording: Recording) -> None:
        self._live.break_off()
        self._navigation.show_what_was_spoken()
        if recording is self._recorder.recording:  # otherwise the filling, which comes next, transcribes it
            self._message.show_message(
                "info",
                "This recording is not transcribed while you speak.",
                "It continues, and is filled when you finish.",
                holds=lambda: self._recorder.recording is recording,
            )

    def _not_followed(self) -> None:
        self._work.show()
        self._navigation.show_what_was_spoken()
