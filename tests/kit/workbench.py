"""The workbench without a window, for the tests of what it does."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from app.chart.records import Dictation, Patient, ReviewedValue
from app.chart.sheet import Sheet
from app.services.engine.job_lanes import Job, JobEvent, JobFailed, JobFinished
from app.services.intake.jobs import FILL
from app.services.patients.jobs import PATIENT
from app.services.workbench import Workbench
from tests.kit.fake_app import FakeEngine, write_recording
from tests.kit.patience import PATIENCE_SECONDS


def add_patient(bench: Workbench, name: str, bed: str, mrn: str) -> Job[None, Patient]:
    """The patient with exactly this identity, added if there is none yet."""

    def work(_: Job[None, Patient]) -> Patient:
        patients = bench.workspace.store.patients
        by = bench.signing.sure_name
        return patients.find(name, bed, mrn) or patients.add(name, bed, mrn, reviewer=by)

    return bench.workspace.sheets.submit(PATIENT, None, work)


class WorkbenchKit:
    """A workbench on a fake engine, whose jobs are waited for."""

    def __init__(self, engine: FakeEngine) -> None:
        self.engine = engine
        self.events: list[JobEvent] = []
        self.bench = Workbench(self.events.append, engine=engine, grace_seconds=0.2)

    def result(self, job: Job) -> Any:
        assert job.wait(PATIENCE_SECONDS)
        last = next(event for event in reversed(self.events) if event.job is job)
        if isinstance(last, JobFailed):
            raise last.error
        assert isinstance(last, JobFinished), last
        return last.result

    def bring(self, path: Path) -> tuple[Dictation, Job]:
        patient = self.result(add_patient(self.bench, "Hawthorne", "12", ""))
        dictation = self.result(self.bench.intake.import_file(path, patient))
        jobs = (event.job for event in self.events)
        filling = next(job for job in jobs if job.kind == FILL and job.subject == dictation.id)
        return dictation, filling

    def filled(self, folder: Path) -> Sheet:
        dictation, job = self.bring(write_recording(folder / "a.wav"))
        self.result(job)
        return self.sheet(dictation.id)

    def sheet(self, dictation_id: int) -> Sheet:
        sheet = self.result(self.bench.sheets.load(dictation_id))
        assert isinstance(sheet, Sheet)
        return sheet

    def close(self) -> None:
        """Closes the workbench, which must leave no thread behind."""
        self.bench.close()
        assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("wardlight-")]


def of(values: Sheet | tuple[ReviewedValue, ...], row_id: str) -> ReviewedValue:
    """The value of a row."""
    return next(one for one in (values.values if isinstance(values, Sheet) else values) if one.row_id == row_id)
