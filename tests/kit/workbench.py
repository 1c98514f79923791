"""The workbench without a window, for the tests of what it does."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from app.chart.patient_identity import Identity
from app.chart.records import Dictation, Patient, ReviewedValue
from app.chart.sheet import Sheet
from app.intake.jobs import FILL
from app.system.job_lanes import Job, JobEvent, JobFailed, JobFinished
from app.workbench import Workbench
from tests.kit.fake_app import FakeEngine, write_recording
from tests.kit.patience import PATIENCE_SECONDS


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

    def patient(self, name: str, bed: str) -> Patient:
        """The patient with this name and bed, added if there is none yet."""
        known = self.bench.workspace.store.patients.find(name, bed, "")
        return known or self.result(self.bench.ward.add(Identity(name, bed=bed)))

    def bring(self, path: Path) -> tuple[Dictation, Job]:
        dictation = self.result(self.bench.intake.import_file(path, self.patient("Hawthorne", "12")))
        jobs = (event.job for event in self.events)
        filling = next(job for job in jobs if job.kind == FILL and job.subject == dictation.id)
        return dictation, filling

    def filled(self, folder: Path) -> Sheet:
        dictation, job = self.bring(write_recording(folder / "a.wav"))
        self.result(job)
        return self.sheet(dictation.id)

    def sheet(self, dictation_id: int) -> Sheet:
        sheet = self.result(self.bench.load_sheet(dictation_id))
        assert isinstance(sheet, Sheet)
        return sheet

    def close(self) -> None:
        """Closes the workbench, which must leave no thread behind."""
        self.bench.close()
        assert not [thread.name for thread in threading.enumerate() if thread.name.startswith("wardlight-")]


def of(values: Sheet | tuple[ReviewedValue, ...], row_id: str) -> ReviewedValue:
    """The value of a row."""
    return next(one for one in (values.values if isinstance(values, Sheet) else values) if one.row_id == row_id)
