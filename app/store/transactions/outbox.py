"""Messages in the outbox: put there, followed by events, and asked for what they told."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

from app.record.outbox import Entry, MessageState, OutboxMessage, Piece, Told
from app.store.sqlite import clock
from app.store.sqlite.codec import plain
from app.store.sqlite.derived import REPLACED_BY
from app.store.transactions.signatures import signed

_ID_BYTES = 10  # 20 hexadecimal digits; by chance, because numbers would come again after a backup was restored
_LONGEST_REASON = 500

_MESSAGES = """SELECT queued.*, encounters.patient_id, last.event AS state, last.happened_at AS since, last.due,
        last.reason, (SELECT count(*) FROM outbox_events
            WHERE message = queued.number AND event IN ('failed', 'unknown')) AS tries
    FROM outbox_messages AS queued
    JOIN encounters ON encounters.id = queued.encounter_id
    JOIN outbox_events AS last
        ON last.number = (SELECT max(number) FROM outbox_events WHERE message = queued.number)"""
_REFUSED = "last.event = 'refused'"
# Each try ended as a sure failure or a refusal. A refusal is about the try before it alone: a receiver that took one to
# which no answer came refuses the next, as a duplicate or because the sign-in has expired.
_SURELY_NOT_TOLD = """(NOT EXISTS (
        SELECT 1 FROM outbox_events WHERE message = queued.number AND (event = 'unknown' OR event = 'sent'
            AND number > coalesce((
                SELECT max(number) FROM outbox_events WHERE message = queued.number AND event = 'refused'), 0)))
    AND 'sending' <> coalesce((
        SELECT event FROM outbox_events WHERE message = queued.number
            AND event IN ('sending', 'sent', 'unknown', 'failed', 'refused') ORDER BY number DESC LIMIT 1), ''))"""
_AMONG = "(SELECT value FROM json_each(?))"


def messages(db: Any, condition: str, parameters: Sequence[Any] = ()) -> list[OutboxMessage]:
    """The messages that meet a condition, in the order in which they were queued."""
    rows = db.query(f"{_MESSAGES} WHERE {condition} ORDER BY queued.number", parameters)
    return [OutboxMessage(**row | {"state": MessageState(row["state"])}) for row in rows]


def put(db: Any, dictation_id: int, encounter_id: int, entries: Iterable[Entry]) -> int:
    """Queues a message; returns its number."""
    message = db["outbox_messages"].insert(
        {
            "id": secrets.token_hex(_ID_BYTES),
            "dictation_id": dictation_id,
            "encounter_id": encounter_id,
            "created_at": clock.now(),
        }
    )
    number = int(message.last_pk)
    for entry in entries:
        observation = db["outbox_observations"].insert(
            {
                "message": number,
                "id": entry.id,
                "version": entry.version,
                "withdrawn": int(entry.withdrawn),
                "source": entry.source,
                "value_id": entry.value_id,
                "dictation_id": entry.dictation_id,
            }
        )
        db["outbox_contents"].insert_all(
            {
                "observation": observation.last_pk,
                "part": part,
                "dictation_id": piece.dictation_id,
                "content": plain(piece.content),
            }
            for part, piece in enumerate(entry.pieces)
        )
    record(db, number, MessageState.QUEUED)
    return number


def record(
    db: Any, number: int, event: MessageState, *, due: str | None = None, reason: str = "", reviewer: str = ""
) -> None:
    """Records what became of a message."""
    db["outbox_events"].insert(
        {
            "message": number,
            "event": event.value,
            "happened_at": clock.now(),
            "due": due,
            "reason": " ".join(plain(reason).split())[:_LONGEST_REASON],
            **signed(db, reviewer),
        }
    )


def withdraw(db: Any, dictation_id: int, encounter_id: int, reviewer: str) -> None:
    """Queues the withdrawal of everything that is told of a dictation, which leaves this stay or is deleted.

    Messages about it that the receiver surely does not have are cancelled.
    """
    _take_out(db, dictation_id, _SURELY_NOT_TOLD, reviewer)
    found = told(db, "dictation_id = ?", [dictation_id])
    if valid := [one for one in found if one.valid and one.dictation_id == dictation_id]:
        put(db, dictation_id, encounter_id, [one.withdrawal() for one in valid])


def cancel_refused(db: Any, dictation_id: int, reviewer: str) -> None:
    """Takes out the refused messages of a dictation, since what is decided now is told instead."""
    _take_out(db, dictation_id, _REFUSED, reviewer)


def taken_out(db: Any, number: int) -> MessageState:
    """What a message becomes that is taken out: cancelled if the receiver surely does not have it, else abandoned."""
    surely_not_told = messages(db, f"queued.number = ? AND {_SURELY_NOT_TOLD}", [number])
    return MessageState.CANCELLED if surely_not_told else MessageState.ABANDONED


def _take_out(db: Any, dictation_id: int, condition: str, reviewer: str) -> None:
    about = f"queued.number IN (SELECT message FROM outbox_open) AND queued.dictation_id = ? AND {condition}"  # noqa: S608
    for message in messages(db, about, [dictation_id]):
        record(db, message.number, taken_out(db, message.number), reviewer=reviewer)


def told(db: Any, condition: str, parameters: Sequence[Any]) -> list[Told]:
    """What was last told under each id of which any version meets a condition, in the order of telling."""
    concerned = f"SELECT DISTINCT id FROM outbox_observations WHERE {condition}"  # noqa: S608 - a constant
    ids = json.dumps([row["id"] for row in db.query(concerned, parameters)])
    query = f"""SELECT told.id, told.number, told.version, told.source, told.withdrawn, told.value_id,
            told.dictation_id, told.number IN (SELECT number FROM told_observations WHERE id IN {_AMONG}) AS counts,
            EXISTS (SELECT 1 FROM charted_values WHERE value_id = told.value_id) AS stands,
            outbox_messages.id AS message
        FROM outbox_observations AS told JOIN outbox_messages ON outbox_messages.number = told.message
        WHERE told.id IN {_AMONG} ORDER BY told.number"""  # noqa: S608 - built of constants
    versions: dict[str, list[dict[str, Any]]] = {}
    for row in db.query(query, [ids, ids]):
        versions.setdefault(row["id"], []).append(row)
    found = [_told(db, rows) for rows in versions.values()]
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def _told(db: Any, versions: Sequence[dict[str, Any]]) -> tuple[int, Told]:
    last = next((row for row in reversed(versions) if row["counts"]), None)
    shown = last or versions[-1]
    return shown["number"], Told(
        id=shown["id"],
        version=max(row["version"] for row in versions),
        valid=last is not None and not last["withdrawn"],
        source=shown["source"],
        sources=frozenset(row["source"] for row in versions),
        stands=bool(shown["stands"]),
        value_id=shown["value_id"],
        dictation_id=shown["dictation_id"],
        message=last["message"] if last else "",
        pieces=pieces(db, "told.number = ?", shown["number"]).get(shown["number"], ()),
    )


def pieces(db: Any, condition: str, parameter: int) -> dict[int, tuple[Piece, ...]]:
    """By number of an observation, what it says; those of which the record was removed are left out."""
    query = f"""SELECT content.* FROM outbox_contents AS content
        JOIN outbox_observations AS told ON told.number = content.observation
        WHERE {condition} ORDER BY content.observation, content.part"""  # noqa: S608 - a constant
    found: dict[int, tuple[Piece, ...]] = {}
    for row in db.query(query, [parameter]):
        if row["part"] == 0 or row["observation"] in found:
            piece = Piece(row["dictation_id"], row["content"])
            found[row["observation"]] = (*found.get(row["observation"], ()), piece)
    return found


def replaced_values(db: Any, value_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """By id of a value, the ids of those that it replaced in the chart, and of those that they had replaced."""
    query = f"""SELECT v.id, {REPLACED_BY} AS replaced_by FROM row_values AS v WHERE v.id IN (
        SELECT replaced_id FROM replacements WHERE value_id IN {_AMONG})"""  # noqa: S608 - built of constants
    found: dict[int, list[int]] = {value_id: [] for value_id in value_ids}
    holders = {value_id: value_id for value_id in found}  # the value that now stands in the place of each one
    fresh = list(found)
    while fresh:
        rows = [row for row in db.query(query, [json.dumps(fresh)]) if row["id"] not in holders]
        fresh = []
        for row in rows:
            if (holder := holders.get(row["replaced_by"])) is not None:
                holders[row["id"]] = holder
                found[holder].append(row["id"])
                fresh.append(row["id"])
    return {value_id: tuple(ids) for value_id, ids in found.items() if ids}


def forget(db: Any, dictation_id: int) -> None:
    """Removes the words of a deleted dictation; which messages there were, with which ids, stays on record."""
    db.execute("DELETE FROM outbox_contents WHERE dictation_id = ?", [dictation_id])
    db.execute(
        """UPDATE outbox_events SET reason = '' WHERE reason <> ''
            AND message IN (SELECT message FROM outbox_observations WHERE dictation_id = ?)""",
        [dictation_id],
    )
