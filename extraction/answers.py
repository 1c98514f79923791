"""The closed set of answers of each row: its options, or what was said in the sentences that brought it.

A number, time, date or text can only be one that stands in the transcript, so that the filler cannot invent a value.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from extraction.schema import Row, ValueType
from extraction.segment import Segment
from extraction.spoken import Said, date_times, dates, numbers, pressures, times
from extraction.units import said_unit

_LONGEST_SPAN_WORDS = 10
_EDGE = frozenset(
    "a an and are as at be been but by for from has have he her his i in is it its of on or our she so that the their "
    "they this to uh um was we were with you".split()
)
_WORD = re.compile(r"[^\s,;:()\"“”]+")
_TRAILING = ".,;:!?\"')"


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that the row may take, as the filler reads it, and where it was said (None for options)."""

    text: str
    value: str | float | bool
    span: tuple[int, int] | None = None


def choices(row: Row, segments: Sequence[Segment], today: dt.date) -> tuple[Choice, ...]:
    """What `row` can be answered with, given the segments that may speak of it; empty where nothing fits its type."""
    match row.value_type:
        case ValueType.SINGLE_SELECT | ValueType.MULTI_SELECT:
            return tuple(Choice(option.name, option.name) for option in row.options)
        case ValueType.YES_NO:
            return (Choice("Yes", value=True), Choice("No", value=False))
        case ValueType.TEXT:
            return _distinct(_spans(segments))
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return _distinct(_numbers(segments))
        case ValueType.BLOOD_PRESSURE:
            return _distinct(_said(segments, pressures))
        case ValueType.TIME:
            return _distinct(_said(segments, times))
        case ValueType.DATE:
            return _distinct(_said(segments, lambda text: dates(text, today)))
        case ValueType.DATE_TIME:
            return _distinct(_said(segments, lambda text: date_times(text, today)))


def _distinct(found: Iterator[Choice]) -> tuple[Choice, ...]:
    """One choice per text; the first place where it was said stands for all."""
    first: dict[str, Choice] = {}
    for choice in found:
        first.setdefault(choice.text.lower(), choice)
    return tuple(first.values())


def _said(segments: Sequence[Segment], find: Callable[[str], list[Said[str]]]) -> Iterator[Choice]:
    for segment in segments:
        for said in find(segment.text):
            yield Choice(said.value, said.value, (segment.start + said.start, segment.start + said.end))


def _numbers(segments: Sequence[Segment]) -> Iterator[Choice]:
    for segment in segments:
        for said in numbers(segment.text):
            _, end = said_unit(segment.text, said.end)
            yield Choice(f"{said.value:g}", said.value, (segment.start + said.start, segment.start + end))


def _spans(segments: Sequence[Segment]) -> Iterator[Choice]:
    """Stretches of a segment that begin and end with a word that carries meaning."""
    for segment in segments:
        words = [(m.start(), m.start() + len(m.group().rstrip(_TRAILING))) for m in _WORD.finditer(segment.text)]
        words = [(start, end) for start, end in words if end > start]
        bare = [segment.text[start:end].lower() for start, end in words]
        for first in range(len(words)):
            if bare[first] in _EDGE:
                continue
            for last in range(first, min(first + _LONGEST_SPAN_WORDS, len(words))):
                if bare[last] in _EDGE:
                    continue
                start, end = words[first][0], words[last][1]
                yield Choice(
                    segment.text[start:end], segment.text[start:end], (segment.start + start, segment.start + end)
                )
