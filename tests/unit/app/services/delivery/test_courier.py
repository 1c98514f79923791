"""Handing over messages: once each and in order, whatever the receiver, the disk and the power do."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

from app.exchange.message_formats import JSON, Answer
from app.exchange.outbox import message_of
from app.record.errors import StorageError
from app.record.outbox import MessageState
from app.services.delivery.channel import NotAccepted, OutcomeUnknown
from app.services.delivery.courier import LONGEST_PAUSE, Courier, pause_after
from app.services.delivery.drop_folder import DropFolder
from app.services.delivery.service import courier_of, retry
from app.store import Store
from app.system.record_system import DeliverySettings
from app.system.settings import Settings
from models.base.errors import InputError
from tests.kit.hospital import Hospital
from tests.kit.outbox import Receiver, charted, file, reopen, value_of, vitals


class Ward:
    """A store with a drop folder beside it, a clock, and the receiver at the other end of the folder."""

    def __init__(self, home: Path) -> None:
        self.home, self.folder = home, home / "drop"
        self.folder.mkdir(exist_ok=True)
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.store = Store(home / "wardlight.db")
        self.receiver = Receiver()

    def open_again(self) -> None:
        """As after a crash."""
        self.store.close()
        self.store = Store(self.home / "wardlight.db")

    @property
    def courier(self) -> Courier:
        return Courier(self.store, DropFolder(self.folder, JSON), JSON, lambda: self.now)

    def deliver(self) -> None:
        self.courier.run()

    def take(self, answer: str = ".ack", words: str = "") -> list[str]:
        """Lets the receiver take what is in the folder and answer; returns the ids."""
        found = []
        for path in sorted(self.folder.glob("*.json")):
            message = json.loads(path.read_bytes())
            path.unlink()
            if answer == ".ack":
                self.receiver.take(message)
            if answer:
                (self.folder / f"{path.name}{answer}").write_text(words, encoding="utf-8")
            found.append(message["id"])
        return found

    def states(self) -> list[str]:
        return [one.state.value for one in reversed(self.store.outbox.newest(99))]


@pytest.fixture
def ward(tmp_path: Path) -> Iterator[Ward]:
    opened = Ward(tmp_path)
    yield opened
    opened.store.close()


def corrected(ward: Ward, number: int, rate: float) -> None:
    reopen(ward.store, number)
    ward.store.reviews.decide(value_of(ward.store, number, "hr"), "edit", "Lou", rate, "/min")
    file(ward.store, number)


def test_a_filed_dictation_reaches_the_receiver_once(ward: Ward) -> None:
    number = vitals(ward.store, ward.home)
    (queued,) = file(ward.store, number)
    ward.deliver()
    assert [path.name for path in ward.folder.iterdir()] == [f"{queued.id}.json"]
    assert ward.states() == ["sent"]
    ward.deliver()
    assert ward.take() == [queued.id]
    ward.deliver()
    assert ward.states() == ["accepted"]
    ward.deliver()
    assert ward.take() == []
    assert ward.receiver.charted == charted(ward.store)


def test_a_message_says_what_an_export_says(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    content = json.loads(JSON.render(message_of(ward.store, queued)))
    assert content["format"] == "wardlight-message/1"
    assert [one["record"]["value"] for one in content["observations"]] == [110.0, -2.0]


def test_a_correction_waits_for_its_original(ward: Ward) -> None:
    number = vitals(ward.store, ward.home)
    file(ward.store, number)
    corrected(ward, number, 101.0)
    ward.deliver()
    assert ward.states() == ["sent", "queued"]
    ward.take()
    ward.deliver()
    assert ward.states() == ["accepted", "sent"]
    ward.take()
    ward.deliver()
    assert ward.receiver.charted == charted(ward.store)


def test_a_patient_who_waits_does_not_hold_up_another(ward: Ward) -> None:
    file(ward.store, vitals(ward.store, ward.home))
    other = ward.store.patients.add("Bo Hart", "5", "456")
    ward.deliver()
    ward.take(answer="")
    file(ward.store, vitals(ward.store, ward.home, other.id))
    ward.deliver()
    assert ward.states() == ["sent", "sent"]


def test_a_refused_message_waits_for_a_person_and_holds_up_what_follows(ward: Ward) -> None:
    number = vitals(ward.store, ward.home)
    (first,) = file(ward.store, number)
    ward.deliver()
    ward.take(".err", "no such patient")
    corrected(ward, number, 101.0)
    corrected(ward, number, 102.0)
    ward.deliver()
    refused = ward.store.outbox.one(first.number)
    assert (refused.state, refused.reason) == (MessageState.REFUSED, "no such patient")
    ward.now += timedelta(days=9)
    ward.deliver()
    assert ward.take() == []
    ward.store.outbox.retry(first.number, "Kim")
    ward.deliver()
    assert ward.take() == [first.id], "under the same id, and the former refusal is not taken for the answer"
    for _ in range(3):
        ward.deliver()
        ward.take()
    ward.deliver()
    assert ward.receiver.charted == charted(ward.store)


def test_an_answer_inside_the_file_decides(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    ward.take(".ack", json.dumps({"accepted": False, "reason": "row not known"}))
    ward.deliver()
    assert ward.store.outbox.one(queued.number).reason == "row not known"


def test_an_answer_may_leave_out_the_ending_of_the_message(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    (ward.folder / f"{queued.id}.ack").touch()
    ward.deliver()
    assert ward.states() == ["accepted"]


@pytest.mark.parametrize(
    ("answer", "state", "says"),
    [
        ("MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|AA|{id}\r", "accepted", ""),
        ("MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|AE|{id}|no such row\r", "refused", "no such row"),
        ("MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|AA|W7\r", "sent", "it answers message 'W7'"),
        ("thanks", "accepted", ""),
    ],
)
def test_an_acknowledgement_in_the_file_decides_if_it_is_of_the_message(
    tmp_path: Path, answer: str, state: str, says: str
) -> None:
    hospital = Hospital(tmp_path)
    drop = tmp_path / "drop"
    drop.mkdir()
    (queued,) = hospital.file()
    settings = hospital.delivering("folder", str(drop), "hl7")
    for _ in range(2):
        courier = courier_of(hospital.store, settings)
        assert courier
        courier.run()
        assert (drop / f"{queued.id}.hl7").exists()
        (drop / f"{queued.id}.hl7.ack").write_text(answer.replace("{id}", queued.id), newline="")
    courier.run()
    events = hospital.store.outbox.one(queued.number)
    assert (events.state.value, says in events.reason) == (state, True)
    hospital.store.close()


def test_a_receiver_that_answers_late_is_heard_and_is_not_asked_twice(ward: Ward) -> None:
    file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    (taken,) = ward.take(answer="")
    for _ in range(5):
        ward.now += timedelta(days=1)
        ward.open_again()
        ward.deliver()
    assert ward.states() == ["sent"]
    assert list(ward.folder.iterdir()) == []
    (ward.folder / f"{taken}.json.ack").touch()
    ward.deliver()
    assert ward.states() == ["accepted"]


@pytest.mark.parametrize(("first", "second"), [(".ack", ".err"), (".err", ".ack"), (".ack", ".ack")])
def test_of_two_answers_the_first_counts(ward: Ward, first: str, second: str) -> None:
    file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    (taken,) = ward.take(first)
    ward.deliver()
    known = ward.states()
    (ward.folder / f"{taken}.json{second}").touch()
    ward.deliver()
    assert ward.states() == known == [{".ack": "accepted", ".err": "refused"}[first]]


def test_a_receiver_that_never_answers_can_be_handed_it_again_by_a_person(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    ward.take(answer="")
    settings = Settings(delivery=DeliverySettings("folder", str(ward.folder)))
    retry(ward.store, settings, queued.number, "Kim")
    ward.deliver()
    assert ward.take() == [queued.id]


def test_an_answer_that_came_meanwhile_is_not_asked_for_again(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    ward.take()
    with pytest.raises(InputError, match="accepted"):
        retry(ward.store, Settings(delivery=DeliverySettings("folder", str(ward.folder))), queued.number, "Kim")


def test_a_folder_that_is_gone_is_tried_again_at_growing_intervals_and_is_not_created(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.folder.rmdir()
    pauses = []
    for _ in range(9):
        ward.deliver()
        failed = ward.store.outbox.one(queued.number)
        assert failed.state is MessageState.FAILED
        assert failed.due
        pauses.append(datetime.fromisoformat(failed.due) - ward.now)
        ward.now += pauses[-1] - timedelta(seconds=1)
        ward.open_again()
        ward.deliver()
        assert ward.store.outbox.one(queued.number).tries == len(pauses), "not before its time"
        ward.now += timedelta(seconds=1)
    assert pauses == [pause_after(tries) for tries in range(1, 10)]
    assert pauses[:3] == [timedelta(minutes=1), timedelta(minutes=2), timedelta(minutes=4)]
    assert pauses[-1] == LONGEST_PAUSE
    assert not ward.folder.exists()
    ward.folder.mkdir()
    ward.deliver()
    assert ward.take() == [queued.id]


def test_a_clock_that_was_put_back_does_not_hold_a_message_for_long(ward: Ward) -> None:
    file(ward.store, vitals(ward.store, ward.home))
    ward.folder.rmdir()
    ward.deliver()
    ward.folder.mkdir()
    ward.now -= timedelta(days=400)
    ward.deliver()
    assert ward.states() == ["sent"]


def test_a_folder_that_is_gone_says_nothing_about_what_was_sent(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    ward.folder.rename(ward.home / "unplugged")
    ward.deliver()
    assert ward.store.outbox.one(queued.number).state is MessageState.SENT
    (ward.home / "unplugged").rename(ward.folder)
    ward.take()
    ward.deliver()
    assert ward.states() == ["accepted"]


@pytest.mark.parametrize("arrived", [True, False])
def test_a_folder_that_vanishes_while_the_message_leaves_is_asked_when_it_is_back(
    ward: Ward, monkeypatch: pytest.MonkeyPatch, *, arrived: bool
) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    rename, away = Path.replace, ward.home / "unplugged"

    def vanish(path: Path, target: Path) -> None:
        if arrived:
            rename(path, target)
        rename(ward.folder, away)
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", vanish)
        ward.deliver()
    assert ward.store.outbox.one(queued.number).state is MessageState.UNKNOWN
    rename(away, ward.folder)
    ward.now += timedelta(minutes=1)
    ward.deliver()
    assert ward.states() == ["sent"]
    assert ward.take() == [queued.id]
    ward.deliver()
    assert ward.states() == ["accepted"]


def test_a_full_disk_leaves_no_half_message(ward: Ward, monkeypatch: pytest.MonkeyPatch) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))

    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("app.services.delivery.drop_folder.write_and_sync", full)
        ward.deliver()
    failed = ward.store.outbox.one(queued.number)
    assert failed.state is MessageState.FAILED
    assert "No space left on device" in failed.reason
    assert list(ward.folder.iterdir()) == []
    ward.now += timedelta(minutes=1)
    ward.deliver()
    assert ward.take() == [queued.id]


class Crash(BaseException):
    """The power is cut."""


def steps_of(ward: Ward, monkeypatch: pytest.MonkeyPatch, crash_at: int) -> int:
    """Lets the power be cut before one of the steps of delivery; returns how many there are without a cut."""
    places = count()

    def cut(does: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            if next(places) == crash_at:
                raise Crash
            return does(*arguments, **options)

        return step

    with monkeypatch.context() as patch:
        for name in (
            "app.services.delivery.drop_folder.write_and_sync",
            "app.services.delivery.drop_folder.sync_folder",
        ):
            patch.setattr(name, cut(_looked_up(name)))
        patch.setattr(Path, "replace", cut(Path.replace))
        patch.setattr("app.store.outbox.Outbox.record", cut(_looked_up("app.store.outbox.Outbox.record")))
        try:
            ward.deliver()
        except Crash:
            return -1
    return next(places)


def _looked_up(name: str) -> Any:
    module, _, attribute = name.rpartition(".")
    return getattr(resolve_name(module), attribute)


@pytest.mark.parametrize("crash_at", range(7))
@pytest.mark.parametrize("takes_meanwhile", [False, True])
def test_after_a_crash_at_any_step_the_receiver_gets_it_once(
    ward: Ward, monkeypatch: pytest.MonkeyPatch, crash_at: int, *, takes_meanwhile: bool
) -> None:
    number = vitals(ward.store, ward.home)
    (queued,) = file(ward.store, number)
    done = steps_of(ward, monkeypatch, crash_at)
    assert done == (-1 if crash_at < 6 else 6), "written, synced, recorded, renamed, synced, recorded"
    handed = ward.take(answer="") if takes_meanwhile else []
    ward.open_again()
    for _ in range(3):
        ward.now += timedelta(hours=1)
        ward.deliver()
        handed += ward.take(answer="")
    assert handed == [queued.id]
    (ward.folder / f"{queued.id}.json.ack").touch()
    ward.deliver()
    assert ward.states() == ["accepted"]
    assert [path.suffix for path in ward.folder.iterdir()] == [".ack"]


def test_a_message_that_only_seemed_to_leave_is_handed_over_after_all(ward: Ward) -> None:
    """The power was cut before the disk had kept the new name."""
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.deliver()
    target = ward.folder / f"{queued.id}.json"
    target.rename(target.with_name(f"{target.name}.partial"))
    ward.open_again()
    ward.deliver()
    assert ward.take() == [queued.id]


def test_a_message_that_cannot_be_written_in_the_format_is_refused_with_the_reason(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))

    def refuse(message: object) -> bytes:
        raise InputError("A value has no code.", "Add it to the contract.")

    unable = replace(JSON, render=refuse)
    Courier(ward.store, DropFolder(ward.folder, unable), unable, lambda: ward.now).run()
    refused = ward.store.outbox.one(queued.number)
    assert (refused.state, refused.reason) == (MessageState.REFUSED, "A value has no code. Add it to the contract.")


def test_a_second_instance_cannot_hand_over_the_same_messages(ward: Ward) -> None:
    file(ward.store, vitals(ward.store, ward.home))
    with pytest.raises(StorageError, match="already running"):
        Ward(ward.home)


def test_two_installations_share_a_folder(ward: Ward, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = Ward(tmp_path / "other")
    other.folder.rmdir()
    other.folder = ward.folder
    for one in (ward, other):
        file(one.store, vitals(one.store, one.home))
        one.deliver()
    assert len(ward.take()) == 2
    for one in (ward, other):
        one.deliver()
        assert one.states() == ["accepted"]
    other.store.close()


class Network:
    """A channel that answers at once, or does not."""

    def __init__(self, *answers: Answer | Exception) -> None:
        self._answers = list(answers)
        self.sent: list[str] = []

    def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> Answer | None:
        leaving()
        self.sent.append(message_id)
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def left(self, message_id: str) -> bool | None:
        return None

    def answer(self, message_id: str) -> Answer | None:
        return None


def test_on_a_network_an_unknown_outcome_is_tried_again_under_the_same_id(ward: Ward) -> None:
    number = vitals(ward.store, ward.home)
    (first,) = file(ward.store, number)
    corrected(ward, number, 101.0)
    (second,) = ward.store.outbox.open()[1:]
    network = Network(OutcomeUnknown("No answer."), NotAccepted("No connection."), Answer(True), Answer(True))
    courier = Courier(ward.store, network, JSON, lambda: ward.now)
    courier.run()
    assert ward.states() == ["unknown", "queued"]
    courier.run()
    assert network.sent == [first.id], "not before its time"
    ward.now += timedelta(minutes=1)
    courier.run()
    assert ward.states() == ["failed", "queued"]
    ward.now += timedelta(minutes=2)
    courier.run()
    assert ward.states() == ["accepted", "accepted"]
    assert network.sent == [first.id] * 3 + [second.id]


def test_a_crash_on_a_network_leaves_the_outcome_unknown(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.store.outbox.record(queued.number, MessageState.SENDING)
    ward.open_again()
    network = Network(Answer(False, "no such patient"))
    courier = Courier(ward.store, network, JSON, lambda: ward.now)
    courier.run()
    assert ward.states() == ["unknown"]
    ward.now += timedelta(minutes=1)
    courier.run()
    assert ward.store.outbox.one(queued.number).reason == "no such patient"


def test_what_is_settled_cannot_be_decided_about(ward: Ward) -> None:
    (queued,) = file(ward.store, vitals(ward.store, ward.home))
    ward.store.outbox.cancel(queued.number, "Kim")
    for decide in (ward.store.outbox.cancel, ward.store.outbox.retry):
        with pytest.raises(InputError, match="is cancelled"):
            decide(queued.number, "Kim")
    with pytest.raises(InputError, match="no message 77"):
        ward.store.outbox.cancel(77, "Kim")
