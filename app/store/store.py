"""What the program asks of its database."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self, get_args

from app.chart.records import (
    ACCEPTED,
    KEPT,
    Dictation,
    DictationEvent,
    Filing,
    IdentityAnswer,
    Placed,
    ReviewedValue,
    ReviewStatus,
    SchemaVersion,
    TimeChange,
)
from app.chart.run_record import RunRecord
from app.store import chart, codec, dictations, identity, patients
from app.store.codec import encode_filled, encode_run, encode_value, plain
from app.store.database import Database
from app.store.patients import PatientRecords
from app.store.recordings import Recordings
from app.store.reviews import (
    Action,
    Decision,
    decide,
    encounter_of,
    insert_value,
    last_standing_step,
    now,
    stamp,
    undo_step,
    write_step,
)
from app.store.signers import Signers
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.schema import Schema, file_sha256
from extraction.flowsheet.values import FilledValue, Value
from models.errors import InputError
from speech.transcript import Transcript

_WITHIN: Mapping[int, Outside] = MappingProxyType({})  # no value was confirmed outside of a range
_PAGE = 50  # dictations that are read at once where not all are wanted


class Store(PatientRecords):
    """Everything that must survive. What a method announces by returning is committed and synced to the disk.

    Args:
        path: the database file, created where it does not exist.
        recordings: the folder for copies of recordings; beside the database by default.

    Raises:
        StorageError: the database is in use, damaged, not ours, or of a newer version; it is left as it is.
        ResourceError: also by every writing method, for a full disk or a missing permission; nothing is changed then.
        InputError: also by every method, for an id that does not exist.

    Any thread may call any method.
    """

    def __init__(self, path: Path, *, recordings: Path | None = None) -> None:
        self._database = Database(path)
        try:
            with self._database.write() as db:
                patients.claim(db)
            self._recordings = Recordings(recordings or self._database.path.parent / "recordings")
            self._recordings.clean(self._has_file)
        except BaseException:
            self._database.close()
            raise
        self.signers = Signers(self._database)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database and lets another program open it."""
        self._database.close()

    def now(self) -> datetime:
        """The time that is written to what is stored now."""
        return datetime.fromisoformat(now())

    # schemas

    def save_schema(self, schema: Schema, source_bytes: bytes) -> int:
        """The id of this version of a schema, which is kept once however often it is saved.

        Raises ValueError when the bytes are not those that the schema was read from.
        """
        if schema.sha256 != file_sha256(source_bytes):
            raise ValueError(f"the bytes are not those of schema {schema.id!r}")
        with self._database.write() as db:
            for row in db.query("SELECT id FROM schema_versions WHERE sha256 = ?", [schema.sha256]):
                return int(row["id"])
            record = {
                "schema_id": schema.id,
                "name": schema.name,
                "version": schema.version,
                "sha256": schema.sha256,
                "bytes": source_bytes,
                "created_at": now(),
            }
            return int(db["schema_versions"].insert(record).last_pk)

    def schema_version(self, schema_version_id: int) -> SchemaVersion:
        return codec.schema_version(self._row("schema_versions", schema_version_id, "version of a schema"))

    def schema_bytes(self, schema_version_id: int) -> bytes:
        """The schema's file as it was when it was saved."""
        return bytes(self._row("schema_versions", schema_version_id, "version of a schema")["bytes"])

    # dictations

    def add_dictation(
        self,
        encounter_id: int,
        source: Path,
        kind: str,
        schema_version_id: int,
        made_at: datetime | None = None,
        time_source: str = "",
    ) -> Dictation:
        """Copies a recording (`audio`) or a text (`text`) into the store; the source is only read. Its values are of
        the time at which it was `made_at`, now where nobody knows; `time_source` is what says so, see
        `app.chart.recording_time`.

        Raises InputError when it cannot be read.
        """
        self.encounter(encounter_id)
        self.schema_version(schema_version_id)
        copy = self._recordings.copy(source)
        try:
            with self._database.write() as db:
                record = {
                    "encounter_id": encounter_id,
                    "schema_version_id": schema_version_id,
                    "kind": kind,
                    "file": copy.name,
                    "original_name": plain(source.name),
                    "sha256": copy.sha256,
                    "size": copy.size,
                    "status": "recorded",
                    "error": "",
                    "run": "{}",
                    "created_at": stamp(made_at) if made_at else now(),
                    "time_source": time_source,
                }
                dictation_id = int(db["dictations"].insert(record).last_pk)
        finally:
            # asks the database, because an interruption may come just after the commit
            self._recordings.settle(copy.name, kept=self._has_file(copy.name))
        return self.dictation(dictation_id)

    def change_time(self, dictation_id: int, made_at: datetime, reviewer: str) -> Dictation:
        """Gives a dictation another time, see `app.store.dictations.change_time`."""
        with self._database.write() as db:
            dictations.change_time(db, dictation_id, stamp(made_at), reviewer)
        return self.dictation(dictation_id)

    def times(self, dictation_id: int) -> list[TimeChange]:
        """Who has given a dictation which time, in order."""
        return [codec.time_change(row) for row in self._rows(dictations.TIMES, [dictation_id])]

    def dictation(self, dictation_id: int) -> Dictation:
        """Raises InputError also for one that is deleted."""
        with self._database.read() as db:
            return codec.dictation(dictations.alive(db, dictation_id), self._recordings.folder)

    def dictations(self, encounter_id: int | None = None) -> list[Dictation]:
        """The dictations of an encounter, or all, newest first."""
        return self._dictations("? IS NULL OR encounter_id = ?", [encounter_id, encounter_id])

    def newest_dictations(self) -> Iterator[Dictation]:
        """All dictations, newest first, read as they are asked for."""
        before = None
        while page := self._dictations("? IS NULL OR id < ?", [before, before], limit=_PAGE):
            yield from page
            before = page[-1].id

    def unfinished(self) -> list[Dictation]:
        """The dictations whose values are still to come, failed ones included, newest first."""
        return self._dictations("status <> 'filled'")

    def _dictations(self, condition: str, parameters: Sequence[Any] = (), limit: int | None = None) -> list[Dictation]:
        folder = self._recordings.folder
        with self._database.read() as db:
            shown = f"({condition}) AND deleted_at IS NULL"
            rows = db["dictations"].rows_where(shown, parameters, order_by="id DESC", limit=limit)
            return [codec.dictation(row, folder) for row in rows]

    def fail(self, dictation_id: int, message: str) -> None:
        """Records why a dictation could not be transcribed or filled. What it has already stays."""
        self.dictation(dictation_id)
        with self._database.write() as db:
            db["dictations"].update(dictation_id, {"status": "failed", "error": plain(message)})

    def has_copy_of(self, source: Path) -> bool:
        """Whether a dictation came from a file of this name and content. Raises InputError when it cannot be read."""
        digest = self._recordings.sha256(source)
        query = "SELECT 1 FROM dictations WHERE sha256 = ? AND original_name = ?"
        return bool(self._rows(query, [digest, plain(source.name)]))

    def patients_with_copy(self, sha256: str) -> frozenset[int]:
        """The ids of the patients who have a dictation of a recording with this content."""
        query = """SELECT encounters.patient_id AS id FROM dictations
            JOIN encounters ON encounters.id = dictations.encounter_id
            WHERE dictations.sha256 = ? AND dictations.deleted_at IS NULL"""
        return frozenset(row["id"] for row in self._rows(query, [sha256]))

    def add_same_recording(self, dictation_id: int, encounter_id: int) -> Dictation:
        """Another dictation of the same recording or text, with its transcript: what it says about somebody else.

        Raises InputError where its sound is removed already.
        """
        former, transcript = self.dictation(dictation_id), self.transcript(dictation_id)
        if not former.path.exists():
            raise InputError(
                f"The recording of {former.original_name} was removed, as the settings say.",
                "Dictate what concerns the other patient again.",
            )
        made_at = datetime.fromisoformat(former.created_at)
        added = self.add_dictation(encounter_id, former.path, former.kind, former.schema_version_id, made_at)
        with self._database.write() as db:
            db["dictations"].update(added.id, {"original_name": former.original_name})
        if transcript:
            self.save_transcript(added.id, transcript)
        return self.dictation(added.id)

    def remove_audio(self, dictation_id: int) -> None:
        """Removes the copy of a recording for good; transcript, values and reviews stay. Raises ResourceError."""
        self._recordings.remove(self.dictation(dictation_id).path)

    # a dictation as a whole, see `app.store.dictations`

    def move_dictation(self, dictation_id: int, patient_id: int, reviewer: str, reason: str) -> DictationEvent:
        """Gives a dictation to another patient, back to the stay it came from where it was theirs before.

        Decisions about its values are taken back, and stand again once it is moved back; it is to be filled again.

        Raises InputError also where it is filed, is about this patient already, or the reviewer has no name.
        """
        reviewer = _named(reviewer)
        with self._database.write() as db:
            encounter = dictations.last_encounter(db, dictation_id, patient_id)
            if encounter is None:
                encounter = self.encounter_to_move_into(patient_id).id
            return dictations.move(db, dictation_id, encounter, reviewer, reason)

    def rename_dictation(self, dictation_id: int, title: str, reviewer: str) -> Dictation:
        """Gives a dictation a title; an empty one gives its former name back. Raises InputError for one too long."""
        with self._database.write() as db:
            dictations.rename(db, dictation_id, title, _named(reviewer))
        return self.dictation(dictation_id)

    def delete_dictation(self, dictation_id: int, reviewer: str, reason: str) -> DictationEvent:
        """Takes a dictation and all its values out of every list, chart and export, until it is restored or purged.

        Raises InputError also where it is filed, without a reason, or where the reviewer has no name.
        """
        with self._database.write() as db:
            return dictations.delete(db, dictation_id, _named(reviewer), reason)

    def restore_dictation(self, dictation_id: int, reviewer: str) -> Dictation:
        """Brings a deleted dictation back. What has no place in the chart any more is to be decided again.

        Raises InputError also where it is not deleted, or purged.
        """
        with self._database.write() as db:
            dictations.restore(db, dictation_id, _named(reviewer))
        return self.dictation(dictation_id)

    def deleted_dictations(self) -> list[Dictation]:
        """Those that can be restored, the last deleted one first."""
        with self._database.read() as db:
            return [codec.dictation(row, self._recordings.folder) for row in dictations.deleted(db)]

    def purge_deleted(self, before: datetime) -> list[int]:
        """Removes for good what was deleted before a moment: recordings, transcripts and values; the dictations' ids.

        Who deleted each of them, when and why stays on record. Raises ResourceError.
        """
        with self._database.read() as db:
            due = [codec.dictation(row, self._recordings.folder) for row in dictations.deleted(db, stamp(before))]
        for dictation in due:
            # the file goes first: after a crash in between, the dictation is still due
            self._recordings.remove(dictation.path)
            with self._database.write() as db:
                dictations.purge(db, dictation.id)
        return [dictation.id for dictation in due]

    def dictation_events(self, dictation_id: int) -> list[DictationEvent]:
        """Moves, renamings, deletions and restorations of a dictation, the earliest first, also of a deleted one."""
        with self._database.read() as db:
            return dictations.events(db, dictation_id)

    def _has_file(self, name: str) -> bool:
        return bool(self._rows("SELECT 1 FROM dictations WHERE file = ?", [name]))

    # transcripts and values

    def save_transcript(self, dictation_id: int, transcript: Transcript) -> None:
        """Makes this the dictation's transcript. Former ones are kept: the evidence of values may point into them."""
        content = json.dumps(transcript.to_json())
        dictation = self.dictation(dictation_id)
        with self._database.write() as db:
            chart.refuse_filed(db, dictation_id)
            former = _last_transcript(db, dictation_id)
            if former is None or former["content"] != content:
                record = {"dictation_id": dictation_id, "content": content, "created_at": now()}
                db["transcripts"].insert(record)
            elif dictation.status == "filled":
                return
            db["dictations"].update(dictation_id, {"status": "transcribed", "error": ""})

    def transcript(self, dictation_id: int) -> Transcript | None:
        """The dictation's last transcript, None before there is one."""
        self.dictation(dictation_id)
        with self._database.read() as db:
            row = _last_transcript(db, dictation_id)
        return _transcript(row) if row else None

    def evidence_transcript(self, value: ReviewedValue) -> Transcript | None:
        """The transcript that a value's evidence points into, None for a value that was added by hand."""
        if value.transcript_id is None:
            return None
        return _transcript(self._row("transcripts", value.transcript_id, "transcript"))

    def save_result(
        self,
        dictation_id: int,
        values: Iterable[FilledValue],
        run: RunRecord,
        *,
        encounter_id: int | None = None,
    ) -> None:
        """Stores what a run proposed and marks the dictation filled.

        Former proposals are replaced unless a person has decided about them; what was decided stays, and is not
        proposed a second time.

        Args:
            encounter_id: the encounter for which the run read it; InputError where it was moved to another one since.
        """
        self.dictation(dictation_id)
        with self._database.write() as db:
            chart.refuse_filed(db, dictation_id)
            encounter = encounter_of(db, dictation_id)
            if encounter_id not in (None, encounter):
                raise InputError("This dictation was moved to another patient while it was filled.", "Fill it again.")
            transcript = _last_transcript(db, dictation_id)
            db.execute(
                """UPDATE row_values SET superseded = 1 WHERE id IN
                    (SELECT id FROM current_values WHERE dictation_id = ? AND status IS NULL)""",
                [dictation_id],
            )
            decided = {key for kept in chart.current(db, "dictation_id = ?", [dictation_id]) for key in _decided(kept)}
            stamp = now()
            db["row_values"].insert_all(
                {
                    "dictation_id": dictation_id,
                    "encounter_id": encounter,
                    "transcript_id": transcript["id"] if transcript else None,
                    "row_id": filled.row_id,
                    "filled": encode_filled(filled),
                    "superseded": 0,
                    "created_at": stamp,
                }
                for filled in values
                if decided.isdisjoint(_keys(filled))
            )
            db["dictations"].update(dictation_id, {"status": "filled", "error": "", "run": encode_run(run)})

    def values(self, dictation_id: int) -> list[ReviewedValue]:
        """The dictation's values in the order in which they came, rejected ones included."""
        self.dictation(dictation_id)
        with self._database.read() as db:
            return chart.current(db, "dictation_id = ?", [dictation_id])

    def confirmed(self, encounter_id: int, row_ids: Iterable[str]) -> dict[str, Value]:
        """What a person has accepted of these rows during an encounter, by row id: the last of each."""
        accepted = {status.value for status in ACCEPTED}
        with self._database.read() as db:
            current = chart.current(
                db,
                """dictation_id IN (SELECT id FROM dictations WHERE encounter_id = ?)
                    AND row_id IN (SELECT value FROM json_each(?)) AND status IN (SELECT value FROM json_each(?))""",
                [encounter_id, json.dumps(sorted(row_ids)), json.dumps(sorted(accepted))],
            )
        return {value.row_id: value.value for value in current if value.stands}

    @contextmanager
    def read_snapshot(self) -> Iterator[None]:
        """What is read within the block belongs together: nothing is written in between. Keep it short."""
        with self._database.read():
            yield

    def summary(self, dictation_id: int) -> dict[ReviewStatus, int]:
        """How many values of a dictation have each status, with a number for every status."""
        self.dictation(dictation_id)
        counts = dict.fromkeys(ReviewStatus, 0)
        query = "SELECT coalesce(status, 'proposed') AS status FROM current_values WHERE dictation_id = ?"
        for row in self._rows(query, [dictation_id]):
            counts[ReviewStatus(row["status"])] += 1
        return counts

    # reviews: each call is one step of undo; `collect` says that the dictation may become an example to learn from

    def review(
        self,
        value_id: int,
        action: Action,
        reviewer: str,
        value: Value | None = None,
        unit: str | None = None,
        *,
        observed_at: str | None = KEPT,
        collect: bool = False,
        replacing: bool = False,
        outside: Outside | None = None,
    ) -> ReviewedValue:
        """Records a decision about one value; `value`, `unit` and `observed_at` are the new ones of an `edit`, which
        keeps the time of observation unless another is given.

        Args:
            replacing: whether an accepted value takes the place of another one that stands there (see
                `app.chart.cells`). Both stay on record; undoing puts the other one back.
            outside: outside of which range of its row the person accepts the value, asked a second time.

        Raises:
            Conflict: without `replacing`, where another value stands in its place.
            InputError: also when the value is gone (a later run replaced it), the dictation is filed, or the reviewer
                has no name.
        """
        return self._review(
            [value_id],
            action,
            reviewer,
            value,
            unit,
            observed_at,
            collect=collect,
            replacing=replacing,
            outside={value_id: outside} if outside else _WITHIN,
        )[0]

    def review_many(
        self,
        value_ids: Sequence[int],
        action: Action,
        reviewer: str,
        *,
        collect: bool = False,
        outside: Mapping[int, Outside] = _WITHIN,
    ) -> list[ReviewedValue]:
        """Records the same decision (not `edit`) about several values of one dictation, all or none of them; `outside`
        as in `review`, by id."""
        return self._review(value_ids, action, reviewer, collect=collect, outside=outside)

    def _review(
        self,
        value_ids: Sequence[int],
        action: Action,
        reviewer: str,
        value: Value | None = None,
        unit: str | None = None,
        observed_at: str | None = KEPT,
        *,
        collect: bool,
        replacing: bool = False,
        outside: Mapping[int, Outside] = _WITHIN,
    ) -> list[ReviewedValue]:
        if action not in get_args(Action) or (action == "edit") != (value is not None):
            raise ValueError(f"{action!r} with value {value!r}")
        reviewer = _named(reviewer)
        ids = list(dict.fromkeys(value_ids))
        with self._database.write() as db:
            items = chart.by_ids(db, ids)
            if missing := set(ids) - {item.id for item in items}:
                raise InputError(
                    f"There is no value {min(missing)} any more.",
                    "Open the dictation again and review what it holds now.",
                )
            if len(dictations := {item.dictation_id for item in items}) > 1:
                raise ValueError("one step of review concerns one dictation")
            if action in ("confirm", "edit") and dictations:
                identity.refuse_unsure(db, next(iter(dictations)))
            decided = [
                decide(item, action, value, unit, observed_at, outside=outside.get(item.id), again=replacing)
                for item in items
            ]
            if decisions := [decision for decision in decided if decision]:
                self._write_step(db, dictations.pop(), reviewer, decisions, collect=collect, replacing=replacing)
            return chart.by_ids(db, ids)

    @staticmethod
    def _write_step(
        db: Any,
        dictation_id: int,
        reviewer: str,
        decisions: Sequence[Decision],
        *,
        collect: bool,
        replacing: bool = False,
    ) -> None:
        chart.refuse_filed(db, dictation_id)
        step = write_step(db, dictation_id, reviewer, decisions, collect=collect)
        ids = [decision.value_id for decision in decisions]
        if replacing:
            chart.replace(db, step, ids)
        chart.refuse_conflicts(db, ids)

    def add_value(
        self,
        dictation_id: int,
        row_id: str,
        value: Value,
        unit: str | None,
        reviewer: str,
        *,
        collect: bool = False,
        outside: Outside | None = None,
    ) -> ReviewedValue:
        """Adds a value by hand; `outside` as in `review`.

        Raises Conflict where another value stands in its place, InputError also when the dictation is filed or the
        reviewer has no name.
        """
        reviewer = _named(reviewer)
        self.dictation(dictation_id)
        with self._database.write() as db:
            identity.refuse_unsure(db, dictation_id)
            value_id = insert_value(db, dictation_id, row_id)
            added = Decision(value_id, "add", ReviewStatus.ADDED, value, unit, confirmed_outside=outside)
            self._write_step(db, dictation_id, reviewer, [added], collect=collect)
            return chart.by_ids(db, [value_id])[0]

    def take_value(
        self,
        dictation_id: int,
        filled: FilledValue,
        reviewer: str,
        *,
        collect: bool = False,
        outside: Outside | None = None,
    ) -> ReviewedValue:
        """Brings in a value that the last run held back, as if it had been proposed and was confirmed; `outside` as in
        `review`.

        Raises Conflict where another value stands in its place, InputError also when its words do not stand in the
        transcript, when it was brought in already, when the dictation is filed or when the reviewer has no name.
        """
        reviewer = _named(reviewer)
        self.dictation(dictation_id)
        with self._database.write() as db:
            identity.refuse_unsure(db, dictation_id)
            last, said = _last_transcript(db, dictation_id), filled.evidence
            if last is None or _transcript(last).text[said.start : said.end] != said.text:
                raise InputError(
                    f"“{said.text}” does not stand at its place in the transcript any more.",
                    "Open the dictation again and review what it holds now.",
                )
            if any(kept.filled == filled for kept in chart.current(db, "dictation_id = ?", [dictation_id])):
                raise InputError("The flowsheet has this value already.", "Look it up there.")
            value_id = insert_value(
                db, dictation_id, filled.row_id, filled=encode_filled(filled), transcript_id=last["id"]
            )
            status = ReviewStatus.CONFIRMED
            taken = Decision(value_id, "add", status, filled.value, filled.unit, filled.observed_at, outside)
            self._write_step(db, dictation_id, reviewer, [taken], collect=collect)
            return chart.by_ids(db, [value_id])[0]

    def collected(self, dictation_id: int) -> bool:
        """Whether a dictation has decisions that stand, and all of them were made with `collect`."""
        self.dictation(dictation_id)
        query = "SELECT coalesce(min(collected), 0) AS collected FROM standing_steps WHERE dictation_id = ?"
        return bool(self._rows(query, [dictation_id])[0]["collected"])

    def can_undo(self, dictation_id: int) -> bool:
        with self._database.read() as db:
            return last_standing_step(db, dictation_id) is not None

    def undo(self, dictation_id: int, reviewer: str) -> list[ReviewedValue]:
        """Takes back the last step that stands, and returns its values as they are now; an added or taken one is gone.

        Raises Conflict where what it would bring back cannot stand beside what was accepted since, InputError also when
        there is nothing to undo, the dictation is filed or the reviewer has no name.
        """
        reviewer = _named(reviewer)
        self.dictation(dictation_id)
        with self._database.write() as db:
            chart.refuse_filed(db, dictation_id)
            step = last_standing_step(db, dictation_id)
            if step is None:
                raise InputError("There is nothing to undo.", "Every decision about this dictation is undone already.")
            touched = undo_step(db, dictation_id, step, reviewer)
            chart.refuse_conflicts(db, touched)
            return chart.by_ids(db, touched)

    # the chart: what stands of a patient, and what is filed

    def standing(self, patient_id: int, dictations: int) -> list[Placed]:
        """What stands in a patient's chart from their last so many dictations, the earliest first."""
        with self._database.read() as db:
            return chart.standing(db, patient_id, dictations)

    def conflicts(self, dictation_id: int) -> dict[int, tuple[Placed, ...]]:
        """By id of a dictation's values that are not rejected, what stands in their places and says something else."""
        with self._database.read() as db:
            return chart.conflicts_of(db, dictation_id)

    def replaced(self, dictation_id: int) -> dict[int, tuple[Placed, ...]]:
        """By id of a dictation's values what stood in the place of each before a person put it there instead."""
        with self._database.read() as db:
            return chart.replaced_by(db, dictation_id)

    def open_proposals(self) -> dict[int, frozenset[int]]:
        """By dictation the ids of the values nobody has decided about; dictations without any are not in it."""
        found: dict[int, set[int]] = {}
        for row in self._rows(
            "SELECT id, dictation_id FROM current_values WHERE coalesce(status, '') IN ('', 'proposed')"
        ):
            found.setdefault(row["dictation_id"], set()).add(row["id"])
        return {dictation_id: frozenset(ids) for dictation_id, ids in found.items()}

    def with_values(self) -> frozenset[int]:
        """The dictations that have values, whatever was decided about them."""
        return frozenset(row["id"] for row in self._rows("SELECT DISTINCT dictation_id AS id FROM current_values"))

    def decided(self) -> dict[int, int]:
        """By dictation about how many values somebody has decided; those without any are not in it."""
        query = """SELECT dictation_id, count(*) AS number FROM current_values
            WHERE coalesce(status, 'proposed') <> 'proposed' GROUP BY dictation_id"""
        return {row["dictation_id"]: row["number"] for row in self._rows(query)}

    def filing(self, dictation_id: int) -> Filing | None:
        """That and how a dictation is filed; None while it is not."""
        rows = self._rows("SELECT * FROM standing_filings WHERE dictation_id = ?", [dictation_id])
        return codec.filing(rows[0]) if rows else None

    def filed(self) -> frozenset[int]:
        """The ids of the dictations that are filed."""
        return frozenset(row["dictation_id"] for row in self._rows("SELECT dictation_id FROM standing_filings"))

    def file(self, dictation_id: int, reviewer: str, files: Sequence[str]) -> Filing:
        """Marks a dictation as filed into these files; until it is reopened, nothing of it can be changed.

        Raises InputError when it is filed already, not filled or not reviewed to the end, or the reviewer has no name.
        """
        with self._database.write() as db:
            chart.refuse_filed(db, dictation_id)
            if self.dictation(dictation_id).status != "filled" or self.summary(dictation_id)[ReviewStatus.PROPOSED]:
                raise InputError(
                    "This dictation is not reviewed to the end.", "Decide about every value, then file it."
                )
            identity.refuse_unsure(db, dictation_id)
            self._record_filing(db, dictation_id, "file", reviewer, files)
        filing = self.filing(dictation_id)
        assert filing, "it was just written"
        return filing

    def reopen(self, dictation_id: int, reviewer: str) -> None:
        """Lets a filed dictation be changed again; its files stay. Raises InputError when it is not filed."""
        if self.filing(dictation_id) is None:
            raise InputError("This dictation is not filed.", "There is nothing to reopen.")
        with self._database.write() as db:
            self._record_filing(db, dictation_id, "reopen", reviewer, ())

    @staticmethod
    def _record_filing(db: Any, dictation_id: int, action: str, reviewer: str, files: Sequence[str]) -> None:
        record = {
            "dictation_id": dictation_id,
            "action": action,
            "reviewer": _named(reviewer),
            "filed_at": now(),
            "files": json.dumps([plain(name) for name in files]),
        }
        db["filings"].insert(record)

    # whose dictation it is, where it names others than its patient

    def confirm_identity(self, dictation_id: int, patient_id: int, called: Collection[str], reviewer: str) -> None:
        """Records that a dictation is about its patient, though it calls others so.

        Raises InputError where it is filed, about another patient by now, or the reviewer has no name.
        """
        reviewer = _named(reviewer)
        self.dictation(dictation_id)
        with self._database.write() as db:
            identity.confirm(db, dictation_id, patient_id, called, reviewer)

    def withdraw_identity(self, dictation_id: int, reviewer: str) -> None:
        """Takes that back. Raises InputError where there is nothing to take back, or the dictation is filed."""
        reviewer = _named(reviewer)
        with self._database.write() as db:
            identity.withdraw(db, dictation_id, reviewer)

    def identity_answer(self, dictation_id: int) -> IdentityAnswer | None:
        """What a person has said last about whose dictation it is; None where that was taken back."""
        with self._database.read() as db:
            return identity.standing(db, dictation_id)

    def refuse_unsure_identity(self, dictation_id: int) -> None:
        """Raises UnsureIdentity where a dictation names others than its patient, and nobody has said whose it is."""
        with self._database.read() as db:
            identity.refuse_unsure(db, dictation_id)

    # reading

    def _rows(self, query: str, parameters: Sequence[Any] = ()) -> list[dict[str, Any]]:
        with self._database.read() as db:
            return list(db.query(query, parameters))

    def _row(self, table: str, key: int, called: str) -> dict[str, Any]:
        with self._database.read() as db:
            rows: list[dict[str, Any]] = list(db[table].rows_where("id = ?", [key]))
        if not rows:
            raise InputError(f"There is no {called} {key}.", "Look up the number and try again.")
        return rows[0]


def _last_transcript(db: Any, dictation_id: int) -> dict[str, Any] | None:
    query = "SELECT * FROM transcripts WHERE dictation_id = ? ORDER BY id DESC LIMIT 1"
    return next(iter(db.query(query, [dictation_id])), None)


def _transcript(row: dict[str, Any]) -> Transcript:
    return Transcript.from_json(json.loads(row["content"]))


def _named(reviewer: str) -> str:
    reviewer = plain(reviewer).strip()
    if not reviewer:
        raise InputError("The review has no reviewer.", "Choose who signs.")
    return reviewer


def _keys(filled: FilledValue) -> set[tuple[str | None, ...]]:
    value = (filled.row_id, encode_value(filled.value), filled.unit, filled.observed_at)
    return {value, (*value, filled.evidence.text)}


def _decided(kept: ReviewedValue) -> set[tuple[str | None, ...]]:
    """What a person has decided already: the same words read the same way, and, where accepted, the value itself, each
    at its time."""
    keys: set[tuple[str | None, ...]] = set()
    if kept.filled is not None:
        proposed = (kept.row_id, encode_value(kept.filled.value), kept.filled.unit, kept.filled.observed_at)
        keys.add((*proposed, kept.filled.evidence.text))
    if kept.status in ACCEPTED:
        keys.add((kept.row_id, encode_value(kept.value), kept.unit, kept.observed_at))
    return keys
