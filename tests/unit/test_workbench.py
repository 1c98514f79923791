"""The workbench without a window: a listener, a store, and an engine that does as it is told."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import paths
from app.jobs import Job, JobEvent, JobFailed, JobFinished, JobStopped
from app.recording import Recording
from app.records import Dictation, Patient, ReviewStatus
from app.schema_facts import SchemaFacts
from app.settings import Settings, load_settings, save_settings
from app.sheet import Sheet, check, concerns
from app.workbench import DEMONSTRATION_SCHEMA, Task, TranscriptReady, Workbench, kind_of
from extraction.schema import Row, ValueType
from models.errors import InputError, ResourceError, SchemaError, StorageError, WorkerDied
from speech import journal
from tests.audio_kit import voice
from tests.fakes_app import TEXT, FakeEngine, break_down, deaf, die, until_cancelled, write_recording, write_schema


class Desk:
    """A workbench whose jobs are waited for."""

    def __init__(self, engine: FakeEngine) -> None:
        self.engine = engine
        self.events: list[JobEvent] = []
        self.bench = Workbench(self.events.append, engine=engine, grace_seconds=0.2)

    def result(self, job: Job) -> Any:
        assert job.wait(10)
        last = next(event for event in reversed(self.events) if event.job is job)
        if isinstance(last, JobFailed):
            raise last.error
        assert isinstance(last, JobFinished), last
        return last.result

    def bring(self, path: Path) -> tuple[Dictation, Job]:
        patient = self.result(self.bench.add_patient("Hawthorne", "12", ""))
        dictation = self.result(self.bench.import_file(path, patient))
        filling = next(event.job for event in self.events if event.job.kind == Task.FILL)
        return dictation, filling

    def filled(self, folder: Path) -> Sheet:
        dictation, job = self.bring(write_recording(folder / "a.wav"))
        self.result(job)
        return self.sheet(dictation.id)

    def sheet(self, dictation_id: int) -> Sheet:
        sheet = self.result(self.bench.load_sheet(dictation_id))
        assert isinstance(sheet, Sheet)
        return sheet


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    save_settings(Settings(schema=str(write_schema(tmp_path)), reviewer="R. Nurse"), paths.config_file())
    desk = Desk(FakeEngine())
    desk.result(desk.bench.open())
    yield desk
    desk.bench.close()
    assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("wardlight-")]


def test_a_recording_becomes_a_sheet_that_is_stored_before_it_is_announced(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    assert len(sheet.values) == 18
    assert sheet.patient.name == "Hawthorne"
    assert sheet.transcript
    assert sheet.transcript.text == TEXT
    assert sheet.dictation.status == "filled"
    assert any(isinstance(event, TranscriptReady) for event in desk.events)


def test_a_dead_worker_keeps_the_transcript_and_the_retry_begins_with_it(desk: Desk, tmp_path: Path) -> None:
    desk.engine.before_fill.append(die)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    with pytest.raises(WorkerDied):
        desk.result(job)
    failed = desk.sheet(dictation.id)
    assert failed.dictation.status == "failed"
    assert "inference process" in failed.dictation.error
    assert failed.transcript
    desk.result(desk.bench.fill(dictation.id))
    assert desk.engine.given == [None, failed.transcript]
    assert desk.sheet(dictation.id).dictation.error == ""


def test_a_defect_is_recorded_without_its_inner_words(desk: Desk, tmp_path: Path) -> None:
    desk.engine.before_fill.append(break_down)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    assert job.wait(10)
    assert "went wrong" in desk.sheet(dictation.id).dictation.error


@pytest.mark.parametrize("step", [until_cancelled, deaf])
def test_a_stopped_dictation_is_unfinished_and_not_failed(desk: Desk, tmp_path: Path, step: Any) -> None:
    desk.engine.before_fill.append(step)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    while not any(isinstance(event, TranscriptReady) for event in desk.events):
        job.wait(0.01)
    job.cancel()
    assert job.wait(10)
    assert isinstance(next(event for event in reversed(desk.events) if event.job is job), JobStopped)
    assert desk.sheet(dictation.id).dictation.status == "transcribed"


def test_the_same_dictation_is_not_filled_twice_at_once(desk: Desk, tmp_path: Path) -> None:
    desk.engine.before_fill.append(until_cancelled)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    assert desk.bench.fill(dictation.id) is job
    assert desk.bench.job_of(dictation.id) is job
    job.cancel()


def test_steps_of_review(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    ids = {value.row_id: value.id for value in sheet.values}
    reviewed = desk.result(desk.bench.review(sheet, [ids["hr"], ids["bp"]], "confirm"))
    assert sum(value.status is ReviewStatus.CONFIRMED for value in reviewed.values) == 2
    reviewed = desk.result(desk.bench.edit(sheet, ids["temp"], 101.0, "[degF]"))
    temp = next(value for value in reviewed.values if value.row_id == "temp")
    assert (temp.value, temp.unit, temp.status) == (38.33, "Cel", ReviewStatus.EDITED)
    reviewed = desk.result(desk.bench.add(sheet, sheet.schema.row("visitors"), True, None))
    assert len(reviewed.values) == 19
    reviewed = desk.result(desk.bench.undo(sheet))
    assert len(reviewed.values) == 18
    with pytest.raises(InputError, match="Heart rate"):
        desk.bench.edit(sheet, ids["hr"], "fast", "/min")


@pytest.mark.parametrize("on", [True, False])
def test_every_step_of_review_knows_whether_examples_are_collected(desk: Desk, tmp_path: Path, on: bool) -> None:
    sheet = desk.filled(tmp_path)
    bench, hr = desk.bench, sheet.values[0]
    steps = (
        lambda: bench.review(sheet, [hr.id], "confirm"),
        lambda: bench.edit(sheet, hr.id, 99.0, "/min"),
        lambda: bench.add(sheet, sheet.schema.row("visitors"), True, None),
    )
    desk.result(bench.apply(replace(bench.settings, collect_examples=on)))
    for step in steps:
        desk.result(step())
        assert bench.store.collected(sheet.dictation.id) is on
        desk.result(bench.undo(sheet))


def test_confident_are_sure_unproblematic_and_undecided(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    sure = {value.row_id for value in sheet.values if value.id in desk.bench.confident(sheet)}
    assert "hr" in sure
    assert sure.isdisjoint({"temp", "skin"})
    desk.result(desk.bench.review(sheet, desk.bench.confident(sheet), "confirm"))
    assert desk.bench.confident(desk.sheet(sheet.dictation.id)) == []


def test_a_new_schema_leaves_former_dictations_alone(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    other = tmp_path / "other.json"
    other.write_text(
        '{"format": "wardlight-flowsheet/1", "id": "o", "name": "Other", "version": "2", "categories": '
        '[{"name": "A", "rows": [{"id": "x", "name": "X", "type": "text"}]}]}'
    )
    desk.result(desk.bench.apply(replace(desk.bench.settings, schema=str(other))))
    assert desk.bench.schema.id == "o"
    assert desk.sheet(sheet.dictation.id).schema.id == "test-ward"
    assert load_settings(paths.config_file()).schema == str(other)


def test_settings_with_a_broken_schema_change_nothing(desk: Desk, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    former = desk.bench.settings
    with pytest.raises(SchemaError):
        desk.result(desk.bench.apply(replace(former, schema=str(broken))))
    with pytest.raises(InputError, match="cannot be read"):
        desk.result(desk.bench.apply(replace(former, schema=str(tmp_path / "none.json"))))
    assert desk.bench.settings == former
    assert load_settings(paths.config_file()) == former


def test_a_second_workbench_is_refused_and_may_try_again(desk: Desk) -> None:
    second = Desk(FakeEngine())
    with pytest.raises(StorageError):
        second.result(second.bench.open())
    assert not second.bench.ready
    desk.bench.close()
    second.result(second.bench.open())
    assert second.bench.ready
    second.bench.close()


def test_export_writes_only_what_a_person_accepted(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    with pytest.raises(InputError, match="no confirmed values"):
        desk.result(desk.bench.export(sheet, tmp_path / "out", ["json"]))
    desk.result(desk.bench.review(sheet, [sheet.values[0].id], "confirm"))
    written = desk.result(desk.bench.export(sheet, tmp_path / "out", ["json", "csv"]))
    assert [path.suffix for path in written] == [".json", ".csv"]


def test_overview_lists_patients_and_dictations(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    overview = desk.result(desk.bench.look_up())
    assert [patient.name for patient in overview.patients] == ["Hawthorne"]
    assert [(entry.dictation.id, entry.proposed) for entry in overview.entries] == [(sheet.dictation.id, 18)]


def test_the_same_patient_is_not_added_twice(desk: Desk) -> None:
    first = desk.result(desk.bench.add_patient("Okafor", "3", "7"))
    assert desk.result(desk.bench.add_patient("Okafor", "3", "7")) == first
    with pytest.raises(InputError, match="no name"):
        desk.result(desk.bench.add_patient("  ", "", ""))


def test_a_wrong_text_never_becomes_a_dictation(desk: Desk, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    patient = desk.result(desk.bench.add_patient("A", "", ""))
    with pytest.raises(InputError, match="no text"):
        desk.result(desk.bench.import_file(empty, patient))
    assert desk.result(desk.bench.look_up()).entries == ()


@pytest.mark.parametrize(("name", "kind"), [("a.WAV", "audio"), ("b.m4a", "audio"), ("c.txt", "text")])
def test_kinds_of_files(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text("x")
    assert kind_of(tmp_path / name) == kind


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("x")
    with pytest.raises(InputError, match=r"a\.zip is neither"):
        kind_of(tmp_path / "a.zip")
    with pytest.raises(InputError, match="no file"):
        kind_of(tmp_path / "gone.wav")


def test_quantities_are_entered_in_any_unit_of_their_dimension() -> None:
    weight = Row("w", "Weight", ValueType.QUANTITY, ("A",), unit="kg", dimension="weight", ucum="kg", maximum=300)
    assert check(weight, 100.0, "[lb_av]")[:2] == (45.36, "kg")
    assert check(weight, 80.0, "kg")[:2] == (80.0, "kg")
    assert "outside" in check(weight, 400.0, "kg")[2][0]
    with pytest.raises(InputError, match="Weight"):
        check(weight, 10.0, "Cel")


def test_concerns_follow_what_a_person_entered(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    temp = next(value for value in sheet.values if value.row_id == "temp")
    row = sheet.schema.row("temp")
    assert "assumed" in concerns(row, temp)[0]
    reviewed = desk.result(desk.bench.edit(sheet, temp.id, 60.0, "Cel"))
    edited = next(value for value in reviewed.values if value.id == temp.id)
    assert "outside" in concerns(row, edited)[0]


def test_the_demonstration_schema_is_used_where_none_is_chosen() -> None:
    assert DEMONSTRATION_SCHEMA.parent.is_dir()
    assert DEMONSTRATION_SCHEMA.name == "medsurg_icu.json"


# recordings from the microphone

SOUND = voice(1.0)


def recorded(desk: Desk, *, patient: str = "Hawthorne") -> tuple[Recording, Patient]:
    """A recording that runs, with all sound on the disk."""
    who = desk.result(desk.bench.add_patient(patient, "12", ""))
    recording = desk.bench.record(who)
    recording.take(SOUND)
    while not (recording.folder and journal.read(recording.folder).seconds == 1.0):
        threading.Event().wait(0.01)
    return recording, who


def imported(desk: Desk) -> Dictation:
    """The next dictation that is taken in."""
    while not (done := [e for e in desk.events if isinstance(e, JobFinished) and e.job.kind == Task.IMPORT]):
        threading.Event().wait(0.01)
    assert isinstance(done[-1].result, Dictation)
    return done[-1].result


def test_a_recording_becomes_a_dictation_as_an_opened_file_does(desk: Desk) -> None:
    recording, who = recorded(desk)
    recording.finish()
    dictation = imported(desk)
    assert recording.folder
    assert dictation.original_name == f"{recording.folder.name}.wav"
    assert dictation.path.read_bytes()[44:] == SOUND
    desk.result(desk.bench.fill(dictation.id))
    sheet = desk.sheet(dictation.id)
    assert (sheet.patient, len(sheet.values)) == (who, 18)
    assert list(paths.unfinished_dir().iterdir()) == []
    assert desk.result(desk.bench.look_for_unfinished()) == []


def test_a_recording_that_runs_is_not_offered_as_unfinished(desk: Desk) -> None:
    recording, _ = recorded(desk)
    assert desk.result(desk.bench.look_for_unfinished()) == []
    recording.finish()
    imported(desk)


def test_an_interrupted_recording_is_found_and_kept_or_discarded(desk: Desk) -> None:
    recording, who = recorded(desk)
    desk.bench.close()
    assert recording.folder
    desk.bench = Workbench(desk.events.append, engine=desk.engine, grace_seconds=0.2)
    desk.result(desk.bench.open())
    (found,) = desk.result(desk.bench.look_for_unfinished())
    assert (found.kept.folder, found.kept.seconds, found.patient) == (recording.folder, 1.0, who)
    dictation = desk.result(desk.bench.keep(found.kept.folder, who))
    assert dictation.path.read_bytes()[44:] == SOUND
    assert desk.result(desk.bench.look_for_unfinished()) == []
    again, _ = recorded(desk)
    desk.bench.close()
    desk.bench = Workbench(desk.events.append, engine=desk.engine, grace_seconds=0.2)
    desk.result(desk.bench.open())
    assert again.folder
    desk.result(desk.bench.discard(again.folder))
    assert not again.folder.exists()


def test_one_that_became_a_dictation_just_before_the_end_is_not_offered_again(desk: Desk) -> None:
    head = journal.Head("2026-03-04T05:06:07+00:00", 1, "", "ward", "")
    for wave in (True, False):
        with journal.Journal(paths.unfinished_dir(), head) as opened:
            opened.append(SOUND)
        if wave:
            who = desk.result(desk.bench.add_patient("Hawthorne", "12", ""))
            desk.result(desk.bench.import_file(journal.finish(opened.folder), who))
    (found,) = desk.result(desk.bench.look_for_unfinished())
    assert found.kept.folder == opened.folder


def test_an_empty_recording_leaves_nothing(desk: Desk) -> None:
    who = desk.result(desk.bench.add_patient("Hawthorne", "12", ""))
    desk.bench.record(who).finish()
    while not (failed := [event for event in desk.events if isinstance(event, JobFailed)]):
        threading.Event().wait(0.01)
    assert "Nothing was recorded" in str(failed[0].error)
    assert desk.result(desk.bench.look_for_unfinished()) == []
    assert list(paths.unfinished_dir().iterdir()) == []


def test_sound_is_let_go_as_the_settings_say(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    assert desk.result(desk.bench.let_go()) == []
    desk.result(desk.bench.apply(replace(desk.bench.settings, keep_audio="never")))
    assert desk.result(desk.bench.let_go()) == [sheet.dictation.id]


def test_a_schema_is_examined_without_being_used(desk: Desk, tmp_path: Path) -> None:
    before = desk.bench.schema
    facts = desk.result(desk.bench.examine(DEMONSTRATION_SCHEMA))
    assert isinstance(facts, SchemaFacts)
    assert (facts.rows, facts.language) == (703, "en")
    assert desk.bench.schema is before
    broken = tmp_path / "broken.json"
    broken.write_text("{}", encoding="utf-8")
    job = desk.bench.examine(broken)
    assert job.wait(10)
    failed = next(event for event in desk.events if isinstance(event, JobFailed) and event.job is job)
    assert "broken.json" in failed.error.what


def test_what_a_stopped_installation_brought_is_known_at_once(desk: Desk) -> None:
    engine = desk.engine
    engine.missing = ("whisper-base",)

    def full(engine: FakeEngine, *_: Any) -> None:
        engine.brought["whisper-base"] = 7
        raise ResourceError("The disk is full.", "Make room.")

    engine.before_install.append(full)
    assert desk.bench.install("whisper-base", None).wait(10)
    speech = desk.bench.chosen_model("speech")
    assert speech
    assert (speech.status, speech.brought) == ("partial", 7)
