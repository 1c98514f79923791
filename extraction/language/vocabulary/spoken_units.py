"""Spoken and written forms of units; resources/language/<language>/units.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from extraction.language.vocabulary.loader import of_vocabularies, refusal, vocabulary

_TABLES = ("said", "short", "alike", "smaller", "parts", "whole", "written", "after_number")
_SMALLER = {"unit": str, "count": float, "bare": bool}
_BARE = ("L", "[cup_us]")  # units of which a part is said without "a": "half liter", "three quarter cup"
_LONGEST = 60  # characters of a form
_NOTHING: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Smaller:
    """The unit said together with a larger one, `count` of which make one of the larger.

    `bare`: a number after the larger unit is in this unit even if no unit is said.
    """

    unit: str
    count: float
    bare: bool


@dataclass(frozen=True, slots=True, eq=False)  # identity comparison, because it is a cache key
class SpokenUnits:
    """The vocabulary of units, all in UCUM.

    Attributes:
        said: form in lower case -> unit.
        short: (unit that is said, unit of the row) -> unit that is meant.
        alike: sets of units that share their spoken form.
        smaller: larger unit -> the smaller unit said with it.
        parts: words for a part of one -> its size.
        written: unit -> its usual spelling.
        no_measure: forms that may follow a time of day.
        words: forms that are also ordinary words.
        behind_number: matches from the end of a number; group 1 is a form.
        vague: the same for forms that are not a unit by themselves.
        part_of_one: 'half a liter', 'half liter'; group 1 is the part, group 2 or 3 the form.
        one: 'a liter'; group 1 is the unit's word.
        a_form: 'a liter', 'a cup', where only a part after it makes it an amount; group 1 is the form.
        and_part: ' and a half', behind a unit; group 1 is the part.
        whole: the word of `one` -> unit.
    """

    said: Mapping[str, str]
    short: Mapping[tuple[str, str], str]
    alike: tuple[frozenset[str], ...]
    smaller: Mapping[str, Smaller]
    parts: Mapping[str, float]
    written: Mapping[str, str]
    no_measure: frozenset[str]
    words: frozenset[str]
    behind_number: re.Pattern[str]
    vague: re.Pattern[str]
    part_of_one: re.Pattern[str]
    one: re.Pattern[str]
    a_form: re.Pattern[str]
    and_part: re.Pattern[str]
    whole: Mapping[str, str]

    @property
    def units(self) -> Iterable[str]:
        """Every unit in the vocabulary, in file order, with repeats."""
        yield from dict.fromkeys(self.said.values())
        for (spoken, row), unit in self.short.items():
            yield from (spoken, row, unit)
        for units in self.alike:
            yield from sorted(units)
        for large, smaller in self.smaller.items():
            yield from (large, smaller.unit)
        yield from self.whole.values()
        yield from self.written


@of_vocabularies
def spoken_units() -> SpokenUnits:
    """Raises InputError if the ward's own file is invalid.

    Does not check that units are UCUM; see `extraction.flowsheet.unit_conversion.check_spoken_units`.
    """
    try:
        return _parsed(vocabulary("units"))
    except ValueError as error:
        raise refusal("units", str(error)) from error


def _parsed(data: Mapping[str, Any]) -> SpokenUnits:
    """Raises ValueError if the data differ from the format described at the head of the file."""
    if unknown := sorted(set(data) - set(_TABLES)):
        raise ValueError(f"there is no table “{unknown[0]}”; there are: {', '.join(_TABLES)}")
    said: dict[str, str] = {}
    for unit, forms in data["said"].items():
        for form in forms:
            if said.setdefault(_text(form, f"said.{unit}"), unit) != unit:
                raise ValueError(f"said.{unit}: “{form}” is said of {said[form]}, too")
    short: dict[tuple[str, str], str] = {}
    for spoken, rows in data["short"].items():
        for row, meant in rows.items():
            if not isinstance(meant, str):
                raise ValueError(f"short.{spoken}.{row}: “{meant}” must be a unit")
            short[spoken, row] = meant
    smaller: dict[str, Smaller] = {}
    for large, entry in data["smaller"].items():
        if {key: type(value) for key, value in entry.items()} != _SMALLER or not entry["count"] > 1:
            raise ValueError(f"smaller.{large}: it must have unit (a text), count (as 12.0) and bare (true or false)")
        smaller[large] = Smaller(**entry)
    for part, value in data["parts"].items():
        _text(part, "parts")
        if not 0 < value < 1:
            raise ValueError(f"parts.{part}: {value} must lie between 0 and 1")
    for form in data["whole"]:
        _text(form, "whole")
    after = data["after_number"]
    if unknown := sorted(set(after) - {"vague", "no_measure", "word_before"}):
        raise ValueError(f"after_number.{unknown[0]} is not known")
    vague = [_text(form, "after_number.vague") for form in after["vague"]]
    words = {
        _text(form, "after_number.word_before"): _any_of(
            _text(word, f"after_number.word_before.{form}") for word in behind
        )
        for form, behind in after["word_before"].items()
    }
    forms = _any_of(said, words)
    parts = _any_of(data["parts"]).replace(r"\ ", r"[\s-]+")
    bare = _any_of((*data["whole"], *(form for form in said if said[form] in _BARE)))
    lasts = sorted({part.split()[-1] for part in data["parts"]})
    no_part = "".join(rf"(?<!{re.escape(last)} )(?<!{re.escape(last)} of )" for last in lasts)
    return SpokenUnits(
        said=said,
        short=short,
        alike=tuple(frozenset((unit, *others)) for unit, others in data["alike"].items()),
        smaller=smaller,
        parts=data["parts"],
        written=data["written"],
        no_measure=frozenset(_text(form, "after_number.no_measure") for form in after["no_measure"]),
        words=frozenset(words),
        behind_number=re.compile(rf"[\s-]*({forms})(?![\w/])", re.IGNORECASE),
        vague=re.compile(rf"[\s-]*(?:{_any_of(vague)})(?!\w)", re.IGNORECASE),
        part_of_one=re.compile(
            rf"(?<![\w/])(?<!\d )(?:(?:an?|one)[\s-]+)?({parts})"
            rf"(?:\s+(?:of\s+)?an?\s+({forms})|[\s-]+({bare})(?!\s+(?:an?|per)\s))(?![\w/])",
            re.IGNORECASE,
        ),
        one=re.compile(rf"{no_part}\ba\s+({_any_of(data['whole'])})\b(?!\s+(?:a|per)\s)", re.IGNORECASE),
        a_form=re.compile(rf"{no_part}\ban?\s+({forms})(?![\w/])", re.IGNORECASE),
        and_part=re.compile(
            rf"\s+and\s+(?:(?:an?|one)\s+)?({parts})(?![\w/])(?!\s+(?:of\s+)?(?:(?:an?|the|his|her|my)\s|{bare}\b))",
            re.IGNORECASE,
        ),
        whole=data["whole"],
    )


def _any_of(forms: Iterable[str], not_before: Mapping[str, str] = _NOTHING) -> str:
    """Source of a pattern for any of these forms, longest first; `not_before`: what may not follow some of them."""
    behind = {form: rf"(?!\s+(?:{words})\b)" for form, words in not_before.items()}
    return "|".join(re.escape(form) + behind.get(form, "") for form in sorted(forms, key=len, reverse=True))


def _text(form: Any, place: str) -> str:
    """Returns a valid form unchanged. Raises ValueError."""
    if not isinstance(form, str) or not form or form != " ".join(form.split()) or len(form) > _LONGEST:
        raise ValueError(f"{place}: “{form}” must be a text of single words")
    if form != form.lower():
        raise ValueError(f"{place}: “{form}” must be in lower case; capital letters are understood, too")
    return form
