"""Number words; resources/language/<language>/numbers.toml."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from extraction.language.vocabulary.loader import LANGUAGE, of_vocabularies, refusal, shipped_vocabulary, vocabulary

_WORD = re.compile(r"[a-z]{2,}")
_WORDS = re.compile(r"[a-z]{2,}(?: [a-z]{2,})*")
_SINGLE = frozenset((*range(20), *range(20, 100, 10)))
_TABLES: Mapping[str, Collection[float] | range] = {
    "numbers": _SINGLE,
    "scales": (100, 1000),
    "ordinals": range(1, 10),
    "often": range(1, 10),
}


@dataclass(frozen=True)  # no slots, because cached properties need __dict__
class NumberWords:
    """Number words in lower case with their values.

    Attributes:
        numbers: 0 to 19, and the tens up to 90.
        noughts: words for a zero within a number.
        scales: 100 and 1000.
        ordinals: first, second and so on.
        often: frequencies.
        fractions: parts of one, after "and a" or "and three".
        shares: parts of a whole in percent; may be several words.
        out_of: what stands between a number and what it is out of.
        range_joins: what stands between the two ends of a range.
        change_words: what stands before two numbers of which one replaced the other.
        range_frames: what stands before a range, with what then joins its ends.
    """

    numbers: Mapping[str, int]
    noughts: frozenset[str]
    scales: Mapping[str, int]
    ordinals: Mapping[str, int]
    often: Mapping[str, int]
    fractions: Mapping[str, float]
    shares: Mapping[str, float]
    out_of: frozenset[str]
    range_joins: frozenset[str]
    change_words: frozenset[str]
    range_frames: Mapping[str, str]

    @cached_property
    def zeros(self) -> tuple[str, ...]:
        return self._between(0, 0)

    @cached_property
    def ones(self) -> tuple[str, ...]:
        """Words for 1 to 9."""
        return self._between(1, 9)

    @cached_property
    def teens(self) -> tuple[str, ...]:
        """Words for 10 to 19."""
        return self._between(10, 19)

    @cached_property
    def hundreds(self) -> tuple[str, ...]:
        return tuple(word for word, value in self.scales.items() if value == 100)

    def tens(self, most: int = 90) -> tuple[str, ...]:
        """Words for 20, 30, ... up to `most`."""
        return self._between(20, most)

    def _between(self, least: int, most: int) -> tuple[str, ...]:
        return tuple(word for word, value in self.numbers.items() if least <= value <= most)


@of_vocabularies
def number_words() -> NumberWords:
    """Raises InputError if the ward's own file is invalid."""
    of = vocabulary("numbers")
    for what in _faults(of):
        raise refusal("numbers", what)
    return NumberWords(
        of["numbers"],
        frozenset(of["nought_words"]),
        of["scales"],
        of["ordinals"],
        of["often"],
        of["fractions"],
        of["shares"],
        frozenset(of["out_of"]),
        frozenset(of["range_joins"]),
        frozenset(of["change_words"]),
        of["range_frames"],
    )


@cache
def numerals(most: int = 10) -> Mapping[str, str]:
    """The shipped words for 0 to `most` with their digits.

    A ward's words are left out, because the shipped models were fitted to text normalised by these words alone.
    """
    numbers: Mapping[str, int] = shipped_vocabulary("numbers", LANGUAGE)["numbers"]
    return {word: str(value) for word, value in numbers.items() if value <= most}


def either(words: Iterable[str]) -> str:
    """Source of a pattern for any of these words, longest first; hyphens may join their parts."""
    longest = sorted(words, key=len, reverse=True)
    return "(?:" + "|".join(longest).replace(" ", r"[\s-]+") + ")"


def _faults(of: Mapping[str, Any]) -> Iterator[str]:
    """Descriptions of all invalid entries."""
    known: dict[str, str] = {}
    for key, entries in shipped_vocabulary("numbers").items():
        words = of[key]
        for word in words:
            form = _WORDS if key in ("shares", "out_of") else _WORD
            if not isinstance(word, str) or not form.fullmatch(word):
                yield f"{key}: “{word}” must be a single word in lower case, without a pattern"
            elif key in ("nought_words", "numbers", "scales") and known.setdefault(word, key) != key:
                yield f"{key}: “{word}” stands in {known[word]}, too"
            elif isinstance(entries, Mapping) and not _is_value(key, words[word]):
                yield f"{key}: {words[word]} is not a possible value of “{word}”"


def _is_value(table: str, value: Any) -> bool:
    if table == "range_frames":
        return isinstance(value, str) and _WORD.fullmatch(value) is not None
    if table in _TABLES:
        return value in _TABLES[table]
    return bool(0 < value < (1 if table == "fractions" else 100))
