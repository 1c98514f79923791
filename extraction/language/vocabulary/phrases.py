"""Patterns of phrases: the one way in which the entries of a vocabulary become a regular expression.

A phrase is a regular expression over whole words in lower case, in which a blank stands for any white space. Capital
and small letters are read alike.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# A blank outside of a set of characters, or what may hold one that stays a blank.
_BLANK = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\])| +", re.DOTALL)


def any_of(phrases: Iterable[str]) -> str:
    """The source of a pattern of any of these, the longest first; one that matches nothing where there are none."""
    longest = sorted(phrases, key=len, reverse=True)
    either = "|".join(f"(?:{_spaced(phrase)})" for phrase in longest) or r"(?!)"
    return f"(?:{either})"


def whole_words(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern of any of these where they are whole words."""
    return compiled(rf"(?<!\w){any_of(phrases)}(?!\w)")


def compiled(source: str) -> re.Pattern[str]:
    """A pattern that reads capital and small letters alike."""
    return re.compile(source, re.IGNORECASE)


def _spaced(phrase: str) -> str:
    return _BLANK.sub(lambda found: found[1] or r"(?:\s+)", phrase)
