"""Days, parts of the day and shifts that a question names, by the ward's clock."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from extraction.language.vocabulary.time_cues import time_cues
from extraction.questions.ward import WardFacts
from extraction.questions.words.vocabulary import question_words

_PARTS_OF_DAY = {"morning": (5, 12), "afternoon": (12, 18), "evening": (17, 23)}
_ENDINGS = ("morning", "afternoon", "evening")
_DAYTIME = re.compile(r"\s+(morning|afternoon|evening|night)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?<![\w/])(?:(?P<the>the\s+)(?P<ordinal>[12]?\d|3[01])(?:st|nd|rd|th)\b"
    r"|(?:(?<=on )|(?<=since )|(?<=from )|(?<=of )|(?<=until )|(?<=before )|(?<=after )|(?<=vs )|(?<=to )|(?<=versus ))"
    r"(?P<month>0?[1-9]|1[0-2])/(?P<day>0?[1-9]|[12]\d|3[01])(?![\d/]))",
    re.IGNORECASE,
)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day, a part of one or a shift in characters [start, end).

    Attributes:
        whole: whether it is a day.
        part: whether it is a part of one.
    """

    start: int
    end: int
    since: datetime | None
    until: datetime | None
    whole: bool = False
    part: bool = False


def named_days(text: str, ward: WardFacts) -> Iterator[NamedDay]:
    """The days of a question, without what stands before them."""
    now = ward.now
    midnight = datetime.combine(now.date(), time())
    plain: dict[str, tuple[datetime | None, datetime | None]] = {
        "today": (midnight, None),
        "yesterday": (midnight - _DAY, midnight),
        "this_week": (midnight - _DAY * now.weekday(), None),
        "last_week": (midnight - _DAY * (now.weekday() + 7), midnight - _DAY * now.weekday()),
        "this_month": (midnight.replace(day=1), None),
        "last_month": ((midnight.replace(day=1) - _DAY).replace(day=1), midnight.replace(day=1)),
        "this_year": (midnight.replace(month=1, day=1), None),
        "last_year": (midnight.replace(year=now.year - 1, month=1, day=1), midnight.replace(month=1, day=1)),
        "always": (None, None),
        "night": _night(ward),
        "this_shift": (_shift_start(ward, now), None),
        "last_shift": (_shift_start(ward, _shift_start(ward, now) - timedelta(minutes=1)), _shift_start(ward, now)),
    }
    for part, (first, last) in _PARTS_OF_DAY.items():
        plain[part] = (midnight.replace(hour=first), midnight.replace(hour=last))
        plain[f"yesterday_{part}"] = (midnight - _DAY + timedelta(hours=first), midnight - _DAY + timedelta(hours=last))
    patterns = question_words().patterns
    for key, (since, until) in plain.items():
        for match in patterns[key].finditer(text):
            yield NamedDay(*match.span(), since, until, key in ("today", "yesterday"), key.endswith(_ENDINGS))
    for number, pattern in enumerate(question_words().weekdays):
        for match in pattern.finditer(text):
            back = (now.weekday() - number) % 7
            day = midnight - _DAY * back
            yield NamedDay(*match.span(), day, day + _DAY, whole=True)
            yield from _part_of(text, match, day, ward)
    yield from _numbered_days(text, midnight)
    for match in time_cues().date.finditer(text):
        if dated := _date(match, now):
            yield NamedDay(*match.span(), dated, dated + _DAY, whole=True)


def _part_of(text: str, weekday: re.Match[str], day: datetime, ward: WardFacts) -> Iterator[NamedDay]:
    """A part of a day of the week: "Sunday night"."""
    said = _DAYTIME.match(text, weekday.end())
    if said is None:
        return
    part = said[1].lower()
    if part == "night":
        starts = sorted(ward.shift_starts or (time(7), time(19)))
        since, until = datetime.combine(day, starts[-1]), datetime.combine(day + _DAY, starts[0])
    else:
        since, until = (day + timedelta(hours=hour) for hour in _PARTS_OF_DAY[part])
    yield NamedDay(weekday.start(), said.end(), since, until, part=True)


def _numbered_days(text: str, midnight: datetime) -> Iterator[NamedDay]:
    """The last such day up to today: "the 22nd", "on 11/22"."""
    for match in _NUMBERED.finditer(text):
        month, day = match["month"], int(match["day"] or match["ordinal"])
        back = (midnight - _DAY * days for days in range(366))
        found = next((one for one in back if one.day == day and (not month or one.month == int(month))), None)
        if found and (month or midnight - found < timedelta(days=31)):
            yield NamedDay(match.start("month" if month else "the"), match.end(), found, found + _DAY, whole=True)


def _date(match: re.Match[str], now: datetime) -> datetime | None:
    try:
        if match[1]:
            return _midnight(int(match[1]), int(match[2]), int(match[3]))
        if match[4]:
            return _midnight(int(match[6]) + (2000 if len(match[6]) == 2 else 0), int(match[4]), int(match[5]))
        if match[7]:
            month = next(number for number, names in enumerate(time_cues().months, 1) if names.fullmatch(match[7]))
            day = _midnight(int(match[9]) if match[9] else now.year, month, int(match[8]))
            return day.replace(year=day.year - 1) if not match[9] and day > now else day
    except ValueError:
        return None
    return None


def shift_start(ward: WardFacts) -> datetime:
    """When the shift of the question began."""
    return _shift_start(ward, ward.now)


def _shift_start(ward: WardFacts, at: datetime) -> datetime:
    starts: Sequence[time] = ward.shift_starts or (time(),)
    of_day = [datetime.combine(at.date() - _DAY * back, one) for back in (0, 1) for one in starts]
    return max(one for one in of_day if one <= at)


def _night(ward: WardFacts) -> tuple[datetime, datetime | None]:
    """The night that is, or the last one: from the last shift of the day to the first."""
    starts = sorted(ward.shift_starts or (time(7), time(19)))
    begin = max(
        one
        for one in (datetime.combine(ward.now.date() - _DAY * back, starts[-1]) for back in (0, 1, 2))
        if one <= ward.now
    )
    end = datetime.combine(begin.date() + _DAY, starts[0])
    return begin, (None if end > ward.now else end)


def _midnight(year: int, month: int, day: int) -> datetime:
    return datetime.combine(date(year, month, day), time())
