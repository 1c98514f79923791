"""Times of day in digits and words, with the hours each may mean.

'19:05', '7 pm', '0730 hours', 'noon', 'quarter past two', 'oh six thirty', 'nineteen hundred', 'at 7 this morning'.
Many numbers merely look like a time of day, and how certain a match must be depends on its use: `observed` marks a
possible time of observation, `answers` a time certain enough to be the value of a time row.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from itertools import pairwise

from extraction.language.clauses import clause_of
from extraction.language.clock_forms import HALVES, JOINED, clock_forms
from extraction.language.listed_times import listed_times
from extraction.language.quantities import is_measured
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import mentions
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.time_cues import time_cues

_LONGEST_LEAD = 100  # characters before a time in which its lead is searched
_LONGEST_NUMBER = 12  # characters before a time in which the number of a reading stands
_FEWEST_TIMES = 2  # of a series
_PRESSURE = re.compile(r"\d{2,3}\s*(?:/|over)\s*\d{2,3}(?![\d/])", re.IGNORECASE)
_TIMED = re.compile(
    r"(?<![\d:/.,])((?:[01]\d|2[0-3])[0-5]\d)\s*(?:=|:|was\b|is\b)?\s*\d{1,3}(?:\.\d+)?(?=\s*(?:[,;.](?!\d)|$|->|→|\band\b))",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\A(\d{1,2})\.(\d{2})")  # '14.05', as some write it


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day in characters [start, end).

    Attributes:
        hours: the possible hours, 0 to 23: two where the time was said without a.m. or p.m. and is ambiguous.
        hour: the hour in `hours` that matches the wording.
        minute: 0 to 59.
        observed: whether it may be the time of an observation.
        answers: whether it was said in digits or by name, so that it can be the value of a time row.
    """

    start: int
    end: int
    hours: tuple[int, ...]
    hour: int
    minute: int = 0
    observed: bool = True
    answers: bool = False


@of_vocabularies
def clocks(text: str) -> tuple[Clock, ...]:
    """All times of day in a text, without overlaps.

    Numbers with a unit, or next to another number, are measurements.
    """
    found: list[Clock] = []
    form, position = clock_forms().clock, 0
    while match := form.search(text, position):
        clock = _clock(text, match)
        if clock and (clock.observed or clock.answers):
            found.append(clock)
            position = clock.end
        else:
            position = match.start() + 1
    return tuple(found)


@of_vocabularies
def figures_of_time(text: str) -> tuple[tuple[int, int], ...]:
    """Spans that look like a time in digits, including '1:1000' and '30 pm'; their digits are never a measurement."""
    return tuple(match.span() for match in clock_forms().figures.finditer(text))


@of_vocabularies
def typed_time(text: str) -> dt.time | None:
    """A typed time of day: '0200', '2:00', '2.00', '2am', 'noon'; None for any other text.

    Figures without a.m. or p.m. are of 24 hours; words that leave the half of the day open are no time.
    """
    typed = _DOTTED.sub(r"\1:\2", " ".join(text.split()))
    if typed in ("2400", "24:00"):
        return dt.time()
    match = clock_forms().clock.fullmatch(typed)
    clock = _clock(typed, match) if match else None
    if match is None or clock is None or match["bare"] or (len(clock.hours) > 1 and not match["h"]):
        return None
    return dt.time(clock.hour, clock.minute)


def _clock(text: str, match: re.Match[str]) -> Clock | None:
    """Parses a match of `clock`; None if it is not a time of day."""
    said = match.groupdict()
    if said["fraction"]:
        return _fraction(text, match)
    half = next((said[name] for name in HALVES if said[name]), None) or (said["short"] or "").strip() or None
    minute, twelve, observed, answers = 0, False, True, False
    forms, start = clock_forms(), match.start()
    if said["h"]:
        hour, minute, answers = int(said["h"]), int(said["m"]), True
        twelve = 1 <= hour <= 12 and not said["h"].startswith("0")
    elif said["figure"]:
        hour, answers = int(said["figure"]), True
    elif said["hh"] or said["oclock"]:
        hour, twelve = whole_number(said["hh"] or said["oclock"]), True
    elif said["hm"]:
        hour, minute = whole_number(said["hm"]), whole_number(said["mm"])
        twelve = 1 <= hour <= 12
    elif said["half_hour"]:  # 'half six' is half past six
        hour, minute, twelve = whole_number(said["half_of"]), 30, True
        observed = _names_heading(text, match) or _is_preceded_by(forms.before_fraction, text, start)
        observed = observed or _opens_reading(text, match)
    elif said["named"]:
        hour, answers = (12 if forms.noon.fullmatch(said["named"]) else 0), True
    elif said["hundred"]:
        hour = whole_number(said["hundred"])
        # 'running at one hundred' is a number; an hour this early needs 'oh' before it or 'hours' after it
        observed = bool(said["hundred_hours"]) or (
            (_is_preceded_by(forms.led, text, start) or _heads_readings(text, match) or _names_heading(text, match))
            and (hour > 9 or _has_nought(said["hundred"]))
        )
    elif said["four"]:
        hour, minute = int(said["four"][:2]), int(said["four"][2:])
        observed = bool(said["hours"]) or _is_preceded_by(forms.led, text, start) or _is_heading(text, match)
        observed = observed or start in _series(text) or _names_heading(text, match)
        answers = bool(said["hours"]) or (
            _is_preceded_by(forms.before_answer, text, start) and not is_measured(text, match.end())
        )
    elif said["spoken"]:
        hour, minute = whole_number(said["spoken"]), whole_number(said["minute"])
        twelve = 1 <= hour <= 12 and not _has_nought(said["spoken"])
        # 'heart rate is at one twenty' is a number: an hour this early needs another number in its clause
        begin, end = clause_of(text, start)
        rest = text[begin:start] + text[match.end() : end]
        is_late = hour > 3 or not twelve
        observed = _is_preceded_by(forms.led, text, start) and (is_late or bool(forms.number.search(rest)))
        observed = observed or (is_late and _heads_readings(text, match)) or _names_heading(text, match)
    else:
        hour = whole_number(said["bare"])
        twelve = hour <= 12
        observed = start in _hours_in_series(text)
        observed = observed or (twelve and (_has_part_of_day(text, match) or _heads_alone(text, match)))
        observed = observed or bool(forms.heads_list.fullmatch(text, 0, start) and text[match.end() :][:1] == ":")
    if hour > 23 or minute > 59:
        return None
    observed = observed or start in listed_times(text)
    is_length = not (said["h"] or said["four"]) and forms.length.match(text, match.end())
    observed = observed and (half is not None or not (is_length or _is_measurement(text, match.end())))
    hours = _hours(hour, half, twelve=twelve)
    written = hour if hour in hours else hours[0]
    return Clock(match.start(), match.end(), hours, written, minute, observed, answers)


def _hours(hour: int, half: str | None, *, twelve: bool) -> tuple[int, ...]:
    if half:
        return (hour % 12 + (12 if half.lower() == "p" else 0),) if hour <= 12 else (hour,)
    return (hour % 12, hour % 12 + 12) if twelve else (hour,)


def _fraction(text: str, match: re.Match[str]) -> Clock | None:
    """Parses 'quarter past two', 'half past eleven', 'ten to four', 'twenty minutes before noon'."""
    forms, fractions = clock_forms(), number_words().fractions
    part = match["fraction"].lower().removesuffix((match["minutes"] or "").lower())
    share = fractions.get(part)
    minutes = round(60 * share) if share else whole_number(part)
    forward = bool(forms.after.fullmatch(match["side"]))
    plain = share or match["minutes"] or forms.past.fullmatch(match["side"])
    led = plain or _is_preceded_by(forms.before_fraction, text, match.start())
    measures = forms.length.match(text, match.end()) or _is_measurement(text, match.end())
    if not 0 < minutes < 60 or (minutes == 30 and share and not forward) or not led or measures:
        return None
    if forms.noon.fullmatch(match["of"]) or forms.midnight.fullmatch(match["of"]):
        hours: tuple[int, ...] = (12,) if forms.noon.fullmatch(match["of"]) else (0,)
    else:
        hours = _hours(whole_number(match["of"]), match["half5"], twelve=True)
    clock = Clock(match.start(), match.end(), hours, hours[0], minutes)
    if forward:
        return clock
    before = tuple((hour - 1) % 24 for hour in hours)
    return replace(clock, hours=before, hour=before[0], minute=60 - minutes)


def _has_nought(words: str) -> bool:
    first = re.split(JOINED, words.lower())[0]
    return first.startswith("0") or first in number_words().noughts or first in number_words().zeros


def _has_part_of_day(text: str, match: re.Match[str]) -> bool:
    """Whether a part of the day makes a bare number an hour: 'at 7 this morning', 'this morning at 7'."""
    led, day = clock_forms().led.search(text, max(match.start() - _LONGEST_LEAD, 0), match.start()), time_cues()
    if led is None:
        return False
    return bool(day.part_behind.match(text, match.end())) or _is_preceded_by(day.part_before, text, led.start())


def _is_preceded_by(pattern: re.Pattern[str], text: str, position: int) -> bool:
    """Whether an end-anchored pattern matches the text just before a position."""
    return bool(pattern.search(text, max(position - _LONGEST_LEAD, 0), position))


def _is_heading(text: str, match: re.Match[str]) -> bool:
    """Whether a time opens its sentence as a heading: '0630 vitals: ...'."""
    begins = not text[: match.start()].strip()
    return (begins and bool(clock_forms().heads.match(text, match.end()))) or _heads_readings(text, match)


def _names_heading(text: str, match: re.Match[str]) -> bool:
    """Whether what is done stands beside a time: 'bed 4, 0200 rounds', 'this is the 0600 assessment', 'obs 0630'."""
    forms, start = clock_forms(), match.start()
    if forms.names.match(text, match.end()):
        return _is_preceded_by(forms.introduces, text, start)
    return _is_preceded_by(forms.named, text, start) and bool(forms.ends.match(text, match.end()))


@of_vocabularies
def _series(text: str) -> frozenset[int]:
    """Where times stand before the numbers of a series: 'sugars 0800 188, 0900 104'; none if there are not two."""
    found = frozenset(match.start(1) for match in _TIMED.finditer(text))
    return found if len(found) > 1 else frozenset()


def _heads_readings(text: str, match: re.Match[str]) -> bool:
    """Whether a time opens its clause, and a pressure or the name of a measurement follows: '0825 102/60, 64'."""
    if not clock_forms().opens.search(text, 0, match.start()):
        return False
    pause = clock_forms().pause.match(text, match.end())
    start = pause.end() if pause else match.end()
    return bool(_PRESSURE.match(text, start)) or any(one.start == start for one in mentions(text))


def _opens_reading(text: str, match: re.Match[str]) -> bool:
    """Whether a time opens its clause, and a number follows: '98/60, half seven it's 108/62'."""
    forms = clock_forms()
    pause = forms.pause.match(text, match.end())
    return bool(forms.opens.search(text, 0, match.start()) and pause and forms.number.match(text, pause.end()))


def _heads_alone(text: str, match: re.Match[str]) -> bool:
    """Whether an hour alone stands behind what was done then, and nothing behind it: 'BP at one.'."""
    return bool(clock_forms().heads_hour.search(text[: match.start()]) and clock_forms().ends.match(text, match.end()))


@of_vocabularies
def _hours_in_series(text: str) -> frozenset[int]:
    """Where hours alone are times since several are said, each later and beside a number: 'at six 98, noon 102'."""
    forms = clock_forms()
    found = list(forms.series.finditer(text))
    alone = [match for match in found if match["hour"]]
    hours = [whole_number(match["hour"]) for match in alone]
    later = all((after - before) % 12 in range(1, 7) for before, after in pairwise(hours))
    if len(found) < _FEWEST_TIMES or not later or not all(_is_beside_number(text, match) for match in alone):
        return frozenset()
    return frozenset(match.start("hour") for match in alone)


def _is_beside_number(text: str, match: re.Match[str]) -> bool:
    forms = clock_forms()
    pause = forms.pause.match(text, match.end())
    behind = pause is not None and pause.end() > match.end() and forms.number.match(text, pause.end())
    *_, before = (None, *forms.number.finditer(text, max(match.start() - _LONGEST_NUMBER, 0), match.start()))
    is_near = bool(behind or (before and not re.search(r"[,;.](?!\d)", text[before.end() : match.start()])))
    return is_near and not _is_measurement(text, match.end())


def _is_measurement(text: str, position: int) -> bool:
    """Whether the text after a number makes it a measurement."""
    return is_measured(text, position) or bool(clock_forms().measure.match(text, position))


def whole_number(said: str) -> int:
    """A whole number up to 59 in digits or words; 0 if the words are not a number."""
    if said.isdigit():
        return int(said)
    numbers = number_words().numbers
    return sum(numbers.get(part, 0) for part in re.split(JOINED, said.lower()))
