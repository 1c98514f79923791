"""Takes in and fills dictations: files that are opened, and recordings from the microphone.

If all models are installed, a recording is followed while it is made; the result is either used or read again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from app.chart.dictation_identity import SpokenAnswer, quoted
from app.chart.recording_time import OPENED, file_time
from app.chart.records import Dictation, Patient
from app.inference.live_events import LiveValues, LiveWords, Sound
from app.inference.retry import retry_once
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import AnyJob, Job
from app.services.intake.encounter_context import encounter_context
from app.services.intake.file_kinds import kind_of, refuse_unusable, text_of
from app.services.intake.jobs import (
    DELETE_EXPIRED,
    DISCARD,
    FILL,
    FOLLOW,
    IMPORT,
    RECORD,
    UNFINISHED,
    Overheard,
    TranscriptReady,
    Unfinished,
    ValuesRead,
)
from app.services.intake.live_identity import LiveIdentityCheck
from app.services.intake.recording import Recording, RecordingState
from app.system import paths
from app.system.settings import Settings
from models.base.errors import Cancelled, InputError, WardlightError, as_bug
from models.base.progress import Progress, ProgressMonitor
from models.errors import WorkerDied
from models.process.messages import Channel
from speech import recording_journal
from speech.transcript import Transcript

if TYPE_CHECKING:
    from app.pipeline import PipelineResult


@dataclass(slots=True)
class _Following:
    """A recording that is being followed: its settings, schema and encounter, and the result.

    Without a result, the dictation is filled afterwards.
    """

    settings: Settings
    schema_version: int
    encounter_id: int | None = None
    job: Job[Recording, None] | None = None
    result: PipelineResult | None = None


class IntakeService:
    """Takes in dictations and fills them one after the other."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._follows: dict[int, Job[Recording, None]] = {}  # by dictation id, the job that follows its recording

    def import_file(self, path: Path, patient: Patient) -> Job[Path, Dictation]:
        """Copies a recording or text into the store and queues its filling."""

        def work(job: Job[Path, Dictation]) -> Dictation:
            said = refuse_unusable(path, self._workspace.engine)
            made = file_time(path, said, self._workspace.store.now())
            at, source = (made.at, made.source) if made else (None, OPENED)
            return self._import(path, patient, made_at=at, time_source=source)

        return self._workspace.files.submit(IMPORT, path, work)

    def _import(
        self,
        path: Path,
        patient: Patient,
        following: _Following | None = None,
        made_at: datetime | None = None,
        whose: SpokenAnswer | None = None,
        time_source: str = "",
    ) -> Dictation:
        encounter = self._workspace.store.encounters.open(patient.id)
        dictation = self._workspace.store.dictations.add(
            encounter.id, path, kind_of(path), self._workspace.schema_version, made_at, time_source
        )
        if dictation.kind == "text":  # it is there to be read before its turn comes
            self._workspace.store.transcripts.save(dictation.id, text_of(dictation.path))
        if whose:
            self._carry_over(dictation.id, patient, whose)
        self._queue_filling(dictation.id, following)
        return self._workspace.store.dictations.one(dictation.id)

    def _carry_over(self, dictation_id: int, patient: Patient, whose: SpokenAnswer) -> None:
        """Stores the answer given during the recording about whose it is; if that is refused, the question is open."""
        store = self._workspace.store
        with suppress(InputError):
            if whose.patient.id == patient.id:
                store.identity_answers.confirm(dictation_id, patient.id, whose.called, whose.reviewer)
            else:
                said = quoted(sorted(whose.called))
                store.dictations.move(
                    dictation_id, whose.patient.id, whose.reviewer, f"{said} was said in the recording"
                )

    # recordings from the microphone

    def record(self, patient: Patient) -> Recording:
        """Begins a recording of a patient, which gets its sound through `take`; after `finish` it is imported."""
        recording = Recording(
            paths.unfinished_dir(), patient, schema=self._workspace.schema, reviewer=self._workspace.signing.name
        )
        following = self._follow(recording, patient) if self._workspace.can_follow else None

        def work(job: Job[Recording, None]) -> None:
            try:
                folder = recording.write(job.is_cancelled)
            except BaseException:
                if following and following.job:
                    following.job.cancel()  # it would wait for the end of the recording and block the lane
                raise
            self._keep(folder, patient, following, recording)

        self._workspace.sound.submit(RECORD, recording, work)
        return recording

    def _follow(self, recording: Recording, patient: Patient) -> _Following:
        """Follows a recording as soon as the models are free. Whatever happens to that job, the recording continues."""
        following = _Following(self._workspace.settings, self._workspace.schema_version)
        schema, sound = recording.schema, SimpleQueue[Sound]()
        recording.follower = sound

        def work(job: Job[Recording, None]) -> None:
            try:
                if recording.state is not RecordingState.FINISHING:  # otherwise the models were busy throughout
                    following.encounter_id = self._workspace.store.encounters.open(patient.id).id
                    overhearing = LiveIdentityCheck(patient, self._workspace.store.patients.present())

                    def tell(news: LiveWords | LiveValues) -> None:
                        self._workspace.listener(Overheard(job, news, overhearing.take(news)))

                    following.result = self._workspace.engine.follow(
                        schema,
                        Channel(sound, tell),
                        settings=following.settings,
                        context=encounter_context(self._workspace.store, following.encounter_id, schema),
                        to_the_end=following.settings.while_recording == "keep",  # otherwise it is read again
                        monitor=ProgressMonitor(job.report, job.is_cancelled),
                    )
            finally:
                recording.follower = None

        following.job = self._workspace.filling.submit(FOLLOW, recording, work)
        return following

    def keep(self, folder: Path, patient: Patient) -> Job[Path, Dictation]:
        """Imports a recording that is no longer being written, and queues its filling."""
        return self._keep(folder, patient, None)

    def _keep(
        self, folder: Path, patient: Patient, following: _Following | None, recording: Recording | None = None
    ) -> Job[Path, Dictation]:
        def work(job: Job[Path, Dictation]) -> Dictation:
            made_at = min(recording_journal.read(folder).ended_at, datetime.now(UTC))
            whose = recording.whose if recording else None
            dictation = self._import(recording_journal.finish(folder), patient, following, made_at, whose)
            recording_journal.discard(folder)
            return dictation

        return self._workspace.files.submit(IMPORT, folder, work)

    def discard(self, folder: Path) -> Job[Path, None]:
        """Deletes a recording that was never imported, for good."""
        return self._workspace.files.submit(DISCARD, folder, lambda _: recording_journal.discard(folder))

    def look_for_unfinished(self) -> Job[None, list[Unfinished]]:
        """Finds the recordings that were neither imported nor discarded, oldest first."""
        return self._workspace.files.submit(UNFINISHED, None, lambda _: self._unfinished())

    def _unfinished(self) -> list[Unfinished]:
        patients = {patient.id: patient for patient in self._workspace.store.patients.all()}
        everything = recording_journal.unfinished(paths.unfinished_dir())
        # read after the folders, so that no recording can begin or end unnoticed in between
        recorded = {job.subject.head for job in self._workspace.sound.jobs}
        busy = {job.subject for job in self._workspace.files.jobs}
        found = []
        for kept in everything:
            if kept.head in recorded or kept.folder in busy:
                continue
            if kept.too_short or self._is_taken_in(kept):
                recording_journal.discard(kept.folder)
            else:
                found.append(Unfinished(kept, patients.get(kept.head.patient_id)))
        return found

    def _is_taken_in(self, kept: recording_journal.Kept) -> bool:
        """Whether the program ended just after this recording was imported."""
        return kept.wave.exists() and self._workspace.store.dictations.has_copy_of(kept.wave)

    def delete_expired(self, shown: int | None = None) -> Job[None, list[int]]:
        """Removes audio and deleted dictations, see `app.services.intake.audio_retention.delete_expired`."""

        def work(job: Job[None, list[int]]) -> list[int]:
            from app.services.intake.audio_retention import delete_expired

            workspace = self._workspace
            removed = delete_expired(workspace.store, workspace.settings, datetime.now(UTC), shown=shown)
            if removed:
                workspace.forget_texts()
            return removed

        return self._workspace.sheets.submit(DELETE_EXPIRED, None, work)

    def fill(self, dictation_id: int) -> Job[int, None]:
        """Runs the pipeline on a dictation, starting from the stored transcript if there is one.

        Runs it once more if the inference process dies.
        """
        return self._queue_filling(dictation_id, None)

    def _queue_filling(self, dictation_id: int, following: _Following | None) -> Job[int, None]:
        def work(job: Job[int, None]) -> None:
            self._follows.pop(dictation_id, None)
            # the job that followed the recording is done: it was queued earlier, when the recording began
            if not (following and self._take_over(job, dictation_id, following)):
                self._fill(job, dictation_id)

        if following and following.job:
            self._follows[dictation_id] = following.job
        return self.job_of(dictation_id) or self._workspace.filling.submit(FILL, dictation_id, work)

    def _take_over(self, job: Job[int, None], dictation_id: int, following: _Following) -> bool:
        """Stores the result of following a recording; returns False if the dictation must still be filled.

        It must if there is no result, if settings, schema or patient have changed, or if it is to be read with more
        care.
        """
        result, dictation = following.result, self._workspace.store.dictations.one(dictation_id)
        now = (self._workspace.settings, dictation.schema_version_id)
        if result is None or now != (following.settings, following.schema_version):
            return False
        moved = dictation.encounter_id != following.encounter_id  # then the words are the same, but not the values
        if self._workspace.settings.while_recording != "keep" or moved:
            self._save_transcript(job, dictation_id, result.transcript)
            return False
        self._workspace.store.transcripts.save(dictation_id, result.transcript)
        self._keep_run(dictation, result)
        return True

    def _keep_run(self, dictation: Dictation, result: PipelineResult) -> None:
        encounter = dictation.encounter_id
        self._workspace.store.runs.save(dictation.id, result.proposed, result.record, encounter_id=encounter)

    def _save_transcript(self, job: Job[int, None], dictation_id: int, transcript: Transcript) -> None:
        self._workspace.store.transcripts.save(dictation_id, transcript)
        self._workspace.listener(TranscriptReady(job, transcript))

    def _fill(self, job: Job[int, None], dictation_id: int) -> None:
        dictation = self._workspace.store.dictations.one(dictation_id)
        schema = self._workspace.schema_of(dictation)
        known = encounter_context(self._workspace.store, dictation.encounter_id, schema, dictation.created_at)

        def tell(values: LiveValues) -> None:
            self._workspace.listener(ValuesRead(job, values))

        attempts = 0

        def run() -> PipelineResult:
            nonlocal attempts
            attempts += 1
            return self._workspace.engine.run(
                dictation.path,
                dictation.kind,
                schema,
                settings=self._workspace.settings,
                context=known,
                transcript=self._workspace.store.transcripts.of(dictation_id),
                on_transcript=lambda transcript: self._save_transcript(job, dictation_id, transcript),
                on_values=tell if attempts == 1 else None,  # without it the transcript is kept whatever dies
                monitor=ProgressMonitor(job.report, job.is_cancelled),
            )

        def died(error: WorkerDied) -> None:
            if job.is_cancelled():
                raise error
            job.report(Progress("load", None, "restarting the models"))

        try:
            # a queue may run overnight without anybody; a dictation that kills the process twice needs a person
            result = retry_once(run, died)
        except Cancelled:
            raise
        except Exception as error:
            plain = _in_its_name(as_bug(error), dictation)
            if not job.is_cancelled():
                self._workspace.store.dictations.fail(dictation_id, str(plain))
            if plain is error:
                raise
            raise plain from error
        self._keep_run(dictation, result)
        self._workspace.to_check.forget(dictation_id)

    def job_of(self, dictation_id: int) -> Job[int, None] | None:
        """The running or waiting filling of a dictation."""
        return next(
            (job for job in self._workspace.filling.jobs if job.kind == FILL and job.subject == dictation_id),
            None,
        )

    def stop(self, job: AnyJob) -> None:
        """Stops a job of the models; for the filling of a recording, also the job that still follows it."""
        job.cancel()
        if following := self._follows.pop(job.subject, None):
            following.cancel()

    def waits(self, job: AnyJob) -> bool:
        """Whether a job of the models waits for other work; the job that follows its own recording does not count."""
        running = next(iter(self._workspace.jobs), job)
        return running is not job and running is not self._follows.get(job.subject)


def _in_its_name(error: WardlightError, dictation: Dictation) -> WardlightError:
    """The error, with the name of the store's copy replaced by that of the dictation."""
    named = {text: text.replace(dictation.path.name, dictation.name) for text in (error.what, error.next_step)}
    if all(text == plain for text, plain in named.items()):
        return error
    return error.reworded(named[error.what], named[error.next_step])
