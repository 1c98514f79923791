"""Reads what a receiver answers (ACK of HL7 v2, whatever its version)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.exchange.hl7.errors import UnreadableAnswer
from app.exchange.hl7.escaping import unescape
from app.exchange.hl7.receiver import CHARACTER_SETS

_CODES = {
    "AA": "accepted",
    "AE": "refused because of an error",
    "AR": "refused",
    "CA": "received and kept",
    "CE": "not kept because of an error",
    "CR": "not kept",
}
_ACCEPTED = frozenset({"AA", "CA"})
_TYPES = frozenset({"ACK", "ORU"})  # some receivers answer with the type of what they got
_ASK = "Ask whether the receiver has the values before you send them again."


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """What a receiver says about one message.

    Attributes:
        code: MSA-1: `AA`, `AE`, `AR`, `CA`, `CE` or `CR`.
        message_id: MSA-2, the message that it is about.
        problems: what it says in MSA-3 and ERR, one text each.
    """

    code: str
    message_id: str
    problems: tuple[str, ...] = ()

    @property
    def is_accepted(self) -> bool:
        """Whether the receiver took the message. Otherwise it surely did not."""
        return self.code in _ACCEPTED

    def __str__(self) -> str:
        return ": ".join([f"{_CODES[self.code]} ({self.code})", *(["; ".join(self.problems)] if self.problems else [])])


def read_acknowledgement(data: bytes, message_id: str) -> Acknowledgement:
    """The answer to the message with this id.

    Raises:
        UnreadableAnswer: it is something else, another message's, or not whole.
    """
    lines = [line for line in re.split(rb"[\r\n]+", data.strip()) if line]
    if not lines or not lines[0].startswith(b"MSH") or len(lines[0]) < 8:
        raise _unreadable(message_id, "it is not an HL7 message")
    codec = _codec(lines[0])
    segments = [line.decode(codec, "replace") for line in lines]
    separator = segments[0][3]
    delimiters = separator + segments[0][4:].partition(separator)[0]
    if len(delimiters) < 4 or len(set(delimiters)) < len(delimiters):
        raise _unreadable(message_id, "its separators (MSH-2) are not those of an HL7 message")

    def texts(field: str) -> list[str]:
        """The components of a field that say something, of all its repetitions."""
        parts = re.split(f"[{re.escape(delimiters[1:3] + delimiters[4:5])}]", field)
        return [text for part in parts if (text := unescape(part, delimiters, codec).strip())]

    fields = [segment.split(separator) for segment in segments]
    kind = _first(texts(_at(fields[0], 8)))
    if kind not in _TYPES:
        raise _unreadable(message_id, f"it is a message of type {kind!r}, not an acknowledgement")
    answers = [segment for segment in fields if segment[0] == "MSA"]
    if len(answers) != 1:
        raise _unreadable(message_id, "it has no MSA segment" if not answers else "it has several MSA segments")
    (answer,) = answers
    code, named = _at(answer, 1).strip(), unescape(_at(answer, 2), delimiters, codec).strip()
    if code not in _CODES:
        raise _unreadable(message_id, f"its code (MSA-1) is {code!r}")
    if named != message_id:
        raise _unreadable(message_id, f"it answers message {named!r}" if named else "it names no message (MSA-2)")
    problems = [" ".join(texts(_at(answer, 3)))]
    problems += [_problem(segment, texts) for segment in fields if segment[0] == "ERR"]
    return Acknowledgement(code, named, tuple(filter(None, problems)))


def _problem(segment: list[str], texts: Callable[[str], list[str]]) -> str:
    """An ERR segment in words: what a person is told, else the diagnosis, the code; then the place."""
    says = next((said for field in (8, 7, 5, 3, 1) if (said := " ".join(texts(_at(segment, field))))), "")
    place = "-".join(texts(_at(segment, 2)))
    return f"{says} ({place})" if says and place else says or place


def _codec(header: bytes) -> str:
    """The codec of the character set that MSH-18 names; UTF-8 without one that is known."""
    name = _at(header.decode("latin-1").split(chr(header[3])), 17)
    return CHARACTER_SETS.get(name.strip(), "utf-8")


def _at(fields: list[str], place: int) -> str:
    return fields[place] if place < len(fields) else ""


def _first(texts: list[str]) -> str:
    return texts[0] if texts else ""


def _unreadable(message_id: str, why: str) -> UnreadableAnswer:
    return UnreadableAnswer(f"The receiver's answer to message {message_id} cannot be used: {why}.", _ASK)
