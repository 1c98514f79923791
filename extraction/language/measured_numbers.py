"""Binds the numbers of a sentence to the measurements that it names.

"BP 134 over 76, heart rate 91, sat 96 on room air": only a plain pair is bound. Nothing but a few small words may stand
between name and number, and each name and number is bound once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extraction.language.clock_times import clocks
from extraction.language.numbers import numbers, of_times, pressures, run_on
from extraction.language.spans import Spoken, overlap
from extraction.language.vital_sign_lists import ListedNumber, listed_vital_signs, rate_of, saturation_of
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import (
    Measurement,
    Mention,
    measured_by_words,
    measurement_cues,
    mentions,
    unnamed_pressure,
    vital_signs,
)
from extraction.language.vocabulary.number_words import number_words

# The longest name that may also be a unit, and the hours of a day.
_SHORT, _HOURS = 2, 24
_CLOCK = re.compile(r"[012]\d[0-5]\d")


@dataclass(frozen=True, slots=True)
class MeasuredNumber:
    """A number in characters [start, end) of a sentence, or a pressure as 'systolic/diastolic'."""

    start: int
    end: int
    value: float = 0.0
    pressure: str = ""


@dataclass(frozen=True, slots=True)
class MeasuredPair:
    """A measurement with its number, and the characters [start, end) of both in a sentence."""

    measurement: Measurement | None
    number: MeasuredNumber
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class MeasuredNumbers:
    """All numbers of a sentence outside times, dates and names, and the pairs among them, in the order of the text."""

    numbers: tuple[MeasuredNumber, ...]
    pairs: tuple[MeasuredPair, ...]


@of_vocabularies
def measured_numbers(text: str) -> MeasuredNumbers:
    """The numbers of a sentence, and which of them belong to which measurement."""
    named = mentions(text)
    said = _numbers(text, named)
    pairs = () if measurement_cues().other_rows.search(text) else _pairs(text, named, said)
    return MeasuredNumbers(tuple(said), pairs)


@of_vocabularies
def measured_ids(text: str) -> frozenset[str]:
    """The ids of the measurements that a sentence states with their numbers."""
    return frozenset(pair.measurement.id for pair in measured_numbers(text).pairs if pair.measurement)


def _pairs(text: str, named: Sequence[Mention], said: Sequence[MeasuredNumber]) -> tuple[MeasuredPair, ...]:
    """Names with the number that each is bound to; every name and every number at most once."""
    edges = [
        (-strength, number.start, place, index)
        for place, mention in enumerate(named)
        if not _is_not_current(text, mention.start)
        for index, number in enumerate(said)
        if (strength := _strength(text, mention, number))
    ]
    pairs: list[MeasuredPair] = []
    names: set[int] = set()
    used: set[int] = set()
    for _, _, place, index in sorted(edges):
        if place not in names and index not in used:
            names.add(place)
            used.add(index)
            pairs.append(_pair(named[place], said[index]))
    for more in (_unnamed, _rates, _scores, _series, _later, _listed):
        left = [one for one in said if all(one is not pair.number for pair in pairs)]
        if not left:
            break
        pairs += more(text, named, pairs, left)
    return tuple(sorted(pairs, key=lambda pair: pair.start))


def _pair(mention: Mention, number: MeasuredNumber) -> MeasuredPair:
    return MeasuredPair(mention.measurement, number, min(mention.start, number.start), max(mention.end, number.end))


def _unnamed(
    text: str, _: Sequence[Mention], __: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Numbers without a name whose unit or words around say what they measure, and pressures."""
    for number in left:
        if _is_not_current(text, number.start):
            continue
        measurement = (
            unnamed_pressure()
            if number.pressure
            else measured_by_words(text, number.start, number.end)
            or saturation_of(text, number.start, number.end, number.value)
        )
        if measurement:
            yield MeasuredPair(measurement, number, number.start, number.end)


def _rates(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Numbers that are merely called a rate, beside other vital signs: of the heart, or of breathing."""
    signs = vital_signs()
    known = {one.measurement.id for one in named if one.measurement}
    if not any(one.measurement and (one.number.pressure or one.measurement in signs) for one in pairs):
        return
    for number in left:
        cue = measurement_cues().bare_rate.search(text, 0, number.start)
        if cue and (rate := rate_of(number.value, [one for one in signs if one.id not in known])):
            known.add(rate.id)
            yield MeasuredPair(rate, number, cue.start(), number.end)


def _scores(
    text: str, _: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Further scores with the circumstance in which they were given: "pain's a three sitting, seven when he coughs"."""
    first = next((one for one in pairs if one.measurement and one.measurement.in_circumstances), None)
    if first is None or first.measurement is None:
        return
    measurement, end, cues = first.measurement, first.end, measurement_cues()
    for number in left:
        if number.start < end or not cues.circumstance_joint.fullmatch(text, end, number.start):
            continue
        if number.value <= measurement.high and cues.circumstance.match(text, number.end):
            end = number.end
            yield MeasuredPair(measurement, number, number.start, end)


def _series(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """The numbers that follow each other at times of their own: "sugars 0800 188, 0900 104"; at least two."""
    meant = {one.measurement.id for one in named if one.measurement}
    if len(meant) != 1 or any(one.measurement is None for one in named):
        return
    mention = named[0]
    if _is_not_current(text, mention.start):
        return
    start = max((pair.end for pair in pairs if pair.measurement), default=mention.end)
    found, times = [], [(clock.start, clock.end) for clock in clocks(text)]
    for number in (one for one in left if one.start >= start):
        clock = next((span for span in times if start <= span[0] and span[1] <= number.start), None)
        if clock is None or not measurement_cues().timed.fullmatch(text, clock[1], number.start):
            break
        if start != mention.end and not measurement_cues().list_joint.fullmatch(text, start, clock[0]):
            break
        found.append(MeasuredPair(mention.measurement, number, number.start, number.end))
        start = number.end
    if len(found) + sum(pair.measurement is mention.measurement for pair in pairs) > 1:
        yield from found


def _later(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Numbers of the only name with a time behind them, or said of a recheck: "temp 101.4 at eleven, 99.6 at two"."""
    meant = {one.measurement.id: one.measurement for one in named if one.measurement}
    if len(meant) != 1:
        return
    (measurement,) = meant.values()
    first = next((one for one in pairs if one.measurement is measurement), None)
    start = first.end if first else min(one.end for one in named)
    found = [
        MeasuredPair(measurement, number, number.start, number.end)
        for number in left
        if number.start >= start
        and not _may_be_hour(text, number)
        and (number.pressure or measurement.in_any_unit(number.value))
        and _is_later(text, start, number)
    ]
    if first or len(found) > 1:
        yield from found


def _is_later(text: str, start: int, number: MeasuredNumber) -> bool:
    cues = measurement_cues()
    if cues.recheck.search(text, start, number.start):
        return cues.list_end.match(text, number.end) is not None
    joined, timed = cues.later_joint.search(text, start, number.start), cues.at_time.match(text, number.end)
    return joined is not None and timed is not None


def _listed(
    text: str, _: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """The numbers without names that a list of vital signs gives a meaning."""
    named = [
        ListedNumber(
            one.start,
            one.end,
            one.number.value,
            is_named=True,
            is_pressure=bool(one.number.pressure),
            measurement=one.measurement,
        )
        for one in pairs
    ]
    bare = [
        ListedNumber(one.start, one.end, one.value) for one in left if not (one.pressure or _may_be_hour(text, one))
    ]
    by_place = {(one.start, one.end): one for one in left}
    in_order = sorted((*named, *bare), key=lambda one: one.start)
    for one, measurement in listed_vital_signs(text, in_order):
        yield MeasuredPair(measurement, by_place[one.start, one.end], one.start, one.end)


def _is_not_current(text: str, place: int) -> bool:
    """Whether the words before make what follows a goal, a limit or an earlier value; "over" of a pressure is none."""
    return measurement_cues().not_current.search(_without_pressures(text), 0, place) is not None


@of_vocabularies
def _without_pressures(text: str) -> str:
    """The text with a sign for each character of a pressure."""
    for one in pressures(text):
        text = text[: one.start] + "#" * (one.end - one.start) + text[one.end :]
    return text


def _between(text: str, start: int, end: int) -> str:
    """The text between a name and its number without times of day: "fingerstick at 2100 was 218"."""
    found = text[start:end]
    for clock in reversed(clocks(text)):
        if start <= clock.start and clock.end <= end:
            before = measurement_cues().at.sub("", text[start : clock.start])
            found = f"{before} {found[clock.end - start :].lstrip(' ,')}"
    return found


def _strength(text: str, mention: Mention, number: MeasuredNumber) -> int:
    """How plainly a number belongs to a name: 3 after it, 2 before it, 1 after a comma, 0 not at all."""
    measurement = mention.measurement
    if measurement and bool(number.pressure) != (measurement.kind == "pressure"):
        return 0
    if number.start >= mention.end:
        between = _between(text, mention.end, number.start)
        if measurement_cues().link.fullmatch(between):
            if "," not in between:
                return 3
            unnamed = measured_by_words(text, number.start, number.end)
            return 1 if unnamed is None or unnamed is measurement else 0  # "62 SR, 97% RA"
    elif number.end <= mention.start and measurement_cues().backward.fullmatch(text[number.end : mention.start]):
        name = text[mention.start : mention.end]
        return 0 if len(name) <= _SHORT and name.islower() else 2  # "36 hr" are hours
    return 0


def _numbers(text: str, named: Sequence[Mention]) -> list[MeasuredNumber]:
    """The numbers and pressures of a sentence outside times, dates and names, in order."""
    found = [MeasuredNumber(one.start, one.end, pressure=one.value) for one in pressures(text)]
    scales = [match.span() for match in measurement_cues().scale.finditer(text)]
    often = number_words().often
    plain = [
        one
        for one in numbers(text)
        if not any(overlap((one.start, one.end), span) for span in scales)
        and text[one.start : one.end].lower() not in often
        and not measurement_cues().frequency.match(text, one.end)
    ]
    plain = _with_tenths(text, plain)
    known = [(one.start, one.end) for one in found]
    for first, second in pairwise(one for one in plain if not any(overlap((one.start, one.end), it) for it in known)):
        if measurement_cues().pressure_joint.fullmatch(text[first.end : second.start]) and _is_after_pressure(
            text, first, named
        ):
            value = f"{first.value:g}/{second.value:g}"
            found.append(MeasuredNumber(first.start, second.end, pressure=value))
    taken = [*((one.start, one.end) for one in found), *of_times(text), *((one.start, one.end) for one in named)]
    found += [
        MeasuredNumber(one.start, one.end, one.value)
        for one in plain
        if not any(overlap((one.start, one.end), span) for span in taken)
        and not measurement_cues().label.search(text, 0, one.start)
        and not _is_clock(text, one)
    ]
    return sorted(found, key=lambda one: one.start)


def _with_tenths(text: str, said: Sequence[Spoken[float]]) -> list[Spoken[float]]:
    """The numbers with temperatures of a list put together: "sixteen, ninety-eight one, 95 percent"."""
    sign = next((one for one in vital_signs() if one.also_in), None)
    found = [
        one
        for one in run_on(text, said)
        if sign and sign.in_any_unit(one.value) and measurement_cues().list_end.match(text, one.end)
    ]
    parts = [(one.start, one.end) for one in found]
    return sorted(
        (*(one for one in said if not any(overlap((one.start, one.end), part) for part in parts)), *found),
        key=lambda one: one.start,
    )


def _is_clock(text: str, number: Spoken[float]) -> bool:
    """Whether a number that no time was read from is one: "0600", "CIWA 1900 = 9", "the scan at eleven was 410"."""
    if _CLOCK.fullmatch(text, number.start, number.end):
        return text[number.start] == "0" or bool(measurement_cues().equals.match(text, number.end))
    return (
        bool(measurement_cues().at.search(text, 0, number.start) and measurement_cues().equals.match(text, number.end))
        and number.value <= _HOURS
    )


def _may_be_hour(text: str, number: MeasuredNumber) -> bool:
    is_hour = number.value.is_integer() and 0 < number.value <= _HOURS
    return is_hour and measurement_cues().at.search(text, 0, number.start) is not None


def _is_after_pressure(text: str, number: Spoken[float], named: Sequence[Mention]) -> bool:
    return any(
        one.measurement is not None
        and one.measurement.kind == "pressure"
        and one.end <= number.start
        and measurement_cues().link.fullmatch(text[one.end : number.start])
        for one in named
    )
