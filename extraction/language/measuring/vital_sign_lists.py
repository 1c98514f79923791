"""Vital signs without names, in a list of them: "138 over 70, 86, 18, 97 percent", "36.6, 76, 126/72, 17, 97% air".

A list is a run of numbers with nothing but small joints between them, some of which may have names. It holds a
pressure, or several vital signs. A decimal is a temperature, a number on oxygen or room air is a saturation, and of the
others the heart rate comes before the respiratory rate. A list is read up to the first number that is not clear.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from extraction.language.vocabulary.measurements import Measurement, measurement_cues, vital_signs

_PERCENT, _CELSIUS, _A_MINUTE = "%", "Cel", "/min"
# A whole number among these may be a heart rate, a saturation, or a temperature in Fahrenheit.
_AMBIGUOUS = (94, 105)
_LEAST_SATURATION = 70
_PLAINLY = 2  # vital signs in a list without pressure and heading
_LEAST_BEATS, _BREATHS = 30, (6, 60)  # a minute
_BREATHS_OR_BEATS = (37, 44)  # a rate among these may be either


@dataclass(frozen=True, slots=True)
class ListedNumber:
    """A number of a sentence in characters [start, end), which include its name.

    Attributes:
        value: 0 for a pressure.
        is_named: whether it has a name; `measurement` is what it means, None if no measurement is meant.
    """

    start: int
    end: int
    value: float
    is_named: bool = False
    is_pressure: bool = False
    measurement: Measurement | None = None


def listed_vital_signs(text: str, numbers: Sequence[ListedNumber]) -> Iterator[tuple[ListedNumber, Measurement]]:
    """The numbers without a name that a list makes a vital sign; `numbers` are all of the sentence, in order."""
    has_heading = measurement_cues().list_heading.search(text) is not None
    is_only = sum(one.is_pressure for one in numbers) < 2
    named = {one.measurement.id for one in numbers if one.measurement} if is_only else set[str]()
    for run in _runs(text, numbers):
        found = list(_signs_of(text, run, named))
        has_pressure = any(one.is_pressure for one in run)
        known = len(found) + sum(one.measurement is not None for one in run)
        if found and (has_pressure or len(found) > 1 or known > _PLAINLY or (has_heading and known > 1)):
            yield from found


def saturation_of(text: str, start: int, end: int, value: float) -> Measurement | None:
    """The saturation, if a number behind oxygen or room air may be one: "2 liters, 98", "... and he's at 94"."""
    saturation = next((one for one in vital_signs() if one.unit == _PERCENT), None)
    if saturation is None or not _LEAST_SATURATION <= value <= saturation.high or not value.is_integer():
        return None
    cues = measurement_cues()
    if not (cues.list_end.match(text, end) or cues.on_oxygen.match(text, end)):
        return None
    of_patient = cues.of_patient.search(text, 0, start) and cues.about_oxygen.search(text)
    return saturation if of_patient or cues.after_oxygen.search(text, 0, start) else None


def rate_of(value: float, signs: Sequence[Measurement]) -> Measurement | None:
    """Which of the vital signs a number a minute is, if it can only be one of them."""
    rates = [one for one in vital_signs() if one.unit == _A_MINUTE]
    if not value.is_integer() or not rates or _BREATHS_OR_BEATS[0] <= value <= _BREATHS_OR_BEATS[1]:
        return None
    meant = rates[0] if value > _BREATHS_OR_BEATS[1] else rates[-1]
    return meant if meant in signs and meant.low <= value <= meant.high else None


def _runs(text: str, numbers: Sequence[ListedNumber]) -> Iterator[list[ListedNumber]]:
    """The lists of a sentence: each with at most one pressure, and with a pressure, a heading or a named vital sign."""
    run: list[ListedNumber] = []
    signs = {one.id for one in vital_signs()}
    for number in (*numbers, None):
        if number and run and _goes_on(text, run, number):
            run.append(number)
            continue
        named = any(one.measurement and (one.is_pressure or one.measurement.id in signs) for one in run)
        if named or measurement_cues().list_heading.search(text):
            yield run
        run = [number] if number else []


def _goes_on(text: str, run: Sequence[ListedNumber], number: ListedNumber) -> bool:
    between = text[run[-1].end : number.start]
    second = number.is_pressure and any(one.is_pressure for one in run)
    return not second and bool(measurement_cues().list_joint.fullmatch(between))


def _signs_of(text: str, run: Sequence[ListedNumber], named: Set[str]) -> Iterator[tuple[ListedNumber, Measurement]]:
    """The signs of a list; `named` are the ids of what has a name elsewhere in its sentence."""
    known = {*named, *(one.measurement.id for one in run if one.measurement)}
    for place, number in enumerate(run):
        if number.is_named:
            continue
        sign = _sign_of(text, run, place, known)
        if sign is None:
            return
        known.add(sign.id)
        yield number, sign


def _sign_of(text: str, run: Sequence[ListedNumber], place: int, known: set[str]) -> Measurement | None:
    """The vital sign of a number without a name; None if that is not clear."""
    number, signs = run[place], [one for one in vital_signs() if one.id not in known]
    percentage = next((one for one in signs if one.unit == _PERCENT), None)
    if _is_on_oxygen(text, number):
        return percentage if percentage and _LEAST_SATURATION <= number.value <= percentage.high else None
    if not measurement_cues().list_end.match(text, number.end) and place + 1 == len(run):
        return None  # another unit or thing
    if "." in text[number.start : number.end] or not number.value.is_integer():
        return next((one for one in signs if one.unit == _CELSIUS and one.in_any_unit(number.value)), None)
    rates = [one for one in signs if one.unit == _A_MINUTE]
    if not rates:
        return percentage if percentage and number.value <= percentage.high and number.value >= _AMBIGUOUS[0] else None
    first = rates[-1] if number.value < _LEAST_BEATS else rates[0]
    low, high = _BREATHS if first is not rates[0] or len(rates) == 1 else (_LEAST_BEATS, first.high)
    if not low <= number.value <= high:
        return None
    if len(rates) > 1 and _AMBIGUOUS[0] <= number.value <= _AMBIGUOUS[1] and not _is_rate(text, run, place, percentage):
        return None
    return first


def _is_rate(text: str, run: Sequence[ListedNumber], place: int, percentage: Measurement | None) -> bool:
    """Whether a number that might be a saturation is a rate: the saturation is another one, or breaths follow it."""
    later = [one for one in run[place + 1 :] if not one.is_named]
    follows_pressure = place > 0 and run[place - 1].is_pressure
    if percentage is None or (follows_pressure and run[place].value > percentage.high):
        return True
    return any(_is_on_oxygen(text, one) or one.value <= _BREATHS[1] for one in later)


def _is_on_oxygen(text: str, number: ListedNumber) -> bool:
    return measurement_cues().on_oxygen.match(text, number.end) is not None
