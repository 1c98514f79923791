"""Dictations moved, renamed and deleted on the workbench, while their filling runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.chart.records import Patient, ReviewStatus
from app.chart.sheet import Sheet
from app.system import paths
from app.system.job_lanes import Job, JobFinished, JobProgress, JobStopped
from app.workspace.jobs import Task
from models.errors import AudioError, InputError
from tests.kit.fake_app import FakeEngine, until_cancelled, write_recording
from tests.kit.workspace import Desk


@pytest.fixture
def other(desk: Desk) -> Patient:
    patient = desk.result(desk.bench.add_patient("Sorrel", "3", ""))
    assert isinstance(patient, Patient)
    return patient


def filling_of(desk: Desk, dictation_id: int) -> Job:
    """Its last filling."""
    jobs = [event.job for event in desk.events if event.job.kind == Task.FILL and event.job.subject == dictation_id]
    return jobs[-1]


def reviewed(desk: Desk, folder: Path) -> Sheet:
    sheet = desk.filled(folder)
    desk.result(desk.bench.reviews.review(sheet, [value.id for value in sheet.values[:12]], "confirm"))
    return desk.sheet(sheet.dictation.id)


def running(desk: Desk, job: Job) -> None:
    """Waits until a filling is within `until_cancelled`."""
    while not any(
        isinstance(event, JobProgress) and event.job is job and event.progress.message.startswith("8 of 18")
        for event in desk.events
    ):
        job.wait(0.01)


def test_a_moved_dictation_is_filled_again_from_its_transcript_for_the_other_patient(
    desk: Desk, other: Patient, tmp_path: Path
) -> None:
    sheet = reviewed(desk, tmp_path)
    moved = desk.result(desk.bench.move(sheet.dictation.id, other))
    assert (moved.came, moved.went, moved.taken_back, moved.back) == (sheet.patient, other, 12, False)
    desk.result(filling_of(desk, sheet.dictation.id))
    assert desk.engine.given == [None, sheet.transcript]
    after = desk.sheet(sheet.dictation.id)
    assert (after.patient, after.count(ReviewStatus.PROPOSED), len(after.values)) == (other, 18, 18)
    overview = desk.result(desk.bench.look_up())
    assert [entry.patient for entry in overview.entries] == [other]


def test_moving_back_stops_the_filling_and_restores_what_was_decided(
    desk: Desk, other: Patient, tmp_path: Path
) -> None:
    sheet = reviewed(desk, tmp_path)
    desk.engine.before_fill.append(until_cancelled)
    moved = desk.result(desk.bench.move(sheet.dictation.id, other))
    stopped = filling_of(desk, sheet.dictation.id)
    running(desk, stopped)
    back = desk.result(desk.bench.dictations.move_back(moved))
    assert (back.went, back.back) == (sheet.patient, True)
    assert any(isinstance(event, JobStopped) and event.job is stopped for event in desk.events)
    desk.result(filling_of(desk, sheet.dictation.id))
    after = desk.sheet(sheet.dictation.id)
    assert after.patient == sheet.patient
    decided = [value for value in sheet.values if value.status is not ReviewStatus.PROPOSED]
    assert [value for value in after.values if value.status is not ReviewStatus.PROPOSED] == decided
    assert len(after.values) == 18


def test_one_that_is_being_filled_is_not_moved(desk: Desk, other: Patient, tmp_path: Path) -> None:
    desk.engine.before_fill.append(until_cancelled)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    running(desk, job)
    with pytest.raises(InputError, match=r"being filled.*then move it"):
        desk.result(desk.bench.move(dictation.id, other))
    assert desk.sheet(dictation.id).patient.name == "Hawthorne"
    job.cancel()
    assert job.wait(10)


def test_a_deleted_dictation_is_in_no_overview_and_its_filling_is_stopped(desk: Desk, tmp_path: Path) -> None:
    desk.engine.before_fill.append(until_cancelled)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    running(desk, job)
    deleted = desk.result(desk.bench.dictations.delete(dictation.id, "Recorded by mistake"))
    assert (deleted.dictation.id, deleted.patient.name) == (dictation.id, "Hawthorne")
    assert job.ended
    assert desk.result(desk.bench.look_up()).entries == ()
    with pytest.raises(InputError, match=r"was deleted by R. Nurse: Recorded by mistake"):
        desk.sheet(dictation.id)


def test_a_restored_dictation_is_filled_to_the_end(desk: Desk, tmp_path: Path) -> None:
    desk.engine.before_fill.append(until_cancelled)
    dictation, job = desk.bring(write_recording(tmp_path / "a.wav"))
    running(desk, job)
    desk.result(desk.bench.dictations.delete(dictation.id, "Duplicate"))
    desk.result(desk.bench.dictations.restore(dictation.id))
    desk.result(filling_of(desk, dictation.id))
    assert len(desk.sheet(dictation.id).values) == 18


def test_a_filed_dictation_stays_whatever_is_asked(desk: Desk, other: Patient, tmp_path: Path) -> None:
    sheet = reviewed(desk, tmp_path)
    desk.result(desk.bench.reviews.review(sheet, [value.id for value in sheet.values], "confirm"))
    desk.result(desk.bench.file(desk.sheet(sheet.dictation.id), tmp_path / "out", ("json",)))
    for job in (
        desk.bench.move(sheet.dictation.id, other),
        desk.bench.dictations.delete(sheet.dictation.id, "Duplicate"),
    ):
        with pytest.raises(InputError, match=r"is filed. Reopen it first"):
            desk.result(job)
    assert desk.sheet(sheet.dictation.id).filing
    assert not desk.bench.intake.job_of(sheet.dictation.id)


def test_a_title_is_kept(desk: Desk, tmp_path: Path) -> None:
    sheet = desk.filled(tmp_path)
    assert desk.result(desk.bench.dictations.rename(sheet.dictation.id, "Wound check")).name == "Wound check"
    assert desk.sheet(sheet.dictation.id).dictation.title == "Wound check"


def test_a_failure_names_the_file_and_never_the_copy(desk: Desk, tmp_path: Path) -> None:
    def refuse(engine: FakeEngine, *_: Any) -> None:
        name = next(paths.data_dir().glob("recordings/*.wav")).name
        raise AudioError(f"{name} is damaged: none of its sound could be read.", "Choose another copy of it.")

    desk.engine.before_transcript.append(refuse)
    dictation, job = desk.bring(write_recording(tmp_path / "evening.wav"))
    with pytest.raises(AudioError, match=r"^evening.wav is damaged"):
        desk.result(job)
    assert desk.sheet(dictation.id).dictation.error.startswith("evening.wav is damaged")
    finished = [event for event in desk.events if isinstance(event, JobFinished) and event.job.kind == Task.IMPORT]
    assert finished
