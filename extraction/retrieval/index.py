"""The HNSW index over a schema: embeddings of rows (SchemaRAG, Eq. 1), their synonyms and options.

It is stored on disk under a key that covers all its inputs, so that it is rebuilt only if one of them changes.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.schema import Row, Schema, of_schema
from extraction.language.vocabulary.words import stems
from extraction.retrieval.adapter import PLAIN, Adapter
from models.base.progress import Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_FORMAT = 4
# Weights w_j of Eq. 1; a row without options is its name alone.
NAME_WEIGHT, OPTIONS_WEIGHT = 0.7, 0.3
_M = 32
_EF_CONSTRUCTION = 200
_SEED = 20260101
# Search width: of the 60 nearest among the embeddings of 50,000 rows and their synonyms, 300 miss 1 in 100 and 600 miss
# 1 in 600, in 1.3 ms.
_EF = 600
_BATCH = 128  # less than a second of embedding on two cores, which bounds the delay of a cancel
_EMBEDDING_SHARE = 0.9  # of the build time; the rest goes into the graph


class Embedder(Protocol):
    """Encodes texts as unit-length vectors, shape (texts, dimensions)."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """What a vector of the index represents; `kind` is 'row', 'synonym' or 'option'."""

    row_id: str
    kind: str
    text: str


@dataclass(frozen=True)
class RowIndex:
    """Nearest-neighbour search over a schema by cosine similarity of unit-length vectors."""

    entries: tuple[IndexEntry, ...]
    graph: Any
    key: str
    adapter: Adapter = PLAIN

    def nearest(self, vectors: NDArray[np.float32], k: int) -> list[list[tuple[IndexEntry, float]]]:
        """The k nearest entries of each sentence's embedding with their cosine similarity, nearest first."""
        k = min(k, len(self.entries))
        self.graph.set_ef(max(2 * k, _EF))
        labels, distances = self.graph.knn_query(self.adapter.said(vectors), k=k, num_threads=1)
        return [
            [(self.entries[label], 1.0 - float(distance)) for label, distance in zip(row, gaps, strict=True)]
            for row, gaps in zip(labels, distances, strict=True)
        ]

    def similarity(self, row_id: str, vector: NDArray[np.float32]) -> float:
        """Cosine similarity of a row's own embedding to that of a sentence."""
        import numpy as np

        own = np.asarray(self.graph.get_items([self._labels[row_id]])[0], dtype=np.float32)
        return float(own @ self.adapter.said(vector[None])[0])

    @cached_property
    def _labels(self) -> dict[str, int]:
        return {entry.row_id: label for label, entry in enumerate(self.entries) if entry.kind == "row"}


@of_schema
def _options_by_word(schema: Schema) -> dict[str, tuple[tuple[frozenset[str], str], ...]]:
    """The stems of every option with its row's id, by their rarest stem."""
    options = {
        (words, row.id)
        for row in as_spoken(schema).rows
        for option in row.options
        for name in option.forms
        if (words := stems(name))
    }
    count = Counter(word for words, _ in options for word in words)
    found: dict[str, list[tuple[frozenset[str], str]]] = {}
    for words, row_id in sorted(options, key=lambda one: (one[1], sorted(one[0]))):
        found.setdefault(min(words, key=lambda word: (count[word], word)), []).append((words, row_id))
    return {word: tuple(of) for word, of in found.items()}


def rows_of_whole_options(schema: Schema, said: frozenset[str]) -> set[str]:
    """Ids of the rows with an option all of whose stems were said."""
    by_word = _options_by_word(schema)
    return {row_id for word in said for words, row_id in by_word.get(word, ()) if words <= said}


def index_key(schema: Schema, embedder_id: str) -> str:
    """Hash of all inputs of the index."""
    facts: list[object] = [_FORMAT, schema.sha256, embedder_id, NAME_WEIGHT, OPTIONS_WEIGHT]
    facts += [[row.id, *row.spoken] for row in schema.rows if row.spoken]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def open_index(
    schema: Schema,
    embedder: Embedder,
    embedder_id: str,
    folder: Path,
    *,
    adapter: Adapter = PLAIN,
    monitor: ProgressMonitor,
) -> RowIndex:
    """Loads the stored index for these inputs, or builds and stores it."""
    schema = as_spoken(schema)
    key = index_key(schema, embedder_id + adapter.digest)
    stored = _load(folder, key)
    if stored is not None:
        return replace(stored, adapter=adapter)
    entries, vectors = _vectors(schema, embedder, monitor)
    index = RowIndex(entries, _graph(adapter.rows(vectors), monitor), key, adapter)
    _store(index, folder)
    return index


def _vectors(
    schema: Schema, embedder: Embedder, monitor: ProgressMonitor
) -> tuple[tuple[IndexEntry, ...], NDArray[np.float32]]:
    import numpy as np

    entries: list[IndexEntry] = []
    recipes: list[list[tuple[float, str]]] = []
    for row in schema.rows:
        entries.append(IndexEntry(row.id, "row", row.name))
        recipes.append(_metadata(row))
        for kind, text in further_texts(row):
            entries.append(IndexEntry(row.id, kind, text))
            recipes.append([(1.0, text)])
    texts = list(dict.fromkeys(text for recipe in recipes for _, text in recipe))
    batches = _batches(len(texts), 0.0, _EMBEDDING_SHARE, monitor)
    parts = [embedder.encode(texts[batch]) for batch in batches]
    vector = dict(zip(texts, np.concatenate(parts), strict=True))
    mixed = np.stack([sum((w * vector[text] for w, text in recipe), np.float32(0)) for recipe in recipes])
    return tuple(entries), mixed / np.linalg.norm(mixed, axis=1, keepdims=True)


def further_texts(row: Row) -> Iterator[tuple[str, str]]:
    """The kinds and texts of a row's entries besides its own: its other names, and its name with each option."""
    yield from (("synonym", name) for name in row.names[1:])
    yield from (("option", f"{row.name}: {option}") for option in row.option_names)


def _batches(count: int, start: float, end: float, monitor: ProgressMonitor) -> Iterator[slice]:
    """Splits `count` texts into batches and reports progress from `start` to `end`, 0 to 1.

    Raises Cancelled in between.
    """
    for first in range(0, count, _BATCH):
        stop_if(monitor.cancelled)
        monitor.report(Progress("index", start + (end - start) * first / count, "preparing the search for rows"))
        yield slice(first, first + _BATCH)


def _metadata(row: Row) -> list[tuple[float, str]]:
    """The metadata M_i of a row with their weights: its name, and its options if it has any."""
    options = ", ".join(row.option_names)
    return [(NAME_WEIGHT, row.name), *([(OPTIONS_WEIGHT, options)] if options else [])]


def _graph(vectors: NDArray[np.float32], monitor: ProgressMonitor) -> Any:
    import hnswlib
    import numpy as np

    graph = hnswlib.Index(space="cosine", dim=vectors.shape[1])
    graph.init_index(max_elements=len(vectors), M=_M, ef_construction=_EF_CONSTRUCTION, random_seed=_SEED)
    # Adjacent rows of a schema are similar; inserted in order they form clusters that some queries never reach. Of
    # 100,000 embeddings inserted in order, 1 in 100 of the 60 nearest are missed; shuffled, 1 in 600.
    labels = np.random.default_rng(_SEED).permutation(len(vectors))
    for batch in _batches(len(vectors), _EMBEDDING_SHARE, 1.0, monitor):
        graph.add_items(vectors[labels[batch]], labels[batch], num_threads=1)  # deterministic
    return graph


def _store(index: RowIndex, folder: Path) -> None:
    """Writes graph and entries under the index's key; a reader sees both or neither."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix="building-") as building:
        place = Path(building)
        index.graph.save_index(str(place / "graph.bin"))
        entries = [[entry.row_id, entry.kind, entry.text] for entry in index.entries]
        (place / "entries.json").write_text(json.dumps({"dim": index.graph.dim, "entries": entries}), encoding="utf-8")
        (place / "graph.bin").replace(folder / f"{index.key}.bin")
        (place / "entries.json").replace(folder / f"{index.key}.json")  # last, because its presence means complete


def _load(folder: Path, key: str) -> RowIndex | None:
    """The stored index; None if it is missing or damaged, in which case it can be rebuilt."""
    import hnswlib

    try:
        stored = json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
        entries = tuple(IndexEntry(row_id, kind, text) for row_id, kind, text in stored["entries"])
        graph = hnswlib.Index(space="cosine", dim=stored["dim"])
        graph.load_index(str(folder / f"{key}.bin"), max_elements=len(entries))
    except (OSError, ValueError, KeyError, TypeError, RuntimeError):
        return None
    return RowIndex(entries, graph, key) if graph.get_current_count() == len(entries) else None
