"""Schema reduction: from the whole schema to the rows that the segments can mean (SchemaRAG, section 3.1).

Every sentence and each of its clauses brings its nearest rows (a sentence with three findings is near to none of them),
and so do annotated sentences that are like it, where a hospital has any. Boosted trees then keep the rows that are
likely enough to be worth a question. Their features name no row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from extraction.estimators.boosted_trees import TreeModel
from extraction.flowsheet.naming.instance_families import families_of, named_rows
from extraction.flowsheet.naming.unique_options import own_options
from extraction.flowsheet.schema import SAID_TYPES, Row, Schema, ValueType, of_schema
from extraction.flowsheet.values import Neighbour
from extraction.language.clock_times import clocks
from extraction.language.numbers import numbers, shares
from extraction.language.sentences import Segment, clauses
from extraction.language.vocabulary.words import numbered, stems
from extraction.preparation.observation_times import named_times
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema
from extraction.retrieval.exemplars import ExemplarBook, Precedent, Precedents
from extraction.retrieval.index import Embedder, RowIndex, rows_of_whole_options
from extraction.retrieval.prior_features import NO_RANK, RowWords, features_of_words, words_of_rows

_PER_CLAUSE = 3
_PER_SEGMENT = 8
# Of rows that words alone bring to a sentence, those that it names best: a schema of tens of thousands has thousands.
_PER_SEGMENT_BY_WORDS = 64
# Share of common words from which two names are those of siblings; a long list of options in common needs less.
_ALIKE = 0.4
_ALIKE_LISTS = 0.25
_LONG_LIST = 6
# From which vote, score and similarity of a clause exemplars bring a row that no embedding of its own brought.
_BRING = (0.03, 0.08, 0.55)


@dataclass(frozen=True, slots=True)
class _Named:
    """Ids of the rows that a sentence names.

    Attributes:
        times: rows that record a time, which a clause names beside a time of day.
        own: rows of which it says an option that no other row has.
        instances: rows of a line, drain or wound that it speaks of, which it names or says an option of.
    """

    times: frozenset[str]
    own: frozenset[str]
    instances: frozenset[str]


class _NamedRows(dict[str, _Named]):
    """The rows that sentences name, by their text; a sentence is looked at once."""

    def __init__(self, schema: Schema) -> None:
        super().__init__()
        self._schema = schema

    def __missing__(self, text: str) -> _Named:
        schema = self._schema
        times, own = named_times(schema, text), own_options(schema, text)
        found = self[text] = _Named(frozenset(times), frozenset(own), named_rows(schema, text))
        return found


@of_schema
def _named_rows(schema: Schema) -> _NamedRows:
    return _NamedRows(schema)


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
    words = words_of_rows(schema)
    priors = model.probabilities([features_of_words(words[candidate.row_id], candidate) for candidate in candidates])
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
    by_text = _named_rows(schema)
    named = {segment.index: by_text[segment.text].times for segment in segments}
    return [one for one in weighed if one.row_id not in asked and one.row_id in named[one.segment]]


def _named_instances(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], selected: ReducedSchema
) -> list[Candidate]:
    """Rows of lines, drains and wounds that exist more than once, which no sibling of was selected for a sentence that
    speaks of one of these and names the row or says an option of it (see
    `extraction.preparation.instance_assignment`)."""
    by_text = _named_rows(schema)
    named = {segment.index: sorted(by_text[segment.text].instances) for segment in segments}
    if not any(named.values()):
        return []
    siblings = {row.id: rows for family in families_of(schema) for rows in family.siblings for row in rows}
    asked = {(hit.segment, one.row_id) for one in selected.candidates for hit in one.hits}
    by_id = {candidate.row_id: candidate for candidate in weighed}
    found = []
    for segment in segments:
        for row_id in named[segment.index]:
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
    named, found = _named_rows(schema), dict[str, Candidate]()
    for segment in segments:
        for row_id in sorted(named[segment.text].own - asked - found.keys()):
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
    words = words_of_rows(schema)
    unsaid: dict[str, tuple[int, int]] = {}
    together: dict[tuple[object, ...], list[str]] = {}
    for candidate in candidates:
        of, segment = words[candidate.row_id], candidate.segment
        unsaid[candidate.row_id] = (len(of.name - texts[segment]), len(of.numbered - instances))
        together.setdefault((segment, *of.kind), []).append(candidate.row_id)
    for rows in together.values():
        rows.sort(key=unsaid.__getitem__)

    def has_better_sibling(candidate: Candidate) -> bool:
        own = words[candidate.row_id]
        if not (own.row.options or own.row.unit):
            return False  # yes/no rows and texts take the same values without being siblings
        for other in together[(candidate.segment, *own.kind)]:
            if unsaid[other] >= unsaid[candidate.row_id]:
                return False
            if _alike(own.row, own.name, words[other].name):
                return True
        return False

    return [candidate for candidate in candidates if not has_better_sibling(candidate)]


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
                one.rank[is_clause] = min(one.rank.get(is_clause, NO_RANK), len(rows))
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
    words, sentences = words_of_rows(schema), _Sentences(segments)
    return [
        _candidate(words[row_id], sentences, by_place, precedents)
        for row_id, by_place in found.items()
        if words[row_id].row.unit_of is None
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


class _Sentences:
    """The segments as rows look at them: their words, and whether a number or a time is said in or beside each."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = segments
        self.words = [stems(segment.text) for segment in segments]

    def __len__(self) -> int:
        return len(self.segments)

    @cached_property
    def with_number(self) -> list[bool]:
        return self._beside([bool(numbers(one.text) or shares(one.text)) for one in self.segments])

    @cached_property
    def with_time(self) -> list[bool]:
        return self._beside([bool(clocks(one.text)) for one in self.segments])

    @staticmethod
    def _beside(found: Sequence[bool]) -> list[bool]:
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


def _said_by_words(schema: Schema, segment: Segment) -> set[str]:
    """Rows that the embeddings may miss among others of the same sentence: all words of one of their options were said,
    and a word of their name, or an option that no other row has; of a row that records a time, all words of its name
    beside a time of day; or a line, drain or wound with what the row records of it."""
    said = stems(segment.text)
    words = words_of_rows(schema)
    shares = {row_id: words[row_id].named(said)[0] for row_id in rows_of_whole_options(schema, said)}
    best = sorted((-share, row_id) for row_id, share in shares.items() if share)[:_PER_SEGMENT_BY_WORDS]
    by_words = {row_id for _, row_id in best}
    named = _named_rows(schema)[segment.text]
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
    """Of numbers and times whether there is any in or beside the sentence."""
    if row.value_type not in SAID_TYPES:
        return 0.0
    is_time = row.value_type in (ValueType.TIME, ValueType.DATE_TIME)
    return float((sentences.with_time if is_time else sentences.with_number)[place])
