"""Rows of patients, read and written inside a transaction."""

from __future__ import annotations

from typing import Any

from app.chart.records import Encounter, Patient
from app.store.sqlite import clock, codec
from models.base.errors import InputError


def one(db: Any, patient_id: int) -> Patient:
    """A patient by id. Raises InputError if there is none."""
    rows = list(db["patients"].rows_where("id = ?", [patient_id]))
    if not rows:
        raise InputError(f"There is no patient {patient_id}.", "Look up the number and try again.")
    return codec.patient(rows[0])


def everybody(db: Any) -> list[Patient]:
    return [codec.patient(row) for row in db.query("SELECT * FROM patients ORDER BY name, bed, mrn, id")]


def refuse_discharged(patient: Patient, what: str) -> None:
    if patient.discharged:
        raise InputError(f"{patient.name} is discharged and cannot {what}.", "Readmit the patient first.")


def begin_encounter(db: Any, patient_id: int) -> Encounter:
    started = clock.now()
    record = {"patient_id": patient_id, "started_at": started, "ended_at": None}
    return Encounter(db["encounters"].insert(record).last_pk, patient_id, started, None)
