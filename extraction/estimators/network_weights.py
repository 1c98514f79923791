"""The small networks over the frozen embedder's token vectors: their weights, and what they are given."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from extraction.estimators.array_file import save_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class TokenEncoder(Protocol):
    """See `models.runtimes.embedder.EmbedderRuntime`."""

    @property
    def token_inputs(self) -> NDArray[np.float32]: ...

    def encode_tokens(
        self, texts: Sequence[str]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float16]]]: ...


class AdaptableEncoder(TokenEncoder, Protocol):
    """One whose layers can be changed, see `models.runtimes.low_rank`."""

    def adapted(self, changes: Mapping[str, NDArray[np.float32]]) -> TokenEncoder: ...


class Tokens(NamedTuple):
    """The tokens of a text.

    Attributes:
        ids: shape (tokens,); kinds: what each network tells apart, shape (tokens,).
        states: contextual vectors, shape (tokens, dimensions).
    """

    ids: NDArray[np.int64]
    kinds: NDArray[np.int64]
    states: NDArray[np.float16]


@dataclass(frozen=True)
class NetworkWeights:
    """The weights of a network, by the names of its module."""

    arrays: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """Identifies the weights."""
        return hashlib.sha256(b"".join(self.arrays[name].tobytes() for name in sorted(self.arrays))).hexdigest()[:16]

    def save(self, path: Path) -> None:
        """Writes the weights in half precision. Raises OSError."""
        import numpy as np

        halves: dict[str, NDArray[Any]] = {name: array.astype(np.float16) for name, array in self.arrays.items()}
        save_arrays(path, halves)


def load_weights(path: Path) -> NetworkWeights:
    """Reads what `NetworkWeights.save` wrote. Raises OSError or ValueError."""
    import numpy as np

    with np.load(path, allow_pickle=False) as data:
        return NetworkWeights({name: data[name].astype(np.float32) for name in data.files})


@cache
def shipped_weights(embedder: str, file: str) -> NetworkWeights | None:
    """The weights in a file shipped for an embedder; None if there are none."""
    place = files("resources") / "learned" / embedder / file
    if not place.is_file():
        return None
    with as_file(place) as path:
        return load_weights(path)
