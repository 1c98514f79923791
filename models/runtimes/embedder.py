"""Sentence embeddings with sentence-transformers, from a local folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelFileError


class EmbedderRuntime:
    """A sentence-transformers model held in memory.

    Args:
        folder: a complete sentence-transformers folder whose files the registry has verified.
        threads: threads for the forward pass.
        gpu: use CUDA if torch finds it.

    Raises:
        ModelFileError: the folder is not a readable sentence-transformers model.
    """

    def __init__(self, folder: Path, *, threads: int = 2, gpu: bool = False) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        self.use_threads(threads)
        self.device = "cuda" if gpu and torch.cuda.is_available() else "cpu"
        try:
            self._model = SentenceTransformer(str(folder), device=self.device, local_files_only=True)
        except (OSError, ValueError) as error:
            raise ModelFileError(
                f"The embedder in {folder.name} cannot be loaded: {error}.",
                "Run 'wardlight models verify', then 'wardlight models install' to replace it.",
            ) from error

    def use_threads(self, count: int) -> None:
        """Sets the number of threads for the forward pass."""
        import torch

        torch.set_num_threads(count)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit-length embeddings, shape (texts, dimensions)."""
        vectors = self._model.encode(
            list(texts), batch_size=64, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)
