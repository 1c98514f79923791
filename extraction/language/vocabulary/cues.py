"""Loads and checks vocabularies of cues.

Each key holds a list of phrases (`extraction.language.vocabulary.phrases`), or of plain words if it ends in "words".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from extraction.language.vocabulary.loader import LANGUAGE, of_vocabularies, refusal, shipped_vocabulary, vocabulary
from extraction.language.vocabulary.phrases import any_of, compiled

_PLAIN = re.compile(r"[\w'’-]+")
_ANY = ("", "q", "qzxqzx")  # strings that no valid phrase matches
_ESCAPED = re.compile(r"\\.", re.DOTALL)


@of_vocabularies
def cues(name: str, language: str = LANGUAGE) -> Mapping[str, Any]:
    """A vocabulary with the ward's additions.

    Raises InputError, with file, key and entry, for a key that is not in the shipped vocabulary and for an invalid
    phrase or word that the ward has added.
    """
    joined = vocabulary(name, language)
    for key, what in faults(joined, shipped_vocabulary(name, language)):
        raise refusal(name, f"{key}: {what}", language)
    return joined


def faults(table: Mapping[str, Any], known: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    """Keys of a table with a description of what is wrong with entries that are not among the known ones."""
    for name, value in table.items():
        key = f"{place}.{name}".lstrip(".")
        if name not in known:
            yield key, f"it is not known; there are: {', '.join(known)}"
        elif isinstance(value, Mapping):
            yield from faults(value, known[name], key)
        elif isinstance(value, list):
            added = (entry for entry in value if entry not in known[name])
            yield from ((key, what) for entry in added if (what := _fault(entry, plain=name.endswith("words"))))


def _fault(entry: Any, *, plain: bool) -> str | None:
    """What is wrong with an entry; None if it is valid."""
    if not isinstance(entry, str) or not entry.strip() or entry != entry.strip():
        return f"“{entry}” must be a text that begins and ends with a word"
    if (bare := _ESCAPED.sub("", entry)) != bare.lower():
        return f"“{entry}” must be in lower case; capital letters are understood, too"
    if plain:
        return None if _PLAIN.fullmatch(entry) else f"“{entry}” must be a single word, without a pattern"
    try:
        re.compile(entry)
        pattern = compiled(any_of([entry]))
    except re.error as error:
        return f"“{entry}” is not a valid regular expression: {error}"
    if pattern.groups:
        return f"“{entry}” has a group; write (?:…) instead of (…)"
    return f"“{entry}” fits any word, or none" if any(map(pattern.fullmatch, _ANY)) else None
