"""Baseline reductions to compare with the product's own: SchemaRAG's, MasonNLP's, every row, and the right rows.

All of them leave the prior of every row at its default.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from app.evaluation.papers.ablation.library import EXAMPLE, ROW, Entry, Library
from extraction.annotation.case_files import Case
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Neighbour
from extraction.language.sentences import Segment
from extraction.language.vocabulary.words import best_share, stems
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema

_NO_RANK = 12
# MasonNLP's candidate schema. The paper names the parts but not the numbers; these reduce a schema of a few hundred
# rows to a third.
_LEXICAL = 30
_OPTION_WEIGHT = 0.5
_NEAR = 0.5
_EXPANDED_BY = 5
_COMMON_SHARE = 0.25
_COMMON = 15
_FEWEST, _MOST = 30, 60


@dataclass(frozen=True, slots=True)
class Reduction:
    """How rows are chosen.

    Attributes:
        method: `nearest` (the rows of each segment's `k` nearest embeddings), `all` (nearest to the transcript first),
            `pruned` (MasonNLP's candidate schema) or `annotated` (the rows that a person charted).
        kinds: for `nearest`, which embeddings to search: 'row', 'example' or both.
        names_only: for `nearest`, whether rows are embedded by name only.
    """

    method: str
    kinds: tuple[str, ...] = ROW
    names_only: bool = False
    k: int = 0


# Ranks the rows for each segment, best first.
Ranking = Callable[[Library, Sequence[Segment]], list[list[str]]]


def by_embeddings(kinds: Sequence[str], *, names_only: bool = False) -> Ranking:
    """Ranks rows by the similarity of embeddings of these kinds."""

    def rank(library: Library, segments: Sequence[Segment]) -> list[list[str]]:
        found = library.nearest([segment.text for segment in segments], kinds, names_only=names_only)
        return [library.asked(row_id for entry, _ in entries for row_id in entry.row_ids) for entries in found]

    return rank


# The rankings in the retrieval table; those in NEED_EXAMPLES are left out without examples.
RANKINGS: Mapping[str, Ranking] = {
    "names-only": by_embeddings(ROW, names_only=True),
    "row": by_embeddings(ROW),
    "row+examples": by_embeddings(ROW + EXAMPLE),
}
NEED_EXAMPLES = frozenset({"row+examples"})


def reduced(
    library: Library, reduction: Reduction, text: str, segments: Sequence[Segment], own: Sequence[Case]
) -> ReducedSchema:
    """Reduces the schema; likeliest rows first.

    `own` holds the cases of this transcript and is used only by `annotated`.
    """
    if reduction.method == "nearest":
        return ReducedSchema(_nearest(library, reduction, segments))
    whole = {entry.row_ids[0]: similarity for entry, similarity in library.nearest([text])[0]}
    chosen = library.asked(whole)
    if reduction.method == "annotated":
        charted = {it.row_id for case in own for it in case.observations}
        numbers = {library.schema.row(row_id).unit_of or row_id for row_id in charted}
        chosen = [row_id for row_id in chosen if row_id in numbers]
    placed = _with_best_segment(library, segments, chosen)
    if reduction.method == "pruned":
        placed = _pruned(library, text, placed)
    return ReducedSchema(tuple(placed))


def _nearest(library: Library, reduction: Reduction, segments: Sequence[Segment]) -> tuple[Candidate, ...]:
    brought: dict[str, list[Hit]] = {}
    found = library.nearest([segment.text for segment in segments], reduction.kinds, names_only=reduction.names_only)
    for segment, entries in zip(segments, found, strict=True):
        rows: dict[str, Hit] = {}
        for entry, similarity in entries[: reduction.k]:
            for row_id in library.asked(entry.row_ids):
                rows.setdefault(row_id, _hit(segment, entry, similarity, len(rows)))
        for row_id, hit in rows.items():
            brought.setdefault(row_id, []).append(hit)
    candidates = [
        Candidate(row_id, tuple(sorted(hits, key=lambda hit: -hit.relevance))) for row_id, hits in brought.items()
    ]
    return tuple(sorted(candidates, key=lambda candidate: -candidate.relevance))


def _with_best_segment(library: Library, segments: Sequence[Segment], row_ids: Sequence[str]) -> list[Candidate]:
    """The rows in the given order, each with its most similar segment; empty without segments."""
    best: dict[str, Hit] = {}
    found = library.nearest([segment.text for segment in segments])
    for segment, entries in zip(segments, found, strict=True):
        for rank, (entry, similarity) in enumerate(entries):
            row_id = entry.row_ids[0]
            if row_id not in best or similarity > best[row_id].relevance:
                best[row_id] = _hit(segment, entry, similarity, rank)
    return [Candidate(row_id, (best[row_id],)) for row_id in row_ids if row_id in best]


def _pruned(library: Library, text: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """MasonNLP's candidate schema (section 4.4), within a size limit.

    Combines rows that match by words, by meaning, in similar examples, and by how often they are charted.
    """
    said = stems(text)
    words = {candidate.row_id: _word_score(library.schema.row(candidate.row_id), said) for candidate in candidates}
    lexical = sorted((row_id for row_id in words if words[row_id] > 0), key=lambda row_id: -words[row_id])
    semantic = {candidate.row_id for candidate in candidates if candidate.relevance >= _NEAR}
    expanded = {it.row_id for case in library.alike(text, _EXPANDED_BY) for it in case.observations}
    common = _common_rows(library)
    wanted = {*lexical[:_LEXICAL], *semantic, *expanded, *common}
    # Common rows are never trimmed; unwanted rows only fill up to the minimum size.
    order = sorted(
        candidates,
        key=lambda it: (it.row_id not in common, it.row_id not in wanted, -words[it.row_id] - it.relevance),
    )
    size = min(max(sum(candidate.row_id in wanted for candidate in order), _FEWEST), _MOST)
    return sorted(order[:size], key=lambda it: -words[it.row_id] - it.relevance)


def _word_score(row: Row, said: frozenset[str]) -> float:
    """Word overlap with the name, plus a lower-weighted overlap with the best option."""
    options = [text for option in row.options for text in (option.name, *option.synonyms)]
    return best_share((row.name, *row.synonyms), said) + _OPTION_WEIGHT * best_share(options, said)


def _common_rows(library: Library) -> frozenset[str]:
    """The rows charted most often in the examples, and in a fair share of them."""
    cases = [case for case in library.examples if case.id not in library.barred]
    counts = Counter(row_id for case in cases for row_id in {it.row_id for it in case.observations})
    ranked = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    return frozenset([row_id for row_id, count in ranked if count >= _COMMON_SHARE * len(cases)][:_COMMON])


def _hit(segment: Segment, entry: Entry, similarity: float, rank: int) -> Hit:
    return Hit(
        segment=segment.index,
        relevance=similarity,
        sentence_relevance=similarity,
        clause_relevance=0.0,
        sentence_rank=min(rank, _NO_RANK),
        clause_rank=_NO_RANK,
        name_said=0.0,  # baselines choose by meaning alone and ignore words
        value_said=0.0,
        neighbour=Neighbour(entry.kind, entry.text, segment.index),
    )
