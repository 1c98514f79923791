"""What stands charted is derived from the record, found by indexes, and kept through an upgrade."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

import pytest

from app.chart.records import ReviewedValue
from app.record.errors import Conflict
from app.record.run import NO_RUN
from app.services.review.sheet_loader import read_sheet
from app.store import Store
from app.store.sqlite import derived as derived_tables
from extraction.flowsheet.schema import Row, Schema, ValueType, file_sha256
from extraction.flowsheet.values import Value
from tests.kit.derived_chart import derived, stored
from tests.kit.store import ROWS, SCHEMA_BYTES, filled

FORMER = Path(__file__).parents[3] / "data" / "databases" / "m0015_quotes.sql"
PRESSURE = Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("Vital signs",), loinc="85354-9")
SCHEMA = Schema("ward", "Ward", "3", (*ROWS, PRESSURE), file_sha256(SCHEMA_BYTES), "ward.json")
NOON = datetime(2026, 10, 20, 12, tzinfo=UTC)
pytestmark = pytest.mark.skipif(os.name != "posix", reason="time zones of POSIX")


@pytest.fixture(autouse=True)
def zone() -> Iterator[Callable[[str], None]]:
    """Sets the time zone, which is at first one that repeats the hour from 2 to 3 on the 25th of October 2026."""

    with pytest.MonkeyPatch.context() as patch:

        def use(name: str) -> None:
            patch.setenv("TZ", name)
            time.tzset()

        use("Europe/Berlin")
        yield use
    time.tzset()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "wardlight.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as opened:
        opened.patients.add("Ann Lee", "4", "1001")
        yield opened


def dictated(store: Store, path: Path, at: datetime, *said: tuple[str, Value]) -> list[ReviewedValue]:
    """The proposals of a new dictation about the patient."""
    source = path.with_name("said.txt")
    source.write_text("Heart rate 110.", encoding="utf-8")
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    number = store.dictations.add(store.encounters.open(1).id, source, "text", version, at).id
    store.runs.save(number, [filled(row, value) for row, value in said], NO_RUN)
    return store.values.of(number)


def charted(store: Store, path: Path, at: datetime, *said: tuple[str, Value]) -> list[ReviewedValue]:
    """As `dictated`, all confirmed."""
    return store.reviews.decide_all([value.id for value in dictated(store, path, at, *said)], "confirm", "Kim")


def test_a_charted_value_has_what_questions_ask_for(store: Store, path: Path) -> None:
    hr, _, note = charted(store, path, NOON, ("hr", 110.0), ("bp", "120/80"), ("note", "1/2"))
    store.filings.file(hr.dictation_id, "Kim", [])
    rate, pressure, text = store.values.charted(1)
    assert (rate.value, rate.number, rate.second_number, rate.code) == (110.0, 110.0, None, "8867-4")
    assert (pressure.value, pressure.number, pressure.second_number) == ("120/80", 120.0, 80.0)
    assert (text.value, text.number, text.second_number, text.code) == ("1/2", None, None, None)
    assert (rate.at, rate.observed_at, rate.signer, rate.filed) == ("2026-10-20T12:00", None, "Kim", True)
    assert [one.value_id for one in store.values.charted(1, ["note", "hr"])] == [hr.id, note.id]


def test_a_period_ends_before_its_last_minute(store: Store, path: Path) -> None:
    for hours in range(4):
        charted(store, path, NOON + timedelta(hours=hours), ("hr", float(hours)))
    since, until = NOON + timedelta(hours=1), NOON + timedelta(hours=3)
    assert [one.value for one in store.values.charted(1, since=since)] == [1.0, 2.0, 3.0]
    assert [one.value for one in store.values.charted(1, ["hr"], since, until)] == [1.0, 2.0]


def test_the_hour_that_the_clock_repeats_keeps_its_order_and_its_places(store: Store, path: Path) -> None:
    midnight = datetime(2026, 10, 24, 22, tzinfo=UTC)  # of the 25th, by the ward's clock
    hours = [charted(store, path, midnight + timedelta(hours=hour), ("hr", float(hour)))[0] for hour in range(26)]
    both = [one for one in store.values.charted(1) if one.value in (2.0, 3.0)]
    assert [one.at for one in both] == ["2026-10-25T00:00", "2026-10-25T01:00"], "02:00 twice"
    day, next_day = (datetime.combine(date(2026, 10, number), time_of_day.min).astimezone() for number in (25, 26))
    assert [one.value_id for one in store.values.charted(1, since=day, until=next_day)] == [
        one.id for one in hours[:25]
    ]
    said = dictated(store, path, midnight + timedelta(hours=6, minutes=5), ("hr", 90.0))[0]
    with pytest.raises(Conflict):  # the first of the two is meant
        store.reviews.decide(said.id, "edit", "Kim", 90.0, observed_at="2026-10-25T02:00")
    store.reviews.decide(said.id, "edit", "Kim", 90.0, observed_at="2026-10-25T03:05")
    (moved,) = store.values.charted(
        1, since=midnight + timedelta(hours=4, minutes=1), until=midnight + timedelta(hours=5)
    )
    assert (moved.at, moved.observed_at) == ("2026-10-25T02:05", "2026-10-25T03:05")


def test_times_by_the_clock_follow_the_time_zone_of_the_computer(
    store: Store, path: Path, zone: Callable[[str], None]
) -> None:
    (value,) = dictated(store, path, NOON, ("hr", 110.0))
    store.reviews.decide(value.id, "edit", "Kim", 96.0, observed_at="2026-10-20T08:00")
    assert [one.at for one in store.values.charted(1)] == ["2026-10-20T06:00"]
    store.close()
    zone("Europe/Lisbon")
    with Store(path) as again:
        assert [one.at for one in again.values.charted(1)] == ["2026-10-20T07:00"]
        assert stored(path) == derived(path)


def test_a_database_from_before_has_what_stood_charted_then(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.executescript(FORMER.read_text(encoding="utf-8"))
    with Store(path) as store:
        found = [
            [(one.dictation_id, one.row_id, one.value, one.at, one.filed) for one in store.values.charted(patient)]
            for patient in (1, 2)
        ]
        assert found == [
            [
                (1, "bp", "120/80", "2026-10-24T08:00", False),
                (2, "hr", 96.0, "2026-10-24T08:00", False),
                (3, "hr", 88.0, "2026-10-24T09:00", True),
                (3, "bp", "118/70", "2026-10-24T09:00", True),
                (3, "note", "by hand", "2026-10-24T09:00", True),
                (2, "note", "awake and calm", "2026-10-24T09:30", False),
            ],
            [(4, "hr", 71.0, "2026-10-24T09:40", False)],
        ]
        first = store.values.charted(1)[0]
        assert (first.code, first.number, first.second_number, first.signer) == ("85354-9", 120.0, 80.0, "Kim Berg, RN")
        assert stored(path) == derived(path)
        assert store.values.derive_again() == 0


def test_deriving_again_corrects_what_another_program_changed(store: Store, path: Path) -> None:
    hr, rass = charted(store, path, NOON, ("hr", 110.0), ("rass", -2.0))
    assert store.values.derive_again() == 0
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE charted_values SET value = '90.0' WHERE value_id = ?", [hr.id])
        database.execute("DELETE FROM charted_values WHERE value_id = ?", [rass.id])
        database.commit()
    assert store.values.derive_again() == 2
    assert stored(path) == derived(path)


def test_a_purged_dictation_leaves_nothing(store: Store, path: Path) -> None:
    (hr,) = charted(store, path, NOON, ("hr", 110.0))
    store.dictations.delete(hr.dictation_id, "Kim", "Duplicate")
    assert store.values.charted(1) == []
    store.dictations.purge_deleted(datetime.now(UTC) + timedelta(days=1))
    assert stored(path) == derived(path) == ([], {})


def test_the_chart_is_read_by_indexes_and_with_as_many_queries_whatever_it_holds(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    connect = sqlite3.connect

    def listened(*arguments: object, **options: object) -> sqlite3.Connection:
        connection = connect(*arguments, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(asked.append)
        return connection  # type: ignore[no-any-return]

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", listened)
        store = Store(path)
    with store:
        store.patients.add("Ann Lee", "4", "1001")
        numbers = []
        for number in range(12):
            at = NOON + timedelta(minutes=number)
            charted(store, path, at, ("hr", 50.0), ("note", "sleeps"))
            last = dictated(store, path, at, ("hr", 110.0))[0]
            asked.clear()
            read_sheet(store, last.dictation_id, lambda _: SCHEMA)
            store.values.charted(1, ["hr"], NOON)
            store.values.charted(1, since=NOON)
            store.values.confirmed(1, ["hr"])
            store.values.open_proposals()
            store.values.decided()
            store.reviews.last_steps([1])
            store.reviews.decide(last.id, "confirm", "Kim", replacing=True)
            numbers.append(len([query for query in asked if query.startswith("SELECT")]))
        assert len(set(numbers)) == 1
    with closing(sqlite3.connect(path)) as database:
        derived_tables.connect(database)
        queries = [query for query in asked if query.startswith("SELECT")]
        plans = [line[3] for query in queries for line in database.execute(f"EXPLAIN QUERY PLAN {query}")]
    few = ("patients", "signers", "signer_events", "stale_dictations", "dictation_counts")
    given = ("json_each VIRTUAL", "cell VIRTUAL", "CONSTANT ROW")
    whole = [one for one in plans if one.startswith("SCAN") and not one.removeprefix("SCAN ").startswith(few + given)]
    assert whole == []
    used = " ".join(plans)
    assert all(f"charted_values_{name}" in used for name in ("patient", "row", "dictation"))
