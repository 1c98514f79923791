"""The manifest is trusted by every parser behind it: any content is either read exactly or refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import tomli_w
from hypothesis import event, example, given
from hypothesis import strategies as st

from models.errors import ModelFileError
from models.library.manifest import ROLES, parse_manifest

SHA256 = st.text("0123456789abcdef", min_size=64, max_size=64)
SIZE = st.integers(1, 2**40)
NAME = st.from_regex(r"[a-z0-9_]{1,8}(/[a-z0-9_]{1,8}){0,2}\.bin", fullmatch=True)
TITLE = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=20)


@st.composite
def files(draw: st.DrawFn) -> dict[str, Any]:
    sizes = draw(st.lists(SIZE, max_size=3))
    parts = [
        {
            "wheel": f"part{i}=={draw(st.integers(0, 99))}.0",
            "member": draw(NAME),
            "size": size,
        }
        | {"sha256": draw(SHA256)}
        for i, size in enumerate(sizes)
    ]
    file = {"name": draw(NAME), "size": sum(sizes) or draw(SIZE), "sha256": draw(SHA256)}
    return file | ({"parts": parts} if parts else {})


@st.composite
def manifests(draw: st.DrawFn) -> dict[str, Any]:
    models = []
    for index, role in enumerate((*ROLES, *draw(st.lists(st.sampled_from(ROLES), max_size=2)))):
        model = {
            "id": f"model-{index}",
            "role": role,
            "title": draw(TITLE),
            "licence": draw(TITLE),
            "context_tokens": draw(SIZE),
            "default": index < len(ROLES),
            "files": draw(st.lists(files(), min_size=1, max_size=3, unique_by=lambda file: file["name"])),
        }
        models.append(model)
    return {"format": 1, "model": draw(st.permutations(models))}


@given(manifests())
def test_a_written_manifest_reads_back(data: dict[str, Any]) -> None:
    read = parse_manifest(tomli_w.dumps(data)).models
    assert len(read) == len(data["model"])
    for entry, model in zip(read, data["model"], strict=True):
        assert [entry.id, entry.role, entry.title, entry.licence, entry.context_tokens, entry.default] == [
            model[field] for field in ("id", "role", "title", "licence", "context_tokens", "default")
        ]
        for file, table in zip(entry.files, model["files"], strict=True):
            assert (file.name, file.size, file.sha256) == (table["name"], table["size"], table["sha256"])
            assert [(part.wheel, part.member, part.size, part.sha256) for part in file.parts] == [
                (part["wheel"], part["member"], part["size"], part["sha256"]) for part in table.get("parts", [])
            ]


@given(st.text())
@example("format = 1\nmodel = [1]")
@example('format = 1\n[model]\nid = "x"')
def test_any_text_is_either_read_or_refused(text: str) -> None:
    try:
        parse_manifest(text)
    except ModelFileError as error:
        event(error.what.split(":")[0])


@given(manifests(), st.data())
def test_a_field_of_the_wrong_type_is_refused(data: dict[str, Any], draw: st.DataObject) -> None:
    model = draw.draw(st.sampled_from(data["model"]))
    field = draw.draw(st.sampled_from(sorted(model)))
    wrong = draw.draw(st.sampled_from([[], {}, 1.5, [1], -1, ""]))
    model[field] = wrong
    try:
        parse_manifest(tomli_w.dumps(data))
    except ModelFileError:
        return
    raise AssertionError(f"{field} = {wrong!r} was accepted")


@given(
    st.lists(
        st.sampled_from(["..", ".", "", "a", "b.bin", "C:", "a\\b", "nul\0", "end.", "~"]), min_size=1, max_size=4
    ).map("/".join)
)
@example("../outside")
@example("/etc/passwd")
@example("a/../../outside")
@example("C:\\outside")
def test_no_file_name_escapes_the_folder(name: str) -> None:
    file = {"name": name, "size": 1, "sha256": "0" * 64}
    data = {"format": 1, "model": [_plain(role, [file]) for role in ROLES]}
    try:
        read = parse_manifest(tomli_w.dumps(data))
    except ModelFileError:
        return
    folder = Path("/models/x")
    path = folder / read.models[0].files[0].name
    assert path.resolve().is_relative_to(folder)
    assert path.resolve() != folder
    assert not {"..", ".", ""} & set(name.split("/"))
    assert not set('\\:\0"') & set(name)


def _plain(role: str, files: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "id": role,
        "role": role,
        "title": "T",
        "licence": "MIT",
        "context_tokens": 1,
        "default": True,
        "files": files,
    }
