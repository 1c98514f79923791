"""The shipped manifest, and error messages for invalid ones."""

from __future__ import annotations

import pytest

from models.errors import ModelFileError
from models.library.manifest import DownloadPart, Hub, ModelFile, load_manifest, parse_manifest

SHA = "0123456789abcdef" * 4
HEAD = """
[[model]]
id = "{id}"
role = "{role}"
title = "T"
licence = "MIT"
context_tokens = 8
default = true
"""
FILE = f'[[model.files]]\nname = "a.bin"\nsize = 3\nsha256 = "{SHA}"\n'
PART = f'parts = [{{ wheel = "w==1.0", member = "w/a", size = 3, sha256 = "{SHA}" }}]\n'


def _model(identity: str, role: str, extra: str = "", file: str = FILE) -> str:
    return HEAD.format(id=identity, role=role) + extra + file


GOOD = "format = 1\n" + "".join(_model(role, role) for role in ("speech", "filler", "embedder"))


def test_the_shipped_manifest_names_the_four_models() -> None:
    models = {entry.id: entry for entry in load_manifest().models}
    assert {identity: (entry.role, entry.default) for identity, entry in models.items()} == {
        "qwen2.5-coder-1.5b-q4": ("filler", True),
        "qwen2.5-coder-0.5b-q4": ("filler", False),
        "minilm-l6-v2": ("embedder", True),
        "whisper-base": ("speech", True),
    }
    assert {entry.licence for entry in models.values()} == {"Apache-2.0", "MIT"}
    weights = models["qwen2.5-coder-1.5b-q4"].files[0]
    assert weights.sha256 == "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"
    assert len(weights.parts) == 22
    # The publisher's speech file was never compared with the one behind the checksum.
    assert models["whisper-base"].sources == ("wheels",)
    assert models["minilm-l6-v2"].hub == Hub("sentence-transformers/all-MiniLM-L6-v2", "main")


def test_no_shipped_file_is_code() -> None:
    names = [file.name for entry in load_manifest().models for file in entry.files]
    assert not [name for name in names if name.endswith((".py", ".so", ".dll", ".pkl", ".pt", ".pickle"))]


def test_fields_are_read() -> None:
    text = GOOD.replace(
        FILE, 'sources = ["hub", "wheels"]\nhub = { repository = "o/r", revision = "v1" }\n' + FILE + PART, 1
    )
    entry = parse_manifest(text).models[0]
    assert entry.files == (ModelFile("a.bin", 3, SHA, (DownloadPart("w==1.0", "w/a", 3, SHA),)),)
    assert entry.sources == ("hub", "wheels")
    assert entry.hub == Hub("o/r", "v1")
    assert entry.size == 3


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", "format = 2", "format 2, not 1"),
        ("format = 1", "format 1", "not valid TOML"),
        ('id = "speech"', 'id = "Speech/1"', "entry 1: 'id'"),
        ('id = "speech"', 'id = "filler"', "names filler 2 times"),
        ('role = "speech"', 'role = "singing"', "model speech: 'role' must be one of"),
        ('role = "speech"', 'role = "filler"', "one default for speech, and has: none"),
        ("default = true", "default = false", "one default for speech, and has: none"),
        ("default = true", "default = 1", "'default' must be true or false"),
        ("context_tokens = 8", "context_tokens = 0", "'context_tokens' must be a whole number above 0"),
        ("context_tokens = 8", "context_tokens = true", "'context_tokens'"),
        ('title = "T"', "", "'title' cannot be None"),
        (FILE, "", "'files' is empty"),
        (FILE, "files = 3\n", "'files' must be a list"),
        (FILE, "files = [3]\n", "files 1: it is not a table"),
        (FILE, FILE + FILE.replace("a.bin", "A.BIN"), r"names a\.bin twice"),
        ("size = 3", "size = 3.5", r"files 1 \(a\.bin\): 'size'"),
        (SHA, SHA.upper(), "'sha256' cannot be"),
        (FILE, FILE + PART.replace("size = 3", "size = 2"), "give 2 bytes together, not 3"),
        (FILE, FILE + PART.replace("w==1.0", "w>=1.0"), "parts 1: 'wheel'"),
        (FILE, FILE + PART.replace("w==1.0", "--index-url==1"), "parts 1: 'wheel'"),
        (FILE, 'sources = ["ftp"]\n' + FILE, "'sources' can hold hub and wheels"),
        (FILE, 'sources = "hub"\n' + FILE, "'sources' can hold hub and wheels"),
        (FILE, 'sources = ["hub"]\n' + FILE, "'hub' is missing"),
        (FILE, 'sources = ["wheels"]\n' + FILE, "a file has no 'parts'"),
        (FILE, 'hub = { repository = "o/../x", revision = "v" }\n' + FILE, "hub: 'repository'"),
    ],
)
def test_an_invalid_manifest_is_refused_naming_entry_and_field(old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(ModelFileError, match=message):
        parse_manifest(GOOD.replace(old, new, 1))


def test_a_manifest_without_models_is_refused() -> None:
    with pytest.raises(ModelFileError, match="names no model"):
        parse_manifest("format = 1")
