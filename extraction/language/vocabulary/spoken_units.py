"""Spoken and written forms of units; resources/language/<language>/units.toml."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from extraction.language.vocabulary.loader import of_vocabularies, refusal, vocabulary
from extraction.language.vocabulary.number_words import number_words

_TABLES = ("said", "per", "short", "alike", "smaller", "parts", "denominators", "whole", "written", "after_number")
_SMALLER = {"unit": str, "count": float, "bare": bool}
CUP = "[cup_us]"
_BARE = ("L", CUP)  # units of which a part is said without "a": "half liter", "three quarter cup"
_WHOSE = (
    "(?:the|that|this|those|these|his|her|their|my|its|one)"  # one of these that is there: "three quarters of the cup"
)
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
        per: form of what a rate is per -> unit.
        short: (unit that is said, unit of the row) -> unit that is meant.
        alike: unit -> those that are said in its words, with itself.
        smaller: larger unit -> the smaller unit said with it.
        parts: words for a part of one -> its size.
        fractions: 'six tenths', 'a third' -> its size.
        written: unit -> its usual spelling.
        no_measure: forms that may follow a time of day.
        words: forms that are also ordinary words.
        behind_number: matches from the end of a number; group 1 is a form.
        behind_number_over: the same where a rate's stroke follows, "mcg/kg/min".
        over: 'per kilo', '/kg', 'hourly', behind a unit; one of the groups is a form of `per`.
        over_more: the same behind another one, where it needs no "per": "per kilo minute".
        vague: the same for forms that are not a unit by themselves.
        part_of_one: 'half a liter', 'half liter'; group 1 is the part, group 2 or 3 the form.
        of_one: ' of a liter', ' of the liter', behind a number that is not whole; group 1 or 2 is the form.
        fraction_of_one: 'six tenths of a liter'; group 1 is the fraction, group 2 or 3 the form.
        part_of: 'half of the ', 'six tenths of her ', before a number; group 1 is the part or fraction.
        cups: behind a number that is the size of a cup; `of_cups` between their count and it.
        one: 'a liter'; group 1 is the unit's word.
        a_form: 'a liter', 'a cup', where only a part after it makes it an amount; group 1 is the form.
        and_part: ' and a half', behind a unit; group 1 is the part.
        whole: the word of `one` -> unit.
    """

    said: Mapping[str, str]
    per: Mapping[str, str]
    short: Mapping[tuple[str, str], str]
    alike: Mapping[str, frozenset[str]]
    smaller: Mapping[str, Smaller]
    parts: Mapping[str, float]
    fractions: Mapping[str, float]
    written: Mapping[str, str]
    no_measure: frozenset[str]
    words: frozenset[str]
    behind_number: re.Pattern[str]
    behind_number_over: re.Pattern[str]
    over: re.Pattern[str]
    over_more: re.Pattern[str]
    vague: re.Pattern[str]
    part_of_one: re.Pattern[str]
    of_one: re.Pattern[str]
    fraction_of_one: re.Pattern[str]
    part_of: re.Pattern[str]
    cups: re.Pattern[str]
    of_cups: re.Pattern[str]
    one: re.Pattern[str]
    a_form: re.Pattern[str]
    and_part: re.Pattern[str]
    whole: Mapping[str, str]

    @property
    def units(self) -> Iterable[str]:
        """Every unit in the vocabulary, in file order, with repeats."""
        yield from dict.fromkeys((*self.said.values(), *self.per.values()))
        for (spoken, row), unit in self.short.items():
            yield from (spoken, row, unit)
        for units in self.alike.values():
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
    said, per = _by_form(data["said"], "said"), _by_form(data["per"]["units"], "per.units")
    alone = _by_form(data["per"]["alone"], "per.alone")
    joints, ago = (_any_of(_text(word, f"per.{key}") for word in data["per"][key]) for key in ("joints", "ago"))
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
    rates = {form: ago for form, unit in said.items() if "/" in unit}
    forms = _any_of(said, words | rates)
    not_ago, per_form = rf"(?!\w)(?!\s+(?:{ago})\b)", _any_of(per)
    parts = _any_of(data["parts"]).replace(r"\ ", r"[\s-]+")
    bare = _any_of((*data["whole"], *(form for form in said if said[form] in _BARE)))
    fractions = _fractions(data["denominators"])
    fraction = _any_of(fractions).replace(r"\ ", r"[\s-]+")
    of_one = rf"\s+of\s+(?:an?\s+({forms})|{_WHOSE}\s+({bare}))(?![\w/])"
    in_ml = _any_of(form for form in said if said[form] == "mL")
    cup = _any_of(form for form in said if said[form] == CUP)
    lasts = sorted({part.split()[-1] for part in data["parts"]})
    no_part = "".join(rf"(?<!{re.escape(last)} )(?<!{re.escape(last)} of )" for last in lasts)
    return SpokenUnits(
        said=said,
        per=per | alone,
        short=short,
        alike={unit: frozenset((unit, *others)) for unit, others in data["alike"].items()},
        smaller=smaller,
        parts=data["parts"],
        fractions=fractions,
        written=data["written"],
        no_measure=frozenset(_text(form, "after_number.no_measure") for form in after["no_measure"]),
        words=frozenset(words),
        behind_number=re.compile(rf"[\s-]*({forms})(?![\w/])", re.IGNORECASE),
        behind_number_over=re.compile(rf"[\s-]*({_any_of(said)})(?=\s?/\s?(?:{per_form})(?!\w))", re.IGNORECASE),
        over=re.compile(
            rf"(?:(?:\s?/\s?|\s+(?:{joints})\s+)({per_form})|\s+({_any_of(alone)})){not_ago}", re.IGNORECASE
        ),
        over_more=re.compile(rf"\s+({per_form}){not_ago}", re.IGNORECASE),
        vague=re.compile(rf"[\s-]*(?:{_any_of(vague)})(?!\w)", re.IGNORECASE),
        part_of_one=re.compile(
            rf"(?<![\w/])(?<!\d )(?:(?:an?|one)[\s-]+)?({parts})"
            rf"(?:\s+(?:of\s+)?an?\s+({forms})|(?:\s+(?:of\s+)?{_WHOSE})?[\s-]+({bare})(?!\s+(?:an?|per)\s))(?![\w/])",
            re.IGNORECASE,
        ),
        of_one=re.compile(of_one, re.IGNORECASE),
        fraction_of_one=re.compile(rf"(?<![\w/])(?<!\d )({fraction}){of_one}", re.IGNORECASE),
        part_of=re.compile(
            rf"(?<![\w/])(?:an?[\s-]+)?({fraction}|{parts})\s+(?:of\s+)?{_WHOSE}\s+(?=\w)", re.IGNORECASE
        ),
        cups=re.compile(rf"[\s-]*(?:(?:{in_ml})[\s-]*)?(?:{cup})(?!\w)", re.IGNORECASE),
        of_cups=re.compile(rf"(?:\s+(?:{cup})\b[^.;:]{{0,30}}?[\s,]+|\s+of\s+){_WHOSE}\s+", re.IGNORECASE),
        one=re.compile(rf"{no_part}\ba\s+({_any_of(data['whole'])})\b(?!\s+(?:a|per)\s)", re.IGNORECASE),
        a_form=re.compile(rf"{no_part}\ban?\s+({forms})(?![\w/])", re.IGNORECASE),
        and_part=re.compile(
            rf"\s+and\s+(?:(?:an?|one)\s+)?({parts})(?![\w/])(?!\s+(?:of\s+)?(?:(?:an?|the|his|her|my)\s|{bare}\b))",
            re.IGNORECASE,
        ),
        whole=data["whole"],
    )


def _fractions(denominators: Mapping[str, Any]) -> dict[str, float]:
    """By the words, the size of every fraction below one. Raises ValueError if the data is invalid."""
    found: dict[str, float] = {}
    numbers = number_words().numbers
    for form, count in denominators.items():
        _text(form, "denominators")
        if not isinstance(count, int) or count < 2:
            raise ValueError(f"denominators.{form}: {count} must be a whole number above one")
        found |= {f"{article} {form}": 1 / count for article in ("a", "an", "one", "1")}
        for word, value in numbers.items():
            if 1 < value < count:
                found |= {f"{said} {form}s": value / count for said in (word, str(value))}
    return found


def _by_form(forms_of: Mapping[str, Iterable[str]], place: str) -> dict[str, str]:
    """The unit of each form. Raises ValueError if a form is invalid or belongs to two units."""
    found: dict[str, str] = {}
    for unit, forms in forms_of.items():
        for form in forms:
            if found.setdefault(_text(form, f"{place}.{unit}"), unit) != unit:
                raise ValueError(f"{place}.{unit}: “{form}” is said of {found[form]}, too")
    return found


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
