"""Numbers, blood pressures, times and dates in speech, with their spans.

They form a closed set of spoken values: the filler chooses among them and cannot invent one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extraction.language.clock_times import clocks, figures_of_time
from extraction.language.spans import Span, Spoken, overlap
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.time_cues import time_cues

# "90s" and "140's" are not numbers.
_DIGITS = re.compile(
    r"(?<![\w.,/:])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w/:])"
    r"|(?<![\w/:])(?<!\d[.,])(?!\d*0'?s\b)(?:\d+(?:\.\d+)?|(?<![\w.])\.\d+)(?:\s*(?:[½¼¾]|(?:1/2|[13]/4)(?![\d/])))?"
)
_WRITTEN_PARTS = {"½": 0.5, "1/2": 0.5, "¼": 0.25, "1/4": 0.25, "¾": 0.75, "3/4": 0.75}
_OVER = re.compile(r"\s+(?:over|slash)\s+", re.IGNORECASE)
_PRESSURE = re.compile(r"(?<![\d/.])(\d{2,3})\s*(?:/|over|slash)\s*(\d{2,3})(?![\d/]|\s*/)", re.IGNORECASE)
_AND = re.compile(r"\s+and\s", re.IGNORECASE)
_ANY_YEAR = dt.date(2000, 12, 31)  # a leap year, so that 29 February is valid


@dataclass(frozen=True, slots=True)
class _Patterns:
    """Patterns of number words.

    Attributes:
        numbers: a run of number words.
        fraction: "and a half", "and three quarters"; group 1 is how many, if it is not "a", and group 2 of what part.
        often: a frequency.
        share: a share of a whole; group 1 is the share.
    """

    numbers: re.Pattern[str]
    fraction: re.Pattern[str]
    often: re.Pattern[str]
    share: re.Pattern[str]


@of_vocabularies
def _patterns() -> _Patterns:
    words = number_words()
    number = either((*words.numbers, *words.noughts, *words.scales))
    digit = either((*words.zeros, *words.ones, *words.noughts))
    tens = either((*words.teens, *words.tens()))
    decimals = rf"point\s+(?:{digit}(?:\s+{digit})*|{tens}(?:[\s-]+{digit})?)"
    fraction = either(words.fractions)
    whole = rf"{number}(?:(?:[\s-]+|\s+and\s+){number})*"
    return _Patterns(
        numbers=re.compile(rf"\b(?:{whole}(?:\s+{decimals})?|{decimals})\b", re.IGNORECASE),
        fraction=re.compile(
            rf"\s+and\s+(?:an?|({either(words.ones)}))[\s-]+({fraction})s?\b(?!\s+hour\s)"
            rf"|\s+and\s+({'|'.join(_WRITTEN_PARTS)})(?![\w/])",
            re.IGNORECASE,
        ),
        often=re.compile(rf"\b{either(words.often)}\b", re.IGNORECASE),
        share=re.compile(
            rf"\b(?:(?:a|one)[\s-]+)?({either(words.shares)})\b(?!\s+(?:an?\s|hour|normal|past|life))"
            + "".join(rf"(?<!and\sa\s{word})" for word in words.fractions),
            re.IGNORECASE,
        ),
    )


@of_vocabularies
def numbers(text: str) -> tuple[Spoken[float], ...]:
    """Numbers in digits or words, in text order. Both halves of a blood pressure are included."""
    found = [Spoken(_read_digits(m.group()), m.start(), m.end()) for m in _DIGITS.finditer(text)]
    for match in _patterns().numbers.finditer(text):
        part = _patterns().fraction.search(text, match.start())
        end = part.start() if part and part.start() < match.end() else match.end()
        for start, stop in _parted(text, match.start(), end):
            found += _read_words(text[start:stop], start)
    found = _with_fractions(text, found)
    often = number_words().often
    found += [Spoken(float(often[m.group().lower()]), m.start(), m.end()) for m in _patterns().often.finditer(text)]
    return tuple(sorted(found, key=lambda said: said.start))


def _parted(text: str, start: int, end: int) -> Iterator[Span]:
    """A run of number words, in two behind a time of day within it: "five at one and two at three"."""
    for clock in clocks(text):
        if start <= clock.start and clock.end < end and _AND.match(text, clock.end):
            yield start, clock.end
            start = clock.end
    yield start, end


def _read_digits(written: str) -> float:
    part = next((one for one in _WRITTEN_PARTS if written.endswith(one)), "")
    return float(written.removesuffix(part).replace(",", "")) + _WRITTEN_PARTS.get(part, 0.0)


def _with_fractions(text: str, said: Sequence[Spoken[float]]) -> list[Spoken[float]]:
    """Extends numbers by the fraction after them: 'two and a half', 'one and three quarters'."""
    found: list[Spoken[float]] = []
    for number in sorted(said, key=lambda one: one.start):
        if not (found and number.start < found[-1].end):
            part = _fraction_after(text, number)
            found.append(Spoken(number.value + part.value, number.start, part.end) if part else number)
    return found


def _fraction_after(text: str, number: Spoken[float]) -> Spoken[float] | None:
    """The fraction that belongs to a whole number."""
    match = _patterns().fraction.match(text, number.end) if number.value.is_integer() else None
    if match is None:
        return None
    words = number_words()
    count = words.numbers[match[1].lower()] if match[1] else 1
    part = _WRITTEN_PARTS[match[3]] if match[3] else count * words.fractions[match[2].lower()]
    return Spoken(part, match.start(), match.end()) if part < 1 else None


def _read_words(words: str, offset: int) -> Iterator[Spoken[float]]:
    """The numbers in a run of number words.

    One in 'one hundred and ten', 'one forty two', 'one oh five' and 'ninety-eight point six'; two in 'thirty-seven two'
    and 'sixteen and twenty'.
    """
    whole, point, _ = re.split(r"(\bpoint\b|$)", words, maxsplit=1, flags=re.IGNORECASE)
    groups: list[list[re.Match[str]]] = []
    joined = False
    for word in re.finditer(r"[a-z]+", whole, re.IGNORECASE):
        if word.group().lower() == "and":
            joined = True
            continue
        if not groups or not _continues_number(
            [one.group().lower() for one in groups[-1]], word.group().lower(), joined=joined
        ):
            groups.append([])
        groups[-1].append(word)
        joined = False
    digits = [len(group) == 1 and _is_digit(group[0].group().lower()) for group in groups]
    for place, group in enumerate(groups):
        if digits[place] and any(digits[max(place - 1, 0) : place] + digits[place + 1 : place + 2]):
            continue  # 'two three' is ambiguous: 23, 2.3 or two numbers
        value = float(_integer_value([word.group().lower() for word in group]))
        start, end = group[0].start(), group[-1].end()
        if point and place == len(groups) - 1:
            value, end = float(f"{value:.0f}.{_decimals(words[len(whole) + len(point) :])}"), len(words)
        yield Spoken(value, offset + start, offset + end)
    if point and not groups:
        yield Spoken(float(f"0.{_decimals(words[len(point) :])}"), offset, offset + len(words))


def _is_digit(word: str) -> bool:
    words = number_words()
    return word in words.noughts or words.numbers.get(word, 10) < 10


def _continues_number(before: Sequence[str], word: str, *, joined: bool) -> bool:
    """Whether a word continues the number begun by the words before it; `joined`: linked by 'and'."""
    words = number_words()
    scales, last = words.scales, before[-1]
    if word in scales:
        said = {scales.get(one) for one in before}
        return not joined and scales[word] not in said and not (scales[word] == 100 and scales.get(last) == 1000)
    if last in scales:
        return True
    if joined:
        return False
    value, first = words.numbers.get(word, 0), words.numbers.get(last, 0)
    if word in words.noughts:
        return len(before) == 1 and 0 < first < 20  # 'one oh five'
    if last in words.noughts:
        return len(before) > 1 and value < 10
    if first >= 20:
        return 0 < value < 10
    alone = len(before) == 1 or before[-2] in scales
    after_hundred = len(before) > 1 and scales.get(before[-2]) == 100
    return alone and 0 < first < 20 and value >= 10 and not after_hundred  # 'one forty'


def _integer_value(said: Sequence[str]) -> int:
    """The value of consecutive words that form one whole number."""
    words = number_words()
    total, current, last = 0, 0, 0
    for word in said:
        scale = words.scales.get(word)
        if scale == 100:
            current = max(current, 1) * 100
            last = 100
        elif scale:
            total += max(current, 1) * scale
            current, last = 0, scale
        else:
            value = words.numbers.get(word, 0)
            if 0 < last < 20 and (value >= 10 or word in words.noughts):
                current = current * 100 + value
            else:
                current += value
            last = value or 100
    return total + current


def _decimals(said: str) -> str:
    """The digits after the decimal point: 'six', 'oh five', 'twenty five'."""
    values = [number_words().numbers.get(word, 0) for word in re.findall(r"[a-z]+", said.lower())]
    return str(sum(values)) if values[0] >= 10 else "".join(map(str, values))


@of_vocabularies
def shares(text: str) -> tuple[Spoken[float], ...]:
    """Shares of a whole in percent: 'half', 'three quarters'. Thirds are rounded."""
    values = number_words().shares
    whole = [(one.start, one.end) for one in numbers(text) if not one.value.is_integer()]
    found = (m for m in _patterns().share.finditer(text) if not any(overlap(m.span(), span) for span in whole))
    return tuple(Spoken(values[re.sub(r"[\s-]+", " ", m[1].lower())], m.start(), m.end()) for m in found)


def run_on(text: str, said: Sequence[Spoken[float]]) -> list[Spoken[float]]:
    """Decimals said without their point: 'thirty-seven two' is 37.2 if it is a temperature."""
    found = []
    for whole, tenth in pairwise(said):
        in_words = text[whole.start : tenth.end].replace("-", " ").replace(" ", "").isalpha()
        apart = text[whole.end : tenth.start].strip()
        if in_words and not apart and tenth.value < 10 and whole.value >= 10:
            found.append(Spoken(whole.value + tenth.value / 10, whole.start, tenth.end))
    return found


@of_vocabularies
def pressures(text: str) -> tuple[Spoken[str], ...]:
    """Blood pressures as 'systolic/diastolic' in mmHg: '142/74', '142 over 74', 'one forty two over seventy four'."""
    said = numbers(text)
    found = [Spoken(f"{int(m[1])}/{int(m[2])}", m.start(), m.end()) for m in _PRESSURE.finditer(text)]
    for first, second in pairwise(said):
        parts = (text[first.start : first.end], text[second.start : second.end])
        in_digits = all(part.replace(",", "").replace(".", "").isdigit() for part in parts)
        if in_digits or not _OVER.fullmatch(text, first.end, second.start):
            continue
        if first.value.is_integer() and second.value.is_integer():
            found.append(Spoken(f"{int(first.value)}/{int(second.value)}", first.start, second.end))
    found = [said for said in found if _is_pressure(said.value, text[said.start : said.end])]
    return tuple(sorted(found, key=lambda said: said.start))


def _is_pressure(value: str, said: str) -> bool:
    """Whether two numbers can be a blood pressure.

    With a slash they may also be a date, so the range is checked strictly; "over" always means a pressure, even an
    implausible one.
    """
    systolic, diastolic = map(int, value.split("/"))
    return 30 <= systolic <= 350 and 10 <= diastolic < (systolic if "/" in said else 350)


@of_vocabularies
def times(text: str) -> tuple[Spoken[str], ...]:
    """Times of day as 'HH:MM': '19:00', '7 pm', 'at 1900', '0730 hours', 'noon'; not 'about 1200 milliliters'.

    Times in words are used only as moments of observation (`extraction.preparation.observation_times`).
    """
    found = (clock for clock in clocks(text) if clock.answers)
    return tuple(Spoken(f"{clock.hour:02d}:{clock.minute:02d}", clock.start, clock.end) for clock in found)


@of_vocabularies
def dates(text: str, today: dt.date) -> tuple[Spoken[str], ...]:
    """Dates as 'YYYY-MM-DD'; a date without a year is the latest such date up to `today`."""
    return tuple(_dates(text, today))


def _dates(text: str, today: dt.date) -> Iterator[Spoken[str]]:
    cues = time_cues()
    for m in cues.date.finditer(text):
        try:
            if m[1]:
                day = dt.date(int(m[1]), int(m[2]), int(m[3]))
            elif m[4]:  # month first, as US charts write it
                year = int(m[6]) + (2000 if len(m[6]) == 2 else 0)
                day = dt.date(year, int(m[4]), int(m[5]))
            elif m[7]:
                month = next(number for number, names in enumerate(cues.months, 1) if names.fullmatch(m[7]))
                day = dt.date(int(m[9]) if m[9] else today.year, month, int(m[8]))
                if not m[9] and day > today:
                    day = day.replace(year=today.year - 1)
            else:
                back = 1 if cues.yesterday.fullmatch(m[10]) or cues.last_night.fullmatch(m[10]) else 0
                day = today - dt.timedelta(days=back)
        except ValueError:
            continue
        yield Spoken(day.isoformat(), m.start(), m.end())


@of_vocabularies
def of_times(text: str) -> tuple[Span, ...]:
    """Spans of times, dates and digits that look like one: their numbers are not measurements."""
    times_of_day = ((one.start, one.end) for one in clocks(text))
    days = ((one.start, one.end) for one in dates(text, _ANY_YEAR))
    return (*times_of_day, *figures_of_time(text), *days)


def date_times(text: str, today: dt.date) -> list[Spoken[str]]:
    """Times of day with their date, as 'YYYY-MM-DDTHH:MM'; a time without a date nearby is of `today`."""
    days = dates(text, today)
    found = []
    for time in times(text):
        near = min(days, key=lambda day: abs(day.start - time.start), default=None)
        if near is not None and abs(near.start - time.start) < 40:
            start, end = min(near.start, time.start), max(near.end, time.end)
            found.append(Spoken(f"{near.value}T{time.value}", start, end))
        else:
            found.append(Spoken(f"{today.isoformat()}T{time.value}", time.start, time.end))
    return found
