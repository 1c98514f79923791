"""The words in a row's name, and the numbers in it that may count instances.

Punctuation is ignored: "LDA PIV #1 - Location (Anatomical)" has the words of "LDA PIV 1 Location" plus one word in
brackets, which is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_COUNT = re.compile(r"\d{1,3}")
# 'PIV1', but not 'B12' or 'FiO2m'
_GLUED = re.compile(r"([^\W\d_]{2,})(\d{1,2})")
# not a count: a range (0-10), a fraction, a time, a percentage
_NO_COUNT_BEFORE = re.compile(r"\d\s*[-–—/:.,]\s*$")
_NO_COUNT_BEHIND = re.compile(r"\s*(?:[-–—/:.,]\s*\d|%)")


class NameWord(NamedTuple):
    """A word of a name, with its characters [start, end).

    Attributes:
        bracket: position of the innermost bracket around it; -1 outside brackets.
    """

    text: str
    start: int
    end: int
    bracket: int = -1

    @property
    def key(self) -> str:
        """The word in the form used for comparison."""
        return self.text.casefold()


Key = tuple[str, ...]


def words_of(name: str) -> tuple[NameWord, ...]:
    """The words of a name in order."""
    if not any(bracket in name for bracket in _BRACKETS):
        return tuple(NameWord(match.group(), *match.span()) for match in _WORD.finditer(name))
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
        found.append(NameWord(match.group(), *match.span(), opened[-1][1] if opened else -1))
    return tuple(found)


def key_of_text(text: str) -> Key:
    """The key of all words in a text, including those in brackets."""
    return tuple(_WORD.findall(text.casefold()))


def key_of(words: Sequence[NameWord]) -> Key:
    """The key of words: equal for names that differ only in case and punctuation."""
    return tuple(word.key for word in words)


def unbracketed(words: Sequence[NameWord]) -> Sequence[NameWord]:
    """The words outside brackets, or all words if there are none."""
    return [word for word in words if word.bracket < 0] or words


def text_of(name: str, words: Sequence[NameWord]) -> str:
    """The part of a name that covers consecutive words, with a bracket that closes right after them.

    If its brackets are unbalanced, the words are joined with blanks.
    """
    start, end = words[0].start, words[-1].end
    if all(word.bracket < 0 for word in words):
        return name[start:end]
    for stretch in (name[start:end], name[start : end + 1]):
        if all(stretch.count(opening) == stretch.count(closing) for opening, closing in _BRACKETS.items()):
            return stretch.strip()
    return " ".join(word.text for word in words)


@dataclass(frozen=True, slots=True)
class Counted:
    """A number in a name, with the words before and after it.

    Attributes:
        glued: whether it is attached to the word before it, as in 'PIV1' but also in 'CO2'.
    """

    number: int
    before: tuple[NameWord, ...]
    behind: tuple[NameWord, ...]
    glued: bool = False


def counted(name: str) -> Iterator[Counted]:
    """Numbers in a name that may count instances: whole ones outside ranges, fractions, times and percentages."""
    if not any(map(str.isdigit, name)):
        return
    words = words_of(name)
    for place, word in enumerate(words):
        before, behind = words[:place], words[place + 1 :]
        if _COUNT.fullmatch(word.text):
            if not _NO_COUNT_BEFORE.search(name[: word.start]) and not _NO_COUNT_BEHIND.match(name, word.end):
                yield Counted(int(word.text), before, behind)
        elif match := _GLUED.fullmatch(word.text):
            alone = NameWord(match[1], word.start, word.start + len(match[1]), word.bracket)
            yield Counted(int(match[2]), (*before, alone), behind, glued=True)
