"""Signers: adds, renames, retires and chooses them; every change stays on record."""

from __future__ import annotations

from typing import Any

from app.chart.records import Signer, name_taken
from app.store.sqlite import clock
from app.store.sqlite.codec import plain
from app.store.sqlite.database import Database
from app.store.transactions.signatures import signer_named
from models.base.errors import InputError


class Signers:
    """The known signers.

    A name belongs to one signer even after a rename, so that every step signed with it stays theirs.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[Signer, ...]:
        """All signers, last chosen first; those never chosen come last, by name."""
        with self._database.read() as db:
            rows = db.query(
                """SELECT signers.*, (
                    SELECT max(id) FROM signer_events WHERE signer_id = signers.id AND action = 'choose'
                ) AS chosen FROM signers ORDER BY chosen IS NULL, chosen DESC, name, signers.id"""
            )
            return tuple(_signer(row) for row in rows)

    def last(self) -> Signer | None:
        """The signer chosen last; None if none was chosen or they are retired."""
        with self._database.read() as db:
            rows = db.query(
                """SELECT signers.* FROM signer_events JOIN signers ON signers.id = signer_id
                WHERE action = 'choose' ORDER BY signer_events.id DESC LIMIT 1"""
            )
            return next((_signer(row) for row in rows if not row["retired"]), None)

    def find(self, name: str) -> Signer | None:
        """The signer who has or had this name, with or without the role; None if unknown."""
        with self._database.read() as db:
            signer_id = signer_named(db, name)
            return None if signer_id is None else _get(db, signer_id)

    def add(self, name: str, role: str = "") -> Signer:
        """Adds a signer. Raises InputError if the name is empty, or if somebody has or had it."""
        name, role = _cleaned(name, role)
        self._refuse_taken(name, None)
        with self._database.write() as db:
            record = {"name": name, "role": role, "created_at": clock.now()}
            signer = Signer(int(db["signers"].insert(record).last_pk), name, role)
            _record(db, signer, "add")
            return signer

    def rename(self, signer_id: int, name: str, role: str) -> Signer:
        """Changes name and role for future signatures. Raises as `add` does."""
        name, role = _cleaned(name, role)
        self._refuse_taken(name, signer_id)
        with self._database.write() as db:
            db["signers"].update(_get(db, signer_id).id, {"name": name, "role": role})
            return _recorded(db, signer_id, "rename")

    def retire(self, signer_id: int) -> Signer:
        """Retires a signer, who can then no longer be chosen."""
        with self._database.write() as db:
            db["signers"].update(_get(db, signer_id).id, {"retired": 1})
            return _recorded(db, signer_id, "retire")

    def restore(self, signer_id: int) -> Signer:
        """Lets a retired signer sign again."""
        with self._database.write() as db:
            db["signers"].update(_get(db, signer_id).id, {"retired": 0})
            return _recorded(db, signer_id, "restore")

    def choose(self, signer_id: int) -> Signer:
        """Records who signs from now on. Raises InputError if they are retired."""
        with self._database.write() as db:
            signer = _get(db, signer_id)
            if signer.retired:
                raise InputError(f"{signer.signature} no longer signs.", "Choose who signs.")
            return _recorded(db, signer_id, "choose")

    def _refuse_taken(self, name: str, signer_id: int | None) -> None:
        other = self.find(name)
        if other and other.id != signer_id:
            raise name_taken(other)


def named(reviewer: str) -> str:
    """The name that a step is signed with, cleaned. Raises InputError if it is empty."""
    reviewer = plain(reviewer).strip()
    if not reviewer:
        raise InputError("The review has no reviewer.", "Choose who signs.")
    return reviewer


def _cleaned(name: str, role: str) -> tuple[str, str]:
    name, role = (" ".join(plain(text).split()) for text in (name, role))
    if not name:
        raise InputError("A signer needs a name.", "Enter first and last name.")
    return name, role


def _get(db: Any, signer_id: int) -> Signer:
    for row in db.query("SELECT * FROM signers WHERE id = ?", [signer_id]):
        return _signer(row)
    raise InputError(f"There is no signer {signer_id}.", "Choose who signs.")


def _signer(row: Any) -> Signer:
    return Signer(row["id"], row["name"], row["role"], bool(row["retired"]))


def _recorded(db: Any, signer_id: int, action: str) -> Signer:
    signer = _get(db, signer_id)
    _record(db, signer, action)
    return signer


def _record(db: Any, signer: Signer, action: str) -> None:
    event = {
        "signer_id": signer.id,
        "action": action,
        "name": signer.name,
        "role": signer.role,
        "happened_at": clock.now(),
    }
    db["signer_events"].insert(event)
