"""Schema reduction: from the whole schema to the rows that the segments can mean (SchemaRAG, section 3.1).

Every sentence and each of its clauses brings its nearest rows (a sentence with three findings is near to none of them),
and so do annotated sentences that are like it, where a hospital has any. Boosted trees then keep the rows that are
likely enough to be worth a question. Their features name no row.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from extraction.exemplars import ExemplarBook, Precedent, Precedents
from extraction.families import families_of, named_rows
from extraction.index import Embedder, RowIndex, rows_of_whole_options
from extraction.lexical import best_share, most_words, numbered, stems, whole_words
from extraction.moments import clock_spans, named_times
from extraction.own_options import own_options
from extraction.schema import SAID_TYPES, Row, Schema, ValueType
from extraction.segment import Segment, clauses
from extraction.spoken import numbers, shares, times
from extraction.trees import TreeModel
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
_PER_CLAUSE = 3
_PER_SEGMENT = 8
# Share of common words from which two names are those of siblings; a long list of options in common needs less.
_ALIKE = 0.4
_ALIKE_LISTS = 0.25
_LONG_LIST = 6
_NO_RANK = 12
# How much the words of row name and value, and what exemplars say, count beside the cosine when a row's best sentence
# is chosen.
_WORD_WEIGHT = 0.3
_PRECEDENT_WEIGHT = 0.3
# From which vote, score and similarity of a clause exemplars bring a row that no embedding of its own brought.
_BRING = (0.03, 0.08, 0.55)


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that brought a row.

    Attributes:
        relevance: cosine similarity of the row to the segment or its nearest clause, -1 to 1.
        sentence_relevance, clause_relevance: each of them alone; 0 where it did not bring the row.
        sentence_rank, clause_rank: place among the rows brought, 0 is nearest; 12 where it did not bring the row.
        name_said, value_said: which share of the words of the row's name and of one of its values was said, 0 to 1.
        name_words, value_words: how many words of the name, and of a value of which all were said.
        precedent: what exemplars say; None where there are none.
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
    name_words: int = 0
    value_words: int = 0
    precedent: Precedent | None = None

    @property
    def fit(self) -> float:
        """How well the segment suits the row: by meaning, by words, and by what annotated sentences did."""
        marked = self.precedent.weight if self.precedent else 0.0
        return self.relevance + _WORD_WEIGHT * (self.name_said + self.value_said) + _PRECEDENT_WEIGHT * marked


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of the reduced schema with every segment that brought it, the best fitting first.

    Attributes:
        prior: probability, before the filler was asked, that the dictation states the row.
        frequency: log-odds that an annotated case fills the row; NaN where there are none.
        largest_vote, largest_score, largest_nearest: over all segments, see `Precedent` (the last is of clauses).
    """

    row_id: str
    hits: tuple[Hit, ...]
    prior: float = 0.5
    frequency: float = math.nan
    largest_vote: float = math.nan
    largest_score: float = math.nan
    largest_nearest: float = math.nan

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
    model: TreeModel,
    book: ExemplarBook | None = None,
) -> ReducedSchema:
    """The rows near a segment or one of its clauses, or filled by exemplars like it, that `model` finds likely enough.

    The paper stops after k embeddings, whatever rows they map to; here each sentence is given `top_k` different rows,
    so that a row with many synonyms does not crowd out the others. A row that records another row's unit follows its
    number and is no candidate.
    """
    weighed = weigh(schema, pool(schema, segments, index, embedder, top_k, book), model)
    return worth_asking(schema, segments, weighed, model.keep_from)


def worth_asking(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], keep_from: float
) -> ReducedSchema:
    """Of all weighed candidates those that are likely enough, and those that the words of a segment name."""
    selected = select(schema, segments, weighed, keep_from)
    more = (
        *_named_times(schema, segments, weighed, selected),
        *_named_instances(schema, segments, weighed, selected),
        *_rows_of_own_options(schema, segments, weighed, selected),
    )
    return ReducedSchema((*selected.candidates, *more))


def weigh(schema: Schema, candidates: Sequence[Candidate], model: TreeModel) -> list[Candidate]:
    """The candidates with their priors."""
    priors = model.probabilities([features(schema.row(candidate.row_id), candidate) for candidate in candidates])
    return [replace(candidate, prior=float(prior)) for candidate, prior in zip(candidates, priors, strict=True)]


def select(
    schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate], keep_from: float
) -> ReducedSchema:
    """The weighed candidates that are worth a question, likeliest first."""
    likely = [candidate for candidate in candidates if candidate.prior >= keep_from]
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


def _named_times(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], selected: ReducedSchema
) -> list[Candidate]:
    """Rows that record a time and were not selected, where one clause names them and says a time of day."""
    asked = {candidate.row_id for candidate in selected.candidates}
    named = {segment.index: named_times(schema, segment.text) for segment in segments}
    return [one for one in weighed if one.row_id not in asked and one.row_id in named[one.segment]]


def _named_instances(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], selected: ReducedSchema
) -> list[Candidate]:
    """Rows of lines, drains and wounds that exist more than once, which no sibling of was selected for a sentence that
    speaks of one of these and names the row or says an option of it (see `extraction.instances`)."""
    siblings = {row.id: rows for family in families_of(schema) for rows in family.siblings for row in rows}
    asked = {(hit.segment, one.row_id) for one in selected.candidates for hit in one.hits}
    by_id = {candidate.row_id: candidate for candidate in weighed}
    found = []
    for segment in segments:
        for row_id in sorted(named_rows(schema, segment.text)):
            if not any((segment.index, row.id) in asked for row in siblings[row_id]):
                hits = tuple(hit for hit in by_id[row_id].hits if hit.segment == segment.index)
                found.append(replace(by_id[row_id], hits=hits))
    return found


def _rows_of_own_options(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], selected: ReducedSchema
) -> list[Candidate]:
    """Rows that were not selected, of which a sentence says an option that no other row has."""
    asked = {candidate.row_id for candidate in selected.candidates}
    by_id = {candidate.row_id: candidate for candidate in weighed}
    found: dict[str, Candidate] = {}
    for segment in segments:
        for row_id in sorted(own_options(schema, segment.text).keys() - asked - found.keys()):
            hits = by_id[row_id].hits
            best = next(hit for hit in hits if hit.segment == segment.index)
            found[row_id] = replace(by_id[row_id], hits=(best, *(hit for hit in hits if hit is not best)))
    return list(found.values())


def _best_named(schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of sibling rows that one sentence brought (left and right, first and second wound), those that it names best.

    Fewer words of the name left unsaid in the sentence count first, then a number in the name ("Wound 2") that the
    dictation never said with its word; equals all stay.
    """
    texts = {segment.index: stems(segment.text) for segment in segments}
    instances = frozenset[tuple[str, str]]().union(*(numbered(segment.text) for segment in segments))
    names = {candidate.row_id: stems(schema.row(candidate.row_id).name) for candidate in candidates}

    unsaid = {
        candidate.row_id: (
            len(names[candidate.row_id] - texts[candidate.segment]),
            len(numbered(schema.row(candidate.row_id).name) - instances),
        )
        for candidate in candidates
    }
    together: dict[tuple[object, ...], list[str]] = {}
    for candidate in candidates:
        together.setdefault((candidate.segment, *_kind(schema.row(candidate.row_id))), []).append(candidate.row_id)
    for rows in together.values():
        rows.sort(key=unsaid.__getitem__)

    def has_better_sibling(candidate: Candidate) -> bool:
        row = schema.row(candidate.row_id)
        if not (row.options or row.unit):
            return False  # yes/no rows and texts take the same values without being siblings
        for other in together[(candidate.segment, *_kind(row))]:
            if unsaid[other] >= unsaid[row.id]:
                return False
            if _alike(row, names[row.id], names[other]):
                return True
        return False

    return [candidate for candidate in candidates if not has_better_sibling(candidate)]


def _kind(row: Row) -> tuple[object, ...]:
    """The values that siblings have in common."""
    return (row.value_type, row.option_names, row.unit)


def _alike(row: Row, name: frozenset[str], other_name: frozenset[str]) -> bool:
    """Whether the names of two rows that take the same values differ in a word or two."""
    alike = _ALIKE_LISTS if len(row.options) >= _LONG_LIST else _ALIKE
    return len(name & other_name) >= alike * len(name | other_name)


def pool(
    schema: Schema,
    segments: Sequence[Segment],
    index: RowIndex,
    embedder: Embedder,
    top_k: int,
    book: ExemplarBook | None = None,
) -> list[Candidate]:
    """Every row near a segment or one of its clauses, or brought by exemplars, before any is weighed."""
    queries = [(place, text) for place, s in enumerate(segments) for text in (s.text, *clauses(s.text))]
    if not queries:
        return []
    vectors = embedder.encode([text for _, text in queries])
    whole = [number for number, (place, text) in enumerate(queries) if text is segments[place].text]
    parts = sorted(set(range(len(queries))) - set(whole))
    found: dict[str, dict[int, _Found]] = {}
    for (place, text), nearest in zip(queries, index.nearest(vectors, 6 * top_k), strict=True):
        is_clause = text is not segments[place].text
        rows: set[str] = set()
        for entry, similarity in nearest:
            for row_id in entry.row_ids:
                if row_id in rows or len(rows) >= (_PER_CLAUSE if is_clause else top_k):
                    continue
                neighbour = Neighbour(entry.kind, entry.text, segments[place].index)
                one = found.setdefault(row_id, {}).setdefault(place, _Found(neighbour))
                if similarity > max(one.similarity.values(), default=-1.0):
                    one.neighbour = neighbour
                one.similarity[is_clause] = max(one.similarity.get(is_clause, 0.0), similarity)
                one.rank[is_clause] = min(one.rank.get(is_clause, _NO_RANK), len(rows))
                rows.add(row_id)
    for place, number in enumerate(whole):
        for row_id in sorted(_said_by_words(schema, segments[place])):
            if place not in found.get(row_id, {}):
                neighbour = Neighbour("words", schema.row(row_id).name, segments[place].index)
                by_words = _Found(neighbour, {False: index.similarity(row_id, vectors[number])})
                found.setdefault(row_id, {})[place] = by_words
    precedents = None
    if book is not None:
        precedents = book.precedents(vectors[whole], vectors[parts], [queries[number][0] for number in parts])
        _brought_by_exemplars(schema, segments, precedents, found)
    return [
        _candidate(schema.row(row_id), segments, by_place, precedents)
        for row_id, by_place in found.items()
        if schema.row(row_id).unit_of is None
    ]


def _brought_by_exemplars(
    schema: Schema, segments: Sequence[Segment], precedents: Precedents, found: dict[str, dict[int, _Found]]
) -> None:
    """Adds the rows that only exemplars bring, at the segment that they mark most."""
    for row_id in precedents.rows(*_BRING):
        if row_id in schema.by_id and row_id not in found:
            place = max(range(len(segments)), key=lambda place, row_id=row_id: precedents.at(place, row_id).weight)  # type: ignore[misc]
            neighbour = Neighbour("example", schema.row(row_id).name, segments[place].index)
            found[row_id] = {place: _Found(neighbour)}


def _candidate(
    row: Row, segments: Sequence[Segment], by_place: dict[int, _Found], precedents: Precedents | None
) -> Candidate:
    if precedents is None:
        hits = [_hit(row, segments, place, one) for place, one in by_place.items()]
        return Candidate(row.id, tuple(sorted(hits, key=lambda hit: -hit.fit)))
    marked = [(place, _hit(row, segments, place, one, precedents.at(place, row.id))) for place, one in by_place.items()]
    marked.sort(key=lambda pair: -pair[1].fit)
    place, best = marked[0]
    assert best.precedent is not None
    best = replace(best, precedent=precedents.with_values(best.precedent, place, row.id))
    everywhere = [precedents.at(place, row.id) for place in range(len(segments))]
    return Candidate(
        row.id,
        (best, *(hit for _, hit in marked[1:])),
        frequency=precedents.book.frequency(row.id),
        largest_vote=max(precedent.vote for precedent in everywhere),
        largest_score=max(precedent.score for precedent in everywhere),
        largest_nearest=max(precedent.clause_nearest for precedent in everywhere),
    )


def _said_by_words(schema: Schema, segment: Segment) -> set[str]:
    """Rows that the embeddings may miss among others of the same sentence: all words of one of their options were said,
    and a word of their name, or an option that no other row has; of a row that records a time, all words of its name
    beside a time of day; or a line, drain or wound with what the row records of it."""
    said = stems(segment.text)
    by_words = {
        row.id
        for row in map(schema.row, rows_of_whole_options(schema, said))
        if best_share((row.name, *row.synonyms), said) > 0
    }
    return (
        named_times(schema, segment.text)
        | by_words
        | own_options(schema, segment.text).keys()
        | named_rows(schema, segment.text)
    )


def _hit(row: Row, segments: Sequence[Segment], place: int, found: _Found, precedent: Precedent | None = None) -> Hit:
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
        name_words=most_words((row.name, *row.synonyms), said),
        value_words=whole_words((name for option in row.options for name in (option.name, *option.synonyms)), said),
        precedent=precedent,
    )


def _value_said(row: Row, segments: Sequence[Segment], place: int, said: frozenset[str]) -> float:
    """Options: the best share of one's words. Numbers and times: whether there is any in or beside the sentence."""
    if row.options:
        return max(best_share((option.name, *option.synonyms), said) for option in row.options)
    if row.value_type in SAID_TYPES:
        near = segments[max(place - 1, 0) : place + 2]
        if row.value_type in (ValueType.TIME, ValueType.DATE_TIME):
            return float(any(times(segment.text) or clock_spans(segment.text) for segment in near))
        return float(any(numbers(segment.text) or shares(segment.text) for segment in near))
    return 0.0


def features(row: Row, candidate: Candidate) -> tuple[float, ...]:
    """The numbers named in FEATURES, in their order; NaN for what only exemplars could tell."""
    hit, kind = candidate.hits[0], row.value_type
    precedent = hit.precedent
    return (
        hit.relevance,
        hit.sentence_relevance,
        hit.clause_relevance,
        float(min(hit.sentence_rank, _NO_RANK)),
        float(min(hit.clause_rank, _NO_RANK)),
        hit.name_said,
        hit.value_said,
        hit.name_said * hit.value_said,
        float(hit.name_words),
        float(hit.value_words),
        float(min(len(candidate.hits), 5)),
        float(is_yes_no(row)),
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


def is_yes_no(row: Row) -> bool:
    """Whether the row is answered with yes or no, however the schema puts it."""
    return row.value_type is ValueType.YES_NO or {name.casefold() for name in row.option_names} == {"yes", "no"}
