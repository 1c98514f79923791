"""Signatures: the text that something is signed with, and the signer whose it is."""

from __future__ import annotations

from typing import Any

from app.chart.records import Signer


def signed(db: Any, reviewer: str) -> dict[str, str | int | None]:
    """The columns of a signature: its text, and the id of the signer who has or had that name, if any."""
    return {"reviewer": reviewer, "signer_id": signer_named(db, reviewer)}


def signer_named(db: Any, name: str) -> int | None:
    """Id of the signer who has or had this name, with or without the role; None if unknown."""
    wanted = _key(name)
    present = "SELECT id, name, role FROM signers ORDER BY id DESC"
    former = "SELECT signer_id AS id, name, role FROM signer_events WHERE action IN ('add', 'rename') ORDER BY id DESC"
    for query in (present, former):  # the signers are few, their events many
        for row in db.query(query):
            if wanted in (_key(row["name"]), _key(Signer(0, row["name"], row["role"]).signature)):
                return int(row["id"])
    return None


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
