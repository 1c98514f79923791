"""What the ward's filed dictations chart, and the rows that a person does not want to be reminded of."""

from __future__ import annotations

from typing import Any

from app.chart.gaps.habits import ChartingHabits
from app.store.signers import named
from app.store.sqlite import clock
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from app.store.transactions.signatures import signed

_LATEST = 500  # filed dictations that are counted
_FILED = """WITH filed AS (
        SELECT dictations.id FROM standing_filings
        JOIN dictations ON dictations.id = standing_filings.dictation_id
        JOIN schema_versions ON schema_versions.id = dictations.schema_version_id
        WHERE schema_versions.schema_id = (SELECT schema_id FROM schema_versions WHERE id = :version)
            AND dictations.deleted_at IS NULL AND dictations.id <> :without
        ORDER BY standing_filings.id DESC LIMIT :most
    )"""


class Gaps:
    """Habits are counted in the latest filed dictations of a flowsheet, of all its versions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def habits(self, schema_version_id: int, *, without: int = 0) -> ChartingHabits:
        """What the filed dictations of a flowsheet chart, `without` one of them, which does not speak for itself."""
        named_values = {"version": schema_version_id, "without": without, "most": _LATEST}
        counted = f"""{_FILED} SELECT charted.row_id, count(DISTINCT charted.dictation_id) AS number
            FROM filed CROSS JOIN charted_values AS charted ON charted.dictation_id = filed.id
            GROUP BY charted.row_id"""  # noqa: S608 - built of constants
        with self._database.read() as db:
            (total,) = db.query(f"{_FILED} SELECT count(*) AS number FROM filed", named_values)  # noqa: S608
            rows = {row["row_id"]: row["number"] for row in db.query(counted, named_values)}
        return ChartingHabits(total["number"], rows)

    def dismissed(self, dictation_id: int) -> tuple[str, ...]:
        """Ids of the rows that are dismissed for a dictation, in the order of their dismissal."""
        with self._database.read() as db:
            return _standing(db, dictation_id)

    def dismiss(self, dictation_id: int, row_id: str, reviewer: str) -> None:
        """Dismisses a row for a dictation. InputError if it is filed."""
        self._write(dictation_id, row_id, reviewer, dismissed=True)

    def restore(self, dictation_id: int, row_id: str, reviewer: str) -> None:
        """Takes the dismissal of a row back. InputError if it is filed."""
        self._write(dictation_id, row_id, reviewer, dismissed=False)

    def _write(self, dictation_id: int, row_id: str, reviewer: str, *, dismissed: bool) -> None:
        reviewer = named(reviewer)
        with self._database.write() as db:
            dictation = alive(db, dictation_id)
            chart.refuse_filed(db, dictation_id)
            if (row_id in _standing(db, dictation_id)) != dismissed:
                db["gap_dismissals"].insert(
                    {
                        "dictation_id": dictation_id,
                        "encounter_id": dictation["encounter_id"],
                        "row_id": row_id,
                        "dismissed": int(dismissed),
                        **signed(db, reviewer),
                        "dismissed_at": clock.now(),
                    }
                )


def _standing(db: Any, dictation_id: int) -> tuple[str, ...]:
    """The rows whose last entry for the dictation's present stay is a dismissal, earliest first."""
    query = """SELECT row_id, dismissed FROM gap_dismissals AS one
        WHERE dictation_id = :id AND encounter_id = (SELECT encounter_id FROM dictations WHERE id = :id)
            AND id = (SELECT max(id) FROM gap_dismissals
                WHERE dictation_id = :id AND encounter_id = one.encounter_id AND row_id = one.row_id)
        ORDER BY id"""
    return tuple(row["row_id"] for row in db.query(query, {"id": dictation_id}) if row["dismissed"])
