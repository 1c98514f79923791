"""Values as they are now, and as they stand in the charts of patients."""

from __future__ import annotations

import json
from collections.abc import Iterable

from app.chart.records import ACCEPTED, Placed, ReviewedValue, ReviewStatus
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from extraction.flowsheet.values import Value


class Values:
    """The values of dictations with the decisions that stand. They are changed by `Runs` and `Reviews`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, dictation_id: int) -> list[ReviewedValue]:
        """The dictation's values in the order in which they came, rejected ones included."""
        with self._database.read() as db:
            alive(db, dictation_id)
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

    def summary(self, dictation_id: int) -> dict[ReviewStatus, int]:
        """How many values of a dictation have each status, with a number for every status."""
        counts = dict.fromkeys(ReviewStatus, 0)
        query = "SELECT coalesce(status, 'proposed') AS status FROM current_values WHERE dictation_id = ?"
        with self._database.read() as db:
            alive(db, dictation_id)
            for row in db.query(query, [dictation_id]):
                counts[ReviewStatus(row["status"])] += 1
        return counts

    def open_proposals(self) -> dict[int, frozenset[int]]:
        """By dictation the ids of the values nobody has decided about; dictations without any are not in it."""
        found: dict[int, set[int]] = {}
        query = "SELECT id, dictation_id FROM current_values WHERE coalesce(status, '') IN ('', 'proposed')"
        with self._database.read() as db:
            for row in db.query(query):
                found.setdefault(row["dictation_id"], set()).add(row["id"])
        return {dictation_id: frozenset(ids) for dictation_id, ids in found.items()}

    def dictations(self) -> frozenset[int]:
        """The dictations that have values, whatever was decided about them."""
        with self._database.read() as db:
            rows = db.query("SELECT DISTINCT dictation_id AS id FROM current_values")
            return frozenset(row["id"] for row in rows)

    def decided(self) -> dict[int, int]:
        """By dictation about how many values somebody has decided; those without any are not in it."""
        query = """SELECT dictation_id, count(*) AS number FROM current_values
            WHERE coalesce(status, 'proposed') <> 'proposed' GROUP BY dictation_id"""
        with self._database.read() as db:
            return {row["dictation_id"]: row["number"] for row in db.query(query)}

    # the chart: what stands of a patient, see `app.store.transactions.chart`

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
