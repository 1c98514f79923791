"""Changes to whole dictations: moving, time, title, deletion, restoration and purge.

Each is recorded in an append-only table, `dictation_events` or `dictation_times`. Values and steps of review belong to
the encounter in which they were made (see `m0007_moved_renamed_deleted`), so that a move leaves them behind and moving
back restores them. A deleted dictation disappears at once; its content is removed from the disk days later.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from app.chart.dictation_titles import LONGEST, name_of
from app.chart.recording_time import ENTERED
from app.chart.records import DictationEvent, ReviewedValue, ReviewStatus, TimeChange
from app.store.sqlite import clock, codec, handover_tables, question_tables
from app.store.sqlite.codec import encode_value, plain
from app.store.transactions import chart, outbox
from app.store.transactions.review_steps import Decision, decide, insert_added, undo_step, write_step
from app.store.transactions.signatures import signed
from models.base.errors import InputError

_LAST_LIFE = """SELECT from_encounter_id, reopened_step FROM dictation_events
    WHERE dictation_id = ? AND action = 'move' AND from_patient_id = ? ORDER BY id DESC LIMIT 1"""


def alive(db: Any, dictation_id: int) -> dict[str, Any]:
    """The row of a dictation. Raises InputError if there is none or it is deleted."""
    rows: list[dict[str, Any]] = list(db["dictations"].rows_where("id = ?", [dictation_id]))
    if not rows:
        raise InputError(f"There is no dictation {dictation_id}.", "Look up the number and try again.")
    if rows[0]["deleted_at"] is not None:
        raise _deleted(rows[0], events(db, dictation_id))
    return rows[0]


def last_encounter(db: Any, dictation_id: int, patient_id: int) -> int | None:
    """The patient's encounter that a dictation was last moved away from; None if it never was theirs."""
    return next((row["from_encounter_id"] for row in db.query(_LAST_LIFE, [dictation_id, patient_id])), None)


def move(db: Any, dictation_id: int, encounter_id: int, reviewer: str, reason: str) -> DictationEvent:
    """Moves a dictation to another encounter; it must be filled again.

    Decisions about its values are taken back, which is recorded as a step of review. Values added by hand appear
    rejected in the new chart, where a person can accept them. Moving back restores the decisions made there, except for
    values whose cell now holds another one.

    Raises InputError if it is filed or already belongs to that patient.
    """
    row = alive(db, dictation_id)
    _refuse_filed(db, dictation_id, "move")
    left, entered = _patient_of(db, row["encounter_id"]), _patient_of(db, encounter_id)
    if left == entered:
        raise InputError("This dictation already belongs to this patient.", "Choose another patient.")
    values = chart.current(db, "dictation_id = ?", [dictation_id])
    outbox.withdraw(db, dictation_id, row["encounter_id"], reviewer)
    with chart.reopening_changed(db, dictation_id, reviewer):
        reopened, taken_back = _take_back(db, dictation_id, values, reviewer)
        former = next((row["reopened_step"] for row in db.query(_LAST_LIFE, [dictation_id, entered])), None)
        transcribed = list(db.query("SELECT 1 FROM transcripts WHERE dictation_id = ?", [dictation_id]))
        status = "transcribed" if transcribed else "recorded"
        db["dictations"].update(dictation_id, {"encounter_id": encounter_id, "status": status, "error": ""})
        db.execute("DELETE FROM runs WHERE dictation_id = ?", [dictation_id])
        if former is not None:
            undo_step(db, dictation_id, former, reviewer)
        _give_way(db, dictation_id, reviewer)
    carried = _carry(db, dictation_id, [value for value in values if value.status is ReviewStatus.ADDED], reviewer)
    return _record(
        db,
        row,
        "move",
        reviewer,
        reason,
        from_patient_id=left,
        to_patient_id=entered,
        from_encounter_id=row["encounter_id"],
        to_encounter_id=encounter_id,
        taken_back=taken_back,
        reopened_step=reopened,
        carried_step=carried,
    )


def change_time(db: Any, dictation_id: int, made_at: str, reviewer: str) -> None:
    """Changes the time of a dictation, at which its values without a spoken time are charted.

    Raises InputError if it is filed, or if the time is in the future.
    """
    row = alive(db, dictation_id)
    _refuse_filed(db, dictation_id, "change the time of")
    if made_at > clock.now():
        raise InputError("This time is in the future.", "Enter when the dictation was recorded.")
    if made_at == row["created_at"]:
        return
    db["dictations"].update(dictation_id, {"created_at": made_at, "time_source": ENTERED})
    db["dictation_times"].insert(
        {
            "dictation_id": dictation_id,
            "former": row["created_at"],
            "former_source": row["time_source"],
            "made_at": made_at,
            **signed(db, reviewer),
            "changed_at": clock.now(),
        }
    )


def times(db: Any, dictation_id: int) -> list[TimeChange]:
    """The changes of a dictation's time, in order."""
    rows = db.query("SELECT * FROM dictation_times WHERE dictation_id = ? ORDER BY id", [dictation_id])
    return [codec.time_change(row) for row in rows]


def rename(db: Any, dictation_id: int, title: str, reviewer: str) -> None:
    """Gives a dictation a title; an empty title restores its original name. Raises InputError if it is too long."""
    row, title = alive(db, dictation_id), " ".join(plain(title).split())
    if len(title) > LONGEST:
        raise InputError(f"The title has {len(title)} characters.", f"Use {LONGEST} at most.")
    if title != row["title"]:
        db["dictations"].update(dictation_id, {"title": title})
        _record(db, row, "rename", reviewer, "", renamed_to=title)


def delete(db: Any, dictation_id: int, reviewer: str, reason: str) -> DictationEvent:
    """Deletes a dictation; until purged, it can be restored. Raises InputError if it is filed, or without a reason."""
    row, reason = alive(db, dictation_id), " ".join(plain(reason).split())
    if not reason:
        raise InputError("No reason is given for deleting this dictation.", "Choose a reason, or enter your own.")
    _refuse_filed(db, dictation_id, "delete")
    outbox.withdraw(db, dictation_id, row["encounter_id"], reviewer)
    with chart.reopening_changed(db, dictation_id, reviewer):
        db["dictations"].update(dictation_id, {"deleted_at": clock.now()})
    return _record(db, row, "delete", reviewer, reason)


def restore(db: Any, dictation_id: int, reviewer: str) -> None:
    """Restores a deleted dictation. Values whose cell now holds another value must be decided again.

    Raises InputError if it is not deleted, or purged.
    """
    rows = list(db["dictations"].rows_where("id = ? AND deleted_at IS NOT NULL", [dictation_id]))
    if not rows:
        raise InputError(f"Dictation {dictation_id} is not deleted.", "There is nothing to restore.")
    if rows[0]["purged_at"] is not None:
        raise _deleted(rows[0], events(db, dictation_id))
    with chart.reopening_changed(db, dictation_id, reviewer):
        db["dictations"].update(dictation_id, {"deleted_at": None})
        taken_back = _give_way(db, dictation_id, reviewer)
    _record(db, rows[0], "restore", reviewer, "", taken_back=taken_back)


def deleted(db: Any, before: str | None = None) -> list[dict[str, Any]]:
    """The rows of deleted dictations that can be restored, last deleted first.

    With `before`, only those deleted earlier than that of which nothing waits in the outbox.
    """
    query = """SELECT * FROM dictations
        WHERE deleted_at IS NOT NULL AND purged_at IS NULL AND (? IS NULL OR (deleted_at < ? AND NOT EXISTS (
            SELECT 1 FROM outbox_open JOIN outbox_observations ON outbox_observations.message = outbox_open.message
            WHERE outbox_observations.dictation_id = dictations.id)))
        ORDER BY deleted_at DESC, id DESC"""
    return list(db.query(query, [before, before]))


def purge(db: Any, dictation_id: int) -> None:
    """Permanently removes transcripts, values and reviews of a deleted dictation. Its events stay."""
    (row,) = db["dictations"].rows_where("id = ? AND deleted_at IS NOT NULL", [dictation_id])
    values, steps = (
        f"(SELECT id FROM {table} WHERE dictation_id = :id)"  # noqa: S608 - a constant
        for table in ("row_values", "review_steps")
    )
    for statement in (
        f"DELETE FROM replacements WHERE value_id IN {values} OR replaced_id IN {values} OR step_id IN {steps}",  # noqa: S608
        f"DELETE FROM reviews WHERE step_id IN {steps}",  # noqa: S608
        "DELETE FROM review_steps WHERE dictation_id = :id",
        "DELETE FROM row_values WHERE dictation_id = :id",
        "DELETE FROM transcripts WHERE dictation_id = :id",
        "DELETE FROM runs WHERE dictation_id = :id",
        "DELETE FROM identity_answers WHERE dictation_id = :id",  # they contain spoken names
    ):
        db.execute(statement, {"id": dictation_id})
    outbox.forget(db, dictation_id)
    question_tables.forget(db, dictation_id)
    db["dictations"].update(dictation_id, {"purged_at": clock.now(), "error": ""})
    handover_tables.purge(db, dictation_id, row["encounter_id"])
    _record(db, row, "purge", "", "")


def events(db: Any, dictation_id: int) -> list[DictationEvent]:
    """The events of a dictation, earliest first."""
    query = "SELECT * FROM dictation_events WHERE dictation_id = ? ORDER BY id"
    return [codec.dictation_event(row) for row in db.query(query, [dictation_id])]


def _take_back(db: Any, dictation_id: int, values: Iterable[ReviewedValue], reviewer: str) -> tuple[int | None, int]:
    """Takes decisions back in one step; returns its id, None if there were none, and their number.

    Values added by hand are rejected.
    """
    decisions = [decide(value, "reopen" if value.filled else "reject", None, None) for value in values]
    written = [decision for decision in decisions if decision]
    step = write_step(db, dictation_id, reviewer, written, collect=False) if written else None
    return step, len(written)


def _give_way(db: Any, dictation_id: int, reviewer: str) -> int:
    """Takes back accepted values of a restored dictation whose cell now holds another value; returns their number."""
    taken = chart.conflicts_of(db, dictation_id).keys()
    values = [value for value in chart.by_ids(db, taken) if value.stands]
    return _take_back(db, dictation_id, values, reviewer)[1]


def _carry(db: Any, dictation_id: int, added: Sequence[ReviewedValue], reviewer: str) -> int | None:
    """Adds values that were added by hand for the former patient, as rejected, unless they are there already.

    Returns the step's id, None if there was nothing to add.
    """
    known = {_content(value) for value in chart.current(db, "dictation_id = ? AND filled IS NULL", [dictation_id])}
    decisions = [
        Decision(
            insert_added(db, dictation_id, value.row_id, value.quote, value.transcript_id),
            "add",
            ReviewStatus.REJECTED,
            value.value,
            value.unit,
            value.observed_at,
        )
        for value in added
        if _content(value) not in known
    ]
    return write_step(db, dictation_id, reviewer, decisions, collect=False) if decisions else None


def _content(value: ReviewedValue) -> tuple[str | None, ...]:
    return value.row_id, encode_value(value.value), value.unit, value.observed_at


def _patient_of(db: Any, encounter_id: int) -> int:
    (row,) = db.query("SELECT patient_id FROM encounters WHERE id = ?", [encounter_id])
    return int(row["patient_id"])


def _refuse_filed(db: Any, dictation_id: int, what: str) -> None:
    if list(db.query("SELECT 1 FROM standing_filings WHERE dictation_id = ?", [dictation_id])):
        raise InputError("This dictation is filed.", f"Reopen it first, then {what} it.")


def _deleted(row: dict[str, Any], past: Sequence[DictationEvent]) -> InputError:
    name = name_of(row["title"], row["original_name"], row["created_at"])
    last = next(event for event in reversed(past) if event.action == "delete")
    purged = row["purged_at"] is not None
    return InputError(
        f"{name} (dictation {row['id']}) was deleted by {last.reviewer}: {last.reason}.",
        "It can no longer be restored." if purged else f"Restore it with: wardlight restore {row['id']}.",
    )


def _record(
    db: Any, row: dict[str, Any], action: str, reviewer: str, reason: str, **facts: int | str | None
) -> DictationEvent:
    record = {
        "dictation_id": row["id"],
        "action": action,
        **signed(db, reviewer),
        "happened_at": clock.now(),
        "reason": " ".join(plain(reason).split()),
        "name": name_of(row["title"], row["original_name"], row["created_at"]),
        "sha256": row["sha256"],
        **facts,
    }
    number = db["dictation_events"].insert(record).last_pk
    (written,) = db["dictation_events"].rows_where("id = ?", [number])
    return codec.dictation_event(written)
