"""Dictations moved, renamed and deleted on the workbench, while their filling runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.chart.records import Patient, ReviewStatus
from app.chart.sheet import Sheet
from app.intake.jobs import FILL, IMPORT
from app.system import paths
from app.system.job_lanes import Job, JobFinished, JobProgress, JobStopped
from models.base.errors import InputError
from speech.errors import AudioError
from tests.kit.fake_app import FakeEngine, until_cancelled, write_recording
from tests.kit.patience import PATIENCE_SECONDS
from tests.kit.workbench import WorkbenchKit


@pytest.fixture
def other(kit: WorkbenchKit) -> Patient:
    patient = kit.patient("Sorrel", "3")
    assert isinstance(patient, Patient)
    return patient


def filling_of(kit: WorkbenchKit, dictation_id: int) -> Job:
    """Its last filling."""
    jobs = [event.job for event in kit.events if event.job.kind == FILL and event.job.subject == dictation_id]
    return jobs[-1]


def reviewed(kit: WorkbenchKit, folder: Path) -> Sheet:
    sheet = kit.filled(folder)
    kit.result(kit.bench.reviews.review(sheet, [value.id for value in sheet.values[:12]], "confirm"))
    return kit.sheet(sheet.dictation.id)


def running(kit: WorkbenchKit, job: Job) -> None:
    """Waits until a filling is within `until_cancelled`."""
    while not any(
        isinstance(event, JobProgress) and event.job is job and event.progress.message.startswith("8 of 18")
        for event in kit.events
    ):
        job.wait(0.01)


def test_a_moved_dictation_is_filled_again_from_its_transcript_for_the_other_patient(
    kit: WorkbenchKit, other: Patient, tmp_path: Path
) -> None:
    sheet = reviewed(kit, tmp_path)
    moved = kit.result(kit.bench.move(sheet.dictation.id, other))
    assert (moved.came, moved.went, moved.taken_back, moved.back) == (sheet.patient, other, 12, False)
    kit.result(filling_of(kit, sheet.dictation.id))
    assert kit.engine.given == [None, sheet.transcript]
    after = kit.sheet(sheet.dictation.id)
    assert (after.patient, after.count(ReviewStatus.PROPOSED), len(after.values)) == (other, 18, 18)
    overview = kit.result(kit.bench.load_overview())
    assert [entry.patient for entry in overview.entries] == [other]


def test_moving_back_stops_the_filling_and_restores_what_was_decided(
    kit: WorkbenchKit, other: Patient, tmp_path: Path
) -> None:
    sheet = reviewed(kit, tmp_path)
    kit.engine.before_fill.append(until_cancelled)
    moved = kit.result(kit.bench.move(sheet.dictation.id, other))
    stopped = filling_of(kit, sheet.dictation.id)
    running(kit, stopped)
    back = kit.result(kit.bench.dictations.move_back(moved))
    assert (back.went, back.back) == (sheet.patient, True)
    assert any(isinstance(event, JobStopped) and event.job is stopped for event in kit.events)
    kit.result(filling_of(kit, sheet.dictation.id))
    after = kit.sheet(sheet.dictation.id)
    assert after.patient == sheet.patient
    decided = [value for value in sheet.values if value.status is not ReviewStatus.PROPOSED]
    assert [value for value in after.values if value.status is not ReviewStatus.PROPOSED] == decided
    assert len(after.values) == 18


def test_one_that_is_being_filled_is_not_moved(kit: WorkbenchKit, other: Patient, tmp_path: Path) -> None:
    kit.engine.before_fill.append(until_cancelled)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    running(kit, job)
    with pytest.raises(InputError, match=r"being processed.*then move it"):
        kit.result(kit.bench.move(dictation.id, other))
    assert kit.sheet(dictation.id).patient.name == "Hawthorne"
    job.cancel()
    assert job.wait(PATIENCE_SECONDS)


def test_a_deleted_dictation_is_in_no_overview_and_its_filling_is_stopped(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_fill.append(until_cancelled)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    running(kit, job)
    deleted = kit.result(kit.bench.dictations.delete(dictation.id, "Recorded by mistake"))
    assert (deleted.dictation.id, deleted.patient.name) == (dictation.id, "Hawthorne")
    assert job.ended
    assert kit.result(kit.bench.load_overview()).entries == ()
    with pytest.raises(InputError, match=r"was deleted by R. Nurse: Recorded by mistake"):
        kit.sheet(dictation.id)


def test_a_restored_dictation_is_filled_to_the_end(kit: WorkbenchKit, tmp_path: Path) -> None:
    kit.engine.before_fill.append(until_cancelled)
    dictation, job = kit.bring(write_recording(tmp_path / "a.wav"))
    running(kit, job)
    kit.result(kit.bench.dictations.delete(dictation.id, "Duplicate"))
    kit.result(kit.bench.dictations.restore(dictation.id))
    kit.result(filling_of(kit, dictation.id))
    assert len(kit.sheet(dictation.id).values) == 18


def test_a_filed_dictation_stays_whatever_is_asked(kit: WorkbenchKit, other: Patient, tmp_path: Path) -> None:
    sheet = reviewed(kit, tmp_path)
    kit.result(kit.bench.reviews.review(sheet, [value.id for value in sheet.values], "confirm"))
    kit.result(kit.bench.file(kit.sheet(sheet.dictation.id), tmp_path / "out", ("json",)))
    for job in (
        kit.bench.move(sheet.dictation.id, other),
        kit.bench.dictations.delete(sheet.dictation.id, "Duplicate"),
    ):
        with pytest.raises(InputError, match=r"is filed. Reopen it first"):
            kit.result(job)
    assert kit.sheet(sheet.dictation.id).filing
    assert not kit.bench.intake.job_of(sheet.dictation.id)


def test_a_title_is_kept(kit: WorkbenchKit, tmp_path: Path) -> None:
    sheet = kit.filled(tmp_path)
    assert kit.result(kit.bench.dictations.rename(sheet.dictation.id, "Wound check")).name == "Wound check"
    assert kit.sheet(sheet.dictation.id).dictation.title == "Wound check"


def test_a_failure_names_the_file_and_never_the_copy(kit: WorkbenchKit, tmp_path: Path) -> None:
    def refuse(engine: FakeEngine, *_: Any) -> None:
        name = next(paths.data_dir().glob("recordings/*.wav")).name
        raise AudioError(f"{name} is damaged: none of its sound could be read.", "Choose another copy.")

    kit.engine.before_transcript.append(refuse)
    dictation, job = kit.bring(write_recording(tmp_path / "evening.wav"))
    with pytest.raises(AudioError, match=r"^evening.wav is damaged"):
        kit.result(job)
    assert kit.sheet(dictation.id).dictation.error.startswith("evening.wav is damaged")
    finished = [event for event in kit.events if isinstance(event, JobFinished) and event.job.kind == IMPORT]
    assert finished
