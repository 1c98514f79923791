"""How the retrieval bears large schemas: `python -m tests.benchmarks.scale [--rows 1000 10000 50000] [--out FILE]`.

For each size, a generated schema is indexed with the real embedder and generated dictations are reduced against it;
what the graph finds is compared with exact search. Prints JSON; exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.cli.console import Console
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from extraction.confidence.learned_models import shipped
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import segment
from extraction.retrieval import reduction
from extraction.retrieval.index import Embedder, IndexEntry, RowIndex, open_index
from models.base.atomic_files import replace_file
from models.base.progress import NOT_MONITORED, ProgressMonitor, never_cancelled
from models.hardware import detect
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.loaded import Runtimes
from tests.benchmarks.generated_schema import MOST_ROWS, dictations, generated_schema
from tests.benchmarks.memory import resident_bytes
from tests.benchmarks.run import Figure

_SEED = 20260101
_DICTATIONS = 25
_SENTENCES = 12
# The targets: of one search; of the neighbours that exact search finds, those that may be missed; of a cancel's wait.
_QUERY_MS = 5.0
_MISSED = 0.01
_PAUSE_SECONDS = 1.5
# Equally near neighbours may stand in for each other; float32 sums of two libraries differ by less than this.
_TIE = 1e-5


@dataclass(frozen=True, slots=True)
class Scale:
    """What one size took: the figures, and the facts that they belong to."""

    facts: dict[str, Any]
    figures: tuple[Figure, ...]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 10_000, 50_000], metavar="N")
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    arguments = parser.parse_args()
    if not all(1 <= rows <= MOST_ROWS for rows in arguments.rows):
        parser.error(f"--rows takes numbers from 1 to {MOST_ROWS}")
    said = dictations(_DICTATIONS, _SENTENCES, _SEED)
    sizes = [_scale(generated_schema(rows, _SEED), said) for rows in arguments.rows]
    embedder = Registry(load_manifest(), paths.models_dir()).resolve("embedder")
    report = {
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in ("hnswlib", "numpy", "sentence-transformers", "torch")},
        "machine": asdict(detect()) | {"cpu_flags": sorted(detect().cpu_flags)},
        "embedder": {embedder.id: {file.name: file.sha256 for file in embedder.files}},
        "seed": _SEED,
        "dictations": {
            "count": _DICTATIONS,
            "sentences": _SENTENCES,
            "sha256": hashlib.sha256("\n".join(said).encode()).hexdigest(),
        },
        "sizes": [
            size.facts | {"figures": [asdict(figure) | {"met": figure.met} for figure in size.figures]}
            for size in sizes
        ],
    }
    text = json.dumps(report, indent=1)
    print(text)
    if arguments.out:
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        replace_file(arguments.out, text.encode())
    return 0 if all(figure.met for size in sizes for figure in size.figures) else 1


def _scale(schema: Schema, said: tuple[str, ...]) -> Scale:
    """One size, measured in a process of its own; a second one opens what the first has stored."""
    registry = Registry(load_manifest(), paths.models_dir())
    console = Console()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with Inference(Settings(), registry) as inference:
            built: Scale = inference.call(
                "embedder",
                measure,
                ProgressMonitor(console.progress, never_cancelled),
                schema=schema,
                said=said,
                folder=folder,
            )
        console.end_progress()
        with Inference(Settings(), registry) as inference:
            opened: tuple[Figure, ...] = inference.call(
                "embedder", measure_opened, NOT_MONITORED, schema=schema, folder=folder
            )
    return Scale(built.facts, (*built.figures, *opened))


def measure(
    runtimes: Runtimes,
    *,
    schema: Schema,
    said: tuple[str, ...],
    folder: Path,
    monitor: ProgressMonitor,
) -> Scale:
    """Builds the index of a schema and reduces every dictation with it; runs in the inference process."""
    embedder = _Timed(runtimes.embedder)
    embedder.encode(["The first call takes longer."])
    embedder.seconds = 0.0
    pauses = _Pauses()
    start = time.perf_counter()
    built = open_index(
        schema, embedder, runtimes.config.embedder_id, folder, monitor=ProgressMonitor(monitor.report, pauses)
    )
    seconds = time.perf_counter() - start
    pauses()
    index = _Watched(built.entries, built.graph, built.key)
    embedding = embedder.seconds
    prior, top_k = shipped().prior, Settings().top_k
    reductions = []
    for text in (said[0], *said):
        start = time.perf_counter()
        reduction.reduce(schema, segment(text), index, embedder, top_k, prior)
        reductions.append(time.perf_counter() - start)
    asked = index.asked[1:]  # the first dictation was there to warm up, and comes again
    singles, missed = [], []
    vectors = np.asarray(index.graph.get_items(range(len(index.entries))), dtype=np.float32)
    for batch in asked:
        for query in batch.vectors:
            start = time.perf_counter()
            built.nearest(query[None], batch.k)
            singles.append(time.perf_counter() - start)
        missed += missed_shares(vectors, batch)
    facts = {
        "rows": len(schema.rows),
        "schema_sha256": schema.sha256,
        "index_key": index.key,
        "vectors": len(index.entries),
        "dimensions": index.graph.dim,
        "m": index.graph.M,
        "ef_construction": index.graph.ef_construction,
        "ef": index.graph.ef,
        "queries": len(singles),
        "neighbours": asked[0].k,
    }
    megabytes = sum(file.stat().st_size for file in folder.glob(f"{index.key}.*")) / 1e6
    return Scale(
        facts,
        (
            Figure("build: embedding", embedding, None, "s"),
            Figure("build: graph and writing it", seconds - embedding, None, "s"),
            Figure("build: longest time without asking whether to stop", pauses.longest, _PAUSE_SECONDS, "s"),
            Figure("index on disk", megabytes, None, "MB"),
            Figure("search of one query, median", _ms(singles, 50), None, "ms"),
            Figure("search of one query, p95", _ms(singles, 95), _QUERY_MS, "ms"),
            Figure("search of a dictation's queries, p95", _ms([batch.seconds for batch in asked], 95), None, "ms"),
            Figure("reduction of a dictation with embedding, p95", _ms(reductions[1:], 95), None, "ms"),
            Figure("neighbours missed, 1 - recall against exact search", float(np.mean(missed)), _MISSED, "share"),
            Figure("neighbours missed by the worst query", max(missed), None, "share"),
        ),
    )


def measure_opened(runtimes: Runtimes, *, schema: Schema, folder: Path, monitor: ProgressMonitor) -> tuple[Figure, ...]:
    """Opens the stored index in a process that holds nothing else; runs in the inference process."""
    import_module("hnswlib")  # its own memory is not the index's
    before, start = resident_bytes(os.getpid()), time.perf_counter()
    index = open_index(schema, _NoEmbedder(), runtimes.config.embedder_id, folder, monitor=monitor)
    seconds, after = time.perf_counter() - start, resident_bytes(os.getpid())
    index.graph.get_current_count()  # the index lives until here
    return (
        Figure("opening the stored index", seconds, None, "s"),
        Figure("index in memory", (after - before) / 1e6, None, "MB"),
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as the reduction asked for it: queries, shape (queries, dimensions), and what was found for each."""

    vectors: NDArray[np.float32]
    k: int
    found: list[list[tuple[IndexEntry, float]]]
    seconds: float


@dataclass(frozen=True)
class _Watched(RowIndex):
    """An index that keeps what it was asked."""

    asked: list[Asked] = field(default_factory=list)

    def nearest(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[IndexEntry, float]]]:
        start = time.perf_counter()
        found = super().nearest(vectors, k)
        self.asked.append(Asked(vectors, k, found, time.perf_counter() - start))
        return found


def missed_shares(vectors: NDArray[np.float32], asked: Asked) -> list[float]:
    """For each query, which share of its k nearest of `vectors` was not found, 0 to 1."""
    k = min(asked.k, len(vectors))
    exact = asked.vectors @ vectors.T
    furthest = np.partition(exact, -k, axis=1)[:, -k]
    found = np.array([[similarity for _, similarity in nearest] for nearest in asked.found])
    return [float(share) for share in (found < furthest[:, None] - _TIE).mean(axis=1)]


@dataclass(slots=True)
class _Timed:
    """An embedder with the seconds that it took."""

    embedder: Embedder
    seconds: float = 0.0

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        start = time.perf_counter()
        vectors = self.embedder.encode(texts)
        self.seconds += time.perf_counter() - start
        return vectors


class _NoEmbedder:
    """Stands where nothing is to be embedded."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError("the stored index was not used")


class _Pauses:
    """Answers that nobody wants to stop, and keeps the longest time between two questions, in seconds."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.perf_counter()

    def __call__(self) -> bool:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now
        return False


def _ms(seconds: Sequence[float], percentile: float) -> float:
    return float(np.percentile(seconds, percentile)) * 1000


if __name__ == "__main__":
    # Under its importable name: functions travel to the inference process by module and name.
    sys.exit(import_module("tests.benchmarks.scale").main())
