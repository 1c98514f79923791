"""How a word is shortened: to its beginning, without vowels, to the initials of several."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from extraction.contract.names.name_text import SMALL_WORDS
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.words import stem

_WORD = re.compile(r"[^\W\d_]+")
_VOWELS = re.compile(r"(?<!^)[aeiouy]")
_LEAST_LEFT_OUT = 2
_LEAST_SHORT = 3
_LEAST_SHARE = 0.6  # of the consonants, or of all letters, that a shortened word keeps
_MOST_ENDING = 4  # letters in which forms of one word differ: "auscultate", "auscultation"


def words_in(text: str) -> list[str]:
    """The words of a text in lower case, without numbers."""
    return [match.group().lower() for match in _WORD.finditer(text)]


def shortens(short: str, word: str) -> bool:
    """Whether `short` is the beginning of a longer word, or its consonants with some of its vowels."""
    if len(word) < len(short) + _LEAST_LEFT_OUT or not word or short[:1] != word[:1]:
        return False
    return word.startswith(short) or _drops_vowels(short, word)


def _drops_vowels(short: str, word: str) -> bool:
    """The consonants of the short form are the first ones of the word, or all of them, in order."""
    bare, of = _VOWELS.sub("", short), _VOWELS.sub("", word)
    if len(bare) < _LEAST_SHORT or not of.startswith(bare):
        return False
    letters = iter(word)
    return all(letter in letters for letter in short)


def is_subsequence(short: str, word: str) -> bool:
    """Whether the letters of `short` stand in the word in this order, beginning with its first."""
    letters = iter(word)
    return short[:1] == word[:1] and len(short) < len(word) and all(letter in letters for letter in short)


def abridges(short: str, word: str) -> bool:
    """Whether `short` is a longer word with letters left out, most of its consonants being there: "Drsg", "Edm"."""
    if len(word) < len(short) + _LEAST_LEFT_OUT:
        return False
    if not is_subsequence(short, word):
        return False
    bare, of = _VOWELS.sub("", short), _VOWELS.sub("", word)
    return len(bare) >= _LEAST_SHARE * len(of) or len(short) >= _LEAST_SHARE * len(word)


def initials_at(short: str, words: Sequence[str]) -> tuple[int, int] | None:
    """Where the words begin and end whose initials `short` is, counting small words or not; None if nowhere."""
    for start, word in enumerate(words):
        if word in SMALL_WORDS or word[:1] != short[:1]:
            continue
        place = 0
        for end, other in enumerate(words[start:], start):
            if place < len(short) and other[:1] == short[place]:
                place += 1
            elif other not in SMALL_WORDS:
                break
            if place == len(short):
                return (start, end + 1)
    return None


def one_word(words: Iterable[str]) -> str | None:
    """The shortest of the words if all are forms of one; None if there is none, or they are different words."""
    found = sorted(set(words), key=lambda word: (len(word), word))
    if not found:
        return None
    root = found[0][: max(len(stem(found[0])) - _MOST_ENDING, _LEAST_SHORT + 1)]
    return found[0] if all(word.startswith(root) for word in found) else None


@of_vocabularies
def name_words() -> frozenset[str]:
    """The words of the names of bedside concepts and of what abbreviations stand for, all written out."""
    meanings = (meaning for of in abbreviations().meanings.values() for meaning in of)
    names = (name for concept in concepts().values() for name in concept.rows)
    return frozenset(word for text in (*meanings, *names) for word in words_in(text)) - abbreviations().meanings.keys()


@of_vocabularies
def known_words() -> frozenset[str]:
    """All words that are known to be no abbreviation."""
    options = (form for one in concepts().values() for of in one.options.items() for form in (of[0], *of[1]))
    said = (form for one in concepts().values() for form in one.said)
    words = frozenset(word for text in (*options, *said) for word in words_in(text))
    return name_words() | (words - abbreviations().meanings.keys())
