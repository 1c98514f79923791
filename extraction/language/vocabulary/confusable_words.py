"""Words that sound alike; resources/language/<language>/confusable.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from extraction.language.vocabulary.loader import LANGUAGE, of_vocabularies, refusal, vocabulary, vocabulary_names

_SHORTEST_REST = 4  # letters that must follow a prefix, so that "no" is not "o" with a prefix
_LISTS = ("prefixes", "words", "numbers")


class Care(StrEnum):
    """When a word that sounds like another is doubted; defined in the data file."""

    ALWAYS = "always"
    UNLESS_CLEAR = "unless_clear"
    IF_UNCLEAR = "if_unclear"


@dataclass(frozen=True, slots=True)
class Confusable:
    """Pairs that sound alike: words, prefixes, and the last two digits of numbers."""

    words: dict[frozenset[str], Care]
    prefixes: tuple[tuple[str, str, Care], ...]
    numbers: dict[int, int]

    def between(self, one: str, other: str) -> Care | None:
        """How strictly two words in lower case are doubted for each other; None if they do not sound alike."""
        if one == other:
            return None
        if care := self.words.get(frozenset((one, other))):
            return care
        for first, second, care in self.prefixes:
            for a, b in ((first, second), (second, first)):
                rest = one.removeprefix(a).removeprefix("-")
                alike = len(rest) >= _SHORTEST_REST and other.removeprefix(b).removeprefix("-") == rest
                if alike and one.startswith(a) and other.startswith(b):
                    return care
        return None

    def twins_of(self, word: str) -> Iterator[tuple[str, Care]]:
        """The words that sound like a word in lower case."""
        for pair, care in self.words.items():
            if word in pair:
                (twin,) = pair - {word}
                yield twin, care

    def number_like(self, number: float) -> float | None:
        """The whole number that sounds like this one: 50 for 15, 115 for 150; None if there is none."""
        if number != int(number) or number < 0:
            return None
        hundreds, rest = divmod(int(number), 100)
        twin = self.numbers.get(rest)
        return None if twin is None else float(100 * hundreds + twin)


NOTHING = Confusable({}, (), {})


@of_vocabularies
def confusable(language: str) -> Confusable:
    """The pairs of a language such as `en` or `en-US`; empty for an unknown language.

    Raises InputError if the ward's own file cannot be read.
    """
    known = language.partition("-")[0].lower() or LANGUAGE
    if "confusable" not in vocabulary_names(known):
        return NOTHING
    try:
        return parsed(vocabulary("confusable", known))
    except ValueError as error:
        raise refusal("confusable", str(error), known) from error


def parsed(data: Mapping[str, Any]) -> Confusable:
    """Raises ValueError if the data differ from the format described at the head of the file."""
    if unknown := sorted(set(data) - set(Care)):
        raise ValueError(f"there is no group “{unknown[0]}”")
    words: dict[frozenset[str], Care] = {}
    prefixes: dict[frozenset[str], tuple[str, str, Care]] = {}
    numbers: dict[int, int] = {}
    for care in Care:
        group = data.get(care.value, {})
        if unknown := sorted(set(group) - set(_LISTS)):
            raise ValueError(f"{care.value} has no list “{unknown[0]}”")
        for name in _LISTS:
            for pair in group.get(name, []):
                kind = int if name == "numbers" else str
                if len(pair) != 2 or pair[0] == pair[1] or not all(isinstance(one, kind) for one in pair):
                    raise ValueError(f"{care.value}.{name} has {pair}, which is not a pair")
                if name == "numbers":
                    if numbers.keys() & set(pair) or not all(0 <= one < 100 for one in pair):
                        raise ValueError(f"the number {pair} is there twice, or has more than two digits")
                    numbers |= {pair[0]: pair[1], pair[1]: pair[0]}
                    continue
                if any(one != one.lower() or " " in one for one in pair) or (name == "words" and "" in pair):
                    raise ValueError(f"{care.value}.{name} has {pair}, which is not single words in lower case")
                known: dict[frozenset[str], Any] = words if name == "words" else prefixes
                if frozenset(pair) in known:
                    raise ValueError(f"{pair} is there twice")
                known[frozenset(pair)] = care if name == "words" else (*pair, care)
    return Confusable(words, tuple(prefixes.values()), numbers)
