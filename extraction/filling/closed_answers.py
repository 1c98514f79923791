"""The closed set of answers for each row: its options, or values said in the sentences that retrieved it.

A number, time, date or text must occur in the transcript, so that the filler cannot invent a value.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from extraction.flowsheet.naming.row_meaning import is_temperature
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import contradict, meant
from extraction.flowsheet.validation import chart_unit
from extraction.language.negation import negation_cues
from extraction.language.numbers import date_times, dates, numbers, of_times, pressures, run_on, shares, times
from extraction.language.quantities import amounts, may_be_word, said_unit
from extraction.language.sentences import Segment
from extraction.language.spans import Spoken
from extraction.language.vocabulary.words import stems

_LONGEST_SPAN_WORDS = 8
_EDGE = frozenset(
    "a an and are as at be been but by for from has have he her his i in is it its of on or our she so that the their "
    "they this to uh um was we were with you".split()
)
_WORD = re.compile(r"[^\s,;:()\"“”—–]+")
_TRAILING = ".,;:!?\"')"
# A value does not extend past one of these.
_END = re.compile(r"[,;:—–]$|--")

_Measure = tuple[float, str | None, int, int]  # a number, the UCUM unit said with it, and its characters [start, end)


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible value of the row as shown to the filler, and where it was said (None for options)."""

    text: str
    value: str | float | bool
    span: tuple[int, int] | None = None


def choices(
    row: Row, segments: Sequence[Segment], today: dt.date, minutes: Sequence[Spoken[dt.datetime]] = ()
) -> tuple[Choice, ...]:
    """The possible answers for `row`, given the segments that may state it; empty if nothing fits its type.

    `minutes` are the times of observation that the segments state.
    """
    match row.value_type:
        case ValueType.SINGLE_SELECT | ValueType.MULTI_SELECT:
            return tuple(Choice(option.name, option.name) for option in row.options)
        case ValueType.YES_NO:
            return (Choice("Yes", value=True), Choice("No", value=False))
        case ValueType.TEXT:
            return _distinct(_spans(row, segments))
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return _distinct(said_numbers(row, segments))
        case ValueType.BLOOD_PRESSURE:
            return _distinct(_said_values(segments, pressures))
        case ValueType.TIME:
            return _distinct(_times(segments, times, minutes, "%H:%M"))
        case ValueType.DATE:
            return _distinct(_said_values(segments, lambda text: dates(text, today)))
        case ValueType.DATE_TIME:
            return _distinct(_times(segments, lambda text: date_times(text, today), minutes, "%Y-%m-%dT%H:%M"))


def _distinct(found: Iterator[Choice]) -> tuple[Choice, ...]:
    """One choice per text, with the position of its first mention."""
    first: dict[str, Choice] = {}
    for choice in found:
        first.setdefault(choice.text.lower(), choice)
    return tuple(first.values())


def _said_values(segments: Sequence[Segment], find: Callable[[str], Sequence[Spoken[str]]]) -> Iterator[Choice]:
    for segment in segments:
        for said in find(segment.text):
            yield Choice(said.value, said.value, (segment.start + said.start, segment.start + said.end))


def _times(
    segments: Sequence[Segment],
    find: Callable[[str], Sequence[Spoken[str]]],
    minutes: Sequence[Spoken[dt.datetime]],
    form: str,
) -> Iterator[Choice]:
    """Times resolved to their minutes, and times that are none of observation."""
    for segment in segments:
        inside = [one for one in minutes if segment.start <= one.start < segment.end]
        for one in inside:
            yield Choice(f"{one.value:{form}}", f"{one.value:{form}}", (one.start, one.end))
        for choice in _said_values((segment,), find):
            assert choice.span
            if not any(one.start < choice.span[1] and choice.span[0] < one.end for one in inside):
                yield choice


def said_numbers(row: Row, segments: Sequence[Segment]) -> Iterator[Choice]:
    """Numbers outside dates and times, unless said with a unit that contradicts the row's."""
    unit = chart_unit(row)
    for segment in segments:
        apart = of_times(segment.text)
        for value, said, start, end in _measures(row, unit, segment.text):
            elsewhere = any(begin < end and start < stop for begin, stop in apart)
            if not elsewhere and not (said and unit and contradict(meant(said, unit), unit)):
                yield Choice(f"{value:g}", value, (segment.start + start, segment.start + end))


def _measures(row: Row, unit: str | None, text: str) -> Iterator[_Measure]:
    """The possible numbers of the row, with the unit said and its characters.

    Includes words that stand for a number, such as 'half' for a percentage.
    """
    found = numbers(text)
    instead: list[_Measure] = [(one.value, one.unit, one.start, one.end) for one in amounts(text, found)]
    if unit == "%":
        instead += [(one.value, "%", one.start, one.end) for one in shares(text)]
    if is_temperature(row):
        for one in run_on(text, found):
            said, end = said_unit(text, one.end)
            instead.append((one.value, said, one.start, end))
    instead = [one for one in instead if not (one[1] and unit and contradict(meant(one[1], unit), unit))]
    yield from instead
    below_zero = negation_cues().below_zero if row.minimum is not None and row.minimum < 0 else None
    for number in found:
        if not any(start < number.end and number.start < end for _, _, start, end in instead):
            said, end = said_unit(text, number.end)
            if said and unit and may_be_word(text, number.end) and contradict(said, unit):
                said, end = None, number.end
            sign = below_zero.search(text, 0, number.start) if below_zero else None
            yield (-number.value, said, sign.start(), end) if sign else (number.value, said, number.start, end)


def _spans(row: Row, segments: Sequence[Segment]) -> Iterator[Choice]:
    """Spans of a segment that begin and end with a meaningful word, within one part of the sentence.

    A span that contains the row's whole name only identifies the row and is not a value.
    """
    names = [stems(name) for name in (row.name, *row.synonyms)]
    for segment in segments:
        for part in _parts(segment.text):
            bare = [segment.text[start:end].lower() for start, end in part]
            for first in range(len(part)):
                if bare[first] in _EDGE:
                    continue
                for last in range(first, min(first + _LONGEST_SPAN_WORDS, len(part))):
                    start, end = part[first][0], part[last][1]
                    text = segment.text[start:end]
                    if bare[last] not in _EDGE and not any(name and name <= stems(text) for name in names):
                        yield Choice(text, text, (segment.start + start, segment.start + end))


def _parts(text: str) -> Iterator[list[tuple[int, int]]]:
    """The words of each part of a sentence between punctuation, as characters [start, end)."""
    part: list[tuple[int, int]] = []
    for match in _WORD.finditer(text):
        word = match.group().rstrip(_TRAILING)
        if word:
            part.append((match.start(), match.start() + len(word)))
        if _END.search(text[match.start() : match.end() + 1].rstrip()):
            yield part
            part = []
    yield part
