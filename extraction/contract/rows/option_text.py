"""Options that one cell lists: `1=Yes|2=No`, `Yes; No`, `0=None, 1=Mild, moderate`, `Pink/Pale`, `["Pink", "Pale"]`."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from extraction.contract.value_shapes import folded, tidied

_SURE = ("\n", "|", ";", "^", "~")  # what joins hardly anything but options
_LOOSE = (",", "/")
_LONGEST_PART, _MOST_WORDS = 60, 8
# not within brackets, and no "/" of "w/ help", "N/A", "and/or" or "120/80"
_SPLITS = {
    ",": re.compile(r"\s*,(?!\d{3}\b)\s*(?![^(]*\))"),
    "/": re.compile(r"\s*(?<!\bw)(?<!\bw/o)(?<!\bn(?=/a\b))(?<!\band)(?<!\d(?=/\d\d))/\s*(?![^(]*\))", re.IGNORECASE),
}
_BULLET = re.compile(r"^\s*(?:[-*•·]\s+)")
_CODED = re.compile(
    r"([+-]?[A-Za-z0-9]{1,8}[+-]?)\s*=\s*(\S.*)|([+-]?\d{1,4}|[A-Z]{1,4})\s*:\s*(\S.*)|(\d{1,3})\s*[-–—]\s+(\S.*)"
    r"|([A-Z][A-Z0-9]{0,4})\s+[-–—]\s+(\S.*)"
    r"|(\d{1,3})[.)]\s*(\D.*)|\((\d{1,3})\)\s*(\S.*)"
)
_CODED_BEHIND = re.compile(r"(\S.*?)\s*(?:[=:]\s*([+-]?\d{1,4})|\(([+-]?\d{1,4})\)|\[([+-]?\d{1,4})\])")
_COUNTED = re.compile(r"(\d{1,2})(?:\s+|\s*[-–])(\D.*)")
# where the next option with a code begins
_NEXT_CODED = re.compile(
    r"(?:^|[\s,;/|]+)(?=\d{1,3}\s*=|\d{1,3}\s*[:.)]\s|\d{1,3}\s[-–—]\s|\(\d{1,3}\)\s|[A-Z]{1,3}\s*=)"
)
CodedText = tuple[str, str]  # a code, empty where there is none, and a text


def joins(text: str, *, loosely: bool) -> bool:
    """Whether a cell joins several options.

    Args:
        loosely: whether commas and slashes may join them, too.
    """
    return len(options_of(text, loosely=loosely)) > 1


def options_of(text: str, *, loosely: bool = True, loose: Sequence[str] = _LOOSE) -> list[CodedText]:
    """The options in a cell with their codes; none where it lists fewer than two.

    Args:
        loosely: whether commas and slashes may join them.
        loose: these in the order in which they are tried, see `loose_order`.
    """
    parts = _listed(text) or _parts(text, loose if loosely else ())
    parts = [part for part in (tidied(_BULLET.sub("", part)) for part in parts) if part]
    return with_codes(parts) if len(parts) > 1 else []


def loose_order(texts: Iterable[str]) -> tuple[str, ...]:
    """Commas and slashes, first those that join in most of the cells that have one of them only."""
    counts: Counter[str] = Counter()
    for text in texts:
        present = [mark for mark in _LOOSE if len(_SPLITS[mark].split(text)) > 1]
        if len(present) == 1 and not any(mark in text for mark in _SURE):
            counts[present[0]] += 1
    return tuple(sorted(_LOOSE, key=lambda mark: -counts[mark]))


def _listed(text: str) -> list[str]:
    """The members of a list in JSON, or of texts in quotation marks."""
    plain = text.strip()
    if plain[:1] in ("[", "{"):
        try:
            found = json.loads(plain)
        except ValueError:
            found = None
        if isinstance(found, list) and all(isinstance(one, str | int | float) for one in found):
            return [str(one) for one in found]
        if isinstance(found, dict) and all(isinstance(one, str | int | float) for one in found.values()):
            return [f"{code}={name}" for code, name in found.items()]
        if plain.startswith("[") and plain.endswith("]"):
            return [part.strip() for part in plain[1:-1].split(",")]
    if plain[:1] in "\"'" and plain.count(plain[:1]) > 2:
        for mark in (",", ";", "|"):
            parts = next(csv.reader([plain], delimiter=mark, quotechar=plain[0], skipinitialspace=True))
            if len(parts) > 1:
                return parts
    return []


def _parts(text: str, loose: Sequence[str]) -> list[str]:
    for mark in _SURE:
        parts = [part for part in text.split(mark) if part.strip()]
        if len(parts) > 1:
            return parts
    begins = [match.end() for match in _NEXT_CODED.finditer(text)]
    if len(begins) > 1 and not text[: begins[0]].strip():
        ends = [*begins[1:], len(text)]
        return [text[begin:end].strip(" ,;/|") for begin, end in zip(begins, ends, strict=True)]
    if len(parts := re.split(r"\s+/\s+", text)) > 1 and "," not in loose[:1]:
        return parts
    for mark in loose:
        parts = _SPLITS[mark].split(text.strip().removesuffix("."))
        if len(parts) > 1:
            fit = all(len(part) <= _LONGEST_PART and len(part.split()) <= _MOST_WORDS for part in parts)
            return parts if fit else []
    return re.split(r"\s+/\s+", text)


def with_codes(parts: Sequence[str]) -> list[CodedText]:
    """Options with the codes that stand before or behind all of them."""
    before = [match for part in parts if (match := _CODED.fullmatch(part))]
    if len(before) == len(parts):
        found = [(match[match.lastindex - 1], match[match.lastindex]) for match in before if match.lastindex]
        if all(name.strip().isdigit() for _, name in found) and not all(code.isdigit() for code, _ in found):
            found = [(name, code) for code, name in found]
        if _differ(found):
            return found
    behind = [match for part in parts if (match := _CODED_BEHIND.fullmatch(part))]
    if len(behind) == len(parts):
        found = [(match[2] or match[3] or match[4], match[1]) for match in behind]
        if _differ(found):
            return found
    counted = [match for part in parts if (match := _COUNTED.fullmatch(part))]
    if len(counted) == len(parts) > 2:
        found = [(match[1], match[2]) for match in counted]
        steps = {int(later) - int(sooner) for (sooner, _), (later, _) in pairwise(found)}
        if steps in ({1}, {-1}) and _differ(found):
            return found
    return [("", part) for part in parts]


def _differ(found: Sequence[CodedText]) -> bool:
    codes = {code for code, _ in found}
    return len(codes) == len(found) == len({folded(name) or name for _, name in found})
