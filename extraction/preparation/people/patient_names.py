"""How a dictation refers to a patient (bed, room, name or record number), and whether it may mean a known patient."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from extraction.language.birth_dates import birth_dates
from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled
from models.base.errors import InputError
from models.base.text_caches import text_cache

Kind = Literal["bed", "room", "name", "number", "birth", "described"]

_MOST_TENS = 40  # spelled-out tens; higher bed numbers are read in digits only
# A separate letter belongs to a bed only as a capital and not in "A&O"; "bed 12 a foley was placed" has none.
_APART = r"[\s-](?-i:[A-DW])(?!\s*(?:&|and\s+O\b))"
_BORN = "born"  # begins the normalised form of a date of birth
# three parts with a year of four digits, in any order that is written or said
_DAY = r"(?:\d{4}[\s./-]+\d{1,2}[\s./-]+\d{1,2}|[A-Za-z\d]+(?:[\s./,-]+(?:of\s+)?)[A-Za-z\d]+[\s./,-]+\d{4})\b"
_SHORTEST = 3  # characters of a last name recognised without a title


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns of references to patients, from resources/language/<language>/patients.toml.

    Attributes:
        place: a bed or room with its number.
        room: the word that makes it a room; must match fully.
        name: a last name with its title.
        bare: a number that may be a bed because of the words after it, and is not a quantity.
        inside, inside_bare: a bed, or its number alone, after a name.
        occupant: somebody in a bed whose number is said alone; `owner` a number that owns something.
        record: a record number.
        thing_before, thing_behind: with these a bed is the thing itself, or its number something else's.
        said_of_name: what follows a last name without a title.
        addressed: what follows a last name alone that begins a sentence.
        helped_before, helped_behind: with these a first name is of somebody who works there.
        born: a date of birth.
        title_before: a title, in lower case too, before a name.
        greeted: words before a name with which a patient is addressed; `endeared` words behind it.
        common: last names that are also ordinary words, in lower case.
        common_first: first names that are, too; `months` those that are names of months.
    """

    place: re.Pattern[str]
    room: re.Pattern[str]
    name: re.Pattern[str]
    bare: re.Pattern[str]
    inside: re.Pattern[str]
    inside_bare: re.Pattern[str]
    occupant: re.Pattern[str]
    owner: re.Pattern[str]
    record: re.Pattern[str]
    thing_before: re.Pattern[str]
    thing_behind: re.Pattern[str]
    said_of_name: re.Pattern[str]
    addressed: re.Pattern[str]
    helped_before: re.Pattern[str]
    helped_behind: re.Pattern[str]
    born: re.Pattern[str]
    title_before: re.Pattern[str]
    greeted: re.Pattern[str]
    endeared: re.Pattern[str]
    common: frozenset[str]
    common_first: frozenset[str]
    months: frozenset[str]


@of_vocabularies
def forms() -> _Forms:
    """Raises InputError if the ward's own file cannot be read."""
    of, number = cues("patients"), _number_pattern()
    place = rf"(?P<kind>{any_of([*of['beds'], *of['rooms']])})\s+(?:{any_of(of['number'])}\s+|#\s*)?{number}"
    said_of_bed = rf"(?=\s*(?:[,.;:!?–—]|$)|\s+{any_of([*of['said_of'], *of['said_of_beds']])}\b)"
    titles = any_of(word.capitalize() for word in of["title_words"])
    particles = any_of(form for word in of["particle_words"] for form in (word, word.capitalize()))
    occupied = rf"{any_of(of['in'])}\s+{number}\b(?:{said_of_bed}|(?=\s+{any_of(of['said_of_people'])}\b))"
    joints = rf"[\s:,]*(?:{any_of(of['record_joints'])}\s+)?"
    return _Forms(
        place=compiled(rf"\b{place}\b"),
        room=compiled(any_of(of["rooms"])),
        name=re.compile(rf"\b{titles}\b\.?\s+(?P<name>(?:{particles}\s+)*[A-Z][\w'’-]*)"),
        bare=compiled(rf"{number}\b{said_of_bed}"),
        inside=compiled(rf"\s*,?\s*{any_of([*of['in'], *of['from']])}\s+{place}\b"),
        inside_bare=compiled(rf"\s*,?\s*{occupied}"),
        occupant=compiled(rf"\b{any_of(of['people'])}\s+{occupied}"),
        owner=compiled(rf"(?:\b{any_of(of['number'])}\s+|^\W*){number}[’']s\b"),
        record=compiled(rf"\b{any_of(of['records'])}{joints}(?P<digits>\d(?:[\s-]?\d){{2,}})"),
        thing_before=compiled(rf"\b{any_of(of['before_things'])}\s+$"),
        thing_behind=compiled(rf"\s*(?:[°%]|[:/.]\d|{any_of(of['behind_things'])}\b)"),
        said_of_name=re.compile(rf"[’']s\b|\s+{any_of([*of['said_of'], *of['said_of_names']])}\b"),
        addressed=compiled(rf"\s*(?:[,.;:!?–—]|$|{any_of([*of['in'], *of['from']])}\s+{place}\b)"),
        helped_before=compiled(rf"\b{any_of(of['before_helpers'])}\s+$"),
        helped_behind=compiled(rf"\s+{any_of(of['behind_helpers'])}\b"),
        born=compiled(rf"\b{any_of(of['births'])}\b{joints}(?P<day>{_DAY})"),
        title_before=re.compile(rf"\b{titles}\.?\s+$", re.IGNORECASE),
        greeted=compiled(rf"\b{any_of(of['greetings'])}(?:\s+{any_of(of['greeting_joints'])})?[\s,]+$"),
        endeared=compiled(rf"\s*,?\s*{any_of(of['endearments'])}\b"),
        common=frozenset(of["common_name_words"]),
        common_first=frozenset(of["common_first_name_words"]),
        months=frozenset(of["month_name_words"]),
    )


def _number_pattern() -> str:
    """Source of a pattern for a bed number in digits or words."""
    words = number_words()
    tens = words.tens(_MOST_TENS)
    digits = rf"{either(words.ones)}[\s-]{either((*words.zeros, *words.ones))}"  # "bed one five"
    spelt = rf"(?:{either(tens)}[\s-]{either(words.ones)}|{digits}|{either((*words.ones, *words.teens, *tens))})"
    return rf"(?P<number>\d+(?:[A-Za-z]|{_APART})?|{spelt}(?:{_APART})?)"


@dataclass(frozen=True, slots=True)
class Person:
    """How a patient may be referred to; each field may be empty. `born` is 'YYYY-MM-DD'."""

    name: str = ""
    bed: str = ""
    mrn: str = ""
    born: str = ""


NOBODY = Person()


@dataclass(frozen=True, slots=True)
class Named:
    """Words that name a patient: characters [start, end) of a transcript.

    Attributes:
        kind: what names the patient; 'name' even if a bed is included, 'described' for somebody else without a name.
        called: the normalised form: 'bed 12', 'Mr. Okoye in bed 23', 'record number 4711', 'born 1938-11-02'.
    """

    kind: Kind
    called: str
    start: int
    end: int
    text: str

    def moved(self, by: int) -> Named:
        return Named(self.kind, self.called, self.start + by, self.end + by, self.text)


def place_of(match: re.Match[str]) -> Named:
    """Parses a match of `place` or `bare`; a bare number is a bed."""
    kind = _kind(match.groupdict().get("kind"))
    return Named(kind, f"{kind} {_number(match['number'])}", *match.span(), match.group())


def bed_of(match: re.Match[str]) -> Named:
    """The number in a match of `occupant` or `owner`, which is a bed."""
    return Named("bed", f"bed {_number(match['number'])}", *match.span("number"), match["number"])


def _kind(word: str | None) -> Literal["bed", "room"]:
    return "room" if word and forms().room.fullmatch(word) else "bed"


def name_of(match: re.Match[str]) -> Named:
    """Parses a match of `name`, including a bed that follows it."""
    title_and_name = match.group()
    of, behind = forms(), match.end()
    inside = of.inside.match(match.string, behind) or of.inside_bare.match(match.string, behind)
    if inside is None:
        return Named("name", title_and_name, match.start(), match.end(), title_and_name)
    called = f"{title_and_name} in {place_of(inside).called}"
    return Named("name", called, match.start(), inside.end(), match.string[match.start() : inside.end()])


def records(sentence: str) -> Iterator[Named]:
    """The record numbers in a sentence."""
    for match in forms().record.finditer(sentence):
        digits = re.sub(r"\D", "", match["digits"])
        yield Named("number", f"record number {digits}", match.start(), match.end(), match.group())


def last_names(sentence: str, ward: Iterable[Person]) -> Iterator[Named]:
    """Last names of these patients that a sentence mentions without a title."""
    for match in _last_name_pattern(tuple(person.name for person in ward)).finditer(sentence):
        said, begins = match.group(), begins_sentence(sentence, match.start())
        said_of = forms().said_of_name.match(sentence, match.end())
        addressed = forms().addressed.match(sentence, match.end())
        if is_capital(said, sentence) and plain(said) not in forms().common and (not begins or said_of or addressed):
            yield Named("name", said, *match.span(), said)


def first_names(sentence: str, ward: Iterable[Person]) -> Iterator[Named]:
    """First names of these patients that a sentence mentions: "Doreen's blood pressure", "bed 4, Henry".

    In "Eva helped me turn her" and "witnessed by Eva", the name is of somebody who works there.
    """
    of = forms()
    for match in _first_name_pattern(tuple(person.name for person in ward)).finditer(sentence):
        said = match.group()
        helped = of.helped_behind.match(sentence, match.end()) or of.helped_before.search(sentence[: match.start()])
        in_bed = of.inside.match(sentence, match.end()) or of.inside_bare.match(sentence, match.end())
        middle = said[0].isupper() and match.start() > 0 and plain(said) not in of.months  # "Joy" is no joy there
        spoken_to = is_addressed(sentence, match.start(), match.end())
        ordinary = plain(said) in of.common_first and not (in_bed or middle or spoken_to)
        if is_capital(said, sentence) and not ordinary and not helped:
            yield Named("name", said, *match.span(), said)


def is_addressed(sentence: str, begin: int, end: int) -> bool:
    """Whether somebody is spoken to by a name at these characters: "Hey there Luis", "Rose, love"."""
    return bool(forms().greeted.search(sentence[:begin]) or forms().endeared.match(sentence, end))


def begins_sentence(sentence: str, at: int) -> bool:
    """Whether nothing but quotation marks and brackets stands before a character of a sentence."""
    return not sentence[:at].strip(" \"'“‘(")


def is_capital(said: str, sentence: str) -> bool:
    """Whether a word has a capital letter, as names have, or could not have one because nothing has."""
    return said[0].isupper() or sentence == sentence.lower()


def birth_days(sentence: str) -> Iterator[Named]:
    """The dates of birth in a sentence."""
    for match in forms().born.finditer(sentence):
        with suppress(InputError):
            days = " or ".join(birth_dates(re.sub(r"\bof\s+", "", match["day"])))
            yield birth_named(days, match.start(), match.group())


def birth_named(days: str, start: int, said: str) -> Named:
    """A date of birth that is said at a character of a sentence; `days` may be two with 'or' between them."""
    return Named("birth", f"{_BORN} {days}", start, start + len(said), said)


def is_thing(sentence: str, place: re.Match[str]) -> bool:
    """Whether a bed is the thing itself, and its number another's: "head of bed 30", "back in bed 92 over 50"."""
    of = forms()
    return bool(of.thing_before.search(sentence[: place.start()]) or of.thing_behind.match(sentence, place.end()))


@text_cache(8)
def _last_name_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the last names of these patients; matches nothing if there are none."""
    return _any_name(map(family_name, names))


@text_cache(8)
def _first_name_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for the first names of these patients; matches nothing if there are none."""
    return _any_name(chain.from_iterable(map(given_names, names)))


def _any_name(names: Iterable[str]) -> re.Pattern[str]:
    known = {re.escape(name) for name in names if len(name) >= _SHORTEST}
    return re.compile(rf"\b(?:{'|'.join(sorted(known))})\b" if known else r"(?!)", re.IGNORECASE)


def fits(person: Person, called: str) -> bool | None:
    """Whether a reference may mean this patient; None if nothing known of them is comparable.

    The bed decides, unless a last name is given with it that is not theirs; without a bed, the last name decides.
    """
    if record := re.fullmatch(r"record number (\d+)", called):
        known = re.sub(r"\D", "", person.mrn)
        return record[1].lstrip("0") == known.lstrip("0") if known else None
    if called.startswith(f"{_BORN} "):
        return person.born in called if person.born else None
    bed, name = forms().place.search(called), forms().name.match(called)
    in_bed = _in_bed(person, bed) if bed else None
    words = _words(person.name)
    if name is None and bed is None:  # a last name without a title
        return plain(called) in words if words else None
    has_name = plain(name["name"].split()[-1]) in words if name and words else None
    if in_bed and has_name is False and len(words) > 1:  # a single word may be an alias
        return False
    return has_name if in_bed is None else in_bed


def shared(person: Person, called: str, ward: Collection[Person]) -> bool:
    """Whether the reference is to a room that this patient shares with another."""
    return called.startswith("room ") and any(fits(other, called) for other in ward if other != person)


def _in_bed(person: Person, bed: re.Match[str]) -> bool | None:
    number, kind = _number(bed["number"]), _kind(bed["kind"])
    numbers = _beds(person.bed, kind)
    if not numbers:
        return None
    if kind == "room" and number.isdecimal():  # bed 14B is in room 14
        return number in {one.rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") for one in numbers}
    return number in numbers


def _number(said: str) -> str:
    """'14B' for "14 B" and "fourteen B"."""
    said = said.strip()
    if said[0].isdigit():
        return re.sub(r"[\s-]", "", said).upper()
    words = re.split(r"[\s-]", said)
    letter = words.pop() if len(words[-1]) == 1 else ""
    values = [number_words().numbers[word.lower()] for word in words]
    number = "".join(map(str, values)) if max(values) < 10 else str(sum(values))  # "one five" is 15
    return f"{number}{letter.upper()}"


def _beds(bed: str, kind: str) -> Sequence[str]:
    """The numbers that may be said for a bed in the patient list."""
    numbers = [re.sub(r"[\s-]", "", number).upper() for number in re.findall(r"\d+(?:[\s-]?[A-Za-z])?\b", bed)]
    if len(numbers) > 1:  # 'room 302 bed 2'
        stated = re.findall(rf"{kind}\s*(\d+[A-Za-z]?)\b", bed, re.IGNORECASE)
        return [number.upper() for number in stated] or numbers
    return numbers


def family_name(name: str) -> str:
    """'Okafor' for 'Okafor, Ben' and 'Ben Okafor'; empty for a single word, which may be an alias."""
    last, comma, _ = name.partition(",")
    words = re.findall(r"[\w'’-]+", last)
    return words[-1] if words and (comma or len(words) > 1) else ""


def given_names(name: str) -> list[str]:
    """'Ben' for 'Okafor, Ben' and 'Ben Okafor'; none for a single word, which may be an alias."""
    last, comma, first = name.partition(",")
    return re.findall(r"[\w'’-]+", first) if comma else re.findall(r"[\w'’-]+", last)[:-1]


def _words(name: str) -> set[str]:
    return {plain(word) for word in re.findall(r"[\w'’-]+", name)}


def plain(word: str) -> str:
    """Removes accents and case."""
    return "".join(one for one in unicodedata.normalize("NFKD", word) if not unicodedata.combining(one)).casefold()
