"""Vocabulary tables whose entries have a meaning in code: a ward may add words to an entry, but no entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from extraction.language.vocabulary.loader import refusal, vocabulary


def words_by_entry(name: str, table: str, entries: Iterable[str] | None = None) -> Mapping[str, tuple[str, ...]]:
    """The words of each entry of a table, in lower case with single blanks.

    Only `entries` are allowed, if given. Raises InputError, with file, table and entry, for an unknown entry or an
    invalid word.
    """
    found: dict[str, tuple[str, ...]] = {}
    known = None if entries is None else [str(entry) for entry in entries]
    for entry, words in vocabulary(name)[table].items():
        if known is not None and entry not in known:
            raise refusal(name, f"{table}.{entry} is not known; there are: {', '.join(known)}")
        for word in words:
            if not isinstance(word, str) or not word.strip():
                raise refusal(name, f"{table}.{entry}: “{word}” is not a word")
        found[entry] = tuple(plain(word) for word in words)
    return found


def plain(word: str) -> str:
    """Normalises a word for comparison: lower case, single blanks."""
    return " ".join(word.lower().split())
