"""Transcripts of dictations."""

from __future__ import annotations

import json
from typing import Any

from app.chart.records import ReviewedValue
from app.store.sqlite import clock
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from models.base.errors import InputError
from speech.transcript import Transcript


class Transcripts:
    """The transcripts of dictations. The last one of a dictation counts; earlier ones are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, dictation_id: int, transcript: Transcript) -> None:
        """Saves a dictation's transcript. Earlier ones are kept, because the evidence of values may point into them."""
        content = json.dumps(transcript.to_json())
        with self._database.write() as db:
            dictation = alive(db, dictation_id)
            chart.refuse_filed(db, dictation_id)
            former = last(db, dictation_id)
            if former is None or former["content"] != content:
                record = {"dictation_id": dictation_id, "content": content, "created_at": clock.now()}
                db["transcripts"].insert(record)
            elif dictation["status"] == "filled":
                return
            db["dictations"].update(dictation_id, {"status": "transcribed", "error": ""})

    def of(self, dictation_id: int) -> Transcript | None:
        """The last transcript of a dictation; None if there is none."""
        with self._database.read() as db:
            alive(db, dictation_id)
            row = last(db, dictation_id)
        return decoded(row) if row else None

    def of_evidence(self, value: ReviewedValue) -> Transcript | None:
        """The transcript that a value's evidence points into; None for a value added by hand."""
        if value.transcript_id is None:
            return None
        with self._database.read() as db:
            rows = list(db["transcripts"].rows_where("id = ?", [value.transcript_id]))
        if not rows:
            raise InputError(f"There is no transcript {value.transcript_id}.", "Look up the number and try again.")
        return decoded(rows[0])


# within one transaction


def last(db: Any, dictation_id: int) -> dict[str, Any] | None:
    """The row of a dictation's last transcript."""
    query = "SELECT * FROM transcripts WHERE dictation_id = ? ORDER BY id DESC LIMIT 1"
    return next(iter(db.query(query, [dictation_id])), None)


def decoded(row: dict[str, Any]) -> Transcript:
    return Transcript.from_json(json.loads(row["content"]))
