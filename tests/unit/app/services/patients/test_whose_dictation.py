"""Whose dictation, where it names others than its patient: asked once, answered on record, and until then nothing
of it is accepted, filed or exported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import extraction_records
from app.chart.dictation_identity import quoted
from app.chart.records import Dictation, Patient, ReviewStatus
from app.chart.sheet import Sheet
from app.cli import main
from app.exchange.export import export
from app.inference.live_events import LiveValues, LiveWords
from app.record.codec import decode_run, encode_run
from app.record.errors import UnsureIdentity
from app.record.run import NO_RUN, NamedPatients, RunRecord
from app.services.intake.live_identity import LiveIdentityCheck
from app.services.patients.whose_dictation import left_out_of, person_of, question_of
from app.services.review.filing import file_dictation
from app.services.review.sheet_loader import question_about, read_sheet
from app.store import Store
from app.system import paths
from extraction.preparation.people.other_patients import of_others
from models.base.errors import InputError
from tests.kit.store import SCHEMA, TRANSCRIPT, filled, recorded

NOVAK = Patient(1, "Novak, Anna", "14B", "123456")
ALVAREZ = Patient(2, "Alvarez, Luis", "12", "004455")
LUND = Patient(3, "Lund, Per", "3", "")
WARD = (ALVAREZ, LUND, NOVAK)


def naming(text: str, patient: Patient = NOVAK) -> NamedPatients:
    ward = tuple(person_of(one) for one in WARD if one != patient)
    return extraction_records.naming(of_others(text, person_of(patient), ward)[1])


@pytest.mark.parametrize(
    ("text", "candidates", "unknown", "move_to"),
    [
        ("Bed 12. Heart rate 80.", [ALVAREZ], (), ALVAREZ),
        ("Mr. Alvarez in 12 is calm.", [ALVAREZ], (), ALVAREZ),
        ("Alvarez is calm. The MRN is 4455.", [ALVAREZ], (), ALVAREZ),
        ("Bed 9. Heart rate 80.", [], ("bed 9",), None),
        ("Bed 12. Heart rate 80. Bed 3. Heart rate 90.", [ALVAREZ, LUND], (), None),
        ("Mr. Alvarez in bed 3 is calm.", [], ("Mr. Alvarez in bed 3",), None),
        ("In bed 12 pain is 2, in bed 14B it is 9.", [ALVAREZ], (), None),
    ],
)
def test_who_may_be_meant(
    text: str, candidates: list[Patient], unknown: tuple[str, ...], move_to: Patient | None
) -> None:
    question = question_of(naming(text), NOVAK, WARD)
    assert question
    assert (list(question.candidates), question.unknown, question.move_to) == (candidates, unknown, move_to)


def test_without_other_names_there_is_no_question() -> None:
    assert question_of(naming("Bed 14B. Heart rate 80."), NOVAK, WARD) is None
    assert question_of(NO_RUN.naming, NOVAK, WARD) is None


def test_left_out_parts_name_their_patient() -> None:
    text = "Bed 14B. Heart rate 80. Moving on to bed 12. Heart rate 90. Next is bed 9. Heart rate 70."
    found = left_out_of(naming(text), NOVAK, WARD)
    assert [(one.called, one.patient) for one in found] == [("bed 12", ALVAREZ), ("bed 9", None)]
    assert text[found[0].start : found[0].end].strip() == "Moving on to bed 12. Heart rate 90."


def test_words_are_quoted() -> None:
    assert quoted(["bed 12"]) == "“bed 12”"
    assert quoted(["bed 12", "bed 9", "Alvarez"]) == "“bed 12”, “bed 9” and “Alvarez”"


# while it is spoken


def test_what_was_asked_stays_until_the_final_words_say_otherwise() -> None:
    heard = LiveIdentityCheck(NOVAK, WARD)
    assert heard.take(LiveWords("", "This is bed", 1.0)) is None
    question = heard.take(LiveWords("", "This is bed 12", 2.0))
    assert question
    assert question.move_to == ALVAREZ
    assert heard.take(LiveWords("", "This is bad 12 and", 3.0)) is question, "a draft that changes takes nothing back"
    assert heard.take(LiveValues((), "")) is question
    assert heard.take(LiveWords("This is", "bed 12.", 4.0)) is question
    assert heard.take(LiveWords("This is bed 14B. Heart rate", "80.", 5.0)) is None, "the final words contradict it"


def test_what_is_final_stays_asked() -> None:
    heard = LiveIdentityCheck(NOVAK, WARD)
    question = heard.take(LiveWords("This is bed 12.", "", 1.0))
    assert heard.take(LiveWords("This is bed 12. Heart rate 80.", "", 2.0)) is question
    more = heard.take(LiveWords("This is bed 12. Heart rate 80. Bed 3. Heart rate 90.", "", 3.0))
    assert more
    assert more.naming.called == {"bed 12", "bed 3"}


# in the store


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with Store(tmp_path / "ward.db") as store:
        yield store


def doubtful(store: Store, tmp_path: Path, text: str = "Bed 12. Heart rate 110.") -> Dictation:
    """A dictation of Ann Lee in bed 4 that names somebody else, with one value."""
    dictation = recorded(store, tmp_path)
    store.transcripts.save(dictation.id, TRANSCRIPT)
    patient = store.patients.one(store.encounters.one(dictation.encounter_id).patient_id)
    found = of_others(text, person_of(patient))[1]
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], RunRecord(naming=found))
    return store.dictations.one(dictation.id)


def sheet_of(store: Store, dictation: Dictation) -> Sheet:
    return read_sheet(store, dictation.id, lambda _: SCHEMA)


Act = Callable[[Store, int, int, Path], object]
ACTS: dict[str, Act] = {
    "confirm": lambda store, _, value, __: store.reviews.decide(value, "confirm", "R. Nurse"),
    "confirm several": lambda store, _, value, __: store.reviews.decide_all([value], "confirm", "R. Nurse"),
    "edit": lambda store, _, value, __: store.reviews.decide(value, "edit", "R. Nurse", 99.0, "/min"),
    "replace": lambda store, _, value, __: store.reviews.decide(value, "confirm", "R. Nurse", replacing=True),
    "add": lambda store, dictation, _, __: store.reviews.add(dictation, "rass", 0.0, None, "R. Nurse"),
    "take": lambda store, dictation, _, __: store.reviews.take(dictation, filled("rass", 1.0), "R. Nurse"),
    "export": lambda store, dictation, _, folder: export(store, dictation, SCHEMA, folder),
}


@pytest.mark.parametrize("act", ACTS)
def test_nothing_is_taken_before_it_is_known_whose_it_is(store: Store, tmp_path: Path, act: str) -> None:
    dictation = doubtful(store, tmp_path)
    (value,) = store.values.of(dictation.id)
    with pytest.raises(
        UnsureIdentity, match="You said “Bed 12”, but this dictation belongs to Ann Lee, bed 4"
    ) as caught:
        ACTS[act](store, dictation.id, value.id, tmp_path / "out")
    assert "Move it to the right patient, or confirm that it is Ann Lee" in caught.value.next_step
    assert store.values.of(dictation.id) == [value]
    assert not (tmp_path / "out").exists()


def test_rejecting_and_undoing_need_no_answer_and_filing_does(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    (value,) = store.values.of(dictation.id)
    store.reviews.decide(value.id, "reject", "R. Nurse")
    store.reviews.undo(dictation.id, "R. Nurse")
    store.reviews.decide(value.id, "reject", "R. Nurse")
    with pytest.raises(UnsureIdentity):
        store.filings.file(dictation.id, "R. Nurse", [])
    with pytest.raises(UnsureIdentity):
        file_dictation(store, sheet_of(store, dictation), "R. Nurse", tmp_path / "out", ("json",))
    assert store.filings.of(dictation.id) is None


def test_the_answer_is_kept_with_who_and_when_and_survives_a_restart(tmp_path: Path) -> None:
    with Store(tmp_path / "ward.db") as store:
        dictation = doubtful(store, tmp_path)
        question = question_about(store, dictation.id)
        assert question
        assert sheet_of(store, dictation).identity_question == question
        store.identity_answers.confirm(dictation.id, question.patient.id, question.naming.called, " R. Nurse ")
    with Store(tmp_path / "ward.db") as store:
        sheet = sheet_of(store, dictation)
        assert sheet.identity_question is None
        assert sheet.identity_answer
        assert (sheet.identity_answer.reviewer, sheet.identity_answer.called) == ("R. Nurse", frozenset({"bed 12"}))
        assert sheet.identity_answer.answered_at
        (value,) = store.reviews.decide_all([sheet.values[0].id], "confirm", "R. Nurse")
        assert value.status is ReviewStatus.CONFIRMED
        assert store.filings.file(dictation.id, "R. Nurse", [])
        with pytest.raises(InputError, match="is filed"):
            store.identity_answers.withdraw(dictation.id, "R. Nurse")


def test_the_answer_can_be_taken_back(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    with pytest.raises(InputError, match="nothing to undo"):
        store.identity_answers.withdraw(dictation.id, "R. Nurse")
    patient = sheet_of(store, dictation).patient
    store.identity_answers.confirm(dictation.id, patient.id, {"bed 12"}, "R. Nurse")
    (value,) = store.values.of(dictation.id)
    store.reviews.decide(value.id, "confirm", "R. Nurse")
    store.identity_answers.withdraw(dictation.id, "S. Second")
    assert sheet_of(store, dictation).identity_question
    assert store.values.of(dictation.id)[0].status is ReviewStatus.CONFIRMED, "what was decided stays, and is not filed"
    with pytest.raises(UnsureIdentity):
        store.filings.file(dictation.id, "R. Nurse", [])
    with pytest.raises(UnsureIdentity):
        export(store, dictation.id, SCHEMA, tmp_path / "out")


def test_a_run_with_numbers_that_are_none_is_no_obstacle(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    undefined = (replace(filled("rass", 1.0), errors=(float("nan"),)),)
    run = replace(store.runs.of(dictation.id), held_back=undefined)
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], run)
    (value,) = store.values.of(dictation.id)
    with pytest.raises(UnsureIdentity):
        store.reviews.decide(value.id, "confirm", "R. Nurse")
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], RunRecord(held_back=undefined))
    (value,) = store.values.of(dictation.id)
    assert store.reviews.decide(value.id, "confirm", "R. Nurse").stands


def test_answers_are_only_ever_added(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    store.identity_answers.confirm(dictation.id, sheet_of(store, dictation).patient.id, {"bed 12"}, "R. Nurse")
    with pytest.raises(Exception, match="only be added to"), store._database.write() as db:
        db.execute("DELETE FROM identity_answers")
    with pytest.raises(Exception, match="only be added to"), store._database.write() as db:
        db.execute("UPDATE identity_answers SET reviewer = 'X'")


def test_a_new_filling_with_the_same_names_does_not_ask_again_and_other_names_do(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    patient = sheet_of(store, dictation).patient
    store.identity_answers.confirm(dictation.id, patient.id, {"bed 12"}, "R. Nurse")
    for text, asks in (("It is bed twelve. Bed 12 is calm.", False), ("Bed 12. Calm. Bed 9. Calm.", True)):
        found = extraction_records.naming(of_others(text, person_of(patient))[1])
        store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], RunRecord(naming=found))
        assert bool(question_about(store, dictation.id)) is asks


def test_an_answer_about_one_patient_is_none_about_another(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    patient = sheet_of(store, dictation).patient
    store.identity_answers.confirm(dictation.id, patient.id, {"bed 12"}, "R. Nurse")
    other, run = store.patients.add("Lund, Per", "3"), store.runs.of(dictation.id)
    store.dictations.move(dictation.id, other.id, "R. Nurse", "wrong patient")
    store.runs.save(dictation.id, [filled("hr", 110.0, "/min")], run)
    question = question_about(store, dictation.id)
    assert question
    assert question.patient == other
    with pytest.raises(InputError, match="now belongs to another patient"):
        store.identity_answers.confirm(dictation.id, patient.id, {"bed 12"}, "R. Nurse")


def test_the_banner_knows_who_has_the_recording_already(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path, "Bed 4. Heart rate 110. Moving on to bed 12. Heart rate 90.")
    alvarez = store.patients.add("Alvarez, Luis", "12")
    (left,) = sheet_of(store, dictation).left_out
    assert (left.patient, left.added) == (alvarez, False)
    added = store.dictations.add_same_recording(dictation.id, store.encounters.open(alvarez.id).id)
    assert (added.original_name, added.created_at) == (dictation.original_name, dictation.created_at)
    assert store.transcripts.of(added.id) == TRANSCRIPT
    assert added.path.read_bytes() == dictation.path.read_bytes()
    assert sheet_of(store, dictation).left_out == (replace(left, added=True),)


def test_a_recording_that_was_removed_cannot_be_given_to_another(store: Store, tmp_path: Path) -> None:
    dictation = doubtful(store, tmp_path)
    store.dictations.remove_audio(dictation.id)
    with pytest.raises(InputError, match="was deleted"):
        store.dictations.add_same_recording(dictation.id, dictation.encounter_id)


# in the terminal


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("app.cli.charting.review.kept", lambda store, number: (store.dictations.one(number), SCHEMA))
    with Store(paths.database_file()) as store:
        dictation = doubtful(store, tmp_path)
        (value,) = store.values.of(dictation.id)
        store.reviews.decide(value.id, "reject", "R. Nurse")
        store.patients.add("Alvarez, Luis", "12")
    return dictation.id


def answer(number: int) -> str | None:
    with Store(paths.database_file()) as store:
        given = store.identity_answers.of(number)
    return given.reviewer if given else None


@pytest.mark.parametrize("command", ["file", "export"])
def test_the_terminal_refuses_and_says_what_to_do(
    kept: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, str(kept), "--out", str(tmp_path / "out")]) != 0
    told = capsys.readouterr().err
    assert "You said “Bed 12”" in told
    assert f'wardlight move {kept} --patient "Alvarez, Luis"' in told
    assert "--same-patient" in told
    assert answer(kept) is None


def test_the_terminal_takes_the_answer(kept: int, tmp_path: Path) -> None:
    assert main(["file", str(kept), "--out", str(tmp_path / "out"), "--same-patient", "--signed-by", "R. Nurse"]) == 0
    assert answer(kept) == "R. Nurse"


@pytest.mark.parametrize(("said", "code"), [("y", 0), ("q", 2)])
def test_a_review_in_the_terminal_asks_first(
    kept: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, said: str, code: int
) -> None:
    monkeypatch.setattr("builtins.input", lambda _="": said)
    assert (main(["review", str(kept), "--signed-by", "R. Nurse"]) == 0) is (code == 0)
    told = capsys.readouterr()
    assert "It may be about Alvarez, Luis, bed 12." in told.out
    assert answer(kept) == ("R. Nurse" if said == "y" else None)


def test_the_finding_is_stored_with_the_run() -> None:
    found = naming("Bed 12. Heart rate 80.")
    assert decode_run(encode_run(RunRecord(naming=found))).naming == found
