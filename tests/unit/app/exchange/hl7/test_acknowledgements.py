"""What a receiver answers: accepted, refused and why, or something that says nothing about the message."""

from __future__ import annotations

import hl7
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.exchange.hl7.acknowledgements import Acknowledgement, read_acknowledgement
from app.exchange.hl7.errors import DeliveryUnknown, UnreadableAnswer
from tests.unit.app.exchange.hl7.samples import observation, written

ID = "W7"
HEAD = "MSH|^~\\&|CHART|Harbour|WARDLIGHT|Harbour|20261128102108+0000||ACK^R01^ACK|55|P|2.5.1"


def answer(*segments: str, head: str = HEAD, between: str = "\r") -> bytes:
    return "".join(f"{one}{between}" for one in (head, *segments)).encode()


@pytest.mark.parametrize(
    ("code", "accepted"), [("AA", True), ("CA", True), ("AE", False), ("AR", False), ("CE", False), ("CR", False)]
)
def test_every_code_says_whether_the_message_was_taken(code: str, accepted: bool) -> None:
    read = read_acknowledgement(answer(f"MSA|{code}|{ID}"), ID)
    assert read == Acknowledgement(code, ID)
    assert read.is_accepted is accepted
    assert code in str(read)


@pytest.mark.parametrize("between", ["\r", "\n", "\r\n"])
@pytest.mark.parametrize("kind", ["ACK", "ACK^R01", "ACK^R01^ACK", "ORU^R01^ACK"])
def test_answers_of_older_versions_are_read(between: str, kind: str) -> None:
    head = f"MSH|^~\\&|CHART||||20261128||{kind}|55|P|2.3"
    assert read_acknowledgement(answer(f"MSA|AA|{ID}", head=head, between=between), ID).is_accepted


def test_why_it_was_refused_is_told() -> None:
    read = read_acknowledgement(
        answer(
            f"MSA|AE|{ID}|Unknown patient \\T\\ stay",
            "ERR||PID^1^3|204^Unknown key identifier^HL70357|E||||No patient has MRN 00417",
            "ERR|PID^1^3^103&Table value not found&HL70357",
            "ERR||OBX^2^5|102^Data type error^HL70357|E",
            "ERR|",
        ),
        ID,
    )
    assert read.problems == (
        "Unknown patient & stay",
        "No patient has MRN 00417 (PID-1-3)",
        "PID 1 3 103 Table value not found HL70357",
        "102 Data type error HL70357 (OBX-2-5)",
    )
    assert "No patient has MRN 00417" in str(read)


def test_other_separators_and_character_sets_are_read() -> None:
    data = f"MSH#*!%?#CHART######ACK#1#P#2.5######8859/1\rMSA#AR#{ID}#Größe %F% unbekannt\r".encode("latin-1")
    assert read_acknowledgement(data, ID).problems == ("Größe # unbekannt",)
    in_another_set = answer(f"MSA|AR|{ID}|").replace(b"|\r", b"|caf\xe9\r")
    assert read_acknowledgement(in_another_set, ID).code == "AR"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "not an HL7 message"),
        (b"\r\n", "not an HL7 message"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "not an HL7 message"),
        (b"MSH", "not an HL7 message"),
        (b"MSH|^~\\&|CHA", "type ''"),
        (b"MSH|||||||||ACK\rMSA|AA|W7\r", "separators"),
        (b"MSH|^^^^|CHART||||||ACK\rMSA|AA|W7\r", "separators"),
        (answer(), "no MSA"),
        (answer("MSA"), "code (MSA-1) is ''"),
        (answer("MSA|A"), "code (MSA-1) is 'A'"),
        (answer("MSA|AA"), "names no message"),
        (answer("MSA|AA|"), "names no message"),
        (answer("MSA|AA|W"), "answers message 'W'"),
        (answer("MSA|AA|W71"), "answers message 'W71'"),
        (answer("MSA|OK|W7"), "code (MSA-1) is 'OK'"),
        (answer("MSA|AA|W7", "MSA|AE|W7"), "several MSA"),
        (answer("MSA|AA|W7", head=HEAD.replace("ACK^R01^ACK", "ADT^A01^ADT_A01")), "type 'ADT'"),
        (written(observation("vs.heart_rate", 88.0), message_id=ID), "no MSA"),
    ],
)
def test_anything_else_says_nothing_about_the_message(data: bytes, says: str) -> None:
    with pytest.raises(UnreadableAnswer) as error:
        read_acknowledgement(data, ID)
    assert says in str(error.value)
    assert ID in str(error.value)
    assert isinstance(error.value, DeliveryUnknown)
    assert not error.value.retryable


@given(st.binary(max_size=80) | st.builds(lambda tail: HEAD.encode() + b"\rMSA|" + tail, st.binary(max_size=20)))
def test_no_answer_does_more_than_say_nothing(data: bytes) -> None:
    try:
        read = read_acknowledgement(data, ID)
    except UnreadableAnswer:
        return
    assert read.message_id == ID


@pytest.mark.parametrize("cut", range(1, 12))
def test_an_answer_that_was_cut_off_accepts_nothing(cut: int) -> None:
    whole = answer(f"MSA|AA|{ID}").rstrip()
    with pytest.raises(UnreadableAnswer):
        read_acknowledgement(whole[:-cut], ID)


def test_the_acknowledgement_of_a_second_library_is_read() -> None:
    ours = hl7.parse(written(observation("vs.heart_rate", 88.0), message_id=ID).decode())
    assert read_acknowledgement(str(ours.create_ack("AA")).encode(), ID).is_accepted
    assert not read_acknowledgement(str(ours.create_ack("AR")).encode(), ID).is_accepted
