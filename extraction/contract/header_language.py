"""The words of a header in English, as far as resources/exports/header_words.toml knows them."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

_LINKING = ("", "s", "en", "n", "e", "es")  # between the words of a German or Dutch compound
_LEAST_PART = 3


class _Words(NamedTuple):
    """What is known of the words of headers.

    Attributes:
        english: the English word of each known one; its own where it is English.
        endings: short words that only end a compound.
    """

    english: Mapping[str, str]
    endings: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    text = (files("resources") / "exports" / "header_words.toml").read_text(encoding="utf-8")
    document = tomllib.loads(text)
    english = {
        foreign: word
        for language in document.values()
        if isinstance(language, dict)
        for word, foreigns in language.items()
        for foreign in foreigns.split()
    }
    return _Words(
        english | {word: word for word in document["english"].split()}, frozenset(document["endings"].split())
    )


def plain_letters(text: str) -> str:
    """A text with its letters as of English: `gültig` as `gultig`."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text.replace("ß", "ss"))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


@lru_cache(maxsize=4096)
def english_words(word: str) -> tuple[str, ...]:
    """The English words of a word of a header: `einheit` is `unit`, and `patientennr` is `patient nr`."""
    known = _words().english
    if word in known:
        return (known[word],)
    match = re.fullmatch(r"([a-z]{3,})(\d+)", word)  # option1, opt2
    if match and match[1] in known:
        return (known[match[1]], match[2])
    for at in range(len(word) - 2, _LEAST_PART - 1, -1):
        head, tail = word[:at], word[at:]
        end = (known[tail],) if len(tail) >= _LEAST_PART and tail in known else (tail,)
        if end[0] == tail and tail not in known and tail not in _words().endings:
            continue
        for linking in _LINKING:
            begin = head.removesuffix(linking) if linking else head
            if len(begin) >= _LEAST_PART and (not linking or head.endswith(linking)) and begin in known:
                return (known[begin], *end)
    return (word,)
