"""`discover` and `batch` on the command line, with the models replaced."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.cli.backlog import batch, discover
from app.system.settings import Settings
from models.base.progress import ProgressMonitor
from tests.kit.fake_app import FakeEngine, write_schema


class Models:
    """What the commands use of the inference process."""

    models = {"filler": "qwen2.5-coder-1.5b-q4", "embedder": "minilm-l6-v2"}  # noqa: RUF012

    def __enter__(self) -> Models:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def discover(self, notes: Any, schema: Any, monitor: ProgressMonitor) -> Any:
        return FakeEngine().discover(notes, schema, settings=Settings(), monitor=monitor)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (discover, batch):
        monkeypatch.setattr(module, "open_inference", lambda _: Models())
    place = tmp_path / "in"
    place.mkdir()
    for number in range(3):
        (place / f"{number}.txt").write_text(f"Pedal bike {10 + number} minutes.", encoding="utf-8")
    return place


def test_a_folder_is_looked_through_and_no_sentence_is_written(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    schema, out = str(write_schema(tmp_path)), tmp_path / "out"
    assert main(["discover", str(folder), "--schema", schema, "--out", str(out), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    (found,) = told["found"]
    assert (found["name"], found["dictations"], found["unit"]) == ("pedal bike minutes", 3, "min")
    written = (out / discover.REPORT_FILE).read_text(encoding="utf-8")
    assert "Pedal bike 10 minutes" not in written
    assert json.loads(written)["found"] == told["found"]


def test_it_must_be_clear_where_to_look(folder: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert main(["discover", "--out", out]) == 2
    assert main(["discover", str(folder), "--store", "--out", out]) == 2


def test_a_backlog_that_is_read_needs_no_worker(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[int] = []

    @contextmanager
    def workers(count: int) -> Iterator[str]:
        started.append(count)
        yield "client"

    def read(items: Any, results: Any, *_: Any) -> batch.Outcome:
        for one in items:
            results.keep(one.key, {"values": []})
        return batch.Outcome(read=len(items))

    monkeypatch.setattr(batch, "check_installed", lambda: None)
    monkeypatch.setattr(batch, "workers_here", workers)
    monkeypatch.setattr(batch, "read_backlog", read)
    command = ["batch", str(folder), "--schema", str(write_schema(tmp_path)), "--out", str(tmp_path / "out"), "--json"]
    for told in ({"read": 3, "known": 0}, {"read": 0, "known": 3}):
        assert main(command) == 0
        assert json.loads(capsys.readouterr().out) == told | {"failed": {}}
    assert started == [1]
    assert len(json.loads((tmp_path / "out" / "files.json").read_text())) == 3
