"""Options that identify their row: names of two or more words that no other row in the schema uses.

"On room air" names no row, yet only one can be meant. In SYNUR's training cases such an option is said 389 times, and
in 368 of them the row is in the gold. Synonyms do not count: many mean an option only together with the name of its row
("resting comfortably", about the response to a pain intervention).
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
    """By row id, the option in a text that belongs to this row alone; of nested mentions, only the longest counts."""
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
    """A name of an option in lower case; row and option are empty if it does not identify a row."""

    name: str
    row_id: str
    option: str


@of_rows
def _by_first_word(rows: tuple[Row, ...]) -> Mapping[str, tuple[_Name, ...]]:
    """Option names of several words, by their first word."""
    owners: dict[str, set[str]] = {}
    unique: dict[str, _Name] = {}
    for row, option in _options_by_row(rows):
        for name in (option.name, *option.synonyms):
            owners.setdefault(name.lower(), set()).add(row.id)
        unique[option.name.lower()] = _Name(option.name.lower(), row.id, option.name)
    found: dict[str, list[_Name]] = {}
    for name, of in owners.items():
        if len(stems(name)) >= _LEAST_WORDS and (first := _FIRST.match(name)):
            one = unique.get(name) if len(of) == 1 else None
            found.setdefault(first.group(), []).append(one or _Name(name, "", ""))
    return {word: tuple(names) for word, names in found.items()}


def _options_by_row(rows: tuple[Row, ...]) -> Iterator[tuple[Row, Option]]:
    return ((row, option) for row in rows if row.unit_of is None for option in row.options)
