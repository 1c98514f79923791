"""A real transformer that is small enough to be fitted in a test, with random weights and a few words."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import torch

from models.runtimes.embedder import TokenRuntime

_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def small_transformer(words: Sequence[str]) -> TokenRuntime:
    """Two layers of 32 dimensions that know these words; the same every time."""
    from transformers import BertConfig, BertModel, BertTokenizerFast

    torch.set_num_threads(1)  # more would wait for each other
    with tempfile.TemporaryDirectory() as folder:
        vocabulary = Path(folder) / "vocab.txt"
        vocabulary.write_text("\n".join((*_SPECIAL, *words)) + "\n", encoding="utf-8")
        tokenizer = BertTokenizerFast(str(vocabulary))
    config = BertConfig(
        vocab_size=len(_SPECIAL) + len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return TokenRuntime(BertModel(config).eval(), tokenizer, 64, "cpu")
