"""Answers to the question of whose dictation it is, if it names somebody other than its patient."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from app.chart.dictation_identity import is_answered, refusal
from app.chart.records import IdentityAnswer
from app.store.runs import run_of
from app.store.signers import named
from app.store.sqlite import clock, codec
from app.store.sqlite.codec import plain
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from app.store.transactions.signatures import signed
from models.base.errors import InputError


class IdentityAnswers:
    """Answers to the question of whose dictation it is. The last one counts, for its patient and its names only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def confirm(self, dictation_id: int, patient_id: int, called: Collection[str], reviewer: str) -> None:
        """Records that a dictation is about its patient although it names others, as in `called`.

        Raises InputError if it is filed or now belongs to another patient, or if the reviewer has no name.
        """
        reviewer = named(reviewer)
        with self._database.write() as db:
            alive(db, dictation_id)
            chart.refuse_filed(db, dictation_id)
            if _patient(db, dictation_id)["id"] != patient_id:
                raise InputError(
                    "This dictation now belongs to another patient.", "Open it again and check the patient."
                )
            _record(db, dictation_id, patient_id, "same", called, reviewer)

    def withdraw(self, dictation_id: int, reviewer: str) -> None:
        """Withdraws the answer. Raises InputError if there is none, or if the dictation is filed."""
        reviewer = named(reviewer)
        with self._database.write() as db:
            chart.refuse_filed(db, dictation_id)
            answer = standing(db, dictation_id)
            if answer is None:
                raise InputError("Nobody has said whose dictation this is.", "There is nothing to undo.")
            _record(db, dictation_id, answer.patient_id, "withdrawn", (), reviewer)

    def of(self, dictation_id: int) -> IdentityAnswer | None:
        """The last answer for a dictation; None if there is none or it was withdrawn."""
        with self._database.read() as db:
            return standing(db, dictation_id)

    def refuse_unsure(self, dictation_id: int) -> None:
        """Raises UnsureIdentity if a dictation names somebody other than its patient, without an answer."""
        with self._database.read() as db:
            refuse_unsure(db, dictation_id)


# within one transaction


def standing(db: Any, dictation_id: int) -> IdentityAnswer | None:
    """The last answer; None if there is none or it was withdrawn."""
    query = "SELECT * FROM identity_answers WHERE dictation_id = ? ORDER BY id DESC LIMIT 1"
    row = next(iter(db.query(query, [dictation_id])), None)
    return codec.identity_answer(row) if row and row["answer"] == "same" else None


def refuse_unsure(db: Any, dictation_id: int) -> None:
    """Raises UnsureIdentity if a dictation names somebody other than its patient, without an answer."""
    # not in SQL: a run may contain NaN, which SQLite rejects as malformed JSON
    naming = run_of(db, dictation_id).naming
    if not naming.doubtful:
        return
    patient = codec.patient(_patient(db, dictation_id))
    if not is_answered(naming, patient, standing(db, dictation_id)):
        raise refusal(naming, patient)


def _patient(db: Any, dictation_id: int) -> dict[str, Any]:
    query = """SELECT patients.* FROM dictations JOIN encounters ON encounters.id = dictations.encounter_id
        JOIN patients ON patients.id = encounters.patient_id WHERE dictations.id = ?"""
    (row,) = db.query(query, [dictation_id])
    return dict(row)


def _record(db: Any, dictation_id: int, patient_id: int, answer: str, called: Collection[str], reviewer: str) -> None:
    db["identity_answers"].insert(
        {
            "dictation_id": dictation_id,
            "patient_id": patient_id,
            "answer": answer,
            "called": json.dumps(sorted(map(plain, called))),
            **signed(db, reviewer),
            "answered_at": clock.now(),
        }
    )
