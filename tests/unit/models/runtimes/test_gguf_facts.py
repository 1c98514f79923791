"""What a GGUF file says of itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.errors import ModelFileError
from models.runtimes.gguf_facts import GgufFacts, read_gguf_facts
from tests.kit.tiny_filler import write_tiny_filler


def test_facts_are_read_without_the_weights(tmp_path: Path) -> None:
    write_tiny_filler(tmp_path / "tiny.gguf")
    assert read_gguf_facts(tmp_path / "tiny.gguf") == GgufFacts("", "", 1024, knows_markers=True)


def test_a_model_with_other_chat_markers_is_told(tmp_path: Path) -> None:
    write_tiny_filler(tmp_path / "tiny.gguf", markers=("<start_of_turn>", "<end_of_turn>"))
    assert not read_gguf_facts(tmp_path / "tiny.gguf").knows_markers


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.gguf"
    path.write_bytes(b"GGUF" + b"\xff" * 300)
    with pytest.raises(ModelFileError, match=r"cannot read damaged\.gguf"):
        read_gguf_facts(path)
