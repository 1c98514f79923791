"""What the words of a row's name tell: which row of several it is, and what a row is about.

Here, and in `extraction.flowsheet.naming.row_meaning`, names of rows are read; other modules ask.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from extraction.flowsheet.schema import FormulaPart, Row, of_rows
from extraction.language.body_sites import side_words
from extraction.language.vocabulary.words import stems

_WORD = re.compile(r"[A-Za-z0-9]+")
# A word that says what is asked ends so many names, begins so few, and stands in the names of so many groups.
_LAST, _FIRST, _GROUPS = 0.3, 0.15, 4
# Those of them that a small schema may not show.
_ASKED = stems(
    "site type status assessment description location condition appearance time date score level amount color"
)


# parts of scores


@dataclass(frozen=True, slots=True)
class PartOf:
    """A part of a score: words that name the score, and those of the part's own name that no other part has."""

    part: FormulaPart
    score: frozenset[str]
    own: frozenset[str]


@of_rows
def score_parts(rows: tuple[Row, ...]) -> Mapping[str, PartOf]:
    """The rows that formulas rest on."""
    by_id = {row.id: row for row in rows}
    found: dict[str, PartOf] = {}
    for total, formula in ((row, row.formula) for row in rows if row.formula):
        parts = {part.row_id: part for _, part in formula.parts}
        names = {row_id: stems(by_id[row_id].name) for row_id in parts}
        called = stems(total.name)
        short = frozenset[str]().union(*(stems(name) for name in total.synonyms if " " not in name))
        for row_id, name in names.items():
            others = frozenset[str]().union(*(words for other, words in names.items() if other != row_id))
            score = (called & name) | short if called & name else frozenset[str]()
            found.setdefault(row_id, PartOf(parts[row_id], score, name - others - called))
    return found


# what a row is about


@of_rows
def object_words(rows: tuple[Row, ...]) -> Mapping[str, frozenset[str]]:
    """By row, what it can be named by, in stems: without the words that say what is asked of a thing, sides and
    numbers."""
    nothing = asked_words(rows) | stems(" ".join(side_words()))
    return {
        row.id: frozenset(
            word
            for name in (row.name, *row.synonyms, *_innermost(row))
            for word in stems(name) - nothing
            if not word.isdigit()
        )
        for row in rows
    }


def _innermost(row: Row) -> Iterable[str]:
    """The categories that the row itself stands in."""
    return (name for path in row.categories for name in path[-1:])


def asked_words(rows: Iterable[Row]) -> frozenset[str]:
    """The words that say what is asked of a thing."""
    groups: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    places: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for row in rows:
        words = [word for match in _WORD.finditer(row.name) for word in stems(match.group())]
        for place, word in enumerate(words):
            groups[word].add(row.category)
            places[word].append((place == 0, place == len(words) - 1))
    return _ASKED | frozenset(
        word
        for word, found in places.items()
        if len(groups[word]) >= _GROUPS
        and sum(first for first, _ in found) <= _FIRST * len(found)
        and sum(last for _, last in found) >= _LAST * len(found)
    )


def object_before(row: Row, recorded: str) -> frozenset[str] | None:
    """The thing of which a row records something, in stems, where its name ends with what is recorded: the arterial
    line of 'Arterial line dressing status'; None where it does not."""
    return stems(row.name.removesuffix(recorded)) if row.name.endswith(f" {recorded}") else None


def called(row: Row, own: frozenset[str]) -> str:
    """The words of a row's name, else of its category or synonyms, that name what it is about."""
    for name in (row.name, *_innermost(row), *row.synonyms):
        words = [match.group() for match in _WORD.finditer(name)]
        places = [place for place, word in enumerate(words) if stems(word) & own]
        if places:
            first = last = places[0]
            while last + 1 in places:
                last += 1
            found = " ".join(words[first : last + 1])
            return found if found.isupper() else found.lower()
    return row.name
