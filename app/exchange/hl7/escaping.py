"""Text inside HL7 v2 fields: what would be taken for a part of the message is escaped.

Line breaks and other control characters are written as hexadecimal codes, which every type of text permits and which
keep the character; `\\.br\\` is defined for formatted text only and does not say which line break it was.
"""

from __future__ import annotations

import re

DELIMITERS = r"|^~\&"  # between fields, components, repetitions; escape; between subcomponents
_NAMES = "FSRET"  # of the delimiters in escape sequences, in the same order
_SPECIAL = re.compile(r"[|^~\\&\x00-\x1f\x7f]")
_NULL = '""'  # tells a receiver to delete what it has
_NO_TEXT = frozenset("HN")  # begin and end of highlighting
_BREAK = re.compile(r"\.(?:br|sp)\d*")
_HEXADECIMAL = re.compile(r"X((?:[0-9A-Fa-f]{2})+)")


def escape(text: str) -> str:
    """The text as the content of a field, component or subcomponent."""
    return r"\X2222" + "\\" if text == _NULL else _SPECIAL.sub(_sequence, text)


def unescape(text: str, delimiters: str = DELIMITERS, encoding: str = "utf-8") -> str:
    """What a component or subcomponent says.

    Formatting becomes line breaks, and a sequence that is not known stays as it is.

    Args:
        delimiters: MSH-1 and MSH-2 of the message.
        encoding: codec of its character set, in which hexadecimal codes are bytes.
    """
    names = dict(zip(_NAMES, delimiters, strict=False))

    def meaning(found: re.Match[str]) -> str:
        name = found[1]
        if name in names:
            return names[name]
        if name in _NO_TEXT:
            return ""
        if code := _HEXADECIMAL.fullmatch(name):
            return bytes.fromhex(code[1]).decode(encoding, "replace")
        return "\n" if _BREAK.fullmatch(name) else found[0]

    mark = re.escape(delimiters[3:4] or "\\")
    return re.sub(rf"{mark}([^{mark}]*){mark}", meaning, text)


def _sequence(found: re.Match[str]) -> str:
    place = DELIMITERS.find(found[0])
    return f"\\{_NAMES[place] if place >= 0 else f'X{ord(found[0]):02X}'}\\"
