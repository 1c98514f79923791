"""What questions about the chart cost: `python -m tests.benchmarks.charted [--values N]`.

A database is made up in a temporary folder: patients with a dictation every three hours, each with fifty charted
values, one in ten of them with a time of its own. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import json
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
from app.chart.run_record import NO_RUN
from app.store import Store
from app.store.sqlite.clock import stamp
from extraction.contract.native_format import load_schema
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour
from tests.benchmarks.run import SCHEMA, Figure, verdict

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
        _make_up(path, patients)
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
                *_questions(store, Path(name)),
            ]
    return verdict(figures)


def _questions(store: Store, folder: Path) -> Iterator[Figure]:
    patients, values = store.patients.all(), store.values
    turn = count()

    def patient() -> int:
        return patients[next(turn) * 7 % len(patients)].id

    row = load_schema(SCHEMA).rows[0].id
    encounter = store.encounters.open(patients[-1].id).id
    dictation = store.dictations.add(encounter, _said(folder), "text", 1, _END - _EVERY).id
    store.runs.save(dictation, [replace(one, value=-1.0) for one in _filled()], NO_RUN)
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


def _filled() -> list[FilledValue]:
    said, near = Evidence(11, 14, "110", 0, 15), Neighbour("row", "Heart rate", 0)
    rows = load_schema(SCHEMA).rows[:_VALUES]
    return [
        FilledValue(row.id, 110.0, row.unit, said, -0.2, 0.1, 0.8, 0.6, near, "rowwise", features="x" * 400)
        for row in rows
    ]


def _make_up(path: Path, patients: int) -> None:
    with Store(path) as store:
        store.schemas.save(load_schema(SCHEMA), SCHEMA.read_bytes())
        for number in range(patients):
            store.encounters.open(store.patients.add(f"Patient {number}", "", f"{number:06}").id)
    filled = [(one.row_id, json.dumps(one.to_json()), json.dumps(one.value), one.unit) for one in _filled()]
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN")
    value = count(1)
    # as on a ward, the dictations of all patients follow each other
    for dictation in range(patients * _DICTATIONS):
        at, encounter = _START + dictation // patients * _EVERY, dictation % patients + 1
        made, number = stamp(at), dictation + 1
        said_at = local_of(stamp(at - timedelta(minutes=20))).isoformat(timespec="minutes")
        database.execute(
            """INSERT INTO dictations (id, encounter_id, schema_version_id, kind, file, original_name, sha256, size,
                status, error, run, created_at) VALUES (?, ?, 1, 'text', ?, 'a.txt', ?, 1, 'filled', '', '{}', ?)""",
            [number, encounter, f"{number}.txt", f"{number}", made],
        )
        database.execute(
            """INSERT INTO review_steps (id, dictation_id, encounter_id, reviewer, reviewed_at)
                VALUES (?, ?, ?, 'Kim Berg, RN', ?)""",
            [number, number, encounter, made],
        )
        ids = [next(value) for _ in filled]
        database.executemany(
            """INSERT INTO row_values (id, dictation_id, encounter_id, row_id, filled, created_at)
                VALUES (?, ?, ?, ?, ?, ?)""",
            [(key, number, encounter, one[0], one[1], made) for key, one in zip(ids, filled, strict=True)],
        )
        database.executemany(
            """INSERT INTO reviews (step_id, value_id, action, status, value, unit, observed_at)
                VALUES (?, ?, 'confirm', 'confirmed', ?, ?, ?)""",
            [
                (number, key, one[2], one[3], None if key % 10 else said_at)
                for key, one in zip(ids, filled, strict=True)
            ],
        )
    database.execute("COMMIT")
    database.close()


if __name__ == "__main__":
    sys.exit(main())
