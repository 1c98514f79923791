"""Schema reduction: from the whole schema to the rows that the segments can mean (SchemaRAG, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from extraction.index import Embedder, RowIndex
from extraction.segment import Segment
from extraction.values import Neighbour


@dataclass(frozen=True, slots=True)
class Hit:
    """A segment that brought a row: cosine similarity and rank (0 is nearest) among that segment's rows."""

    segment: int
    relevance: float
    rank: int
    neighbour: Neighbour


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of the reduced schema with every segment that brought it, most similar first."""

    row_id: str
    hits: tuple[Hit, ...]

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
    """The candidates, most relevant first."""

    candidates: tuple[Candidate, ...]


def reduce(segments: Sequence[Segment], index: RowIndex, embedder: Embedder, top_k: int) -> ReducedSchema:
    """The union over segments of each one's `top_k` most similar rows.

    The paper stops after k embeddings, whatever rows they map to; here each segment is given k different rows, so that
    a row with many synonyms does not crowd out the others.
    """
    if not segments:
        return ReducedSchema(())
    hits: dict[str, list[Hit]] = {}
    vectors = embedder.encode([segment.text for segment in segments])
    for segment, found in zip(segments, index.nearest(vectors, 6 * top_k), strict=True):
        rows: dict[str, Hit] = {}
        for entry, similarity in found:
            for row_id in entry.row_ids:
                if row_id not in rows and len(rows) < top_k:
                    neighbour = Neighbour(entry.kind, entry.text, segment.index)
                    rows[row_id] = Hit(segment.index, similarity, len(rows), neighbour)
        for row_id, hit in rows.items():
            hits.setdefault(row_id, []).append(hit)
    candidates = [Candidate(row_id, tuple(sorted(h, key=lambda hit: -hit.relevance))) for row_id, h in hits.items()]
    return ReducedSchema(tuple(sorted(candidates, key=lambda candidate: -candidate.relevance)))
