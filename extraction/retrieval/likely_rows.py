"""Which rows a person may mean who wants to chart a sentence by hand, likeliest first.

Rankings by meaning, by the prior and by words are fused by reciprocal rank (Cormack, Clarke and Büttcher 2009).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from extraction.flowsheet.schema import Schema, of_schema
from extraction.language.clauses import clauses
from extraction.language.vocabulary.words import stems
from extraction.retrieval.candidates import Candidate, words_of_rows
from extraction.retrieval.rarity import rarity_of

_OF_SENTENCE, _OF_CLAUSE = 30, 20  # rows kept
_FIRST = 10  # the constant k of the fusion; small, since only the first rows are read
_ABSENT = 200  # rank in a ranking without the row
# What is said about a row counts as this weight of its name; an option's words count less than those of a name.
_CUE_WEIGHT = 3.0
_OPTION_WEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class LikelyRows:
    """Ids of the rows that a span [start, end) of a transcript may be about, likeliest first."""

    start: int
    end: int
    row_ids: tuple[str, ...]


def likely_rows(weighed: Sequence[Candidate]) -> dict[int, tuple[str, ...]]:
    """By index of a segment, the ids of the rows that it may be about, by the priors of candidates and its fit."""
    priors: dict[int, dict[str, float]] = defaultdict(dict)
    fits: dict[int, dict[str, float]] = defaultdict(dict)
    for one in weighed:
        for hit in one.hits:
            priors[hit.segment][one.row_id], fits[hit.segment][one.row_id] = one.prior, hit.fit
    return {segment: _fused(_best(of), _best(fits[segment]))[:_OF_SENTENCE] for segment, of in priors.items()}


def of_clauses(transcript: str, schema: Schema, sentences: Iterable[LikelyRows]) -> tuple[LikelyRows, ...]:
    """The likely rows of the clauses of some sentences, given those of the sentences."""
    return tuple(
        LikelyRows(one.start + start, one.start + end, _fused(rows_by_words(schema, words), one.row_ids)[:_OF_CLAUSE])
        for one in sentences
        for start, end in clauses(transcript[one.start : one.end])
        if (words := transcript[one.start + start : one.start + end]).strip()
    )


def rows_by_words(schema: Schema, words: str) -> list[str]:
    """Ids of the rows of which a name, an option or what is usually said of them shares words with a text."""
    said, rarity, known, sharing = stems(words), rarity_of(schema), words_of_rows(schema), _rows_by_stem(schema)
    weights: dict[str, float] = {}
    for row_id in sorted({row_id for stem in said for row_id in sharing.get(stem, ())}):
        name = rarity.name(row_id, said)
        cued = _CUE_WEIGHT * known[row_id].is_cued(said)
        weights[row_id] = name.share * name.rarest + cued + _OPTION_WEIGHT * rarity.options(row_id, said).weight
    return _best({row_id: weight for row_id, weight in weights.items() if weight})


@of_schema
def _rows_by_stem(schema: Schema) -> Mapping[str, frozenset[str]]:
    """By stem, the rows that a person enters and that have it in a name, an option or a cue."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in schema.rows:
        if row.unit_of is None and row.formula is None:
            words = words_of_rows(schema)[row.id]
            for stem in frozenset().union(*words.names, *words.cues, *(form for of in words.options for form in of)):
                found[stem].add(row.id)
    return {stem: frozenset(rows) for stem, rows in found.items()}


def _best(weights: Mapping[str, float]) -> list[str]:
    return sorted(weights, key=lambda row_id: -weights[row_id])


def _fused(*rankings: Sequence[str]) -> tuple[str, ...]:
    ranks: list[Mapping[str, int]] = [{row_id: rank for rank, row_id in enumerate(one)} for one in rankings]
    every = dict.fromkeys(row_id for one in rankings for row_id in one)
    weight = {row_id: sum(1 / (_FIRST + of.get(row_id, _ABSENT)) for of in ranks) for row_id in every}
    return tuple(_best(weight))
