"""Word overlap between a row and a sentence, after light stemming."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from extraction.language.vocabulary.number_words import numerals
from models.base.text_caches import text_cache

_WORD = re.compile(r"[a-z0-9]+")
_SMALL_WORDS = frozenset("a an and any at by for from he her his in is it of on or she the to was with".split())


def stem(word: str) -> str:
    """A light stem: 'wheezes' matches 'wheezing', 'clots' matches 'clot'."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


@text_cache(65536)
def stems(text: str) -> frozenset[str]:
    """Stems of the meaningful words of `text`; small numbers become digits, so that 'wound one' equals 'wound 1'."""
    digits = numerals()
    return frozenset(digits.get(word) or stem(word) for word in _WORD.findall(text.lower()) if word not in _SMALL_WORDS)


def numbered(text: str) -> frozenset[tuple[str, str]]:
    """Words with the number that follows them: 'wound one' and 'Wound 1' both give ('wound', '1')."""
    digits = numerals()
    words = [digits.get(word, word) for word in _WORD.findall(text.lower())]
    return frozenset((word, number) for word, number in pairwise(words) if number.isdigit() and not word.isdigit())


def share(words: frozenset[str], said: frozenset[str]) -> float:
    """The share of `words` that is in `said`, 0 to 1."""
    return len(words & said) / len(words) if words else 0.0


def best_share(names: Iterable[str], said: frozenset[str]) -> float:
    """The largest share over several alternative names."""
    return max((share(stems(name), said) for name in names), default=0.0)


def most_words(names: Iterable[str], said: frozenset[str]) -> int:
    """The most stems that any one name shares with `said`; a single shared stem is often chance."""
    return max((len(stems(name) & said) for name in names), default=0)


def said_whole(name: str, text: str) -> re.Match[str] | None:
    """The first match of a whole name in a text, ignoring case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)


def is_part(span: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether characters [start, end) are a proper part of others."""
    return span != other and other[0] <= span[0] and span[1] <= other[1]


def whole_words(names: Iterable[str], said: frozenset[str]) -> int:
    """The number of stems in the longest name all of whose stems are in `said`; 0 if there is none."""
    return max((len(stems(name)) for name in names if stems(name) <= said), default=0)
