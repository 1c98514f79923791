"""Spoken quantities: the unit after a number, amounts in other words ("half a liter"), ranges of two numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import number_words
from extraction.language.vocabulary.spoken_units import CUP, SpokenUnits, spoken_units
from models.base.text_caches import text_cache

if TYPE_CHECKING:
    from extraction.language.spans import Span, Spoken


_HUNDREDS = re.compile(r"\d{3}\Z")  # so many are no cups, but the size of one: "the 240 cups"
_LEAST_CUP = 50  # mL
_HUNDRED = 100
_MOST_HUNDREDS = 9


def said_unit(text: str, position: int) -> tuple[str | None, int]:
    """The unit after a number that ends at `position`, and where the unit ends; (None, position) if there is none."""
    return _said_unit(spoken_units(), text, position)


@text_cache(4096)
def _said_unit(spoken: SpokenUnits, text: str, position: int) -> tuple[str | None, int]:
    match = spoken.behind_number.match(text, position)
    if match:
        unit = spoken.said[match.group(1).lower()]
        return "mL" if unit == CUP and _HUNDREDS.search(text, 0, position) else unit, match.end()
    bare = spoken.vague.match(text, position)
    return None, bare.end() if bare else position


def whole_unit(text: str, position: int) -> tuple[str | None, int]:
    """As `said_unit`, with what the unit is per: "mcg per kilo per minute", "units an hour", "mcg/kg/min"."""
    unit, end = said_unit(text, position)
    return with_per(text, end, unit) if unit else _stroked(text, position) or (None, end)


def with_per(text: str, position: int, unit: str | None = None) -> tuple[str | None, int]:
    """A unit that ends at `position` with what it is per behind it, and where that ends.

    Without `unit`, the unit of a rate that is written with strokes behind a number.
    """
    if unit is None:
        return _stroked(text, position) or (None, position)
    spoken = spoken_units()
    over = spoken.over.match(text, position)
    while over:
        unit = f"{unit}/{spoken.per[over[over.lastindex or 1].lower()]}"
        position = over.end()
        over = spoken.over.match(text, position) or spoken.over_more.match(text, position)
    return unit, position


def _stroked(text: str, position: int) -> tuple[str | None, int] | None:
    spoken = spoken_units()
    match = spoken.behind_number_over.match(text, position)
    return with_per(text, match.end(), spoken.said[match[1].lower()]) if match else None


def may_be_word(text: str, position: int) -> bool:
    """Whether the unit after the number that ends at `position` may be an ordinary word instead: "240 in"."""
    return text[position : said_unit(text, position)[1]].strip(" -").lower() in spoken_units().words


def is_measured(text: str, position: int) -> bool:
    """Whether a unit of measure follows the number that ends at `position`; hours, 'in' and 'a' do not count."""
    unit, end = said_unit(text, position)
    return unit is not None and text[position:end].strip(" -").lower() not in spoken_units().no_measure


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount in characters [start, end) that is not just a number and its unit."""

    value: float
    unit: str
    start: int
    end: int


def amounts(text: str, numbers: Sequence[Spoken[float]]) -> tuple[Amount, ...]:
    """Amounts such as 'five foot six' (in inches), 'half a liter', 'three quarters of a liter', 'six tenths of
    the liter', '1.5 of a liter', 'a liter and a half', 'two cups and a quarter', 'two of the 240 cups'.

    `numbers` must be the numbers of the same text.
    """
    return _amounts(spoken_units(), text, tuple(numbers))


@text_cache(1024)
def _amounts(spoken: SpokenUnits, text: str, numbers: tuple[Spoken[float], ...]) -> tuple[Amount, ...]:
    parts = [
        match
        for match in spoken.part_of_one.finditer(text)
        if not any(one.start < match.start() < one.end for one in numbers)  # "one and three quarter cups"
    ]
    taken = {match.end() for match in parts}
    parts += (match for match in spoken.fraction_of_one.finditer(text) if match.end() not in taken)
    found = [Amount(_part(spoken, one[1]), _unit_of(spoken, one[2] or one[3]), *one.span()) for one in parts]
    found += _of_sized_cups(spoken, text, numbers)
    whole = [(1.0, _unit_of(spoken, match[1]), *match.span()) for match in spoken.a_form.finditer(text)]
    for number in numbers:
        if not number.value.is_integer() and (of_one := spoken.of_one.match(text, number.end)):
            found.append(Amount(number.value, _unit_of(spoken, of_one[1] or of_one[2]), number.start, of_one.end()))
        said, behind = _said_unit(spoken, text, number.end)
        if said and number.value.is_integer():
            whole.append((number.value, said, number.start, behind))
    for value, of_unit, start, end in whole:
        if part := spoken.and_part.match(text, end):
            found.append(Amount(value + _part(spoken, part[1]), of_unit, start, part.end()))
    larger = tuple(found)
    found += [
        Amount(1.0, spoken.whole[match[1].lower()], *match.span())
        for match in spoken.one.finditer(text)
        if not any(one.start <= match.start() < one.end for one in larger)
    ]
    for large, small in pairwise(numbers):
        unit, behind = _said_unit(spoken, text, large.end)
        smaller = spoken.smaller.get(unit or "")
        if smaller is None or not re.fullmatch(r"[\s,-]*(?:and\s+)?", text[behind : small.start]):
            continue
        said, last = _said_unit(spoken, text, small.end)
        if small.value < smaller.count and (said == smaller.unit or (said is None and smaller.bare)):
            found.append(Amount(large.value * smaller.count + small.value, smaller.unit, large.start, last))
    return tuple(sorted(found, key=lambda amount: amount.start))


def _of_sized_cups(spoken: SpokenUnits, text: str, numbers: Sequence[Spoken[float]]) -> Iterator[Amount]:
    """Cups whose size is said: "two of the 240 cups", "two thirds of her 300 mL cup"."""
    sizes = [
        (one, cups.end()) for one in numbers if one.value >= _LEAST_CUP and (cups := spoken.cups.match(text, one.end))
    ]
    for size, end in sizes:
        for count in numbers:
            if count.end < size.start and spoken.of_cups.fullmatch(text, count.end, size.start):
                yield Amount(count.value * size.value, "mL", count.start, end)
        for part in spoken.part_of.finditer(text, 0, size.end):
            if part.end() == size.start:
                yield Amount(_part(spoken, part[1]) * size.value, "mL", part.start(), end)


def _part(spoken: SpokenUnits, words: str) -> float:
    part = " ".join(re.split(r"[\s-]+", words.lower()))
    return spoken.parts.get(part) or spoken.fractions[part]


def _unit_of(spoken: SpokenUnits, form: str) -> str:
    return spoken.whole.get(form.lower()) or spoken.said[form.lower()]


@of_vocabularies
def out_of(text: str, numbers: tuple[Spoken[float], ...]) -> tuple[tuple[Spoken[float], Spoken[float]], ...]:
    """Numbers with what they are out of: 'six of nine attempts', 'two out of five'; not 'three of the 500 mL'.

    `numbers` must be the numbers of the same text.
    """
    joins = number_words().out_of
    return tuple(
        (first, second)
        for first, second in pairwise(numbers)
        if " ".join(text[first.end : second.start].lower().split()) in joins and not is_measured(text, second.end)
    )


@of_vocabularies
def number_ranges(text: str, numbers: tuple[Spoken[float], ...]) -> tuple[Span, ...]:
    """Where two different numbers are said as a range: '90 to 100', 'between 90 and 100', '3-4', 'three, four hundred';
    not 'from 110 to 88'.

    `numbers` must be the numbers of the same text.
    """
    words = number_words()
    found = []
    for first, second in pairwise(numbers):
        unit, end = said_unit(text, first.end)
        unit_behind = said_unit(text, second.end)[0]
        if first.value == second.value or (unit and unit_behind and not unit_behind.startswith(unit)):
            continue  # "101.3 F or 38.5 C", but "30 mL to 40 mL an hour"
        before = text[: first.start].lower().split()[-1:]
        join = text[end : second.start].strip().lower()
        is_joined = join in ("-", "–") or (join in words.range_joins and not words.change_words.intersection(before))
        is_joined = is_joined or (join in ("", ",") and _are_hundreds(first.value, second.value))
        if is_joined or any(words.range_frames.get(word) == join for word in before):
            found.append((first.start, second.end))
    return tuple(found)


def _are_hundreds(first: float, second: float) -> bool:
    """Whether of two ends of a range only the second names the hundreds: 'three, four hundred'."""
    return 0 < first < _MOST_HUNDREDS and second == (first + 1) * _HUNDRED
