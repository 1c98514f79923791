"""Observations as messages, read again by a library that had no part in writing them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import hl7
import pytest

from app.exchange.hl7.errors import InvalidMessage
from app.exchange.hl7.receiver import Designator, Receiver, SeveralOptions
from app.exchange.observations import RowCodes
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import NotObtained, Value
from tests.unit.app.exchange.hl7.samples import (
    RECEIVER,
    SCHEMA,
    corrected,
    hospital_codes,
    observation,
    read,
    text,
    withdrawn,
    written,
)

SEPARATE = replace(RECEIVER, several_options=SeveralOptions.SEPARATE)


@pytest.fixture
def in_adelaide(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A ward in a zone that is half an hour off."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process cannot be set on this system")
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "ACST-9:30")
        time.tzset()
        yield
    time.tzset()


def a_value(row: Row) -> Value:
    match row.value_type:
        case ValueType.SINGLE_SELECT:
            return row.option_names[-1]
        case ValueType.MULTI_SELECT:
            return row.option_names[:2]
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return 12.5
        case ValueType.YES_NO:
            return False
        case ValueType.DATE:
            return "2026-11-02"
        case ValueType.TIME:
            return "07:30"
        case ValueType.DATE_TIME:
            return "2026-11-27T23:05"
        case ValueType.BLOOD_PRESSURE:
            return "142/74"
    return "2 & 3 | ^ so\nand on"


def the_value(row: Row, results: list[hl7.Segment]) -> Value:
    """The value of a row as a receiver puts it together."""
    first = results[0]
    match text(first, 2), row.value_type:
        case "NM", ValueType.BLOOD_PRESSURE:
            assert [text(result, 4) for result in results] == ["systolic", "diastolic"]
            return "/".join(text(result, 5) for result in results)
        case "NM", ValueType.NUMERIC | ValueType.QUANTITY:
            return float(text(first, 5))
        case "CE", ValueType.YES_NO:
            return {"Y": True, "N": False}[text(first, 5)]
        case "CE", ValueType.SINGLE_SELECT:
            return text(first, 5, 2)
        case "CE", ValueType.MULTI_SELECT:
            return tuple(text(first, 5, 2, place) for place in range(1, len(first[5]) + 1))
        case "DT", ValueType.DATE:
            return datetime.strptime(text(first, 5), "%Y%m%d").date().isoformat()  # noqa: DTZ007
        case "TM", ValueType.TIME:
            return datetime.strptime(text(first, 5), "%H%M").strftime("%H:%M")  # noqa: DTZ007
        case "TS", ValueType.DATE_TIME:
            moment = datetime.strptime(text(first, 5), "%Y%m%d%H%M%z")
            return moment.astimezone().strftime("%Y-%m-%dT%H:%M")
        case "TX", ValueType.TEXT:
            return text(first, 5)
    raise AssertionError(f"{row.id} has results of type {text(first, 2)}")


def orders(message: hl7.Message) -> list[tuple[hl7.Segment, list[hl7.Segment], list[hl7.Segment]]]:
    """Each OBR with its OBX and NTE."""
    found: list[tuple[hl7.Segment, list[hl7.Segment], list[hl7.Segment]]] = []
    for segment in message:
        match str(segment[0]):
            case "OBR":
                found.append((segment, [], []))
            case "OBX":
                found[-1][1].append(segment)
            case "NTE":
                found[-1][2].append(segment)
    return found


@pytest.mark.parametrize("kind", ValueType)
def test_a_second_library_reads_every_row_of_the_demonstration_schema(kind: ValueType) -> None:
    rows = [row for row in SCHEMA.rows if row.value_type is kind]
    sent = [observation(row.id, a_value(row), number) for number, row in enumerate(rows, start=1)]
    heard = orders(read(written(*sent)))
    assert rows
    assert len(heard) == len(rows)
    for row, one, (order, results, _) in zip(rows, sent, heard, strict=True):
        assert text(order, 3) == one.id
        assert (text(order, 4), text(order, 4, 2), text(order, 4, 3)) == (row.id, row.name, "L")
        assert the_value(row, results) == one.record.value
        for result in results:
            assert (text(result, 3), text(result, 3, 2)) == (row.id, row.name)
            if row.loinc and kind is not ValueType.BLOOD_PRESSURE:
                assert (text(result, 3, 4), text(result, 3, 6)) == (row.loinc, "LN")
            if row.unit:
                assert (text(result, 6), text(result, 6, 2)) == (row.ucum or row.unit, row.unit)
                assert text(result, 6, 3) == "UCUM"
            else:
                assert text(result, 6) == ""


def test_the_head_says_who_sends_what_to_whom() -> None:
    heard = read(written(observation("vs.heart_rate", 88.0)))
    head, patient, stay = heard.segment("MSH"), heard.segment("PID"), heard.segment("PV1")
    assert [text(head, field) for field in (3, 4, 5, 6)] == ["WARDLIGHT", "Harbour", "CHART", "Harbour"]
    assert (text(head, 5, 2), text(head, 5, 3)) == ("1.2.3.4", "ISO")
    assert str(head[9]) == "ORU^R01^ORU_R01"
    assert [text(head, field) for field in (10, 11, 12, 18)] == ["W00000000000000000A1", "P", "2.5.1", "UNICODE UTF-8"]
    assert str(patient[3]) == "00417^^^MRN&1.2.3.5&ISO^MR"
    assert str(patient[7]) == "19510309"
    assert (str(stay[2]), str(stay[3]), str(stay[19])) == ("I", "ICU 2^^12A", "31^^^WARDLIGHT^VN")


@pytest.mark.parametrize(
    ("name", "as_written"),
    [
        ("Okafor, Nandi", "Okafor^Nandi"),
        ("Nandi Okafor", "Nandi Okafor^^^^^^D"),
        ("Okafor, Jr., Nandi", "Okafor, Jr., Nandi^^^^^^D"),
        ("Doe & Sons", r"Doe \T\ Sons^^^^^^D"),
    ],
)
def test_a_name_is_taken_apart_only_where_a_comma_says_so(name: str, as_written: str) -> None:
    heard = read(written(observation("vs.heart_rate", 88.0, patient_name=name)))
    assert str(heard.segment("PID")[5]) == as_written


def test_times_are_by_the_clock_of_the_ward(in_adelaide: None) -> None:
    sent = observation("vs.heart_rate", 88.0, observed_at="2026-11-28T09:00:00+00:00")
    period = observation(
        "gu.void_time",
        "18:10",
        2,
        observed_since="2026-11-28T08:00:00+00:00",
        observed_at="2026-11-28T09:00:00+00:00",
    )
    inserted = observation("airway.extubation", "2026-11-28T18:30", 3)
    (first, [result], _), (second, [of_period], _), (third, [clock], _) = orders(read(written(sent, period, inserted)))
    assert str(result[14]) == str(first[7]) == "20261128183000+0930"
    assert (str(second[7]), str(second[8]), str(of_period[14])) == (
        "20261128173000+0930",
        "20261128183000+0930",
        "20261128183000+0930",
    )
    assert (str(third[7]), str(clock[5])) == ("20261128194500+0930", "202611281830+0930")


def test_both_numbers_of_a_blood_pressure_have_their_code_and_their_flag() -> None:
    sent = [
        observation("vs.bp", "182/58", interpretation="H/L"),
        observation("hemo.pa_bp", "32/14", 2),
        observation("vs.heart_rate", 140.0, 3, interpretation="HH"),
    ]
    (panel, both, _), (_, of_artery, _), (_, [rate], _) = orders(read(written(*sent)))
    assert text(panel, 4, 4) == "85354-9"
    assert [(text(one, 3, 4), text(one, 5), text(one, 8)) for one in both] == [
        ("8480-6", "182", "H"),
        ("8462-4", "58", "L"),
    ]
    assert [(str(one[3]), text(one, 4), text(one, 5)) for one in of_artery] == [
        ("hemo.pa_bp^Pulmonary artery pressure^L", "systolic", "32"),
        ("hemo.pa_bp^Pulmonary artery pressure^L", "diastolic", "14"),
    ]
    assert text(rate, 8) == "HH"


def test_values_go_back_under_the_hospitals_own_ids() -> None:
    codes = hospital_codes(
        vs__heart_rate=RowCodes("301040", "PULSE"),
        vs__heart_rate_source=RowCodes("7&1", "R PULSE | SOURCE", {"Apical": "3", "Doppler": "5"}),
        vs__ortho_symptoms=RowCodes("9", "SYMPTOMS", {"Dizziness": "1"}),
        vs__provider_notified=RowCodes("11", "MD AWARE", {"Yes": "Y1", "No": "N0"}),
    )
    sent = [
        observation("vs.heart_rate", 88.0, 1),
        observation("vs.heart_rate_source", "Apical", 2),
        observation("vs.ortho_symptoms", ("Dizziness", "Syncope"), 3),
        observation("vs.provider_notified", True, 4),
        observation("vs.bp", "120/80", 5),
    ]
    found = [results[0] for _, results, _ in orders(read(written(*sent, codes=codes)))]
    assert [str(one[3]) for one in found[:1]] == ["301040^PULSE^99HBR^8867-4^^LN"]
    assert (text(found[1], 3), text(found[1], 3, 2)) == ("7&1", "R PULSE | SOURCE")
    assert str(found[1][5]) == "3^Apical^99HBR"
    assert str(found[2][5]) == "1^Dizziness^99HBR~Syncope^Syncope^L"
    assert str(found[3][5]) == "Y1^Yes^99HBR"
    assert str(found[4][3]).startswith("vs.bp^Blood pressure^L")


def test_options_one_by_one_have_a_place_that_stays() -> None:
    sent = observation("vs.ortho_symptoms", ("Dizziness", "Syncope"))
    names = SCHEMA.row("vs.ortho_symptoms").option_names

    def told(one: object) -> list[tuple[str, str, str]]:
        results = read(written(one, receiver=SEPARATE)).segments("OBX")
        return [(text(it, 4), text(it, 5), text(it, 11)) for it in results]

    assert told(sent) == [("2", "Dizziness", "F"), ("6", "Syncope", "F")]
    fewer = corrected(sent, ("Syncope",), "W1")
    assert told(fewer) == [
        (str(place), name, "C" if name == "Syncope" else "D") for place, name in enumerate(names, start=1)
    ]
    assert told(withdrawn(fewer, "W2")) == [("6", "Syncope", "D")]


def test_an_option_that_the_row_no_longer_has_is_not_lost() -> None:
    results = read(written(observation("vs.ortho_symptoms", ("Nausea",)), receiver=SEPARATE)).segments("OBX")
    assert [text(one, 5) for one in results] == ["Nausea"]


def test_a_value_is_corrected_twice_and_withdrawn_under_one_identity() -> None:
    first = observation("vs.heart_rate", 88.0)
    second = corrected(first, 98.0, "W1")
    third = corrected(second, 89.0, "W2")
    last = withdrawn(third, "W3")
    told = []
    for one in (first, second, third, last):
        [(order, [result], notes)] = orders(read(written(one)))
        replaces = [text(note, 3) for note in notes if text(note, 4) == "REPLACES"]
        told.append((text(order, 3), text(order, 25), text(result, 11), text(result, 5), replaces))
    assert told == [
        (first.id, "F", "F", "88", []),
        (first.id, "C", "C", "98", ["W1"]),
        (first.id, "C", "C", "89", ["W2"]),
        (first.id, "X", "D", "89", ["W3"]),
    ]


def test_the_words_that_were_said_stand_beside_the_value() -> None:
    said = 'Pulse 88 | "regular" ^ strong'
    sent = [
        observation("vs.heart_rate", 88.0, sentence=said),
        observation("vs.temperature", 37.0, 2, sentence="", evidence=""),
        observation("vs.heart_rate", 88.0, 3, sentence="", evidence="4 + 5 + 6 = 15", status="computed"),
    ]
    (_, _, [words]), (_, _, nothing), (_, _, [steps]) = orders(read(written(*sent)))
    assert (text(words, 3), text(words, 4)) == (said, "SAID")
    assert nothing == []
    assert (text(steps, 3), text(steps, 4)) == ("4 + 5 + 6 = 15", "COMPUTED")
    (_, _, quiet), *_ = orders(read(written(*sent, receiver=replace(RECEIVER, words_said=False))))
    assert quiet == []


def test_the_reviewer_and_the_program_are_named() -> None:
    result = read(written(observation("vs.heart_rate", 88.0, reviewer="Ida O'Neil & Co"))).segment("OBX")
    assert (text(result, 16), text(result, 16, 2), text(result, 16, 10)) == ("", "Ida O'Neil & Co", "D")
    assert text(result, 18) == "Wardlight 0.1.0"


@pytest.mark.parametrize(
    ("number", "as_written"), [(0.00001, "0.00001"), (1e21, "1" + "0" * 21), (-2.0, "-2"), (0.1, "0.1")]
)
def test_a_number_is_written_without_an_exponent(number: float, as_written: str) -> None:
    assert str(read(written(observation("vs.heart_rate", number))).segment("OBX")[5]) == as_written


def test_other_settings_of_a_receiver() -> None:
    receiver = Receiver(
        receiving_application=Designator("LAB"),
        processing_id="T",
        character_set="8859/1",
        patient_class="E",
        statuses=frozenset("FCW"),
        withdrawn="W",
        coded_type="CWE",
    )
    sent = [
        observation("vs.heart_rate_source", "Apical", sentence="À l'apex."),
        withdrawn(observation("vs.heart_rate", 88.0, 2), "W1"),
    ]
    data = written(*sent, receiver=receiver)
    heard = hl7.parse(data.decode("latin-1"))
    assert [text(heard.segment("MSH"), field) for field in (11, 18)] == ["T", "8859/1"]
    assert str(heard.segment("PID")[3]) == "00417^^^^MR"
    assert text(heard.segment("PV1"), 2) == "E"
    assert [(text(one, 2), text(one, 11)) for one in heard.segments("OBX")] == [("CWE", "F"), ("NM", "W")]
    assert text(heard.segment("NTE"), 3) == "À l'apex."


# what was not obtained

REASONS = pytest.mark.parametrize("why", NotObtained)


@REASONS
def test_what_was_not_obtained_is_no_result_with_the_reason(why: NotObtained) -> None:
    for row in {row.value_type: row for row in SCHEMA.rows}.values():
        message = read(written(observation(row.id, why, unit=None, interpretation="")))
        results = message.segments("OBX")
        assert len(results) == (2 if row.value_type is ValueType.BLOOD_PRESSURE else 1), row.id
        for result in results:
            assert str(result[11]) == "X", row.id
            assert str(result[2]) == str(result[5]) == str(result[6]) == "", row.id
        notes = {text(note, 4): str(note[3]) for note in message.segments("NTE")}
        assert notes["ABSENT"] == why.value, row.id


def test_a_value_can_be_corrected_to_one_that_was_not_obtained_and_back() -> None:
    first = observation("vs.heart_rate", 88.0)
    gone = corrected(first, NotObtained.REFUSED, "W1")
    message = read(written(gone))
    assert text(message.segment("OBR"), 25) == "C"
    assert str(message.segment("OBX")[11]) == "X"
    assert [str(note[3]) for note in message.segments("NTE")][:2] == ["W1", "Not obtained: refused"]
    back = read(written(corrected(gone, 90.0, "W2")))
    assert (str(back.segment("OBX")[5]), str(back.segment("OBX")[11])) == ("90", "C")
    never = read(written(withdrawn(gone, "W2")))
    assert (str(never.segment("OBX")[11]), text(never.segment("OBX"), 5)) == ("D", "Not obtained: refused")


def test_options_that_stood_by_themselves_do_not_stand_on_when_nothing_is_obtained() -> None:
    row = next(row for row in SCHEMA.rows if row.value_type is ValueType.MULTI_SELECT)
    before = observation(row.id, row.option_names[:2])
    message = read(written(corrected(before, NotObtained.UNABLE, "W1"), receiver=SEPARATE))
    states = [(str(one[4]), str(one[11])) for one in message.segments("OBX")]
    assert states == [("", "X"), *((str(place), "D") for place in range(1, len(row.options) + 1))]


def test_a_receiver_that_takes_no_missing_results_is_sent_none() -> None:
    strict = replace(RECEIVER, statuses=frozenset("FCD"))
    with pytest.raises(InvalidMessage, match="takes C, D, F and not X"):
        written(observation("vs.heart_rate", NotObtained.REFUSED, unit=None), receiver=strict)
