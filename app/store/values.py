"""Current values of dictations and of patients' charts."""

from __future__ import annotations

import json
from collections.abc import Iterable

from app.chart.records import ACCEPTED, Placed, ReviewedValue, ReviewStatus
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from extraction.flowsheet.values import FilledValue, Value


class Values:
    """The values of dictations with their current decisions. `Runs` and `Reviews` change them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, dictation_id: int) -> list[ReviewedValue]:
        """The dictation's values in order of creation, including rejected ones."""
        with self._database.read() as db:
            alive(db, dictation_id)
            return chart.current(db, "dictation_id = ?", [dictation_id])

    def last_read(self, dictation_id: int) -> list[FilledValue]:
        """What the latest run read of a dictation, whatever patient it belonged to then, in order of creation."""
        query = """SELECT filled FROM row_values WHERE dictation_id = :id AND filled IS NOT NULL AND superseded = 0
            AND encounter_id = (SELECT encounter_id FROM row_values
                WHERE dictation_id = :id AND filled IS NOT NULL ORDER BY id DESC LIMIT 1)
            ORDER BY id"""
        with self._database.read() as db:
            return [FilledValue.from_json(json.loads(row["filled"])) for row in db.query(query, {"id": dictation_id})]

    def confirmed(self, encounter_id: int, row_ids: Iterable[str]) -> dict[str, Value]:
        """The last charted value of each of these rows in an encounter, by row id."""
        accepted = {status.value for status in ACCEPTED}
        with self._database.read() as db:
            current = chart.current(
                db,
                """dictation_id IN (SELECT id FROM dictations WHERE encounter_id = ?)
                    AND row_id IN (SELECT value FROM json_each(?)) AND status IN (SELECT value FROM json_each(?))""",
                [encounter_id, json.dumps(sorted(row_ids)), json.dumps(sorted(accepted))],
            )
        return {value.row_id: value.value for value in current if value.stands}

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
        query = "SELECT id, dictation_id FROM current_values WHERE coalesce(status, '') IN ('', 'proposed')"
        with self._database.read() as db:
            for row in db.query(query):
                found.setdefault(row["dictation_id"], set()).add(row["id"])
        return {dictation_id: frozenset(ids) for dictation_id, ids in found.items()}

    def dictations(self) -> frozenset[int]:
        """Ids of the dictations that have values, whatever their status."""
        with self._database.read() as db:
            rows = db.query("SELECT DISTINCT dictation_id AS id FROM current_values")
            return frozenset(row["id"] for row in rows)

    def decided(self) -> dict[int, int]:
        """Number of decided values by dictation; dictations without any are left out."""
        query = """SELECT dictation_id, count(*) AS number FROM current_values
            WHERE coalesce(status, 'proposed') <> 'proposed' GROUP BY dictation_id"""
        with self._database.read() as db:
            return {row["dictation_id"]: row["number"] for row in db.query(query)}

    # charts of patients, see `app.store.transactions.chart`

    def standing(self, patient_id: int) -> list[Placed]:
        """All charted values of a patient, in order of their dictations."""
        with self._database.read() as db:
            return chart.standing(db, patient_id)

    def conflicts(self, dictation_id: int) -> dict[int, tuple[Placed, ...]]:
        """Differing charted values in the cells of a dictation's values that are not rejected, by id of the latter."""
        with self._database.read() as db:
            return chart.conflicts_of(db, dictation_id)

    def replaced(self, dictation_id: int) -> dict[int, tuple[Placed, ...]]:
        """The values that a person replaced with values of a dictation, by id of the latter."""
        with self._database.read() as db:
            return chart.replaced_by(db, dictation_id)
