"""Binds the numbers of a sentence to the measurements that it names.

"BP 134 over 76, heart rate 91, sat 96 on room air": only a plain pair is bound. Nothing but a few small words may stand
between name and number, and each name and number is bound once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from extraction.language.clock_times import clocks
from extraction.language.measuring.further_numbers import (
    HOURS,
    further_pairs,
    is_not_current,
)
from extraction.language.measuring.pairs import MeasuredNumber, MeasuredNumbers, MeasuredPair
from extraction.language.measuring.timed_readings import timed_readings
from extraction.language.measuring.volumes import counts_vessels, with_volumes
from extraction.language.numbers import numbers, of_times, pressures, run_on
from extraction.language.spans import Spoken, overlap
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import (
    NO_NAMES,
    Mention,
    OwnNames,
    measured_by_words,
    measurement_cues,
    vital_signs,
    with_own_names,
)
from extraction.language.vocabulary.number_words import number_words

# The longest name that may also be a unit.
_SHORT = 2
# UCUM units of the sizes of tubes: French gauge, and millimeters.
_TUBE_UNITS = frozenset({"[Ch]", "mm"})
_CLOCK = re.compile(r"[012]\d[0-5]\d")


@of_vocabularies
def measured_numbers(text: str, own: OwnNames = NO_NAMES) -> MeasuredNumbers:
    """The numbers of a sentence, and which of them belong to which measurement; `own` are names of a schema alone."""
    in_positions = measurement_cues().other_rows.search(text) is not None
    named = [
        one
        for one in with_own_names(text, own)
        if one.measurement is None or one.measurement.orthostatic is in_positions
    ]
    said = _numbers(text, named)
    pairs = _pairs(text, named, said)
    if in_positions:
        pairs = tuple(one for one in pairs if one.measurement and one.measurement.orthostatic)
    return MeasuredNumbers(tuple(said), pairs)


def _pairs(text: str, named: Sequence[Mention], said: Sequence[MeasuredNumber]) -> tuple[MeasuredPair, ...]:
    """Names with the number that each is bound to; every name and every number at most once."""
    edges = [
        (-strength, number.start, place, index)
        for place, mention in enumerate(named)
        if not is_not_current(text, mention.start)
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
    pairs += timed_readings(text, named, pairs, said)
    return tuple(sorted(further_pairs(text, named, pairs, said), key=lambda pair: pair.start))


def _pair(mention: Mention, number: MeasuredNumber) -> MeasuredPair:
    return MeasuredPair(mention.measurement, number, min(mention.start, number.start), max(mention.end, number.end))


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
    if measurement and measurement.own and _is_dose(text, mention, number):
        return 0
    if measurement and measurement.unit not in _TUBE_UNITS and measurement_cues().tube_size.match(text, number.end):
        return 0
    if measurement and measurement.adds_up and counts_vessels(text, number.end):
        return 0
    end = number.end
    if measurement and measurement.marks:
        mark = measurement.marks.match(text, number.end)
        if mark is None:
            return 0
        end = mark.end()
    if measurement and bool(number.pressure) != (measurement.kind == "pressure"):
        return 0
    if number.start >= mention.end:
        between = _between(text, mention.end, number.start)
        link = measurement.between if measurement and measurement.between else measurement_cues().link
        if link.fullmatch(between):
            if "," not in between:
                return 3
            unnamed = measured_by_words(text, number.start, number.end)
            return 1 if unnamed is None or unnamed is measurement else 0  # "62 SR, 97% RA"
    elif measurement and measurement.own:
        return 0
    elif end <= mention.start and measurement_cues().backward.fullmatch(text[end : mention.start]):
        name = text[mention.start : mention.end]
        return 0 if len(name) <= _SHORT and name.islower() else 2  # "36 hr" are hours
    return 0


def _is_dose(text: str, mention: Mention, number: MeasuredNumber) -> bool:
    """Whether a number is a dose that was given ("gave fentanyl 50") or half of a ratio, and so not a row's own."""
    cues = measurement_cues()
    return cues.given.search(text, 0, mention.start) is not None or cues.dose.match(text, number.end) is not None


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
    plain = _with_tenths(text, with_volumes(text, plain))
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
        and number.value <= HOURS
    )


def _is_after_pressure(text: str, number: Spoken[float], named: Sequence[Mention]) -> bool:
    return any(
        one.measurement is not None
        and one.measurement.kind == "pressure"
        and one.end <= number.start
        and measurement_cues().link.fullmatch(text[one.end : number.start])
        for one in named
    )
