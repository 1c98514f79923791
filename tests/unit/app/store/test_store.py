"""What the store keeps, and gives back as it was."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.chart.records import ReviewStatus
from app.record.run import NO_RUN, RunRecord
from app.store import Store
from models.base.errors import InputError
from tests.kit.store import SCHEMA, SCHEMA_BYTES, TRANSCRIPT, filled, recorded


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "data" / "wardlight.db") as opened:
        yield opened


def reopened(store: Store) -> Store:
    store.close()
    return Store(store._database.path)


def test_everything_is_there_after_reopening(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    proposals = [
        filled("hr", 110.0, "/min"),
        filled("edema", ("left leg", "right leg")),
        filled("note", "ügly\0 'text'"),
    ]
    store.runs.save(dictation.id, proposals, RunRecord(seconds={"fill": 1.5}))
    store.reviews.decide(store.values.of(dictation.id)[0].id, "confirm", "Kim")
    before = store.values.of(dictation.id)
    with reopened(store) as again:
        kept = again.dictations.one(dictation.id)
        assert kept.path.read_bytes() == b"RIFF of a recording"
        assert (kept.status, again.runs.of(kept.id), kept.error) == ("filled", RunRecord(seconds={"fill": 1.5}), "")
        assert again.transcripts.of(dictation.id) == TRANSCRIPT
        assert again.values.of(dictation.id) == before
        assert [item.filled for item in before] == proposals
        assert again.schemas.content(dictation.schema_version_id) == SCHEMA_BYTES
        encounter = again.encounters.one(dictation.encounter_id)
        assert again.patients.all() == [again.patients.one(encounter.patient_id)]


def test_patients_are_found_by_their_whole_identity(store: Store) -> None:
    ann = store.patients.add(" Ann Lee ", "4", "123")
    assert store.patients.find("Ann Lee", "4", "123") == ann
    assert store.patients.find("Ann Lee", "4") is None
    with pytest.raises(InputError, match="no name"):
        store.patients.add("  ")


def test_the_newest_dictations_are_read_page_by_page(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought = [recorded(store, tmp_path).id for _ in range(5)]
    monkeypatch.setattr("app.store.dictations._PAGE", 2)
    assert [dictation.id for dictation in store.dictations.newest()] == brought[::-1]
    pages: list[int | None] = []
    read = store.dictations._where
    monkeypatch.setattr(
        store.dictations, "_where", lambda *given, limit=None: pages.append(limit) or read(*given, limit=limit)
    )
    newest = store.dictations.newest()
    assert [next(newest).id, next(newest).id] == brought[:-3:-1]
    assert pages == [2], "nothing is read of the others"


def test_an_encounter_runs_until_the_patient_is_discharged(store: Store) -> None:
    ann = store.patients.add("Ann")
    first = store.encounters.open(ann.id)
    assert store.encounters.open(ann.id) == first
    assert store.encounters.open(store.patients.add("Bo").id).id != first.id
    store.patients.discharge(ann.id, "Lee")
    ended = store.encounters.one(first.id)
    assert ended.ended_at is not None
    store.patients.readmit(ann.id, "", "Lee")
    assert store.encounters.open(ann.id).id != first.id
    assert store.encounters.one(first.id) == ended


def test_a_schema_is_kept_once_and_only_with_its_own_bytes(store: Store) -> None:
    version = store.schemas.save(SCHEMA, SCHEMA_BYTES)
    assert store.schemas.save(SCHEMA, SCHEMA_BYTES) == version
    assert store.schemas.version(version).sha256 == SCHEMA.sha256
    with pytest.raises(ValueError, match="ward"):
        store.schemas.save(replace(SCHEMA, sha256="0" * 64), SCHEMA_BYTES)


def test_dictations_are_listed_newest_first_and_the_unfinished_apart(store: Store, tmp_path: Path) -> None:
    first, second, third = (recorded(store, tmp_path) for _ in range(3))
    store.runs.save(first.id, [], NO_RUN)
    store.dictations.fail(second.id, "The model ended.")
    assert [item.id for item in store.dictations.all()] == [third.id, second.id, first.id]
    assert [item.id for item in store.dictations.all() if item.encounter_id == second.encounter_id] == [second.id]
    assert [(item.id, item.status, item.error) for item in store.dictations.unfinished()] == [
        (third.id, "recorded", ""),
        (second.id, "failed", "The model ended."),
    ]
    store.transcripts.save(second.id, TRANSCRIPT)
    assert (store.dictations.one(second.id).status, store.dictations.one(second.id).error) == ("transcribed", "")


def test_an_unknown_id_is_an_input_error(store: Store, tmp_path: Path) -> None:
    calls = [
        lambda: store.patients.one(7),
        lambda: store.encounters.open(7),
        lambda: store.encounters.one(7),
        lambda: store.dictations.one(7),
        lambda: store.values.of(7),
        lambda: store.transcripts.of(7),
        lambda: store.runs.save(7, [], NO_RUN),
        lambda: store.transcripts.save(7, TRANSCRIPT),
        lambda: store.dictations.fail(7, "x"),
        lambda: store.schemas.content(7),
        lambda: store.reviews.decide(7, "confirm", "Kim"),
        lambda: store.reviews.add(7, "hr", 1.0, None, "Kim"),
        lambda: store.reviews.take(7, filled("hr", 1.0), "Kim"),
        lambda: store.reviews.undo(7, "Kim"),
        lambda: store.values.summary(7),
        lambda: store.dictations.add(7, tmp_path, "audio", 7),
    ]
    for call in calls:
        with pytest.raises(InputError, match=" 7"):
            call()


def test_a_rerun_replaces_proposals_and_keeps_every_decision(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    names = ("confirmed", "edited", "rejected", "reopened", "undone", "untouched")
    store.runs.save(dictation.id, [filled(name, 1.0) for name in names], NO_RUN)
    ids = {item.row_id: item.id for item in store.values.of(dictation.id)}
    store.reviews.decide(ids["confirmed"], "confirm", "Kim")
    store.reviews.decide(ids["edited"], "edit", "Kim", value=2.0)
    store.reviews.decide(ids["rejected"], "reject", "Kim")
    store.reviews.decide(ids["reopened"], "confirm", "Kim")
    store.reviews.decide(ids["reopened"], "reopen", "Kim")
    store.reviews.decide(ids["undone"], "confirm", "Kim")
    store.reviews.undo(dictation.id, "Kim")
    added = store.reviews.add(dictation.id, "added", 5.0, None, "Kim")
    decided = [item for item in store.values.of(dictation.id) if item.row_id not in ("undone", "untouched")]
    assert added in decided

    store.runs.save(
        dictation.id,
        [
            filled("confirmed", 1.0),  # the same again: decided already
            filled("confirmed", 9.0),  # another reading: worth a look
            filled("edited", 1.0),  # what was corrected
            filled("edited", 2.0, said="elsewhere"),  # what it was corrected to
            filled("rejected", 1.0),  # what was rejected
            filled("rejected", 1.0, said="elsewhere"),  # the same said in other words
            filled("added", 5.0),
            filled("untouched", 3.0),
        ],
        RunRecord(candidates=2),
    )
    after = store.values.of(dictation.id)
    assert [item for item in after if item.id in {kept.id for kept in decided}] == decided
    fresh = [item for item in after if item not in decided]
    assert [(item.row_id, item.value) for item in fresh] == [("confirmed", 9.0), ("rejected", 1.0), ("untouched", 3.0)]
    assert {item.status for item in fresh} == {ReviewStatus.PROPOSED}
    with pytest.raises(InputError, match=f"Value {ids['untouched']} no longer exists"):
        store.reviews.decide(ids["untouched"], "confirm", "Kim")


def test_a_failing_run_changes_nothing(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    store.runs.save(dictation.id, [filled("hr", 1.0)], RunRecord(candidates=1))
    before = store.values.of(dictation.id)
    with pytest.raises(ValueError, match="cannot be a value"):
        store.runs.save(dictation.id, [filled("note", "x"), filled("hr", float("nan"))], RunRecord(candidates=2))
    assert store.values.of(dictation.id) == before
    assert store.runs.of(dictation.id) == RunRecord(candidates=1)


def test_evidence_stays_with_the_transcript_that_it_points_into(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    store.runs.save(dictation.id, [filled("hr", 110.0)], NO_RUN)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    assert store.dictations.one(dictation.id).status == "filled"
    (value,) = store.values.of(dictation.id)
    store.reviews.decide(value.id, "confirm", "Kim")

    other = replace(TRANSCRIPT, text="The heart rate is 110.", model="other")
    store.transcripts.save(dictation.id, other)
    assert store.dictations.one(dictation.id).status == "transcribed"
    store.runs.save(dictation.id, [filled("note", "later")], NO_RUN)
    assert store.transcripts.of(dictation.id) == other
    texts = {item.row_id: store.transcripts.of_evidence(item) for item in store.values.of(dictation.id)}
    assert texts == {"hr": TRANSCRIPT, "note": other}
    by_hand = store.reviews.add(dictation.id, "note", "x", None, "Kim")
    assert store.transcripts.of_evidence(by_hand) is None


def test_summary_counts_every_status(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    store.runs.save(dictation.id, [filled("hr", float(number)) for number in range(4)], NO_RUN)
    first, second, *_ = (item.id for item in store.values.of(dictation.id))
    store.reviews.decide(first, "confirm", "Kim")
    store.reviews.decide(second, "reject", "Kim")
    store.reviews.add(dictation.id, "note", "x", None, "Kim")
    assert store.values.summary(dictation.id) == {
        "proposed": 2,
        "confirmed": 1,
        "edited": 0,
        "rejected": 1,
        "added": 1,
    }


def test_threads_share_the_store(store: Store, tmp_path: Path) -> None:
    dictation = recorded(store, tmp_path)
    store.runs.save(dictation.id, [filled("hr", float(number)) for number in range(8)], NO_RUN)
    ids = [item.id for item in store.values.of(dictation.id)]
    failures: list[BaseException] = []

    def work(mine: list[int], name: str) -> None:
        try:
            for value_id in mine:
                store.patients.add(f"{name} {value_id}")
                store.reviews.decide(value_id, "edit", name, value=-1.0)
                assert len(store.values.of(dictation.id)) >= len(ids)
                store.reviews.add(dictation.id, f"note of {name}", name, None, name)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(ids[start::4], f"nurse {start}")) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not failures
    assert store.values.summary(dictation.id) == {
        "proposed": 0,
        "confirmed": 0,
        "edited": 8,
        "rejected": 0,
        "added": 8,
    }
    assert {item.reviewer for item in store.values.of(dictation.id) if item.id in ids[1::4]} == {"nurse 1"}
    assert len(store.patients.all()) == 9
    for _ in range(16):
        store.reviews.undo(dictation.id, "Kim")
    assert not store.reviews.can_undo(dictation.id)
