"""How fast questions about a whole ward are answered: `python -m tests.benchmarks.asked [--values N]`.

A database is made up in a temporary folder: 200 patients with 30 days of values, one in forty of them flagged. Exits
with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median

from app.chart.cells import local_of
from app.services.asking.answering import Asking
from app.store import Store
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.questions.query import (
    WARD,
    Aggregate,
    AllOf,
    Balance,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Measure,
    Missing,
    Order,
    OverPatients,
    Query,
    Rate,
    Select,
    Sequence,
    Subject,
    Value,
    Window,
)
from extraction.schema_files.native_format import load_schema
from tests.benchmarks.charted import make_up
from tests.benchmarks.run import SCHEMA, Figure, verdict

_PER_PATIENT = 5000
_DAYS = 30
_FLAGGED = 41  # prime to the number of rows, so that every row has some
_ROUNDS = 7
_TARGET = 200.0  # ms, of 95 in 100 questions


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--values", type=int, default=1_000_000)
    patients = max(1, parser.parse_args().values // _PER_PATIENT)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "wardlight.db"
        make_up(path, patients, timedelta(days=_DAYS) / 100, _FLAGGED)
        print(f"{patients * _PER_PATIENT} values of {patients} patients in {_DAYS} days", flush=True)
        schema = load_schema(SCHEMA)
        with Store(path) as store:
            figures = list(_measured(store, schema))
    return verdict(figures)


def _measured(store: Store, schema: Schema) -> Iterator[Figure]:
    asking = Asking(store, schema, Settings(), lambda _: schema)
    now = local_of((datetime(2026, 10, 14, tzinfo=UTC) + timedelta(days=_DAYS)).isoformat())
    seconds: list[float] = []
    for name, query in _questions(schema, now).items():
        own = []
        for _ in range(_ROUNDS):
            start = time.perf_counter()
            asking.answer(query, "Kim Berg, RN", now=now)
            own.append(time.perf_counter() - start)
        seconds += own
        yield Figure(name, median(own) * 1000, None, "ms")
    seconds.sort()
    yield Figure("95 in 100 questions within", seconds[round(len(seconds) * 0.95) - 1] * 1000, _TARGET, "ms")


def _questions(schema: Schema, now: datetime) -> dict[str, Query]:
    rows = [Measure(row.name, (row.id,)) for row in schema.rows[:50]]
    rate, other, third = rows[0], rows[1], rows[2]
    shift, day, week = (Window(now - timedelta(hours=hours)) for hours in (8, 24, 168))
    one = Subject((7,))
    above = Condition(Value(rate), Comparison.ABOVE, numbers=(100.0,))
    return {
        "latest of one patient": Select(one, (Value(rate),)),
        "latest of everybody": Select(WARD, (Value(rate),)),
        "above a limit now": Select(WARD, where=above),
        "two conditions": Select(WARD, where=AllOf((above, Condition(Value(other), Comparison.CHARTED)))),
        "how many": CountPatients(Select(WARD, where=above)),
        "highest of a shift, first ten": Select(
            WARD, (Value(rate, Aggregate.HIGHEST, shift),), order=Order.HIGHEST_FIRST, limit=10
        ),
        "ever above a limit in a day": Select(
            WARD, where=Condition(Value(rate, Aggregate.ANY, day), Comparison.ABOVE, numbers=(100.0,))
        ),
        "total of a day per hour": Select(WARD, (Value(third, Aggregate.SUM, day, Rate.HOUR),)),
        "mean of a week": Select(WARD, (Value(rate, Aggregate.MEAN, week),)),
        "mean over patients": OverPatients(Aggregate.MEAN, Select(WARD, (Value(rate),))),
        "groups": Group(Select(WARD, (Value(rate),)), (60.0, 80.0, 100.0)),
        "fluid balance of a day": Select(WARD, (Balance(day),)),
        "not charted in a shift": Missing(WARD, (rate, other), Window(now - timedelta(hours=2))),
        "change of a week": Select(WARD, (Value(rate, Aggregate.CHANGE, week),)),
        "everything of one patient in a day": Sequence(one, (), day),
    }


if __name__ == "__main__":
    sys.exit(main())
