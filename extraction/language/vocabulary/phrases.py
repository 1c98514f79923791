"""Compiles the phrases of a vocabulary into regular expressions; nothing else does.

A phrase is a regular expression over whole words in lower case, in which a blank matches any white space. Matching
ignores case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

# A blank, or an escape or character class whose blanks stay as they are.
_BLANK = re.compile(r"(\\.|\[\^?\]?(?:\\.|[^\]\\])*\])| +", re.DOTALL)


def any_of(phrases: Iterable[str]) -> str:
    """Source of a pattern for any of these phrases, longest first; matches nothing if there are none."""
    longest = sorted(phrases, key=len, reverse=True)
    either = "|".join(f"(?:{_spaced(phrase)})" for phrase in longest) or r"(?!)"
    return f"(?:{either})"


def whole_words(phrases: Iterable[str]) -> re.Pattern[str]:
    """A pattern for any of these phrases as whole words."""
    return compiled(rf"(?<!\w){any_of(phrases)}(?!\w)")


@cache
def compiled(source: str) -> re.Pattern[str]:
    """A case-insensitive pattern."""
    return re.compile(source, re.IGNORECASE)


def _spaced(phrase: str) -> str:
    return _BLANK.sub(lambda found: found[1] or r"(?:\s+)", phrase)
