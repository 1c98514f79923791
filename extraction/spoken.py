"""Numbers, blood pressures, times and dates as a nurse says them, with where they stand in the text.

Everything found here is a closed set of values that were said: the filler chooses among them and cannot invent one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_SMALL = {word: i for i, word in enumerate(_UNITS)} | {word: 20 + 10 * i for i, word in enumerate(_TENS)} | {"oh": 0}
_TIMES = {"once": 1.0, "twice": 2.0}
_NUMBER_WORD = r"(?:" + "|".join([*_SMALL, "hundred", "thousand"]) + r")"
_WORDS = re.compile(
    rf"\b{_NUMBER_WORD}(?:(?:[\s-]+|\s+and\s+){_NUMBER_WORD})*(?:\s+point(?:\s+{_NUMBER_WORD})+)?\b", re.IGNORECASE
)
_DIGITS = re.compile(r"(?<![\w.,/:])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w/:])|(?<![\w/:])(?<!\d[.,])\d+(?:\.\d+)?")
_OFTEN = re.compile(r"\b(?:once|twice)\b", re.IGNORECASE)
_PRESSURE = re.compile(r"(?<![\d/.])(\d{2,3})\s*(?:/|over)\s*(\d{2,3})(?![\d/])", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?<![\d:/.])(?:(\d{1,2}):(\d{2})(?::\d{2})?\s*([ap])?\.?\s*(?:m\b\.?)?"
    r"|(\d{1,2})\s*([ap])\.?\s*m\b\.?"
    r"|(?:(?<=at )|(?<=around )|(?<=about )|(?<=since )|(?<=by ))([01]\d|2[0-3])([0-5]\d)(?!\d|\.\d)"
    r"|([01]\d|2[0-3])([0-5]\d)\s*(?:hours|hrs|h)\b"
    r"|\b(noon|midnight)\b)",
    re.IGNORECASE,
)
_MONTHS = "january february march april may june july august september october november december".split()
_MONTH = r"(" + "|".join(f"{month[:3]}(?:{month[3:]})?" if month[3:] else month for month in _MONTHS) + r")\.?"
_DATE = re.compile(
    rf"\b(\d{{4}})-(\d{{2}})-(\d{{2}})\b|\b(\d{{1,2}})/(\d{{1,2}})/(\d{{2,4}})\b"
    rf"|\b{_MONTH}\s+(\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(\d{{4}}))?\b"
    r"|\b(today|yesterday|tonight|this morning|last night)\b",
    re.IGNORECASE,
)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Said(Generic[T]):
    """A value and the characters [start, end) that said it."""

    value: T
    start: int
    end: int


def numbers(text: str) -> list[Said[float]]:
    """Numbers in digits or words, left to right. The two halves of a blood pressure count as numbers too."""
    found = [Said(float(m.group().replace(",", "")), m.start(), m.end()) for m in _DIGITS.finditer(text)]
    for match in _WORDS.finditer(text):
        value = _read_words(match.group())
        if value is not None:
            found.append(Said(value, match.start(), match.end()))
    found += [Said(_TIMES[m.group().lower()], m.start(), m.end()) for m in _OFTEN.finditer(text)]
    return sorted(found, key=lambda said: said.start)


def _read_words(words: str) -> float | None:
    """The number that words say: 'ninety-eight point six', 'one hundred and ten', 'one forty two', 'one oh five'."""
    whole, _, decimals = re.sub(r"[\s-]+", " ", words.lower()).partition(" point ")
    total, current, last = 0, 0, 0
    for word in whole.split():
        if word == "and":
            continue
        if word == "hundred":
            current = max(current, 1) * 100
            last = 100
        elif word == "thousand":
            total += max(current, 1) * 1000
            current, last = 0, 1000
        else:
            value = _SMALL[word]
            if last and last < 20 and (value >= 10 or word == "oh"):  # 'one forty', 'one oh five'
                current = current * 100 + value
            elif last and last < 20 and current < 10:  # 'two three' is two numbers, not one
                return None
            elif word != "oh" or last:
                current += value
            last = value or 100
    number = float(total + current)
    if decimals:
        digits = "".join(str(_SMALL.get(word, "")) for word in decimals.split())
        number = float(f"{int(number)}.{digits}") if digits else number
    return number


def pressures(text: str) -> list[Said[str]]:
    """Blood pressures as 'systolic/diastolic' in mmHg: '142/74', '142 over 74', 'one forty two over seventy four'."""
    spoken = [s for s in numbers(text) if not text[s.start : s.end].replace(",", "").replace(".", "").isdigit()]
    found = [Said(f"{int(m[1])}/{int(m[2])}", m.start(), m.end()) for m in _PRESSURE.finditer(text)]
    for first in spoken:
        over = re.compile(r"\s+over\s+", re.IGNORECASE).match(text, first.end)
        second = next((s for s in spoken if over and s.start == over.end()), None)
        if second and first.value.is_integer() and second.value.is_integer():
            found.append(Said(f"{int(first.value)}/{int(second.value)}", first.start, second.end))
    return sorted((said for said in found if _is_pressure(said.value)), key=lambda said: said.start)


def _is_pressure(value: str) -> bool:
    systolic, diastolic = map(int, value.split("/"))
    return 30 <= systolic <= 350 and 10 <= diastolic < systolic


def times(text: str) -> list[Said[str]]:
    """Times of day as 'HH:MM': '19:00', '7 pm', 'at 1900', '0730 hours', 'noon'."""
    return list(_times(text))


def _times(text: str) -> Iterator[Said[str]]:
    for m in _CLOCK.finditer(text):
        if m[1]:
            hour, minute, half = int(m[1]), int(m[2]), m[3]
        elif m[4]:
            hour, minute, half = int(m[4]), 0, m[5]
        elif m[6]:
            hour, minute, half = int(m[6]), int(m[7]), None
        elif m[8]:
            hour, minute, half = int(m[8]), int(m[9]), None
        else:
            hour, minute, half = (12 if m[10].lower() == "noon" else 0), 0, None
        if half:
            hour = hour % 12 + (12 if half.lower() == "p" else 0)
        if hour < 24 and minute < 60:
            yield Said(f"{hour:02d}:{minute:02d}", m.start(), m.end())


def dates(text: str, today: dt.date) -> list[Said[str]]:
    """Dates as 'YYYY-MM-DD'; a date without a year is the latest one not after `today`."""
    return list(_dates(text, today))


def _dates(text: str, today: dt.date) -> Iterator[Said[str]]:
    for m in _DATE.finditer(text):
        try:
            if m[1]:
                day = dt.date(int(m[1]), int(m[2]), int(m[3]))
            elif m[4]:  # month first, as US charts write it
                year = int(m[6]) + (2000 if len(m[6]) == 2 else 0)
                day = dt.date(year, int(m[4]), int(m[5]))
            elif m[7]:
                month = next(i for i, name in enumerate(_MONTHS, 1) if name.startswith(m[7].lower()[:3]))
                day = dt.date(int(m[9]) if m[9] else today.year, month, int(m[8]))
                if not m[9] and day > today:
                    day = day.replace(year=today.year - 1)
            else:
                back = 1 if m[10].lower() in ("yesterday", "last night") else 0
                day = today - dt.timedelta(days=back)
        except ValueError:
            continue
        yield Said(day.isoformat(), m.start(), m.end())


def date_times(text: str, today: dt.date) -> list[Said[str]]:
    """Times of day with their date, as 'YYYY-MM-DDTHH:MM'; a time without a date within its sentence is of `today`."""
    days = dates(text, today)
    found = []
    for time in times(text):
        near = min(days, key=lambda day: abs(day.start - time.start), default=None)
        if near is not None and abs(near.start - time.start) < 40:
            start, end = min(near.start, time.start), max(near.end, time.end)
            found.append(Said(f"{near.value}T{time.value}", start, end))
        else:
            found.append(Said(f"{today.isoformat()}T{time.value}", time.start, time.end))
    return found
