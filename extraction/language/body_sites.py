"""Sides and sites of the body; resources/language/<language>/body_sites.toml.

One vocabulary of left and right serves speech, chart contents and row names. Written text may also use a chart's
abbreviations ("R AC").
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from extraction.language.spans import Span
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.phrases import compiled
from extraction.language.vocabulary.tables import plain, words_by_entry

_BLANK = r"\s+"


@dataclass(frozen=True, slots=True)
class Place:
    """A side and a set of body sites, each normalised to one word; empty where not stated."""

    side: str = ""
    sites: frozenset[str] = frozenset()

    def contradicts(self, other: Place) -> bool:
        sides = self.side and other.side and self.side != other.side
        return bool(sides or (self.sites and other.sites and not self.sites & other.sites))

    def __bool__(self) -> bool:
        return bool(self.side or self.sites)


NO_PLACE = Place()


@dataclass(frozen=True, slots=True)
class BodyWords:
    """The vocabulary as patterns, with the side or site that each word means.

    Attributes:
        side_of: spoken word in lower case -> side.
        written: the same for every word that may appear in a chart.
        short: written abbreviations with another possible meaning ("RT", "L").
    """

    side: re.Pattern[str]
    side_of: dict[str, str]
    written_side: re.Pattern[str]
    written: dict[str, str]
    short: frozenset[str]
    site: re.Pattern[str]
    site_of: dict[str, str]
    no_site: re.Pattern[str]
    other_thing: str


@of_vocabularies
def body_words() -> BodyWords:
    """Raises InputError if the ward's own file is invalid."""
    spoken, short, limbs = (_side_of(table) for table in ("sides", "written_sides", "sided_abbreviations"))
    sites = {word: site for site, others in words_by_entry("body_sites", "sites").items() for word in (site, *others)}
    no_site = words_by_entry("body_sites", "no_site", ("before_back", "behind_back"))
    before, behind = _any_of(no_site["before_back"]), _any_of(no_site["behind_back"])
    others = words_by_entry("body_sites", "other_things", ("behind",))["behind"]
    return BodyWords(
        side=compiled(rf"\b{_any_of(spoken)}\b"),
        side_of=spoken,
        written_side=compiled(rf"(?<![^\W_]){_any_of(spoken | short | limbs)}(?![^\W_])"),
        written=spoken | short | limbs,
        short=frozenset(short),
        site=compiled(rf"\b({_any_of(sites)})s?\b"),
        site_of=sites,
        no_site=compiled(rf"\b{before}\s+back\b|\bback\s+{behind}\b"),
        other_thing=rf"(?!\s+{_any_of(others)}\b)",
    )


def _side_of(table: str) -> dict[str, str]:
    sides = words_by_entry("body_sites", table, ("left", "right"))
    return {word: side for side, words in sides.items() for word in words}


def _any_of(words: Iterable[str]) -> str:
    longest = sorted(words, key=len, reverse=True)
    return f"(?:{'|'.join(_BLANK.join(map(re.escape, word.split())) for word in longest)})"


def sides_in(text: str, start: int = 0, end: int | None = None) -> frozenset[str]:
    """The sides, `left` and `right`, mentioned in the characters [start, end) of a text."""
    words = body_words()
    found = words.side.finditer(text, start, len(text) if end is None else end)
    return frozenset(words.side_of[plain(match.group())] for match in found)


def side_words() -> frozenset[str]:
    """Every way to write a side in a chart, in lower case."""
    return frozenset(body_words().written)


@dataclass(frozen=True, slots=True)
class WrittenSide:
    """A side written in a chart, with its characters [start, end).

    Attributes:
        short: whether it is ambiguous: 'L' may also mean liter.
    """

    side: str
    start: int
    end: int
    short: bool


def written_sides(text: str) -> list[WrittenSide]:
    """The sides in a chart's name or value, in text order: 'L', 'Rt', 'LUE', 'left'."""
    words = body_words()
    found = ((plain(match.group()), match.span()) for match in words.written_side.finditer(text))
    return [WrittenSide(words.written[word], *span, short=word in words.short) for word, span in found]


def place_in(text: str, *, written: bool = False) -> Place:
    """The side and sites a text mentions; no side if it mentions both.

    `written` also accepts a chart's abbreviations.
    """
    words = body_words()
    text = words.no_site.sub("", text)
    sides, known = (words.written_side, words.written) if written else (words.side, words.side_of)
    named = {known[plain(match.group())] for match in sides.finditer(text)}
    sites = frozenset(words.site_of[plain(match.group(1))] for match in words.site.finditer(text))
    return Place(named.pop() if len(named) == 1 else "", sites)


def place_spans(text: str) -> list[Span]:
    """Spans of all sides and then of all sites in a text."""
    words = body_words()
    return [match.span() for pattern in (words.side, words.site) for match in pattern.finditer(text)]


def without_places(text: str) -> str:
    """The text with every side and site replaced by a blank."""
    words = body_words()
    return words.site.sub(" ", words.side.sub(" ", text))


def no_other_thing() -> str:
    """Source of a negative lookahead to place after a site word.

    It rejects words that change the site's meaning, such as 'antibiotics' after 'IV'.
    """
    return body_words().other_thing
