"""What a row measures, whatever way or place its name says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from extraction.contract.relations.instances import is_size
from extraction.flowsheet.naming.row_concepts import ConceptLink
from extraction.flowsheet.naming.row_names import Counted, NameWord, counted, words_of
from extraction.flowsheet.schema import NUMBER_TYPES, Row
from extraction.flowsheet.unit_conversion import is_volume
from extraction.language.body_sites import body_words, written_sides
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.alike_names import Words, alike_names
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import measurements

_KNOWN, _SAME_WORDS, _BROADER = 0.8, 0.6, 0.4
_LEAST_WORDS = 2
_GLUED_CASE = re.compile(r"(?<=[a-z]{6})(?=[A-Z][a-z])")  # "CatheterTubing"
_SMALL = frozenset("of the and for in on at to with per s".split())
_DEGREES = ("c", "f")
_MOST_COUNTED = 12


@dataclass(frozen=True, slots=True)
class Measured:
    """What rows may have in common.

    Attributes:
        name: for a person.
        confidence: how sure it is that rows with it chart the same.
    """

    name: str
    confidence: float


def measured_of(row: Row, link: ConceptLink | None) -> Iterator[Measured]:
    """What a row measures: the first is the most telling; a broader one follows where there is one.

    Args:
        link: the bedside concept of the row.
    """
    names = [list(_words(text)) for text in (row.name, *row.synonyms)]
    things = [_with_things(name) for name in names]
    known = _output(row, names) or _measurement(names)
    if known is None and link is not None and row.options:
        known = link.concept.rows[0]
    if known:
        yield Measured(known, _KNOWN)
    elif len(same := _without_ways(things[0])) >= _LEAST_WORDS:
        yield Measured(" ".join(same), _SAME_WORDS)
    broader = alike_names().broader
    for words in map(frozenset, things):
        if words in broader:
            yield Measured(broader[words], _BROADER)
            return


def _words(text: str) -> Iterator[str]:
    """The words of a name in lower case.

    Without sides, numbers that count, small words, and units or initials in brackets. Other numbers stay: 5 % and 10 %
    of a drug are not alike.
    """
    text = re.sub(r"^\s*%", "percent ", _GLUED_CASE.sub(" ", text))
    words = words_of(text)
    units, sides = abbreviations().units, {(one.start, one.end): one for one in written_sides(text)}
    counting = {len(one.before) for one in counted(text) if not one.glued and _tells_instances_apart(one)}
    for place, word in enumerate(words):
        key = word.key
        if place in counting or key in _SMALL or (key in _DEGREES and place):
            continue
        if side := sides.get((word.start, word.end)):
            if not side.short and key not in body_words().side_of:
                yield key[1:]  # "lue" and "rue" are arms
            continue
        if word.bracket >= 0 and (key in units or _is_initials(key, words[:place])):
            continue
        yield key


def _tells_instances_apart(one: Counted) -> bool:
    """Whether a number counts things, or is the gauge by which lines are told apart."""
    if is_size(one):
        return one.behind[0].key in ("g", "ga", "gauge")
    return one.number <= _MOST_COUNTED


def _is_initials(short: str, words: Sequence[NameWord]) -> bool:
    return len(short) > 1 and "".join(word.key[0] for word in words if word.bracket < 0).endswith(short)


def _output(row: Row, names: Sequence[Sequence[str]]) -> str | None:
    """What came out, if the row is a volume of an output."""
    if row.value_type not in NUMBER_TYPES or not is_volume(row.ucum or row.unit):
        return None
    known = alike_names()
    own = {word.key for name in (row.name, *row.synonyms) for word in words_of(name)}
    groups = {word.key for path in row.categories for group in path for word in words_of(group)}
    if not known.is_output & (own | groups) or known.no_output & own:
        return None
    return next((kind for words, kind in known.outputs for name in names if _at(words, name) is not None), None)


def _measurement(names: Sequence[Sequence[str]]) -> str | None:
    """What is measured, by a name with all its words, and else without the ways."""
    of_words = {**_measurement_names(), **alike_names().measured}
    for name in names:
        for words in (frozenset(_without_ways(name)), frozenset(name)):
            if words in of_words:
                return of_words[words]
    return None


@of_vocabularies
def _measurement_names() -> Mapping[frozenset[str], str]:
    return {frozenset(_words(name)): one.rows[0] for one in measurements().values() for name in one.rows}


def _with_things(name: Sequence[str]) -> list[str]:
    """A name in which a thing is called by its kind: "picc line cap change" is "line cap change"."""
    for words, kind in alike_names().things:
        if (at := _at(words, name)) is not None:
            behind = [word for word in name[at + len(words) :] if word != kind]
            return [*(word for word in name[:at] if word != kind), kind, *behind]
    return list(name)


def _without_ways(name: Sequence[str]) -> list[str]:
    left = list(name)
    for way in alike_names().ways:
        while (at := _at(way, left)) is not None:
            del left[at : at + len(way)]
    return left


def _at(words: Words, name: Sequence[str]) -> int | None:
    """Where words stand one behind the other in a name."""
    length = len(words)
    return next((at for at in range(len(name) - length + 1) if tuple(name[at : at + length]) == words), None)
