"""How nurses refer to things that exist more than once, such as lines, drains and wounds: by number, kind and place.

Which rows belong to which instance is decided in `extraction.flowsheet.naming.row_meaning`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from extraction.flowsheet.naming.instance_names import PLACES, Group, called_words
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_names import key_of, unbracketed, words_of
from extraction.flowsheet.schema import Role, Row, Schema, of_schema
from extraction.language.body_sites import no_other_thing
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.words import stems

_SHORTEST_KIND = 4  # characters; shorter kinds must be capitals, because "cut" has other meanings
# Words of names and synonyms that do not identify the topic of a row.
_COMMON = stems("how much what where why which kind looks put out of is done number size")


@dataclass(frozen=True)  # no slots, because cached properties need __dict__
class Family:
    """Rows that differ only in their instance.

    Attributes:
        rows: by number, then by what they record of the instance.
        roles: role of each recorded property that has one.
        kinds: names for one instance by its kind ('incision', 'JP').
        named: stems of each recorded property's names, without the family's own words.
    """

    name: str
    rows: Mapping[int, Mapping[str, Row]]
    roles: Mapping[str, Role] = field(default_factory=dict)
    kinds: tuple[str, ...] = ()

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words for one instance: 'iv' for 'Peripheral IV', 'piv' and 'iv' for 'PIV'."""
        word = key_of(unbracketed(words_of(self.name)))[-1]
        return (word, *called_words().get(word, ()))

    @cached_property
    def own_stems(self) -> frozenset[str]:
        """Stems of the family's name and of the singular and plural words for an instance."""
        return stems(self.name) | stems(" ".join(f"{word} {word}s" for word in self.words))

    @cached_property
    def _word(self) -> str:
        """Source of a pattern for these words."""
        return f"(?:{'|'.join(map(re.escape, self.words))})"

    @cached_property
    def places(self) -> frozenset[str]:
        """The recorded properties that locate an instance."""
        return frozenset(rest for rest, role in self.roles.items() if role in PLACES)

    @property
    def first(self) -> Mapping[str, Row]:
        """The rows of the first instance."""
        return self.rows[min(self.rows)]

    @property
    def siblings(self) -> list[tuple[Row, ...]]:
        """The rows in groups that differ only in their instance."""
        return [tuple(rows[rest] for rows in self.rows.values() if rest in rows) for rest in self.first]

    @cached_property
    def named(self) -> Mapping[str, tuple[frozenset[str], ...]]:
        own = stems(self.name) | _COMMON
        rows = {rest: row for of in reversed(list(self.rows.values())) for rest, row in of.items()}
        ways = {
            rest: (frozenset(stems(name) - own) for name in _alternative_names(rest, row)) for rest, row in rows.items()
        }
        return {rest: tuple(words for words in of if words) for rest, of in ways.items()}

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        kinds = sorted((re.escape(kind) for kind in self.kinds), key=len, reverse=True)
        names = "|".join([self._word, *kinds])
        return re.compile(rf"\b(?:{names})s?\b{no_other_thing()}", re.IGNORECASE)

    def mention(self, text: str) -> re.Match[str] | None:
        """The first mention of the family in a text."""
        return self._mention.search(text)

    def several(self, text: str) -> bool:
        """Whether a text mentions the family in the plural."""
        return re.search(rf"\b{self._word}s\b", text, re.IGNORECASE) is not None

    def numbers_said(self, text: str) -> list[int]:
        """The instance numbers in a text ('wound 2', 'the second wound'), including numbers without a row."""
        known = {**number_words().numbers, **number_words().ordinals}
        said = {text[slice(*span)].lower() for span in self.number_spans(text)}
        return sorted({int(number[0]) if number[0].isdigit() else known[number] for number in said})

    def number_spans(self, text: str) -> list[tuple[int, int]]:
        """Spans of the instance numbers in a text."""
        word = rf"{self._word}\b"
        behind = rf"\b{word}\s+(?:number\s+)?(\d|{either(number_words().ones)})\b"
        before = rf"\b([1-9](?:st|nd|rd|th)|{either(number_words().ordinals)})\s+(?:\w+\s+)?{word}"
        return [match.span(1) for form in (behind, before) for match in re.finditer(form, text, re.IGNORECASE)]

    def spoken_of(self, text: str) -> Iterable[str]:
        """The recorded properties, apart from places, that a text names or states an option of."""
        said = stems(text)
        for rest, row in self.first.items():
            options = (stems(name) for option in row.options for name in (option.name, *option.synonyms))
            if rest not in self.places and any(words <= said for words in (*self.named[rest], *filter(None, options))):
                yield rest


def _alternative_names(rest: str, row: Row) -> Iterator[str]:
    """Alternative names for what a row records; text in brackets is optional."""
    yield rest
    words = words_of(rest)
    if len(bare := unbracketed(words)) < len(words):
        yield " ".join(word.text for word in bare)
    yield from (re.sub(r"\d+", "", synonym) for synonym in row.synonyms)


@of_schema
def families_of(schema: Schema) -> tuple[Family, ...]:
    """The families of a schema whose instances can be told apart by their place."""
    return tuple(Family(one.name, one.rows, one.roles, _kinds(one)) for one in meaning_of(schema).groups)


def _kinds(group: Group) -> tuple[str, ...]:
    """Options of the first instance's type that can be said instead of the family's name."""
    first = group.rows[min(group.rows)]
    types = [row for rest, row in first.items() if group.roles.get(rest) is Role.TYPE]
    names = [name for row in types for option in row.options for name in (option.name, *option.synonyms)]
    return tuple(name for name in names if len(name) >= _SHORTEST_KIND or name.isupper())


@of_schema
def _families_by_row(schema: Schema) -> Mapping[str, Family]:
    return {row.id: one for one in families_of(schema) for rows in one.rows.values() for row in rows.values()}


def family_of(schema: Schema, row_id: str) -> Family | None:
    """The family of a row; None if it has none."""
    return _families_by_row(schema).get(row_id)


@of_schema
def place_rows(schema: Schema) -> frozenset[str]:
    """Ids of the rows that locate an instance."""
    return frozenset(
        row.id
        for family in families_of(schema)
        for rows in family.rows.values()
        for rest, row in rows.items()
        if rest in family.places
    )


def mentioned(families: Iterable[Family], text: str) -> list[Family]:
    return [family for family in families if family.mention(text)]


def instance_rows_named(schema: Schema, text: str) -> frozenset[str]:
    """Rows of the first instance that a text names or states an option of.

    Empty if the text mentions more than one family, because an option could then belong to either.
    """
    of = mentioned(families_of(schema), text)
    return frozenset(of[0].first[rest].id for rest in of[0].spoken_of(text)) if len(of) == 1 else frozenset()


def family_by_row(families: Sequence[Family]) -> dict[str, tuple[Family, str]]:
    """The family of each row, and what the row records."""
    return {
        row.id: (family, rest) for family in families for rows in family.rows.values() for rest, row in rows.items()
    }
