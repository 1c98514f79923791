"""Schema reduction: from the whole schema to the rows that the segments can mean (SchemaRAG, section 3.1).

Every sentence and each of its clauses brings its nearest rows (a sentence with three findings is near to none of them);
a small logistic model then keeps those that are likely enough to be worth a question. Its features name no row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from extraction.index import Embedder, RowIndex, option_words
from extraction.lexical import best_share, numbered, stems
from extraction.logistic import LogisticModel
from extraction.schema import Row, Schema, ValueType
from extraction.segment import Segment, clauses
from extraction.spoken import numbers, times
from extraction.values import Neighbour

FEATURES = (
    "relevance",
    "sentence_relevance",
    "clause_relevance",
    "sentence_rank",
    "clause_rank",
    "name_said",
    "value_said",
    "name_and_value_said",
    "segments",
    "is_yes_no",
    "is_multi_select",
    "is_said",
    "is_text",
)
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAID_TYPES = frozenset(
    {
        ValueType.NUMERIC,
        ValueType.QUANTITY,
        ValueType.BLOOD_PRESSURE,
        ValueType.DATE,
        ValueType.TIME,
        ValueType.DATE_TIME,
    }
)
_PER_CLAUSE = 3
_PER_SEGMENT = 5
# Share of common words from which two names are those of siblings; a long list of options in common needs less.
_ALIKE = 0.4
_ALIKE_LISTS = 0.25
_LONG_LIST = 6
_NO_RANK = 12
# How much the words of row name and value count beside the cosine when a row's best sentence is chosen.
_WORD_WEIGHT = 0.3


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that brought a row.

    Attributes:
        relevance: cosine similarity of the row to the segment or its nearest clause, -1 to 1.
        sentence_relevance, clause_relevance: each of them alone; 0 where it did not bring the row.
        sentence_rank, clause_rank: place among the rows brought, 0 is nearest; 12 where it did not bring the row.
        name_said, value_said: which share of the words of the row's name and of one of its values was said, 0 to 1.
    """

    segment: int
    relevance: float
    sentence_relevance: float
    clause_relevance: float
    sentence_rank: int
    clause_rank: int
    name_said: float
    value_said: float
    neighbour: Neighbour

    @property
    def fit(self) -> float:
        """How well the segment suits the row, by meaning and by words."""
        return self.relevance + _WORD_WEIGHT * (self.name_said + self.value_said)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of the reduced schema with every segment that brought it, the best fitting first.

    `prior` is the probability, before the filler was asked, that the dictation states the row.
    """

    row_id: str
    hits: tuple[Hit, ...]
    prior: float = 0.5

    @property
    def relevance(self) -> float:
        """Cosine similarity of the row to its best segment, -1 to 1."""
        return self.hits[0].relevance

    @property
    def segment(self) -> int:
        """Index of its best segment."""
        return self.hits[0].segment


@dataclass(frozen=True, slots=True)
class ReducedSchema:
    """The candidates, likeliest first."""

    candidates: tuple[Candidate, ...]


@dataclass(slots=True)
class _Found:
    """What sentence and clauses of one segment say about one row, while it is gathered."""

    neighbour: Neighbour
    similarity: dict[bool, float] = field(default_factory=dict)
    rank: dict[bool, int] = field(default_factory=dict)


def reduce(
    schema: Schema,
    segments: Sequence[Segment],
    index: RowIndex,
    embedder: Embedder,
    top_k: int,
    model: LogisticModel,
) -> ReducedSchema:
    """The rows near a segment or one of its clauses that `model` finds likely enough.

    The paper stops after k embeddings, whatever rows they map to; here each sentence is given `top_k` different rows,
    so that a row with many synonyms does not crowd out the others. A row that records another row's unit follows its
    number and is no candidate.
    """
    pooled = pool(schema, segments, index, embedder, top_k)
    weighed = [
        Candidate(
            candidate.row_id, candidate.hits, model.probability(features(schema.row(candidate.row_id), candidate))
        )
        for candidate in pooled
    ]
    likely = [candidate for candidate in weighed if candidate.prior >= model.keep_from]
    kept = _best_named(
        schema, segments, sorted(likely, key=lambda candidate: (-candidate.prior, -candidate.hits[0].fit))
    )
    places: Counter[int] = Counter()
    within = []
    for candidate in kept:
        places[candidate.segment] += 1
        if places[candidate.segment] <= _PER_SEGMENT:
            within.append(candidate)
    return ReducedSchema(tuple(within))


def _best_named(schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of sibling rows that one sentence brought (left and right, first and second wound), those that it names best.

    Fewer words of the name left unsaid in the sentence count first, then a number in the name ("Wound 2") that the
    dictation never said with its word; equals all stay.
    """
    texts = {segment.index: stems(segment.text) for segment in segments}
    instances = frozenset[tuple[str, str]]().union(*(numbered(segment.text) for segment in segments))
    names = {candidate.row_id: stems(schema.row(candidate.row_id).name) for candidate in candidates}

    def unsaid(candidate: Candidate) -> tuple[int, int]:
        name = names[candidate.row_id]
        unheard = numbered(schema.row(candidate.row_id).name) - instances
        return len(name - texts[candidate.segment]), len(unheard)

    def has_better_sibling(candidate: Candidate) -> bool:
        row, mine = schema.row(candidate.row_id), unsaid(candidate)
        return any(
            other.segment == candidate.segment
            and unsaid(other) < mine
            and _siblings(row, schema.row(other.row_id), names[row.id], names[other.row_id])
            for other in candidates
        )

    return [candidate for candidate in candidates if not has_better_sibling(candidate)]


def _siblings(one: Row, other: Row, name: frozenset[str], other_name: frozenset[str]) -> bool:
    """Whether two rows take the same values under names that differ in a word or two."""
    same = (one.value_type, one.option_names, one.unit) == (other.value_type, other.option_names, other.unit)
    if one.id == other.id or not same or not (one.options or one.unit):
        return False  # yes/no rows and texts take the same values without being siblings
    alike = _ALIKE_LISTS if len(one.options) >= _LONG_LIST else _ALIKE
    return len(name & other_name) >= alike * len(name | other_name)


def pool(
    schema: Schema, segments: Sequence[Segment], index: RowIndex, embedder: Embedder, top_k: int
) -> list[Candidate]:
    """Every row near a segment or one of its clauses, before any is weighed."""
    queries = [(segment, text) for segment in segments for text in (segment.text, *clauses(segment.text))]
    if not queries:
        return []
    found: dict[str, dict[int, _Found]] = {}
    vectors = embedder.encode([text for _, text in queries])
    for (segment, text), nearest in zip(queries, index.nearest(vectors, 6 * top_k), strict=True):
        is_clause = text is not segment.text
        rows: set[str] = set()
        for entry, similarity in nearest:
            for row_id in entry.row_ids:
                if row_id in rows or len(rows) >= (_PER_CLAUSE if is_clause else top_k):
                    continue
                neighbour = Neighbour(entry.kind, entry.text, segment.index)
                one = found.setdefault(row_id, {}).setdefault(segment.index, _Found(neighbour))
                if similarity > max(one.similarity.values(), default=-1.0):
                    one.neighbour = neighbour
                one.similarity[is_clause] = max(one.similarity.get(is_clause, 0.0), similarity)
                one.rank[is_clause] = min(one.rank.get(is_clause, _NO_RANK), len(rows))
                rows.add(row_id)
    for segment, vector in zip(segments, _sentence_vectors(queries, vectors), strict=True):
        for row_id in sorted(_said_by_words(schema, segment)):
            if segment.index in found.get(row_id, {}):
                continue
            neighbour = Neighbour("words", schema.row(row_id).name, segment.index)
            by_words = _Found(neighbour, {False: index.similarity(row_id, vector)})
            found.setdefault(row_id, {})[segment.index] = by_words
    places = {segment.index: place for place, segment in enumerate(segments)}
    candidates = []
    for row_id, by_segment in found.items():
        row = schema.row(row_id)
        if row.unit_of is None:
            hits = [_hit(row, segments, places[index], one) for index, one in by_segment.items()]
            candidates.append(Candidate(row_id, tuple(sorted(hits, key=lambda hit: -hit.fit))))
    return candidates


def _sentence_vectors(
    queries: Sequence[tuple[Segment, str]], vectors: NDArray[np.float32]
) -> Iterator[NDArray[np.float32]]:
    return (vector for (segment, text), vector in zip(queries, vectors, strict=True) if text is segment.text)


def _said_by_words(schema: Schema, segment: Segment) -> set[str]:
    """Rows that the embeddings may miss among others of the same sentence: all words of one of their options were said,
    and a word of their name."""
    said = stems(segment.text)
    return {
        row.id
        for row in _rows_by_option_word(schema, said)
        if any(best_share((option.name, *option.synonyms), said) == 1.0 for option in row.options)
        and best_share((row.name, *row.synonyms), said) > 0
    }


def _rows_by_option_word(schema: Schema, said: frozenset[str]) -> Iterator[Row]:
    rows = option_words(schema)
    seen: set[str] = set()
    for word in said:
        for row_id in rows.get(word, ()):
            if row_id not in seen:
                seen.add(row_id)
                yield schema.row(row_id)


def _hit(row: Row, segments: Sequence[Segment], place: int, found: _Found) -> Hit:
    said = stems(segments[place].text)
    sentence, clause = found.similarity.get(False, 0.0), found.similarity.get(True, 0.0)
    return Hit(
        segment=segments[place].index,
        relevance=max(sentence, clause),
        sentence_relevance=sentence,
        clause_relevance=clause,
        sentence_rank=found.rank.get(False, _NO_RANK),
        clause_rank=found.rank.get(True, _NO_RANK),
        name_said=best_share((row.name, *row.synonyms), said),
        value_said=_value_said(row, segments, place, said),
        neighbour=found.neighbour,
    )


def _value_said(row: Row, segments: Sequence[Segment], place: int, said: frozenset[str]) -> float:
    """Options: the best share of one's words. Numbers and times: whether there is any in or beside the sentence."""
    if row.options:
        return max(best_share((option.name, *option.synonyms), said) for option in row.options)
    if row.value_type in SAID_TYPES:
        near = segments[max(place - 1, 0) : place + 2]
        find = times if row.value_type in (ValueType.TIME, ValueType.DATE_TIME) else numbers
        return float(any(find(segment.text) for segment in near))
    return 0.0


def features(row: Row, candidate: Candidate) -> tuple[float, ...]:
    """The numbers named in FEATURES, in their order."""
    hit, kind = candidate.hits[0], row.value_type
    return (
        hit.relevance,
        hit.sentence_relevance,
        hit.clause_relevance,
        float(min(hit.sentence_rank, _NO_RANK)),
        float(min(hit.clause_rank, _NO_RANK)),
        hit.name_said,
        hit.value_said,
        hit.name_said * hit.value_said,
        float(min(len(candidate.hits), 5)),
        float(is_yes_no(row)),
        float(kind is ValueType.MULTI_SELECT),
        float(kind in SAID_TYPES),
        float(kind is ValueType.TEXT),
    )


def is_yes_no(row: Row) -> bool:
    """Whether the row is answered with yes or no, however the schema puts it."""
    return row.value_type is ValueType.YES_NO or {name.casefold() for name in row.option_names} == {"yes", "no"}
