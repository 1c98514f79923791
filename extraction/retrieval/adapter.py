"""Low-rank adapters on the embedder, which bring what is said near the row that records it.

A plain sentence embedder puts "peed 350" near many rows. Two linear maps after it, one for sentences and one for the
texts of rows, are fitted to annotated cases and to the concepts' own words (`packaging/fitting/adapter.py`). Each adds
to a vector its product with a matrix of low rank, after Hu et al., LoRA (ICLR 2022), but on the output alone, so that
embeddings can still be cached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from extraction.estimators.array_file import save_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ADAPTER_FILE = "adapter.npz"
_ARRAYS = ("said_down", "said_up", "row_down", "row_up")


@dataclass(frozen=True)
class Adapter:
    """The two maps, of unit-length vectors to unit-length vectors; without arrays they change nothing.

    Attributes:
        arrays: by name: `said_down` and `row_down`, shape (dimensions, rank); `said_up` and `row_up`, shape (rank,
            dimensions).
    """

    arrays: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Identifies the maps; empty if they change nothing."""
        if not self.arrays:
            return ""
        return hashlib.sha256(b"".join(self.arrays[name].tobytes() for name in _ARRAYS)).hexdigest()[:16]

    def said(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Adapted embeddings of sentences or clauses, shape (texts, dimensions)."""
        return self._adapted(vectors, "said")

    def rows(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Adapted embeddings of rows' names or options, shape (texts, dimensions)."""
        return self._adapted(vectors, "row")

    def _adapted(self, vectors: NDArray[np.float32], kind: str) -> NDArray[np.float32]:
        import numpy as np

        if not self.arrays or not len(vectors):
            return vectors
        moved = vectors + vectors @ self.arrays[f"{kind}_down"] @ self.arrays[f"{kind}_up"]
        return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype=np.float32)

    def save(self, folder: Path) -> None:
        """Writes the adapter in half precision. Raises OSError."""
        import numpy as np

        halves: dict[str, NDArray[Any]] = {name: array.astype(np.float16) for name, array in self.arrays.items()}
        save_arrays(folder / ADAPTER_FILE, halves)


PLAIN = Adapter()


def load_adapter(folder: Path) -> Adapter:
    """Reads what `Adapter.save` wrote. Raises OSError, ValueError or KeyError."""
    import numpy as np

    with np.load(folder / ADAPTER_FILE, allow_pickle=False) as data:
        return Adapter({name: data[name].astype(np.float32) for name in _ARRAYS})


@cache
def shipped_adapter(embedder: str) -> Adapter:
    """The adapter shipped for an embedder; one that changes nothing if there is none."""
    place = files("resources") / "learned" / embedder
    if not (place / ADAPTER_FILE).is_file():
        return PLAIN
    with as_file(place) as folder:
        return load_adapter(folder)
