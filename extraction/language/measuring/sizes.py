"""Sizes of wounds: "5 by 4 by 1.5 centimeters", "14.5 centimeters long", "a depth of 2.2"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from extraction.language.numbers import numbers, of_times
from extraction.language.quantities import said_unit
from extraction.language.spans import Spoken, overlap
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import any_of, compiled, whole_words

PARTS = ("length", "width", "depth")  # in the order in which they are said
# UCUM units in which a thing without a word for its part is measured.
_LENGTH_UNITS = frozenset({"cm", "mm", "[in_i]"})
# "4x2cm", "2.5 x 1"
_DIGITS = r"\d+(?:\.\d+)?|\.\d+"


@dataclass(frozen=True, slots=True)
class Size:
    """One number of a size.

    Attributes:
        thing: what has the size, by its name in the vocabulary.
        part: one of `PARTS`.
        value: the number, in the unit at the end of the characters, if any.
        start, end: the characters from the number to the last one of the size with its unit, [start, end) of the text.
    """

    thing: str
    part: str
    value: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Patterns:
    things: dict[str, re.Pattern[str]]
    parts: dict[str, re.Pattern[str]]
    named_part: re.Pattern[str]
    by: re.Pattern[str]
    measures: re.Pattern[str]
    other: re.Pattern[str]
    former: re.Pattern[str]
    written: re.Pattern[str]


@of_vocabularies
def size_patterns() -> _Patterns:
    of = cues("sizes")
    words, parts = of["words"], of["parts"]
    by, unit = any_of(words["by"]), r"(?:cm|mm|centimet(?:er|re)s?|millimet(?:er|re)s?|inch(?:es)?)?"
    return _Patterns(
        things={thing: whole_words(named) for thing, named in of["things"].items()},
        parts={part: compiled(rf"[\s,-]*{any_of(said)}(?!\w)") for part, said in parts.items()},
        named_part=compiled(
            rf"\b({any_of(word for said in parts.values() for word in said)})\s+(?:{any_of(words['link'])}\s+){{0,2}}$"
        ),
        by=compiled(rf"\s*{unit}\s*{by}\s*(?:{any_of(words['fillers'])},?\s+)?"),
        measures=compiled(rf"[\s,:]*(?:{any_of(words['measures'])}[\s,]+)*"),
        other=compiled(rf"\s*(?:of\s+)?{any_of(words['other'])}(?!\w)"),
        former=compiled(rf"\b{any_of(words['former'])}\b[^.,;]{{0,25}}$"),
        written=compiled(
            rf"(?<![\w.])({_DIGITS})\s*{unit}\s*x\s*(?={_DIGITS})|(?<=[\dm]x)({_DIGITS})|(?<=x )({_DIGITS})"
        ),
    )


@of_vocabularies
def things_named(text: str) -> tuple[Spoken[str], ...]:
    """The things with a size that a text names, in order."""
    patterns = size_patterns().things.items()
    found = (Spoken(thing, *one.span()) for thing, named in patterns for one in named.finditer(text))
    return tuple(sorted(found, key=lambda one: (one.start, one.value)))


@of_vocabularies
def sizes(text: str, before: str = "") -> tuple[Size, ...]:
    """The sizes in a sentence; `before` is the thing that was last named before it, if any."""
    said, named = _numbers(text), things_named(text)
    found: list[Size] = []
    for chain in _chains(text, said):
        end = chain[-1].end
        unit, behind = said_unit(text, end)
        last = behind if unit else end
        thing = _thing_at(named, chain[0].start, end, before)
        if thing is None or size_patterns().former.search(text, 0, chain[0].start):
            continue
        if (unit and unit not in _LENGTH_UNITS) or size_patterns().other.match(text, behind):
            continue
        if len(chain) > 1:
            found += (Size(thing, part, one.value, one.start, last) for part, one in zip(PARTS, chain, strict=False))
        elif part := _part(text, chain[0], behind) or _whole(text, named, chain[0], unit, behind):
            found.append(Size(thing, part, chain[0].value, chain[0].start, last))
    return tuple(found)


def _numbers(text: str) -> list[Spoken[float]]:
    """The numbers outside times, with those of "4x2cm"."""
    apart = of_times(text)
    said = [one for one in numbers(text) if not any(overlap((one.start, one.end), span) for span in apart)]
    for match in size_patterns().written.finditer(text):
        group = next(place for place in (1, 2, 3) if match[place])
        if not any(overlap((one.start, one.end), match.span(group)) for one in said):
            said.append(Spoken(float(match[group]), *match.span(group)))
    return sorted(said, key=lambda one: one.start)


def _chains(text: str, said: Sequence[Spoken[float]]) -> Iterator[list[Spoken[float]]]:
    """Numbers that are joined by "by", up to three, and single ones."""
    chain: list[Spoken[float]] = []
    for one, following in pairwise((*said, None)):
        assert one is not None
        chain.append(one)
        if following is None or not size_patterns().by.fullmatch(text, one.end, following.start):
            if len(chain) <= len(PARTS):
                yield chain
            chain = []


def _thing_at(named: Sequence[Spoken[str]], start: int, end: int, before: str) -> str | None:
    """The thing whose size stands at [start, end): the last one named before it, or else the first one behind it."""
    earlier = [one.value for one in named if one.start < start]
    later = [one.value for one in named if one.start >= end]
    if earlier and "pressure_injury" in (earlier[-1], *later[:1]):
        return "pressure_injury"  # "a wound on the sacrum, 3 by 2, stage 2"
    return next(iter((*reversed(earlier), *later, before)), None) or None


def _part(text: str, number: Spoken[float], behind: int) -> str | None:
    """The part that the words around a single number name."""
    for part, said in size_patterns().parts.items():
        if said.match(text, behind):
            return part
    if match := size_patterns().named_part.search(text, 0, number.start):
        return next(part for part, said in size_patterns().parts.items() if said.fullmatch(match[1]))
    return None


def _whole(text: str, named: Sequence[Spoken[str]], number: Spoken[float], unit: str | None, behind: int) -> str | None:
    """The length, where a single number with its unit is said of the thing itself: "incision is 18 centimeters"."""
    if unit not in _LENGTH_UNITS:
        return None
    measures = size_patterns().measures
    is_said_of = any(
        (one.end <= number.start and measures.fullmatch(text, one.end, number.start))
        or (one.start >= behind and not text[behind : one.start].strip(" -"))
        for one in named
    )
    return PARTS[0] if is_said_of else None
