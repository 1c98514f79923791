"""Files of dictated pieces in which every value is marked: one JSON object a line.

    {"id": "m01-r07", "kind": "repair", "text": "pulse {88|corrected|pulse|} no, {98|current|pulse|}"}

A mark holds the words of the value, its status, what it is of, and its clock time if one is said. The kind is one of
KINDS, the status one of `extraction.estimators.mention_reader.MentionStatus`.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from extraction.estimators.mention_reader import MentionStatus
from extraction.language.spans import Span
from models.base.errors import InputError

KINDS = ("repair", "series", "surroundings")
_MARK = re.compile(r"\{([^{}|]+)\|([^{}|]*)\|([^{}|]*)\|([^{}|]*)\}")


@dataclass(frozen=True, slots=True)
class MarkedValue:
    """A value of a piece, in characters [start, end) of its text without marks."""

    span: Span
    status: MentionStatus


@dataclass(frozen=True, slots=True)
class MarkedPiece:
    """A piece of dictation without its marks, and its values in order."""

    id: str
    kind: str
    text: str
    values: tuple[MarkedValue, ...]


def read_pieces(path: Path) -> list[MarkedPiece]:
    """Reads a file.

    Raises:
        InputError: a line is no such object, or a mark has an unknown status. OSError.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            given = json.loads(line)
            name, kind, marked = str(given["id"]), str(given["kind"]), str(given["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise _invalid(path, number, "it needs id, kind and text") from error
        if kind not in KINDS:
            raise _invalid(path, number, f"“kind” must be one of {', '.join(KINDS)}")
        try:
            found.append(_piece(name, kind, marked))
        except ValueError as error:
            raise _invalid(path, number, str(error)) from error
    return found


def _piece(name: str, kind: str, marked: str) -> MarkedPiece:
    """Raises ValueError with what is wrong with its marks."""
    text, position, values = "", 0, []
    for mark in _MARK.finditer(marked):
        words, status = mark[1], mark[2].strip()
        if status not in tuple(MentionStatus):
            raise ValueError(f"“{status}” is no status of a value")
        text += marked[position : mark.start()]
        values.append(MarkedValue((len(text), len(text) + len(words)), MentionStatus(status)))
        text += words
        position = mark.end()
    text += marked[position:]
    if "{" in text or "}" in text:
        raise ValueError("a mark needs four parts: {words|status|what|time}")
    return MarkedPiece(name, kind, text, tuple(values))


def _invalid(path: Path, number: int, fault: str) -> InputError:
    return InputError(f"Line {number} of {path.name} cannot be used: {fault}.", "Correct the line.")
