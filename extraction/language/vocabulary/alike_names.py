"""Names of one measurement that is charted in several ways; resources/language/<language>/alike.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.tables import words_by_entry

_FILE = "alike"
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AlikeNames:
    """What names of rows say beside what is measured. All are words in order.

    Attributes:
        ways: how or where something is measured; the longest first.
        measured: what is measured, by each of its names without ways.
        outputs: what a volume that came out is, by the words in its name; the longest first.
        is_output, no_output: words that make a volume an output, or none.
        things: the kind of a thing by each of its names; the longest first.
        broader: what is done to a thing, by the words of its row.
    """

    ways: tuple[Words, ...]
    measured: Mapping[frozenset[str], str]
    outputs: tuple[tuple[Words, str], ...]
    is_output: frozenset[str]
    no_output: frozenset[str]
    things: tuple[tuple[Words, str], ...]
    broader: Mapping[frozenset[str], str]


@of_vocabularies
def alike_names() -> AlikeNames:
    """Raises InputError if the ward's own file is invalid."""
    output = words_by_entry(_FILE, "output_words", ("is", "not"))
    return AlikeNames(
        tuple(way for way, _ in _longest_first({"": words_by_entry(_FILE, "names", ("ways",))["ways"]})),
        _by_words(words_by_entry(_FILE, "measured")),
        _longest_first(words_by_entry(_FILE, "outputs")),
        frozenset(output["is"]),
        frozenset(output["not"]),
        _longest_first(words_by_entry(_FILE, "things")),
        _by_words(words_by_entry(_FILE, "broader")),
    )


def _longest_first(entries: Mapping[str, Iterable[str]]) -> tuple[tuple[Words, str], ...]:
    found = [(tuple(text.split()), entry) for entry, texts in entries.items() for text in texts]
    return tuple(sorted(found, key=lambda one: -len(one[0])))


def _by_words(entries: Mapping[str, Iterable[str]]) -> Mapping[frozenset[str], str]:
    return {frozenset(text.split()): entry for entry, texts in entries.items() for text in texts}
