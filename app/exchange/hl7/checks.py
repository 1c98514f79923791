"""What is checked of a message before it leaves: rules of our own, then HL7 v2.5.1 by hl7apy.

hl7apy checks which segments and fields there are, how often, of which types, and outside of OBX-5 dates, numbers and
the lengths of types (IS 20, ST 199 characters), but no lengths of fields. It does not check the values of OBX-5, and
only notes codes that their table does not have. That, and what this project demands beyond the standard, is checked
here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from app.exchange.hl7.errors import InvalidMessage
from app.exchange.hl7.receiver import CHARACTER_SETS, Receiver
from app.exchange.hl7.results import NO_RESULT

VERSION = "2.5.1"
_ID = re.compile(r"[A-Za-z0-9]{1,20}")
_PLACES = {"MSH": 1}  # fields are counted from 1; MSH-1 is the separator itself
_REQUIRED = {
    "MSH": (7, 9, 10, 11, 12, 18),
    "PID": (3, 5),
    "PV1": (2, 19),
    "OBR": (1, 3, 4, 7, 22, 25),
    "OBX": (1, 2, 3, 5, 11, 14, 16),
    "NTE": (1, 3, 4),
}
_OF_VALUE = (2, 5)
_NO_ID = {("OBX", 16)}  # the reviewer is known by name alone
_TABLES = {
    ("MSH", 11): "HL70103",
    ("PV1", 2): "HL70004",
    ("OBR", 25): "HL70123",
    ("OBX", 8): "HL70078",
    ("OBX", 11): "HL70085",
}
_ZONE = r"[+-]\d{4}"
_FORMS = {
    "NM": re.compile(r"[+-]?\d+(\.\d+)?"),
    "DT": re.compile(r"\d{8}"),
    "TM": re.compile(r"([01]\d|2[0-3])[0-5]\d"),
    "TS": re.compile(rf"\d{{8}}([01]\d|2[0-3])[0-5]\d({_ZONE})?"),
    "TX": re.compile(r"[^|^&~]+"),
    "CE": re.compile(r"[^^|&~]+\^[^|&~]*(~[^^|&~]+\^[^|&~]*)*"),
}
_FORMS["CWE"] = _FORMS["CE"]
_MOMENT = re.compile(rf"\d{{14}}{_ZONE}")
_MOMENTS = {"MSH": (7,), "OBR": (7, 8, 22), "OBX": (14,)}


@dataclass(frozen=True, slots=True)
class _Segment:
    name: str
    number: int  # among those of its name
    fields: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.number}"

    def __getitem__(self, field: int) -> str:
        place = field - _PLACES.get(self.name, 0)
        return self.fields[place] if place < len(self.fields) else ""


def check_message(data: bytes, receiver: Receiver) -> None:
    """Raises InvalidMessage, with the place, unless the message is valid and the receiver takes it."""
    text = data.decode(CHARACTER_SETS[receiver.character_set])
    segments = list(_segments(text))
    message_id = segments[0][10]
    _check_order(message_id, segments)
    for segment in segments:
        _check_fields(message_id, segment, receiver)
    _check_identities(message_id, segments)
    _check_standard(message_id, text, segments)


def _segments(text: str) -> Iterator[_Segment]:
    seen: Counter[str] = Counter()
    for line in text.removesuffix("\r").split("\r"):
        name, *_ = fields = line.split("|")
        seen[name] += 1
        yield _Segment(name, seen[name], tuple(fields))


def _check_order(message_id: str, segments: list[_Segment]) -> None:
    """Patient and stay once, then each OBR with at least one OBX."""
    names = " ".join(segment.name for segment in segments)
    if not re.fullmatch(r"MSH PID PV1( OBR( OBX( NTE)*)+)+", names):
        raise InvalidMessage(message_id, "", None, f"its segments are {names}, not MSH PID PV1 and OBR OBX NTE groups.")


def _check_fields(message_id: str, segment: _Segment, receiver: Receiver) -> None:
    from hl7apy import load_reference

    def refuse(field: int, problem: str, *next_step: str) -> InvalidMessage:
        return InvalidMessage(message_id, str(segment), field, problem, *next_step)

    for field in _REQUIRED[segment.name]:
        if segment.name == "OBX" and field in _OF_VALUE and _has_no_result(segment):
            continue
        content = segment[field].strip("^") if (segment.name, field) in _NO_ID else segment[field].partition("^")[0]
        if not content.strip():
            if (segment.name, field) == ("PID", 3):
                raise refuse(field, "the patient has no MRN.", "Give the patient an MRN; nothing was sent.")
            raise refuse(field, "it is empty and must not be.")
    for (name, field), table in _TABLES.items():
        code = segment[field] if name == segment.name else ""
        if code and code not in load_reference(table, "Table", VERSION)[1]:
            raise refuse(field, f"{code!r} is not in table {table.removeprefix('HL7')}.")
    for field in _MOMENTS.get(segment.name, ()):
        if segment[field] and not _MOMENT.fullmatch(segment[field]):
            raise refuse(field, f"{segment[field]!r} is not a time to the second with its zone.")
    if segment.name == "PID" and segment[7] and not _FORMS["DT"].fullmatch(segment[7]):
        raise refuse(7, f"{segment[7]!r} is not a date.")
    if segment.name == "MSH" and not _ID.fullmatch(segment[10]):
        raise refuse(10, "an id is at most 20 letters and digits.")
    if segment.name == "OBX":
        _check_result(segment, receiver, refuse)


def _has_no_result(segment: _Segment) -> bool:
    """Whether an OBX says that its result cannot be obtained, by table 0085; then it has neither type nor value."""
    return segment[11] == NO_RESULT and not segment[2] and not segment[5]


def _check_result(segment: _Segment, receiver: Receiver, refuse: Callable[..., InvalidMessage]) -> None:
    if segment[11] not in receiver.statuses:
        taken = ", ".join(sorted(receiver.statuses))
        raise refuse(
            11,
            f"the receiver takes {taken} and not {segment[11]}.",
            "Correct the value in the receiving system by hand.",
        )
    if _has_no_result(segment):
        return
    form = _FORMS.get(segment[2])
    if form is None:
        raise refuse(2, f"{segment[2]!r} is not a type of value that is sent.")
    if not form.fullmatch(segment[5]):
        raise refuse(5, f"{segment[5]!r} is not a value of type {segment[2]}.")


def _check_identities(message_id: str, segments: list[_Segment]) -> None:
    """No observation twice, and no result twice in one."""
    observations: set[str] = set()
    results: set[tuple[str, str]] = set()
    for segment in segments:
        if segment.name == "OBR":
            results.clear()
            if segment[3] in observations:
                raise InvalidMessage(message_id, str(segment), 3, "another OBR has the same observation.")
            observations.add(segment[3])
        elif segment.name == "OBX":
            result = (segment[3].partition("^")[0], segment[4])  # many receivers know the first code alone
            if result in results:
                raise InvalidMessage(
                    message_id, str(segment), 4, "another OBX of this OBR has the same code and sub-id."
                )
            results.add(result)


def _check_standard(message_id: str, text: str, segments: list[_Segment]) -> None:
    from hl7apy.consts import VALIDATION_LEVEL
    from hl7apy.exceptions import HL7apyException
    from hl7apy.parser import parse_message

    try:
        parse_message(text, validation_level=VALIDATION_LEVEL.STRICT, find_groups=True).validate()
    except (HL7apyException, ValueError) as error:
        segment, field = _first_invalid(segments)
        raise InvalidMessage(message_id, segment, field, f"it is not valid HL7 v{VERSION}: {error}.") from error


def _first_invalid(segments: list[_Segment]) -> tuple[str, int | None]:
    """The field that hl7apy refuses even by itself; its errors do not say where they are."""
    from hl7apy.consts import VALIDATION_LEVEL
    from hl7apy.exceptions import HL7apyException
    from hl7apy.parser import parse_segment

    for segment in segments[1:]:  # MSH-2 cannot be read as a field
        for field, content in enumerate(segment.fields[1:], start=1):
            alone = segment.name + "|" * field + content
            try:
                parse_segment(alone, version=VERSION, validation_level=VALIDATION_LEVEL.STRICT)
            except (HL7apyException, ValueError):
                return str(segment), field
    return "", None
