"""Current values of dictations and of patients' charts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from app.chart.cells import column_at
from app.chart.history.charted_values import ChartedValue
from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from app.record.codec import decode_proposed
from app.record.values import ProposedValue
from app.store.encounters import Encounters
from app.store.sqlite import clock, derived
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from extraction.flowsheet.values import Value


class Values:
    """The values of dictations with their current decisions. `Runs` and `Reviews` change them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._encounters = Encounters(database)

    def of(self, dictation_id: int) -> list[ReviewedValue]:
        """The dictation's values in order of creation, including rejected ones."""
        with self._database.read() as db:
            alive(db, dictation_id)
            return chart.current(db, "dictation_id = ?", [dictation_id])

    def last_read(self, dictation_id: int) -> list[ProposedValue]:
        """What the latest run read of a dictation, whatever patient it belonged to then, in order of creation."""
        query = """SELECT filled FROM row_values WHERE dictation_id = :id AND filled IS NOT NULL AND superseded = 0
            AND encounter_id = (SELECT encounter_id FROM row_values
                WHERE dictation_id = :id AND filled IS NOT NULL ORDER BY id DESC LIMIT 1)
            ORDER BY id"""
        with self._database.read() as db:
            return [decode_proposed(row["filled"]) for row in db.query(query, {"id": dictation_id})]

    def confirmed(self, encounter_id: int, row_ids: Iterable[str]) -> dict[str, Value]:
        """The last charted value of each of these rows in an encounter, by row id. InputError if it is unknown."""
        with self._database.read() as db:
            found = chart.charted(db, self._encounters.one(encounter_id).patient_id, row_ids)
        found.sort(key=lambda one: one.value_id)
        return {one.row_id: one.value for one in found if one.encounter_id == encounter_id}

    def summary(self, dictation_id: int) -> dict[ReviewStatus, int]:
        """Number of values of a dictation by status, including zeros."""
        counts = dict.fromkeys(ReviewStatus, 0)
        query = "SELECT coalesce(status, 'proposed') AS status FROM current_values WHERE dictation_id = ?"
        with self._database.read() as db:
            alive(db, dictation_id)
            for row in db.query(query, [dictation_id]):
                counts[ReviewStatus(row["status"])] += 1
        return counts

    def open_proposals(self) -> dict[int, frozenset[int]]:
        """Ids of undecided values by dictation; dictations without any are left out."""
        found: dict[int, set[int]] = {}
        query = """SELECT id, dictation_id FROM current_values
            WHERE dictation_id IN (SELECT dictation_id FROM dictation_counts WHERE proposed > 0)
            AND coalesce(status, 'proposed') = 'proposed'"""
        with self._database.read() as db:
            for row in db.query(query):
                found.setdefault(row["dictation_id"], set()).add(row["id"])
        return {dictation_id: frozenset(ids) for dictation_id, ids in found.items()}

    def decided(self) -> dict[int, int]:
        """Number of decided values by dictation, zero included; dictations without values are left out."""
        with self._database.read() as db:
            rows = db.query("SELECT dictation_id, decided FROM dictation_counts")
            return {row["dictation_id"]: row["decided"] for row in rows}

    # charts of patients, see `app.store.transactions.chart`

    def standing(self, patient_id: int) -> list[ChartEntry]:
        """All charted values of a patient, in order of their dictations."""
        with self._database.read() as db:
            return chart.standing(db, patient_id)

    def charted(
        self,
        patient_id: int,
        row_ids: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[ChartedValue]:
        """The charted values of a patient in order of time, without what they were read from.

        Args:
            row_ids: only those of these rows.
            since, until: only those from the minute of `since` up to that of `until`, which is left out.
        """
        first, end = (column_at(clock.stamp(at)) if at else None for at in (since, until))
        with self._database.read() as db:
            return chart.charted(db, patient_id, row_ids, first, end)

    def derive_again(self) -> int:
        """Derives what stands charted from all reviews; returns the number of values that were not stored so.

        It is kept with every change, so that there are none.
        """
        with self._database.write() as db:
            derived.mark_all(db)
            return derived.refresh(db)

    def conflicts(self, dictation_id: int) -> dict[int, tuple[ChartEntry, ...]]:
        """Differing charted values in the cells of a dictation's values that are not rejected, by id of the latter."""
        with self._database.read() as db:
            return chart.conflicts_of(db, dictation_id)

    def replaced(self, dictation_id: int) -> dict[int, tuple[ChartEntry, ...]]:
        """The values that a person replaced with values of a dictation, by id of the latter."""
        with self._database.read() as db:
            return chart.replaced_by(db, dictation_id)
