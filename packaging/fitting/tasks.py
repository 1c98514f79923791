"""Tasks of the fitting in the inference process; those of the product are in `app.inference.tasks`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.inference.tasks import kept_vectors, matcher_of
from extraction.estimators.network_weights import NetworkWeights
from extraction.estimators.statement_matcher import TokenCache
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment
from extraction.retrieval.adapter import Adapter
from extraction.retrieval.candidates import Candidate, pool
from extraction.retrieval.index import open_index
from extraction.retrieval.statements import matched
from fitting.matcher import Example, fit_matcher
from models.base.progress import Progress, ProgressMonitor, stop_if
from models.runtimes.loaded import Runtimes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH = 128  # texts embedded between two looks at a cancel


def pool_cases(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segmented: Sequence[tuple[Segment, ...]],
    adapter: Adapter,
    top_k: int,
    index_folder: Path,
    vectors: Path,
    monitor: ProgressMonitor,
) -> list[list[Candidate]]:
    """All candidate rows of each transcript, retrieved with this adapter and neither matched nor weighed."""
    index = open_index(
        schema, runtimes.embedder, runtimes.config.embedder_id, index_folder, adapter=adapter, monitor=monitor
    )
    pooled = []
    with kept_vectors(runtimes, vectors) as embedder:
        for segments in segmented:
            stop_if(monitor.cancelled)
            pooled.append(pool(schema, segments, index, embedder, top_k))
    return pooled


def match_cases(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segmented: list[tuple[Segment, ...]],
    pooled: Sequence[Sequence[Candidate]],
    weights: NetworkWeights,
    monitor: ProgressMonitor,
) -> list[list[Candidate]]:
    """The candidates of each transcript, matched with these weights."""
    matcher = matcher_of(runtimes, weights)
    found = []
    for segments, candidates in zip(segmented, pooled, strict=True):
        stop_if(monitor.cancelled)
        found.append(matched(schema, segments, candidates, matcher))
    return found


def fit_matchers(
    runtimes: Runtimes,
    *,
    parts: Sequence[Sequence[Example]],
    chosen: Sequence[tuple[Path, Sequence[int]]],
    monitor: ProgressMonitor,
) -> None:
    """Fits a matcher to the examples of the chosen parts and writes it to its file, unless that is there; for each."""
    tokens = TokenCache(runtimes.embedder, most=sum(map(len, parts)) * 2)
    statements = [one.statement for part in parts for one in part]
    for start in range(0, len(statements), _BATCH * _BATCH):
        stop_if(monitor.cancelled)
        monitor.report(Progress("learn", start / len(statements), "encoding what was said"))
        tokens.encode(statements[start : start + _BATCH * _BATCH])
    for file, numbers in chosen:
        if not file.exists():
            examples = [one for number in numbers for one in parts[number]]
            fit_matcher(examples, tokens, runtimes.embedder, monitor).save(file)


def embed_texts(
    runtimes: Runtimes, *, texts: Sequence[str], vectors: Path, monitor: ProgressMonitor
) -> dict[str, NDArray[np.float32]]:
    """The plain embedding of each text, shape (dimensions,); the file `vectors` caches them."""
    found: dict[str, NDArray[np.float32]] = {}
    with kept_vectors(runtimes, vectors) as embedder:
        different = list(dict.fromkeys(texts))
        for start in range(0, len(different), _BATCH):
            stop_if(monitor.cancelled)
            batch = different[start : start + _BATCH]
            found |= dict(zip(batch, embedder.encode(batch), strict=True))
    return found
