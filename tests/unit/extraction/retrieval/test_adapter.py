"""The adapter of the embedder, and the index that uses it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.retrieval.adapter import PLAIN, Adapter, load_adapter, shipped_adapter
from extraction.retrieval.index import open_index
from models.base.progress import NOT_MONITORED
from tests.kit.fake_models import FakeEmbedder

SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("1", "Urine output", ValueType.NUMERIC, ("Output",)),
        Row("2", "Cough", ValueType.SINGLE_SELECT, ("Chest",), (Option("Dry"),)),
    ),
    "0" * 64,
    "t",
)


def random_adapter(dimensions: int = 256, rank: int = 4) -> Adapter:
    draw = np.random.default_rng(1)
    narrow, wide = (dimensions, rank), (rank, dimensions)
    shapes = {"said_down": narrow, "said_up": wide, "row_down": narrow, "row_up": wide}
    return Adapter({name: draw.normal(size=shape, scale=0.2).astype(np.float32) for name, shape in shapes.items()})


def test_adapted_vectors_have_unit_length_and_differ_by_kind() -> None:
    vectors, adapter = FakeEmbedder().encode(["urine output", "cough"]), random_adapter()
    for adapted in (adapter.said(vectors), adapter.rows(vectors)):
        assert np.allclose(np.linalg.norm(adapted, axis=1), 1.0, atol=1e-5)
        assert not np.allclose(adapted, vectors)
    assert not np.allclose(adapter.said(vectors), adapter.rows(vectors))
    assert adapter.said(vectors[:0]).shape == (0, 256)


def test_an_adapter_without_arrays_changes_nothing() -> None:
    vectors = FakeEmbedder().encode(["urine output"])
    assert PLAIN.said(vectors) is vectors
    assert PLAIN.digest == ""


def test_an_adapter_is_read_as_it_was_written(tmp_path: Path) -> None:
    adapter = random_adapter()
    adapter.save(tmp_path)
    read = load_adapter(tmp_path)
    vectors = FakeEmbedder().encode(["urine output"])
    assert np.allclose(read.said(vectors), adapter.said(vectors), atol=1e-2)
    assert read.digest == load_adapter(tmp_path).digest != ""


def test_an_embedder_without_an_adapter_of_its_own_stays_plain() -> None:
    assert shipped_adapter("there is none") is PLAIN


@pytest.mark.parametrize("adapter", [PLAIN, random_adapter()])
def test_the_index_adapts_rows_and_sentences(adapter: Adapter, tmp_path: Path) -> None:
    embedder = FakeEmbedder()
    index = open_index(SCHEMA, embedder, "fake", tmp_path, adapter=adapter, monitor=NOT_MONITORED)
    said = embedder.encode(["dry cough"])
    own = embedder.encode(["Cough: Dry"])
    nearest = {entry.text: similarity for entry, similarity in index.nearest(said, 20)[0]}
    assert nearest["Cough: Dry"] == pytest.approx(float(adapter.said(said)[0] @ adapter.rows(own)[0]), abs=1e-4)


def test_indexes_of_different_adapters_are_stored_apart(tmp_path: Path) -> None:
    def opened(adapter: Adapter) -> str:
        return open_index(SCHEMA, FakeEmbedder(), "fake", tmp_path, adapter=adapter, monitor=NOT_MONITORED).key

    assert opened(PLAIN) != opened(random_adapter())
    again = open_index(SCHEMA, FakeEmbedder(), "fake", tmp_path, adapter=random_adapter(), monitor=NOT_MONITORED)
    assert again.adapter.digest == random_adapter().digest
