"""Decisions of a person: what each does, how it is undone, and that none can be rewritten."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.chart.records import ReviewedValue, ReviewStatus
from app.exchange.export import export_records
from app.record.run import NO_RUN, RunRecord
from app.record.values import Evidence
from app.store import Store
from models.base.errors import InputError
from tests.kit.store import SCHEMA, TRANSCRIPT, filled, recorded

HELD_BACK = filled("rass", -2.0, None, confidence=0.12)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as opened:
        yield opened


@pytest.fixture
def values(store: Store, tmp_path: Path) -> list[ReviewedValue]:
    dictation = recorded(store, tmp_path)
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min"), filled("rass", -2.0), filled("note", "calm")], NO_RUN)
    return store.values.of(dictation.id)


@pytest.mark.parametrize(
    ("actions", "status", "value"),
    [
        ("confirm", "confirmed", 110.0),
        ("edit:120", "edited", 120.0),
        ("reject", "rejected", 110.0),
        ("edit:110", "confirmed", 110.0),  # edited to what was proposed is not a correction
        ("edit:120 confirm", "edited", 120.0),
        ("edit:120 reject confirm", "edited", 120.0),
        ("reject confirm", "confirmed", 110.0),
        ("confirm reopen", "proposed", 110.0),
        ("edit:120 reopen", "proposed", 110.0),
        ("edit:120 edit:130 undo", "edited", 120.0),
        ("edit:120 undo", "proposed", 110.0),
        ("confirm undo reject undo edit:5 reject undo", "edited", 5.0),
    ],
)
def test_actions_on_a_proposal(
    store: Store, values: list[ReviewedValue], actions: str, status: str, value: float
) -> None:
    item = values[0]
    for action in actions.split():
        name, _, number = action.partition(":")
        if name == "undo":
            store.reviews.undo(item.dictation_id, "Kim")
        elif number:
            store.reviews.decide(item.id, name, "Kim", value=float(number), unit="/min")  # type: ignore[arg-type]
        else:
            store.reviews.decide(item.id, name, "Kim")  # type: ignore[arg-type]
    now = store.values.of(item.dictation_id)[0]
    assert (now.status, now.value, now.unit, now.filled) == (status, value, "/min", item.filled)


@pytest.mark.parametrize(
    ("actions", "status", "value"),
    [
        ("confirm", "added", "alert"),
        ("edit:calm", "added", "calm"),
        ("reject", "rejected", "alert"),
        ("reject reopen", "added", "alert"),
        ("edit:calm reject confirm", "added", "calm"),
    ],
)
def test_actions_on_a_value_added_by_hand(
    store: Store, values: list[ReviewedValue], actions: str, status: str, value: str
) -> None:
    item = store.reviews.add(values[0].dictation_id, "note", "alert", None, "Kim")
    assert (item.status, item.filled, item.value, item.reviewer) == (ReviewStatus.ADDED, None, "alert", "Kim")
    for action in actions.split():
        name, _, text = action.partition(":")
        store.reviews.decide(item.id, name, "Lou", value=text or None)  # type: ignore[arg-type]
    now = store.values.of(item.dictation_id)[-1]
    assert (now.id, now.status, now.value) == (item.id, status, value)


def test_a_decision_says_by_whom_and_when(store: Store, values: list[ReviewedValue]) -> None:
    assert (values[0].reviewer, values[0].reviewed_at) == ("", "")
    done = store.reviews.decide(values[0].id, "confirm", " Kim ")
    assert done.reviewer == "Kim"
    assert done.reviewed_at.endswith("+00:00")
    again = store.reviews.decide(values[0].id, "confirm", "Lou")
    assert again == done, "confirming what is confirmed decides nothing"
    with pytest.raises(InputError, match="no reviewer"):
        store.reviews.decide(values[0].id, "reject", " ")


def test_many_at_once_are_one_step(store: Store, values: list[ReviewedValue]) -> None:
    dictation_id, ids = values[0].dictation_id, [item.id for item in values]
    store.reviews.decide(ids[1], "edit", "Kim", value=-3.0)
    done = store.reviews.decide_all([*ids, ids[0]], "confirm", "Kim")
    assert [item.status for item in done] == ["confirmed", "edited", "confirmed"]
    undone = store.reviews.undo(dictation_id, "Kim")
    assert {(item.id, item.status) for item in undone} == {(ids[0], "proposed"), (ids[2], "proposed")}
    assert store.values.of(dictation_id)[1].value == -3.0
    store.reviews.undo(dictation_id, "Kim")
    assert store.values.of(dictation_id) == values


def test_many_at_once_are_all_or_none(store: Store, values: list[ReviewedValue]) -> None:
    with pytest.raises(InputError, match="Value 99 no longer exists"):
        store.reviews.decide_all([values[0].id, 99], "confirm", "Kim")
    assert store.values.of(values[0].dictation_id) == values
    assert not store.reviews.can_undo(values[0].dictation_id)
    assert store.reviews.decide_all([], "confirm", "Kim") == []


def test_a_step_stays_within_one_dictation(store: Store, values: list[ReviewedValue], tmp_path: Path) -> None:
    other = recorded(store, tmp_path)
    store.runs.save(other.id, [filled("hr", 1.0)], NO_RUN)
    with pytest.raises(ValueError, match="one dictation"):
        store.reviews.decide_all([values[0].id, store.values.of(other.id)[0].id], "confirm", "Kim")
    store.reviews.decide(values[0].id, "confirm", "Kim")
    assert not store.reviews.can_undo(other.id)


def test_undoing_an_addition_takes_it_away(store: Store, values: list[ReviewedValue]) -> None:
    dictation_id = values[0].dictation_id
    added = store.reviews.add(dictation_id, "note", "alert", None, "Kim")
    assert store.reviews.undo(dictation_id, "Kim") == []
    assert store.values.of(dictation_id) == values
    with pytest.raises(InputError, match=f"Value {added.id} no longer exists"):
        store.reviews.decide(added.id, "confirm", "Kim")
    with pytest.raises(InputError, match="nothing to undo"):
        store.reviews.undo(dictation_id, "Kim")


@pytest.fixture
def dictation_id(store: Store, tmp_path: Path) -> int:
    """A dictation with its transcript and a proposal, of which one value was held back."""
    dictation = recorded(store, tmp_path)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], RunRecord(held_back=(HELD_BACK,)))
    return dictation.id


def test_a_value_that_was_held_back_is_taken_with_its_evidence(store: Store, dictation_id: int) -> None:
    taken = store.reviews.take(dictation_id, HELD_BACK, " Kim ", collect=True)
    assert (taken.filled, taken.value, taken.unit) == (HELD_BACK, -2.0, None)
    assert (taken.status, taken.reviewer) == (ReviewStatus.CONFIRMED, "Kim")
    assert store.transcripts.of_evidence(taken) == TRANSCRIPT
    assert store.values.of(dictation_id)[1:] == [taken]
    assert store.reviews.collected(dictation_id)
    (record,) = export_records(store, dictation_id, SCHEMA)
    assert (record.row_id, record.value, record.status, record.evidence) == ("rass", -2.0, "confirmed", "110")
    assert (record.audio_start, record.audio_end) == (1.2, 1.9)


def test_undoing_takes_a_taken_value_away_and_it_can_be_taken_again(store: Store, dictation_id: int) -> None:
    before = store.values.of(dictation_id)
    first = store.reviews.take(dictation_id, HELD_BACK, "Kim")
    assert store.reviews.undo(dictation_id, "Kim") == []
    assert store.values.of(dictation_id) == before
    assert not store.reviews.can_undo(dictation_id)
    assert export_records(store, dictation_id, SCHEMA) == []
    with pytest.raises(InputError, match=f"Value {first.id} no longer exists"):
        store.reviews.decide(first.id, "confirm", "Kim")
    again = store.reviews.take(dictation_id, HELD_BACK, "Kim")
    assert again.id != first.id
    assert store.values.of(dictation_id) == [*before, again]


def test_a_value_that_was_held_back_can_be_rejected_at_once(store: Store, dictation_id: int) -> None:
    before = store.values.of(dictation_id)
    rejected = store.reviews.take(dictation_id, HELD_BACK, "Kim", status=ReviewStatus.REJECTED)
    assert (rejected.filled, rejected.status, rejected.reviewer) == (HELD_BACK, ReviewStatus.REJECTED, "Kim")
    assert export_records(store, dictation_id, SCHEMA) == []
    assert store.reviews.decide(rejected.id, "confirm", "Kim").status is ReviewStatus.CONFIRMED
    for _ in range(2):
        store.reviews.undo(dictation_id, "Kim")
    assert store.values.of(dictation_id) == before


@pytest.mark.parametrize(
    ("actions", "status", "value"),
    [
        ("confirm", "confirmed", -2.0),
        ("reject", "rejected", -2.0),
        ("edit:-3 reopen", "proposed", -2.0),
        ("edit:-3 undo", "confirmed", -2.0),
        ("reject confirm", "confirmed", -2.0),
    ],
)
def test_a_taken_value_is_reviewed_like_a_proposal(
    store: Store, dictation_id: int, actions: str, status: str, value: float
) -> None:
    taken = store.reviews.take(dictation_id, HELD_BACK, "Kim")
    for action in actions.split():
        name, _, number = action.partition(":")
        if name == "undo":
            store.reviews.undo(dictation_id, "Kim")
        else:
            store.reviews.decide(taken.id, name, "Kim", value=float(number) if number else None)  # type: ignore[arg-type]
    now = store.values.of(dictation_id)[-1]
    assert (now.id, now.status, now.value) == (taken.id, status, value)


def test_a_value_is_taken_once_and_only_from_its_own_transcript(store: Store, dictation_id: int) -> None:
    store.reviews.take(dictation_id, HELD_BACK, "Kim")
    before = store.values.of(dictation_id)
    with pytest.raises(InputError, match="already"):
        store.reviews.take(dictation_id, HELD_BACK, "Kim")
    with pytest.raises(InputError, match="no reviewer"):
        store.reviews.take(dictation_id, HELD_BACK, " ")
    store.transcripts.save(dictation_id, replace(TRANSCRIPT, text="Her heart rate was 110."))
    with pytest.raises(InputError, match="“110” is no longer at its place"):
        store.reviews.take(dictation_id, filled("note", "x"), "Kim")
    assert store.values.of(dictation_id) == before


def test_a_value_is_added_for_words_of_the_transcript(store: Store, dictation_id: int) -> None:
    start = TRANSCRIPT.text.index("110")
    quote = Evidence(start, start + 3, "110", 0, len(TRANSCRIPT.text))
    added = store.reviews.add(dictation_id, "rass", -2.0, None, "Kim", quote=quote)
    assert (added.filled, added.quote, added.evidence, added.status) == (None, quote, quote, ReviewStatus.ADDED)
    assert store.transcripts.of_evidence(added) == TRANSCRIPT
    assert store.values.of(dictation_id)[1:] == [added]
    (record,) = export_records(store, dictation_id, SCHEMA)
    assert (record.row_id, record.status, record.evidence) == ("rass", "added", "110")
    assert (record.audio_start, record.audio_end) == (1.2, 1.9)
    store.transcripts.save(dictation_id, replace(TRANSCRIPT, text="Her heart rate was 110."))
    with pytest.raises(InputError, match="“110” is no longer at its place"):
        store.reviews.add(dictation_id, "note", "x", None, "Kim", quote=quote)
    assert store.values.of(dictation_id)[1:] == [added], "its words stay those of the earlier transcript"


def test_a_rerun_neither_replaces_nor_repeats_a_taken_value(store: Store, dictation_id: int) -> None:
    taken = store.reviews.take(dictation_id, HELD_BACK, "Kim")
    store.runs.save(dictation_id, [replace(HELD_BACK, confidence=0.7), filled("note", "calm")], NO_RUN)
    assert [(item.row_id, item.status) for item in store.values.of(dictation_id)] == [
        ("rass", "confirmed"),
        ("note", "proposed"),
    ]
    store.reviews.undo(dictation_id, "Kim")
    assert taken.id not in [item.id for item in store.values.of(dictation_id)]


def test_calls_that_make_no_sense_are_bugs(store: Store, values: list[ReviewedValue]) -> None:
    with pytest.raises(ValueError, match="edit"):
        store.reviews.decide(values[0].id, "edit", "Kim")
    with pytest.raises(ValueError, match="confirm"):
        store.reviews.decide(values[0].id, "confirm", "Kim", value=3.0)
    with pytest.raises(ValueError, match="cannot be a value"):
        store.reviews.decide(values[0].id, "edit", "Kim", value=float("inf"))


@pytest.mark.parametrize("table", ["reviews", "review_steps", "transcripts", "schema_versions"])
def test_history_cannot_be_rewritten(store: Store, values: list[ReviewedValue], tmp_path: Path, table: str) -> None:
    store.transcripts.save(values[0].dictation_id, TRANSCRIPT)
    store.reviews.decide(values[0].id, "confirm", "Kim")
    store.reviews.undo(values[0].dictation_id, "Kim")
    store.close()
    with sqlite3.connect(tmp_path / "wardlight.db") as connection:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] > 0
        for change in (f"DELETE FROM {table}", f"UPDATE {table} SET id = id + 100"):
            with pytest.raises(sqlite3.IntegrityError, match="can only be added to"):
                connection.execute(change)
    connection.close()


def test_undone_decisions_stay_on_record(store: Store, values: list[ReviewedValue], tmp_path: Path) -> None:
    store.reviews.decide(values[0].id, "confirm", "Kim")
    store.reviews.undo(values[0].dictation_id, "Lou")
    store.close()
    connection = sqlite3.connect(tmp_path / "wardlight.db")
    steps = connection.execute("SELECT id, undoes, reviewer FROM review_steps").fetchall()
    reviews = connection.execute("SELECT step_id, value_id, action, status FROM reviews").fetchall()
    connection.close()
    assert steps == [(1, None, "Kim"), (2, 1, "Lou")]
    assert reviews == [(1, values[0].id, "confirm", "confirmed")]
