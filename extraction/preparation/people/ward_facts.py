"""What the ward list knows of other patients, however a dictation says it.

"This goes under 7710345", "born the second of November thirty-eight", "Lindquist" for Lindqvist: said like this, nobody
else is meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from extraction.language.vocabulary.cues import cues
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.number_words import either, number_words
from extraction.language.vocabulary.phrases import any_of, compiled
from extraction.language.vocabulary.time_cues import time_cues
from extraction.preparation.people.patient_names import (
    Named,
    Person,
    begins_sentence,
    birth_named,
    family_name,
    forms,
    given_names,
    is_capital,
    plain,
)
from models.base.phonetics import sounds_like

_FEWEST_DIGITS = 5  # of a record number that counts without "record number" before it
_FEWEST_LAST = 3  # digits that say how one ends
_SHORTEST = 5  # letters of a name that is recognised when it is misheard
_LONGEST_HEARD = 2  # words as which a name is misheard
_LIKENESS = 0.85  # Jaro-Winkler similarity of a name and how it is written when misheard
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_OWNS = re.compile(r"[’']s$")
_APART = r"[\s,./-]+"


def record_numbers_of(sentence: str, ward: Collection[Person]) -> Iterator[Named]:
    """Record numbers of these patients in a sentence, without the words "record number", too."""
    known = {digits for one in ward if len(digits := re.sub(r"\D", "", one.mrn)) >= _FEWEST_DIGITS}
    for match in _digits().finditer(sentence) if known else ():
        digits = _in_digits(match.group())
        if digits in known:
            yield Named("number", f"record number {digits}", *match.span(), match.group())
    for match in _endings().finditer(sentence) if known else ():
        digits = _in_digits(match["digits"])
        for whole in sorted(known):
            if whole.endswith(digits):
                yield Named("number", f"record number {whole}", *match.span(), match.group())


@of_vocabularies
def _digits() -> re.Pattern[str]:
    """Digits in a row, written or said one by one."""
    return re.compile(rf"(?<![\w.]){_row_of_digits(_FEWEST_DIGITS)}(?!\w)", re.IGNORECASE)


@of_vocabularies
def _endings() -> re.Pattern[str]:
    """The last digits of a record number, with the words that say so."""
    return compiled(rf"\b{any_of(cues('patients')['endings'])}\s+(?P<digits>{_row_of_digits(_FEWEST_LAST)})(?!\w)")


def _row_of_digits(fewest: int) -> str:
    words = number_words()
    digit = rf"(?:\d|{either((*words.zeros, *words.noughts, *words.ones))}\b)"
    return rf"{digit}(?:[\s-]?{digit}){{{fewest - 1},}}"


def _in_digits(said: str) -> str:
    """'4091' for "4 oh nine one"."""
    return "".join(map(_digit, re.findall(r"\d|[a-z]+", said.lower())))


def _digit(said: str) -> str:
    words = number_words()
    return said if said.isdecimal() else "0" if said in words.noughts else str(words.numbers[said])


def births_of(sentence: str, ward: Collection[Person]) -> Iterator[Named]:
    """Dates of birth of these patients in a sentence, with the name of the month."""
    for born in sorted({one.born for one in ward if one.born}):
        for match in _birth_pattern(born).finditer(sentence):
            yield birth_named(born, match.start(), match.group())


@of_vocabularies
def _birth_pattern(born: str) -> re.Pattern[str]:
    """A pattern for a date of birth ('YYYY-MM-DD') with the name of its month, in either order."""
    year, month, day = map(int, born.split("-"))
    ordinals = cues("patients")["days_of_month"]
    written = rf"0?{day}(?:st|nd|rd|th)?|{either([ordinals[day - 1]])}"
    years = rf"(?:{year}|[’']?{year % 100:02}|(?:{_spelt(year // 100)}\s+)?{either(_spelt_years(year % 100))})"
    months = rf"(?:{time_cues().months[month - 1].pattern}|(?:the\s+)?{either([ordinals[month - 1]])})"
    # "March nineteen fifty-one" is no day of March
    either_order = (
        rf"(?:(?:{written}|{either([_spelt(day)])})\s+(?:of\s+)?{months}|{months}\s+(?:the\s+)?(?:{written}))"
    )
    births = any_of(cues("patients")["births"])
    numbers = {
        f"{either([_spelt(one)])}{_APART}{either([_spelt(other)])}" for one, other in ((day, month), (month, day))
    }
    in_numbers = rf"{births}{_APART}(?:is{_APART})?(?:{'|'.join(sorted(numbers))})"  # "date of birth nine twelve"
    return re.compile(rf"\b(?:{either_order}|{in_numbers}){_APART}{years}\b", re.IGNORECASE)


def _spelt_years(number: int) -> set[str]:
    """How the last two digits of a year are said."""
    words = number_words()
    return {_spelt(number)} if number > 9 else {f"{nought} {_spelt(number)}" for nought in words.noughts}


def _spelt(number: int) -> str:
    """A number up to 99 in words, as 'thirty eight'."""
    word = {value: word for word, value in number_words().numbers.items()}
    return word[number] if number in word else f"{word[number // 10 * 10]} {word[number % 10]}"


def names_of(sentence: str, ward: Collection[Person]) -> Iterator[Named]:
    """First and last names of these patients that stand together, or were misheard where only a name can stand."""
    words = list(_WORD.finditer(sentence))
    lasts = {name for one in ward if len(name := family_name(one.name)) >= _SHORTEST}
    firsts = {name for one in ward for name in given_names(one.name) if len(name) >= _SHORTEST}
    for at, word in enumerate(words):
        if found := _whole_name(words[at : at + 2], ward):
            yield Named("name", found, word.start(), words[at + 1].end(), sentence[word.start() : words[at + 1].end()])
        for count in range(1, _LONGEST_HEARD + 1):
            some = words[at : at + count]
            begin, end = word.start(), some[-1].end()
            said = "".join(_OWNS.sub("", one.group()) for one in some)
            titled = bool(forms().title_before.search(sentence[:begin]))
            in_bed = bool(forms().inside_bare.match(sentence, end))
            if not (titled or in_bed or (count == 1 and _stands_alone(sentence, begin, end, said))):
                continue
            known = lasts if titled else {name for name in lasts | firsts if plain(name) != plain(said)}
            if name := next((one for one in sorted(known) if plain(said) == plain(one) or _sounds_like(said, one)), ""):
                yield Named("name", name, begin, end, sentence[begin:end])
                break


def _whole_name(pair: list[re.Match[str]], ward: Collection[Person]) -> str:
    """The last name of the patient whose first and last name these two words are; empty if nobody's.

    One of the two may be misheard. Names that are also ordinary words need their capitals.
    """
    said = [_OWNS.sub("", one.group()) for one in pair]
    for one in ward if len(said) == 2 else ():
        last = family_name(one.name)
        for first in given_names(one.name):
            for a, b in (said, said[::-1]):
                exact = plain(a) == plain(first), plain(b) == plain(last)
                misheard = _sounds_like(a, first) if exact[1] else exact[0] and _sounds_like(b, last)
                common = plain(a) in forms().common_first and plain(b) in forms().common
                capitals = a[0].isupper() and b[0].isupper()
                if (all(exact) and (capitals or not common)) or (misheard and not all(exact)):
                    return last
    return ""


def _sounds_like(said: str, name: str) -> bool:
    """Whether a name may have been written like this; sound alone would take "Neuro" for Maria."""
    from rapidfuzz.distance import JaroWinkler

    return sounds_like(said, name) and JaroWinkler.similarity(plain(said), plain(name)) >= _LIKENESS


def _stands_alone(sentence: str, begin: int, end: int, said: str) -> bool:
    """Whether a capitalised word stands where a name does: inside a sentence, or addressed or owning at its start."""
    of = forms()
    if (
        not is_capital(said, sentence)
        or len(said) < _SHORTEST
        or any(month.fullmatch(said) for month in time_cues().months)
    ):
        return False
    owns = sentence[end - 2 : end] in {"'s", "’s"}
    return not begins_sentence(sentence, begin) or owns or bool(of.addressed.match(sentence, end))
