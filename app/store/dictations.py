"""Dictations: adds, lists, moves, renames, deletes and restores them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from app.chart.records import Dictation, DictationEvent, TimeChange
from app.store.encounters import Encounters
from app.store.recordings import Recordings
from app.store.schemas import Schemas
from app.store.signers import named
from app.store.sqlite import clock, codec
from app.store.sqlite.codec import plain
from app.store.sqlite.database import Database
from app.store.transactions import dictation_changes
from app.store.transcripts import Transcripts
from models.base.errors import InputError

_PAGE = 50  # dictations that `newest` reads at once


class Dictations:
    """The dictations with their copies of recordings and texts."""

    def __init__(self, database: Database, recordings: Recordings) -> None:
        self._database = database
        self._recordings = recordings
        self._encounters = Encounters(database)
        self._schemas = Schemas(database)
        self._transcripts = Transcripts(database)
        recordings.clean(self._has_file)

    def add(
        self,
        encounter_id: int,
        source: Path,
        kind: str,
        schema_version_id: int,
        made_at: datetime | None = None,
        time_source: str = "",
    ) -> Dictation:
        """Copies a recording (`audio`) or a text (`text`) into the store; the source is only read.

        `made_at` is the time of its values, by default now; `time_source` says where it comes from, see
        `app.chart.recording_time`. Raises InputError if the source cannot be read.
        """
        self._encounters.one(encounter_id)
        self._schemas.version(schema_version_id)
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
                    "run": "{}",  # of former versions, see `m0016_runs`
                    "created_at": clock.stamp(made_at) if made_at else clock.now(),
                    "time_source": time_source,
                }
                dictation_id = int(db["dictations"].insert(record).last_pk)
        finally:
            # asks the database, because an interruption may come just after the commit
            self._recordings.settle(copy.name, kept=self._has_file(copy.name))
        return self.one(dictation_id)

    def add_same_recording(self, dictation_id: int, encounter_id: int) -> Dictation:
        """Adds a dictation of the same recording or text, with its transcript, for another patient.

        Raises InputError if the recording has been removed.
        """
        former, transcript = self.one(dictation_id), self._transcripts.of(dictation_id)
        if not former.path.exists():
            raise InputError(
                f"The recording of {former.original_name} was deleted under your retention setting.",
                "Dictate again for the other patient.",
            )
        made_at = datetime.fromisoformat(former.created_at)
        added = self.add(encounter_id, former.path, former.kind, former.schema_version_id, made_at)
        with self._database.write() as db:
            db["dictations"].update(added.id, {"original_name": former.original_name})
        if transcript:
            self._transcripts.save(added.id, transcript)
        return self.one(added.id)

    def one(self, dictation_id: int) -> Dictation:
        """A dictation by id. Raises InputError also if it is deleted."""
        with self._database.read() as db:
            return codec.dictation(dictation_changes.alive(db, dictation_id), self._recordings.folder)

    def all(self) -> list[Dictation]:
        """All dictations, newest first."""
        return self._where("1")

    def of_patient(self, patient_id: int) -> list[Dictation]:
        """The dictations of a patient, newest first; deleted ones are left out."""
        return self._where("encounter_id IN (SELECT id FROM encounters WHERE patient_id = ?)", [patient_id])

    def newest(self) -> Iterator[Dictation]:
        """All dictations, newest first, read page by page as needed."""
        before = None
        while page := self._where("? IS NULL OR id < ?", [before, before], limit=_PAGE):
            yield from page
            before = page[-1].id

    def unfinished(self) -> list[Dictation]:
        """The dictations that are not filled, including failed ones, newest first."""
        return self._where("status <> 'filled'")

    def has_copy_of(self, source: Path) -> bool:
        """True if a dictation, even a deleted one, has this file's name and content.

        Raises InputError if the file cannot be read.
        """
        digest = self._recordings.sha256(source)
        query = "SELECT 1 FROM dictations WHERE sha256 = ? AND original_name = ?"
        return self._found(query, [digest, plain(source.name)])

    def patients_with_copy(self, sha256: str) -> frozenset[int]:
        """Ids of the patients with a dictation of a recording with this content."""
        query = """SELECT encounters.patient_id AS id FROM dictations
            JOIN encounters ON encounters.id = dictations.encounter_id
            WHERE dictations.sha256 = ? AND dictations.deleted_at IS NULL"""
        with self._database.read() as db:
            return frozenset(row["id"] for row in db.query(query, [sha256]))

    def fail(self, dictation_id: int, message: str) -> None:
        """Records why a dictation could not be transcribed or filled. Its existing data stays."""
        with self._database.write() as db:
            dictation_changes.alive(db, dictation_id)
            db["dictations"].update(dictation_id, {"status": "failed", "error": plain(message)})

    def remove_audio(self, dictation_id: int) -> None:
        """Deletes the copy of a recording permanently; transcript, values and reviews stay. Raises ResourceError."""
        self._recordings.remove(self.one(dictation_id).path)

    # changes to whole dictations, see `app.store.transactions.dictation_changes`

    def change_time(self, dictation_id: int, made_at: datetime, reviewer: str) -> Dictation:
        """Changes the time of a dictation, see `app.store.transactions.dictation_changes.change_time`."""
        with self._database.write() as db:
            dictation_changes.change_time(db, dictation_id, clock.stamp(made_at), reviewer)
        return self.one(dictation_id)

    def times(self, dictation_id: int) -> list[TimeChange]:
        """The changes of a dictation's time, in order."""
        with self._database.read() as db:
            return dictation_changes.times(db, dictation_id)

    def move(self, dictation_id: int, patient_id: int, reviewer: str, reason: str) -> DictationEvent:
        """Moves a dictation to another patient, into its former stay if it was theirs before.

        Decisions about its values are taken back, and restored if it is moved back. It must be filled again.

        Raises InputError also if it is filed or already belongs to this patient, or if the reviewer has no name.
        """
        reviewer = named(reviewer)
        with self._database.write() as db:
            encounter = dictation_changes.last_encounter(db, dictation_id, patient_id)
            if encounter is None:
                encounter = self._encounters.to_move_into(patient_id).id
            return dictation_changes.move(db, dictation_id, encounter, reviewer, reason)

    def rename(self, dictation_id: int, title: str, reviewer: str) -> Dictation:
        """Gives a dictation a title; an empty title restores its original name. Raises InputError if it is too long."""
        with self._database.write() as db:
            dictation_changes.rename(db, dictation_id, title, named(reviewer))
        return self.one(dictation_id)

    def delete(self, dictation_id: int, reviewer: str, reason: str) -> DictationEvent:
        """Removes a dictation and its values from every list, chart and export; it can be restored until it is purged.

        Raises InputError also if it is filed, or if the reason or the reviewer's name is empty.
        """
        with self._database.write() as db:
            return dictation_changes.delete(db, dictation_id, named(reviewer), reason)

    def restore(self, dictation_id: int, reviewer: str) -> Dictation:
        """Restores a deleted dictation. Values whose cell now holds another value must be decided again.

        Raises InputError also if it is not deleted, or purged.
        """
        with self._database.write() as db:
            dictation_changes.restore(db, dictation_id, named(reviewer))
        return self.one(dictation_id)

    def deleted(self) -> list[Dictation]:
        """The dictations that can be restored, last deleted first."""
        with self._database.read() as db:
            return [codec.dictation(row, self._recordings.folder) for row in dictation_changes.deleted(db)]

    def purge_deleted(self, before: datetime) -> list[int]:
        """Permanently removes the content of dictations that were deleted before a time; returns their ids.

        Recordings, transcripts and values are removed; who deleted each dictation, when and why stays on record. Raises
        ResourceError.
        """
        with self._database.read() as db:
            rows = dictation_changes.deleted(db, clock.stamp(before))
            due = [codec.dictation(row, self._recordings.folder) for row in rows]
        for dictation in due:
            # the file goes first: after a crash in between, the dictation is still due
            self._recordings.remove(dictation.path)
            with self._database.write() as db:
                dictation_changes.purge(db, dictation.id)
        return [dictation.id for dictation in due]

    def events(self, dictation_id: int) -> list[DictationEvent]:
        """The moves, renames, deletions and restorations of a dictation, deleted or not, earliest first."""
        with self._database.read() as db:
            return dictation_changes.events(db, dictation_id)

    # reading

    def _where(self, condition: str, parameters: Sequence[Any] = (), limit: int | None = None) -> list[Dictation]:
        folder = self._recordings.folder
        with self._database.read() as db:
            shown = f"({condition}) AND deleted_at IS NULL"
            rows = db["dictations"].rows_where(shown, parameters, order_by="id DESC", limit=limit)
            return [codec.dictation(row, folder) for row in rows]

    def _has_file(self, name: str) -> bool:
        return self._found("SELECT 1 FROM dictations WHERE file = ?", [name])

    def _found(self, query: str, parameters: Sequence[Any]) -> bool:
        with self._database.read() as db:
            return bool(list(db.query(query, parameters)))
