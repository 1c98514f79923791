"""How a review changes a value, and how steps of review are stored and undone.

One action of a person, on any number of values, is one step. Steps and reviews are append-only: undo adds a step that
refers to the undone one. The last review of a value in a step that is not undone determines its state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.chart.records import ACCEPTED, UNCHANGED, ReviewedValue, ReviewStatus
from app.record.codec import encode_evidence
from app.record.values import Evidence
from app.store.sqlite import clock
from app.store.sqlite.codec import encode_value
from app.store.transactions.signatures import signed
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.values import Value

Action = Literal["confirm", "edit", "reject", "reopen"]
ACTIONS: tuple[Action, ...] = ("confirm", "edit", "reject", "reopen")


@dataclass(frozen=True, slots=True)
class Decision:
    """The state of a value after a review; `confirmed_outside` as in `ReviewedValue`."""

    value_id: int
    action: str
    status: ReviewStatus
    value: Value
    unit: str | None
    observed_at: str | None = None
    confirmed_outside: Outside | None = None


def decide(
    item: ReviewedValue,
    action: Action,
    value: Value | None,
    unit: str | None,
    observed_at: str | None = UNCHANGED,
    *,
    outside: Outside | None = None,
    again: bool = False,
) -> Decision | None:
    """The state after an action; None if it changes nothing, unless decided `again`.

    `confirm` accepts the value as it is, `edit` another one; `reopen` restores what was proposed or added. A corrected
    value never counts as merely confirmed, and a value added by hand stays added. `outside` is the range that a person
    confirmed an accepted value outside of; if the value does not change, an earlier confirmation is kept.
    """
    filled = item.filled
    if action == "edit":
        assert value is not None, "an edit needs the new value"
        observed_at = item.observed_at if observed_at == UNCHANGED else observed_at
    elif action == "reopen" and filled is not None:
        value, unit, observed_at = filled.value, filled.unit, filled.observed_at
    else:
        value, unit, observed_at = item.value, item.unit, item.observed_at
    state = (value, unit, observed_at)
    if action == "reject":
        status = ReviewStatus.REJECTED
    elif filled is None:
        status = ReviewStatus.ADDED
    elif action == "reopen":
        status = ReviewStatus.PROPOSED
    else:
        proposed = (filled.value, filled.unit, filled.observed_at)
        status = ReviewStatus.CONFIRMED if _same(state, proposed) else ReviewStatus.EDITED
    if outside is None and item.status in ACCEPTED and _same(state, (item.value, item.unit, observed_at)):
        outside = item.confirmed_outside
    outside = outside if status in ACCEPTED else None
    unchanged = status is item.status and outside is item.confirmed_outside
    if not again and unchanged and _same(state, (item.value, item.unit, item.observed_at)):
        return None
    return Decision(item.id, action, status, value, unit, observed_at, outside)


def _same(state: tuple[Value, str | None, str | None], other: tuple[Value, str | None, str | None]) -> bool:
    """Whether value, unit and time of observation are equal."""
    return encode_value(state[0]) == encode_value(other[0]) and state[1:] == other[1:]


def write_step(db: Any, dictation_id: int, reviewer: str, decisions: Sequence[Decision], *, collect: bool) -> int:
    """Stores decisions as one step; returns its id."""
    step = _add_step(db, dictation_id, reviewer, collect=collect)
    db["reviews"].insert_all(
        {
            "step_id": step,
            "value_id": decision.value_id,
            "action": decision.action,
            "status": decision.status.value,
            "value": encode_value(decision.value),
            "unit": decision.unit,
            "observed_at": decision.observed_at,
            "confirmed_outside": decision.confirmed_outside.value if decision.confirmed_outside else None,
        }
        for decision in decisions
    )
    return step


def last_standing_step(db: Any, dictation_id: int) -> int | None:
    """Id of the step to undo next, None if there is none; steps that a move carried over do not count."""
    query = """SELECT max(id) AS id FROM standing_steps WHERE dictation_id = ?
        AND id NOT IN (SELECT carried_step FROM dictation_events WHERE dictation_id = ? AND carried_step IS NOT NULL)"""
    (row,) = db.query(query, [dictation_id, dictation_id])
    return None if row["id"] is None else int(row["id"])


def undo_step(db: Any, dictation_id: int, step: int, reviewer: str) -> list[int]:
    """Undoes a step; returns the ids of its values."""
    _add_step(db, dictation_id, reviewer, undoes=step)
    return [row["value_id"] for row in db.query("SELECT value_id FROM reviews WHERE step_id = ?", [step])]


def _add_step(db: Any, dictation_id: int, reviewer: str, *, undoes: int | None = None, collect: bool = False) -> int:
    record = {
        "dictation_id": dictation_id,
        "encounter_id": encounter_of(db, dictation_id),
        "undoes": undoes,
        **signed(db, reviewer),
        "reviewed_at": clock.now(),
        "collected": int(collect),
    }
    return int(db["review_steps"].insert(record).last_pk)


def insert_value(db: Any, dictation_id: int, row_id: str, **content: object) -> int:
    """Inserts a value of a dictation, for its current encounter; returns its id."""
    record = {
        "dictation_id": dictation_id,
        "encounter_id": encounter_of(db, dictation_id),
        "row_id": row_id,
        "superseded": 0,
        "created_at": clock.now(),
        **content,
    }
    return int(db["row_values"].insert(record).last_pk)


def insert_added(
    db: Any, dictation_id: int, row_id: str, quote: Evidence | None = None, transcript_id: int | None = None
) -> int:
    """Inserts a value that a person adds, for the words of a transcript if they are given; returns its id."""
    said = encode_evidence(quote) if quote else None
    return insert_value(db, dictation_id, row_id, quote=said, transcript_id=transcript_id)


def encounter_of(db: Any, dictation_id: int) -> int:
    (row,) = db.query("SELECT encounter_id FROM dictations WHERE id = ?", [dictation_id])
    return int(row["encounter_id"])
