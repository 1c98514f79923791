"""Models that a hospital adds: found in a folder, listed, and told apart by what is in their files."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from models.base.errors import InputError
from models.base.progress import NOT_MONITORED
from models.errors import ModelFileError
from models.library.added_models import (
    added_models,
    gguf_entry,
    gguf_in,
    is_whisper,
    list_model,
    open_registry,
    unlist_model,
    whisper_entry,
)
from models.library.manifest import load_manifest

GGUF = b"GGUF" + struct.pack("<I", 3) + b"weights"
WHISPER = struct.pack("<IH", 6, 12) + b"WhisperSpec\x00" + b"weights"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "stick" / "Ward 7B.gguf"
    path.parent.mkdir()
    path.write_bytes(GGUF)
    return path


@pytest.fixture
def whisper(tmp_path: Path) -> Path:
    folder = tmp_path / "whisper-medium"
    folder.mkdir()
    (folder / "model.bin").write_bytes(WHISPER)
    for name in ("config.json", "tokenizer.json", "vocabulary.json", "README.md"):
        (folder / name).write_text("{}", encoding="utf-8")
    return folder


def test_a_language_model_is_listed_and_installed_from_its_folder(root: Path, gguf: Path) -> None:
    entry = gguf_entry(gguf_in(gguf.parent), "Ward 7B (Q4)", "MIT", 8192, NOT_MONITORED)
    assert entry.id.startswith("ward-7b-q4-")
    list_model(root, entry)
    registry = open_registry(root)
    assert registry.manifest.models == (*load_manifest().models, entry)
    assert registry.resolve("filler", entry.id) == entry
    assert registry.resolve("filler").default
    assert registry.status(entry.id) == "missing"
    registry.install(entry.id, source=gguf.parent)
    assert registry.status(entry.id) == "installed"
    assert (registry.path(entry.id) / gguf.name).read_bytes() == GGUF


def test_another_file_of_the_same_name_has_another_id(gguf: Path) -> None:
    first = gguf_entry(gguf, "", "", 8192, NOT_MONITORED)
    gguf.write_bytes(GGUF + b"!")
    second = gguf_entry(gguf, "", "", 8192, NOT_MONITORED)
    assert (first.title, second.title, first.licence) == ("Ward 7B", "Ward 7B", "not stated")
    assert first.id != second.id


def test_a_whisper_folder_is_listed_with_the_files_that_it_needs(root: Path, whisper: Path) -> None:
    assert is_whisper(whisper)
    entry = whisper_entry(whisper, "", "", NOT_MONITORED)
    assert (entry.role, entry.title) == ("speech", "whisper-medium")
    assert [file.name for file in entry.files] == ["model.bin", "config.json", "vocabulary.json", "tokenizer.json"]
    list_model(root, entry)
    list_model(root, entry)
    assert added_models(root) == (entry,)


def test_a_listed_model_can_be_taken_off_again(root: Path, gguf: Path, whisper: Path) -> None:
    language, speech = gguf_entry(gguf, "", "", 8192, NOT_MONITORED), whisper_entry(whisper, "", "", NOT_MONITORED)
    for entry in (language, speech):
        list_model(root, entry)
    assert unlist_model(root, language.id)
    assert added_models(root) == (speech,)
    assert unlist_model(root, speech.id)
    assert not unlist_model(root, speech.id)
    assert added_models(root) == ()


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "does not contain a model"),
        ({"a.gguf": GGUF, "b.gguf": GGUF}, r"holds several models: a\.gguf, b\.gguf"),
        ({"a.gguf": b"GGML old"}, r"a\.gguf is not a GGUF file"),
        ({"a-00001-of-00002.gguf": GGUF}, "is one part of a model"),
    ],
)
def test_what_is_no_language_model_is_refused(tmp_path: Path, files: dict[str, bytes], why: str) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=why):
        gguf_in(tmp_path)


def test_a_whisper_folder_that_is_not_whole_is_refused(whisper: Path) -> None:
    (whisper / "tokenizer.json").unlink()
    with pytest.raises(InputError, match=r"has no tokenizer\.json"):
        whisper_entry(whisper, "", "", NOT_MONITORED)


@pytest.mark.parametrize("content", [b"no = ", b"format = 1\n", b"\xff\xfe", b"format = 2\nmodel = []\n"])
def test_a_list_that_cannot_be_read_says_what_to_do(root: Path, content: bytes) -> None:
    root.mkdir()
    (root / "added.toml").write_bytes(content)
    with pytest.raises(ModelFileError, match=r"added\.toml cannot be used") as caught:
        open_registry(root)
    assert "wardlight models add" in caught.value.next_step
