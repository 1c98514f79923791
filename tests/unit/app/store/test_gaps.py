"""What filed dictations chart, and rows that are dismissed for one dictation."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from app.chart.gaps.habits import ChartingHabits
from app.chart.records import Dictation
from app.record.run import NO_RUN
from app.store import Store
from models.base.errors import InputError
from tests.kit.store import TRANSCRIPT, filled, recorded


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def charted(store: Store, folder: Path, *row_ids: str, rejected: str = "") -> Dictation:
    dictation = recorded(store, folder)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    rows = (*row_ids, rejected) if rejected else row_ids
    store.runs.save(dictation.id, [filled(one, 2.0) for one in rows], NO_RUN)
    for value in store.values.of(dictation.id):
        store.reviews.decide(value.id, "reject" if value.row_id == rejected else "confirm", "Kim")
    return dictation


def test_filed_dictations_say_what_is_usual(store: Store, tmp_path: Path) -> None:
    first, second, _ = (
        charted(store, tmp_path, "hr", "rass"),
        charted(store, tmp_path, "hr", rejected="rass"),
        charted(store, tmp_path, "rass"),  # which is not filed
    )
    for one in (first, second):
        store.filings.file(one.id, "Kim", [])
    assert store.gaps.habits(first.schema_version_id) == ChartingHabits(2, {"hr": 2, "rass": 1})
    assert store.gaps.habits(first.schema_version_id, without=first.id) == ChartingHabits(1, {"hr": 1})
    store.filings.reopen(second.id, "Kim")
    store.dictations.delete(second.id, "Kim", "duplicate")
    assert store.gaps.habits(first.schema_version_id) == ChartingHabits(1, {"hr": 1, "rass": 1})


def test_a_dismissal_is_kept_and_taken_back(store: Store, tmp_path: Path) -> None:
    number = charted(store, tmp_path, "hr").id
    for row_id in ("rass", "note", "note"):
        store.gaps.dismiss(number, row_id, "Kim")
    assert store.gaps.dismissed(number) == ("rass", "note")
    store.gaps.restore(number, "rass", "Kim")
    assert store.gaps.dismissed(number) == ("note",)
    store.filings.file(number, "Kim", [])
    with pytest.raises(InputError, match="filed"):
        store.gaps.dismiss(number, "rass", "Kim")


def test_a_dismissal_is_only_added_to_and_goes_with_the_dictation(store: Store, tmp_path: Path) -> None:
    number = charted(store, tmp_path, "hr").id
    store.gaps.dismiss(number, "rass", "Kim")
    with store.transaction(), pytest.raises(sqlite3.IntegrityError, match="only be added to"):
        store._database._db.execute("DELETE FROM gap_dismissals")
    store.dictations.delete(number, "Kim", "duplicate")
    store.dictations.purge_deleted(store.now() + timedelta(days=1))
    assert not list(store._database._db.query("SELECT * FROM gap_dismissals"))


def test_what_nurses_write_is_kept_until_nothing_of_the_stay_is(store: Store, tmp_path: Path) -> None:
    dictation = charted(store, tmp_path, "hr")
    stay = dictation.encounter_id
    store.handover_entries.write(stay, "to_do", "Recheck potassium at 22:00", "Kim")
    store.handover_entries.write(stay, "to_do", "Recheck potassium at 23:00", "Lee")
    store.handover_entries.write(stay, "severity", "watcher", "Kim")
    found = store.handover_entries.of(stay)
    assert {part: (one.content, one.reviewer) for part, one in found.items()} == {
        "to_do": ("Recheck potassium at 23:00", "Lee"),
        "severity": ("watcher", "Kim"),
    }
    with store.transaction(), pytest.raises(sqlite3.IntegrityError, match="only be added to"):
        store._database._db.execute("DELETE FROM handover_entries")
    store.dictations.delete(dictation.id, "Kim", "duplicate")
    store.dictations.purge_deleted(store.now() + timedelta(days=1))
    assert store.handover_entries.of(stay) == {}
