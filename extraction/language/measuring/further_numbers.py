"""The numbers of a sentence without a name: their unit, a list, or another number says what they measure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from extraction.language.body_sites import written_sides
from extraction.language.clock_times import clocks
from extraction.language.measuring.pairs import MeasuredNumber, MeasuredPair
from extraction.language.measuring.vital_sign_lists import ListedNumber, listed_vital_signs, rate_of, saturation_of
from extraction.language.measuring.volumes import further_volumes
from extraction.language.numbers import pressures
from extraction.language.quantities import said_unit
from extraction.language.spans import overlap
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import (
    Measurement,
    Mention,
    measured_by_words,
    measurement_cues,
    unnamed_pressure,
    vital_signs,
)

HOURS = 24  # of a day


def further_pairs(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], said: Sequence[MeasuredNumber]
) -> list[MeasuredPair]:
    """The given pairs of names and numbers, and those of the numbers that are left."""
    found = list(pairs)
    for more in (
        _unnamed,
        _rates,
        _scores,
        _series,
        _sided,
        _replacing,
        _later,
        further_volumes,
        _replacing,
        _listed,
        _repeated,
    ):
        left = [one for one in said if all(one is not pair.number for pair in found)]
        if not left:
            break
        found += more(text, named, found, left)
    return found


def _in_order(bound: Iterable[MeasuredNumber], left: Iterable[MeasuredNumber]) -> list[MeasuredNumber]:
    return sorted((*bound, *left), key=lambda one: one.start)


def _unnamed(
    text: str, _: Sequence[Mention], __: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Numbers without a name whose unit or words around say what they measure, and pressures."""
    for number in left:
        if is_not_current(text, number.start):
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
    if is_not_current(text, mention.start):
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


def _sided(
    text: str, _: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """The number of the other side: "left pupil 4, right 3", "pupils 2 and 2"."""
    by_number = {one.number: one.measurement for one in pairs}
    for first, second in pairwise(_in_order(by_number, left)):
        measurement = by_number.get(first)
        if measurement is None or not measurement.sided or second in by_number:
            continue
        mark = measurement.marks.match(text, first.end) if measurement.marks else None
        end = mark.end() if mark else first.end
        joint = measurement_cues().other_side.fullmatch(text, end, second.start)
        says_side = bool(written_sides(text[first.end : second.start])) or first.value == second.value
        if joint and says_side and may_follow(text, measurement, first, second):
            by_number[second] = measurement
            yield MeasuredPair(measurement, second, second.start, second.end)


def _replacing(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """Numbers that replace another one of the same measurement: "118, now 92", "pulse came down from 124 to 98"; and
    current ones behind a goal or an earlier value: "goal MAP 65, currently 71".
    """
    cues = measurement_cues()
    by_number = {one.number: one.measurement for one in pairs}
    for first, second in pairwise(_without_hours(text, _in_order(by_number, left))):
        if second in by_number:
            continue
        is_replaced = replaces(text, first, second)
        if not is_replaced and not cues.came_to.fullmatch(text, first.end, second.start):
            continue
        measurement = by_number.get(first) if is_replaced else None
        measurement = measurement or _last_named(text, named, first, cues.came_from)
        if measurement is None and first not in by_number and _is_now(text, first, second):
            measurement = _last_named(text, named, first, cues.of_name)
        if measurement and not _is_goal(text, named, measurement) and may_follow(text, measurement, first, second):
            by_number[second] = measurement
            yield MeasuredPair(measurement, second, second.start, second.end)


def _without_hours(text: str, said: Sequence[MeasuredNumber]) -> list[MeasuredNumber]:
    """The numbers without those that are the time of the number before: "110 at eight and is 88 now"."""
    at_time = measurement_cues().at_time
    times = [(match.start(), match.end()) for one in said if (match := at_time.match(text, one.end))]
    return [one for one in said if not any(overlap((one.start, one.end), span) for span in times)]


def _is_goal(text: str, named: Sequence[Mention], measurement: Measurement) -> bool:
    """Whether a measurement that only the schema has is a goal or a limit by its name, such as "sat goal"."""
    not_current = measurement_cues().not_current
    return measurement.own and any(
        one.measurement is measurement and not_current.search(text, one.start, one.end) for one in named
    )


def replaces(text: str, first: MeasuredNumber, second: MeasuredNumber) -> bool:
    """Whether the words between two numbers, or behind the second, say that it replaces the first."""
    end = said_unit(text, first.end)[1]
    return bool(measurement_cues().replaces.fullmatch(text, end, second.start)) or _is_now(text, first, second)


def _is_now(text: str, first: MeasuredNumber, second: MeasuredNumber) -> bool:
    """Whether a word between two numbers, or behind the second, makes the second the current one."""
    cues, end = measurement_cues(), said_unit(text, first.end)[1]
    if cues.is_now.fullmatch(text, end, second.start):
        return True
    behind = said_unit(text, second.end)[1]
    return bool(cues.before_now.fullmatch(text, end, second.start) and cues.now_behind.match(text, behind))


def _last_named(
    text: str, named: Sequence[Mention], number: MeasuredNumber, between: re.Pattern[str]
) -> Measurement | None:
    """The measurement that was last named before a number, where everything between them matches a pattern."""
    before = [one for one in named if one.end <= number.start]
    is_joined = before and between.fullmatch(text, before[-1].end, number.start)
    return before[-1].measurement if is_joined else None


def may_follow(text: str, measurement: Measurement, first: MeasuredNumber, second: MeasuredNumber) -> bool:
    """Whether a number can be a further one of a measurement: possible, and not said of something else."""
    if bool(first.pressure) != bool(second.pressure):
        return False
    if not second.pressure and not measurement.in_any_unit(second.value):
        return False
    if measurement.marks and not measurement.marks.match(text, second.end):
        return False
    unit, end = said_unit(text, second.end)
    if unit and unit not in (said_unit(text, first.end)[0], measurement.unit, *measurement.also_in):
        return False
    return measurement_cues().of_something.match(text, end) is None


def _repeated(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], left: Sequence[MeasuredNumber]
) -> Iterator[MeasuredPair]:
    """The numbers of a list of one measurement: "sugars 210, 188 and 164", "voided on the commode, 200, 150, 275"."""
    by_number = {one.number: one.measurement for one in pairs}
    in_order = _in_order(by_number, left)
    for place, first in enumerate(in_order):
        measurement = by_number.get(first) or _heading(text, named, pairs, first)
        if measurement is None or measurement.sided or not may_follow(text, measurement, first, first):
            continue
        chain = [first]
        for number in in_order[place + 1 :]:
            joint = measurement_cues().repeat_joint.fullmatch(text, chain[-1].end, number.start)
            if number in by_number or not joint or not may_follow(text, measurement, first, number):
                break
            chain.append(number)
        if len(chain) == 1:
            continue
        is_plural = any(one.measurement is measurement and text[one.end - 1] == "s" for one in named)
        if measurement.listed and not is_plural:
            continue  # the next number of a list of vital signs is another sign
        is_repeated = measurement.adds_up or is_plural
        is_list = len(chain) > (1 if is_repeated and first in by_number else 2)
        if is_list and measurement_cues().list_end.match(text, chain[-1].end):
            new = [one for one in chain if one not in by_number]
            by_number |= dict.fromkeys(new, measurement)
            yield from (MeasuredPair(measurement, one, one.start, one.end) for one in new)


def _heading(
    text: str, named: Sequence[Mention], pairs: Sequence[MeasuredPair], number: MeasuredNumber
) -> Measurement | None:
    """The measurement that heads a list which begins with a number: the last one named before, with no number yet."""
    measurement = _last_named(text, named, number, measurement_cues().heads_list)
    return None if any(one.measurement is measurement for one in pairs) else measurement


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
        and (_is_later(text, start, number) or (first and _is_another(text, measurement, first.number, number)))
    ]
    if first or len(found) > 1:
        yield from found


def _is_another(text: str, measurement: Measurement, first: MeasuredNumber, number: MeasuredNumber) -> bool:
    """Whether a number is a further amount of the same: "300 from the urinal, another 200 at lunch"."""
    another = measurement_cues().another.search(text, first.end, number.start)
    return measurement.adds_up and another is not None and may_follow(text, measurement, first, number)


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


def is_not_current(text: str, place: int) -> bool:
    """Whether the words before make what follows a goal, a limit or an earlier value; "over" of a pressure is none."""
    return measurement_cues().not_current.search(_without_pressures(text), 0, place) is not None


@of_vocabularies
def _without_pressures(text: str) -> str:
    """The text with a sign for each character of a pressure."""
    for one in pressures(text):
        text = text[: one.start] + "#" * (one.end - one.start) + text[one.end :]
    return text


def _may_be_hour(text: str, number: MeasuredNumber) -> bool:
    is_hour = number.value.is_integer() and 0 < number.value <= HOURS
    return is_hour and measurement_cues().at.search(text, 0, number.start) is not None
