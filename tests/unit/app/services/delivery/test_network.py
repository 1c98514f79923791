"""Handing messages over on a network: to a listener of HL7 v2 and to a FHIR server, on this machine.

The listener is that of python-hl7. The FHIR server is a receiver of our own, which applies transactions.
"""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import hl7
import pytest

from app.chart.patient_identity import Identity
from app.exchange.message_formats import message_format
from app.exchange.outbox import message_of
from app.record.outbox import MessageState
from app.record.run import NO_RUN
from app.services.delivery.channel import NotAccepted, OutcomeUnknown
from app.services.delivery.courier import Courier
from app.services.delivery.fhir_server import FhirServer
from app.services.delivery.mllp_receiver import MllpReceiver
from app.services.delivery.service import courier_of
from app.system.record_system import DeliverySettings
from app.system.settings import Settings
from tests.kit.chart_systems import (
    CERTIFICATE,
    HOST,
    ChartSystem,
    TransactionServer,
    hl7_listener,
    said_in_fhir,
    said_in_hl7,
)
from tests.kit.hospital import CODED, Hospital
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.store import filled

SHORT = 0.2  # seconds after which a server counts as silent that never answers
BUNDLE = b'{"resourceType": "Bundle"}'


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    opened = Hospital(tmp_path)
    yield opened
    opened.store.close()


@dataclass
class Way:
    """A channel with the record system at its other end.

    Attributes:
        chart: what the record system has.
        mute: how many of the next messages it takes without answering.
    """

    settings: Settings
    chart: ChartSystem = field(default_factory=ChartSystem)
    mute: int = 0


@contextmanager
def over_hl7(hospital: Hospital) -> Iterator[Way]:
    def answer(message: hl7.Message) -> str | None:
        way.chart.take(*said_in_hl7(str(message).encode()))
        way.mute -= 1
        return None if way.mute >= 0 else "AA"

    with hl7_listener(answer) as (port, _):
        way = Way(hospital.delivering("mllp", address=f"{HOST}:{port}"))
        yield way


@contextmanager
def over_fhir(hospital: Hospital) -> Iterator[Way]:
    def take(data: bytes) -> bool:
        way.chart.take(*said_in_fhir(data))
        way.mute -= 1
        return way.mute < 0

    with TransactionServer(take) as server:
        way = Way(hospital.delivering("fhir", address=server.address))
        yield way


WAYS = pytest.mark.parametrize("over", [over_hl7, over_fhir])
Over = Callable[[Hospital], Any]


def deliver(hospital: Hospital, way: Way, now: datetime | None = None) -> list[str]:
    """Hands over what can be handed over, at a time; returns the states of all messages."""
    courier = courier_of(hospital.store, way.settings)
    assert courier
    if now:
        courier._now = lambda: now
    courier.run()
    return [one.state.value for one in reversed(hospital.store.outbox.newest(99))]


def standing(hospital: Hospital) -> dict[str, tuple[str, str]]:
    """What stands, as the hospital codes it."""
    pulse = {one.row_id: one for one in hospital.store.values.of(hospital.dictation) if one.stands}
    return {
        row: (str(int(value)) if isinstance(value := pulse[row].value, float) and value.is_integer() else said, unit)
        for row, (said, unit) in CODED.items()
        if row in pulse
    }


@WAYS
def test_the_record_system_is_right_after_each_message(hospital: Hospital, over: Over) -> None:
    with over(hospital) as way:
        hospital.file()
        assert deliver(hospital, way) == ["accepted"]
        assert way.chart.rows == CODED
        hospital.decide("70001", "edit", 92.0, "bpm")
        assert deliver(hospital, way) == ["accepted"] * 2
        assert way.chart.rows == CODED | {"70001": ("92", "/min")}
        hospital.decide("70003", "reject")
        assert deliver(hospital, way) == ["accepted"] * 3
        without = {row: said for row, said in CODED.items() if row != "70003"} | {"70001": ("92", "/min")}
        assert way.chart.rows == without
        hospital.undo()
        assert deliver(hospital, way) == ["accepted"] * 4
        assert way.chart.rows == CODED | {"70001": ("92", "/min")}
        assert len(way.chart.charted) == len(CODED), "under the ids that they had"
        assert way.chart.rows == standing(hospital)


@pytest.mark.parametrize("name", ["hl7", "fhir"])
def test_messages_may_come_twice_and_in_any_order(hospital: Hospital, name: str) -> None:
    hospital.file()
    hospital.decide("70001", "edit", 92.0, "bpm")
    hospital.decide("70003", "reject")
    written = message_format(hospital.delivering("folder", "/", name), hospital.store)
    messages = [written.render(message_of(hospital.store, one)) for one in hospital.store.outbox.open()]
    read = {"hl7": said_in_hl7, "fhir": said_in_fhir}[name]
    told = [read(data) for data in messages]
    assert len(told) == 3
    for order in itertools.permutations([*range(3), 0, 2]):
        chart = ChartSystem()
        for place in order:
            chart.take(*told[place])
        assert chart.rows == standing(hospital), order


class Crash(BaseException):
    """The power is cut."""


STEPS = (
    "app.store.outbox.Outbox.record",  # that it is being sent, and what became of it
    "socket.create_connection",
    "socket.socket.sendall",
    "app.services.delivery.fhir_server.FhirServer._body",
    "app.services.delivery.fhir_server.FhirServer._answer",
    "app.exchange.hl7.mllp._answer",
    "app.exchange.hl7.mllp.read_acknowledgement",
)
MOST_STEPS = 14


@WAYS
@pytest.mark.parametrize("crash_at", range(MOST_STEPS + 1))
def test_after_a_kill_at_any_step_the_record_system_has_it_once(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch, over: Over, crash_at: int
) -> None:
    hospital.file()
    hospital.decide("70001", "edit", 92.0, "bpm")
    places, ours = count(), threading.current_thread()

    def cut(does: Callable[..., Any]) -> Callable[..., Any]:
        def step(*arguments: Any, **options: Any) -> Any:
            if threading.current_thread() is ours and next(places) == crash_at:
                raise Crash
            return does(*arguments, **options)

        return step

    with over(hospital) as way:
        with monkeypatch.context() as patch:
            for name in STEPS:
                patch.setattr(name, cut(resolve_name(name)))
            with suppress(Crash):
                deliver(hospital, way)
                assert next(places) <= crash_at, "it had fewer steps"
            assert next(places) <= MOST_STEPS + 2, "none is left out"
        hospital.open_again()
        now = datetime.now(UTC)
        for hours in (1, 2, 3):
            states = deliver(hospital, way, now + timedelta(hours=hours))
        assert states == ["accepted", "accepted"]
        assert way.chart.rows == standing(hospital)
        assert len(way.chart.taken) == 2


@WAYS
def test_a_message_whose_answer_is_lost_is_sent_again_under_the_same_id(hospital: Hospital, over: Over) -> None:
    with over(hospital) as way:
        way.mute = 1
        (queued,) = hospital.file()
        hospital.decide("70001", "edit", 92.0, "bpm")
        assert deliver(hospital, way) == ["unknown", "queued"]
        assert hospital.store.outbox.one(queued.number).reason
        assert deliver(hospital, way, datetime.now(UTC) + timedelta(hours=1)) == ["accepted", "accepted"]
        assert way.chart.rows == standing(hospital)


@WAYS
def test_nobody_there_surely_has_nothing(hospital: Hospital, over: Over) -> None:
    with over(hospital) as way:
        pass  # and is gone again
    (queued,) = hospital.file()
    assert deliver(hospital, way) == ["failed"]
    assert "no connection to" in hospital.store.outbox.one(queued.number).reason


def test_a_receiver_that_cannot_be_reached_is_called_once_and_not_for_each_patient(hospital: Hospital) -> None:
    hospital.file()
    other = hospital.store.patients.add("Bo Hart", "5", "456")
    store, first = hospital.store, hospital.store.dictations.one(hospital.dictation)
    source = hospital.home / "other.wav"
    source.write_bytes(b"RIFF of another recording")
    number = store.dictations.add(store.encounters.open(other.id).id, source, "audio", first.schema_version_id).id
    store.runs.save(number, [filled("70001", 70.0, "bpm")], NO_RUN)
    store.reviews.decide(store.values.of(number)[0].id, "confirm", "Kim")
    hospital.dictation = number
    hospital.file()
    calls: list[str] = []

    class Gone:
        def send(self, message_id: str, data: bytes, leaving: Callable[[], None]) -> None:
            calls.append(message_id)
            raise NotAccepted("No connection.")

        def left(self, message_id: str) -> bool | None:
            return None

        def answer(self, message_id: str) -> None:
            return None

    written = message_format(hospital.delivering("mllp", address="x:1"), store)
    Courier(store, Gone(), written).run()
    assert len(calls) == 1


def test_a_refusal_is_readable(hospital: Hospital) -> None:
    (queued,) = hospital.file()
    outcome = {
        "resourceType": "OperationOutcome",
        "issue": [{"severity": "error", "code": "not-found", "details": {"text": "No such patient"}}],
    }
    with TransactionServer(applied, (422, {}, json.dumps(outcome).encode())) as server:
        way = Way(hospital.delivering("fhir", address=server.address))
        assert deliver(hospital, way) == ["refused"]
    assert hospital.store.outbox.one(queued.number).reason == "422: No such patient."
    with hl7_listener(lambda _: "AR") as (port, _):
        hospital.store.outbox.retry(queued.number, "Kim")
        assert deliver(hospital, Way(hospital.delivering("mllp", address=f"{HOST}:{port}"))) == ["refused"]
    assert hospital.store.outbox.one(queued.number).reason == "refused (AR)"


def test_a_message_that_may_not_leave_is_refused_with_the_place(hospital: Hospital) -> None:
    hospital.store.patients.edit(1, Identity("Okafor, Nandi", "12A", ""), "Kim")
    (queued,) = hospital.file()
    with over_hl7(hospital) as way:
        assert deliver(hospital, way) == ["refused"]
        assert way.chart.taken == []
    refused = hospital.store.outbox.one(queued.number)
    assert refused.state is MessageState.REFUSED
    assert "PID 1, field 3: the patient has no MRN. Give the patient an MRN" in refused.reason


def test_a_lost_contract_is_not_passed_over(hospital: Hospital) -> None:
    (queued,) = hospital.file()
    settings = replace(hospital.delivering("mllp", address=f"{HOST}:1"), contract=str(hospital.home / "gone.json"))
    assert deliver(hospital, Way(settings)) == ["refused"]
    assert "There is no contract" in hospital.store.outbox.one(queued.number).reason


# what a FHIR server answers


def applied(_: bytes) -> bool:
    return True


def fhir(server: TransactionServer, **seconds: float) -> Any:
    return FhirServer(to(server.address), **seconds).send("W1", BUNDLE, lambda: None)


def to(address: str, **named: str) -> DeliverySettings:
    return DeliverySettings("fhir", address=address, **named)


@pytest.mark.parametrize("status", [301, 302, 307, 401, 403, 404, 405, 429])
def test_other_refusals_surely_left_nothing_and_are_tried_again(status: int) -> None:
    elsewhere = {"Location": f"http://{HOST}:9/fhir"}
    with (
        TransactionServer(applied, (status, elsewhere, b"<html>")) as server,
        pytest.raises(NotAccepted, match=f"answered {status}"),
    ):
        fhir(server)
    assert len(server.asked) == 1, "no redirect is followed"


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_after_an_error_of_the_server_nobody_knows(status: int) -> None:
    with (
        TransactionServer(applied, (status, {}, b"")) as server,
        pytest.raises(OutcomeUnknown, match=f"answered {status}"),
    ):
        fhir(server)


@pytest.mark.parametrize("body", [b"", b"<html>Please sign in</html>", b'{"resourceType": "Bundle"}', b"{"])
def test_a_page_that_is_no_answer_accepts_nothing(body: bytes) -> None:
    with (
        TransactionServer(applied, (200, {}, body)) as server,
        pytest.raises(OutcomeUnknown, match="not with what became of"),
    ):
        fhir(server)


def test_a_server_that_stays_silent_may_have_the_message() -> None:
    with socket.create_server((HOST, 0)) as listener:
        address = f"http://{HOST}:{listener.getsockname()[1]}/fhir"
        with pytest.raises(OutcomeUnknown, match="no whole answer came"):
            FhirServer(to(address), answer_seconds=SHORT).send("W1", BUNDLE, lambda: None)


def test_only_the_address_of_the_settings_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with TransactionServer(applied, (200, {}, b"")) as server, pytest.raises(OutcomeUnknown):
        fhir(server)
    ((path, heads),) = server.asked
    assert path == "/fhir"
    assert heads["Content-Type"] == "application/fhir+json; charset=utf-8"
    assert heads["Accept"] == "application/fhir+json"
    assert "Cookie" not in heads
    assert "Authorization" not in heads


def test_an_encrypted_server_is_believed_only_with_its_certificate(hospital: Hospital) -> None:
    chart = ChartSystem()

    def take(data: bytes) -> bool:
        chart.take(*said_in_fhir(data))
        return True

    hospital.file()
    with TransactionServer(take, encrypted=True) as server:
        with pytest.raises(NotAccepted, match=r"(?i)certificate"):
            FhirServer(to(server.address)).send("W1", BUNDLE, lambda: None)
        assert server.asked == []
        way = Way(hospital.delivering("fhir", address=server.address, certificates=str(CERTIFICATE)))
        assert deliver(hospital, way) == ["accepted"]
    assert chart.rows == CODED


def test_certificates_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotAccepted, match=r"ca\.pem cannot be read"):
        FhirServer(to("https://127.0.0.1:1/fhir", certificates=str(tmp_path / "ca.pem"))).send(
            "W1", BUNDLE, lambda: None
        )


def test_a_server_without_encryption_is_not_taken_for_one_with() -> None:
    with TransactionServer() as server:
        encrypted = FhirServer(to(server.address.replace("http://", "https://")))
        with pytest.raises(NotAccepted):
            encrypted.send("W1", BUNDLE, lambda: None)
    assert server.asked == []


@pytest.mark.parametrize("sends", [b"", b"PID|1", b"MSH|^~\\&|A"])
def test_what_is_no_message_is_refused_before_it_is_sent(sends: bytes) -> None:
    answer = MllpReceiver(DeliverySettings("mllp", address=f"{HOST}:1")).send("W1", sends, lambda: None)
    assert answer
    assert not answer.accepted
    assert "MSH" in answer.reason


# answers of a listener of HL7 v2 that is slow, confused or changes its mind


@contextmanager
def answering(*answers: Callable[[bytes], bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """A listener that makes each of its answers of what it heard, one connection after the other: its address."""
    heard: list[bytes] = []

    def serve() -> None:
        for answer in answers:
            connection, _ = listener.accept()
            with connection, suppress(ConnectionError):
                connection.settimeout(PATIENCE_SECONDS)
                message = b""
                while not message.endswith(b"\x1c\r"):
                    message += connection.recv(1 << 16)
                heard.append(message[1:-2])
                connection.sendall(b"\x0b" + answer(message[1:-2]) + b"\x1c\r")

    with socket.create_server((HOST, 0)) as listener:
        listener.settimeout(PATIENCE_SECONDS)
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"{HOST}:{listener.getsockname()[1]}", heard
        thread.join(PATIENCE_SECONDS)


def acknowledging(code: str, named: str = "") -> Callable[[bytes], bytes]:
    """An acknowledgement of what was heard, or of the message `named`."""

    def answer(message: bytes) -> bytes:
        return f"MSH|^~\\&|CHART||||||ACK|1|P|2.5.1\rMSA|{code}|{named or _id_of(message)}\r".encode()

    return answer


def _id_of(message: bytes) -> str:
    return message.split(b"|")[9].decode()


def test_an_acknowledgement_of_another_message_accepts_and_refuses_nothing(hospital: Hospital) -> None:
    (queued,) = hospital.file()
    for code in ("AA", "AE"):
        with answering(acknowledging(code, "ANOTHER"), acknowledging("AA")) as (address, heard):
            way = Way(hospital.delivering("mllp", address=address))
            assert deliver(hospital, way)[-1] == "unknown"
            assert "answers message 'ANOTHER'" in hospital.store.outbox.open()[0].reason
            assert deliver(hospital, way, datetime.now(UTC) + timedelta(hours=1))[-1] == "accepted"
        assert len({_id_of(message) for message in heard}) == 1
        hospital.decide("70001", "edit", 92.0 if code == "AA" else 93.0, "bpm")
    assert hospital.store.outbox.one(queued.number).state is MessageState.ACCEPTED


def test_an_answer_after_the_time_is_not_taken_for_that_of_the_next_try(hospital: Hospital) -> None:
    hospital.file()
    answered = threading.Event()

    def late(message: bytes) -> bytes:
        assert answered.wait(PATIENCE_SECONDS)
        return acknowledging("AE")(message)

    with answering(late, acknowledging("AA")) as (address, heard):
        way = Way(hospital.delivering("mllp", address=address))
        written = message_format(way.settings, hospital.store)
        impatient = Courier(hospital.store, MllpReceiver(way.settings.delivery, SHORT), written)
        impatient.run()
        assert [one.state.value for one in hospital.store.outbox.open()] == ["unknown"]
        answered.set()
        assert deliver(hospital, way, datetime.now(UTC) + timedelta(hours=1)) == ["accepted"]
    assert len(heard) == 2
    assert _id_of(heard[0]) == _id_of(heard[1])


def test_a_refusal_that_is_followed_by_an_acceptance_stays_a_refusal_until_a_person_decides(hospital: Hospital) -> None:
    (queued,) = hospital.file()

    def both(message: bytes) -> bytes:
        return acknowledging("AE")(message) + b"\x1c\r\x0b" + acknowledging("AA")(message)

    with answering(both, acknowledging("AA")) as (address, heard):
        way = Way(hospital.delivering("mllp", address=address))
        assert deliver(hospital, way) == ["refused"]
        assert deliver(hospital, way, datetime.now(UTC) + timedelta(hours=9)) == ["refused"], "not by itself"
        hospital.store.outbox.retry(queued.number, "Kim")
        assert deliver(hospital, way) == ["accepted"]
    assert _id_of(heard[0]) == _id_of(heard[1]), "by its id the receiver knows that it has it"


def test_a_clock_that_went_back_tries_again_and_keeps_the_order(hospital: Hospital) -> None:
    with over_hl7(hospital) as way:
        way.mute = 1
        hospital.file()
        hospital.decide("70001", "edit", 92.0, "bpm")
        assert deliver(hospital, way) == ["unknown", "queued"]
        assert deliver(hospital, way, datetime.now(UTC) - timedelta(days=2)) == ["accepted", "accepted"]
        assert way.chart.rows == standing(hospital)
        assert len(way.chart.taken) == 2
