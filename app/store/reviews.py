"""Reviews: decisions about values, and undo. `app.store.transactions.review_steps` describes how they are stored."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, get_args

from app.chart.records import UNCHANGED, ReviewedValue, ReviewStatus
from app.record.codec import encode_proposed
from app.record.values import Evidence, ProposedValue
from app.store import transcripts
from app.store.identity_answers import refuse_unsure
from app.store.signers import named
from app.store.sqlite.database import Database
from app.store.transactions import chart
from app.store.transactions.dictation_changes import alive
from app.store.transactions.review_steps import (
    Action,
    Decision,
    decide,
    insert_added,
    insert_value,
    last_standing_step,
    undo_step,
    write_step,
)
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.values import Value
from models.base.errors import InputError

_WITHIN: Mapping[int, Outside] = MappingProxyType({})  # no value was confirmed outside a range


class Reviews:
    """Decisions about values. Each call is one step of undo.

    `collect` says that the dictation may become an example to learn from.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def decide(
        self,
        value_id: int,
        action: Action,
        reviewer: str,
        value: Value | None = None,
        unit: str | None = None,
        *,
        observed_at: str | None = UNCHANGED,
        collect: bool = False,
        replacing: bool = False,
        outside: Outside | None = None,
    ) -> ReviewedValue:
        """Records a decision about one value.

        Args:
            value, unit, observed_at: those of an `edit`, which keeps the time of observation by default.
            replacing: whether an accepted value replaces another one in its cell (see `app.chart.cells`). Both stay on
                record; undo restores the other one. If its dictation is filed, it is reopened.
            outside: the range of its row that the person confirmed it outside of.

        Raises:
            Conflict: without `replacing`, if its cell holds another value.
            InputError: also if the value is gone (a later run replaced it), the dictation is filed, or the reviewer has
                no name.
        """
        return self._decide(
            [value_id],
            action,
            reviewer,
            value,
            unit,
            observed_at,
            collect=collect,
            replacing=replacing,
            outside={value_id: outside} if outside else _WITHIN,
        )[0]

    def decide_all(
        self,
        value_ids: Sequence[int],
        action: Action,
        reviewer: str,
        *,
        collect: bool = False,
        outside: Mapping[int, Outside] = _WITHIN,
    ) -> list[ReviewedValue]:
        """Records the same decision (not `edit`) about several values of one dictation, all or none.

        `outside` as in `decide`, by id.
        """
        return self._decide(value_ids, action, reviewer, collect=collect, outside=outside)

    def _decide(
        self,
        value_ids: Sequence[int],
        action: Action,
        reviewer: str,
        value: Value | None = None,
        unit: str | None = None,
        observed_at: str | None = UNCHANGED,
        *,
        collect: bool,
        replacing: bool = False,
        outside: Mapping[int, Outside] = _WITHIN,
    ) -> list[ReviewedValue]:
        if action not in get_args(Action) or (action == "edit") != (value is not None):
            raise ValueError(f"{action!r} with a value of {type(value).__name__}")
        reviewer = named(reviewer)
        ids = list(dict.fromkeys(value_ids))
        with self._database.write() as db:
            items = chart.by_ids(db, ids)
            if missing := set(ids) - {item.id for item in items}:
                raise InputError(
                    f"Value {min(missing)} no longer exists.",
                    "Open the dictation again and review its current values.",
                )
            if len(concerned := {item.dictation_id for item in items}) > 1:
                raise ValueError("one step of review concerns one dictation")
            if action in ("confirm", "edit") and concerned:
                refuse_unsure(db, next(iter(concerned)))
            decided = [
                decide(item, action, value, unit, observed_at, outside=outside.get(item.id), again=replacing)
                for item in items
            ]
            if decisions := [decision for decision in decided if decision]:
                _write(db, concerned.pop(), reviewer, decisions, collect=collect, replacing=replacing)
            return chart.by_ids(db, ids)

    def add(
        self,
        dictation_id: int,
        row_id: str,
        value: Value,
        unit: str | None,
        reviewer: str,
        *,
        collect: bool = False,
        outside: Outside | None = None,
        quote: Evidence | None = None,
        observed_at: str | None = None,
    ) -> ReviewedValue:
        """Adds a value by hand, for the words of the transcript that `quote` gives; `outside` as in `decide`.

        Raises Conflict if its cell holds another value, InputError also if the words are not in the transcript, the
        dictation is filed, or the reviewer has no name.
        """
        reviewer = named(reviewer)
        with self._database.write() as db:
            alive(db, dictation_id)
            refuse_unsure(db, dictation_id)
            transcript_id = _quoted(db, dictation_id, quote) if quote else None
            value_id = insert_added(db, dictation_id, row_id, quote, transcript_id)
            added = Decision(value_id, "add", ReviewStatus.ADDED, value, unit, observed_at, outside)
            _write(db, dictation_id, reviewer, [added], collect=collect)
            return chart.by_ids(db, [value_id])[0]

    def take(
        self,
        dictation_id: int,
        filled: ProposedValue,
        reviewer: str,
        *,
        status: Literal[ReviewStatus.CONFIRMED, ReviewStatus.REJECTED] = ReviewStatus.CONFIRMED,
        collect: bool = False,
        outside: Outside | None = None,
    ) -> ReviewedValue:
        """Adds a value that the last run held back, as if it had been proposed and then confirmed or rejected.

        `outside` as in `decide`. Raises Conflict if its cell holds another value, InputError also if its words are not
        in the transcript, it was already added, the dictation is filed, or the reviewer has no name.
        """
        reviewer = named(reviewer)
        with self._database.write() as db:
            alive(db, dictation_id)
            if status is ReviewStatus.CONFIRMED:
                refuse_unsure(db, dictation_id)
            transcript_id = _quoted(db, dictation_id, filled.evidence)
            if any(kept.filled == filled for kept in chart.current(db, "dictation_id = ?", [dictation_id])):
                raise InputError("This value is already in the flowsheet.", "Check it there.")
            value_id = insert_value(
                db, dictation_id, filled.row_id, filled=encode_proposed(filled), transcript_id=transcript_id
            )
            taken = Decision(value_id, "add", status, filled.value, filled.unit, filled.observed_at, outside)
            _write(db, dictation_id, reviewer, [taken], collect=collect)
            return chart.by_ids(db, [value_id])[0]

    def collected(self, dictation_id: int) -> bool:
        """True if a dictation has decisions that are not undone, and all of them were made with `collect`."""
        query = "SELECT coalesce(min(collected), 0) AS collected FROM standing_steps WHERE dictation_id = ?"
        with self._database.read() as db:
            alive(db, dictation_id)
            (row,) = db.query(query, [dictation_id])
        return bool(row["collected"])

    def can_undo(self, dictation_id: int) -> bool:
        with self._database.read() as db:
            return last_standing_step(db, dictation_id) is not None

    def last_steps(self, encounter_ids: Iterable[int]) -> dict[int, int | None]:
        """The latest step of each of these encounters, whatever its dictation; None if there is none."""
        query = """SELECT value AS encounter_id, (SELECT max(id) FROM review_steps WHERE encounter_id = value) AS id
            FROM json_each(?)"""
        with self._database.read() as db:
            return {row["encounter_id"]: row["id"] for row in db.query(query, [json.dumps(list(encounter_ids))])}

    def undo(self, dictation_id: int, reviewer: str) -> list[ReviewedValue]:
        """Undoes the last step and returns its values as they are now, without added or taken ones, which disappear.

        Raises Conflict if a restored value conflicts with one accepted since, InputError also if there is nothing to
        undo, the dictation is filed, or the reviewer has no name.
        """
        reviewer = named(reviewer)
        with self._database.write() as db:
            alive(db, dictation_id)
            chart.refuse_filed(db, dictation_id)
            step = last_standing_step(db, dictation_id)
            if step is None:
                raise InputError("There is nothing to undo.", "Every decision about this dictation is already undone.")
            with chart.reopening_changed(db, dictation_id, reviewer):
                touched = undo_step(db, dictation_id, step, reviewer)
            chart.refuse_conflicts(db, touched)
            return chart.by_ids(db, touched)


def _quoted(db: Any, dictation_id: int, said: Evidence) -> int:
    """Id of the transcript that has the words; raises InputError if they are not in the last one."""
    last = transcripts.last(db, dictation_id)
    if last is None or transcripts.decoded(last).text[said.start : said.end] != said.text:
        raise InputError(
            f"“{said.text}” is no longer at its place in the transcript.",
            "Open the dictation again and review its current values.",
        )
    return int(last["id"])


def _write(
    db: Any,
    dictation_id: int,
    reviewer: str,
    decisions: Sequence[Decision],
    *,
    collect: bool,
    replacing: bool = False,
) -> None:
    chart.refuse_filed(db, dictation_id)
    with chart.reopening_changed(db, dictation_id, reviewer):
        step = write_step(db, dictation_id, reviewer, decisions, collect=collect)
        ids = [decision.value_id for decision in decisions]
        if replacing:
            chart.replace(db, step, ids)
        chart.refuse_conflicts(db, ids)
