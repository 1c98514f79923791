"""The patients of the ward, and changes to their records."""

from __future__ import annotations

from collections.abc import Sequence

from app.chart.patient_identity import Identity, PatientChange, bed_name
from app.chart.records import Patient, PatientEvent
from app.store.sqlite import codec
from app.store.sqlite.codec import plain
from app.store.sqlite.database import Database
from app.store.transactions import patient_changes, patient_rows


class Patients:
    """The patients of the ward, discharged ones included."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        name: str,
        bed: str = "",
        mrn: str = "",
        birth_date: str = "",
        *,
        temporary: bool = False,
        namesake: bool = False,
        reviewer: str = "",
    ) -> Patient:
        """Adds a patient.

        Args:
            namesake: whether they are known to differ from the patient with the same name and birth date.

        Raises:
            DuplicatePatient: another patient has this number, this bed, or the same name and birth date.
            InputError: also for an empty name or an impossible birth date.
        """
        identity = Identity(name, bed, mrn, birth_date, temporary)
        with self._database.write() as db:
            return patient_changes.add(db, identity, reviewer, namesake=namesake)

    def one(self, patient_id: int) -> Patient:
        with self._database.read() as db:
            return patient_rows.one(db, patient_id)

    def all(self) -> list[Patient]:
        """All patients by name, bed and number, discharged ones included."""
        with self._database.read() as db:
            return patient_rows.everybody(db)

    def present(self) -> list[Patient]:
        """The patients on the ward, by name, bed and number."""
        return [patient for patient in self.all() if not patient.discharged]

    def find(self, name: str, bed: str = "", mrn: str = "") -> Patient | None:
        """The patient with exactly this name, bed and number, the last added if there are several; None if unknown."""
        name, mrn = (" ".join(plain(text).split()) for text in (name, mrn))
        with self._database.read() as db:
            rows = db["patients"].rows_where("name = ? AND mrn = ?", [name, mrn], order_by="id DESC")
            found = [codec.patient(row) for row in rows]
        return next((patient for patient in found if bed_name(patient.bed) == bed_name(plain(bed))), None)

    def edit(self, patient_id: int, identity: Identity, reviewer: str, *, namesake: bool = False) -> Patient:
        """Changes a patient's identity. Raises as `add` does."""
        with self._database.write() as db:
            return patient_changes.edit(db, patient_id, identity, reviewer, namesake=namesake)

    def swap_beds(self, one_id: int, other_id: int, reviewer: str) -> Patient:
        """Swaps the beds of two patients; returns the first."""
        with self._database.write() as db:
            return patient_changes.swap_beds(db, one_id, other_id, reviewer)

    def discharge(self, patient_id: int, reviewer: str, *, anyway: bool = False) -> Patient:
        """Ends a patient's stay.

        Raises OpenDictations, unless `anyway`, if dictations are unfinished or not filed; InputError also if they are
        already discharged.
        """
        with self._database.write() as db:
            return patient_changes.discharge(db, patient_id, reviewer, anyway=anyway)

    def readmit(self, patient_id: int, bed: str, reviewer: str) -> Patient:
        """Begins another stay of a discharged patient. Raises DuplicatePatient if the bed is taken."""
        with self._database.write() as db:
            return patient_changes.readmit(db, patient_id, bed, reviewer)

    def change(self, changes: Sequence[PatientChange], reviewer: str) -> list[Patient]:
        """Adds, changes and discharges several patients, all or none; they may exchange beds.

        Raises InputError if one of them has changed since the changes were chosen.
        """
        with self._database.write() as db:
            return patient_changes.change(db, changes, reviewer)

    def open_dictations(self, patient_id: int) -> list[str]:
        """Names of the dictations of a patient's stay that are unfinished or not filed, each with its state."""
        with self._database.read() as db:
            return patient_changes.open_dictations(db, patient_id)

    def events(self, patient_id: int) -> list[PatientEvent]:
        """The events in a patient's record, earliest first."""
        with self._database.read() as db:
            rows = db["patient_events"].rows_where("patient_id = ?", [patient_id], order_by="id")
            return [codec.patient_event(row) for row in rows]
