"""Tables of what a person notes around a shift: they can only be added to, and go with the content of dictations."""

from __future__ import annotations

from typing import Any

from app.store.sqlite.append_only import only_added_to

_TABLES = (
    """CREATE TABLE gap_dismissals (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        encounter_id INTEGER NOT NULL REFERENCES encounters(id),
        row_id TEXT NOT NULL,
        dismissed INTEGER NOT NULL CHECK (dismissed IN (0, 1)),
        reviewer TEXT NOT NULL,
        signer_id INTEGER REFERENCES signers(id),
        dismissed_at TEXT NOT NULL
    )""",
    "CREATE INDEX gap_dismissals_dictation ON gap_dismissals(dictation_id)",
    """CREATE TABLE handover_entries (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        encounter_id INTEGER NOT NULL REFERENCES encounters(id),
        part TEXT NOT NULL,
        content TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        signer_id INTEGER REFERENCES signers(id),
        written_at TEXT NOT NULL
    )""",
    "CREATE INDEX handover_entries_encounter ON handover_entries(encounter_id, part)",
)
_DELETED = "EXISTS (SELECT 1 FROM dictations WHERE id = OLD.dictation_id AND deleted_at IS NOT NULL)"
# while a dictation of the stay is kept, what was written about the stay is, too
_KEPT_IN_STAY = "SELECT 1 FROM dictations WHERE encounter_id = OLD.encounter_id AND purged_at IS NULL"


def create(db: Any) -> None:
    for statement in _TABLES:
        db.execute(statement)
    only_added_to(db, "gap_dismissals", "handover_entries", verbs=("UPDATE",))
    only_added_to(db, "gap_dismissals", verbs=("DELETE",), unless=_DELETED)
    only_added_to(db, "handover_entries", verbs=("DELETE",), unless=f"NOT EXISTS ({_KEPT_IN_STAY})")


def purge(db: Any, dictation_id: int, encounter_id: int) -> None:
    """Removes what belongs to a dictation that was purged just now, and to its stay if none of it is kept."""
    db.execute("DELETE FROM gap_dismissals WHERE dictation_id = ?", [dictation_id])
    kept = "SELECT 1 FROM dictations WHERE encounter_id = ? AND purged_at IS NULL"
    if not list(db.query(kept, [encounter_id])):
        db.execute("DELETE FROM handover_entries WHERE encounter_id = ?", [encounter_id])
