"""Observations as an unsolicited result message (ORU^R01 of HL7 v2.5.1)."""

from __future__ import annotations

from collections.abc import Iterator

from app.exchange.hl7.checks import check_message
from app.exchange.hl7.errors import InvalidMessage
from app.exchange.hl7.escaping import DELIMITERS, escape
from app.exchange.hl7.fields import components, designator, identifier, moment, person, segment
from app.exchange.hl7.receiver import CHARACTER_SETS, Designator, Receiver
from app.exchange.hl7.results import results, row_code
from app.exchange.observations import HospitalCodes, Message, Observation, ObservationState
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NotObtained

# OBR-25 has a table of its own (0123), in which the codes of OBX-11 mean other things.
_ORDER_STATUS = {
    ObservationState.FINAL: "F",
    ObservationState.AMENDED: "C",
    ObservationState.WITHDRAWN: "X",  # no result is left
}
_NOTES = "99WLT"  # the project's own codes for kinds of notes
_WORDS = ("SAID", "Words that were said")
_STEPS = ("COMPUTED", "How it was computed")
_NO_RESULT = ("ABSENT", "Why there is no result")
_REPLACES = ("REPLACES", "Message that this one corrects")


def oru_message(message: Message, codes: HospitalCodes, schema: Schema, receiver: Receiver) -> bytes:
    """The observations of a message, one OBR each, checked.

    Args:
        schema: the schema that the dictation was filled with.

    Raises:
        InvalidMessage: the receiver would not take it, or would take it for something else.
    """
    patients = {(it.record.patient_mrn, it.record.patient_name) for it in message.observations}
    if len(patients) != 1:
        problem = "its observations belong to several patients." if patients else "it has no observations."
        raise InvalidMessage(message.id, "", None, problem)
    segments = [
        _header(message, receiver),
        *_patient(message, receiver),
        *_observations(message, codes, schema, receiver),
    ]
    data = _encoded(message.id, segments, receiver)
    check_message(data, receiver)
    return data


def _header(message: Message, receiver: Receiver) -> str:
    return segment(
        "MSH",
        {
            1: DELIMITERS[1:],
            2: designator(receiver.sending_application),
            3: designator(receiver.sending_facility),
            4: designator(receiver.receiving_application),
            5: designator(receiver.receiving_facility),
            6: moment(message.created_at),
            8: "ORU^R01^ORU_R01",
            9: escape(message.id),
            10: escape(receiver.processing_id),
            11: "2.5.1",
            17: escape(receiver.character_set),
        },
    )


def _patient(message: Message, receiver: Receiver) -> Iterator[str]:
    record = message.observations[0].record
    family, given, kind = person(record.patient_name)
    number = identifier(record.patient_mrn, receiver.assigning_authority, "MR") if record.patient_mrn else ""
    yield segment(
        "PID",
        {
            1: "1",
            3: number,
            5: components(family, given, "", "", "", "", kind),
            7: escape(record.patient_birth_date.replace("-", "")),
        },
    )
    stay = identifier(str(message.encounter_id), Designator(receiver.sending_application.name), "VN")
    location = components(receiver.point_of_care, "", record.patient_bed)
    yield segment("PV1", {1: "1", 2: escape(receiver.patient_class), 3: location, 19: stay})


def _observations(message: Message, codes: HospitalCodes, schema: Schema, receiver: Receiver) -> Iterator[str]:
    for number, observation in enumerate(message.observations, start=1):
        record = observation.record
        row = schema.by_id.get(record.row_id)
        if row is None:
            raise InvalidMessage(
                message.id,
                f"OBR {number}",
                4,
                f"the schema has no row {record.row_id!r}.",
                "Use the dictation's schema.",
            )
        observed_at = record.observed_at or record.time
        since = record.observed_since
        observed = {7: moment(since), 8: moment(observed_at)} if since else {7: moment(observed_at)}
        yield segment(
            "OBR",
            {
                1: str(number),
                3: components(observation.id, receiver.sending_application.name),
                4: row_code(row, codes, record.loinc),
                22: moment(message.created_at),
                25: _ORDER_STATUS[observation.state],
                **observed,
            },
        )
        family, given, kind = person(record.reviewer)
        reviewer = components("", family, given, *[""] * 6, kind)
        for place, result in enumerate(results(observation, row, codes, receiver), start=1):
            yield segment(
                "OBX",
                {
                    1: str(place),
                    2: result.value_type,
                    3: result.code,
                    4: result.sub_id,
                    5: result.value,
                    6: result.unit,
                    8: result.flag,
                    11: result.status,
                    14: moment(observed_at),
                    16: reviewer,
                    18: components(message.device),
                },
            )
        yield from _notes(message, number, observation, receiver)


def _notes(message: Message, number: int, observation: Observation, receiver: Receiver) -> Iterator[str]:
    """What is said about the last OBX, and so about its OBR."""
    record = observation.record
    notes = []
    if observation.state is not ObservationState.FINAL:
        if not observation.supersedes:
            problem = "it corrects an observation and names no message that carried it before."
            raise InvalidMessage(message.id, f"OBR {number}", None, problem)
        notes.append((observation.supersedes, _REPLACES))
    if isinstance(record.value, NotObtained):
        notes.append((record.value.value, _NO_RESULT))
    if record.status == "computed":
        notes.append((record.evidence, _STEPS))
    elif receiver.words_said and (words := record.sentence or record.evidence):
        notes.append((words, _WORDS))
    for place, (text, (code, name)) in enumerate(notes, start=1):
        yield segment("NTE", {1: str(place), 2: "L", 3: escape(text), 4: components(code, name, _NOTES)})


def _encoded(message_id: str, segments: list[str], receiver: Receiver) -> bytes:
    codec = CHARACTER_SETS.get(receiver.character_set)
    if codec is None:
        names = ", ".join(CHARACTER_SETS)
        raise InvalidMessage(
            message_id, "MSH", 18, f"unknown character set {receiver.character_set!r}.", f"Use {names}."
        )
    seen: dict[str, int] = {}
    for text in segments:
        name = text[:3]
        seen[name] = seen.get(name, 0) + 1
        for number, content in enumerate(text.split("|")):
            try:
                content.encode(codec)
            except UnicodeEncodeError as error:
                character = f"U+{ord(error.object[error.start]):04X}"
                raise InvalidMessage(
                    message_id,
                    f"{name} {seen[name]}",
                    number + (name == "MSH"),
                    f"{receiver.character_set} has no character {character}.",
                    "Nothing was sent. Choose UNICODE UTF-8 for this receiver, or correct the text.",
                ) from error
    return "".join(f"{text}\r" for text in segments).encode(codec)
