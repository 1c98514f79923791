"""Times as dumps write them: a day and a minute of it. Whether 3/4 is in March or April shows in the other days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

_DAY = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{8}(?=\d{4}|\b)"
    r"|\d{1,2}[- ][A-Za-z]{3,9}\.?[- ,]+\d{2,4}"
)
_CLOCK = r"(\d{1,2}):?(\d{2})(?::?\d{2}(?:[.,]\d+)?)?\s*(?:([ap])\.?m\.?)?"
_MOMENT = re.compile(rf"({_DAY})(?:[T ,]*{_CLOCK}\s*(?:Z|UTC|[+-]\d{{2}}:?\d{{2}})?)?", re.IGNORECASE)
_CLOCK_ALONE = re.compile(_CLOCK, re.IGNORECASE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MINUTES = 24 * 60


@lru_cache(maxsize=4096)  # one time is charted with many values
def split_moment(text: str) -> tuple[str, int]:
    """The day as it is written, and the minute of the day; -1 without a time of day, and no day if it is no time."""
    match = _MOMENT.fullmatch(text.strip())
    if not match:
        return "", -1
    return match[1], _minute(match[2], match[3], match[4])


@lru_cache(maxsize=4096)
def clock_of(text: str) -> int:
    """The minute of a text that is a time of day alone; -1 for another text."""
    match = _CLOCK_ALONE.fullmatch(text.strip())
    return _minute(match[1], match[2], match[3]) if match else -1


def _minute(hour: str | None, minute: str | None, half: str | None) -> int:
    if hour is None or minute is None:
        return -1
    hours = int(hour) % 12 + (12 if half.casefold() == "p" else 0) if half else int(hour)
    at = hours * 60 + int(minute)
    return at if at < _MINUTES and int(minute) < 60 else -1


def day_numbers(days: Sequence[str]) -> list[int]:
    """The days of one source as numbers of days, in order; 0 for what is no day.

    Where neither order of day and month is ruled out by any of them, a slash or hyphen has the month first.
    """
    parts = [[part for part in re.split(r"[-/. ,]+", day) if part] for day in days]
    led = [part for part in parts if len(part) == 3 and len(part[0]) <= 2 and part[1].isdigit()]
    day_first = any(int(part[0]) > 12 for part in led) or (
        not any(int(part[1]) > 12 for part in led) and any("." in day for day in days)
    )
    return [_number(day, part, day_first=day_first) for day, part in zip(days, parts, strict=True)]


def _number(day: str, parts: Sequence[str], *, day_first: bool) -> int:
    if len(parts) == 1:
        parts = (day[:4], day[4:6], day[6:])
    if len(parts) != 3:
        return 0
    one, two, three = parts
    if not two.isdigit():
        if two[:3].casefold() not in _MONTHS:
            return 0
        year, month, at = _year(three), _MONTHS.index(two[:3].casefold()) + 1, int(one)
    elif len(one) == 4:
        year, month, at = int(one), int(two), int(three)
    else:
        month, at = (int(two), int(one)) if day_first else (int(one), int(two))
        year = _year(three)
    try:
        return date(year, month, at).toordinal()
    except ValueError:
        return 0


def _year(text: str) -> int:
    return int(text) + 2000 if len(text) <= 2 else int(text)


def month_of(day: int) -> str:
    """A numbered day as YYYY-MM."""
    return date.fromordinal(day).isoformat()[:7]
