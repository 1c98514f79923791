"""A message that a receiver would not take, or would take for something else, is never written."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.exchange.hl7.checks import check_message
from app.exchange.hl7.errors import InvalidMessage
from app.exchange.hl7.oru import oru_message
from app.exchange.observations import Message, Observation
from tests.unit.app.exchange.hl7.samples import (
    OWN,
    RECEIVER,
    SCHEMA,
    corrected,
    message,
    observation,
    withdrawn,
    written,
)

PULSE = observation("vs.heart_rate", 88.0)
VALID = written(PULSE, observation("vs.bp", "120/80", 2)).decode()


def refusal(act: Callable[[], object]) -> InvalidMessage:
    with pytest.raises(InvalidMessage) as refused:
        act()
    assert str(refused.value).startswith(f"Message {refused.value.message_id}")
    assert refused.value.next_step
    return refused.value


@pytest.mark.parametrize(
    ("found", "put", "segment", "field", "says"),
    [
        (r"\|P\|2\.5\.1", "|Q|2.5.1", "MSH 1", 11, "'Q' is not in table 0103"),
        (r"W0+A1", "W 1", "MSH 1", 10, "at most 20 letters and digits"),
        (r"W0+A1", "W" * 21, "MSH 1", 10, "at most 20 letters and digits"),
        (r"00417[^|]*", "", "PID 1", 3, "no MRN"),
        (r"Nandi[^|]*", "", "PID 1", 5, "empty"),
        (r"19510309", "1951-03-09", "PID 1", 7, "not a date"),
        (r"19510309", "19511309", "PID 1", 7, "not valid HL7 v2.5.1"),
        (r"PV1\|1\|I", "PV1|1|Q", "PV1 1", 2, "table 0004"),
        (r"\|F\r(?=OBX)", "|C1\r", "OBR 1", 25, "table 0123"),
        (r"\|F\r(?=OBX)", "|D\r", "OBR 1", 25, "table 0123"),
        (r"\|\|F\|\|\|", "||Q|||", "OBX 1", 11, "table 0085"),
        (r"\|\|F\|\|\|", "||P|||", "OBX 1", 11, "takes C, D, F, X and not P"),
        (r"\|\|F\|\|\|", "|||||", "OBX 1", 11, "empty"),
        (r"\|88\|", "||", "OBX 1", 5, "empty"),
        (r"\|88\|", "|8e1|", "OBX 1", 5, "type NM"),
        (r"\|88\|", "|nan|", "OBX 1", 5, "type NM"),
        (r"\|NM\|", "|QQ|", "OBX 1", 2, "'QQ' is not a type"),
        (r"\|NM\|", "|DT|", "OBX 1", 5, "type DT"),
        (r"\|NM\|", "|TM|", "OBX 1", 5, "type TM"),
        (r"\|NM\|", "|TS|", "OBX 1", 5, "type TS"),
        (r"\|NM\|", "|CE|", "OBX 1", 5, "type CE"),
        (r"(?<=\|\|\|F\|\|\|)(\d{14})[+-]\d{4}", r"\1", "OBX 1", 14, "with its zone"),
        (r"\|systolic\|", "|diastolic|", "OBX 3", 4, "same code and sub-id"),
        (r"\|\|\|\|\|F\|\|\|", "||A1|||F|||", "OBX 1", 8, "table 0078"),
        (r"00000002-", "00000001-", "OBR 2", 3, "the same observation"),
        (r"PV1[^\r]*\r", "", "", None, "not MSH PID PV1"),
        (r"OBX[^\r]*\r(?=NTE)", "", "", None, "not MSH PID PV1"),
        (r"NTE[^\r]*\r(?=OBR)", "ZZZ|1\r", "", None, "not MSH PID PV1"),
        (r"\|\|Wardlight 0\.1\.0", "||Wardlight 0.1.0|||" + PULSE.id, "OBX 1", 21, "not valid HL7 v2.5.1"),
        (r"UCUM\|\|", "UCUM^^^^^^x||", "OBX 1", 6, "not valid HL7 v2.5.1"),
    ],
)
def test_what_is_wrong_is_named(found: str, put: str, segment: str, field: int | None, says: str) -> None:
    changed = re.sub(found, put, VALID, count=1)
    assert changed != VALID
    error = refusal(lambda: check_message(changed.encode(), RECEIVER))
    assert (error.segment, error.field) == (segment, field)
    assert says in str(error)


def test_what_is_valid_passes() -> None:
    check_message(VALID.encode(), RECEIVER)


@pytest.mark.parametrize(
    ("changed", "segment", "field", "says"),
    [
        (message(), "", None, "no observations"),
        (message(PULSE, observation("vs.bp", "120/80", 2, patient_mrn="9")), "", None, "several patients"),
        (message(replace(PULSE, record=replace(PULSE.record, patient_mrn=""))), "PID 1", 3, "no MRN"),
        (message(observation("vs.heart_rate", 88.0, patient_bed="next to the window, left")), "PV1 1", 3, "length: 20"),
        (message(corrected(PULSE, 90.0, "")), "OBR 1", None, "names no message"),
        (message(PULSE, replace(PULSE, record=replace(PULSE.record, value=90.0))), "OBR 2", 3, "the same observation"),
        (message(replace(PULSE, record=replace(PULSE.record, row_id="gone"))), "OBR 1", 4, "no row 'gone'"),
        (message(replace(PULSE, record=replace(PULSE.record, value="fast"))), "OBX 1", 5, "'fast' is not a value"),
        (message(observation("vs.bp", "120")), "OBX 2", 5, "empty"),
        (message(replace(PULSE, id="")), "OBR 1", 3, "empty"),
        (message(replace(PULSE, record=replace(PULSE.record, reviewer=""))), "OBX 1", 16, "empty"),
        (message(PULSE, message_id="too-long-for-an-acknowledgement"), "MSH 1", 10, "at most 20"),
        (message(replace(PULSE, record=replace(PULSE.record, sentence="half \ud83d"))), "NTE 1", 3, "U+D83D"),
    ],
)
def test_what_cannot_be_told_is_refused(changed: Message, segment: str, field: int | None, says: str) -> None:
    error = refusal(lambda: oru_message(changed, OWN, SCHEMA, RECEIVER))
    assert (error.message_id, error.segment, error.field) == (changed.id, segment, field)
    assert says in str(error)


@pytest.mark.parametrize("change", [lambda one: corrected(one, 90.0, "W1"), lambda one: withdrawn(one, "W1")])
def test_a_receiver_that_takes_no_corrections_is_sent_none(change: Callable[[Observation], Observation]) -> None:
    receiver = replace(RECEIVER, statuses=frozenset("FP"))
    written(PULSE, receiver=receiver)
    error = refusal(lambda: written(change(PULSE), receiver=receiver))
    assert (error.segment, error.field) == ("OBX 1", 11)
    assert "by hand" in error.next_step


def test_a_character_that_the_receivers_set_does_not_have_is_named() -> None:
    receiver = replace(RECEIVER, character_set="8859/1")
    error = refusal(lambda: written(observation("vent.ie", "1:2 ☑"), receiver=receiver))
    assert (error.segment, error.field) == ("OBX 1", 5)
    assert "U+2611" in str(error)
    error = refusal(lambda: written(PULSE, receiver=replace(RECEIVER, character_set="EBCDIC")))
    assert (error.segment, error.field) == ("MSH", 18)
