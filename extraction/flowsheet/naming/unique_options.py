"""Options that tell their row: names of two or more words, said word for word, that no other row of the schema uses.

"On room air" names no row, and yet only one can be meant. In SYNUR's training cases such an option is said 389 times,
and in 368 of them the row is in the gold. Synonyms do not count: many mean an option beside the name of its row alone
("resting comfortably", of the response to a pain intervention).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from extraction.flowsheet.schema import Option, Row, Schema, of_rows
from extraction.language.vocabulary.words import is_part, said_whole, stems

_LEAST_WORDS = 2
_FIRST = re.compile(r"\w+")


def own_options(schema: Schema, text: str) -> dict[str, str]:
    """By id of a row that an option said in a text belongs to alone, that option; of words within others, the longer
    count."""
    names = _by_first_word(schema)
    words = {word.group().lower() for word in _FIRST.finditer(text)}
    found = [
        (match.span(), one) for word in words for one in names.get(word, ()) if (match := said_whole(one.name, text))
    ]
    return {
        one.row_id: one.option
        for span, one in found
        if one.row_id and not any(is_part(span, other) for other, _ in found)
    }


@dataclass(frozen=True, slots=True)
class _Name:
    """A way of saying an option in small letters; row and option are empty where it tells no row."""

    name: str
    row_id: str
    option: str


@of_rows
def _by_first_word(rows: tuple[Row, ...]) -> Mapping[str, tuple[_Name, ...]]:
    """The ways of saying options in several words, by their first one."""
    owners: dict[str, set[str]] = {}
    told: dict[str, _Name] = {}
    for row, option in _options(rows):
        for name in (option.name, *option.synonyms):
            owners.setdefault(name.lower(), set()).add(row.id)
        told[option.name.lower()] = _Name(option.name.lower(), row.id, option.name)
    found: dict[str, list[_Name]] = {}
    for name, of in owners.items():
        if len(stems(name)) >= _LEAST_WORDS and (first := _FIRST.match(name)):
            one = told.get(name) if len(of) == 1 else None
            found.setdefault(first.group(), []).append(one or _Name(name, "", ""))
    return {word: tuple(names) for word, names in found.items()}


def _options(rows: tuple[Row, ...]) -> Iterator[tuple[Row, Option]]:
    return ((row, option) for row in rows if row.unit_of is None for option in row.options)
