"""Dictations: how they come in, which there are, and what is done to one as a whole."""

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
from models.errors import InputError

_PAGE = 50  # dictations that are read at once where not all are wanted


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
        """Copies a recording (`audio`) or a text (`text`) into the store; the source is only read. Its values are of
        the time at which it was `made_at`, now where nobody knows; `time_source` is what says so, see
        `app.chart.recording_time`.

        Raises InputError when it cannot be read.
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
                    "run": "{}",
                    "created_at": clock.stamp(made_at) if made_at else clock.now(),
                    "time_source": time_source,
                }
                dictation_id = int(db["dictations"].insert(record).last_pk)
        finally:
            # asks the database, because an interruption may come just after the commit
            self._recordings.settle(copy.name, kept=self._has_file(copy.name))
        return self.one(dictation_id)

    def add_same_recording(self, dictation_id: int, encounter_id: int) -> Dictation:
        """Another dictation of the same recording or text, with its transcript: what it says about somebody else.

        Raises InputError where its sound is removed already.
        """
        former, transcript = self.one(dictation_id), self._transcripts.of(dictation_id)
        if not former.path.exists():
            raise InputError(
                f"The recording of {former.original_name} was removed, as the settings say.",
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
        """Raises InputError also for one that is deleted."""
        with self._database.read() as db:
            return codec.dictation(dictation_changes.alive(db, dictation_id), self._recordings.folder)

    def all(self) -> list[Dictation]:
        """All dictations, newest first."""
        return self._where("1")

    def newest(self) -> Iterator[Dictation]:
        """All dictations, newest first, read as they are asked for."""
        before = None
        while page := self._where("? IS NULL OR id < ?", [before, before], limit=_PAGE):
            yield from page
            before = page[-1].id

    def unfinished(self) -> list[Dictation]:
        """The dictations whose values are still to come, failed ones included, newest first."""
        return self._where("status <> 'filled'")

    def has_copy_of(self, source: Path) -> bool:
        """Whether a dictation came from a file of this name and content. Raises InputError when it cannot be read."""
        digest = self._recordings.sha256(source)
        query = "SELECT 1 FROM dictations WHERE sha256 = ? AND original_name = ?"
        return self._found(query, [digest, plain(source.name)])

    def patients_with_copy(self, sha256: str) -> frozenset[int]:
        """The ids of the patients who have a dictation of a recording with this content."""
        query = """SELECT encounters.patient_id AS id FROM dictations
            JOIN encounters ON encounters.id = dictations.encounter_id
            WHERE dictations.sha256 = ? AND dictations.deleted_at IS NULL"""
        with self._database.read() as db:
            return frozenset(row["id"] for row in db.query(query, [sha256]))

    def fail(self, dictation_id: int, message: str) -> None:
        """Records why a dictation could not be transcribed or filled. What it has already stays."""
        with self._database.write() as db:
            dictation_changes.alive(db, dictation_id)
            db["dictations"].update(dictation_id, {"status": "failed", "error": plain(message)})

    def remove_audio(self, dictation_id: int) -> None:
        """Removes the copy of a recording for good; transcript, values and reviews stay. Raises ResourceError."""
        self._recordings.remove(self.one(dictation_id).path)

    # what is done to a dictation as a whole, see `app.store.transactions.dictation_changes`

    def change_time(self, dictation_id: int, made_at: datetime, reviewer: str) -> Dictation:
        """Gives a dictation another time, see `app.store.transactions.dictation_changes.change_time`."""
        with self._database.write() as db:
            dictation_changes.change_time(db, dictation_id, clock.stamp(made_at), reviewer)
        return self.one(dictation_id)

    def times(self, dictation_id: int) -> list[TimeChange]:
        """Who has given a dictation which time, in order."""
        with self._database.read() as db:
            return dictation_changes.times(db, dictation_id)

    def move(self, dictation_id: int, patient_id: int, reviewer: str, reason: str) -> DictationEvent:
        """Gives a dictation to another patient, back to the stay it came from where it was theirs before.

        Decisions about its values are taken back, and stand again once it is moved back; it is to be filled again.

        Raises InputError also where it is filed, is about this patient already, or the reviewer has no name.
        """
        reviewer = named(reviewer)
        with self._database.write() as db:
            encounter = dictation_changes.last_encounter(db, dictation_id, patient_id)
            if encounter is None:
                encounter = self._encounters.to_move_into(patient_id).id
            return dictation_changes.move(db, dictation_id, encounter, reviewer, reason)

    def rename(self, dictation_id: int, title: str, reviewer: str) -> Dictation:
        """Gives a dictation a title; an empty one gives its former name back. Raises InputError for one too long."""
        with self._database.write() as db:
            dictation_changes.rename(db, dictation_id, title, named(reviewer))
        return self.one(dictation_id)

    def delete(self, dictation_id: int, reviewer: str, reason: str) -> DictationEvent:
        """Takes a dictation and all its values out of every list, chart and export, until it is restored or purged.

        Raises InputError also where it is filed, without a reason, or where the reviewer has no name.
        """
        with self._database.write() as db:
            return dictation_changes.delete(db, dictation_id, named(reviewer), reason)

    def restore(self, dictation_id: int, reviewer: str) -> Dictation:
        """Brings a deleted dictation back. What has no place in the chart any more is to be decided again.

        Raises InputError also where it is not deleted, or purged.
        """
        with self._database.write() as db:
            dictation_changes.restore(db, dictation_id, named(reviewer))
        return self.one(dictation_id)

    def deleted(self) -> list[Dictation]:
        """Those that can be restored, the last deleted one first."""
        with self._database.read() as db:
            return [codec.dictation(row, self._recordings.folder) for row in dictation_changes.deleted(db)]

    def purge_deleted(self, before: datetime) -> list[int]:
        """Removes for good what was deleted before a moment: recordings, transcripts and values; the dictations' ids.

        Who deleted each of them, when and why stays on record. Raises ResourceError.
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
        """Moves, renamings, deletions and restorations of a dictation, the earliest first, also of a deleted one."""
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
