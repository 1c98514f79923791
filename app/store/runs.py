"""Runs: the proposals and the record of the last run replace those of earlier ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.chart.records import ACCEPTED, ReviewedValue
from app.record.codec import decode_run, encode_proposed, encode_run
from app.record.run import NO_RUN, RunRecord
from app.record.values import ProposedValue
from app.store import transcripts
from app.store.sqlite import clock
from app.store.sqlite.codec import encode_value
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from app.store.transactions.review_steps import encounter_of
from models.base.errors import InputError


class Runs:
    """The results of the pipeline's runs."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(
        self,
        dictation_id: int,
        values: Iterable[ProposedValue],
        run: RunRecord,
        *,
        encounter_id: int | None = None,
    ) -> None:
        """Stores the proposals of a run and marks the dictation as filled.

        They replace earlier proposals. Values that a person has decided about stay, and are not proposed again.

        Args:
            encounter_id: the encounter that the run was made for; InputError if the dictation was moved since.
        """
        with self._database.write() as db:
            alive(db, dictation_id)
            chart.refuse_filed(db, dictation_id)
            encounter = encounter_of(db, dictation_id)
            if encounter_id not in (None, encounter):
                raise InputError(
                    "This dictation was moved to another patient while it was processed.", "Fill it again."
                )
            transcript = transcripts.last(db, dictation_id)
            db.execute(
                """UPDATE row_values SET superseded = 1 WHERE id IN
                    (SELECT id FROM current_values WHERE dictation_id = ? AND status IS NULL)""",
                [dictation_id],
            )
            decided = {key for kept in chart.current(db, "dictation_id = ?", [dictation_id]) for key in _decided(kept)}
            created_at = clock.now()
            db["row_values"].insert_all(
                {
                    "dictation_id": dictation_id,
                    "encounter_id": encounter,
                    "transcript_id": transcript["id"] if transcript else None,
                    "row_id": filled.row_id,
                    "filled": encode_proposed(filled),
                    "superseded": 0,
                    "created_at": created_at,
                }
                for filled in values
                if decided.isdisjoint(_keys(filled))
            )
            db["dictations"].update(dictation_id, {"status": "filled", "error": ""})
            db["runs"].insert({"dictation_id": dictation_id, "record": encode_run(run)}, replace=True)

    def of(self, dictation_id: int) -> RunRecord:
        """The record of a dictation's last complete run; NO_RUN if there is none."""
        with self._database.read() as db:
            alive(db, dictation_id)
            return run_of(db, dictation_id)


# within one transaction


def run_of(db: Any, dictation_id: int) -> RunRecord:
    """The record of a dictation's last complete run; NO_RUN if there is none."""
    for row in db.query("SELECT record FROM runs WHERE dictation_id = ?", [dictation_id]):
        return decode_run(row["record"])
    return NO_RUN


def _keys(filled: ProposedValue) -> set[tuple[str | None, ...]]:
    value = (filled.row_id, encode_value(filled.value), filled.unit, filled.observed_at)
    return {value, (*value, filled.evidence.text)}


def _decided(kept: ReviewedValue) -> set[tuple[str | None, ...]]:
    """Keys of what a person has decided: the same words with the same value and, if accepted, the value itself.

    Both include the time of observation.
    """
    keys: set[tuple[str | None, ...]] = set()
    if kept.filled is not None:
        proposed = (kept.row_id, encode_value(kept.filled.value), kept.filled.unit, kept.filled.observed_at)
        keys.add((*proposed, kept.filled.evidence.text))
    if kept.status in ACCEPTED:
        keys.add((kept.row_id, encode_value(kept.value), kept.unit, kept.observed_at))
    return keys
