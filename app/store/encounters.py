"""Encounters: the stays of patients."""

from __future__ import annotations

from typing import Any

from app.chart.records import Encounter
from app.store.sqlite import codec
from app.store.sqlite.database import Database
from app.store.transactions.patient_rows import begin_encounter, one, refuse_discharged
from models.base.errors import InputError


class Encounters:
    """The stays of patients; a patient on the ward has a running one from the first dictation on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, patient_id: int) -> Encounter:
        """The patient's running encounter, begun if there is none. Raises InputError if the patient is discharged."""
        with self._database.write() as db:
            running = _of(db, patient_id, running=True)
            if running:
                return running[0]
            refuse_discharged(one(db, patient_id), "get new dictations")
            return begin_encounter(db, patient_id)

    def to_move_into(self, patient_id: int) -> Encounter:
        """The encounter for a dictation that is moved to this patient.

        It is the running one, or the last one if the patient is discharged.
        """
        with self._database.write() as db:
            of_patient = _of(db, patient_id)
            if of_patient and one(db, patient_id).discharged:
                return of_patient[0]
            return self.open(patient_id)

    def one(self, encounter_id: int) -> Encounter:
        with self._database.read() as db:
            rows = list(db["encounters"].rows_where("id = ?", [encounter_id]))
        if not rows:
            raise InputError(f"There is no encounter {encounter_id}.", "Look up the number and try again.")
        return codec.encounter(rows[0])

    def last(self, patient_id: int) -> Encounter | None:
        """The patient's last encounter, running or ended; None if they never had one."""
        with self._database.read() as db:
            return next(iter(_of(db, patient_id)), None)

    def patient_ids(self) -> dict[int, int]:
        """Ids of patients by id of encounter."""
        with self._database.read() as db:
            return {row["id"]: row["patient_id"] for row in db.query("SELECT id, patient_id FROM encounters")}


# within one transaction


def _of(db: Any, patient_id: int, *, running: bool = False) -> list[Encounter]:
    """The encounters of a patient, latest first."""
    one(db, patient_id)
    condition = "patient_id = ?" + (" AND ended_at IS NULL" if running else "")
    rows = db["encounters"].rows_where(condition, [patient_id], order_by="id DESC")
    return [codec.encounter(row) for row in rows]
