"""The features from which the prior of a candidate row is estimated."""

from __future__ import annotations

import math

from extraction.flowsheet.schema import SAID_TYPES, Row, ValueType
from extraction.retrieval.candidates import NO_RANK, Candidate, RowWords

FEATURES = (
    "relevance",
    "sentence_relevance",
    "clause_relevance",
    "sentence_rank",
    "clause_rank",
    "name_said",
    "value_said",
    "name_and_value_said",
    "name_words",
    "value_words",
    "segments",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
    "nearest_exemplar",
    "nearest_exemplar_of_clause",
    "exemplar_vote",
    "exemplar_score",
    "frequency",
    "largest_vote",
    "largest_score",
    "largest_nearest_of_clause",
)


def prior_features(row: Row, candidate: Candidate) -> tuple[float, ...]:
    """The numbers named in FEATURES, in order; NaN for those that need exemplars."""
    return prior_features_of(RowWords(row), candidate)


def prior_features_of(words: RowWords, candidate: Candidate) -> tuple[float, ...]:
    hit, kind = candidate.hits[0], words.row.value_type
    precedent = hit.precedent
    return (
        hit.relevance,
        hit.sentence_relevance,
        hit.clause_relevance,
        float(min(hit.sentence_rank, NO_RANK)),
        float(min(hit.clause_rank, NO_RANK)),
        hit.name_said,
        hit.value_said,
        hit.name_said * hit.value_said,
        float(hit.name_words),
        float(hit.value_words),
        float(min(len(candidate.hits), 5)),
        float(words.is_yes_no),
        float(kind is ValueType.MULTI_SELECT),
        float(kind in SAID_TYPES),
        float(kind is ValueType.TEXT),
        precedent.nearest if precedent else math.nan,
        precedent.clause_nearest if precedent else math.nan,
        precedent.vote if precedent else math.nan,
        precedent.score if precedent else math.nan,
        candidate.frequency,
        candidate.largest_vote,
        candidate.largest_score,
        candidate.largest_nearest,
    )
