"""What the texts of an export show: its words, and what it writes beside an abbreviation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from extraction.contract.names.name_text import tokens_of
from extraction.contract.names.records import NamedRow
from extraction.contract.names.word_forms import (
    initials_at,
    is_subsequence,
    known_words,
    name_words,
    one_word,
    shortens,
    words_in,
)
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.loader import of_vocabularies

LEAST_WORD = 7  # letters of a word of the export that is taken for written out
_LEAST_LABEL_WORD = 5  # the same beside an abbreviation
_LEAST_INITIALS = 2
_LEAST_NAME_WORD = 4  # letters of a word that is no abbreviation if concepts are named with it
_LETTERS = re.compile(r"[^\W\d_]+")
_BRACKETED = re.compile(r"([^()\[\]]+)[(\[]([^()\[\]]+)[)\]]")
_EQUATED = re.compile(r"^\s*([A-Za-z][A-Za-z/&]{1,7})\s*(?:=|:|\s[-–—])\s*(.+)$")


@dataclass(frozen=True, slots=True)
class ExportWords:
    """What the texts of an export show.

    Attributes:
        whole: its words that are no abbreviations.
        defined: by abbreviation, what texts say that it stands for.
    """

    whole: Set[str]
    defined: Mapping[str, frozenset[str]]


def words_of_export(rows: Sequence[NamedRow], texts: Sequence[str]) -> ExportWords:
    """Reads all texts of the rows, and further ones."""
    beside = [*texts, *(text for row in rows for text in (*row.categories, *row.options))]
    labels = [label for row in rows for label in row.labels]
    short = abbreviations().meanings.keys()
    every = {word for text in (*beside, *labels, *(row.name for row in rows)) for word in words_in(text)}
    of_labels = {word for label in labels for word in words_in(label) if len(word) >= _LEAST_LABEL_WORD}
    defined: dict[str, set[str]] = defaultdict(set)
    for text in sorted({*beside, *labels}):
        for abbreviation, meaning in _definitions(text):
            defined[abbreviation].add(meaning)
    return ExportWords(
        {word for word in (every | of_labels) if len(word) >= LEAST_WORD or word in of_labels} - short,
        {one: frozenset(meanings) for one, meanings in defined.items()},
    )


def _definitions(text: str) -> Iterable[tuple[str, str]]:
    """Abbreviations that a text explains: "Level of consciousness (LOC)", "LUE - left upper extremity"."""
    pairs = [(match[2].strip(), match[1]) for match in _BRACKETED.finditer(text)]
    pairs += [(match[1].strip(), match[2]) for match in _BRACKETED.finditer(text)]
    if equated := _EQUATED.match(text):
        pairs.append((equated[1], equated[2]))
    for short, long in pairs:
        if short.isalpha() and len(short) >= _LEAST_INITIALS:
            words = words_in(long)
            if (place := initials_at(short.lower(), words)) and (meaning := _final(words[slice(*place)])):
                yield short.lower(), meaning


def meanings_beside(name: str, label: str) -> dict[int, str]:
    """By the place of a word in the name, what it stands for by the label; words that the label has, too, are left out.

    Each word of the label is taken once, first what comes next in order.
    """
    tokens, words = [token.casefold() for token in tokens_of(name)], words_in(label)
    taken = [word in tokens for word in words]
    found: dict[int, str] = {}
    after = 0
    for place, token in enumerate(tokens):
        if token in words:
            after = words.index(token) + 1
        if token in words or (len(token) >= _LEAST_NAME_WORD and token in name_words()):
            continue
        spans = [span for span in _spans(token, words) if not any(taken[slice(*span)])]
        span = next((one for one in spans if one[0] >= after), spans[0] if spans else None)
        if span and (meaning := _final(words[slice(*span)])):
            taken[slice(*span)] = [True] * (span[1] - span[0])
            found[place], after = _as_in(label, meaning), span[1]
    return found


def _as_in(label: str, meaning: str) -> str:
    """The meaning with the capitals within words that the label has: "peripheral IV"."""
    capitals = {word.lower(): word for word in _LETTERS.findall(label) if word[1:] != word[1:].lower()}
    has_small = any(map(str.islower, label))
    return " ".join(capitals.get(word, word) if has_small else word for word in meaning.split())


def _spans(token: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Words of a label that a word of the name may stand for, the likeliest first."""
    found = []
    for meaning in abbreviations().meanings.get(token, ()):
        own = words_in(meaning)
        found += [(at, at + len(own)) for at in range(len(words)) if words[at : at + len(own)] == own]
    if not token.isalpha() or len(token) < _LEAST_INITIALS:
        return found
    if initials := initials_at(token, words):
        found.append(initials)
    for fits in (shortens, is_subsequence):
        found += [(at, at + 1) for at, word in enumerate(words) if fits(token, word)]
    return found


def _final(words: Sequence[str]) -> str | None:
    """The words as a meaning; None if one of them may be short itself."""
    short, known = abbreviations().meanings, known_words()
    small = all(word not in short and (word in known or len(word) >= _LEAST_LABEL_WORD) for word in words)
    return " ".join(words) if small else None


@of_vocabularies
def shortened_known(token: str) -> frozenset[str]:
    """Known words of names that may be shortened to a token."""
    return frozenset(word for word in _long_names() if shortens(token, word))


@of_vocabularies
def _long_names() -> frozenset[str]:
    return frozenset(word for word in name_words() if len(word) >= _LEAST_LABEL_WORD)


def shortened_in(token: str, words: Iterable[str]) -> str | None:
    """The one word among these that may be shortened to a token."""
    return one_word(word for word in words if shortens(token, word) and _final((word,)))
