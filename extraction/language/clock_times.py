"""Times of day in digits and words, with the hours each may mean.

'19:05', '7 pm', '0730 hours', 'noon', 'quarter past two', 'oh six thirty', 'nineteen hundred', 'at 7 this morning'.
Many numbers merely look like a time of day, and how certain a match must be depends on its use: `observed` marks a
possible time of observation, `answers` a time certain enough to be the value of a time row.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace

from extraction.language.clauses import clause_of
from extraction.language.quantities import is_measured
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import mentions
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words
from extraction.language.vocabulary.time_cues import time_cues

_JOINED = r"[\s-]+"
_LONGEST_LEAD = 100  # characters before a time in which its lead is searched
_HALVES = ("half", "half2", "half3", "half4", "half5")  # regex groups that capture the letter of a.m. or p.m.
_PRESSURE = re.compile(r"\d{2,3}\s*(?:/|over)\s*\d{2,3}(?![\d/])", re.IGNORECASE)
_TIMED = re.compile(
    r"(?<![\d:/.,])((?:[01]\d|2[0-3])[0-5]\d)\s*(?:=|:|was\b|is\b)?\s*\d{1,3}(?:\.\d+)?(?=\s*(?:[,;.](?!\d)|$|->|→|\band\b))",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\A(\d{1,2})\.(\d{2})")  # '14.05', as some write it
_FIGURES = r"(?<![\d:/.])"
_SHORT_HALF = r"(?:(?<=\d)a|\s?p)\b(?!['’]|\.\w)"  # '7:30p', but not 'at 7:30 a bolus' or '7:30 p.o.'


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


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns of times of day and of their context.

    Attributes:
        clock: any form, with one group for each.
        figures: digits that look like a time, even where they are not one.
        noon, midnight: the named times.
        after, past: the words between a fraction and its hour.
        led: the words before a time of observation, anchored at the end.
        before_fraction, before_answer: the same for fractions and for times that may answer a row.
        heads: what follows a time that opens a sentence.
        names, named: what is done at a time, behind it, and before it or an entry (anchored at the end, then `ends`).
        introduces: what precedes a time that a heading follows, anchored at the end.
        opens: what precedes a time that heads a set of readings, anchored at the end.
        pause: what may stand between a time and what was measured then.
        measure: what follows a number that is not a time.
        length: what follows the first of two dimensions; not applied to '19:05' and '1905'.
        number: any number.
    """

    clock: re.Pattern[str]
    figures: re.Pattern[str]
    noon: re.Pattern[str]
    midnight: re.Pattern[str]
    after: re.Pattern[str]
    past: re.Pattern[str]
    led: re.Pattern[str]
    before_fraction: re.Pattern[str]
    before_answer: re.Pattern[str]
    heads: re.Pattern[str]
    names: re.Pattern[str]
    named: re.Pattern[str]
    ends: re.Pattern[str]
    introduces: re.Pattern[str]
    opens: re.Pattern[str]
    pause: re.Pattern[str]
    measure: re.Pattern[str]
    length: re.Pattern[str]
    number: re.Pattern[str]


@of_vocabularies
def clock_forms() -> _Forms:
    """Raises InputError if the ward's own file cannot be read."""
    of, words = cues("times"), number_words()
    ones, teens, tens = either(words.ones), either(words.teens), either(words.tens(50))
    up_to = {most: [word for word, value in words.numbers.items() if 1 <= value <= most] for most in (3, 12)}
    nought = rf"{either((*words.zeros, *words.noughts))}{_JOINED}{ones}"
    hour = rf"(?:{either(words.tens(20))}(?:{_JOINED}{either(up_to[3])})?|{nought}|{teens}|{ones})"
    minute = rf"(?:{nought}|{teens}|{tens}(?:{_JOINED}{ones})?)"
    twelve = rf"(?:{either(up_to[12])}|1[0-2]|[1-9])"
    named = any_of([*of["noon"], *of["midnight"]])
    minutes = rf"\s+{any_of(of['minute_units'])}"
    some = rf"(?:{tens}(?:{_JOINED}{ones})?|{teens}|{ones}|\d{{1,2}})"
    sides = any_of([*of["past"], *of["after"], *of["to"]])
    kinds = ("hours", "leads", "through", "headings", "heading_entries", "heading_openings")
    hours, leads, through, headings, entries, openings = (any_of(of[key]) for key in kinds)
    halves, opened = (word for word, share in words.fractions.items() if share == 0.5), rf"(?:{openings}[\s,]+)*"
    return _Forms(
        clock=compiled(
            rf"{_FIGURES}(?P<h>\d{{1,2}}):(?P<m>\d{{2}})(?::\d{{2}})?(?![\d/]|:\d)(?:{_half(0)}|(?P<short>{_SHORT_HALF}))?"
            rf"|(?:{_FIGURES}(?P<figure>0?[1-9]|1[0-2])|\b(?P<hh>{either(up_to[12])})){_half(1)}"
            rf"|\b(?P<hm>{hour}){_JOINED}(?P<mm>{minute}){_half(2)}"
            rf"|\b(?P<oclock>{twelve})\s+{any_of(of['oclock'])}\b{_half(3)}?"
            rf"|\b(?P<fraction>{either(words.fractions)}|(?:{_fives()}|5|10|20|25)|{some}(?P<minutes>{minutes}))"
            rf"\s+(?P<side>{sides})\s+(?P<of>{twelve}|{named})\b(?!:\d){_half(4)}?"
            rf"|\b(?P<half_hour>{either(halves)})\s+(?P<half_of>{twelve})\b(?!:\d)"
            rf"|\b(?P<named>{named})\b"
            rf"|\b(?P<hundred>{hour}|\d{{1,2}}){_JOINED}{either(words.hundreds)}(?P<hundred_hours>\s+{hours}\b)?"
            rf"|(?<![\d:/.,])(?P<four>(?:[01]\d|2[0-3])[0-5]\d)(?![\d/]|[:.,]\d)(?P<hours>\s*{hours}\b)?"
            rf"|\b(?P<spoken>{hour}){_JOINED}(?P<minute>{minute})\b"
            rf"|\b(?P<bare>{twelve})\b"
        ),
        figures=compiled(rf"{_FIGURES}\d{{1,2}}(?::\d{{2}}|{_half(0)})"),
        noon=whole_words(of["noon"]),
        midnight=whole_words(of["midnight"]),
        after=whole_words([*of["past"], *of["after"]]),
        past=whole_words(of["past"]),
        led=compiled(rf"(?:\b{leads}\s+|\b{any_of(of['from'])}\s+[\w:]+(?:{_JOINED}[\w:]+){{0,2}}\s+{through}\s+)\Z"),
        before_fraction=compiled(rf"\b{any_of(of['before_fractions'])}\s+\Z"),
        before_answer=compiled(rf"\b{any_of(of['before_answers'])}\s+\Z"),
        introduces=compiled(rf"(?:^|[.;,:!?\n]|\b{openings})\s*\Z"),
        opens=compiled(rf"(?:^|[.;,:!?\n]|(?<!\w){any_of(of['openings'])})\s*\Z"),
        pause=compiled(rf"[\s,:=]*(?:{any_of(of['pauses'])}[\s,]+)*"),
        heads=compiled(rf"\s*[:,]|\s+{headings}\b"),
        names=compiled(rf"\s+(?:[a-z][\w-]*\s+){{0,2}}{headings}\b"),
        named=compiled(
            rf"(?:^|[.;:!?\n])\s*(?:(?:[a-z][\w-]*\s+){{0,3}}{headings}[,:]?\s+|{opened}{entries}[\s,]+{opened})\Z"
        ),
        ends=compiled(r"\s*(?:[.,;:!?\n]|$)"),
        measure=compiled(rf"\s*(?:/|%|{any_of(of['measures'])}\b)"),
        length=compiled(rf"\s*{any_of(of['dimensions'])}\s+(?:\d|(?:{ones}|{teens}|{tens})\b)"),
        number=compiled(rf"\d|\b(?:{ones}|{teens}|{tens}|{either(words.hundreds)})\b"),
    )


def _half(number: int) -> str:
    """Source of a pattern for a.m. or p.m."""
    return rf"(?:\s*(?P<{_HALVES[number]}>[ap])(?:\.\s*m\b\.?|\s*m\b))"


def _fives() -> str:
    """Source of a pattern for 5, 10, 20 and 25 in words, which may count minutes without the word "minutes"."""
    numbers = number_words().numbers
    five, ten, twenty = (either(word for word, value in numbers.items() if value == one) for one in (5, 10, 20))
    return rf"(?:{twenty}(?:{_JOINED}{five})?|{ten}|{five})"


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
    if match is None or clock is None or (len(clock.hours) > 1 and not match["h"]):
        return None
    return dt.time(clock.hour, clock.minute)


def _clock(text: str, match: re.Match[str]) -> Clock | None:
    """Parses a match of `clock`; None if it is not a time of day."""
    said = match.groupdict()
    if said["fraction"]:
        return _fraction(text, match)
    half = next((said[name] for name in _HALVES if said[name]), None) or (said["short"] or "").strip() or None
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
        hour, twelve = whole_number(said["bare"]), True
        observed = _has_part_of_day(text, match)
    if hour > 23 or minute > 59:
        return None
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
    first = re.split(_JOINED, words.lower())[0]
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


def _is_measurement(text: str, position: int) -> bool:
    """Whether the text after a number makes it a measurement."""
    return is_measured(text, position) or bool(clock_forms().measure.match(text, position))


def whole_number(said: str) -> int:
    """A whole number up to 59 in digits or words; 0 if the words are not a number."""
    if said.isdigit():
        return int(said)
    numbers = number_words().numbers
    return sum(numbers.get(part, 0) for part in re.split(_JOINED, said.lower()))
