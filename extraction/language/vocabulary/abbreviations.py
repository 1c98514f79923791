"""Abbreviations in the names of flowsheet rows; resources/language/<language>/abbreviations.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from extraction.language.vocabulary.loader import of_vocabularies, refusal, vocabulary
from extraction.language.vocabulary.tables import plain

_FILE = "abbreviations"
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Abbreviations:
    """What abbreviations stand for.

    Attributes:
        meanings: by abbreviation in lower case, each meaning with the words beside which it is meant. An abbreviation
            with one meaning and no such words means it wherever it stands; one that means itself stays as it is.
        usual: by abbreviation with several meanings, the one that it has where nothing around it speaks for any.
        capitals: those that are words as well, and stand for something only in capitals.
        units: what stays in brackets, behind a number and in a rate.
        prefixes: what belongs to the word behind it where a hyphen follows.
        opposites: meanings that two rows with otherwise equal names can have, both ways.
    """

    meanings: Mapping[str, Mapping[str, tuple[str, ...]]]
    usual: Mapping[str, str]
    capitals: frozenset[str]
    units: frozenset[str]
    prefixes: frozenset[str]
    opposites: Mapping[str, str]


@of_vocabularies
def abbreviations() -> Abbreviations:
    """Raises InputError if the ward's own file is invalid, or a meaning holds an abbreviation."""
    table = vocabulary(_FILE)
    meanings: dict[str, dict[str, tuple[str, ...]]] = {}
    for short, meaning in table["one"].items():
        meanings.setdefault(plain(short), {})[_text(short, meaning)] = ()
    for short, several in table["several"].items():
        if not isinstance(several, dict):
            raise refusal(_FILE, f"several.{short} needs a list of words for each meaning")
        for meaning, beside in several.items():
            if not isinstance(beside, list):
                raise refusal(_FILE, f"several.{short}.{meaning} needs a list of words")
            known = meanings.setdefault(plain(short), {})
            known[meaning] = (*known.get(meaning, ()), *(plain(_text(short, word)) for word in beside))
    for short, of in meanings.items():
        for meaning in of:
            words = () if plain(meaning) == short else _WORD.findall(meaning.lower())  # itself: it stays
            if again := next((word for word in words if word in meanings), None):
                raise refusal(_FILE, f"“{meaning}”, for “{short}”, holds the abbreviation “{again}”")
    usual = {plain(short): meaning for short, meaning in table["usual"].items()}
    if unknown := next((short for short, meaning in usual.items() if meaning not in meanings.get(short, {})), None):
        raise refusal(_FILE, f"usual.{unknown}: “{usual[unknown]}” is none of its meanings")
    one_way = {plain(one): plain(other) for one, other in table["opposites"].items()}
    capitals, units, prefixes = (frozenset(map(plain, table[one])) for one in ("capitals", "units", "prefixes"))
    both_ways = one_way | {other: one for one, other in one_way.items()}
    return Abbreviations(meanings, usual, capitals, units, prefixes, both_ways)


def _text(short: str, word: object) -> str:
    if not isinstance(word, str) or not word.strip():
        raise refusal(_FILE, f"{short}: “{word}” is not a word")
    return word
