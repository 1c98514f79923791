"""`kill -9` of the whole program while it records takes a second of the recording at most, and nothing else."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
import wave
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from app.store import Store
from app.system import paths
from speech import recording_journal
from speech.recording_journal import Kept
from tests.gui.conftest import Ward
from tests.kit.audio import counted
from tests.kit.fake_app import bring_reviewed

ROOT = Path(__file__).parents[3]
MOMENTS = 10
MOST_MISSING = 1.0  # seconds


@pytest.fixture
def patient(use_schema: None, tmp_path: Path) -> int:
    """The store holds a reviewed dictation of this patient, whose bed the program opens at its start."""
    with closing(Store(paths.database_file())) as store:
        dictation = bring_reviewed(store, tmp_path)
        store.signers.choose(store.signers.add("R. Nurse").id)  # as the first start makes of the settings
        return store.encounters.one(dictation.encounter_id).patient_id


def what_is_kept() -> dict[str, str]:
    """All that the program keeps but the recordings that are under way: each row of the database, and each file."""
    with closing(sqlite3.connect(paths.database_file())) as database:
        kept = {"rows": "\n".join(database.iterdump())}
    for path in paths.data_dir().rglob("*"):
        of_database = path.name.startswith(paths.database_file().name)
        if path.is_file() and not of_database and not path.is_relative_to(paths.unfinished_dir()):
            kept[str(path)] = sha256(path.read_bytes()).hexdigest()
    return kept


def under_way() -> dict[str, Kept]:
    return {kept.folder.name: kept for kept in recording_journal.unfinished(paths.unfinished_dir())}


def record_until(moment: float) -> tuple[list[str], float]:
    """Starts the program, lets it record for some seconds and kills it; what it offered, seconds that were spoken."""
    command = [sys.executable, "-m", "tests.gui.dictating"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout
            offered, began = json.loads(program.stdout.readline()), float(program.stdout.readline())
            time.sleep(max(0.0, began + moment - time.monotonic()))
            assert program.poll() is None, "it ended by itself"
            spoken = time.monotonic() - began
        finally:
            program.send_signal(signal.SIGKILL)
    assert program.returncode == -signal.SIGKILL
    return offered, spoken


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_kill_9_at_ten_random_moments(patient: int, new_ward: Callable[..., Ward]) -> None:
    dice = random.Random(11)
    before, known, missing = what_is_kept(), dict[str, Kept](), []
    for _ in range(MOMENTS):
        offered, spoken = record_until(dice.uniform(0.2, 3.0))
        assert set(offered) == {name for name, kept in known.items() if not kept.too_short}
        now = under_way()
        assert {name: now[name].samples for name in offered} == {name: known[name].samples for name in offered}
        new = [kept for name, kept in now.items() if name not in known]
        assert len(new) <= 1
        for kept in new:
            assert b"".join(recording_journal.blocks(kept)) == counted(0, kept.samples), (
                "what is kept is not what was said"
            )
            assert kept.head.patient_id == patient
        missing.append(spoken - sum(kept.seconds for kept in new))
        assert what_is_kept() == before, "something else changed"
        known = now
    print("seconds missing:", " ".join(f"{seconds:.2f}" for seconds in missing))
    assert max(missing) <= MOST_MISSING

    ward = new_ward()
    ward.until(ward.window.recovery.isVisible)
    kept = ward.window.recovery._recordings[0].kept
    assert "was not finished" in ward.window.recovery.text
    ward.click(ward.window.recovery.keep)
    ward.until_filled(kept.wave.name)
    sheet = ward.window.page.sheet
    assert sheet
    assert sheet.patient.id == patient
    with wave.open(str(sheet.dictation.path), "rb") as taken_in:
        assert taken_in.readframes(taken_in.getnframes()) == counted(0, kept.samples)
    assert kept.folder.name not in under_way()
