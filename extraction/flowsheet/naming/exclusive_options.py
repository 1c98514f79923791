"""Options of a multi select that exclude all others, such as None, Clear or Normal.

The schema marks them; of a row without any mark they are inferred from their words, with care (`exclusive` in
row_names.toml). "Clear" is a color of some rows, and "No drainage" excludes only other kinds of drainage.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from extraction.flowsheet.naming.option_mentions import turns_round
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.values import Value
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.tables import plain, words_by_entry
from extraction.language.vocabulary.words import stems


@dataclass(frozen=True, slots=True)
class _Words:
    """Options that exclude others: always, unless the row is about an appearance, or with a word before its name."""

    always: frozenset[str]
    unless_appearance: frozenset[str]
    appearance: frozenset[str]
    before_name: tuple[str, ...]


@of_vocabularies
def _words() -> _Words:
    of = words_by_entry("row_names", "exclusive", ("always", "unless_appearance", "appearance", "before_name"))
    return _Words(
        frozenset(of["always"]),
        frozenset(of["unless_appearance"]),
        stems(" ".join(of["appearance"])),
        of["before_name"],
    )


@of_vocabularies
def exclusive_options(row: Row) -> frozenset[str]:
    """The names of the options of a multi select with which no other one can be true."""
    if row.value_type is not ValueType.MULTI_SELECT:
        return frozenset()
    if any(option.exclusive is not None for option in row.options):
        return frozenset(option.name for option in row.options if option.exclusive)
    named = stems(" ".join((row.name, *row.synonyms)))
    return frozenset(name for name in row.option_names if _excludes_by_words(plain(name), named))


def _excludes_by_words(option: str, named: frozenset[str]) -> bool:
    words = _words()
    if option in words.always:
        return True
    if option in words.unless_appearance:
        return not words.appearance & named
    first, _, rest = option.partition(" ")
    return first in words.before_name and bool(stems(rest)) and stems(rest) <= named


@of_vocabularies
def denied_options(row: Row) -> Mapping[str, str]:
    """Options that deny another one of their row by a prefix, with that one: 'non-tender' -> 'tender'."""
    return MappingProxyType(
        {
            one.name: other.name
            for other in row.options
            for one in row.options
            if one.name != other.name and any(turns_round(one, form) for form in (other.name, *other.synonyms))
        }
    )


def excludes_itself(row: Row, value: Value) -> bool:
    """Whether a value holds an exclusive option and others, or an option and the one that denies it."""
    if not isinstance(value, tuple) or len(value) < 2:
        return False
    denied = denied_options(row)
    return bool(exclusive_options(row).intersection(value)) or any(denied.get(name) in value for name in value)


def with_options(row: Row, ticked: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    """The ticked options with the chosen ones, in the order of the row, without those that the chosen ones exclude."""
    exclusive = exclusive_options(row)
    alone = [name for name in chosen if name in exclusive]
    together = {*alone[-1:]} if alone else {*ticked, *chosen} - exclusive
    return tuple(name for name in row.option_names if name in together)
