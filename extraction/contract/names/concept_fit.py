"""How well a name, with the options of its row, is that of something which is charted at the bedside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

from extraction.flowsheet.naming.row_concepts import concepts
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.measurements import measurements
from extraction.language.vocabulary.tables import plain
from extraction.language.vocabulary.words import stems

_LEAST = 0.5  # of the words that either name has; below, the names have nothing to do with each other
_OF_GROUP = 0.9  # a name that fits only together with that of its group
_OF_OPTIONS = 0.4  # what known options count, where the row has any


@of_vocabularies
def _names() -> Mapping[str, Sequence[tuple[frozenset[str], str]]]:
    """The names of concepts and measurements by each stem in them, with the id of the concept."""
    found: dict[str, list[tuple[frozenset[str], str]]] = {}
    of_concepts = ((name, concept.id) for concept in concepts().values() for name in concept.names)
    of_measurements = ((stems(name), "") for one in measurements().values() for name in one.rows)
    for name, concept in chain(of_concepts, of_measurements):
        for stem in name:
            found.setdefault(stem, []).append((name, concept))
    return found


@of_vocabularies
def concept_fit(name: str, group: str = "", options: frozenset[str] = frozenset()) -> float:
    """From 0, like nothing that is known, to 1: named and answered as a known concept is."""
    return max((_fit(own, options) * weight for own, weight in _ways(name, group)), default=0.0)


def _ways(name: str, group: str) -> list[tuple[frozenset[str], float]]:
    own = stems(name)
    return [(own, 1.0), (own | stems(group), _OF_GROUP)] if group else [(own, 1.0)]


def _fit(own: frozenset[str], options: frozenset[str]) -> float:
    best = 0.0
    for name, concept in {one for stem in own for one in _names().get(stem, ())}:
        alike = len(own & name) / len(own | name)
        if alike < _LEAST:
            continue
        if options and concept:
            known = sum(plain(option) in concepts()[concept].option_of for option in options) / len(options)
            alike = (1 - _OF_OPTIONS) * alike + _OF_OPTIONS * known
        best = max(best, alike)
    return best
