"""The values that a speaker may correct: numbers with their units, times, days."""

from __future__ import annotations

from dataclasses import dataclass

from extraction.flowsheet.unit_conversion import contradict
from extraction.language.clock_times import clocks
from extraction.language.numbers import numbers, of_times, pressures
from extraction.language.quantities import said_unit
from extraction.language.vocabulary.correction_cues import correction_cues
from extraction.language.vocabulary.time_cues import DAY_ENDING, time_cues


@dataclass(frozen=True, slots=True)
class CorrectableValue:
    """A number, pressure, spoken time or day in the text; `end` includes the unit, `number_end` does not."""

    kind: str  # "number", "pressure", "clock" (a time in words) or "day" (of a date)
    start: int
    number_end: int
    end: int
    unit: str | None
    amount: float


def may_replace(old: CorrectableValue, new: CorrectableValue) -> bool:
    """Whether two values are of one kind and dimension; a value without a unit may have any."""
    if old.kind != new.kind:
        return False
    if new.unit is None or old.unit is None or new.unit == old.unit:
        return True
    try:
        return not contradict(new.unit, old.unit)
    except KeyError:
        return False


def correctable_values(text: str) -> list[CorrectableValue]:
    """Pressures, and numbers outside pressures, times and dates, in text order."""
    found = []
    apart = list(of_times(text))
    for pressure in pressures(text):
        found.append(CorrectableValue("pressure", pressure.start, pressure.end, pressure.end, None, 0.0))
        apart.append((pressure.start, pressure.end))
    for number in numbers(text):
        if any(start < number.end and number.start < end for start, end in apart):
            continue
        if found and number.start < found[-1].end and found[-1].kind == "number":  # the ten of "six out of ten"
            continue
        unit, end = said_unit(text, number.end)
        if behind := correction_cues().of_number.match(text, end):
            unit, end = " ".join(behind.group().lower().split()), behind.end()
        found.append(CorrectableValue("number", number.start, number.end, end, unit, number.value))
    return sorted(found, key=lambda value: value.start)


def dated_values(text: str) -> list[CorrectableValue]:
    """Times of day in words and days of dates, in text order; these numbers are not measurements."""
    found = [
        CorrectableValue("clock", one.start, one.end, one.end, None, 0.0) for one in clocks(text) if not one.answers
    ]
    days = (match.span("day_of_month") for match in time_cues().date.finditer(text) if match["day_of_month"])
    found += [CorrectableValue("day", start, day_end(text, end), day_end(text, end), None, 0.0) for start, end in days]
    return sorted(found, key=lambda value: value.start)


def day_end(text: str, end: int) -> int:
    """The end of a day number, including an ending such as "nd"."""
    ending = DAY_ENDING.match(text, end)
    return ending.end() if ending else end
