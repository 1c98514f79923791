"""Numbers that a question compares values with: "above 38", "18 or less", "between 90 and 100"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from extraction.language.numbers import numbers
from extraction.language.quantities import whole_unit
from extraction.language.spans import Span, Spoken, overlap
from extraction.questions.query import Comparison
from extraction.questions.words.vocabulary import question_words
from extraction.questions.words.windows import bare_lengths

_COMPARISONS = {
    "at_least": Comparison.AT_LEAST,
    "at_most": Comparison.AT_MOST,
    "above": Comparison.ABOVE,
    "below": Comparison.BELOW,
    "not_equal": Comparison.NOT_EQUAL,
    "equal": Comparison.EQUAL,
}
_BEHIND = {"behind_at_least": Comparison.AT_LEAST, "behind_at_most": Comparison.AT_MOST}


@dataclass(frozen=True, slots=True)
class Threshold:
    """A number that values are compared with, or two."""

    comparison: Comparison
    numbers: tuple[float, ...]
    unit: str | None = None
    length: timedelta | None = None


def named_thresholds(text: str, taken: Sequence[Span]) -> Iterator[tuple[Span, Threshold, bool]]:
    """The numbers outside of some spans, with the words that compare; and whether there are such words."""
    said = [
        _signed(text, one) for one in numbers(text) if not any(overlap((one.start, one.end), span) for span in taken)
    ]
    used: set[int] = set()
    for place, one in enumerate(said):
        if place in used:
            continue
        unit, end = whole_unit(text, one.end)
        if unit is None and text[one.start : one.end].lower() == "one":
            continue  # "the heavier one"
        if unit and text[one.end : end].strip(" -").lower() in ("in", "a", "d", "m"):
            unit, end = None, one.end
        before = text[: one.start].rstrip()
        second = said[place + 1] if place + 1 < len(said) else None
        if second is not None and re.fullmatch(r"\s*(?:and|to|-|–)\s*", text[end : second.start]):
            frame = _ends_with("between", before)
            dash = text[end : second.start].strip() in ("-", "–", "to")
            if (frame is not None or dash) and one.value < second.value:
                other, last = whole_unit(text, second.end)
                used.add(place + 1)
                start: int = frame if frame is not None else one.start
                value = Threshold(Comparison.BETWEEN, (one.value, second.value), other or unit)
                yield (start, last if other else second.end), value, True
                continue
        length, end = next(
            ((length, to) for since, to, length in bare_lengths(text) if since == one.start and to >= end), (None, end)
        )
        behind = next(((at.end(), of) for key, of in _BEHIND.items() if (at := _starts_with(key, text, end))), None)
        for key, comparison in () if behind else _COMPARISONS.items():
            begins = _ends_with(key, before)
            if begins is not None:
                start = begins
                bare = key == "equal" and (length or unit is None)
                if bare and not re.search(r"(?:=|equals?(?: to)?|exactly)$", before, re.IGNORECASE):
                    start = one.start  # "of" and "is" alone do not compare
                yield (start, end), Threshold(comparison, (one.value,), unit, length), True
                break
        else:
            if behind:
                value = Threshold(behind[1], (one.value,), unit, length)
                yield (one.start, behind[0]), value, True
            else:
                value = Threshold(Comparison.EQUAL, (one.value,), unit, length)
                yield (one.start, end), value, False


def _signed(text: str, one: Spoken[float]) -> Spoken[float]:
    """A number with the sign before it: "-3", "minus 3"."""
    sign = re.search(r"(?:(?<!\S)-|\bminus\s+)$", text[: one.start], re.IGNORECASE)
    return Spoken(-one.value, sign.start(), one.end) if sign else one


def _ends_with(key: str, before: str) -> int | None:
    """Where a phrase begins that ends a text."""
    pattern = question_words().patterns[key]
    found = [match.start() for match in pattern.finditer(before[-40:]) if match.end() == len(before[-40:])]
    return len(before) - len(before[-40:]) + min(found) if found else None


def _starts_with(key: str, text: str, at: int) -> re.Match[str] | None:
    space = len(text[at:]) - len(text[at:].lstrip())
    found = question_words().patterns[key].match(text, at + space)
    return None if found and re.match(r"\s*\d", text[found.end() :]) else found  # "below 60 or above 100"
