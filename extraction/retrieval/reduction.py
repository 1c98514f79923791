"""Schema reduction: narrows the schema to the rows that the segments can mean (SchemaRAG, section 3.1).

Every sentence and each of its clauses retrieves its nearest rows (a sentence with three findings is near none of them),
and so do similar annotated sentences if a hospital has any. Boosted trees then keep the rows that are likely enough to
be worth a question. Their features do not identify rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from extraction.estimators.boosted_trees import TreeModel
from extraction.estimators.statement_matcher import Matcher
from extraction.flowsheet.naming.instance_families import families_of
from extraction.flowsheet.schema import Row, Schema
from extraction.language.sentences import Segment
from extraction.language.vocabulary.words import numbered, stems
from extraction.retrieval.candidates import Candidate, ReducedSchema, pool, words_of_rows
from extraction.retrieval.exemplars import ExemplarBook
from extraction.retrieval.index import Embedder, RowIndex
from extraction.retrieval.likely_rows import likely_rows
from extraction.retrieval.named_rows import named_rows
from extraction.retrieval.prior_features import prior_features
from extraction.retrieval.statements import matched

_PER_SEGMENT = 16
# Share of common words that makes two names siblings; a long list of shared options requires less.
_ALIKE = 0.4
_ALIKE_LISTS = 0.25
_LONG_LIST = 6


def reduce(
    schema: Schema,
    segments: Sequence[Segment],
    index: RowIndex,
    embedder: Embedder,
    top_k: int,
    model: TreeModel,
    book: ExemplarBook | None = None,
    matcher: Matcher | None = None,
) -> ReducedSchema:
    """The rows near a segment or one of its clauses, or filled by similar exemplars, that `model` finds likely enough.

    The paper stops after k embeddings, whatever rows they map to; here each sentence retrieves `top_k` different rows,
    so that a row with many synonyms does not crowd out others. Unit rows follow their number and are not candidates.
    """
    pooled = matched(schema, segments, pool(schema, segments, index, embedder, top_k, book), matcher)
    weighed = weigh(schema, segments, pooled, model)
    return replace(worth_asking(schema, segments, weighed, model.keep_from), likely=likely_rows(weighed))


def worth_asking(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], keep_from: float
) -> ReducedSchema:
    """The weighed candidates that are likely enough, and those that a segment names."""
    selected = select(schema, segments, weighed, keep_from)
    more = (
        *_named_times(schema, segments, weighed, selected),
        *_named_instances(schema, segments, weighed, selected),
        *_rows_of_own_options(schema, segments, weighed, selected),
    )
    return ReducedSchema((*selected.candidates, *more))


def weigh(
    schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate], model: TreeModel
) -> list[Candidate]:
    """Sets the priors of the candidates."""
    priors = model.probabilities(prior_features(schema, segments, candidates))
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
    """Unselected time rows that a clause names together with a time of day."""
    asked = {candidate.row_id for candidate in selected.candidates}
    by_text = named_rows(schema)
    named = {segment.index: by_text[segment.text].times for segment in segments}
    return [one for one in weighed if one.row_id not in asked and one.row_id in named[one.segment]]


def _named_instances(
    schema: Schema, segments: Sequence[Segment], weighed: Sequence[Candidate], selected: ReducedSchema
) -> list[Candidate]:
    """Rows of repeated lines, drains and wounds that a sentence names or states an option of.

    Only if no sibling was selected for that sentence (see `extraction.preparation.instance_assignment`).
    """
    by_text = named_rows(schema)
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
    """Unselected rows with a unique option in a sentence."""
    asked = {candidate.row_id for candidate in selected.candidates}
    by_id = {candidate.row_id: candidate for candidate in weighed}
    named, found = named_rows(schema), dict[str, Candidate]()
    for segment in segments:
        for row_id in sorted(named[segment.text].own - asked - found.keys()):
            hits = by_id[row_id].hits
            best = next(hit for hit in hits if hit.segment == segment.index)
            found[row_id] = replace(by_id[row_id], hits=(best, *(hit for hit in hits if hit is not best)))
    return list(found.values())


def _best_named(schema: Schema, segments: Sequence[Segment], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keeps, of sibling rows retrieved by one sentence (left and right, first and second wound), those it names best.

    First the row with the fewest unsaid words of its name wins, then one without a number ("Wound 2") that the
    dictation never said with its word; ties are all kept.
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
            return False  # yes/no rows and texts share values without being siblings
        for other in together[(candidate.segment, *own.kind)]:
            if unsaid[other] >= unsaid[candidate.row_id]:
                return False
            if _are_siblings(own.row, own.name, words[other].name):
                return True
        return False

    return [candidate for candidate in candidates if not has_better_sibling(candidate)]


def _are_siblings(row: Row, name: frozenset[str], other_name: frozenset[str]) -> bool:
    """Whether the names of two rows with the same values differ in only a word or two."""
    alike = _ALIKE_LISTS if len(row.options) >= _LONG_LIST else _ALIKE
    return len(name & other_name) >= alike * len(name | other_name)
