"""Whatever people and receivers do in whatever order, the receiver ends with exactly what stands charted and filed."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.chart.patient_identity import Identity
from app.exchange.outbox import message_of
from app.record.outbox import MessageState
from app.record.run import NO_RUN
from app.store import Store
from models.base.errors import InputError
from tests.kit.outbox import Receiver, charted, dictated, file, reopen
from tests.kit.store import filled

DICTATIONS = 3
STEPS = (
    *("file", "file", "file", "reopen", "confirm", "replace", "replace", "edit", "elsewhere", "reject", "undo"),
    *("move", "delete", "restore", "renumber", "deliver", "deliver", "refuse", "retry"),
)
steps = st.tuples(st.sampled_from(STEPS), st.integers(0, DICTATIONS - 1), st.integers(0, 5))


def proposals(number: int) -> list[object]:
    return [filled("hr", 90.0 + number, "/min"), filled("note", f"note of {number}"), filled("hr", 60.0, said="60")]


class Ward:
    """A store with two patients and three dictations in one minute, the third one of the second patient."""

    def __init__(self, folder: Path) -> None:
        self.store, self.receiver = Store(folder / "wardlight.db"), Receiver()
        self.patients = [
            self.store.patients.add("Ann Lee", "4", "123").id,
            self.store.patients.add("Bo", "5", "456").id,
        ]
        owners = (self.patients[0], self.patients[0], self.patients[1])
        self.numbers = [dictated(self.store, folder, proposals(place), who) for place, who in enumerate(owners)]
        self._count = count(1)

    def take(self, step: str, number: int, choice: int) -> None:
        """Takes a step; raises InputError if it is not possible now."""
        store, reviews = self.store, self.store.reviews
        values = [one.id for one in store.values.of(number)] if step in _OF_VALUES else []
        value = values[choice % len(values)] if values else 0
        match step:
            case "file":
                self.file(number)
            case "reopen":
                store.filings.reopen(number, "Kim")
            case "confirm" | "reject":
                reviews.decide(value, "confirm" if step == "confirm" else "reject", "Kim")
            case "replace":
                reviews.decide(value, "confirm", "Kim", replacing=True)
            case "edit":
                said = next(one for one in store.values.of(number) if one.id == value)
                content = f"note {choice}" if said.row_id == "note" else 100.0 + choice
                reviews.decide(value, "edit", "Kim", content, said.unit, replacing=choice % 2 == 0)
            case "elsewhere":
                said = next(one for one in store.values.of(number) if one.id == value)
                reviews.decide(value, "edit", "Kim", said.value, said.unit, observed_at=f"2026-11-21T0{choice}:00")
            case "undo":
                reviews.undo(number, "Kim")
            case "move":
                store.dictations.move(number, self.patients[choice % 2], "Kim", "wrong patient")
                store.runs.save(number, proposals(number), NO_RUN)
            case "delete":
                store.dictations.delete(number, "Kim", "duplicate")
            case "restore":
                store.dictations.restore(number, "Kim")
            case "renumber":
                identity = Identity(f"Ann {choice}", "4", f"12{next(self._count)}")
                store.patients.edit(self.patients[0], identity, "Kim")
            case _:
                self.hand_over(step)

    def hand_over(self, step: str) -> None:
        """Does something about the first open message."""
        for queued in self.store.outbox.open()[:1]:
            message = message_of(self.store, queued)
            if not message.observations:
                self.store.outbox.record(queued.number, MessageState.CANCELLED)
            elif step == "retry":
                self.store.outbox.retry(queued.number, "Kim")
            elif step == "refuse":
                self.store.outbox.record(queued.number, MessageState.REFUSED, reason="not now")
            elif queued.state is not MessageState.REFUSED:
                self.receiver.take(json.loads(json.dumps(asdict(message))))
                self.store.outbox.record(queued.number, MessageState.ACCEPTED)

    def file(self, number: int) -> None:
        for one in self.store.values.of(number):
            if one.status == "proposed":
                self.store.reviews.decide(one.id, "reject", "Kim")
        file(self.store, number)

    def end(self) -> None:
        """Files everything again and lets the receiver have all that is open."""
        for number in self.numbers:
            with suppress(InputError):  # it is deleted
                self.store.dictations.one(number)
                reopen(self.store, number)
        for number in self.numbers:
            with suppress(InputError):
                self.file(number)
        while queued := self.store.outbox.open():
            if queued[0].state is MessageState.REFUSED:
                self.store.outbox.retry(queued[0].number, "Kim")
            self.hand_over("deliver")


_OF_VALUES = ("confirm", "reject", "replace", "edit", "elsewhere")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(steps, max_size=25))
def test_the_receiver_ends_with_what_stands_charted_and_filed(sequence: list[tuple[str, int, int]]) -> None:
    ticks = count()

    def now() -> str:
        tick = next(ticks)
        return f"2026-11-21T12:00:{tick // 1000:02d}.{tick % 1000:03d}+00:00"

    with tempfile.TemporaryDirectory() as name, mock.patch("app.store.sqlite.clock.now", now):
        ward = Ward(Path(name))
        try:
            for step, place, choice in sequence:
                with suppress(InputError):
                    ward.take(step, ward.numbers[place], choice)
            ward.end()
            assert ward.receiver.charted == charted(ward.store)
        finally:
            ward.store.close()
