"""Decides between several meanings of words by what stands around them, and by the names of bedside concepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product

from extraction.contract.names.concept_fit import concept_fit
from extraction.contract.names.records import Evidence, Meaning, NamedRow
from extraction.language.vocabulary.abbreviations import abbreviations
from extraction.language.vocabulary.words import stems

_MOST_COMBINATIONS = 256
_ENOUGH_BESIDE = 2.0  # a word beside it in its name counts as much as two of the options, the group and the unit
_BESIDE, _FIT = 0.5, 0.5  # what either counts
_LEAST, _LEAST_OF_SHORT, _SHORT = 0.25, 0.35, 2  # what a meaning needs, and that of an abbreviation of two letters
_APART = 0.2  # how much more it needs than any other one
_MOST_SURE, _USUAL = 0.9, 0.7

Several = Mapping[int, Mapping[str, tuple[str, ...]]]


def decided(row: NamedRow, texts: Sequence[str], several: Several) -> dict[int, Meaning]:
    """The meanings of those words of a name of which it is clear; `several` has the possible ones by place."""
    fits = _fits(row, texts, several)
    around = [*row.categories, *row.options, row.unit]
    found = {}
    for place, meanings in several.items():
        name = [text for other, text in enumerate(texts) if other != place]
        weighed = []
        for meaning, words in meanings.items():
            near, far = _beside(words, name), _beside(words, around)
            weight = min(1.0, (2 * len(near) + len(far)) / _ENOUGH_BESIDE)
            weighed.append((_BESIDE * weight + _FIT * fits.get((place, meaning), 0.0), meaning, (*near, *far)))
        best, *others = sorted(weighed, reverse=True)
        second = others[0][0] if others else 0.0
        least = _LEAST_OF_SHORT if len(texts[place]) <= _SHORT else _LEAST
        if best[0] >= least and best[0] - second >= _APART:
            sure = min(_MOST_SURE, _LEAST_OF_SHORT + best[0] - second)
            found[place] = Meaning(best[1], Evidence.LEXICON, round(sure, 2), tuple(dict.fromkeys(best[2])))
        elif len(texts) > 1 and (usual := _usual(texts[place], weighed)):
            found[place] = Meaning(usual, Evidence.LEXICON, _USUAL)
    return found


def _usual(text: str, weighed: Sequence[tuple[float, str, tuple[str, ...]]]) -> str | None:
    """The usual meaning of an abbreviation, if nothing speaks more for another one."""
    usual = abbreviations().usual.get(text.casefold())
    weights = {meaning: weight for weight, meaning, _ in weighed}
    spoken_for = any(beside for _, meaning, beside in weighed if meaning != usual)
    return usual if usual and not spoken_for and weights.get(usual, -1.0) >= max(weights.values()) else None


def _beside(words: Sequence[str], texts: Iterable[str]) -> list[str]:
    """The words that stand in one of the texts."""
    said = frozenset[str]().union(*map(stems, texts))
    return [word for word in words if (own := stems(word)) and own <= said]


def _fits(row: NamedRow, texts: Sequence[str], several: Several) -> dict[tuple[int, str], float]:
    """How well the name fits a concept with each meaning, whatever the other words mean.

    A name of one word fits something with any meaning, so that it says nothing without options.
    """
    if len(texts) == 1 and not row.options:
        return {}
    places = list(several)
    choices = [(*several[place], texts[place]) for place in places]
    group, options = (row.categories[-1] if row.categories else ""), frozenset(row.options)
    found: dict[tuple[int, str], float] = {}
    for combination in islice(product(*choices), _MOST_COMBINATIONS):
        chosen = dict(zip(places, combination, strict=True))
        name = " ".join(chosen.get(place, text) for place, text in enumerate(texts))
        fit = concept_fit(name, group, options)
        for one in chosen.items():
            found[one] = max(found.get(one, 0.0), fit)
    return found
