"""Adds, changes, discharges, readmits and imports patients. Each call is a job."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from app.chart.patient_identity import Identity
from app.chart.records import Patient
from app.services.context.workspace import Workspace
from app.services.engine.job_lanes import Job
from app.services.patients.jobs import PATIENT, PATIENT_CHANGE, WARD_IMPORT, WARD_PLAN, WardPlan
from app.services.patients.lookup import sample_patient
from app.services.patients.ward_list_import import plan_import


class PatientService:
    """Each method submits a job, whose kind gives the result. Changes are recorded with the name of who signs."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add(self, identity: Identity, *, namesake: bool = False) -> Job[None, Patient]:
        """Adds a patient; `namesake` if a person said that two of the same name and birth date are two people."""
        known = self._workspace.signing.sure_name

        def work(job: Job[None, Patient]) -> Patient:
            return self._workspace.store.patients.add(
                identity.name,
                identity.bed,
                identity.mrn,
                identity.birth_date,
                temporary=identity.temporary,
                namesake=namesake,
                reviewer=known,
            )

        return self._workspace.sheets.submit(PATIENT, None, work)

    def sample(self) -> Job[None, Patient]:
        """The patient of the sample dictation, added if missing."""
        known = self._workspace.signing.sure_name
        return self._workspace.sheets.submit(PATIENT, None, lambda _: sample_patient(self._workspace.store, known))

    def edit(self, patient: Patient, identity: Identity, *, namesake: bool = False) -> Job[Patient, Patient]:
        """Changes a patient's identity, or only their bed."""
        signed = self._workspace.sign()
        return self._change(
            patient,
            lambda: self._workspace.store.patients.edit(patient.id, identity, signed, namesake=namesake),
        )

    def transfer(self, patient: Patient, bed: str) -> Job[Patient, Patient]:
        """Moves a patient to another bed, even if their identity is incomplete."""
        return self.edit(patient, replace(Identity.of(patient), bed=bed))

    def swap(self, patient: Patient, other: Patient) -> Job[Patient, Patient]:
        """Swaps the beds of two patients."""
        signed = self._workspace.sign()
        return self._change(patient, lambda: self._workspace.store.patients.swap_beds(patient.id, other.id, signed))

    def discharge(self, patient: Patient, *, anyway: bool = False) -> Job[Patient, Patient]:
        """Ends a patient's stay; fails with OpenDictations while dictations are not filed, unless `anyway`."""
        signed = self._workspace.sign()
        return self._change(
            patient, lambda: self._workspace.store.patients.discharge(patient.id, signed, anyway=anyway)
        )

    def readmit(self, patient: Patient, bed: str) -> Job[Patient, Patient]:
        """Begins another stay of a discharged patient."""
        signed = self._workspace.sign()
        return self._change(patient, lambda: self._workspace.store.patients.readmit(patient.id, bed, signed))

    def plan_import(
        self,
        path: Path,
        *,
        day_first: bool | None = None,
        discharging: Collection[int] = (),
        recorded: int | None = None,
    ) -> Job[Path, WardPlan]:
        """Works out what importing a ward's list would change; see `plan_import` of the same room."""

        def work(job: Job[Path, WardPlan]) -> WardPlan:
            return plan_import(
                self._workspace.store, path, day_first=day_first, discharging=discharging, recorded=recorded
            )

        return self._workspace.sheets.submit(WARD_PLAN, path, work)

    def import_list(self, plan: WardPlan) -> Job[WardPlan, list[Patient]]:
        """Applies all changes of a plan, or none if a patient has changed since it was made."""
        signed = self._workspace.sign()
        return self._workspace.sheets.submit(
            WARD_IMPORT, plan, lambda _: self._workspace.store.patients.change(plan.changes, signed)
        )

    def _change(self, patient: Patient, change: Callable[[], Patient]) -> Job[Patient, Patient]:
        return self._workspace.sheets.submit(PATIENT_CHANGE, patient, lambda _: change())
