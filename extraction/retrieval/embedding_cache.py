"""Caches embeddings, while a dictation is spoken and between fits of the models."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from extraction.estimators.array_file import save_arrays

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extraction.retrieval.index import Embedder

_DIGEST = 16  # bytes


class KeptVectors:
    """An embedder that embeds each text once; texts are stored only as hashes."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[bytes, NDArray[np.float32]] = {}

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        keys = {text: hashlib.blake2b(text.encode(), digest_size=_DIGEST).digest() for text in texts}
        new = [text for text, key in keys.items() if key not in self._vectors]
        if new:
            vectors = self._embedder.encode(new)
            self._vectors.update((keys[text], vector) for text, vector in zip(new, vectors, strict=True))
        return np.stack([self._vectors[keys[text]] for text in texts])

    def __len__(self) -> int:
        return len(self._vectors)

    def save(self, path: Path) -> None:
        """Writes the cache atomically. Raises OSError."""
        import numpy as np

        if not self._vectors:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        keys = np.frombuffer(b"".join(self._vectors), dtype=np.uint8).reshape(-1, _DIGEST)
        save_arrays(path, {"keys": keys, "vectors": np.stack(list(self._vectors.values()))})

    def load(self, path: Path) -> None:
        """Adds what `save` wrote with the same embedder; ignores a missing or damaged file."""
        import numpy as np

        with suppress(OSError, EOFError, BadZipFile, ValueError, KeyError), np.load(path, allow_pickle=False) as data:
            found = dict(zip((key.tobytes() for key in data["keys"]), data["vectors"], strict=True))
            self._vectors.update(found)
