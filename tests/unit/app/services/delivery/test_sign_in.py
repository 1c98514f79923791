"""Signing in at a FHIR server, and where the secret is kept."""

from __future__ import annotations

import base64
import json
import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.record.outbox import MessageState
from app.record.run import NO_RUN
from app.services.delivery.channel import NotAccepted, SignInRefused
from app.services.delivery.encryption import Encryption
from app.services.delivery.fhir_server import FhirServer
from app.services.delivery.service import courier_of, outbox_state
from app.system.record_system import DeliverySettings
from app.system.secrets import Secret
from app.system.settings import Settings, load_settings, save_settings
from models.base.errors import InputError
from tests.kit.chart_systems import CERTIFICATE, TransactionServer
from tests.kit.fake_keyring import Keyring
from tests.kit.hospital import Hospital
from tests.kit.store import filled

SECRET = "s3cret-that-nobody-may-see"
BUNDLE = b'{"resourceType": "Bundle"}'
DONE = (200, {}, json.dumps({"resourceType": "OperationOutcome", "issue": []}).encode())
WHO = (401, {"WWW-Authenticate": "Bearer"}, b"")


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    opened = Hospital(tmp_path)
    yield opened
    opened.store.close()


def signing_in(server: TransactionServer, sign_in: str, **named: str) -> DeliverySettings:
    more = {"token_address": server.address.replace("/fhir", "/token")} if sign_in == "client" else {}
    user = "" if sign_in == "bearer" else "ward 7"
    return DeliverySettings(
        "fhir", address=server.address, certificates=str(CERTIFICATE), sign_in=sign_in, user=user, **more, **named
    )


def sent(settings: DeliverySettings) -> Any:
    return FhirServer(settings).send("W1", BUNDLE, lambda: None)


def token(name: str, status: int = 200, **more: Any) -> tuple[int, dict[str, str], bytes]:
    return status, {}, json.dumps({"access_token": name, "token_type": "Bearer", "expires_in": 300, **more}).encode()


def shown(server: TransactionServer) -> list[tuple[str, str]]:
    """Path and sign-in of each request."""
    return [(path, heads.get("Authorization", "")) for path, heads in server.asked]


def basic(user: str, password: str) -> str:
    return f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"


def server(*answers: tuple[int, dict[str, str], bytes], mutual: bool = False) -> TransactionServer:
    return TransactionServer(lambda _: True, *answers, encrypted=True, mutual=mutual)


@pytest.mark.parametrize(
    ("sign_in", "head"), [("bearer", f"Bearer {SECRET}"), ("basic", basic("ward 7", SECRET)), ("", "")]
)
def test_each_request_says_who_sends_it(sign_in: str, head: str) -> None:
    with server(DONE) as receiver:
        settings = signing_in(receiver, sign_in)
        settings.sign_in_secret.keep(SECRET)
        assert sent(settings).accepted
    assert shown(receiver) == [("/fhir", head)]


def test_an_id_and_a_secret_are_exchanged_for_a_token(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with server(token("t1"), DONE, DONE) as receiver:
        settings = signing_in(receiver, "client", scope="system/*.write")
        settings.sign_in_secret.keep(SECRET)
        channel = FhirServer(settings)
        for _ in range(2):
            answer = channel.send("W1", BUNDLE, lambda: None)
            assert answer
            assert answer.accepted
    assert shown(receiver) == [("/token", basic("ward%207", SECRET)), ("/fhir", "Bearer t1"), ("/fhir", "Bearer t1")]
    assert receiver.bodies[0] == b"grant_type=client_credentials&scope=system%2F%2A.write"
    assert SECRET not in caplog.text
    assert "t1" not in caplog.text.split()


def test_an_expired_token_is_renewed_once() -> None:
    with server(token("old"), WHO, token("new"), DONE) as receiver:
        settings = signing_in(receiver, "client")
        settings.sign_in_secret.keep(SECRET)
        assert sent(settings).accepted
    assert [head for path, head in shown(receiver) if path == "/fhir"] == ["Bearer old", "Bearer new"]
    with server(token("old"), WHO, token("new"), WHO) as receiver:
        settings = signing_in(receiver, "client")
        settings.sign_in_secret.keep(SECRET)
        with pytest.raises(SignInRefused, match="answered 401"):
            sent(settings)
    assert len(receiver.asked) == 4


def test_a_token_that_was_entered_meanwhile_is_tried(keyring: Keyring) -> None:
    with server(WHO, DONE) as receiver:
        settings = signing_in(receiver, "bearer")
        settings.sign_in_secret.keep("old")

        def meanwhile() -> None:
            settings.sign_in_secret.keep("new")

        assert FhirServer(settings).send("W1", BUNDLE, meanwhile)
    assert [head for _, head in shown(receiver)] == ["Bearer old", "Bearer new"]


@pytest.mark.parametrize("sign_in", ["bearer", "basic", ""])
def test_a_refused_sign_in_is_not_repeated(sign_in: str) -> None:
    with server(WHO, DONE) as receiver:
        settings = signing_in(receiver, sign_in)
        settings.sign_in_secret.keep(SECRET)
        with pytest.raises(SignInRefused, match="answered 401") as refused:
            sent(settings)
    assert len(receiver.asked) == 1
    assert "Settings, Filing" in refused.value.next_step
    assert SECRET not in repr(refused.value) + str(refused.value)


@pytest.mark.parametrize("status", [400, 401, 403])
def test_a_token_service_that_refuses_waits_for_a_person(status: int) -> None:
    answer = token("", status, error="invalid_client", error_description=SECRET)
    with server(answer) as receiver:
        settings = signing_in(receiver, "client")
        settings.sign_in_secret.keep(SECRET)
        with pytest.raises(SignInRefused, match=rf"answered {status} \(invalid_client\)") as refused:
            sent(settings)
    assert SECRET not in str(refused.value)
    assert [path for path, _ in shown(receiver)] == ["/token"]


@pytest.mark.parametrize("answer", [(503, {}, b""), (200, {}, b"<html>"), (200, {}, b'{"access_token": "a\\nb"}')])
def test_a_token_service_that_is_ill_is_tried_again_by_itself(answer: Any) -> None:
    with server(answer) as receiver:
        settings = signing_in(receiver, "client")
        settings.sign_in_secret.keep(SECRET)
        with pytest.raises(NotAccepted, match="gave no token") as ill:
            sent(settings)
    assert not isinstance(ill.value, SignInRefused)


def test_a_certificate_of_ones_own_is_shown_to_the_server() -> None:
    with server(DONE, mutual=True) as receiver:
        settings = signing_in(receiver, "", client_certificate=str(CERTIFICATE))
        assert sent(settings).accepted


# in the outbox


def deliver(hospital: Hospital, settings: DeliverySettings) -> list[str]:
    courier = courier_of(hospital.store, replace(hospital.settings, delivery=settings))
    assert courier
    courier.run()
    return [line.state_words for line in reversed(outbox_state(hospital.store, hospital.settings).lines)]


def test_a_refused_sign_in_keeps_the_message_and_holds_all_others(hospital: Hospital) -> None:
    (queued,) = hospital.file()
    store, first = hospital.store, hospital.store.dictations.one(hospital.dictation)
    other = store.encounters.open(store.patients.add("Bo Hart", "5", "456").id).id
    source = hospital.home / "other.wav"
    source.write_bytes(b"RIFF of another recording")
    hospital.dictation = store.dictations.add(other, source, "audio", first.schema_version_id).id
    store.runs.save(hospital.dictation, [filled("70001", 70.0, "bpm")], NO_RUN)
    store.reviews.decide(store.values.of(hospital.dictation)[0].id, "confirm", "Kim")
    hospital.file()
    with server(WHO) as receiver:
        settings = signing_in(receiver, "basic")
        assert deliver(hospital, settings) == ["refused: sign-in", "waiting"], "no password is stored"
        assert receiver.asked == []
        settings.sign_in_secret.keep("wrong")
        store.outbox.retry(queued.number, "Kim")
        assert deliver(hospital, settings) == ["refused: sign-in", "waiting"]
        assert deliver(hospital, settings) == ["refused: sign-in", "waiting"]
        assert len(receiver.asked) == 1, "no account is locked by trying again"
        reason = store.outbox.one(queued.number).reason
        assert "Enter it again under Settings, Filing, then send this message again." in reason
        assert "wrong" not in reason
        settings.sign_in_secret.keep("right")
        store.outbox.retry(queued.number, "Kim")
        assert deliver(hospital, settings) == ["accepted", "accepted"]
    assert store.outbox.one(queued.number).state is MessageState.ACCEPTED


# where the secret is kept


def test_a_secret_is_in_the_keyring_and_nowhere_else(keyring: Keyring, tmp_path: Path) -> None:
    settings = DeliverySettings("fhir", address="https://chart/fhir", sign_in="basic", user="ward 7")
    assert settings.sign_in_secret.keep(SECRET)
    assert list(keyring.kept.values()) == [SECRET]
    assert settings.sign_in_secret.read() == SECRET
    save_settings(Settings(delivery=settings), tmp_path / "settings.toml")
    assert SECRET not in (tmp_path / "settings.toml").read_text()
    assert load_settings(tmp_path / "settings.toml").delivery == settings
    assert SECRET not in repr(settings)


def test_a_secret_is_given_to_no_other_address() -> None:
    settings = DeliverySettings("fhir", address="https://chart/fhir", sign_in="basic", user="ward 7")
    settings.sign_in_secret.keep(SECRET)
    assert replace(settings, address="https://elsewhere/fhir").sign_in_secret.read() is None


@pytest.mark.parametrize("why", ["absent", "locked", "plain text"])
def test_without_a_keyring_a_secret_is_kept_until_the_program_ends(
    why: str, keyring: Keyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "absent":
        monkeypatch.setitem(sys.modules, "keyring", None)
    keyring.locked = why == "locked"
    keyring.get_keyring().priority = 0.5 if why == "plain text" else 5
    secret = Secret("ward 7", "WARDLIGHT_SIGN_IN_SECRET")
    assert secret.read() is None
    assert not secret.keep(SECRET)
    assert secret.read() == SECRET
    assert keyring.kept == {}


def test_a_secret_can_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDLIGHT_SIGN_IN_SECRET", SECRET)
    assert Secret("ward 7", "WARDLIGHT_SIGN_IN_SECRET").read() == SECRET


@pytest.mark.parametrize(
    ("named", "setting"),
    [
        ({"address": "http://chart/fhir", "sign_in": "bearer"}, "address"),
        ({"address": "http://chart/fhir", "client_certificate": "/c.pem"}, "address"),
        ({"address": "https://chart/fhir", "sign_in": "basic"}, "user"),
        ({"address": "https://chart/fhir", "sign_in": "client", "user": "a"}, "token_address"),
        (
            {"address": "https://chart/fhir", "sign_in": "client", "user": "a", "token_address": "http://id/token"},
            "token_address",
        ),
        ({"address": "https://chart/fhir", "sign_in": "magic"}, "sign_in"),
    ],
)
def test_a_sign_in_that_is_unsafe_or_incomplete_is_refused(named: dict[str, str], setting: str) -> None:
    with pytest.raises(InputError, match=rf"delivery\.{setting}"):
        DeliverySettings("fhir", **named)


def test_a_certificate_over_a_readable_connection_is_refused() -> None:
    with pytest.raises(InputError, match=r"delivery\.tls"):
        DeliverySettings("mllp", address="engine:2575", client_certificate="/c.pem")


def test_a_certificate_without_its_key_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotAccepted, match="There is no certificate"):
        Encryption(certificate=tmp_path / "gone.pem").context()
    alone = tmp_path / "alone.pem"
    alone.write_text(CERTIFICATE.read_text().partition("-----BEGIN PRIVATE")[0].partition("-----BEGIN EC")[0])
    with pytest.raises(SignInRefused, match="cannot be used"):
        Encryption(certificate=alone).context()
