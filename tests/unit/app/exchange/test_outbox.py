"""What a receiver is told when dictations are filed, corrected, rejected, moved, replaced and deleted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import pytest

from app.chart.patient_identity import Identity
from app.exchange.codec import VERSION, decode_record, encode_record
from app.exchange.export import export_records
from app.exchange.observations import Message
from app.exchange.outbox import message_of, queue
from app.record.errors import StorageError
from app.record.outbox import MessageState, OutboxMessage
from app.store import Store
from extraction.flowsheet.schema import Formula, FormulaPart, Row, Schema, ValueType
from tests.kit.outbox import Receiver, charted, dictated, file, reopen, take_all, value_of, vitals
from tests.kit.store import SCHEMA, filled

NOON = "2026-11-21T12:00"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Everything in it happens in one minute."""
    times = (f"{NOON}:{number // 1000:02d}.{number % 1000:03d}+00:00" for number in range(60_000))
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: next(times))
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def only(messages: list[OutboxMessage], store: Store) -> Message:
    (queued,) = messages
    return message_of(store, queued)


def told(message: Message) -> list[tuple[str, str, int, Any]]:
    return [(one.record.row_id, one.state.value, one.version, one.record.value) for one in message.observations]


def test_the_first_filing_tells_each_value(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    message = only(file(store, number), store)
    assert told(message) == [("hr", "final", 1, 110.0), ("rass", "final", 1, -2.0)]
    assert [one.record for one in message.observations] == export_records(store, number, SCHEMA)
    assert {one.supersedes for one in message.observations} == {""}
    assert message.id.isalnum()
    assert len(message.id) == 20
    assert message.device.startswith("Wardlight ")
    value = value_of(store, number, "hr")
    assert message.observations[0].id == str(uuid5(store.outbox.installation, f"value {value}"))


def test_the_identity_of_an_installation_stays(store: Store, tmp_path: Path) -> None:
    identity = store.outbox.installation
    assert isinstance(identity, UUID)
    store.close()
    with Store(tmp_path / "wardlight.db") as again, Store(tmp_path / "other" / "wardlight.db") as other:
        assert again.outbox.installation == identity != other.outbox.installation


def test_a_correction_keeps_the_identity_and_leaves_out_what_did_not_change(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    first = only(file(store, number), store)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "edit", "Lou", 101.0, "/min")
    second = only(file(store, number), store)
    assert told(second) == [("hr", "amended", 2, 101.0)]
    assert second.observations[0].id == first.observations[0].id
    assert second.observations[0].supersedes == first.id


def test_filing_again_without_a_change_tells_nothing(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    file(store, number)
    reopen(store, number)
    assert file(store, number) == []


def test_a_rejected_value_is_withdrawn_and_comes_back_under_its_identity(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    first = only(file(store, number), store)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "reject", "Lou")
    second = only(file(store, number), store)
    assert told(second) == [("hr", "withdrawn", 2, 110.0)], "with the value that was told last"
    reopen(store, number)
    store.reviews.undo(number, "Lou")
    third = only(file(store, number), store)
    assert told(third) == [("hr", "amended", 3, 110.0)]
    assert {one.observations[0].id for one in (first, second, third)} == {first.observations[0].id}
    assert third.observations[0].supersedes == second.id


def test_a_moved_dictation_is_withdrawn_at_once_and_new_for_the_other_patient(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    other = store.patients.add("Bo Hart", "5", "456")
    receiver = Receiver()
    file(store, number)
    take_all(store, receiver)
    reopen(store, number)
    store.dictations.move(number, other.id, "Kim", "wrong patient")
    (withdrawn,) = store.outbox.open()
    message = message_of(store, withdrawn)
    assert [state for _, state, _, _ in told(message)] == ["withdrawn", "withdrawn"]
    assert {one.record.patient_mrn for one in message.observations} == {"123"}
    assert message.encounter_id != store.dictations.one(number).encounter_id
    take_all(store, receiver)
    assert receiver.charted == []
    store.runs.save(number, [filled("hr", 110.0, "/min")], store.runs.of(number))
    store.reviews.decide(value_of(store, number, "hr"), "confirm", "Kim")
    new = only(file(store, number), store)
    assert told(new) == [("hr", "final", 1, 110.0)]
    assert new.observations[0].id not in {one.id for one in message.observations}
    take_all(store, receiver)
    assert receiver.charted == charted(store)


def test_what_never_left_is_not_sent_for_the_wrong_patient(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    other = store.patients.add("Bo Hart", "5", "456")
    (queued,) = file(store, number)
    reopen(store, number)
    store.dictations.move(number, other.id, "Kim", "wrong patient")
    assert store.outbox.one(queued.number).state is MessageState.CANCELLED
    assert store.outbox.open() == []


@pytest.mark.parametrize("state", [MessageState.SENT, MessageState.UNKNOWN, MessageState.SENDING])
def test_what_may_have_left_is_withdrawn_when_it_is_deleted(store: Store, tmp_path: Path, state: MessageState) -> None:
    number = vitals(store, tmp_path)
    (queued,) = file(store, number)
    store.outbox.record(queued.number, state)
    reopen(store, number)
    store.dictations.delete(number, "Kim", "duplicate")
    first, second = store.outbox.open()
    assert first.number == queued.number
    assert [kind for _, kind, _, _ in told(message_of(store, second))] == ["withdrawn", "withdrawn"]
    store.dictations.restore(number, "Kim")
    third = only(file(store, number), store)
    assert told(third) == [("hr", "amended", 3, 110.0), ("rass", "amended", 3, -2.0)]


def replacing(store: Store, folder: Path, rate: float) -> int:
    """A dictation of which the heart rate replaces what is charted."""
    number = dictated(store, folder, [filled("hr", rate, "/min")])
    store.reviews.decide(value_of(store, number, "hr"), "confirm", "Lou", replacing=True)
    return number


def test_a_value_that_replaced_one_that_was_told_continues_its_identity(store: Store, tmp_path: Path) -> None:
    former = vitals(store, tmp_path)
    first = only(file(store, former), store)
    number = replacing(store, tmp_path, 96.0)
    assert store.filings.of(former) is None, "it is reopened"
    second = only(file(store, number), store)
    assert told(second) == [("hr", "amended", 2, 96.0)]
    assert second.observations[0].id == first.observations[0].id
    assert second.observations[0].record.replaces[0].value == 110.0
    assert file(store, former) == [], "its other value stands as it was told"


def test_a_value_that_replaced_one_that_was_never_told_is_new(store: Store, tmp_path: Path) -> None:
    vitals(store, tmp_path)
    assert told(only(file(store, replacing(store, tmp_path, 96.0)), store)) == [("hr", "final", 1, 96.0)]


def test_the_identity_goes_through_a_dictation_that_was_never_filed(store: Store, tmp_path: Path) -> None:
    first = only(file(store, vitals(store, tmp_path)), store)
    replacing(store, tmp_path, 96.0)
    last = only(file(store, replacing(store, tmp_path, 90.0)), store)
    assert told(last) == [("hr", "amended", 2, 90.0)]
    assert last.observations[0].id == first.observations[0].id


@pytest.mark.parametrize("former_first", [False, True])
def test_a_replacement_that_is_taken_back_gives_the_identity_back(
    store: Store, tmp_path: Path, *, former_first: bool
) -> None:
    receiver, former = Receiver(), vitals(store, tmp_path)
    file(store, former)
    number = replacing(store, tmp_path, 96.0)
    file(store, number)
    file(store, former)
    take_all(store, receiver)
    assert receiver.charted == charted(store)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "reject", "Lou")
    for one in (former, number) if former_first else (number, former):
        file(store, one)
    take_all(store, receiver)
    assert receiver.charted == charted(store)
    assert len(receiver.valid) == 2


def test_a_replaced_value_whose_dictation_is_filed_first_is_withdrawn_then_continued(
    store: Store, tmp_path: Path
) -> None:
    receiver, former = Receiver(), vitals(store, tmp_path)
    first = only(file(store, former), store)
    number = replacing(store, tmp_path, 96.0)
    assert told(only(file(store, former), store)) == [("hr", "withdrawn", 2, 110.0)]
    last = only(file(store, number), store)
    assert told(last) == [("hr", "amended", 3, 96.0)]
    assert last.observations[0].id == first.observations[0].id
    take_all(store, receiver)
    assert receiver.charted == charted(store)


def test_two_values_that_stand_never_share_an_identity(store: Store, tmp_path: Path) -> None:
    """The one that took over an identity is put at another time, so that the former one stands again."""
    receiver, former = Receiver(), vitals(store, tmp_path)
    file(store, former)
    number = replacing(store, tmp_path, 96.0)
    file(store, number)
    reopen(store, number)
    store.reviews.undo(number, "Lou")
    earlier = (datetime.fromisoformat(NOON) - timedelta(hours=5)).isoformat(timespec="minutes")
    store.reviews.decide(value_of(store, number, "hr"), "edit", "Lou", 96.0, "/min", observed_at=earlier)
    file(store, number)
    file(store, former)
    take_all(store, receiver)
    assert receiver.charted == charted(store)
    assert len(receiver.valid) == 3


def test_a_score_has_an_identity_of_its_own(store: Store, tmp_path: Path) -> None:
    formula = Formula("rate + sedation", (("rate", FormulaPart("hr")), ("sedation", FormulaPart("rass"))))
    total = Row("total", "Total", ValueType.NUMERIC, ("Vital signs",), formula=formula)
    schema = Schema("ward", "Ward", "3", (*SCHEMA.rows, total), SCHEMA.sha256, "ward.json")
    number = vitals(store, tmp_path)

    def filed() -> list[tuple[str, str, int, Any]]:
        with store.transaction():
            store.filings.file(number, "Kim", [])
            return told(only(queue(store, number, schema, "Kim", new=True), store))

    assert filed()[-1] == ("total", "final", 1, 108.0)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "rass"), "edit", "Kim", -1.0)
    assert filed() == [("rass", "amended", 2, -1.0), ("total", "amended", 2, 109.0)]
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "rass"), "reject", "Kim")
    assert filed() == [("rass", "withdrawn", 3, -1.0), ("total", "withdrawn", 3, 109.0)]


def test_another_record_number_is_another_patient_for_the_receiver(store: Store, tmp_path: Path) -> None:
    receiver, number = Receiver(), vitals(store, tmp_path)
    file(store, number)
    (patient,) = store.patients.all()
    store.patients.edit(patient.id, Identity("Ann Lee-Ray", "7", "999"), "Kim")
    reopen(store, number)
    withdrawn, new = (message_of(store, one) for one in file(store, number))
    assert {(one.state.value, one.record.patient_mrn) for one in withdrawn.observations} == {("withdrawn", "123")}
    assert {(one.state.value, one.record.patient_mrn) for one in new.observations} == {("final", "999")}
    take_all(store, receiver)
    assert receiver.charted == charted(store)


def test_another_bed_or_spelling_is_not_told(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    file(store, number)
    (patient,) = store.patients.all()
    store.patients.edit(patient.id, Identity("Anne Lee", "7", "123", "1990-02-03"), "Kim")
    reopen(store, number)
    assert file(store, number) == []


def test_nothing_is_queued_while_delivery_is_off_unless_it_was_told_before(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    assert file(store, number, new=False) == []
    reopen(store, number)
    file(store, number)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "reject", "Kim")
    assert told(only(file(store, number, new=False), store)) == [("hr", "withdrawn", 2, 110.0)]


def test_filing_again_replaces_a_refused_message(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    (refused,) = file(store, number)
    store.outbox.record(refused.number, MessageState.REFUSED, reason="unknown patient")
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "edit", "Lou", 101.0, "/min")
    message = only(file(store, number), store)
    assert store.outbox.one(refused.number).state is MessageState.CANCELLED
    assert told(message) == [("hr", "final", 2, 101.0), ("rass", "final", 2, -2.0)]
    assert {one.supersedes for one in message.observations} == {""}


def test_a_refused_copy_of_a_message_that_may_have_arrived_is_still_taken_back(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    (queued,) = file(store, number)
    for event in (MessageState.SENDING, MessageState.UNKNOWN, MessageState.SENDING, MessageState.REFUSED):
        store.outbox.record(queued.number, event)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "reject", "Lou")
    message = only(file(store, number), store)
    assert store.outbox.one(queued.number).state is MessageState.ABANDONED
    assert ("hr", "withdrawn") in [one[:2] for one in told(message)]


def test_what_a_cancelled_message_said_is_as_if_it_had_never_been_queued(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    (first,) = file(store, number)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "hr"), "edit", "Lou", 101.0, "/min")
    (second,) = file(store, number)
    reopen(store, number)
    store.reviews.decide(value_of(store, number, "rass"), "reject", "Lou")
    (third,) = file(store, number)
    store.outbox.cancel(first.number, "Kim")
    assert told(message_of(store, second)) == [("hr", "final", 2, 101.0)]
    assert told(message_of(store, third)) == [], "there is nothing to withdraw"


SENDING, SENT, FAILED = MessageState.SENDING, MessageState.SENT, MessageState.FAILED
REFUSED, UNKNOWN, RETRIED = MessageState.REFUSED, MessageState.UNKNOWN, MessageState.RETRIED


@pytest.mark.parametrize(
    ("events", "had"),
    [
        ([], False),
        ([SENDING, FAILED], False),
        ([FAILED, RETRIED], False),
        ([SENDING, SENT, REFUSED], False),
        ([SENDING, SENT, REFUSED, RETRIED, SENDING, FAILED], False),
        ([SENDING], True),
        ([SENDING, RETRIED], True),
        ([SENDING, SENT], True),
        ([SENDING, UNKNOWN, SENDING, FAILED], True),
        ([SENDING, SENT, REFUSED, RETRIED, SENDING, UNKNOWN], True),
        ([SENDING, REFUSED, RETRIED, SENDING, REFUSED], False),
        ([SENDING, UNKNOWN, SENDING, REFUSED], True),  # it can be refused as a duplicate of the first copy
    ],
)
def test_what_is_taken_out_counts_as_told_if_the_receiver_may_have_it(
    store: Store, tmp_path: Path, events: list[MessageState], *, had: bool
) -> None:
    number = vitals(store, tmp_path)
    (queued,) = file(store, number)
    for event in events:
        store.outbox.record(queued.number, event)
    store.outbox.cancel(queued.number, "Kim")
    assert store.outbox.one(queued.number).state is (MessageState.ABANDONED if had else MessageState.CANCELLED)
    assert store.outbox.open() == []
    reopen(store, number)
    store.dictations.delete(number, "Kim", "duplicate")
    withdrawn = [state for one in store.outbox.open() for _, state, _, _ in told(message_of(store, one))]
    assert withdrawn == ["withdrawn", "withdrawn"] * had


def test_filing_and_message_are_one_change(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = vitals(store, tmp_path)

    def fail(*_: object) -> None:
        raise RuntimeError("a crash")

    monkeypatch.setattr("app.store.transactions.outbox.record", fail)
    with pytest.raises(RuntimeError):
        file(store, number)
    assert store.filings.of(number) is None
    assert store.outbox.newest(9) == []


def test_the_words_of_a_deleted_dictation_leave_the_outbox_once_it_is_told(store: Store, tmp_path: Path) -> None:
    number = dictated(store, tmp_path, [filled("note", "wanders at dusk"), filled("hr", 111.0, "/min")])
    store.reviews.decide_all([one.id for one in store.values.of(number)], "confirm", "Kim")
    (queued,) = file(store, number)
    store.outbox.record(queued.number, MessageState.SENT)
    store.outbox.record(queued.number, MessageState.REFUSED, reason="wanders at dusk is not known here")
    store.outbox.retry(queued.number, "Kim")
    receiver = Receiver()
    take_all(store, receiver)
    other = dictated(store, tmp_path, [filled("note", "sleeps well")])
    store.reviews.decide(value_of(store, other, "note"), "confirm", "Lou", replacing=True)
    (replacing,) = file(store, other)
    assert message_of(store, replacing).observations[0].record.replaces[0].value == "wanders at dusk"
    store.dictations.delete(number, "Kim", "duplicate")
    later = datetime.fromisoformat(f"{NOON}+00:00") + timedelta(days=30)
    assert store.dictations.purge_deleted(later) == [], "the receiver has not been told yet"
    take_all(store, receiver)
    assert store.dictations.purge_deleted(later) == [number]
    store.close()
    content = (tmp_path / "wardlight.db").read_bytes()
    assert b"wanders" not in content
    assert b"sleeps well" in content
    with Store(tmp_path / "wardlight.db") as again:
        assert again.outbox.of(number)[0].id == queued.id, "the ids stay on record"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE outbox_events SET event = 'accepted'",
        "UPDATE outbox_events SET reason = ''",
        "DELETE FROM outbox_events",
        "UPDATE outbox_messages SET id = 'x'",
        "DELETE FROM outbox_messages",
        "UPDATE outbox_observations SET withdrawn = 1",
        "DELETE FROM outbox_observations",
        "UPDATE outbox_contents SET content = ''",
        "DELETE FROM outbox_contents",
        "UPDATE installation SET uuid = ''",
        "DELETE FROM installation",
    ],
)
def test_the_outbox_can_only_be_added_to(store: Store, tmp_path: Path, statement: str) -> None:
    file(store, vitals(store, tmp_path))
    store.close()
    database = sqlite3.connect(tmp_path / "wardlight.db")
    with pytest.raises(sqlite3.IntegrityError, match="can only be added to"):
        database.execute(statement)
    database.close()


def test_a_record_of_a_newer_program_is_refused(store: Store, tmp_path: Path) -> None:
    number = vitals(store, tmp_path)
    record = export_records(store, number, SCHEMA)[0]
    assert decode_record(encode_record(record)) == record
    with pytest.raises(StorageError, match="newer version"):
        decode_record(encode_record(record).replace(f'"version": {VERSION}', f'"version": {VERSION + 1}'))
