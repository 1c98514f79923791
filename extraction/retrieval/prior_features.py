"""The features from which the priors of a dictation's candidate rows are estimated."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from extraction.flowsheet.naming.number_names import measured_in
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_measurements import measurements_of_rows
from extraction.flowsheet.number_fit import number_fit
from extraction.flowsheet.schema import SAID_TYPES, Row, Schema, ValueType
from extraction.language.body_sites import sides_in
from extraction.language.clauses import clauses
from extraction.language.numbers import numbers
from extraction.language.sentences import Segment
from extraction.language.vocabulary.loader import of_vocabularies
from extraction.language.vocabulary.words import stems
from extraction.retrieval.candidates import NO_RANK, Candidate, Hit, words_of_rows
from extraction.retrieval.rarity import rarity_of

FEATURES = (
    # of the best sentence and row
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
    "sentence_words",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
    "is_cued",
    "has_cues",
    "match",
    # by how rare the words are in the schema
    "name_weight",
    "name_rarest",
    "option_weight",
    "option_owners",
    "option_share",
    "clause_name",
    "clause_name_and_option",
    # against the other candidates of the sentence
    "relevance_behind_best",
    "fit_behind_best",
    "fit_rank",
    "name_behind_best",
    "match_behind_best",
    "candidates",
    # what the words say of numbers, sides and instances
    "measured",
    "unit_fits",
    "within_range",
    "numbers",
    "side_said",
    "instance_said",
    "log_rows",
    # exemplars
    "nearest_exemplar",
    "nearest_exemplar_of_clause",
    "exemplar_vote",
    "exemplar_score",
    "frequency",
    "largest_vote",
    "largest_score",
    "largest_nearest_of_clause",
)
_LAST_RANK = 40


def prior_features(
    schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate]
) -> list[tuple[float, ...]]:
    """For each candidate the numbers named in FEATURES, in order; NaN for those that do not apply to its row.

    Args:
        candidates: all of them: a row is weighed against the others that its sentence retrieved.
    """
    texts = {segment.index: segment.text for segment in segments}
    rivals = _Rivals(candidates)
    return [
        (
            *_own(schema, one, texts[one.segment]),
            *_rare(schema, one.row_id, texts[one.segment]),
            *rivals.compared(one),
            *_stated(schema, one, texts),
            *_precedents(one),
        )
        for one in candidates
    ]


def _own(schema: Schema, candidate: Candidate, text: str) -> tuple[float, ...]:
    words, hit = words_of_rows(schema)[candidate.row_id], candidate.hits[0]
    kind = words.row.value_type
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
        float(len(text.split())),
        float(words.is_yes_no),
        float(kind is ValueType.MULTI_SELECT),
        float(kind in SAID_TYPES),
        float(kind is ValueType.TEXT),
        float(words.is_cued(stems(text))),
        float(bool(words.cues)),
        candidate.match,
    )


def _rare(schema: Schema, row_id: str, text: str) -> tuple[float, ...]:
    rarity, said = rarity_of(schema), stems(text)
    name, options = rarity.name(row_id, said), rarity.options(row_id, said)
    has_options = bool(schema.row(row_id).options)
    best = both = 0.0
    for clause in _clauses(text):
        share = rarity.name(row_id, clause).share
        best = max(best, share)
        both = max(both, share * (rarity.options(row_id, clause).share if has_options else 1.0))
    return (name.share, name.rarest, options.weight, options.owners, options.share, best, both)


@of_vocabularies
def _clauses(text: str) -> tuple[frozenset[str], ...]:
    return tuple(filter(None, (stems(text[start:end]) for start, end in clauses(text))))


class _Rivals:
    """The hits of each sentence, for comparison."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        hits: dict[int, list[tuple[str, Hit]]] = defaultdict(list)
        for candidate in candidates:
            for hit in candidate.hits:
                hits[hit.segment].append((candidate.row_id, hit))
        matches: dict[int, list[float]] = defaultdict(list)
        for candidate in candidates:
            matches[candidate.segment].append(candidate.match)
        self._best = {
            place: (
                max(hit.relevance for _, hit in of),
                max(hit.fit for _, hit in of),
                max(hit.name_said for _, hit in of),
                max(matches[place], default=math.nan),
                len(of),
            )
            for place, of in hits.items()
        }
        self._rank = {
            (place, row_id): rank
            for place, of in hits.items()
            for rank, (row_id, _) in enumerate(sorted(of, key=lambda one: (-one[1].fit, one[0])))
        }

    def compared(self, candidate: Candidate) -> tuple[float, ...]:
        hit = candidate.hits[0]
        relevance, fit, name, match, count = self._best[hit.segment]
        return (
            hit.relevance - relevance,
            hit.fit - fit,
            float(min(self._rank[hit.segment, candidate.row_id], _LAST_RANK)),
            hit.name_said - name,
            candidate.match - match,
            float(count),
        )


def _stated(schema: Schema, candidate: Candidate, texts: dict[int, str]) -> tuple[float, ...]:
    row, text = schema.row(candidate.row_id), texts[candidate.segment]
    fit = number_fit(row, text)
    return (
        is_measured(schema, row, [texts[hit.segment] for hit in candidate.hits]),
        fit.unit,
        fit.within,
        float(len(numbers(text))),
        side_said(schema, row.id, text),
        instance_said(schema, row.id, text),
        math.log(len(schema.rows)),
    )


def is_measured(schema: Schema, row: Row, texts: Sequence[str]) -> float:
    """Whether a text states the row's measurement with its number, 0 or 1; NaN if it is no known measurement."""
    own = measurements_of_rows(schema).get(row.id)
    return float(any(own & measured_in(schema, text).measured for text in texts)) if own else math.nan


def side_said(schema: Schema, row_id: str, text: str) -> float:
    """1 if a text says the side of the row alone, 0 if the other one, 0.5 if both or none; NaN without a side."""
    side = meaning_of(schema).of(row_id).laterality
    if side is None:
        return math.nan
    said = sides_in(text)
    return 0.5 if len(said) != 1 else float(side in said)


def instance_said(schema: Schema, row_id: str, text: str) -> float:
    """Whether a text has a word of the group that the row's instance belongs to, 0 or 1; NaN without an instance."""
    instance = meaning_of(schema).of(row_id).instance
    return math.nan if instance is None else float(bool(stems(instance.group) & stems(text)))


def _precedents(candidate: Candidate) -> tuple[float, ...]:
    precedent = candidate.hits[0].precedent
    return (
        precedent.nearest if precedent else math.nan,
        precedent.clause_nearest if precedent else math.nan,
        precedent.vote if precedent else math.nan,
        precedent.score if precedent else math.nan,
        candidate.frequency,
        candidate.largest_vote,
        candidate.largest_score,
        candidate.largest_nearest,
    )
