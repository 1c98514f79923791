"""Dictations that are moved, renamed, deleted and brought back: what stands where, and what is on record for ever."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from app.adaptation.reviewed_cases import reviewed_to_the_end
from app.chart.records import Dictation, Patient, ReviewStatus
from app.exchange.export import export
from app.record.run import NO_RUN, RunRecord
from app.record.values import Evidence
from app.services.intake.audio_retention import delete_expired
from app.store import Store
from app.system.settings import Settings
from models.base.errors import InputError
from tests.kit.store import SCHEMA, TRANSCRIPT, filled, recorded

LATER = datetime.now(UTC) + timedelta(days=30)


QUOTE = Evidence(0, len(TRANSCRIPT.text), TRANSCRIPT.text, 0, len(TRANSCRIPT.text))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "wardlight.db") as store:
        yield store


@pytest.fixture
def dictation(store: Store, tmp_path: Path) -> Dictation:
    """Filled, with one value confirmed, one rejected, one open and one added by hand."""
    new = recorded(store, tmp_path)
    store.transcripts.save(new.id, TRANSCRIPT)
    store.runs.save(new.id, [filled("hr", 110.0), filled("rass", -2.0), filled("note", "110")], RunRecord(candidates=1))
    hr, rass, _ = store.values.of(new.id)
    store.reviews.decide(hr.id, "confirm", "Kim")
    store.reviews.decide(rass.id, "reject", "Kim")
    store.reviews.add(new.id, "edema", ("left leg",), None, "Kim", quote=QUOTE)
    return store.dictations.one(new.id)


@pytest.fixture
def other(store: Store) -> Patient:
    return store.patients.add("Bo Hart", "5", "777")


def later_one(store: Store, folder: Path, first: Dictation, value: float) -> tuple[Dictation, int]:
    """Another dictation of the same patient and minute, with a heart rate of its own; the value's id."""
    source = folder / "second.wav"
    source.write_bytes(b"RIFF second")
    made_at = datetime.fromisoformat(first.created_at)
    second = store.dictations.add(first.encounter_id, source, "audio", first.schema_version_id, made_at)
    store.transcripts.save(second.id, TRANSCRIPT)
    store.runs.save(second.id, [filled("hr", value)], NO_RUN)
    return second, store.values.of(second.id)[0].id


def patient_of(store: Store, dictation_id: int) -> int:
    return store.encounters.one(store.dictations.one(dictation_id).encounter_id).patient_id


def states(store: Store, dictation_id: int) -> dict[str, ReviewStatus]:
    return {value.row_id: value.status for value in store.values.of(dictation_id)}


# moving


def test_a_moved_dictation_belongs_to_the_other_patient_and_charts_nothing(
    store: Store, dictation: Dictation, other: Patient
) -> None:
    first = patient_of(store, dictation.id)
    assert store.values.standing(first)
    event = store.dictations.move(dictation.id, other.id, "Lee", "recorded in the wrong room")
    assert patient_of(store, dictation.id) == other.id
    assert store.values.standing(first) == store.values.standing(other.id) == []
    assert (event.from_patient_id, event.to_patient_id, event.taken_back) == (first, other.id, 3)
    assert store.values.open_proposals() == {}, "what was read for the former patient is not proposed for this one"
    moved = store.dictations.one(dictation.id)
    assert (moved.status, store.runs.of(moved.id)) == ("transcribed", NO_RUN)
    assert store.transcripts.of(dictation.id) == TRANSCRIPT


def test_what_is_filled_after_a_move_is_open_though_it_was_decided_for_the_former_patient(
    store: Store, dictation: Dictation, other: Patient
) -> None:
    store.dictations.move(dictation.id, other.id, "Lee", "")
    store.runs.save(dictation.id, [filled("hr", 110.0), filled("rass", -2.0)], RunRecord(candidates=2))
    found = states(store, dictation.id)
    assert (found["hr"], found["rass"]) == (ReviewStatus.PROPOSED, ReviewStatus.PROPOSED)
    assert store.values.standing(other.id) == []


def test_a_manual_value_of_a_moved_dictation_must_be_accepted_again(
    store: Store, dictation: Dictation, other: Patient
) -> None:
    store.dictations.move(dictation.id, other.id, "Lee", "")
    (added,) = store.values.of(dictation.id)
    assert (added.row_id, added.value, added.status) == ("edema", ("left leg",), ReviewStatus.REJECTED)
    assert added.quote == QUOTE
    assert store.transcripts.of_evidence(added) == TRANSCRIPT
    assert store.reviews.decide(added.id, "confirm", "Lee").status is ReviewStatus.ADDED
    assert [one.value.row_id for one in store.values.standing(other.id)] == ["edema"]


def test_undo_never_reaches_back_across_a_move(store: Store, dictation: Dictation, other: Patient) -> None:
    store.dictations.move(dictation.id, other.id, "Lee", "")
    assert not store.reviews.can_undo(dictation.id)
    with pytest.raises(InputError, match="nothing to undo"):
        store.reviews.undo(dictation.id, "Lee")
    store.runs.save(dictation.id, [filled("hr", 110.0)], NO_RUN)
    proposed = next(value for value in store.values.of(dictation.id) if value.filled)
    store.reviews.decide(proposed.id, "confirm", "Lee")
    store.reviews.undo(dictation.id, "Lee")
    assert not store.reviews.can_undo(dictation.id)
    assert store.values.standing(other.id) == []


def test_moved_back_all_is_as_it_was_and_can_be_undone_as_before(
    store: Store, dictation: Dictation, other: Patient
) -> None:
    before, stay = store.values.of(dictation.id), dictation.encounter_id
    first = patient_of(store, dictation.id)
    store.patients.discharge(first, "Lee", anyway=True)
    store.patients.readmit(first, "", "Lee")
    store.dictations.move(dictation.id, other.id, "Lee", "")
    store.runs.save(dictation.id, [filled("hr", 99.0)], NO_RUN)
    store.dictations.move(dictation.id, first, "Lee", "")
    assert store.dictations.one(dictation.id).encounter_id == stay, "into the stay it came from, though that has ended"
    assert store.values.of(dictation.id) == before
    assert store.reviews.can_undo(dictation.id)
    store.reviews.undo(dictation.id, "Kim")
    assert "edema" not in states(store, dictation.id)


def test_decisions_that_were_taken_back_are_on_record_as_reopened(
    store: Store, dictation: Dictation, other: Patient
) -> None:
    store.dictations.move(dictation.id, other.id, "Lee", "")
    with store._database.read() as db:
        last = list(
            db.query(
                """SELECT row_id, action, reviewer FROM reviews JOIN review_steps ON review_steps.id = step_id
                JOIN row_values ON row_values.id = value_id WHERE row_values.encounter_id = ? AND reviewer = 'Lee'
                ORDER BY row_id""",
                [dictation.encounter_id],
            )
        )
    assert [(one["row_id"], one["action"]) for one in last] == [
        ("edema", "reject"),
        ("hr", "reopen"),
        ("rass", "reopen"),
    ]


def test_moving_a_value_restores_the_value_it_replaced(
    store: Store, dictation: Dictation, other: Patient, tmp_path: Path
) -> None:
    second, value_id = later_one(store, tmp_path, dictation, 96.0)
    store.reviews.decide(value_id, "confirm", "Kim", replacing=True)
    first = patient_of(store, dictation.id)
    store.dictations.move(second.id, other.id, "Lee", "")
    standing = {one.value.value for one in store.values.standing(first) if one.value.row_id == "hr"}
    assert standing == {110.0}
    store.dictations.move(second.id, first, "Lee", "")
    assert {one.value.value for one in store.values.standing(first) if one.value.row_id == "hr"} == {96.0}


def test_a_moved_dictation_meets_the_conflicts_of_the_new_chart(
    store: Store, dictation: Dictation, other: Patient, tmp_path: Path
) -> None:
    source = tmp_path / "other.wav"
    source.write_bytes(b"RIFF other")
    made_at = datetime.fromisoformat(dictation.created_at)
    stay = store.encounters.open(other.id)
    theirs = store.dictations.add(stay.id, source, "audio", dictation.schema_version_id, made_at)
    store.runs.save(theirs.id, [filled("hr", 70.0)], NO_RUN)
    store.reviews.decide(store.values.of(theirs.id)[0].id, "confirm", "Kim")
    store.dictations.move(dictation.id, other.id, "Lee", "")
    store.runs.save(dictation.id, [filled("hr", 110.0)], NO_RUN)
    (conflict,) = store.values.conflicts(dictation.id).values()
    assert [one.value.value for one in conflict] == [70.0]


def test_what_has_no_place_any_more_is_open_after_moving_back(
    store: Store, dictation: Dictation, other: Patient, tmp_path: Path
) -> None:
    """Meanwhile another heart rate was accepted at the same minute: two cannot stand there."""
    first = patient_of(store, dictation.id)
    store.dictations.move(dictation.id, other.id, "Lee", "")
    _, value_id = later_one(store, tmp_path, dictation, 96.0)
    store.reviews.decide(value_id, "confirm", "Kim")
    store.dictations.move(dictation.id, first, "Lee", "")
    found = states(store, dictation.id)
    assert (found["hr"], found["edema"]) == (ReviewStatus.PROPOSED, ReviewStatus.ADDED)
    assert [one.value.value for one in store.values.standing(first) if one.value.row_id == "hr"] == [96.0]


def test_a_filed_dictation_is_neither_moved_nor_deleted(store: Store, dictation: Dictation, other: Patient) -> None:
    store.reviews.decide(
        next(value for value in store.values.of(dictation.id) if value.row_id == "note").id, "reject", "Kim"
    )
    store.filings.file(dictation.id, "Kim", ["a.json"])
    with pytest.raises(InputError, match=r"is filed\. Reopen it first, then move it"):
        store.dictations.move(dictation.id, other.id, "Lee", "")
    with pytest.raises(InputError, match=r"is filed\. Reopen it first, then delete it"):
        store.dictations.delete(dictation.id, "Lee", "Duplicate")
    assert store.dictations.events(dictation.id) == []
    store.filings.reopen(dictation.id, "Kim")
    store.dictations.move(dictation.id, other.id, "Lee", "")


def test_to_the_same_patient_is_no_move(store: Store, dictation: Dictation) -> None:
    before = store.values.of(dictation.id)
    with pytest.raises(InputError, match="already belongs to this patient"):
        store.dictations.move(dictation.id, patient_of(store, dictation.id), "Lee", "")
    with pytest.raises(InputError, match="no patient 99"):
        store.dictations.move(dictation.id, 99, "Lee", "")
    with pytest.raises(InputError, match="no reviewer"):
        store.dictations.move(dictation.id, 99, " ", "")
    assert store.values.of(dictation.id) == before


def test_a_result_for_the_former_patient_is_refused(store: Store, dictation: Dictation, other: Patient) -> None:
    store.dictations.move(dictation.id, other.id, "Lee", "")
    with pytest.raises(InputError, match="moved to another patient while it was processed"):
        store.runs.save(dictation.id, [filled("hr", 1.0)], NO_RUN, encounter_id=dictation.encounter_id)
    assert store.dictations.one(dictation.id).status == "transcribed"


# names


def test_a_title_is_shown_in_place_of_the_files_name(store: Store, dictation: Dictation) -> None:
    assert dictation.name == "Bed 4.WAV"
    assert store.dictations.rename(dictation.id, "  Wound \n check ", "Lee").name == "Wound check"
    (placed,) = [one for one in store.values.standing(patient_of(store, dictation.id)) if one.value.row_id == "hr"]
    assert placed.source == "Wound check"
    assert store.dictations.rename(dictation.id, "", "Lee").name == "Bed 4.WAV"
    with pytest.raises(InputError, match="80 at most"):
        store.dictations.rename(dictation.id, "x" * 81, "Lee")
    named = [(event.action, event.name, event.renamed_to) for event in store.dictations.events(dictation.id)]
    assert named == [("rename", "Bed 4.WAV", "Wound check"), ("rename", "Wound check", "")]


@pytest.mark.parametrize(
    "name", ["recording-20261123-140500.wav", "3f2a77d0c1b24e5f8a9b0c1d2e3f4a5b.wav", "a" * 64 + ".mp3"]
)
def test_generated_file_names_are_not_shown(store: Store, tmp_path: Path, name: str) -> None:
    dictation = recorded(store, tmp_path, name=name)
    at = datetime.fromisoformat(dictation.created_at).astimezone()
    assert dictation.name == f"Dictation {at:%H:%M}"


def test_an_error_names_the_file_and_never_the_copy(store: Store, dictation: Dictation) -> None:
    store.dictations.fail(dictation.id, f"{dictation.path.name} is not a recording that Wardlight can read.")
    assert store.dictations.one(dictation.id).error == "Bed 4.WAV is not a recording that Wardlight can read."


# deleting


def test_a_deleted_dictation_is_in_no_list_chart_example_or_export(
    store: Store, dictation: Dictation, tmp_path: Path
) -> None:
    patient_id = patient_of(store, dictation.id)
    rest = [value.id for value in store.values.of(dictation.id) if value.status is ReviewStatus.PROPOSED]
    store.reviews.decide_all(rest, "confirm", "Kim", collect=True)
    store.dictations.delete(dictation.id, "Lee", "Recorded by mistake")
    assert store.dictations.all() == list(store.dictations.newest()) == []
    assert store.dictations.unfinished() == []
    assert store.values.standing(patient_id) == []
    assert store.values.open_proposals() == {}
    assert store.values.confirmed(dictation.encounter_id, ["hr"]) == {}
    assert list(reviewed_to_the_end(store, SCHEMA)) == []
    assert store.values.conflicts(dictation.id) == {}
    for ask in (store.dictations.one, store.values.of, store.transcripts.of, store.values.summary):
        with pytest.raises(InputError, match=r"Bed 4\.WAV .*was deleted by Lee: Recorded by mistake"):
            ask(dictation.id)
    with pytest.raises(InputError, match="was deleted"):
        export(store, dictation.id, SCHEMA, tmp_path / "out", ("json",))


def test_deleting_a_value_restores_the_value_it_replaced_also_in_exports(
    store: Store, dictation: Dictation, tmp_path: Path
) -> None:
    second, value_id = later_one(store, tmp_path, dictation, 96.0)
    store.reviews.decide(value_id, "confirm", "Kim", replacing=True)
    store.dictations.delete(second.id, "Lee", "Duplicate")
    standing = {one.value.value for one in store.values.standing(patient_of(store, dictation.id))}
    assert 110.0 in standing
    assert 96.0 not in standing


def test_a_restored_dictation_is_as_it_was(store: Store, dictation: Dictation) -> None:
    before = (
        store.dictations.one(dictation.id),
        store.values.of(dictation.id),
        store.transcripts.of(dictation.id),
    )
    store.dictations.delete(dictation.id, "Lee", "Duplicate")
    assert [one.id for one in store.dictations.deleted()] == [dictation.id]
    store.dictations.restore(dictation.id, "Lee")
    assert (
        store.dictations.one(dictation.id),
        store.values.of(dictation.id),
        store.transcripts.of(dictation.id),
    ) == before
    assert store.dictations.deleted() == []
    assert dictation.path.exists()
    with pytest.raises(InputError, match="is not deleted"):
        store.dictations.restore(dictation.id, "Lee")


def test_a_restored_value_that_has_no_place_any_more_is_open(
    store: Store, dictation: Dictation, tmp_path: Path
) -> None:
    store.dictations.delete(dictation.id, "Lee", "Duplicate")
    _, value_id = later_one(store, tmp_path, dictation, 96.0)
    store.reviews.decide(value_id, "confirm", "Kim")
    store.dictations.restore(dictation.id, "Lee")
    assert states(store, dictation.id)["hr"] is ReviewStatus.PROPOSED
    assert store.dictations.events(dictation.id)[-1].taken_back == 1


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_reason_is_required(store: Store, dictation: Dictation, reason: str) -> None:
    with pytest.raises(InputError, match="No reason"):
        store.dictations.delete(dictation.id, "Lee", reason)
    assert store.dictations.one(dictation.id)


def test_after_some_days_only_the_record_is_left(store: Store, dictation: Dictation, tmp_path: Path) -> None:
    secret = b"by hand and never seen again"
    store.reviews.add(dictation.id, "note", secret.decode(), None, "Kim")
    path, database = dictation.path, tmp_path / "wardlight.db"
    assert secret in database.read_bytes()
    store.dictations.delete(dictation.id, "Lee", "Wrong patient")
    assert delete_expired(store, Settings(), datetime.now(UTC) + timedelta(days=6)) == []
    assert delete_expired(store, Settings(), LATER) == [dictation.id]
    assert not path.exists()
    content = database.read_bytes()
    for gone in (secret, TRANSCRIPT.text.encode(), b"left leg"):
        assert gone not in content
    with store._database.read() as db:
        assert db["runs"].count == 0
    first, last = store.dictations.events(dictation.id)
    assert (first.action, first.reviewer, first.reason) == ("delete", "Lee", "Wrong patient")
    assert (last.action, last.name, last.sha256) == ("purge", "Bed 4.WAV", dictation.sha256)
    assert store.dictations.deleted() == []
    with pytest.raises(InputError, match="can no longer be restored"):
        store.dictations.restore(dictation.id, "Lee")
    assert delete_expired(store, Settings(), LATER) == []


def test_purging_leaves_other_dictations_whole(store: Store, dictation: Dictation, tmp_path: Path) -> None:
    second, value_id = later_one(store, tmp_path, dictation, 96.0)
    store.reviews.decide(value_id, "confirm", "Kim", replacing=True)
    store.dictations.delete(dictation.id, "Lee", "Duplicate")
    before = store.values.of(second.id)
    assert store.dictations.purge_deleted(LATER) == [dictation.id]
    assert store.values.of(second.id) == before
    assert second.path.exists()


def test_a_recording_whose_dictation_was_deleted_is_not_offered_again(store: Store, dictation: Dictation) -> None:
    store.dictations.delete(dictation.id, "Lee", "Duplicate")
    copy = dictation.path.with_name("Bed 4.WAV")
    copy.write_bytes(dictation.path.read_bytes())
    assert store.dictations.has_copy_of(copy)


# the record


@pytest.mark.parametrize("verb", ["UPDATE dictation_events SET reason = 'x'", "DELETE FROM dictation_events"])
def test_events_are_only_added_to(store: Store, dictation: Dictation, other: Patient, verb: str) -> None:
    store.dictations.move(dictation.id, other.id, "Lee", "")
    with store._database.read() as db, pytest.raises(sqlite3.IntegrityError, match="can only be added to"):
        db.execute(verb)


@pytest.mark.parametrize("table", ["transcripts", "review_steps", "reviews"])
def test_nothing_is_removed_of_a_dictation_that_is_not_deleted(store: Store, dictation: Dictation, table: str) -> None:
    with store._database.read() as db, pytest.raises(sqlite3.IntegrityError, match="can only be added to"):
        db.execute(f"DELETE FROM {table}")
