"""Real Dask workers read a backlog, and are killed over it. Skipped where the extra `batch` is not installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from app.batch.backlog import Results, items_of
from tests.kit.patience import PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="the extra `batch` (Dask) is not installed")
ROOT = Path(__file__).parents[4]


def read(folder: Path, out: Path, *more: str, workers: int = 2) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.kit.backlogs", str(folder), str(out), str(workers), *more],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


@pytest.fixture
def backlog(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(f"text {number}", encoding="utf-8")
    return folder


def of(folder: Path, out: Path) -> dict[str, Any]:
    """By file, the result."""
    results = Results(out)
    return {name: results.of(one.key) for one in items_of(folder, "conditions")[0] for name in one.names}


def tries(out: Path) -> dict[str, int]:
    return {path.stem: int(path.read_text()) for path in (out / "notes").glob("*.tries")}


def test_each_text_is_read_once_on_loopback_alone_within_its_threads(backlog: Path, tmp_path: Path) -> None:
    told = read(backlog, tmp_path / "out")
    assert (told["known"], told["read"], told["failed"]) == (0, 6, {})
    assert told["listening"] == ["127.0.0.1"]
    found = of(backlog, tmp_path / "out")
    assert {name: one["values"] for name, one in found.items()} == {f"{n}.txt": f"TEXT {n}" for n in range(6)}
    assert {(one["threads"], one["omp"]) for one in found.values()} == {(1, "1")}
    assert set(tries(tmp_path / "out").values()) == {1}


def test_a_stopped_backlog_continues_and_reads_nothing_twice(backlog: Path, tmp_path: Path) -> None:
    assert read(backlog, tmp_path / "out", "2", workers=1) == {"listening": ["127.0.0.1"], "stopped": True}
    known = len(list(Results(tmp_path / "out").keys()))
    assert 2 <= known < 6
    told = read(backlog, tmp_path / "out")
    assert (told["known"], told["read"]) == (known, 6 - known)


def test_a_worker_that_is_killed_twice_loses_nothing(backlog: Path, tmp_path: Path) -> None:
    (backlog / "hard.txt").write_text("kill 2", encoding="utf-8")
    told = read(backlog, tmp_path / "out")
    assert (told["read"], told["failed"]) == (7, {})
    assert tries(tmp_path / "out")["kill-2"] == 3
    assert len({one["values"] for one in of(backlog, tmp_path / "out").values()}) == 7


def test_a_text_that_kills_every_worker_or_cannot_be_read_holds_nothing_up(backlog: Path, tmp_path: Path) -> None:
    (backlog / "deadly.txt").write_text("kill 99", encoding="utf-8")
    (backlog / "bad.txt").write_text("fail", encoding="utf-8")
    told = read(backlog, tmp_path / "out")
    assert told["read"] == 6
    assert told["failed"].keys() == {"deadly.txt", "bad.txt"}
    assert "workers ended" in told["failed"]["deadly.txt"]
    assert told["failed"]["bad.txt"] == "this text cannot be read"
