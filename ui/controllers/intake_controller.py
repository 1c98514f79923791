"""Brings dictations in: opened files, and recordings with their live transcript."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from app.chart.records import Dictation, Patient
from app.inference.live_events import LiveWords
from app.services.engine.job_lanes import Job
from app.services.intake.file_kinds import AUDIO_SUFFIXES, TEXT_SUFFIXES
from app.services.intake.jobs import DELETE_EXPIRED, DISCARD, FOLLOW, IMPORT, RECORD, UNFINISHED, Overheard, Unfinished
from app.services.intake.recording import Recording, RecordingState
from app.services.workbench import Workbench
from models.base.errors import WardlightError
from ui.controllers.dictation_controller import DictationController
from ui.controllers.navigation import Navigation
from ui.controllers.patient_controller import PatientController
from ui.controllers.ward_list_controller import is_list
from ui.controllers.work_controller import WorkController
from ui.dialogs.file_choice import choose_file
from ui.dialogs.questions import ask_to_open
from ui.kit.job_answers import JobAnswers
from ui.kit.message_bar import Holds, MessageBar
from ui.kit.words import identity_text
from ui.patients.selection import Selection
from ui.recording.recorder import Recorder
from ui.recording.recovery_bar import RecoveryBar
from ui.review.live_page import LivePage
from ui.review.review_page import ReviewPage


class IntakeController(QObject):
    """Opens files, records, recovers interrupted recordings, and shows a recording live."""

    def __init__(
        self,
        parent: QWidget,
        workbench: Workbench,
        answers: JobAnswers,
        selection: Selection,
        work: WorkController,
        navigation: Navigation,
        patients: PatientController,
        dictations: DictationController,
        recorder: Recorder,
        recovery: RecoveryBar,
        page: ReviewPage,
        live: LivePage,
        message: MessageBar,
    ) -> None:
        super().__init__(parent)
        self._parent, self._workbench, self._selection = parent, workbench, selection
        self._work, self._navigation, self._patients, self._dictations = work, navigation, patients, dictations
        self._recorder, self._recovery, self._live, self._message = recorder, recovery, live, message
        self._opened: dict[Path, Patient] = {}  # patients of the files being imported
        self._files_opened = self._saved = 0
        recorder.failed.connect(lambda error: message.show_error(error, holds=self._until_recorded_again))
        recovery.keep_asked.connect(self._keep)
        recovery.discard_asked.connect(lambda found: workbench.intake.discard(found.kept.folder))
        answers.follow(Overheard, self._overhear)
        answers.on(
            FOLLOW, done=lambda *_: navigation.show_what_was_spoken(), failed=self._deaf, stopped=self._not_followed
        )
        answers.on(RECORD, failed=self._not_taken_in)
        answers.on(IMPORT, done=self._taken_in, failed=self._not_taken_in)
        answers.on(DISCARD, failed=self._not_taken_in)
        answers.on(UNFINISHED, done=lambda _, found: recovery.show_recordings(found))
        answers.on(DELETE_EXPIRED, done=lambda _, removed: page.evidence.show_playing() if removed else None)

    # files

    def ask_file(self) -> None:
        """Lets the user choose a recording or text, and first a patient if none is chosen."""
        if (not self._selection.patient and not self._patients.ask()) or self._is_gone():
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
            self._opened[path] = patient
            self._files_opened += 1
            self._workbench.intake.import_file(path, patient)

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

    def _taken_in(self, job: Job[Path, Dictation], dictation: Dictation) -> None:
        self._saved += 1
        recording = self._recorder.ended(job.subject)
        about = recording.patient if recording else self._opened.pop(job.subject, None)
        if recording and recording is self._live.recording:
            self._navigation.spoken = dictation.id
        self._workbench.dictations.load_overview()
        if not self._recovery.isHidden():
            self._workbench.intake.look_for_unfinished()
        if about is None or self._selection.is_about(about):
            self._navigation.show_dictation(dictation.id)
        else:  # the user has gone to another patient meanwhile
            what = "recording" if recording else "file"
            self._message.show_message("done", f"The {what} about {about.name} is saved.")
        self._dictations.tell_time(dictation)

    def _not_taken_in(
        self, job: Job[Path, Dictation] | Job[Path, None] | Job[Recording, None], error: WardlightError
    ) -> None:
        opened = isinstance(job.subject, Path) and self._opened.pop(job.subject, None) is not None
        self._work.show_failure(error, self._until_another_is_opened() if opened else self._until_saved_again())
        self._recorder.ended(job.subject)
        self._workbench.intake.look_for_unfinished()

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

    def _keep(self, found: Unfinished) -> None:
        """Makes a dictation of an interrupted recording, for its own patient if known, else for the chosen one."""
        patient = found.patient or self._selection.patient
        if patient:
            self._workbench.intake.keep(found.kept.folder, patient)
        elif not self._patients.ask(then=lambda: self._keep(found)):
            self._workbench.intake.look_for_unfinished()

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

    def _deaf(self, job: Job[Recording, None], _: WardlightError) -> None:
        self._live.break_off()
        self._navigation.show_what_was_spoken()
        if job.subject is self._recorder.recording:  # otherwise the filling, which comes next, transcribes it
            self._message.show_message(
                "info",
                "This recording is not transcribed while you speak.",
                "It continues, and is filled when you finish.",
                holds=lambda: self._recorder.recording is job.subject,
            )

    def _not_followed(self, _: Job[Recording, None]) -> None:
        self._work.show()
        if not self._work.closing:
            self._navigation.show_what_was_spoken()
