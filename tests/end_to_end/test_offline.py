"""The installed command with the network cut off gives the same values as with it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.pipeline import PipelineResult
from tests.end_to_end.conftest import DEMO_SCHEMA, SAMPLE

pytestmark = [pytest.mark.models, pytest.mark.extensive]

UNSHARE = ["unshare", "-rn"]


def can_cut_off() -> bool:
    if shutil.which("unshare") is None:
        return False
    return subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_cut_off(), reason="this system does not let a user make a network namespace")
def test_same_result_without_a_network(sample_result: PipelineResult, tmp_path: Path) -> None:
    arguments = ["run", str(SAMPLE), "--schema", str(DEMO_SCHEMA), "--out", str(tmp_path), "--json"]
    done = subprocess.run(
        [*UNSHARE, sys.executable, "-m", "app.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["transcript"] == sample_result.transcript.text
    offline = {value["row_id"]: value["value"] for value in data["values"]}
    online = {v.row_id: list(v.value) if isinstance(v.value, tuple) else v.value for v in sample_result.values}
    assert offline == online
