"""The outbox: what the receiver has to be told of filed dictations, kept until it is acknowledged."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

from app.record.outbox import Entry, MessageState, OutboxMessage, QueuedObservation, Told
from app.store.signers import named
from app.store.sqlite import clock
from app.store.sqlite.database import Database
from app.store.transactions import outbox
from models.base.errors import InputError

_ALL_OPEN = "queued.number IN (SELECT message FROM outbox_open)"


class Outbox:
    """Messages with their events. Moving or deleting a dictation queues messages, too, see `Dictations`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @property
    def installation(self) -> UUID:
        """What tells the observations of this database from those of others; it goes with a backup."""
        with self._database.read() as db:
            (row,) = db.query("SELECT uuid FROM installation")
        return UUID(row["uuid"])

    def one(self, number: int) -> OutboxMessage:
        """A message by number. Raises InputError if there is none."""
        with self._database.read() as db:
            found = outbox.messages(db, "queued.number = ?", [number])
        if not found:
            raise InputError(f"There is no message {number} in the outbox.", "Look up the number and try again.")
        return found[0]

    def open(self) -> list[OutboxMessage]:
        """The messages of which something can still become, in order."""
        with self._database.read() as db:
            return outbox.messages(db, _ALL_OPEN)

    def newest(self, most: int) -> list[OutboxMessage]:
        """The open messages and the newest others, `most` in all unless more are open; newest first."""
        with self._database.read() as db:
            last = "queued.number IN (SELECT number FROM outbox_messages ORDER BY number DESC LIMIT ?)"
            found = outbox.messages(db, f"({_ALL_OPEN} OR {last})", [most])
        spare = len(found) - most  # the oldest settled ones go
        kept = []
        for message in found:
            if spare > 0 and message.state.settled:
                spare -= 1
            else:
                kept.append(message)
        return kept[::-1]

    def of(self, dictation_id: int) -> list[OutboxMessage]:
        """The messages about a dictation, in order."""
        with self._database.read() as db:
            return outbox.messages(db, "queued.dictation_id = ?", [dictation_id])

    def observations(self, number: int) -> list[QueuedObservation]:
        """The observations of a message, after what the messages before it say that are not cancelled."""
        query = """SELECT own.*, last.withdrawn AS last_withdrawn, outbox_messages.id AS last_message
            FROM outbox_observations AS own
            LEFT JOIN told_observations AS last ON last.number = (
                SELECT max(number) FROM told_observations WHERE id = own.id AND number < own.number)
            LEFT JOIN outbox_messages ON outbox_messages.number = last.message
            WHERE own.message = ? ORDER BY own.number"""
        with self._database.read() as db:
            pieces = outbox.pieces(db, "told.message = ?", number)
            return [
                QueuedObservation(
                    Entry(
                        row["id"],
                        row["version"],
                        row["source"],
                        row["value_id"],
                        row["dictation_id"],
                        pieces.get(row["number"], ()),
                        bool(row["withdrawn"]),
                    ),
                    row["last_message"] or "",
                    row["last_withdrawn"] == 0,
                )
                for row in db.query(query, [number])
            ]

    def told(self, dictation_id: int, sources: Iterable[str]) -> list[Told]:
        """What was told of a dictation, and under the ids that any of these sources ever had, in order."""
        condition = "dictation_id = ? OR source IN (SELECT value FROM json_each(?))"
        with self._database.read() as db:
            return outbox.told(db, condition, [dictation_id, json.dumps(sorted(sources))])

    def replaced_values(self, value_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
        """By id of a value, the ids of those that it replaced in the chart, and of those that they had replaced."""
        with self._database.read() as db:
            return outbox.replaced_values(db, value_ids)

    def put(self, dictation_id: int, encounter_id: int, entries: Sequence[Entry]) -> OutboxMessage:
        """Queues a message about a dictation in this stay."""
        with self._database.write() as db:
            number = outbox.put(db, dictation_id, encounter_id, entries)
        return self.one(number)

    def cancel_refused(self, dictation_id: int, reviewer: str) -> None:
        """Takes out the refused messages of a dictation, since what is decided now is told instead."""
        with self._database.write() as db:
            outbox.cancel_refused(db, dictation_id, reviewer)

    def record(self, number: int, event: MessageState, *, due: datetime | None = None, reason: str = "") -> None:
        """Records what became of a message; `due` is when it is tried again."""
        with self._database.write() as db:
            outbox.record(db, number, event, due=clock.stamp(due) if due else None, reason=reason)

    def retry(self, number: int, reviewer: str) -> None:
        """Lets a message be handed over again, under the same id. Raises InputError if it is settled or under way."""
        self._decide(number, MessageState.RETRIED, reviewer, "tried again")

    def cancel(self, number: int, reviewer: str) -> None:
        """Takes a message out of the outbox: the receiver is not told. Raises InputError if it is settled.

        Messages after it say what they say as if it had never been queued; but if the receiver may have it, it is
        abandoned and counts as told.
        """
        with self._database.write() as db:
            self._decide(number, outbox.taken_out(db, number), reviewer, "cancelled")

    def _decide(self, number: int, event: MessageState, reviewer: str, what: str) -> None:
        reviewer = named(reviewer)
        with self._database.write() as db:
            message = self.one(number)
            if message.state.settled:
                raise InputError(f"Message {number} is {message.state.value}.", f"It can no longer be {what}.")
            outbox.record(db, number, event, reviewer=reviewer)
