"""What a date of birth means, typed or said: '1950-02-03', '3 Feb 1950', 'March 2nd, 1950'."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import date

from models.base.errors import InputError

_MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_APART = re.compile(r"[\s./,\-]+")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")


def birth_dates(text: str) -> tuple[str, ...]:
    """The dates that a typed date of birth may mean, 'YYYY-MM-DD', the day-first reading first.

    '03/02/1950' has two. Raises InputError if there is none.
    """
    parts = [part for part in _APART.split(_ORDINAL.sub("", _folded(text))) if part]
    if len(parts) == 1 and re.fullmatch(r"\d{8}", parts[0]):  # always read as compact ISO, YYYYMMDD
        parts = [parts[0][:4], parts[0][4:6], parts[0][6:]]
    if len(parts) == 3:
        days = tuple(dict.fromkeys(day for day in _readings(*parts) if day))
        if days:
            return days
    raise InputError(
        f"“{' '.join(text.split())}” is not a date of birth that Wardlight can read.",
        "Write it with four digits for the year, for example 1950-02-03 or 3 Feb 1950.",
    )


def _readings(one: str, two: str, three: str) -> Iterable[str | None]:
    if len(one) == 4:
        yield _day(one, _month(two), three)
        return
    if not re.fullmatch(r"\d{4}", three):  # two digits leave the century open
        return
    if not one.isdecimal():
        yield _day(three, _month(one), two)
        return
    yield _day(three, _month(two), one)
    if two.isdecimal():
        yield _day(three, _month(one), two)


def _month(text: str) -> int:
    """The number of a month; 0 if it is not a month."""
    if text.isdecimal():
        return int(text) if len(text) <= 2 else 0
    whole = [at for at, name in enumerate(_MONTH_NAMES, 1) if len(text) >= 3 and name.startswith(text)]
    return whole[0] if whole else 9 if text == "sept" else 0


def _day(year: str, month: int, day: str) -> str | None:
    if not (year.isdecimal() and day.isdecimal() and len(day) <= 2):
        return None
    try:
        return date(int(year), month, int(day)).isoformat()
    except ValueError:
        return None


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()
