"""The workbench without a window: a listener, a store, and an engine that does as it is told."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.chart.records import Dictation, Patient, ReviewStatus
from app.chart.sheet import Sheet, check, concerns
from app.inference.live_events import LiveValues, LiveWords
from app.record.errors import StorageError
from app.record.run import RunRecord
from app.services.engine.job_lanes import Job, JobFailed, JobFinished, JobProgress, JobStopped
from app.services.intake.file_kinds import kind_of
from app.services.intake.jobs import FOLLOW, IMPORT, Overheard, TranscriptReady, ValuesRead
from app.services.intake.recording import Recording
from app.services.settings.jobs import PRELOAD, SchemaFacts
from app.services.workbench import Workbench
from app.system import paths
from app.system.settings import load_settings
from extraction.flowsheet.errors import SchemaError
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.ranges import Caution, Outside
from extraction.flowsheet.schema import Row, ValueType
from extraction.preparation.self_corrections import corrected
from models.base.errors import InputError, ResourceError
from models.errors import WorkerDied
from resources import DEMONSTRATION_SCHEMA
from speech import recording_journal
from tests.kit.audio import voice
from tests.kit.fake_app import (
    TEXT,
    FakeEngine,
    break_down,
    bring_reviewed,
    deaf,
    die,
    follow,
    transcript_of,
    until_cancelled,
    write_recording,
)
from tests.kit.language import add_words, shipped_words_afterwards
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.workbench import WorkbenchKit, add_patient, of


def test_a_recording_becomes_a_sheet_that_is_stored_before_it_is_announced(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    assert len(sheet.values) == 18
    assert sheet.patient.name == "Hawthorne"
    assert sheet.transcript
    assert sheet.transcript.text == TEXT
    assert sheet.dictation.status == "filled"
    assert any(isinstance(event, TranscriptReady) for event in kit.events)


def test_values_are_announced_as_they_are_read_and_stored_at_the_end(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.first_values = 3
    sheet = kit.filled(tmp_path)
    announced = [event for event in kit.events if isinstance(event, ValuesRead)]
    assert [(event.job.subject, len(event.values.values)) for event in announced] == [(sheet.dictation.id, 3)]
    assert len(sheet.values) == 18


def test_a_sheet_is_of_one_moment(kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is filled while its sheet is read is in it as a whole or not at all: values are lit by what filled them."""
    sheet = kit.filled(tmp_path)
    store, dictation_id = kit.bench.workspace.store, sheet.dictation.id
    values = [value.filled for value in sheet.values if value.filled]
    again = threading.Thread(target=store.runs.save, args=(dictation_id, values, RunRecord(weighed_by="another")))
    read = store.dictations.one

    def filled_meanwhile(wanted: int) -> Dictation:
        found = read(wanted)
        if threading.current_thread() is not again and not again.ident:
            again.start()
            again.join(0.2)  # it has to wait
        return found

    monkeypatch.setattr(store.dictations, "one", filled_meanwhile)
    seen = kit.bench.sheets.read(dictation_id)
    again.join()
    assert seen.run == sheet.run
    assert [value.id for value in seen.values] == [value.id for value in sheet.values]
    after = kit.bench.sheets.read(dictation_id)
    assert after.run == RunRecord(weighed_by="another")
    assert {value.id for value in after.values}.isdisjoint(value.id for value in sheet.values)


def test_the_lit_counts_of_the_overview_come_from_one_snapshot(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = kit.filled(tmp_path)
    store, dictation_id = kit.bench.workspace.store, sheet.dictation.id
    values = [value.filled for value in sheet.values if value.filled]
    again = threading.Thread(target=store.runs.save, args=(dictation_id, values, RunRecord(weighed_by="another")))
    read, waited, seen = store.dictations.one, list[bool](), list[tuple[Any, list[int]]]()

    def filled_meanwhile(number: int) -> Dictation:
        found = read(number)
        if threading.current_thread() is not again and not again.ident:
            again.start()
            again.join(0.2)  # it has to wait
            waited.append(again.is_alive())
        return found

    def note(shown: Any, schema: Any, chosen: Any, weighed_by: str) -> dict[int, tuple[str, ...]]:
        seen.append((weighed_by, [value.id for value in shown]))
        return {}

    monkeypatch.setattr(store.dictations, "one", filled_meanwhile)
    monkeypatch.setattr("app.services.dictations.overview.lights_of", note)
    kit.bench.workspace.to_check.forget_all()
    kit.result(kit.bench.dictations.load_overview())
    again.join()
    assert waited == [True]
    assert seen == [(sheet.run.weighed_by, [value.id for value in sheet.values])]


def test_the_counts_to_check_of_the_overview_follow_the_current_values(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = kit.filled(tmp_path)
    workspace, dictation_id = kit.bench.workspace, sheet.dictation.id
    values = [value.filled for value in sheet.values if value.filled]
    seen: list[Any] = []

    def filled_meanwhile(shown: Any, schema: Any, chosen: Any, weighed_by: str) -> dict[int, tuple[Finding, ...]]:
        if not seen:
            workspace.store.runs.save(dictation_id, values, RunRecord(weighed_by="another"))
            workspace.to_check.forget(dictation_id)
        seen.append(weighed_by)
        return {shown[0].id: (Finding("maybe_not_said"),)}

    monkeypatch.setattr("app.services.dictations.overview.lights_of", filled_meanwhile)
    workspace.to_check.forget_all()
    overtaken = kit.result(kit.bench.dictations.load_overview())
    assert overtaken.partial
    assert [entry.to_check for entry in overtaken.entries] == [None], "it is of values that are gone"
    now = kit.result(kit.bench.dictations.load_overview())
    assert not now.partial
    assert [entry.to_check for entry in now.entries] == [1]
    assert seen == [sheet.run.weighed_by, "another"]


def test_the_overview_reads_the_runs_of_no_dictation_but_those_whose_lights_are_to_be_known(
    kit: WorkbenchKit, tmp_path: Path
) -> None:
    workspace = kit.bench.workspace
    reviewed = [bring_reviewed(workspace.store, tmp_path) for _ in range(3)]
    sheet = kit.filled(tmp_path)
    workspace.to_check.forget_all()
    asked: list[str] = []
    workspace.store._database._connection.set_trace_callback(asked.append)
    overview = kit.result(kit.bench.dictations.load_overview())
    assert len(overview.entries) == len(reviewed) + 1
    assert [words for words in asked if "runs" in words] == [
        f"SELECT record FROM runs WHERE dictation_id = {sheet.dictation.id}"
    ]
    asked.clear()
    assert not kit.result(kit.bench.dictations.load_overview()).partial
    assert not any("runs" in words for words in asked), "its lights are known by now"


def test_a_dead_worker_is_restarted_and_resumes_from_the_transcript(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_fill.append(die)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    kit.result(job)
    sheet = kit.sheet(dictation.id)
    assert sheet.dictation.status == "filled"
    assert kit.engine.given == [None, sheet.transcript]
    assert any(
        isinstance(event, JobProgress) and "restarting the models" in event.progress.message for event in kit.events
    )


def test_a_worker_that_died_twice_keeps_the_transcript_and_the_retry_begins_with_it(
    kit: WorkbenchKit, tmp_path: Path
) -> None:
    kit.engine.before_fill.extend([die, die])
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    with pytest.raises(WorkerDied):
        kit.result(job)
    failed = kit.sheet(dictation.id)
    assert failed.dictation.status == "failed"
    assert "inference process" in failed.dictation.error
    assert failed.transcript
    kit.result(kit.bench.intake.fill(dictation.id))
    assert kit.engine.given == [None, failed.transcript, failed.transcript]
    assert kit.sheet(dictation.id).dictation.error == ""


def test_sound_of_a_value_that_an_interrupted_program_left_is_deleted(kit: WorkbenchKit) -> None:
    left = paths.scratch_dir() / "a" / "value.wav"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"RIFF")
    kit.close()
    again = WorkbenchKit(FakeEngine())
    again.result(again.bench.open())
    assert not left.exists()
    again.close()


def test_a_defect_is_recorded_without_its_inner_words(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_fill.append(break_down)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    assert job.wait(PATIENCE_SECONDS)
    assert "internal error" in kit.sheet(dictation.id).dictation.error


@pytest.mark.parametrize("step", [until_cancelled, deaf])
def test_a_stopped_dictation_is_unfinished_and_not_failed(kit: WorkbenchKit, tmp_path: Path, step: Any) -> None:
    kit.engine.before_fill.append(step)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    while not any(isinstance(event, TranscriptReady) for event in kit.events):
        job.wait(0.01)
    job.cancel()
    assert job.wait(PATIENCE_SECONDS)
    assert isinstance(next(event for event in reversed(kit.events) if event.job is job), JobStopped)
    assert kit.sheet(dictation.id).dictation.status == "transcribed"


def test_the_same_dictation_is_not_filled_twice_at_once(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_fill.append(until_cancelled)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    assert kit.bench.intake.fill(dictation.id) is job
    assert kit.bench.intake.job_of(dictation.id) is job
    job.cancel()


def test_steps_of_review(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    ids = {value.row_id: value.id for value in sheet.values}
    reviewed = kit.result(kit.bench.review.decide(sheet, [ids["hr"], ids["bp"]], "confirm"))
    assert sum(value.status is ReviewStatus.CONFIRMED for value in reviewed.values) == 2
    reviewed = kit.result(kit.bench.review.edit(sheet, ids["temp"], 101.0, "[degF]"))
    temp = next(value for value in reviewed.values if value.row_id == "temp")
    assert (temp.value, temp.unit, temp.status) == (38.33, "Cel", ReviewStatus.EDITED)
    reviewed = kit.result(kit.bench.review.add(sheet, sheet.schema.row("visitors"), True, None))
    assert len(reviewed.values) == 19
    reviewed = kit.result(kit.bench.review.undo(sheet))
    assert len(reviewed.values) == 18
    with pytest.raises(InputError, match="Heart rate"):
        kit.bench.review.edit(sheet, ids["hr"], "fast", "/min")


@pytest.mark.parametrize("on", [True, False])
def test_every_step_of_review_knows_whether_examples_are_collected(kit: WorkbenchKit, tmp_path: Path, on: bool) -> None:
    sheet = kit.filled(tmp_path)
    bench, hr = kit.bench, sheet.values[0]
    steps = (
        lambda: bench.review.decide(sheet, [hr.id], "confirm"),
        lambda: bench.review.edit(sheet, hr.id, 99.0, "/min"),
        lambda: bench.review.add(sheet, sheet.schema.row("visitors"), True, None),
    )
    kit.result(bench.settings.apply(replace(bench.settings.current, collect_examples=on)))
    for step in steps:
        kit.result(step())
        assert bench.workspace.store.reviews.collected(sheet.dictation.id) is on
        kit.result(bench.review.undo(sheet))


def of_sentence(kit: WorkbenchKit, sheet: Sheet, row_id: str) -> list[str]:
    value = next(one for one in sheet.values if one.row_id == row_id)
    return [one.row_id for one in kit.bench.review.of_sentence(sheet, value)]


def test_values_of_one_sentence_belong_together_while_they_are_undecided(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    assert of_sentence(kit, sheet, "spo2") == ["spo2", "rr", "device"]
    assert of_sentence(kit, sheet, "weight") == []
    device = next(value for value in sheet.values if value.row_id == "device")
    kit.result(kit.bench.review.decide(sheet, [device.id], "reject"))
    sheet = kit.sheet(sheet.dictation.id)
    assert of_sentence(kit, sheet, "spo2") == ["spo2", "rr"]
    assert of_sentence(kit, sheet, "device") == []


def test_a_value_with_a_finding_is_judged_for_itself(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.flags = {"device": ("said as a plan or goal",)}
    sheet = kit.filled(tmp_path)
    assert of_sentence(kit, sheet, "spo2") == ["spo2", "rr"]
    assert of_sentence(kit, sheet, "device") == []


def test_after_the_process_died_the_stages_come_one_by_one(kit: WorkbenchKit, tmp_path: Path) -> None:
    """So the transcript is kept whatever else kills the process again."""
    kit.engine.first_values = 3
    kit.engine.before_transcript.append(die)
    sheet = kit.filled(tmp_path)
    assert len(sheet.values) == 18
    assert not [event for event in kit.events if isinstance(event, ValuesRead)]


def test_what_is_not_quoted_with_a_value_is_not_judged_with_it(kit: WorkbenchKit, tmp_path: Path) -> None:
    between = ", and she talked about the garden, the weather and the grandchildren" * 4
    path = tmp_path / "long.txt"
    path.write_text(f"Heart rate is 112{between}, and weight this morning 81.2 kilos.", encoding="utf-8")
    dictation, job = kit.bring(path)
    kit.result(job)
    sheet = kit.sheet(dictation.id)
    assert {value.row_id for value in sheet.values} >= {"hr", "weight"}
    assert of_sentence(kit, sheet, "hr") == []


def test_confident_are_sure_unproblematic_and_undecided(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    sure = {value.row_id for value in sheet.values if value.id in kit.bench.review.confident(sheet)}
    assert "hr" in sure
    assert sure.isdisjoint({"temp", "skin"})
    kit.result(kit.bench.review.decide(sheet, kit.bench.review.confident(sheet), "confirm"))
    assert kit.bench.review.confident(kit.sheet(sheet.dictation.id)) == []


def test_a_new_schema_leaves_former_dictations_alone(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    other = tmp_path / "other.json"
    other.write_text(
        '{"format": "wardlight-flowsheet/1", "id": "o", "name": "Other", "version": "2", "categories": '
        '[{"name": "A", "rows": [{"id": "x", "name": "X", "type": "text"}]}]}'
    )
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, schema=str(other))))
    assert kit.bench.workspace.schema.id == "o"
    assert kit.sheet(sheet.dictation.id).schema.id == "test-ward"
    assert load_settings(paths.config_file()).schema == str(other)


def test_words_of_the_ward_that_cannot_be_used_are_said_at_the_start_which_can_be_tried_again(
    kit: WorkbenchKit,
) -> None:
    with shipped_words_afterwards():
        path = add_words(paths.language_dir(), "corrections", 'strike = ["("]')
        with pytest.raises(InputError) as caught:
            kit.result(kit.bench.open())
        assert str(path) in caught.value.what
        assert caught.value.retryable
        add_words(paths.language_dir(), "corrections", 'strike = ["never said that"]')
        kit.result(kit.bench.open())
        assert corrected("Pain is 4. Never said that.", kit.bench.workspace.schema).text.text == "."


def test_settings_with_a_broken_schema_change_nothing(kit: WorkbenchKit, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    former = kit.bench.settings.current
    with pytest.raises(SchemaError):
        kit.result(kit.bench.settings.apply(replace(former, schema=str(broken))))
    with pytest.raises(InputError, match="cannot be read"):
        kit.result(kit.bench.settings.apply(replace(former, schema=str(tmp_path / "none.json"))))
    assert kit.bench.settings.current == former
    assert load_settings(paths.config_file()) == former


def test_a_second_workbench_is_refused_and_may_try_again(kit: WorkbenchKit) -> None:
    second = WorkbenchKit(FakeEngine())
    with pytest.raises(StorageError):
        second.result(second.bench.open())
    assert not second.bench.ready
    kit.bench.close()
    second.result(second.bench.open())
    assert second.bench.ready
    second.bench.close()


def test_export_writes_only_what_a_person_accepted(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    with pytest.raises(InputError, match="no confirmed values"):
        kit.result(kit.bench.filing.export(sheet, tmp_path / "out", ["json"]))
    kit.result(kit.bench.review.decide(sheet, [sheet.values[0].id], "confirm"))
    written = kit.result(kit.bench.filing.export(sheet, tmp_path / "out", ["json", "csv"]))
    assert [path.suffix for path in written] == [".json", ".csv"]


def test_overview_lists_patients_and_dictations(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    overview = kit.result(kit.bench.dictations.load_overview())
    assert [patient.name for patient in overview.patients] == ["Hawthorne"]
    assert [(entry.dictation.id, entry.proposed) for entry in overview.entries] == [(sheet.dictation.id, 18)]


def test_a_wrong_text_never_becomes_a_dictation(kit: WorkbenchKit, tmp_path: Path) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text(" \n")
    patient = kit.result(add_patient(kit.bench, "A", "", ""))
    with pytest.raises(InputError, match="no text"):
        kit.result(kit.bench.intake.import_file(empty, patient))
    assert kit.result(kit.bench.dictations.load_overview()).entries == ()


@pytest.mark.parametrize(("name", "kind"), [("a.WAV", "audio"), ("b.m4a", "audio"), ("c.txt", "text")])
def test_kinds_of_files(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / name).write_text("x")
    assert kind_of(tmp_path / name) == kind


def test_other_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("x")
    with pytest.raises(InputError, match=r"a\.zip is not a recording or text"):
        kind_of(tmp_path / "a.zip")
    with pytest.raises(InputError, match="no longer exists"):
        kind_of(tmp_path / "gone.wav")


def test_quantities_are_entered_in_any_unit_of_their_dimension() -> None:
    weight = Row("w", "Weight", ValueType.QUANTITY, ("A",), unit="kg", dimension="weight", ucum="kg", maximum=300)
    assert check(weight, 100.0, "[lb_av]")[:2] == (45.36, "kg")
    assert check(weight, 80.0, "kg")[:2] == (80.0, "kg")
    assert check(weight, 400.0, "kg")[2] == (Finding("implausible", ("to 300 kg",)),)
    with pytest.raises(InputError, match="Weight"):
        check(weight, 10.0, "Cel")


def test_concerns_follow_what_a_person_entered(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    temp = next(value for value in sheet.values if value.row_id == "temp")
    row = sheet.schema.row("temp")
    assert concerns(row, temp) == ("unit not said, taken as °C",)
    told = Caution("temp", 60.0, Outside.PLAUSIBLE)
    reviewed = kit.result(kit.bench.review.edit(sheet, temp.id, 60.0, "Cel", confirmed=told))
    edited = next(value for value in reviewed.values if value.id == temp.id)
    assert concerns(row, edited) == ("outside the plausible range 30 to 43 °C",)


def test_the_demonstration_schema_is_used_where_none_is_chosen() -> None:
    assert DEMONSTRATION_SCHEMA.parent.is_dir()
    assert DEMONSTRATION_SCHEMA.name == "medsurg_icu.json"


# recordings from the microphone

SOUND = voice(1.0)


def recorded(kit: WorkbenchKit, *, patient: str = "Hawthorne") -> tuple[Recording, Patient]:
    """A recording that runs, with all sound on the disk."""
    who = kit.result(add_patient(kit.bench, patient, "12", ""))
    recording = kit.bench.intake.record(who)
    recording.take(SOUND)
    while not (recording.folder and recording_journal.read(recording.folder).seconds == 1.0):
        threading.Event().wait(0.01)
    return recording, who


def imported(kit: WorkbenchKit) -> Dictation:
    """The next dictation that is taken in."""
    while not (done := [e for e in kit.events if isinstance(e, JobFinished) and e.job.kind == IMPORT]):
        threading.Event().wait(0.01)
    assert isinstance(done[-1].result, Dictation)
    return done[-1].result


def test_a_recording_becomes_a_dictation_as_an_opened_file_does(kit: WorkbenchKit) -> None:
    recording, who = recorded(kit)
    recording.finish()
    dictation = imported(kit)
    assert recording.folder
    assert dictation.original_name == f"{recording.folder.name}.wav"
    assert dictation.path.read_bytes()[44:] == SOUND
    kit.result(kit.bench.intake.fill(dictation.id))
    sheet = kit.sheet(dictation.id)
    assert (sheet.patient, len(sheet.values)) == (who, 18)
    assert list(paths.unfinished_dir().iterdir()) == []
    assert kit.result(kit.bench.intake.look_for_unfinished()) == []


def test_a_recording_that_runs_is_not_offered_as_unfinished(kit: WorkbenchKit) -> None:
    recording, _ = recorded(kit)
    assert kit.result(kit.bench.intake.look_for_unfinished()) == []
    recording.finish()
    imported(kit)


def test_an_interrupted_recording_is_found_and_kept_or_discarded(kit: WorkbenchKit) -> None:
    recording, who = recorded(kit)
    kit.bench.close()
    assert recording.folder
    kit.bench = Workbench(kit.events.append, engine=kit.engine, grace_seconds=0.2)
    kit.result(kit.bench.open())
    (found,) = kit.result(kit.bench.intake.look_for_unfinished())
    assert (found.kept.folder, found.kept.seconds, found.patient) == (recording.folder, 1.0, who)
    dictation = kit.result(kit.bench.intake.keep(found.kept.folder, who))
    assert dictation.path.read_bytes()[44:] == SOUND
    assert kit.result(kit.bench.intake.look_for_unfinished()) == []
    again, _ = recorded(kit)
    kit.bench.close()
    kit.bench = Workbench(kit.events.append, engine=kit.engine, grace_seconds=0.2)
    kit.result(kit.bench.open())
    assert again.folder
    kit.result(kit.bench.intake.discard(again.folder))
    assert not again.folder.exists()


def test_one_that_has_just_begun_is_not_taken_for_one_that_was_interrupted(kit: WorkbenchKit) -> None:
    recording, _ = recorded(kit)
    recording.folder = None  # as long as its folder is being synced
    assert kit.result(kit.bench.intake.look_for_unfinished()) == []
    recording.finish()
    imported(kit)


def test_what_is_kept_later_is_of_the_time_at_which_it_was_spoken(kit: WorkbenchKit) -> None:
    head = recording_journal.Head("2026-03-04T23:59:59+00:00", 1, "", "ward", "")
    with recording_journal.Journal(paths.unfinished_dir(), head) as opened:
        opened.append(SOUND + SOUND)
    who = kit.result(add_patient(kit.bench, "Hawthorne", "12", ""))
    dictation = kit.result(kit.bench.intake.keep(opened.folder, who))
    assert dictation.created_at == "2026-03-05T00:00:01.000+00:00"


def test_a_recording_that_cannot_be_written_holds_nothing_up(
    kit: WorkbenchKit, monkeypatch: pytest.MonkeyPatch
) -> None:
    kit.engine.following = follow(2)
    recording, who = recorded(kit)
    with monkeypatch.context() as patch:
        patch.setattr(recording_journal.Journal, "append", no_space)
        recording.take(SOUND)
        while not any(isinstance(event, JobFailed) for event in kit.events):
            threading.Event().wait(0.01)
    assert recording.folder
    kit.result(kit.bench.intake.keep(recording.folder, who))
    assert len(filled_sheet(kit, imported(kit)).values) == 18
    stopped = [event.job.kind for event in kit.events if isinstance(event, JobStopped)]
    assert stopped == [FOLLOW]


def no_space(*_: Any) -> None:
    raise ResourceError("The disk is full.", "Make room.")


def test_one_that_became_a_dictation_just_before_the_end_is_not_offered_again(kit: WorkbenchKit) -> None:
    head = recording_journal.Head("2026-03-04T05:06:07+00:00", 1, "", "ward", "")
    for wave in (True, False):
        with recording_journal.Journal(paths.unfinished_dir(), head) as opened:
            opened.append(SOUND)
        if wave:
            who = kit.result(add_patient(kit.bench, "Hawthorne", "12", ""))
            kit.result(kit.bench.intake.import_file(recording_journal.finish(opened.folder), who))
    (found,) = kit.result(kit.bench.intake.look_for_unfinished())
    assert found.kept.folder == opened.folder


def test_an_empty_recording_leaves_nothing(kit: WorkbenchKit) -> None:
    who = kit.result(add_patient(kit.bench, "Hawthorne", "12", ""))
    kit.bench.intake.record(who).finish()
    while not (failed := [event for event in kit.events if isinstance(event, JobFailed)]):
        threading.Event().wait(0.01)
    assert "Nothing was recorded" in str(failed[0].error)
    assert kit.result(kit.bench.intake.look_for_unfinished()) == []
    assert list(paths.unfinished_dir().iterdir()) == []


def test_sound_is_let_go_as_the_settings_say(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    assert kit.result(kit.bench.intake.delete_expired()) == []
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, keep_audio="never")))
    assert kit.result(kit.bench.intake.delete_expired()) == [sheet.dictation.id]


def test_a_schema_is_examined_without_being_used(kit: WorkbenchKit, tmp_path: Path) -> None:
    before = kit.bench.workspace.schema
    facts = kit.result(kit.bench.settings.check_schema_file(DEMONSTRATION_SCHEMA))
    assert isinstance(facts, SchemaFacts)
    assert (facts.rows, facts.language) == (703, "en")
    assert kit.bench.workspace.schema is before
    broken = tmp_path / "broken.json"
    broken.write_text("{}", encoding="utf-8")
    job = kit.bench.settings.check_schema_file(broken)
    assert job.wait(PATIENCE_SECONDS)
    failed = next(event for event in kit.events if isinstance(event, JobFailed) and event.job is job)
    assert "broken.json" in failed.error.what


def test_models_installed_before_a_stop_are_known_at_once(kit: WorkbenchKit) -> None:
    engine = kit.engine
    engine.missing = ("whisper-base",)

    def full(engine: FakeEngine, *_: Any) -> None:
        engine.brought["whisper-base"] = 7
        raise ResourceError("The disk is full.", "Make room.")

    engine.before_install.append(full)
    assert kit.bench.models.install("whisper-base", None).wait(PATIENCE_SECONDS)
    speech = kit.bench.models.chosen("speech")
    assert speech
    assert (speech.status, speech.brought) == ("partial", 7)


# what is filed, and what else stands in the chart


def accept_everything(kit: WorkbenchKit, sheet: Sheet) -> Sheet:
    left = [value.id for value in sheet.values if value.status is ReviewStatus.PROPOSED]
    kit.result(kit.bench.review.decide(sheet, left, "confirm"))
    return kit.sheet(sheet.dictation.id)


def test_filing_waits_for_the_review_and_names_what_is_lit(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    out = tmp_path / "out"
    with pytest.raises(InputError, match=r"7 flagged values are not reviewed \(.*…\)\. Check and decide each one"):
        kit.result(kit.bench.filing.file(sheet, out, ("json",)))
    kit.result(kit.bench.review.decide(sheet, list(sheet.lights)[:6], "confirm"))
    with pytest.raises(InputError, match=r"1 flagged value is not reviewed"):
        kit.result(kit.bench.filing.file(sheet, out, ("json",)))
    kit.result(kit.bench.review.decide(sheet, sheet.lights, "reject"))
    with pytest.raises(InputError, match=r"11 values are not reviewed"):
        kit.result(kit.bench.filing.file(sheet, out, ("json",)))
    assert not out.exists()
    # asked for before the decisions are on the disk, it waits for them
    kit.bench.review.decide(sheet, [v.id for v in sheet.values if v.id not in sheet.lights], "confirm")
    filing = kit.result(kit.bench.filing.file(sheet, out, ("json", "csv")))
    assert sorted(filing.files) == sorted(str(path) for path in out.iterdir())
    assert kit.sheet(sheet.dictation.id).filing == filing
    (entry,) = kit.result(kit.bench.dictations.load_overview()).entries
    assert (entry.filed, entry.proposed) == (True, 0)


def test_files_are_taken_back_when_the_dictation_cannot_be_marked(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheet = accept_everything(kit, kit.filled(tmp_path))

    def fail(*_: object) -> None:
        raise StorageError("The disk is full.", "Free some space.")

    monkeypatch.setattr(kit.bench.workspace.store.filings, "file", fail)
    with pytest.raises(StorageError):
        kit.result(kit.bench.filing.file(sheet, tmp_path / "out", ("json",)))
    assert list((tmp_path / "out").iterdir()) == []
    assert kit.sheet(sheet.dictation.id).filing is None


def test_a_dictation_of_which_nothing_was_accepted_is_filed_without_files(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    kit.result(kit.bench.review.decide(sheet, [value.id for value in sheet.values], "reject"))
    assert kit.result(kit.bench.filing.file(sheet, tmp_path / "out", ("json",))).files == ()
    kit.result(kit.bench.filing.reopen(sheet))
    assert kit.sheet(sheet.dictation.id).filing is None


def test_the_overview_counts_what_is_to_check_a_few_dictations_at_a_time(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets = [kit.filled(tmp_path) for _ in range(3)]
    monkeypatch.setattr("app.services.dictations.overview.WORKED_OUT_AT_ONCE", 2)
    first = kit.result(kit.bench.dictations.load_overview())
    assert first.partial
    assert [entry.to_check for entry in first.entries] == [7, 7, None]
    whole = kit.result(kit.bench.dictations.load_overview())
    assert not whole.partial
    assert [entry.to_check for entry in whole.entries] == [7, 7, 7]
    kit.result(kit.bench.review.decide(sheets[0], list(sheets[0].lights)[:3], "confirm"))
    assert [entry.to_check for entry in kit.result(kit.bench.dictations.load_overview()).entries] == [7, 7, 4]


def test_the_overview_counts_all_that_the_sheet_says_is_to_check(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    said = [value.filled for value in sheet.values if value.filled]
    rate = next(one for one in said if one.row_id == "hr")
    again = replace(rate, value=94.0, evidence=next(one.evidence for one in said if one.row_id == "spo2"))
    kit.bench.workspace.store.runs.save(sheet.dictation.id, [*said, again], sheet.run)
    kit.bench.workspace.to_check.forget(sheet.dictation.id)

    def counted() -> list[int | None]:
        return [entry.to_check for entry in kit.result(kit.bench.dictations.load_overview()).entries]

    several = kit.sheet(sheet.dictation.id)
    assert {one.row_id for one in several.values if one.id in several.to_check - several.lights.keys()} == {"hr"}
    assert counted() == [len(several.to_check)] == [9]
    other = next(one.id for one in several.values if one.value == 94.0 and one.row_id == "hr")
    kit.result(kit.bench.review.decide(several, [other], "reject"))
    assert counted() == [len(kit.sheet(sheet.dictation.id).to_check)] == [8], (
        "one rate, and what was read from the same words"
    )


def test_the_overview_counts_conflicts_with_other_dictations_as_they_come_and_go(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, 8)
    first, second = kit.filled(tmp_path), kit.filled(tmp_path)

    def counted() -> list[int | None]:
        return [entry.to_check for entry in kit.result(kit.bench.dictations.load_overview()).entries]

    assert counted() == [7, 7]
    kit.result(kit.bench.review.edit(first, of(first, "hr").id, 88.0, None))
    assert counted() == [8, 7], "the second has another rate at the same time"
    kit.result(kit.bench.dictations.delete(first.dictation.id, "Recorded by mistake"))
    assert counted() == [len(kit.sheet(second.dictation.id).to_check)] == [7]


def at(monkeypatch: pytest.MonkeyPatch, hour: int) -> None:
    monkeypatch.setattr("app.store.sqlite.clock.now", lambda: f"2026-11-21T{hour:02d}:00:00.000+00:00")


def test_a_charted_value_of_another_time_is_history_and_of_the_same_time_a_conflict(
    kit: WorkbenchKit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at(monkeypatch, 8)
    accept_everything(kit, kit.filled(tmp_path))
    at(monkeypatch, 9)
    noon = kit.filled(tmp_path)
    assert noon.conflicts == {}
    assert noon.earlier.columns == ("2026-11-21T08:00",)
    assert [one.value.value for one in noon.earlier.of("hr")] == [112.0]
    rate, pressure = (next(v for v in noon.values if v.row_id == row) for row in ("hr", "bp"))
    kit.result(kit.bench.review.edit(noon, rate.id, 98.0, "/min"))
    kit.result(kit.bench.review.decide(noon, [pressure.id], "confirm"))
    twice = kit.filled(tmp_path)  # the same minute
    mine = next(value for value in twice.values if value.row_id == "hr")
    assert [one.value.value for one in twice.conflicts[mine.id]] == [98.0]
    assert len(twice.conflicts) == 1, "what says the same is none"
    assert mine.id not in kit.bench.review.confident(twice)
    with pytest.raises(InputError, match="already holds a value"):
        kit.result(kit.bench.review.decide(twice, [mine.id], "confirm"))
    reviewed = kit.result(kit.bench.review.put_in_place(twice, mine.id))
    assert reviewed.conflicts == {}
    replaced = kit.sheet(noon.dictation.id)
    assert [value.replaced_by for value in replaced.values if value.row_id == "hr"] == [mine.id]
    assert list(replaced.conflicts) == [rate.id]
    assert replaced.exportable == 1


# recordings that are followed while they are made


def overheard(kit: WorkbenchKit) -> list[Any]:
    return [event.news for event in kit.events if isinstance(event, Overheard)]


def filled_sheet(kit: WorkbenchKit, dictation: Dictation) -> Sheet:
    """Of a dictation whose filling is queued or over."""
    if job := kit.bench.intake.job_of(dictation.id):
        job.wait(PATIENCE_SECONDS)
    return kit.sheet(dictation.id)


def keeping(kit: WorkbenchKit) -> None:
    """Has what is filled while it is spoken kept."""
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, while_recording="keep")))


def test_what_is_shown_while_it_is_spoken_is_filled_with_care_afterwards(kit: WorkbenchKit) -> None:
    kit.engine.following = follow(2, 5)
    recording, _ = recorded(kit)
    recording.take(SOUND)
    while not any(isinstance(news, LiveValues) for news in overheard(kit)):
        threading.Event().wait(0.01)
    recording.finish()
    dictation = imported(kit)
    sheet = filled_sheet(kit, dictation)
    assert kit.engine.given == [transcript_of()], "it is not written down a second time"
    assert kit.engine.followed == [False]
    assert (len(sheet.values), sheet.dictation.status) == (18, "filled")
    assert not [event for event in kit.events if isinstance(event, JobFailed | JobStopped)]


def got_ready(kit: WorkbenchKit) -> Job:
    """The latest loading of the models ahead of their use."""
    kit.bench.models.preload()
    return next(event.job for event in reversed(kit.events) if event.job.kind == PRELOAD)


def test_the_models_are_loaded_ahead_of_their_use(kit: WorkbenchKit) -> None:
    kit.result(got_ready(kit))
    assert kit.engine.got_ready == [kit.bench.settings.current]


def test_who_needs_a_model_does_not_wait_until_all_are_loaded(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_ready.append(until_cancelled)
    loading = got_ready(kit)
    assert kit.bench.jobs == (), "nobody asked for it"
    assert len(kit.filled(tmp_path).values) == 18
    assert loading.wait(0)
    assert not [event for event in kit.events if isinstance(event, JobFailed | JobStopped)]


def test_models_that_cannot_be_loaded_fail_the_loading_alone(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_ready.append(die)
    with pytest.raises(WorkerDied):
        kit.result(got_ready(kit))
    assert len(kit.filled(tmp_path).values) == 18


def test_nothing_is_loaded_ahead_where_nothing_is_followed(kit: WorkbenchKit) -> None:
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, while_recording="nothing")))
    kit.bench.models.preload()
    kit.engine.missing = ("whisper-base",)
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, while_recording="show")))
    kit.bench.models.preload()
    assert not [event for event in kit.events if event.job.kind == PRELOAD]


def test_nothing_is_followed_where_nothing_is_wanted(kit: WorkbenchKit) -> None:
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, while_recording="nothing")))
    recording, _ = recorded(kit)
    assert recording.follower is None
    recording.finish()
    imported(kit)
    assert kit.engine.followed == []


def test_what_was_heard_while_it_was_spoken_is_not_filled_again(kit: WorkbenchKit) -> None:
    keeping(kit)
    kit.engine.following = follow(2, 5)
    recording, _ = recorded(kit)
    recording.take(SOUND)
    recording.finish()
    dictation = imported(kit)
    sheet = filled_sheet(kit, dictation)
    assert kit.engine.given == []
    assert (len(sheet.values), sheet.dictation.status) == (18, "filled")
    assert sheet.transcript == transcript_of()
    assert dictation.path.read_bytes()[44:] == SOUND + SOUND
    words = [news for news in overheard(kit) if isinstance(news, LiveWords)]
    assert [news.draft for news in words] == ["74.", "time."]
    assert [len(news.values) for news in overheard(kit) if isinstance(news, LiveValues)] == [2, 8]


def test_a_process_that_dies_takes_no_sound_with_it(kit: WorkbenchKit) -> None:
    kit.engine.following = follow(2, lost=True)
    recording, _ = recorded(kit)
    recording.take(SOUND)
    while recording.follower:
        threading.Event().wait(0.01)
    recording.take(SOUND)
    recording.finish()
    dictation = imported(kit)
    sheet = filled_sheet(kit, dictation)
    assert kit.engine.given == [None], "it is filled afterwards"
    assert len(sheet.values) == 18
    assert dictation.path.read_bytes()[44:] == SOUND * 3
    failed = [event.job.kind for event in kit.events if isinstance(event, JobFailed)]
    assert failed == [FOLLOW]


def test_nothing_is_followed_without_all_models(kit: WorkbenchKit) -> None:
    kit.engine.missing = ("whisper-base",)
    kit.result(kit.bench.settings.apply(kit.bench.settings.current))
    recording, _ = recorded(kit)
    assert recording.follower is None
    recording.finish()
    imported(kit)
    assert kit.engine.followed == []


def test_a_recording_that_ended_before_the_models_were_free_is_filled_afterwards(
    kit: WorkbenchKit, tmp_path: Path
) -> None:
    kit.engine.following = follow(2)
    kit.engine.before_fill.append(until_cancelled)
    who = kit.result(add_patient(kit.bench, "Hawthorne", "12", ""))
    earlier = kit.result(kit.bench.intake.import_file(write_recording(tmp_path / "earlier.wav"), who))
    recording, _ = recorded(kit)
    recording.finish()
    while (dictation := imported(kit)) == earlier:
        threading.Event().wait(0.01)
    job = kit.bench.intake.job_of(earlier.id)
    assert job
    job.cancel()
    assert len(filled_sheet(kit, dictation).values) == 18
    assert kit.engine.followed == []


def test_what_was_heard_under_other_settings_does_not_count(kit: WorkbenchKit) -> None:
    kit.engine.following = follow(2)
    recording, _ = recorded(kit)
    kit.result(kit.bench.settings.apply(replace(kit.bench.settings.current, top_k=7)))
    recording.finish()
    filled_sheet(kit, imported(kit))
    assert kit.engine.given == [None]
