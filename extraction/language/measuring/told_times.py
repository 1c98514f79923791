"""Which readings of a sentence were taken at which of its times, where one measurement has several.

"At 8, 10 and noon it was 30, 45 and 50", "91 at six and 88 at seven", "at 12 it was 88, and 91 at 14": as many times as
readings go with them in order. Of fewer times, each belongs to the reading beside it, and the others have none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from extraction.language.clock_forms import clock_forms
from extraction.language.measuring.measured_numbers import measured_numbers
from extraction.language.measuring.pairs import MeasuredNumber
from extraction.language.quantities import said_unit
from extraction.language.spans import Span
from extraction.language.vocabulary.measurements import Measurement

_FEWEST = 2  # readings that need a time each
_FEW_WORDS = 30  # characters between a time and its reading
_PAUSE = 10  # characters by which a comma or "and" sets a number apart from a time
_PAUSES = (",", ";", " and ", " then ")


def told_times(text: str, times: Sequence[Span]) -> tuple[list[list[Span]], list[Span]]:
    """For each time the readings that were taken then, as characters of the text; and the readings with no time.

    Only of measurements with several readings in the text; both are empty where nothing tells them apart.
    """
    told: list[list[Span]] = [[] for _ in times]
    untold: list[Span] = []
    said = [(one.start, one.end) for one in measured_numbers(text).numbers] if times else []
    for named, others in _of_one_measurement(text) if times else ():
        readings = named if len(named) == len(times) >= _FEWEST else sorted(named + others)
        if len(times) > len(readings) or len(readings) < _FEWEST:
            continue
        is_one_each = len(times) == len(readings) and not _says_otherwise(text, times, readings)
        of = dict(enumerate(readings)) if is_one_each else _beside(text, times, readings, said)
        for place, reading in of.items():
            told[place].append(reading)
        untold += (one for one in readings if of and one not in of.values())
    return told, untold


def _says_otherwise(text: str, times: Sequence[Span], readings: Sequence[Span]) -> bool:
    """Whether a reading stands right before "at" and a time that is not its own in order, and farther from its own.

    "Puffs at 0758, and it was 160 over 90 at eight, 124 over 70 after that": two times, but not one for each.
    """
    if times[-1] < readings[0] or readings[-1] < times[0]:
        return False  # two lists
    return any(
        clock_forms().led.fullmatch(text[reading[1] : other[0]].lstrip())
        and _distance(text, own, reading) >= _distance(text, other, reading) + _PAUSE
        for own, reading in zip(times, readings, strict=True)
        for other in times
        if other != own and reading < other
    )


def _beside(text: str, times: Sequence[Span], readings: Sequence[Span], said: Sequence[Span]) -> dict[int, Span]:
    """For each time the reading beside it, with only a few words and no other number between, in order; each belongs
    to one time.
    """
    found: dict[int, Span] = {}
    for distance, place, reading in sorted(
        (_distance(text, time, reading), place, reading) for place, time in enumerate(times) for reading in readings
    ):
        first, last = sorted((times[place], reading))
        is_beside = distance <= _FEW_WORDS and not any(first[1] <= one[0] and one[1] <= last[0] for one in said)
        before = [other for at, other in found.items() if at < place]
        after = [other for at, other in found.items() if at > place]
        is_in_order = all(other < reading for other in before) and all(other > reading for other in after)
        if place not in found and is_beside and is_in_order:
            found[place] = reading
    return found


def _distance(text: str, time: Span, reading: Span) -> int:
    between = text[reading[1] : time[0]] if reading[1] <= time[0] else text[time[1] : reading[0]]
    return len(between) + _PAUSE * any(pause in between for pause in _PAUSES)


def _of_one_measurement(text: str) -> Iterator[tuple[list[Span], list[Span]]]:
    """The numbers of each measurement, in order: those that are said of it, and alike ones behind them."""
    measured = measured_numbers(text)
    bound = {pair.number: pair.measurement for pair in measured.pairs}
    named: dict[str, list[MeasuredNumber]] = defaultdict(list)
    others: dict[str, list[MeasuredNumber]] = defaultdict(list)
    last: tuple[Measurement, MeasuredNumber] | None = None
    for number in measured.numbers:
        if number in bound:
            measurement = bound[number]
            last = (measurement, number) if measurement and not measurement.sided else None
            if last:
                named[last[0].id].append(number)
        elif last is None or _is_alike(text, *last, number):
            others[last[0].id if last else ""].append(number)
    for key in named or others:
        if _are_alike(text, [*named[key], *others[key]]):
            yield [(one.start, one.end) for one in named[key]], [(one.start, one.end) for one in others[key]]


def _are_alike(text: str, found: Sequence[MeasuredNumber]) -> bool:
    """Whether numbers can be of one measurement: all of them pressures or none, and in one unit."""
    units = {unit for one in found if (unit := said_unit(text, one.end)[0])}
    return len({bool(one.pressure) for one in found}) == 1 and len(units) <= 1


def _is_alike(text: str, measurement: Measurement, first: MeasuredNumber, number: MeasuredNumber) -> bool:
    """Whether a number without a name may be a further reading of the measurement before it."""
    if bool(first.pressure) != bool(number.pressure):
        return False
    unit = said_unit(text, number.end)[0]
    in_unit = not unit or unit in (said_unit(text, first.end)[0], measurement.unit, *measurement.also_in)
    return in_unit and (bool(number.pressure) or measurement.in_any_unit(number.value))
