"""What the words in a row's name reveal: the score it is part of, and the object it is about.

Only this module and `extraction.flowsheet.naming.row_meaning` interpret row names.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain

from extraction.flowsheet.schema import FormulaPart, Row, of_rows
from extraction.language.body_sites import side_words
from extraction.language.vocabulary.words import stems

_WORD = re.compile(r"[A-Za-z0-9]+")
# A question word ends at least this share of its names, begins at most this share, and occurs in this many groups.
_LAST, _FIRST, _GROUPS = 0.3, 0.15, 4
# Question words that a small schema may not reveal.
_ASKED = stems(
    "site type status assessment description location condition appearance time date score level amount color"
)


def stems_of_names(row: Row) -> frozenset[str]:
    """Stems of all words in the names and categories of a row."""
    return stems(" ".join((row.name, *row.synonyms, *chain.from_iterable(row.categories))))


# parts of scores


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a score: words that name the score, and words that only this part's name has."""

    part: FormulaPart
    score: frozenset[str]
    own: frozenset[str]


@of_rows
def score_parts(rows: tuple[Row, ...]) -> Mapping[str, ScorePart]:
    """The rows used by formulas, by id."""
    by_id = {row.id: row for row in rows}
    found: dict[str, ScorePart] = {}
    for total, formula in ((row, row.formula) for row in rows if row.formula):
        parts = {part.row_id: part for _, part in formula.parts}
        names = {row_id: stems(by_id[row_id].name) for row_id in parts}
        called = stems(total.name)
        short = frozenset[str]().union(*(stems(name) for name in total.synonyms if " " not in name))
        for row_id, name in names.items():
            others = frozenset[str]().union(*(words for other, words in names.items() if other != row_id))
            score = (called & name) | short if called & name else frozenset[str]()
            found.setdefault(row_id, ScorePart(parts[row_id], score, name - others - called))
    return found


# the object of a row


@of_rows
def object_words(rows: tuple[Row, ...]) -> Mapping[str, frozenset[str]]:
    """Stems that name the object of each row, without question words, sides and numbers."""
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
    return (name for path in row.categories for name in path[-1:])


def asked_words(rows: Iterable[Row]) -> frozenset[str]:
    """Question words: stems that say what is asked about an object rather than naming one."""
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
    """Stems of the object in a name that ends with the recorded property, such as 'Arterial line dressing status'.

    None if the name does not end with it.
    """
    return stems(row.name.removesuffix(recorded)) if row.name.endswith(f" {recorded}") else None
