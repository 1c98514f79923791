"""What of a backlog is read, and under which name its result is kept."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from app.batch.backlog import Results, conditions, items_of
from app.batch.run import check_installed, threads_for
from app.system.settings import Settings
from extraction.schema_files.native_format import parse_schema
from models.base.errors import InputError, ResourceError
from models.hardware import detect
from tests.kit.fake_app import SCHEMA

LOADED = parse_schema(json.dumps(SCHEMA).encode(), "test")
MODELS = {"filler": "qwen2.5-coder-1.5b-q4", "embedder": "minilm-l6-v2"}


def write(folder: Path, **texts: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return folder


def test_a_text_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    items, refused = items_of(write(tmp_path / "in", a="Lungs clear.", b="Alert.", c="Lungs clear."), "x")
    assert [one.names for one in items] == [("a.txt", "c.txt"), ("b.txt",)]
    assert refused == {}


def test_the_key_depends_on_the_text_and_on_the_conditions(tmp_path: Path) -> None:
    folder = write(tmp_path / "in", a="Lungs clear.")
    assert items_of(folder, "x")[0][0].key == items_of(folder, "x")[0][0].key
    assert items_of(folder, "x")[0][0].key != items_of(folder, "y")[0][0].key


def test_a_file_that_cannot_be_read_is_named_and_holds_nothing_up(tmp_path: Path) -> None:
    items, refused = items_of(write(tmp_path / "in", a="Lungs clear.", empty=""), "x")
    assert len(items) == 1
    assert list(refused) == ["empty.txt"]


def test_a_folder_without_texts_is_refused(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(InputError):
            items_of(folder, "x")


def test_another_schema_or_setting_makes_other_conditions() -> None:
    first = conditions(LOADED, Settings(), MODELS)
    assert first == conditions(LOADED, Settings(threads=7), MODELS), "how fast it is changes nothing"
    assert first != conditions(LOADED, Settings(top_k=3), MODELS)
    assert first != conditions(replace(LOADED, sha256="other"), Settings(), MODELS)


def test_results_are_files_of_their_own(tmp_path: Path) -> None:
    results = Results(tmp_path)
    assert not results.has("ab12")
    results.keep("ab12", {"values": []})
    assert results.has("ab12")
    assert results.of("ab12") == {"values": []}
    assert list(results.keys()) == ["ab12"]


def test_the_threads_of_all_workers_never_exceed_the_cores() -> None:
    cores = detect().cores
    for workers in range(1, cores + 1):
        assert 1 <= threads_for(workers) * workers <= cores
    for workers in (0, cores + 1):
        with pytest.raises(InputError):
            threads_for(workers)


def test_without_the_libraries_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ResourceError, match="not installed") as told:
        check_installed()
    assert "wardlight[batch]" in told.value.next_step
