"""Dictations that are filed for a receiver, and a receiver that applies what it is told in order."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.exchange.export import export_records
from app.exchange.outbox import message_of, queue
from app.exchange.records import ExportRecord
from app.record.outbox import MessageState, OutboxMessage
from app.record.run import NO_RUN
from app.record.values import ProposedValue
from app.store import Store
from tests.kit.store import SCHEMA, SCHEMA_BYTES, filled


def dictated(store: Store, folder: Path, values: Sequence[ProposedValue], patient_id: int | None = None) -> int:
    """A filled dictation of a patient, by default of the first one; returns its number."""
    patient = store.patients.one(patient_id) if patient_id else next(iter(store.patients.all()), None)
    patient = patient or store.patients.add("Ann Lee", "4", "123")
    source = folder / "said.wav"
    source.write_bytes(b"RIFF of a recording")
    encounter = store.encounters.open(patient.id)
    number = store.dictations.add(encounter.id, source, "audio", store.schemas.save(SCHEMA, SCHEMA_BYTES)).id
    store.runs.save(number, values, NO_RUN)
    return number


def vitals(store: Store, folder: Path, patient_id: int | None = None) -> int:
    """A dictation with a confirmed heart rate and a confirmed RASS."""
    number = dictated(store, folder, [filled("hr", 110.0, "/min"), filled("rass", -2.0)], patient_id)
    store.reviews.decide_all([one.id for one in store.values.of(number)], "confirm", "Kim", collect=False)
    return number


def value_of(store: Store, number: int, row_id: str) -> int:
    return next(one.id for one in store.values.of(number) if one.row_id == row_id)


def file(store: Store, number: int, *, new: bool = True) -> list[OutboxMessage]:
    """Files a dictation as the program does; returns what was queued."""
    with store.transaction():
        store.filings.file(number, "Kim", [])
        return queue(store, number, SCHEMA, "Kim", new=new)


def reopen(store: Store, number: int) -> None:
    if store.filings.of(number):
        store.filings.reopen(number, "Kim")


def said(record: ExportRecord | dict[str, Any]) -> tuple[Any, ...]:
    """What of a record a receiver charts."""
    data = record if isinstance(record, dict) else json.loads(json.dumps(asdict(record)))
    names = ("patient_mrn", "dictation", "time", "observed_at", "row_id", "value", "unit", "status", "reviewer")
    return tuple(json.dumps(data[name]) for name in names)


def charted(store: Store) -> list[tuple[Any, ...]]:
    """What stands charted of the filed dictations."""
    filed = sorted(store.filings.filed())
    return sorted(said(record) for number in filed for record in export_records(store, number, SCHEMA))


class Receiver:
    """Applies messages in the order in which they come, and fails if that cannot be done.

    Attributes:
        valid: by id, what is charted there.
        taken: the ids of the messages, in order.
    """

    def __init__(self) -> None:
        self.valid: dict[str, dict[str, Any]] = {}
        self.taken: list[str] = []
        self._told: dict[str, tuple[int, str]] = {}

    def take(self, message: dict[str, Any]) -> None:
        if message["id"] in self.taken:
            return
        self.taken.append(message["id"])
        assert message["observations"], "nothing is told"
        assert len({one["record"]["patient_mrn"] for one in message["observations"]}) == 1
        for one in message["observations"]:
            version, last = self._told.get(one["id"], (0, ""))
            assert one["version"] > version
            assert one["supersedes"] == last
            assert (one["state"] == "final") == (not last)
            self._told[one["id"]] = (one["version"], message["id"])
            if one["state"] == "withdrawn":
                del self.valid[one["id"]]
            else:
                self.valid[one["id"]] = one["record"]

    @property
    def charted(self) -> list[tuple[Any, ...]]:
        return sorted(map(said, self.valid.values()))


def take_all(store: Store, receiver: Receiver) -> None:
    """Hands over what is open, all of it accepted."""
    for queued in store.outbox.open():
        message = message_of(store, queued)
        if message.observations:
            receiver.take(json.loads(json.dumps(asdict(message))))
            store.outbox.record(queued.number, MessageState.ACCEPTED)
        else:
            store.outbox.record(queued.number, MessageState.CANCELLED)
