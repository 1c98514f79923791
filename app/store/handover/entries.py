"""What nurses write for a handover: how ill a patient is, active issues, what to do, and what to do if."""

from __future__ import annotations

from app.chart.handover.entries import HandoverEntry
from app.store.signers import named
from app.store.sqlite import clock
from app.store.sqlite.codec import plain
from app.store.sqlite.database import Database
from app.store.transactions.signatures import signed


class HandoverEntries:
    """Entries of a stay, by part of the handover. The last one of a part counts; former ones are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, encounter_id: int) -> dict[str, HandoverEntry]:
        """The last entry of each part of a stay, also if it is empty."""
        query = """SELECT * FROM handover_entries AS one WHERE encounter_id = :id AND id = (
            SELECT max(id) FROM handover_entries WHERE encounter_id = :id AND part = one.part)"""
        with self._database.read() as db:
            return {
                row["part"]: HandoverEntry(row["content"], row["reviewer"], row["written_at"])
                for row in db.query(query, {"id": encounter_id})
            }

    def write(self, encounter_id: int, part: str, content: str, reviewer: str) -> None:
        """Writes the content of a part in place of the former one, if it differs; an empty one takes it back."""
        reviewer, content = named(reviewer), plain(content).strip()
        with self._database.write() as db:
            former = self.of(encounter_id).get(part)
            if content != (former.content if former else ""):
                db["handover_entries"].insert(
                    {
                        "encounter_id": encounter_id,
                        "part": part,
                        "content": content,
                        **signed(db, reviewer),
                        "written_at": clock.now(),
                    }
                )
