"""One place in the chart holds one value; what is filed stays as it is until it is reopened."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from app.chart.cells import beside, column_of
from app.chart.records import ChartEntry, Dictation, ReviewedValue, ReviewStatus
from app.record.errors import Conflict
from app.record.run import NO_RUN
from app.record.values import Evidence, Timing
from app.store import Store
from models.base.errors import InputError
from tests.kit.store import SCHEMA, SCHEMA_BYTES, TRANSCRIPT, filled, recorded

NOON = "2026-11-21T12:00"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """Everything in it happens in one minute."""
    times = (f"{NOON}:{number // 1000:02d}.{number % 1000:03d}+00:00" for number in range(60_000))
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: next(times))
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


def again(store: Store, folder: Path, *rates: float, name: str = "again.wav") -> list[ReviewedValue]:
    """The values of another dictation about the same patient in the same minute."""
    source = folder / name
    source.write_bytes(b"RIFF of another recording")
    (patient,) = store.patients.all()
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    dictation = store.dictations.add(store.encounters.open(patient.id).id, source, "audio", version)
    store.runs.save(dictation.id, [filled("hr", rate, "/min") for rate in rates], NO_RUN)
    return store.values.of(dictation.id)


@pytest.fixture
def first(store: Store, tmp_path: Path) -> ReviewedValue:
    dictation = recorded(store, tmp_path)
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min"), filled("rass", -2.0)], NO_RUN)
    return store.reviews.decide(store.values.of(dictation.id)[0].id, "confirm", "Kim")


def state(store: Store, value: ReviewedValue) -> tuple[str, bool]:
    now = next(item for item in store.values.of(value.dictation_id) if item.id == value.id)
    return now.status.value, now.stands


def test_another_value_in_the_same_place_is_refused_until_it_is_chosen(
    store: Store, first: ReviewedValue, tmp_path: Path
) -> None:
    (other,) = again(store, tmp_path, 98.0)
    ((found,),) = store.values.conflicts(other.dictation_id).values()
    assert (found.value, found.source, found.filed) == (first, "Bed 4.WAV", False)
    with pytest.raises(Conflict, match=r"confirmed by Kim \(Bed 4.WAV\)"):
        store.reviews.decide(other.id, "confirm", "Lou")
    assert state(store, other) == ("proposed", False)
    assert not store.reviews.can_undo(other.dictation_id), "nothing was written"
    store.reviews.decide(other.id, "confirm", "Lou", replacing=True)
    assert (state(store, first), state(store, other)) == (("confirmed", False), ("confirmed", True))
    assert store.values.of(first.dictation_id)[0].replaced_by == other.id
    store.reviews.undo(other.dictation_id, "Lou")
    assert (state(store, first), state(store, other)) == (("confirmed", True), ("proposed", False))


def test_keeping_the_charted_value_rejects_the_new_one(store: Store, first: ReviewedValue, tmp_path: Path) -> None:
    (other,) = again(store, tmp_path, 98.0)
    store.reviews.decide(other.id, "reject", "Lou")
    assert store.values.conflicts(other.dictation_id) == {}
    assert state(store, first) == ("confirmed", True)


@pytest.mark.parametrize("rate", [110.0, 98.0])
def test_the_same_value_said_twice_is_no_conflict(
    store: Store, first: ReviewedValue, tmp_path: Path, rate: float
) -> None:
    (other,) = again(store, tmp_path, rate)
    store.reviews.decide(other.id, "edit", "Lou", value=110.0, unit="/min")
    assert state(store, other)[1]
    assert state(store, first)[1]


def test_neither_edits_nor_additions_nor_undone_rejections_share_a_place(
    store: Store, first: ReviewedValue, tmp_path: Path
) -> None:
    (other,) = again(store, tmp_path, 110.0)
    with pytest.raises(Conflict):
        store.reviews.decide(other.id, "edit", "Lou", value=98.0, unit="/min")
    with pytest.raises(Conflict):
        store.reviews.add(other.dictation_id, "hr", 98.0, "/min", "Lou")
    store.reviews.decide(first.id, "reject", "Kim")
    store.reviews.decide(other.id, "edit", "Lou", value=98.0, unit="/min")
    with pytest.raises(Conflict):
        store.reviews.undo(first.dictation_id, "Kim")
    assert state(store, first) == ("rejected", False)


def test_a_value_is_put_back_and_a_chain_of_three_ends_with_the_last_chosen(
    store: Store, first: ReviewedValue, tmp_path: Path
) -> None:
    (second,) = again(store, tmp_path, 98.0)
    (third,) = again(store, tmp_path, 87.0)
    store.reviews.decide(second.id, "confirm", "Lou", replacing=True)
    store.reviews.decide(third.id, "confirm", "Max", replacing=True)
    assert [state(store, value)[1] for value in (first, second, third)] == [False, False, True]
    assert [one.value.id for one in store.values.conflicts(first.dictation_id)[first.id]] == [third.id]
    store.reviews.decide(first.id, "confirm", "Kim", replacing=True)
    assert [state(store, value)[1] for value in (first, second, third)] == [True, False, False]
    store.reviews.decide(first.id, "reject", "Kim")
    assert [state(store, value)[1] for value in (first, second, third)] == [False, False, True]
    store.reviews.decide(third.id, "reject", "Max")
    assert [state(store, value)[1] for value in (first, second, third)] == [False, True, False]


def test_another_minute_or_another_stay_is_another_place(
    store: Store, first: ReviewedValue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: "2026-11-21T12:01:00.000+00:00")
    (later,) = again(store, tmp_path, 98.0)
    assert state(store, store.reviews.decide(later.id, "confirm", "Lou")) == ("confirmed", True)
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: f"{NOON}:59.000+00:00")
    patient = store.patients.all()[0].id
    store.patients.discharge(patient, "Lou", anyway=True)
    store.patients.readmit(patient, "", "Lou")
    (elsewhere,) = again(store, tmp_path, 97.0)
    assert state(store, store.reviews.decide(elsewhere.id, "confirm", "Lou")) == ("confirmed", True)
    standing = store.values.standing(store.patients.all()[0].id)
    assert [one.value.value for one in standing] == [110.0, 97.0, 98.0]


def test_of_two_readings_of_the_same_words_one_is_charted(store: Store, first: ReviewedValue, tmp_path: Path) -> None:
    two = again(store, tmp_path, 98.0, 98.0, 97.0)
    placed = [ChartEntry(value, 1, NOON, "again.wav") for value in two]
    assert beside(placed) == {two[0].id: (two[2],), two[1].id: (two[2],), two[2].id: (two[0], two[1])}
    assert beside(placed[:2]) == {}
    with pytest.raises(Conflict):
        store.reviews.decide_all([value.id for value in two[1:]], "confirm", "Lou")
    assert store.values.open_proposals()[two[0].dictation_id] == {value.id for value in two}


def test_one_dictation_can_say_two_values_of_a_row_and_another_excludes_both(store: Store, tmp_path: Path) -> None:
    dictation_id = recorded(store, tmp_path).id
    store.transcripts.save(dictation_id, TRANSCRIPT)
    start = TRANSCRIPT.text.index("rate")
    quote = Evidence(start, start + 4, "rate", 0, len(TRANSCRIPT.text))
    store.runs.save(dictation_id, [filled("hr", 110.0, "/min")], NO_RUN)
    for value in store.values.of(dictation_id):
        store.reviews.decide(value.id, "confirm", "Kim")
    coughing = store.reviews.add(dictation_id, "hr", 124.0, "/min", "Kim", quote=quote)
    assert store.values.conflicts(dictation_id) == {}
    assert {one.value for one in store.values.of(dictation_id) if one.row_id == "hr" and one.stands} == {110.0, 124.0}
    with pytest.raises(Conflict):
        store.reviews.add(dictation_id, "hr", 99.0, "/min", "Kim")
    (other,) = again(store, tmp_path, 98.0)
    assert len(store.values.conflicts(other.dictation_id)[other.id]) == 2
    store.reviews.decide(other.id, "confirm", "Lou", replacing=True)
    assert not state(store, coughing)[1]


def reviewed(store: Store, first: ReviewedValue) -> Dictation:
    store.reviews.decide(store.values.of(first.dictation_id)[1].id, "reject", "Kim")
    return store.dictations.one(first.dictation_id)


def test_only_what_is_reviewed_to_the_end_is_filed(store: Store, first: ReviewedValue) -> None:
    with pytest.raises(InputError, match="not fully reviewed"):
        store.filings.file(first.dictation_id, "Kim", ["/out/a.json"])
    dictation = reviewed(store, first)
    filing = store.filings.file(dictation.id, "Kim", ["/out/a.json", "/out/a.csv"])
    assert (filing.reviewer, filing.files) == ("Kim", ("/out/a.json", "/out/a.csv"))
    assert store.filings.of(dictation.id) == filing
    assert store.filings.filed() == {dictation.id}
    with pytest.raises(InputError, match="filed"):
        store.filings.file(dictation.id, "Kim", [])


def test_a_filed_dictation_is_not_changed_until_it_is_reopened(
    store: Store, first: ReviewedValue, tmp_path: Path
) -> None:
    dictation = reviewed(store, first)
    store.filings.file(dictation.id, "Kim", ["/out/a.json"])
    before = store.values.of(dictation.id)
    for change in (
        lambda: store.reviews.decide(first.id, "reject", "Kim"),
        lambda: store.reviews.add(dictation.id, "note", "calm", None, "Kim"),
        lambda: store.reviews.undo(dictation.id, "Kim"),
        lambda: store.runs.save(dictation.id, [filled("hr", 60.0)], NO_RUN),
        lambda: store.transcripts.save(dictation.id, TRANSCRIPT),
    ):
        with pytest.raises(InputError, match=r"This dictation is filed\. Reopen it"):
            change()
    assert store.values.of(dictation.id) == before
    assert [one.filed for one in store.values.standing(store.patients.all()[0].id)] == [True]
    store.filings.reopen(dictation.id, "Lou")
    assert store.filings.of(dictation.id) is None
    with pytest.raises(InputError, match="not filed"):
        store.filings.reopen(dictation.id, "Lou")
    assert store.reviews.decide(first.id, "reject", "Kim").status is ReviewStatus.REJECTED
    assert store.filings.file(dictation.id, "Lou", []).files == ()


def test_a_filed_dictation_is_reopened_when_what_is_charted_of_it_changes(
    store: Store, first: ReviewedValue, tmp_path: Path
) -> None:
    filed = reviewed(store, first).id

    def is_reopened() -> bool:
        """Whether it was reopened since it was filed here, to be filed again."""
        nonlocal change
        reopened = store.filings.of(filed) is None
        assert store.filings.reopened_since(change) == [filed] * reopened
        if reopened:
            store.filings.file(filed, "Kim", [])
        change = store.filings.last_change()
        return reopened

    store.filings.file(filed, "Kim", ["/out/a.json"])
    change = store.filings.last_change()
    (other,) = again(store, tmp_path, 98.0)
    store.reviews.add(other.dictation_id, "note", "calm", None, "Lou")
    assert not is_reopened(), "another row"
    store.reviews.decide(other.id, "confirm", "Lou", replacing=True)
    assert is_reopened(), "replaced"
    store.reviews.undo(other.dictation_id, "Lou")
    assert is_reopened(), "it counts again"
    store.reviews.decide(other.id, "confirm", "Lou", replacing=True)
    assert is_reopened()
    store.reviews.decide(other.id, "reject", "Lou")
    assert is_reopened()
    store.reviews.undo(other.dictation_id, "Lou")
    assert is_reopened()
    store.dictations.delete(other.dictation_id, "Lou", "Duplicate")
    assert is_reopened(), "what replaced it is gone"


def test_filings_and_replacements_can_only_be_added_to(store: Store, first: ReviewedValue, tmp_path: Path) -> None:
    store.filings.file(reviewed(store, first).id, "Kim", [])
    store.reviews.decide(again(store, tmp_path, 98.0)[0].id, "confirm", "Lou", replacing=True)
    for table in ("filings", "replacements"):
        for change in (f"DELETE FROM {table}", f"UPDATE {table} SET id = 9"):
            with pytest.raises(sqlite3.IntegrityError, match="can only be added to"), store._database.write() as db:
                db.execute(change)


def test_a_value_is_charted_in_the_column_of_its_time(store: Store, tmp_path: Path) -> None:
    """The ward's clock is local: the column of a time of observation is the UTC minute of it."""
    dictation = recorded(store, tmp_path)
    at = datetime.fromisoformat(f"{NOON}+00:00").astimezone() - timedelta(hours=2)
    early = Timing(f"{at:%Y-%m-%dT%H:%M}", None, 0, 1, "two hours ago")
    store.runs.save(
        dictation.id, [filled("hr", 88.0, "/min"), replace(filled("hr", 96.0, "/min"), timing=early)], NO_RUN
    )
    now, then = store.values.of(dictation.id)
    assert column_of(ChartEntry.of(now, dictation)) == NOON
    assert column_of(ChartEntry.of(then, dictation)) == "2026-11-21T10:00"
    store.reviews.decide_all([now.id, then.id], "confirm", "Kim")
    assert store.values.conflicts(dictation.id) == {}
    with pytest.raises(Conflict):
        store.reviews.decide(then.id, "edit", "Kim", value=96.0, unit="/min", observed_at=None)
