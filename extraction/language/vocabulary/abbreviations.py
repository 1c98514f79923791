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
            with one meaning means it wherever it stands.
        capitals: those that are words as well, and stand for something only in capitals.
        opposites: meanings that two rows with otherwise equal names can have, both ways.
    """

    meanings: Mapping[str, Mapping[str, tuple[str, ...]]]
    capitals: frozenset[str]
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
            known = meanings.setdefault(plain(short), {})
            words = tuple(plain(_text(short, word)) for word in beside)
            known[meaning] = (*known.get(meaning, ()), *words)
    for short, of in meanings.items():
        for meaning in of:
            if again := next((word for word in _WORD.findall(meaning.lower()) if word in meanings), None):
                raise refusal(_FILE, f"“{meaning}”, for “{short}”, holds the abbreviation “{again}”")
    one_way = {plain(one): plain(other) for one, other in table["opposites"].items()}
    return Abbreviations(
        meanings, frozenset(map(plain, table["capitals"])), one_way | {other: one for one, other in one_way.items()}
    )


def _text(short: str, word: object) -> str:
    if not isinstance(word, str) or not word.strip():
        raise refusal(_FILE, f"{short}: “{word}” is not a word")
    return word
