"""Filings: records that a dictation was filed or reopened; the last one counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.chart.records import Filing, ReviewStatus
from app.store.identity_answers import refuse_unsure
from app.store.signers import named
from app.store.sqlite import codec
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from app.store.values import Values
from models.base.errors import InputError


class Filings:
    """The filed dictations. A filed dictation cannot be changed until it is reopened."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._values = Values(database)

    def of(self, dictation_id: int) -> Filing | None:
        """The filing of a dictation; None if it is not filed."""
        with self._database.read() as db:
            return _standing(db, dictation_id)

    def filed(self) -> frozenset[int]:
        """Ids of the filed dictations."""
        with self._database.read() as db:
            return frozenset(row["dictation_id"] for row in db.query("SELECT dictation_id FROM standing_filings"))

    def last_change(self) -> int:
        """Number of the last filing or reopening; 0 before any. See `reopened_since`."""
        with self._database.read() as db:
            return next(int(row["last"]) for row in db.query("SELECT coalesce(max(id), 0) AS last FROM filings"))

    def reopened_since(self, change: int) -> list[int]:
        """Ids of the dictations that were reopened after a change, in order."""
        query = "SELECT DISTINCT dictation_id FROM filings WHERE id > ? AND action = 'reopen' ORDER BY dictation_id"
        with self._database.read() as db:
            return [int(row["dictation_id"]) for row in db.query(query, [change])]

    def file(self, dictation_id: int, reviewer: str, files: Sequence[str]) -> Filing:
        """Marks a dictation as filed into these files; it cannot be changed until it is reopened.

        Raises InputError if it is already filed, not filled or not fully reviewed, if it is in doubt whose it is, or if
        the reviewer has no name.
        """
        with self._database.write() as db:
            chart.refuse_filed(db, dictation_id)
            filled = alive(db, dictation_id)["status"] == "filled"
            if not filled or self._values.summary(dictation_id)[ReviewStatus.PROPOSED]:
                raise InputError("This dictation is not fully reviewed.", "Decide every value, then file it.")
            refuse_unsure(db, dictation_id)
            chart.record_filing(db, dictation_id, "file", named(reviewer), files)
            filing = _standing(db, dictation_id)
        assert filing, "it was just written"
        return filing

    def reopen(self, dictation_id: int, reviewer: str) -> None:
        """Lets a filed dictation be changed again; its files stay. Raises InputError if it is not filed."""
        if self.of(dictation_id) is None:
            raise InputError("This dictation is not filed.", "There is nothing to reopen.")
        with self._database.write() as db:
            chart.record_filing(db, dictation_id, "reopen", named(reviewer))


def _standing(db: Any, dictation_id: int) -> Filing | None:
    rows = db.query("SELECT * FROM standing_filings WHERE dictation_id = ?", [dictation_id])
    return next(map(codec.filing, rows), None)
