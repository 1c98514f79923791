"""Finds patients by what is entered about them, and adds those that are not known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from app.chart.patient_identity import Identity, bed_key, complete, mrn_key, name_key
from app.chart.records import Patient
from extraction.language.birth_dates import birth_dates
from models.base.errors import InputError

if TYPE_CHECKING:
    from app.store import Store

SAMPLE = Identity("Sample patient", "12", "", "1950-02-03")
UNASSIGNED = "Unassigned"


def matching(patients: Iterable[Patient], identity: Identity) -> list[Patient]:
    """The patients of this name that match everything else that is given."""
    return [
        patient
        for patient in patients
        if name_key(patient.name) == name_key(identity.name)
        and (not identity.bed or bed_key(identity.bed) == bed_key(patient.bed))
        and (not identity.mrn or mrn_key(identity.mrn) == mrn_key(patient.mrn))
        and (not identity.birth_date or identity.birth_date == patient.birth_date)
    ]


def known_or_new(store: Store, identity: Identity, reviewer: str = "") -> Patient:
    """The present patient with this identity, or a new one, who needs a second identifier unless `UNASSIGNED`.

    Raises InputError if several patients match, and as `Patients.add` does.
    """
    found = matching(store.patients.present(), identity)
    if len(found) > 1:
        raise InputError(f"{len(found)} patients match {identity.name!r}.", "Add the MRN or the date of birth.")
    if found:
        return found[0]
    if identity != Identity(UNASSIGNED):
        identity = complete(identity)
    return store.patients.add(
        identity.name,
        identity.bed,
        identity.mrn,
        identity.birth_date,
        temporary=identity.temporary,
        reviewer=reviewer,
    )


def sample_patient(store: Store, reviewer: str) -> Patient:
    """The patient of the sample dictation, present on the ward; without a bed if another patient has it."""
    everybody = store.patients.all()
    taken = any(
        bed_key(patient.bed) == SAMPLE.bed
        and not patient.discharged
        and name_key(patient.name) != name_key(SAMPLE.name)
        for patient in everybody
    )
    bed = "" if taken else SAMPLE.bed
    mine = [patient for patient in everybody if patient.name == SAMPLE.name and not patient.mrn]
    if not mine:
        return store.patients.add(SAMPLE.name, bed, SAMPLE.mrn, SAMPLE.birth_date, reviewer=reviewer)
    known = mine[0]
    if known.discharged:
        known = store.patients.readmit(known.id, bed, reviewer)
    if not known.birth_date:
        known = store.patients.edit(known.id, Identity(known.name, known.bed, "", SAMPLE.birth_date), reviewer)
    return known


def one_birth_date(text: str) -> str:
    """A date of birth as 'YYYY-MM-DD'; empty for an empty text. Raises InputError if it is ambiguous or no date."""
    if not text.strip():
        return ""
    days = birth_dates(text)
    if len(days) > 1:
        raise InputError(
            f"{text.strip()} could be {days[0]} or {days[1]}.", "Write the date of birth as year-month-day."
        )
    return days[0]
