"""The whole program, which records and is killed by `kill -9`, and what is found on the disk afterwards."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from app.store import Store
from app.system import paths
from speech import recording_journal
from speech.recording_journal import Kept
from tests.kit.fake_app import bring_reviewed

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Started:
    """A program that records.

    Attributes:
        offered: the names of the recordings that it offered to go on with.
        began: when its own recording began (monotonic seconds).
    """

    offered: list[str]
    began: float


def patient_with_a_review(folder: Path) -> int:
    """Stores a reviewed dictation of a patient, whose bed the program opens at its start."""
    with closing(Store(paths.database_file())) as store:
        dictation = bring_reviewed(store, folder)
        store.signers.choose(store.signers.add("R. Nurse").id)  # as the first start makes of the settings
        return store.encounters.one(dictation.encounter_id).patient_id


def record_until(enough: Callable[[Started], bool]) -> Started:
    """Starts the program, lets it record until it is enough, asked again and again, and kills it."""
    command = [sys.executable, "-m", "tests.gui.dictating"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout
            started = Started(json.loads(program.stdout.readline()), float(program.stdout.readline()))
            while not enough(started):
                assert program.poll() is None, "it ended by itself"
        finally:
            program.send_signal(signal.SIGKILL)
    assert program.returncode == -signal.SIGKILL
    return started


def under_way() -> dict[str, Kept]:
    """The unfinished recordings on the disk, by name."""
    return {kept.folder.name: kept for kept in recording_journal.unfinished(paths.unfinished_dir())}


def what_is_kept() -> dict[str, str]:
    """All that the program keeps but the recordings that are under way: each row of the database, and each file."""
    with closing(sqlite3.connect(paths.database_file())) as database:
        kept = {"rows": "\n".join(database.iterdump())}
    for path in paths.data_dir().rglob("*"):
        of_database = path.name.startswith(paths.database_file().name)
        if path.is_file() and not of_database and not path.is_relative_to(paths.unfinished_dir()):
            kept[str(path)] = sha256(path.read_bytes()).hexdigest()
    return kept
