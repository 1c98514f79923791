"""What a schema numbers, and how a nurse names it: lines, drains and wounds, by number, kind and place.

A schema numbers what exists more than once ("Peripheral IV 1 site", "Peripheral IV 2 site"). Rows whose names differ in
the number alone are one family, also where the schema has room for but one instance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from extraction.language.number_words import either, number_words, numerals
from extraction.lexical import stems
from extraction.schema import Row, Schema, of_rows

_NUMBERED = re.compile(r"(?P<family>\D*\b[A-Za-z]\w*) (?P<number>\d+) (?P<rest>\D+)")
_LEAST_SHARED = 3  # rows that two numbers must have in common to be instances of one family
PLACE_ROWS = frozenset({"site", "side", "location"})
_KIND_ROW = "type"
_SHORTEST_KIND = 4  # characters; shorter ones must be capitals, since "cut" is said of other things, too
_NUMBER_WORDS = {word: int(digits) for word, digits in numerals(6).items() if digits != "0"}
SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)
# other words for a site, and the site's own
_SITES = {
    "sacral": "sacrum", "coccyx": "sacrum", "tailbone": "sacrum", "abdominal": "abdomen", "belly": "abdomen",
    "ac": "antecubital", "antecub": "antecubital", "elbow": "antecubital", "ej": "jugular", "thoracic": "chest",
    "buttocks": "buttock", "gluteal": "buttock", "inguinal": "groin", "calf": "leg", "shin": "leg", "thigh": "leg",
} | {
    site: site
    for site in (
        "heel sacrum hip knee ankle foot toe leg forearm hand wrist arm antecubital shoulder back buttock abdomen "
        "chest neck groin flank head scalp ear nose face jugular ischium trochanter finger breast axilla"
    ).split()
}  # fmt: skip
SITE = re.compile(rf"\b({'|'.join(_SITES)})s?\b", re.IGNORECASE)
# "draws back", "pulled back" and "back to bed" are no place
_NO_SITE = re.compile(
    r"\b(?:draw(?:s|ing|n)?|drew|pull(?:s|ed|ing)?|flow(?:s|ed)?)\s+back\b|\bback\s+(?:to|up|in)\b", re.IGNORECASE
)
# 'IV antibiotics' is no line
_OTHER = r"(?!\s+(?:fluids?|antibiotics?|push|bolus|meds?|medications?|drips?|pole|pump|contrast|care|nurse)\b)"
# Words of names and synonyms that do not say what a row is about.
_COMMON = stems("how much what where why which kind looks put out of is done number size")


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is: its side, and its sites in one word each; empty where it was not said."""

    side: str = ""
    sites: frozenset[str] = frozenset()

    def contradicts(self, other: Place) -> bool:
        sides = self.side and other.side and self.side != other.side
        return bool(sides or (self.sites and other.sites and not self.sites & other.sites))

    def __bool__(self) -> bool:
        return bool(self.side or self.sites)


NO_PLACE = Place()


def place_in(text: str) -> Place:
    """Side and sites that a text says; no side where it says both."""
    text = _NO_SITE.sub("", text)
    sides = {match.group(1).lower() for match in SIDE.finditer(text)}
    sites = frozenset(_SITES[match.group(1).lower()] for match in SITE.finditer(text))
    return Place(sides.pop() if len(sides) == 1 else "", sites)


@dataclass(frozen=True)  # without slots: what is worked out once is kept
class Family:
    """Rows that differ in a number alone.

    Attributes:
        rows: by number, and by what follows it in the name.
        kinds: what one instance may be called by its kind ('incision', 'JP').
        named: by what follows the number, the ways of naming the row, in stems, without the family's own words.
    """

    name: str
    rows: Mapping[int, Mapping[str, Row]]
    kinds: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """What one instance is called: 'iv' of 'Peripheral IV'."""
        return self.name.split()[-1].lower()

    @property
    def first(self) -> Mapping[str, Row]:
        """The rows of its first instance."""
        return self.rows[min(self.rows)]

    @property
    def siblings(self) -> list[tuple[Row, ...]]:
        """Its rows, those together that differ in the number alone."""
        return [tuple(rows[rest] for rows in self.rows.values() if rest in rows) for rest in self.first]

    @cached_property
    def named(self) -> Mapping[str, tuple[frozenset[str], ...]]:
        own = stems(self.name) | _COMMON
        ways = {
            rest: (frozenset(stems(name) - own) for name in (rest, *(re.sub(r"\d+", "", it) for it in row.synonyms)))
            for rest, row in self.first.items()
        }
        return {rest: tuple(words for words in of if words) for rest, of in ways.items()}

    @cached_property
    def _mention(self) -> re.Pattern[str]:
        kinds = sorted((re.escape(kind) for kind in self.kinds), key=len, reverse=True)
        names = "|".join([re.escape(self.word), *kinds])
        return re.compile(rf"\b(?:{names})s?\b{_OTHER}", re.IGNORECASE)

    def mention(self, text: str) -> re.Match[str] | None:
        """Where a text first speaks of one of them."""
        return self._mention.search(text)

    def several(self, text: str) -> bool:
        """Whether a text speaks of them in the plural."""
        return re.search(rf"\b{re.escape(self.word)}s\b", text, re.IGNORECASE) is not None

    def numbers_said(self, text: str) -> list[int]:
        """The numbers by which a text calls them ('wound 2', 'the second wound'), also those without a row."""
        known = {**_NUMBER_WORDS, **number_words().ordinals}
        said = {text[slice(*span)].lower() for span in self.number_spans(text)}
        return sorted({int(number) if number.isdigit() else known[number] for number in said})

    def number_spans(self, text: str) -> list[tuple[int, int]]:
        """Where a text says these numbers."""
        word = rf"{re.escape(self.word)}\b"
        behind = rf"\b{word}\s+(?:number\s+)?(\d|{'|'.join(_NUMBER_WORDS)})\b"
        before = rf"\b({either(number_words().ordinals)})\s+(?:\w+\s+)?{word}"
        return [match.span(1) for form in (behind, before) for match in re.finditer(form, text, re.IGNORECASE)]

    def spoken_of(self, text: str) -> Iterable[str]:
        """What follows the number in the names of the rows, those that say where it is aside, that a text names or of
        which it says an option."""
        said = stems(text)
        for rest, row in self.first.items():
            options = (stems(name) for option in row.options for name in (option.name, *option.synonyms))
            if rest not in PLACE_ROWS and any(words <= said for words in (*self.named[rest], *filter(None, options))):
                yield rest


@of_rows
def families_of(rows: tuple[Row, ...]) -> tuple[Family, ...]:
    """The families of a schema whose instances have rows in common that tell where they are."""
    found: dict[str, dict[int, dict[str, Row]]] = {}
    for row in rows:
        if match := _NUMBERED.fullmatch(row.name):
            found.setdefault(match["family"], {}).setdefault(int(match["number"]), {})[match["rest"]] = row
    families = []
    for name, numbers in found.items():
        shared = frozenset.intersection(*(frozenset(rests) for rests in numbers.values()))
        if len(shared) >= _LEAST_SHARED and shared & PLACE_ROWS:
            families.append(Family(name, dict(sorted(numbers.items())), _kinds(numbers[min(numbers)].get(_KIND_ROW))))
    return tuple(families)


def _kinds(row: Row | None) -> tuple[str, ...]:
    names = [name for option in row.options for name in (option.name, *option.synonyms)] if row else []
    return tuple(name for name in names if len(name) >= _SHORTEST_KIND or name.isupper())


def family_of(schema: Schema, row_id: str) -> Family | None:
    """The family that a row is of; None where it is of none."""
    ids = ((family, row.id) for family in families_of(schema) for rows in family.rows.values() for row in rows.values())
    return next((family for family, found in ids if found == row_id), None)


def place_rows(schema: Schema) -> frozenset[str]:
    """Ids of the rows that say where an instance is."""
    return frozenset(
        row.id
        for family in families_of(schema)
        for rows in family.rows.values()
        for rest, row in rows.items()
        if rest in PLACE_ROWS
    )


def mentioned(families: Iterable[Family], text: str) -> list[Family]:
    """The families that a text speaks of."""
    return [family for family in families if family.mention(text)]


def named_rows(schema: Schema, text: str) -> frozenset[str]:
    """Rows of the first instance of the one family that a text speaks of, which it names or says an option of; none
    where it speaks of several families, since it cannot be told whose option was said."""
    of = mentioned(families_of(schema), text)
    return frozenset(of[0].first[rest].id for rest in of[0].spoken_of(text)) if len(of) == 1 else frozenset()
