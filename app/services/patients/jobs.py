"""The jobs of the patients: their subjects and results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.chart.patient_identity import Identity, PatientChange
from app.chart.records import Patient
from app.services.engine.job_lanes import JobKind
from app.services.patients.ward_list import Listed, Refused


@dataclass(frozen=True, slots=True)
class Update:
    """A line about a known patient, and the change it makes."""

    line: int
    before: Patient
    after: Identity

    @property
    def words(self) -> tuple[str, ...]:
        """The changes in words."""
        former = Identity.of(self.before)
        pairs = {
            "name": (former.name, self.after.name),
            "date of birth": (former.birth_date, self.after.birth_date),
            "MRN": (former.mrn, self.after.mrn),
            "bed": (former.bed, self.after.bed),
        }
        changed = tuple(f"{what} {one or '–'} → {two or '–'}" for what, (one, two) in pairs.items() if one != two)
        return (("readmitted", *changed) if self.before.discharged else changed) or ("nothing",)


@dataclass(frozen=True, slots=True)
class WardPlan:
    """What happens to the lines of a list.

    Attributes:
        new: lines about unknown patients.
        changed: lines that change or readmit known patients.
        unchanged: present patients for whom the list changes nothing.
        conflicts: lines that contradict the store; they are left out.
        refused: lines that cannot be read; they are left out.
        missing: present patients who are not in the list.
        waiting: by patient id, the names of dictations that are not filed; such a patient cannot be discharged here.
        discharging: ids of the missing patients to discharge.
        example, day_first: see `WardList`.
    """

    new: tuple[Listed, ...]
    changed: tuple[Update, ...]
    unchanged: tuple[Patient, ...]
    conflicts: tuple[Refused, ...]
    refused: tuple[Refused, ...]
    missing: tuple[Patient, ...]
    waiting: Mapping[int, Sequence[str]] = field(default_factory=dict)
    discharging: frozenset[int] = frozenset()
    example: str = ""
    day_first: bool | None = None

    @property
    def changes(self) -> list[PatientChange]:
        """All changes to write, in one transaction."""
        return [
            *(PatientChange(patient, None) for patient in self.missing if patient.id in self.discharging),
            *(PatientChange(update.before, update.after) for update in self.changed),
            *(PatientChange(None, listed.identity) for listed in self.new),
        ]


PATIENT = JobKind[None, Patient]("patient")  # the added patient, or the existing one
PATIENT_CHANGE = JobKind[Patient, Patient]("patient change")  # before and after
WARD_PLAN = JobKind[Path, WardPlan]("ward plan")  # from the file of a ward's list
WARD_IMPORT = JobKind[WardPlan, list[Patient]]("ward import")  # all changed patients
