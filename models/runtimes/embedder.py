"""Sentence embeddings with sentence-transformers, from a local folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.errors import ModelFileError

_BATCH = 64

EncodedTokens = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float16]]


class EmbedderRuntime:
    """A sentence-transformers model held in memory.

    Args:
        folder: a complete sentence-transformers folder whose files the registry has verified.
        threads: threads for the forward pass.
        gpu: run on the GPU, see `models.runtimes.placement`.

    Raises:
        ModelFileError: the folder is not a readable sentence-transformers model.
    """

    def __init__(self, folder: Path, *, threads: int = 2, gpu: bool = False) -> None:
        from sentence_transformers import SentenceTransformer

        self.use_threads(threads)
        self.device = "cuda" if gpu else "cpu"
        try:
            self._model = SentenceTransformer(str(folder), device=self.device, local_files_only=True)
        except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: from CUDA
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
            list(texts), batch_size=_BATCH, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)

    @property
    def token_inputs(self) -> NDArray[np.float32]:
        """The input vector of each token of the vocabulary, shape (vocabulary, dimensions)."""
        return self.tokens.token_inputs

    def encode_tokens(self, texts: Sequence[str]) -> list[EncodedTokens]:
        """See `TokenRuntime.encode_tokens`."""
        return self.tokens.encode_tokens(texts)

    def adapted(self, changes: Mapping[str, NDArray[np.float32]]) -> TokenRuntime:
        """See `TokenRuntime.adapted`."""
        return self.tokens.adapted(changes)

    @property
    def tokens(self) -> TokenRuntime:
        """The transformer below the embeddings of whole texts."""
        model = self._model
        return TokenRuntime(model[0].auto_model, model.tokenizer, model.max_seq_length, self.device)


@dataclass(frozen=True, slots=True)
class TokenRuntime:
    """A transformer that gives a vector for each token of a text.

    Attributes:
        transformer: a `transformers` model; tokenizer: the one that belongs to it.
        longest: tokens of a text that are read.
    """

    transformer: Any
    tokenizer: Any
    longest: int
    device: str

    @property
    def token_inputs(self) -> NDArray[np.float32]:
        """The input vector of each token of the vocabulary, shape (vocabulary, dimensions)."""
        weights = self.transformer.get_input_embeddings().weight
        return np.asarray(weights.detach().cpu().numpy(), dtype=np.float32)

    def encode_tokens(self, texts: Sequence[str]) -> list[EncodedTokens]:
        """The tokens of each text, without those that mark its start and end.

        For each text the tokens' ids, shape (tokens,), their first character and the one after their last, shape
        (tokens, 2), and their contextual vectors, shape (tokens, dimensions). A text that is too long is cut off.
        """
        import torch

        found: list[EncodedTokens] = [None] * len(texts)  # type: ignore[list-item]
        by_length = sorted(range(len(texts)), key=lambda number: len(texts[number]))
        with torch.inference_mode():
            for start in range(0, len(by_length), _BATCH):
                some = by_length[start : start + _BATCH]
                read = self.tokenized([texts[number] for number in some])
                places = read.pop("offset_mapping").numpy()
                states = self.transformer(**read.to(self.device)).last_hidden_state.cpu().numpy().astype(np.float16)
                for row, number in enumerate(some):
                    own = slice(1, int(read["attention_mask"][row].sum()) - 1)
                    ids = read["input_ids"][row, own].cpu().numpy()
                    found[number] = (ids, places[row, own].astype(np.int64), states[row, own])
        return found

    def adapted(self, changes: Mapping[str, NDArray[np.float32]]) -> TokenRuntime:
        """The same transformer with changes of its layers, see `models.runtimes.low_rank`.

        Raises:
            KeyError, RuntimeError: they belong to another transformer.
        """
        from models.runtimes.low_rank import apply_changes, copy_of

        transformer = copy_of(self.transformer)
        apply_changes(transformer, changes)
        return replace(self, transformer=transformer)

    def tokenized(self, texts: Sequence[str]) -> Any:
        """The tokens of texts as padded tensors, for the transformer, with the characters of each."""
        return self.tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=self.longest,
            return_offsets_mapping=True,
            return_tensors="pt",
        )
