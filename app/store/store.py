"""The store, by which the program uses its database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Self

from app.store.dictations import Dictations
from app.store.encounters import Encounters
from app.store.filings import Filings
from app.store.handover.entries import HandoverEntries
from app.store.handover.gaps import Gaps
from app.store.identity_answers import IdentityAnswers
from app.store.outbox import Outbox
from app.store.patients import Patients
from app.store.questions import Questions
from app.store.recordings import Recordings
from app.store.reviews import Reviews
from app.store.runs import Runs
from app.store.schemas import Schemas
from app.store.signers import Signers
from app.store.sqlite import clock
from app.store.sqlite.database import Database
from app.store.transactions.patient_changes import claim
from app.store.transcripts import Transcripts
from app.store.values import Values


class Store:
    """Everything persistent, by aggregate.

    When a method returns, its changes are committed and synced to the disk. Any thread may call any method.

    Args:
        path: the database file, created if missing.
        recordings: the folder for copies of recordings; by default `recordings` in the folder of the database.

    Raises:
        StorageError: the database is in use, damaged, not ours, or of a newer version; it is left as it is.
        ResourceError: also by every writing method, for a full disk or a missing permission; nothing is changed then.
        InputError: also by every method, for an id that does not exist.
    """

    def __init__(self, path: Path, *, recordings: Path | None = None) -> None:
        self._database = database = Database(path)
        try:
            with database.write() as db:
                claim(db)
            self._recordings = Recordings(recordings or database.path.parent / "recordings")
            self.dictations = Dictations(database, self._recordings)
        except BaseException:
            database.close()
            raise
        self.patients = Patients(database)
        self.encounters = Encounters(database)
        self.schemas = Schemas(database)
        self.transcripts = Transcripts(database)
        self.runs = Runs(database)
        self.values = Values(database)
        self.reviews = Reviews(database)
        self.filings = Filings(database)
        self.identity_answers = IdentityAnswers(database)
        self.signers = Signers(database)
        self.outbox = Outbox(database)
        self.gaps = Gaps(database)
        self.handover_entries = HandoverEntries(database)
        self.questions = Questions(database)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the database and lets another program open it."""
        self._database.close()

    def now(self) -> datetime:
        """The current time, as it is written to what is stored now."""
        return datetime.fromisoformat(clock.now())

    def last_entry(self) -> str:
        """When the latest dictation was made, or the latest decision; UTC in ISO 8601, empty without any."""
        with self._database.read() as db:
            (row,) = db.query(
                "SELECT max(at) AS at FROM (SELECT max(created_at) AS at FROM dictations "
                "UNION ALL SELECT max(reviewed_at) FROM review_steps)"
            )
        return row["at"] or ""

    @contextmanager
    def read_snapshot(self) -> Iterator[None]:
        """Makes the reads in the block consistent: nothing is written in between. Keep it short."""
        with self._database.read():
            yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Makes the changes in the block one: all are committed when it ends, none if it raises."""
        with self._database.write():
            yield
