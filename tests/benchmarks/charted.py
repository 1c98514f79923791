"""What questions about the chart cost: `python -m tests.benchmarks.charted [--values N]`.

A database is made up in a temporary folder: patients with a dictation every three hours, each with fifty charted
values, one in ten of them with a time of its own. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from statistics import median

from app.chart.cells import local_of
from app.record.run import NO_RUN
from app.store import Store
from app.store.sqlite.clock import stamp
from extraction.schema_files.native_format import load_schema
from tests.benchmarks.run import SCHEMA, Figure, verdict
from tests.kit.store import filled

_VALUES, _DICTATIONS = 50, 100  # of a dictation, of a patient
_EVERY = timedelta(hours=3)
_ROUNDS = 25
_START = datetime(2026, 10, 14, tzinfo=UTC)
_END = _START + _DICTATIONS * _EVERY


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=1_000_000)
    patients = max(1, parser.parse_args().values // (_VALUES * _DICTATIONS))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "wardlight.db"
        make_up(path, patients)
        print(f"{patients * _VALUES * _DICTATIONS} values of {patients} patients", flush=True)
        start = time.perf_counter()
        with Store(path):
            deriving = time.perf_counter() - start
        start = time.perf_counter()
        with Store(path) as store:
            opening = time.perf_counter() - start
            figures = [
                Figure("deriving all, when the database is opened after an upgrade", deriving, None, "s"),
                Figure("opening it again", opening, None, "s"),
                *_questions(store),
            ]
    return verdict(figures)


def _questions(store: Store) -> Iterator[Figure]:
    patients, values = store.patients.all(), store.values
    turn = count()

    def patient() -> int:
        return patients[next(turn) * 7 % len(patients)].id

    row = load_schema(SCHEMA).rows[0].id
    dictation = store.dictations.all()[-1].id  # the first, which is charted beside the last one of its patient
    assert len(values.conflicts(dictation)) > _VALUES / 2
    proposals = iter([value.id for value in values.of(dictation)])
    day = _END - timedelta(days=1)
    yield Figure("one patient and row", _ms(lambda: values.charted(patient(), [row])), 5.0, "ms")
    yield Figure("a patient's last 24 hours", _ms(lambda: values.charted(patient(), since=day)), 50.0, "ms")
    yield Figure("conflicts of a new dictation", _ms(lambda: values.conflicts(dictation)), 50.0, "ms")
    yield Figure(
        "numbers of values for the list of dictations",
        _ms(lambda: (values.decided(), values.open_proposals())),
        250.0,
        "ms",
    )
    yield Figure("a patient's whole chart with its evidence", _ms(lambda: values.standing(patient())), None, "ms")
    yield Figure(
        "one value put in the place of another",
        _ms(lambda: store.reviews.decide(next(proposals), "confirm", "Kim Berg, RN", replacing=True)),
        None,
        "ms",
    )


def _ms(ask: Callable[[], object]) -> float:
    seconds = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        ask()
        seconds.append(time.perf_counter() - start)
    return median(seconds) * 1000


def _said(folder: Path) -> Path:
    path = folder / "said.txt"
    path.write_text("Heart rate 110.", encoding="utf-8")
    return path


def make_up(path: Path, patients: int, every: timedelta = _EVERY, flagged: int = 0) -> None:
    """Makes a database; with `flagged`, one in so many values is as it was proposed, and doubtful."""
    proposed = [replace(filled(row.id, 110.0, row.unit), features="x" * 400) for row in load_schema(SCHEMA).rows]
    with Store(path) as store:
        store.schemas.save(load_schema(SCHEMA), SCHEMA.read_bytes())
        for number in range(patients):
            store.encounters.open(store.patients.add(f"Patient {number}", "", f"{number:06}").id)
        first = store.dictations.add(patients, _said(path.parent), "text", 1, _START + (_DICTATIONS - 1) * every).id
        store.runs.save(first, proposed[:_VALUES], NO_RUN)
    database = sqlite3.connect(path, isolation_level=None)
    stored = database.execute("SELECT row_id, filled FROM row_values").fetchall()
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    value = count(len(stored) + 1)
    # as on a ward, the dictations of all patients follow each other
    for number in range(patients * _DICTATIONS):
        at, encounter, dictation = _START + number // patients * every, number % patients + 1, first + number + 1
        made, ids = stamp(at), [next(value) for _ in stored]
        said_at = local_of(stamp(at - timedelta(minutes=20))).isoformat(timespec="minutes")
        database.execute(
            """INSERT INTO dictations (id, encounter_id, schema_version_id, kind, file, original_name, sha256, size,
                status, error, run, created_at) VALUES (?, ?, 1, 'text', ?, 'a.txt', ?, 1, 'filled', '', '{}', ?)""",
            [dictation, encounter, f"{dictation}.txt", f"{dictation}", made],
        )
        database.execute(
            """INSERT INTO review_steps (id, dictation_id, encounter_id, reviewer, reviewed_at)
                VALUES (?, ?, ?, 'Kim Berg, RN', ?)""",
            [dictation, dictation, encounter, made],
        )
        database.executemany(
            """INSERT INTO row_values (id, dictation_id, encounter_id, row_id, filled, created_at)
                VALUES (?, ?, ?, ?, ?, ?)""",
            [(key, dictation, encounter, *one, made) for key, one in zip(ids, stored, strict=True)],
        )
        database.executemany(
            """INSERT INTO reviews (step_id, value_id, action, status, value, observed_at)
                VALUES (?, ?, 'confirm', 'confirmed', ?, ?)""",
            [
                (dictation, key, "110.0" if flagged and not key % flagged else "96.0", None if key % 10 else said_at)
                for key in ids
            ],
        )
    database.execute("COMMIT")
    database.close()


if __name__ == "__main__":
    sys.exit(main())
