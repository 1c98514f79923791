"""The words of a row's name, and the numbers in it that may count things of one kind.

Marks between words say nothing: "LDA PIV #1 - Location (Anatomical)" has the words of "LDA PIV 1 Location", and one in
brackets, which comments on the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_COUNT = re.compile(r"\d{1,3}")
# 'PIV1', and neither 'B12' nor 'FiO2m'
_GLUED = re.compile(r"([^\W\d_]{2,})(\d{1,2})")
# no count: a range (0-10), a fraction, a time, a percentage
_NO_COUNT_BEFORE = re.compile(r"\d\s*[-–—/:.,]\s*$")
_NO_COUNT_BEHIND = re.compile(r"\s*(?:[-–—/:.,]\s*\d|%)")


class Word(NamedTuple):
    """A word of a name, with its characters [start, end).

    Attributes:
        bracket: where the innermost bracket around it opens, -1 outside of all.
    """

    text: str
    start: int
    end: int
    bracket: int = -1

    @property
    def key(self) -> str:
        """The word as words are compared."""
        return self.text.casefold()


Key = tuple[str, ...]


def words_of(name: str) -> tuple[Word, ...]:
    """The words of a name in their order."""
    if not any(bracket in name for bracket in _BRACKETS):
        return tuple(Word(match.group(), *match.span()) for match in _WORD.finditer(name))
    found = []
    opened: list[tuple[str, int]] = []
    at = 0
    for match in _WORD.finditer(name):
        for place in range(at, match.start()):
            if name[place] in _BRACKETS:
                opened.append((_BRACKETS[name[place]], place))
            elif opened and name[place] == opened[-1][0]:
                opened.pop()
        at = match.end()
        found.append(Word(match.group(), *match.span(), opened[-1][1] if opened else -1))
    return tuple(found)


def key_of_text(text: str) -> Key:
    """The same of the words of a text, those in brackets among them."""
    return tuple(_WORD.findall(text.casefold()))


def key_of(words: Sequence[Word]) -> Key:
    """What names with the same words, in whatever letters and with whatever marks, have in common."""
    return tuple(word.key for word in words)


def unbracketed(words: Sequence[Word]) -> Sequence[Word]:
    """The words outside of brackets; all of them where there are no others."""
    return [word for word in words if word.bracket < 0] or words


def text_of(name: str, words: Sequence[Word]) -> str:
    """The stretch of a name from the first to the last of some words that follow each other, with the bracket that it
    opens; the words alone where brackets are left open in it."""
    start, end = words[0].start, words[-1].end
    if all(word.bracket < 0 for word in words):
        return name[start:end]
    for stretch in (name[start:end], name[start : end + 1]):
        if all(stretch.count(opening) == stretch.count(closing) for opening, closing in _BRACKETS.items()):
            return stretch.strip()
    return " ".join(word.text for word in words)


@dataclass(frozen=True, slots=True)
class Counted:
    """A number in a name, with the words before and behind it.

    Attributes:
        glued: whether it is written onto the word before it, as a chemical formula has it, too: 'PIV1', 'CO2'.
    """

    number: int
    before: tuple[Word, ...]
    behind: tuple[Word, ...]
    glued: bool = False


def counted(name: str) -> Iterator[Counted]:
    """The numbers of a name that may count things of one kind: whole ones that are no part of a range, a fraction, a
    time or a percentage."""
    if not any(map(str.isdigit, name)):
        return
    words = words_of(name)
    for place, word in enumerate(words):
        before, behind = words[:place], words[place + 1 :]
        if _COUNT.fullmatch(word.text):
            if not _NO_COUNT_BEFORE.search(name[: word.start]) and not _NO_COUNT_BEHIND.match(name, word.end):
                yield Counted(int(word.text), before, behind)
        elif match := _GLUED.fullmatch(word.text):
            alone = Word(match[1], word.start, word.start + len(match[1]), word.bracket)
            yield Counted(int(match[2]), (*before, alone), behind, glued=True)
