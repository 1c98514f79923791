"""Embeddings are computed once, and cached between fits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from extraction.retrieval.embedding_cache import KeptVectors
from tests.kit.fake_models import FakeEmbedder

TEXTS = ["heart rate", "blood pressure", "heart rate"]


def test_cached_texts_are_not_embedded_again(tmp_path: Path) -> None:
    first, again = FakeEmbedder(), FakeEmbedder()
    kept = KeptVectors(first)
    made = kept.encode(TEXTS)
    assert first.encoded == TEXTS[:2]
    kept.save(tmp_path / "vectors.kept")
    later = KeptVectors(again)
    later.load(tmp_path / "vectors.kept")
    assert np.array_equal(later.encode([*TEXTS, "gait"])[:3], made)
    assert again.encoded == ["gait"]


def test_a_missing_or_damaged_file_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "vectors.kept"
    for content in (None, b"", b"no archive"):
        if content is not None:
            path.write_bytes(content)
        kept = KeptVectors(FakeEmbedder())
        kept.load(path)
        assert len(kept) == 0
        assert kept.encode(TEXTS).shape == (3, 256)
