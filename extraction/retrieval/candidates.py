"""Candidate rows of a dictation, with the sentences and signals that retrieved them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.schema import SAID_TYPES, Row, Schema, ValueType, is_yes_no, of_schema
from extraction.flowsheet.values import Neighbour
from extraction.language.clock_times import clocks
from extraction.language.numbers import numbers, shares
from extraction.language.sentences import Segment, clauses
from extraction.language.vocabulary.words import numbered, stems
from extraction.retrieval.exemplars import ExemplarBook, Precedent, Precedents
from extraction.retrieval.index import Embedder, RowIndex, rows_of_whole_options
from extraction.retrieval.named_rows import named_rows

_PER_CLAUSE = 6
NO_RANK = 12  # rank of a row that the index did not retrieve
# Limit on rows retrieved by words alone, best names first; a schema of tens of thousands of rows has thousands.
_PER_SEGMENT_BY_WORDS = 64
_CUED = 0.5  # counts as this share of a row's name
# The vote, score and clause similarity above which exemplars retrieve a row that its own embeddings did not.
_BRING = (0.03, 0.08, 0.55)
# Weights of words and exemplars, relative to the cosine, when choosing a row's best sentence.
_WORD_WEIGHT = 0.3
_PRECEDENT_WEIGHT = 0.3
_WHOLE_NAME = 0.99  # of the words of a name; less than 1 for rounding


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that retrieved a row.

    Attributes:
        relevance: cosine similarity of the row to the segment or its nearest clause, -1 to 1.
        sentence_relevance, clause_relevance: each of the two; 0 if it did not retrieve the row.
        sentence_rank, clause_rank: rank among the rows retrieved, 0 is nearest; 12 if it did not retrieve the row.
        name_said, value_said: share of the words of the row's name and of one of its values that was said, 0 to 1.
        name_words, value_words: number of words said of the name, and of the longest value said completely.
        precedent: what exemplars say; None without exemplars.
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
        """How well the segment matches the row by meaning, by words, and by similar annotated sentences."""
        marked = self.precedent.weight if self.precedent else 0.0
        return self.relevance + _WORD_WEIGHT * (self.name_said + self.value_said) + _PRECEDENT_WEIGHT * marked

    @property
    def names_row(self) -> bool:
        """Whether the segment says the row's whole name."""
        return self.name_said >= _WHOLE_NAME


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of the reduced schema with every segment that retrieved it, best first.

    Attributes:
        match: log-odds that its best segment states it, by the statement matcher; NaN without one.
        prior: probability, before the filler is asked, that the dictation states the row.
        frequency: log-odds that an annotated case fills the row; NaN without cases.
        largest_vote, largest_score, largest_nearest: maxima over all segments, see `Precedent` (the last for clauses).
    """

    row_id: str
    hits: tuple[Hit, ...]
    match: float = math.nan
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
    """The candidates, likeliest first.

    Attributes:
        likely: by index of a segment, the rows that it may be about, also those that are not candidates; see
            `extraction.retrieval.likely_rows`.
    """

    candidates: tuple[Candidate, ...]
    likely: Mapping[int, tuple[str, ...]] = field(default_factory=dict)


class RowWords:
    """Stems of a row's names and options, computed once per schema."""

    __slots__ = ("cues", "is_yes_no", "kind", "name", "names", "numbered", "options", "row")

    def __init__(self, row: Row) -> None:
        self.row = row
        self.name = stems(row.name)
        self.names = tuple(map(stems, row.names))
        self.options = tuple(tuple(map(stems, option.forms)) for option in row.options)
        self.cues = tuple(filter(None, map(stems, row.cues)))
        self.numbered = numbered(row.name)
        self.kind = (row.value_type, row.option_names, row.unit)  # siblings have these in common
        self.is_yes_no = is_yes_no(row)

    def named(self, said: frozenset[str]) -> tuple[float, int]:
        """The largest share of words said of any of the row's names, 0 to 1, and the most words said of one name."""
        share, words = 0.0, 0
        for name in self.names:
            if common := len(name & said):
                share, words = max(share, common / len(name)), max(words, common)
        return share, words

    def optioned(self, said: frozenset[str]) -> tuple[float, int]:
        """The same share for its options, and the number of words in the longest option said completely."""
        share, whole = 0.0, 0
        for names in self.options:
            for name in names:
                if common := len(name & said):
                    share = max(share, common / len(name))
                    whole = max(whole, common) if common == len(name) else whole
        return share, whole

    def is_cued(self, said: frozenset[str]) -> bool:
        """Whether words that show that a sentence is about the row were said."""
        return any(cue <= said for cue in self.cues)


class _Words(dict[str, RowWords]):
    """The words of each row by its id, computed on first access."""

    def __init__(self, rows: Sequence[Row]) -> None:
        super().__init__()
        self._rows = {row.id: row for row in rows}

    def __missing__(self, row_id: str) -> RowWords:
        found = self[row_id] = RowWords(self._rows[row_id])
        return found


@of_schema
def words_of_rows(schema: Schema) -> _Words:
    return _Words(as_spoken(schema).rows)


@dataclass(slots=True)
class _Found:
    """What the sentence and clauses of one segment contribute to one row."""

    neighbour: Neighbour
    similarity: dict[bool, float] = field(default_factory=dict)
    rank: dict[bool, int] = field(default_factory=dict)


def pool(
    schema: Schema,
    segments: Sequence[Segment],
    index: RowIndex,
    embedder: Embedder,
    top_k: int,
    book: ExemplarBook | None = None,
) -> list[Candidate]:
    """Every row near a segment or one of its clauses, or retrieved by words or exemplars, before weighing."""
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
            if entry.row_id in rows or len(rows) >= (_PER_CLAUSE if is_clause else top_k):
                continue
            neighbour = Neighbour(entry.kind, entry.text, segments[place].index)
            one = found.setdefault(entry.row_id, {}).setdefault(place, _Found(neighbour))
            if similarity > max(one.similarity.values(), default=-1.0):
                one.neighbour = neighbour
            one.similarity[is_clause] = max(one.similarity.get(is_clause, 0.0), similarity)
            one.rank[is_clause] = min(one.rank.get(is_clause, NO_RANK), len(rows))
            rows.add(entry.row_id)
    for place, number in enumerate(whole):
        for row_id in sorted(_rows_by_words(schema, segments[place])):
            if place not in found.get(row_id, {}):
                neighbour = Neighbour("words", schema.row(row_id).name, segments[place].index)
                by_words = _Found(neighbour, {False: index.similarity(row_id, vectors[number])})
                found.setdefault(row_id, {})[place] = by_words
    precedents = None
    if book is not None:
        precedents = book.precedents(vectors[whole], vectors[parts], [queries[number][0] for number in parts])
        _add_rows_of_exemplars(schema, segments, precedents, found)
    words, sentences = words_of_rows(schema), _Sentences(segments)
    return [
        _candidate(words[row_id], sentences, by_place, precedents)
        for row_id, by_place in found.items()
        if words[row_id].row.unit_of is None
    ]


def _add_rows_of_exemplars(
    schema: Schema, segments: Sequence[Segment], precedents: Precedents, found: dict[str, dict[int, _Found]]
) -> None:
    """Adds rows retrieved only by exemplars, at the segment with the largest weight."""
    for row_id in precedents.rows(*_BRING):
        if row_id in schema.by_id and row_id not in found:
            place = max(range(len(segments)), key=lambda place, row_id=row_id: precedents.at(place, row_id).weight)  # type: ignore[misc]
            neighbour = Neighbour("example", schema.row(row_id).name, segments[place].index)
            found[row_id] = {place: _Found(neighbour)}


class _Sentences:
    """The segments' words, and whether each or an adjacent segment has a number or a time."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        self.words = [stems(segment.text) for segment in segments]

    def __len__(self) -> int:
        return len(self.segments)

    @cached_property
    def with_number(self) -> list[bool]:
        return self._or_adjacent([bool(numbers(one.text) or shares(one.text)) for one in self.segments])

    @cached_property
    def with_time(self) -> list[bool]:
        return self._or_adjacent([bool(clocks(one.text)) for one in self.segments])

    @staticmethod
    def _or_adjacent(found: Sequence[bool]) -> list[bool]:
        return [any(found[max(place - 1, 0) : place + 2]) for place in range(len(found))]


def _candidate(
    words: RowWords, sentences: _Sentences, by_place: dict[int, _Found], precedents: Precedents | None
) -> Candidate:
    row = words.row
    if precedents is None:
        hits = [_hit(words, sentences, place, one) for place, one in by_place.items()]
        return Candidate(row.id, tuple(sorted(hits, key=lambda hit: -hit.fit)))
    marked = [
        (place, _hit(words, sentences, place, one, precedents.at(place, row.id))) for place, one in by_place.items()
    ]
    marked.sort(key=lambda pair: -pair[1].fit)
    place, best = marked[0]
    assert best.precedent is not None
    best = replace(best, precedent=precedents.with_values(best.precedent, place, row.id))
    everywhere = [precedents.at(place, row.id) for place in range(len(sentences))]
    return Candidate(
        row.id,
        (best, *(hit for _, hit in marked[1:])),
        frequency=precedents.book.frequency(row.id),
        largest_vote=max(precedent.vote for precedent in everywhere),
        largest_score=max(precedent.score for precedent in everywhere),
        largest_nearest=max(precedent.clause_nearest for precedent in everywhere),
    )


def _rows_by_words(schema: Schema, segment: Segment) -> set[str]:
    """Rows that embeddings may miss because the sentence has several topics.

    A row whose option is said completely, with a word of the row's name or one that shows what the sentence is about;
    a row with a unique option; a time row whose whole name is said with a time of day; or a property of a line, drain
    or wound.
    """
    said = stems(segment.text)
    words = words_of_rows(schema)
    shares = {
        row_id: max(words[row_id].named(said)[0], _CUED * words[row_id].is_cued(said))
        for row_id in rows_of_whole_options(schema, said)
    }
    best = sorted((-share, row_id) for row_id, share in shares.items() if share)[:_PER_SEGMENT_BY_WORDS]
    by_words = {row_id for _, row_id in best}
    named = named_rows(schema)[segment.text]
    return by_words | named.times | named.own | named.instances


def _hit(words: RowWords, sentences: _Sentences, place: int, found: _Found, precedent: Precedent | None = None) -> Hit:
    name_said, name_words = words.named(sentences.words[place])
    option_said, value_words = words.optioned(sentences.words[place])
    sentence, clause = found.similarity.get(False, 0.0), found.similarity.get(True, 0.0)
    return Hit(
        segment=sentences.segments[place].index,
        relevance=max(sentence, clause),
        sentence_relevance=sentence,
        clause_relevance=clause,
        sentence_rank=found.rank.get(False, NO_RANK),
        clause_rank=found.rank.get(True, NO_RANK),
        name_said=name_said,
        value_said=option_said if words.row.options else _value_said(words.row, sentences, place),
        neighbour=found.neighbour,
        name_words=name_words,
        value_words=value_words,
        precedent=precedent,
    )


def _value_said(row: Row, sentences: _Sentences, place: int) -> float:
    """For numbers and times, 1 if any is said in the sentence or an adjacent one, else 0."""
    if row.value_type not in SAID_TYPES:
        return 0.0
    is_time = row.value_type in (ValueType.TIME, ValueType.DATE_TIME)
    return float((sentences.with_time if is_time else sentences.with_number)[place])
