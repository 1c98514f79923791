"""Ctrl-C and kill -9 of the program in the middle of each stage: nothing lost, no process left, retry completes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.store import Store
from app.system import paths
from tests.end_to_end.conftest import DEMO_SCHEMA, SAMPLE

pytestmark = [pytest.mark.models, pytest.mark.extensive, pytest.mark.skipif(os.name == "nt", reason="POSIX signals")]

# The first words of the progress line that tells that the stage is under way.
STAGES = {"transcribe": "transcribe", "reduce": "reduce", "fill": "fill"}


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "app.cli", *map(str, arguments)]


def run_arguments(out: Path) -> list[str]:
    return command(
        "run", SAMPLE, "--schema", DEMO_SCHEMA, "--out", out, "--top-k", 2, "--filler-model", "qwen2.5-coder-0.5b-q4"
    )


def started(out: Path, until: str) -> subprocess.Popen[str]:
    """The program on the sample, at the moment when it reports the stage."""
    program = subprocess.Popen(run_arguments(out), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert program.stderr is not None
    for line in program.stderr:
        if line.startswith(until):
            return program
    with program:
        program.kill()
    pytest.fail(f"the stage {until!r} was never reported")


def children(pid: int) -> list[int]:
    """Direct children of a process (Linux)."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def gone(pids: list[int]) -> bool:
    def alive(pid: int) -> bool:
        try:
            return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        if not any(alive(pid) for pid in pids):
            return True
        time.sleep(0.1)
    return False


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out"


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill-9"])
@pytest.mark.parametrize("stage", STAGES)
def test_stopped_in_the_middle(stage: str, how: signal.Signals, out: Path) -> None:
    program = started(out, STAGES[stage])
    offspring = children(program.pid)
    assert offspring
    program.send_signal(how)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == (130 if how is signal.SIGINT else -signal.SIGKILL), errors
    assert "Traceback" not in errors
    assert gone(offspring), "the inference process outlived the program"
    with Store(paths.database_file()) as store:
        dictation = store.dictations.one(1)
        assert dictation.path.read_bytes() == SAMPLE.read_bytes()
        assert dictation.status != "filled"
        assert (store.transcripts.of(1) is not None) == (stage != "transcribe")
    assert not (out / "proposals.json").exists()


def test_retry_after_a_kill_completes_from_the_last_finished_stage(out: Path) -> None:
    program = started(out, STAGES["fill"])
    program.kill()
    program.communicate(timeout=60)
    done = subprocess.run(
        command("run", "--retry", 1, "--out", out, "--top-k", 2, "--filler-model", "qwen2.5-coder-0.5b-q4", "--json"),
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["seconds"].get("transcribe", 0.0) == 0.0
    assert "speech" not in data["models"]
    with Store(paths.database_file()) as store:
        assert store.dictations.one(1).status == "filled"
        assert len(store.values.of(1)) == len(data["values"]) > 0
