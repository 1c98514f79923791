"""What the window talks to: the store, the schema, the models and the jobs behind one Qt-free door.

Four lanes keep the window free, since even a small step is synced to the disk: `sound` writes what a microphone hears;
`files` copies recordings, exports and loads schemas; `sheets` reads dictations and records reviews; `models` runs the
pipeline, one dictation after the other.
"""

from __future__ import annotations

import getpass
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal

import resources
from app import paths
from app.again import twice_at_most
from app.beside import beside
from app.columns import rivals
from app.engine import Engine, LocalEngine, ModelState
from app.habits import NO_HABITS
from app.jobs import GRACE_SECONDS, Job, JobEvent, Lane, Listener, as_bug
from app.lighting import LitBy, lighting, lighting_of, lights_of
from app.live import LiveValues, LiveWords, Sound
from app.reading import read_sheet
from app.recording import Recording, State
from app.records import KEPT, Dictation, Filing, Patient, Placed, ReviewStatus
from app.schema_facts import SchemaFacts, facts_of
from app.settings import Settings, load_settings, save_settings
from app.sheet import Entry, Overview, Reviewed, Sheet, check
from extraction.calibration import Outlook
from extraction.schema import Row, Schema
from extraction.units import convert
from extraction.values import FilledValue, Value
from models.errors import Cancelled, Conflict, InputError, WardlightError, WorkerDied
from models.messages import Talk
from models.progress import Progress
from speech import journal
from speech.transcript import Transcript

if TYPE_CHECKING:
    from app.hindsight import Hindsight
    from app.pipeline import PipelineResult
    from app.store import Store

DEMONSTRATION_SCHEMA = Path(resources.__file__).parent / "schemas" / "medsurg_icu.json"
SAMPLE_DICTATION = Path(resources.__file__).parent / "dictation" / "sample.flac"
SAMPLE_PATIENT = ("Sample patient", "Bed 12", "")
TEXT_SUFFIXES = (".txt", ".text", ".md")
AUDIO_SUFFIXES = (".wav", ".flac", ".mp3", ".m4a", ".ogg", ".oga", ".opus", ".webm", ".aac", ".mp4", ".wma", ".amr")

LIT_AT_ONCE = 4  # so many dictations are lit for one overview, that no sheet has to wait for them

Decision = Literal["confirm", "reject", "reopen"]


class Task(StrEnum):
    """The `kind` of the workbench's jobs, with their `subject` and result."""

    OPEN = "open"  # None -> None: store, schema and models are known from here on
    IMPORT = "import"  # path of a file, or of a recording's folder -> Dictation, whose filling is queued
    FOLLOW = "follow"  # Recording -> None: what is said in it is written down and filled while it is spoken
    RECORD = "record"  # Recording -> None: it is on the disk whole, and its import is queued
    UNFINISHED = "unfinished"  # None -> list of Unfinished
    DISCARD = "discard"  # path of a recording's folder -> None
    LET_GO = "let go"  # None -> list of the ids of dictations whose sound was removed, as the settings say
    OVERVIEW = "overview"  # None -> Overview
    PATIENT = "patient"  # None -> Patient
    SHEET = "sheet"  # dictation id -> Sheet
    REVIEW = "review"  # dictation id -> Reviewed
    READY = "ready"  # None -> None: the models are loaded
    FILL = "fill"  # dictation id -> None: its values are in the store
    HINDSIGHT = "hindsight"  # None -> None: what the latest reviews say counts for sheets that are read from here on
    EXPORT = "export"  # dictation id -> list of paths
    FILE = "file"  # dictation id -> Filing; None where it could be filed and no folder was given
    REOPEN = "reopen"  # dictation id -> None
    SETTINGS = "settings"  # Settings -> None: saved and in force
    PROSPECT = "prospect"  # None -> Prospect
    INSTALL = "install"  # model id -> None
    EXAMINE = "examine"  # path of a schema -> SchemaFacts


@dataclass(frozen=True, slots=True)
class TranscriptReady(JobEvent):
    """The transcript of a dictation that is being filled is in the store."""

    transcript: Transcript


@dataclass(frozen=True, slots=True)
class Overheard(JobEvent):
    """What was heard, or what is proposed, in a recording that is being followed."""

    news: LiveWords | LiveValues


@dataclass(slots=True)
class _Following:
    """A recording that is followed, under which settings and for which schema, and what comes of it; without a result
    it is filled afterwards."""

    settings: Settings
    schema_version: int
    result: PipelineResult | None = None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A recording that the program's end interrupted; `patient` is None where nobody knows them any more."""

    kept: journal.Kept
    patient: Patient | None


@dataclass(frozen=True, slots=True)
class Prospect:
    """What other choices of lights mean for dictations that are filled from now on.

    Attributes:
        by: what would decide about the lights.
        outlooks: by alpha and weight; empty where nothing is calibrated.
    """

    by: LitBy
    outlooks: Mapping[tuple[float, float], Outlook]


class Workbench:
    """Everything the window can ask for.

    Args:
        listener: gets each job's events on the job's thread (see `app.jobs`), and `TranscriptReady`.
        engine: what runs the models; the real one by default.
        grace_seconds: how long a stopped job may take before its worker process is killed.

    `open` comes first; until its `JobFinished`, only `settings` and `close` may be used.
    """

    def __init__(
        self, listener: Listener, *, engine: Engine | None = None, grace_seconds: float = GRACE_SECONDS
    ) -> None:
        self._listener = listener
        self._engine = engine or LocalEngine()
        self._sound = Lane("sound", listener)
        self._files = Lane("files", listener)
        self._sheets = Lane("sheets", listener)
        self._models = Lane("models", listener, interrupt=self._engine.interrupt, grace_seconds=grace_seconds)
        self._store: Store | None = None
        self._schemas: dict[int, Schema] = {}
        self._schema: Schema | None = None
        self._schema_version = 0
        self._hindsight: Hindsight | None = None
        self._lit: dict[int, frozenset[int]] = {}  # by dictation the ids of its proposals that are lit, where known
        self.settings = Settings()
        self.models: tuple[ModelState, ...] = ()
        self.device = ""

    # opening and closing

    def open(self) -> Job:
        """Opens settings, store, schema and manifest. After a failure it may be called again."""
        return self._files.submit(Task.OPEN, lambda _: self._open())

    def _open(self) -> None:
        from app.store import Store

        self.settings = load_settings(paths.config_file())
        if self._store is None:
            self._store = Store(paths.database_file())
        self._look_at_models()
        self._use_schema(self.settings)
        self._warm_up()

    def _warm_up(self) -> None:
        """Loads here what the first review would otherwise load on the window's thread."""
        import jsonschema  # noqa: F401

        convert(1.0, "kg", "[lb_av]")

    def _look_at_models(self) -> None:
        self.models, self.device = self._engine.models(self.settings)

    def _use_schema(self, settings: Settings) -> None:
        from extraction.schema_file import parse_schema

        path = Path(settings.schema) if settings.schema else DEMONSTRATION_SCHEMA
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(
                f"The flowsheet schema {path} cannot be read: {error.strerror}.",
                "Choose another schema file in the settings.",
            ) from error
        schema = parse_schema(data, str(path))
        self._schema_version = self.store.save_schema(schema, data)
        self._schemas[self._schema_version] = schema
        self._schema = schema

    def close(self) -> None:
        """Stops running jobs and closes everything; blocks until it is done. Nothing saved is lost."""
        self._sound.close()
        self._models.close()
        self._engine.interrupt()
        self._sheets.close()
        self._files.close()
        if self._store is not None:
            self._store.close()
            self._store = None

    # what is there

    @property
    def ready(self) -> bool:
        """Whether dictations can be opened and filled."""
        return self._store is not None and self._schema is not None

    @property
    def store(self) -> Store:
        assert self._store is not None, "open first"
        return self._store

    @property
    def schema(self) -> Schema:
        assert self._schema is not None, "open first"
        return self._schema

    @property
    def reviewer(self) -> str:
        """In whose name reviews are recorded: the settings' reviewer, or the user of this computer."""
        return self.settings.reviewer or self.computer_user

    @property
    def _collect(self) -> bool:
        return self.settings.collect_examples

    @property
    def computer_user(self) -> str:
        return getpass.getuser()

    def chosen_model(self, role: str) -> ModelState | None:
        """The model that the settings choose for a role; None while the manifest is not read."""
        wanted = getattr(self.settings, f"{role}_model")
        fitting = [model for model in self.models if model.role == role]
        return next((model for model in fitting if model.id == wanted or (not wanted and model.default)), None)

    def _model_ids(self) -> dict[str, str]:
        """The ids of the models that decide how values are weighed, by role."""
        return {role: model.id for role in ("filler", "embedder") if (model := self.chosen_model(role))}

    def look_up(self) -> Job:
        """Reads which patients and dictations there are."""
        return self._sheets.submit(Task.OVERVIEW, lambda _: self._overview())

    def _overview(self) -> Overview:
        patients = {patient.id: patient for patient in self.store.patients()}
        encounters = self.store.patient_of_encounters()
        proposals, filed = self.store.open_proposals(), self.store.filed()
        entries, budget = [], LIT_AT_ONCE
        for dictation in self.store.dictations():
            left = proposals.get(dictation.id, frozenset())
            if left and dictation.status == "filled" and dictation.id not in self._lit and budget:
                self._know_lit(dictation.id)
                budget -= 1
            known = self._lit.get(dictation.id)
            lit = len(left & known) if known is not None else None if left else 0
            patient = patients[encounters[dictation.encounter_id]]
            entries.append(Entry(dictation, patient, len(left), lit, dictation.id in filed))
        partial = any(entry.lit is None and entry.dictation.status == "filled" for entry in entries)
        return Overview(tuple(patients.values()), tuple(entries), partial)

    def _know_lit(self, dictation_id: int) -> None:
        with self.store.one_moment():  # what it is filled with anew meanwhile is stored, and this forgotten, afterwards
            self._lit[dictation_id] = frozenset()
            with suppress(WardlightError):  # said when it is opened; the list must show the others all the same
                dictation = self.store.dictation(dictation_id)
                values, schema = self.store.values(dictation_id), self.schema_of(dictation)
                chosen = lighting_of(self.settings, schema, dictation.run)
                self._lit[dictation_id] = frozenset(lights_of(values, schema, chosen, dictation.run))

    def add_patient(self, name: str, bed: str, mrn: str) -> Job:
        """The patient with exactly this identity, new if there is none yet."""

        def work(job: Job) -> Patient:
            return self.store.find_patient(name, bed, mrn) or self.store.add_patient(name, bed, mrn)

        return self._sheets.submit(Task.PATIENT, work)

    def job_of(self, dictation_id: int) -> Job | None:
        """The running or waiting filling of a dictation."""
        return next((job for job in self._models.jobs if job.kind == Task.FILL and job.subject == dictation_id), None)

    @property
    def jobs(self) -> tuple[Job, ...]:
        """The jobs of the models that somebody asked for, the running one first."""
        return tuple(job for job in self._models.jobs if job.kind != Task.READY)

    def get_ready(self) -> None:
        """Loads the models while nobody waits for them, where recordings can be followed."""
        schema, settings = self.schema, self.settings

        def work(job: Job) -> None:
            def wanted() -> bool:
                """Whether somebody waits, who then need not wait for all of them."""
                return job.is_cancelled() or bool(self.jobs)

            with suppress(Cancelled):
                self._engine.get_ready(schema, settings=settings, cancelled=wanted)

        if self._can_follow:
            self._models.submit(Task.READY, work)

    # recordings and texts

    def import_file(self, path: Path, patient: Patient) -> Job:
        """Copies a recording or text into the store and queues its filling."""
        return self._files.submit(Task.IMPORT, lambda _: self._import(path, patient), path)

    def _import(self, path: Path, patient: Patient, following: _Following | None = None) -> Dictation:
        kind = kind_of(path)
        if kind == "text":
            from speech.text_file import read_text

            read_text(path)  # refuses what cannot be used before it becomes a dictation
        encounter = self.store.open_encounter(patient.id)
        dictation = self.store.add_dictation(encounter.id, path, kind, self._schema_version)
        self._queue_filling(dictation.id, following)
        return dictation

    # recordings from the microphone

    def record(self, patient: Patient) -> Recording:
        """Begins a recording about a patient, which waits for its `take`; `finish` hands it on as if it were opened."""
        recording = Recording(paths.unfinished_dir(), patient, schema_id=self.schema.id, reviewer=self.reviewer)
        following = self._follow(recording, patient) if self._can_follow else None

        def work(job: Job) -> None:
            self._keep(recording.write(job.is_cancelled), patient, following)

        self._sound.submit(Task.RECORD, work, recording)
        return recording

    @property
    def _can_follow(self) -> bool:
        chosen = [self.chosen_model(role) for role in ("speech", "filler", "embedder")]
        wanted = self.settings.while_recording != "nothing" and self.settings.fills_speech
        return wanted and all(model and model.status == "installed" for model in chosen)

    def _follow(self, recording: Recording, patient: Patient) -> _Following:
        """Has a recording followed as soon as the models are free. Whatever happens to that, the recording goes on."""
        following = _Following(self.settings, self._schema_version)
        schema, sound = self.schema, SimpleQueue[Sound]()
        recording.follower = sound

        def work(job: Job) -> None:
            try:
                if recording.state is not State.FINISHING:  # else the models were busy all the time
                    following.result = self._engine.follow(
                        schema,
                        Talk(sound, lambda news: self._listener(Overheard(job, news))),
                        settings=following.settings,
                        beside=beside(self.store, self.store.open_encounter(patient.id).id, schema),
                        to_the_end=following.settings.while_recording == "keep",  # else it is read with more care then
                        progress=job.report,
                        cancelled=job.is_cancelled,
                    )
            finally:
                recording.follower = None

        self._models.submit(Task.FOLLOW, work, recording)
        return following

    def keep(self, folder: Path, patient: Patient) -> Job:
        """Takes in a recording that is not being written any more, and queues its filling."""
        return self._keep(folder, patient, None)

    def _keep(self, folder: Path, patient: Patient, following: _Following | None) -> Job:
        def work(job: Job) -> Dictation:
            dictation = self._import(journal.finish(folder), patient, following)
            journal.discard(folder)
            return dictation

        return self._files.submit(Task.IMPORT, work, folder)

    def discard(self, folder: Path) -> Job:
        """Removes a recording that was never taken in, for good."""
        return self._files.submit(Task.DISCARD, lambda _: journal.discard(folder), folder)

    def look_for_unfinished(self) -> Job:
        """Finds the recordings that neither became a dictation nor were discarded, oldest first."""
        return self._files.submit(Task.UNFINISHED, lambda _: self._unfinished())

    def _unfinished(self) -> list[Unfinished]:
        patients = {patient.id: patient for patient in self.store.patients()}
        everything = journal.unfinished(paths.unfinished_dir())
        # asked after the folders, so that none of them can have begun or ended in between
        busy = {job.subject.folder for job in self._sound.jobs} | {job.subject for job in self._files.jobs}
        found = []
        for kept in everything:
            if kept.folder in busy:
                continue
            if kept.too_short or self._is_taken_in(kept):
                journal.discard(kept.folder)
            else:
                found.append(Unfinished(kept, patients.get(kept.head.patient_id)))
        return found

    def _is_taken_in(self, kept: journal.Kept) -> bool:
        """Whether the program ended just after this recording had become a dictation."""
        return kept.wave.exists() and self.store.has_copy_of(kept.wave)

    def let_go(self, shown: int | None = None) -> Job:
        """Removes the sound that the settings no longer allow to keep; a dictation that is `shown` may keep its own."""

        def work(job: Job) -> list[int]:
            from app.retention import let_go

            return let_go(self.store, self.settings, datetime.now(UTC), shown=shown)

        return self._sheets.submit(Task.LET_GO, work)

    def fill(self, dictation_id: int) -> Job:
        """Runs the pipeline on a dictation, from the transcript on where the store has one already; once more when the
        inference process died."""
        return self._queue_filling(dictation_id, None)

    def _queue_filling(self, dictation_id: int, following: _Following | None) -> Job:
        def work(job: Job) -> None:
            # its turn comes after that of the following, which was queued when the recording began
            if not (following and self._take_over(job, dictation_id, following)):
                self._fill(job, dictation_id)

        return self.job_of(dictation_id) or self._models.submit(Task.FILL, work, dictation_id)

    def _take_over(self, job: Job, dictation_id: int, following: _Following) -> bool:
        """Stores what came of following a recording; False where its values are still to come: nothing came of it, or
        they are to be read with more care."""
        result, dictation = following.result, self.store.dictation(dictation_id)
        same = (self.settings, dictation.schema_version_id) == (following.settings, following.schema_version)
        if result is None or not same:
            return False
        if self.settings.while_recording != "keep":
            self._save_transcript(job, dictation_id, result.transcript)
            return False
        self.store.save_transcript(dictation_id, result.transcript)
        self.store.save_result(dictation_id, result.values, result.run_info())
        return True

    def _save_transcript(self, job: Job, dictation_id: int, transcript: Transcript) -> None:
        self.store.save_transcript(dictation_id, transcript)
        self._listener(TranscriptReady(job, transcript))

    def _fill(self, job: Job, dictation_id: int) -> None:
        dictation = self.store.dictation(dictation_id)
        schema = self.schema_of(dictation)
        known = beside(self.store, dictation.encounter_id, schema, dictation.created_at)

        def run() -> PipelineResult:
            return self._engine.run(
                dictation.path,
                dictation.kind,
                schema,
                settings=self.settings,
                beside=known,
                transcript=self.store.transcript(dictation_id),
                on_transcript=lambda transcript: self._save_transcript(job, dictation_id, transcript),
                progress=job.report,
                cancelled=job.is_cancelled,
            )

        def died(error: WorkerDied) -> None:
            if job.is_cancelled():
                raise error
            job.report(Progress("load", None, "the inference process ended and is started again"))

        try:
            # a queue goes on through the night; what kills the process twice is a person's to see
            result = twice_at_most(run, died)
        except Cancelled:
            raise
        except Exception as error:
            if not job.is_cancelled():
                self.store.fail(dictation_id, str(as_bug(error)))
            raise
        self.store.save_result(dictation_id, result.values, result.run_info())
        self._lit.pop(dictation_id, None)

    def schema_of(self, dictation: Dictation) -> Schema:
        """The version of the schema the dictation is filled with, which a later change of schema leaves alone."""
        version = dictation.schema_version_id
        if version not in self._schemas:
            from extraction.schema_file import parse_schema

            self._schemas[version] = parse_schema(self.store.schema_bytes(version), f"schema version {version}")
        return self._schemas[version]

    def load_sheet(self, dictation_id: int) -> Job:
        """Reads a dictation with its transcript and values, as a job."""
        return self._sheets.submit(Task.SHEET, lambda _: self.sheet(dictation_id), dictation_id)

    def sheet(self, dictation_id: int) -> Sheet:
        sheet = read_sheet(self.store, dictation_id, self.schema_of)
        run, hindsight = sheet.dictation.run, self._hindsight_of(sheet.dictation)
        chosen = lighting_of(self.settings, sheet.schema, run)
        habits = hindsight.habits if hindsight else NO_HABITS
        return replace(sheet, lighting=chosen, lights=lights_of(sheet.values, sheet.schema, chosen, run, habits))

    # what the latest reviews say; it is worked out ahead, so that no sheet has to wait for it

    def look_back(self) -> Job:
        """Works out what the latest reviews say, where reviews are collected."""
        return self._sheets.submit(Task.HINDSIGHT, lambda _: self._look_back())

    def _look_back(self) -> None:
        if not (self.ready and self._collect):
            self._hindsight = None
            return
        from app.hindsight import look_back

        chosen = lighting_of(self.settings, self.schema, {"models": self._model_ids()})
        self._hindsight = look_back(self.store, self.schema, chosen)

    def _hindsight_of(self, dictation: Dictation) -> Hindsight | None:
        """What the latest reviews say of values that were weighed as this dictation's; None where it is not known."""
        known = self._hindsight
        return known if known and known.weighed_by == dictation.run.get("weighed_by", "") else None

    def drifted(self, sheet: Sheet) -> bool:
        """Whether the latest reviews contradict what is promised for a sheet."""
        hindsight = self._hindsight_of(sheet.dictation)
        return hindsight is not None and hindsight.drifted

    # review: each call is a job and one step of undo; what it entered is checked before it is queued

    def review(self, sheet: Sheet, value_ids: Iterable[int], action: Decision) -> Job:
        """Records the same decision about values of a sheet; fails where another value stands in the place of one."""
        ids = list(value_ids)
        return self._step(sheet, lambda: self.store.review_many(ids, action, self.reviewer, collect=self._collect))

    def accept_rest(self, sheet: Sheet, value_ids: Iterable[int]) -> Job:
        """Confirms those of the values that can still be accepted together when their turn has come (see `confident`).

        What was decided meanwhile is left alone.
        """
        seen, dictation_id = set(value_ids), sheet.dictation.id

        def accept() -> None:
            ids = [value_id for value_id in self.confident(self.sheet(dictation_id)) if value_id in seen]
            self.store.review_many(ids, "confirm", self.reviewer, collect=self._collect)

        return self._step(sheet, accept)

    def put_in_place(self, sheet: Sheet, value_id: int) -> Job:
        """Confirms a value of a sheet, and puts it in the place of what else stands there; both stay on record."""
        return self._step(
            sheet,
            lambda: self.store.review(value_id, "confirm", self.reviewer, collect=self._collect, replacing=True),
        )

    def edit(
        self,
        sheet: Sheet,
        value_id: int,
        value: Value,
        unit: str | None,
        observed_at: str | None = KEPT,
        *,
        replacing: bool = False,
    ) -> Job:
        """Replaces a value, and unless it is kept the time of observation, by what a person entered; with `replacing`
        also what else stands in its place.

        Raises InputError when it cannot be of the row's type, Conflict without `replacing` when something else stands.
        """
        former = next(item for item in sheet.values if item.id == value_id)
        row = sheet.schema.row(former.row_id)
        kept, kept_unit, _ = check(row, value, unit)
        moved = observed_at not in (KEPT, former.observed_at)  # then the store knows what stands there
        others = [] if moved else [other.value for other in sheet.conflicts.get(value_id, ())]
        if not replacing and any((other.value, other.unit) != (kept, kept_unit) for other in others):
            raise Conflict(
                f"The chart has another value of {row.name} at this time.", "Keep it, or put yours in its place."
            )

        def decide() -> None:
            self.store.review(
                value_id,
                "edit",
                self.reviewer,
                kept,
                kept_unit,
                observed_at=observed_at,
                collect=self._collect,
                replacing=replacing,
            )

        return self._step(sheet, decide)

    def add(self, sheet: Sheet, row: Row, value: Value, unit: str | None) -> Job:
        """Adds a value for a row by hand. Raises InputError when it cannot be of the row's type."""
        kept, kept_unit, _ = check(row, value, unit)
        dictation_id = sheet.dictation.id
        return self._step(
            sheet,
            lambda: self.store.add_value(dictation_id, row.id, kept, kept_unit, self.reviewer, collect=self._collect),
        )

    def take(self, sheet: Sheet, held_back: FilledValue) -> Job:
        """Takes a value of `sheet.maybe` into the flowsheet, confirmed.

        Raises InputError when it cannot be of the row's type.
        """
        # it is in the row's own unit already
        kept, kept_unit, _ = check(sheet.schema.row(held_back.row_id), held_back.value, None)
        filled, dictation_id = replace(held_back, value=kept, unit=kept_unit), sheet.dictation.id
        return self._step(
            sheet, lambda: self.store.take_value(dictation_id, filled, self.reviewer, collect=self._collect)
        )

    def undo(self, sheet: Sheet) -> Job:
        """Takes back the last step."""
        return self._step(sheet, lambda: self.store.undo(sheet.dictation.id, self.reviewer))

    def _step(self, sheet: Sheet, step: Callable[[], object]) -> Job:
        dictation_id = sheet.dictation.id

        def work(job: Job) -> Reviewed:
            step()
            with self.store.one_moment():
                values, conflicts = tuple(self.store.values(dictation_id)), self.store.conflicts(dictation_id)
                return Reviewed(dictation_id, values, self.store.can_undo(dictation_id), conflicts)

        return self._sheets.submit(Task.REVIEW, work, dictation_id)

    def confident(self, sheet: Sheet) -> list[int]:
        """Ids of the proposals that can be accepted together: neither lit nor with a problem, and alone in their place
        in the chart."""
        reasons = sheet.reasons
        apart = rivals(Placed.of(value, sheet.dictation) for value in sheet.values)
        return [
            value.id
            for value in sheet.values
            if value.status is ReviewStatus.PROPOSED
            and value.filled
            and value.id not in reasons
            and value.id not in sheet.conflicts
            and value.id not in apart
            and not value.filled.problems
        ]

    # export, settings, models

    def export(self, sheet: Sheet, folder: Path, formats: Sequence[str]) -> Job:
        """Writes the confirmed, edited and added values into files in `folder`."""

        def work(job: Job) -> list[Path]:
            from app.export import export

            return export(self.store, sheet.dictation.id, sheet.schema, folder, formats=tuple(formats))

        return self._files.submit(Task.EXPORT, work, sheet.dictation.id)

    def file(self, sheet: Sheet, folder: Path | None, formats: Sequence[str] = ()) -> Job:
        """Files a sheet, after the steps of review that were asked for before: see `app.filing`.

        Without a folder it only fails where the sheet cannot be filed yet.
        """

        def work(job: Job) -> Filing | None:
            from app.filing import file_dictation, refuse_unreviewed

            now = self.sheet(sheet.dictation.id)
            if folder is None:
                refuse_unreviewed(now)
                return None
            return file_dictation(self.store, now, self.reviewer, folder, formats)

        return self._sheets.submit(Task.FILE, work, sheet.dictation.id)

    def reopen(self, sheet: Sheet) -> Job:
        """Lets a filed sheet be reviewed again; its files stay."""
        dictation_id = sheet.dictation.id
        return self._sheets.submit(Task.REOPEN, lambda _: self.store.reopen(dictation_id, self.reviewer), dictation_id)

    def apply(self, settings: Settings) -> Job:
        """Puts settings into force for what is done from now on, and saves them, unless their schema is not valid."""

        def work(job: Job) -> None:
            if self._schema is None or settings.schema != self.settings.schema:
                self._use_schema(settings)
            save_settings(settings, paths.config_file())
            self.settings = settings
            self._hindsight = None
            self._lit.clear()
            self._look_at_models()

        return self._files.submit(Task.SETTINGS, work, settings)

    def foresee(self, alphas: Sequence[float], weights: Sequence[float]) -> Job:
        """Works out what to expect of each choice of alpha and weight."""
        choices = [(alpha, weight) for weight in weights for alpha in alphas]

        def work(job: Job) -> Prospect:
            chosen = lighting(self.settings, self.schema, self._model_ids())
            outlooks = {choice: outlook for choice in choices if (outlook := chosen.outlook(*choice))}
            return Prospect(chosen.decides(chosen.weighed_by), outlooks)

        return self._files.submit(Task.PROSPECT, work)

    def install(self, model_id: str, source: Path | None) -> Job:
        """Installs a model from a folder or stick, or from where the manifest says when `source` is None."""

        def work(job: Job) -> None:
            try:
                self._engine.install(model_id, source, job.report, job.is_cancelled)
            finally:
                self._look_at_models()  # what was brought so far counts, too

        return self._models.submit(Task.INSTALL, work, model_id)

    def examine(self, path: Path) -> Job:
        """Checks a schema file and sums up what it holds, without putting it into force."""

        def work(job: Job) -> SchemaFacts:
            from extraction.schema_file import load_schema

            return facts_of(load_schema(path))

        return self._files.submit(Task.EXAMINE, work, path)


def kind_of(path: Path) -> str:
    """`audio` or `text`, by the file's name and readability; InputError for anything else."""
    if not path.is_file():
        raise InputError(f"There is no file {path.name} any more.", "Choose the recording again.")
    suffix = path.suffix.lower()
    if suffix in TEXT_SUFFIXES:
        return "text"
    if suffix in AUDIO_SUFFIXES:
        return "audio"
    raise InputError(
        f"{path.name} is neither a recording nor a text that Wardlight can read.",
        "Choose an audio file (for example .wav, .mp3 or .m4a) or a text file (.txt).",
    )
