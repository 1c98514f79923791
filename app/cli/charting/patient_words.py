"""Patients as text for the terminal."""

from __future__ import annotations

from app.chart.patient_identity import Identity
from app.chart.records import Patient


def who_is(patient: Patient) -> str:
    """A patient in one line, as far as known: 'Novak, Anna, born 1950-02-03, MRN 123456, bed 14B'."""
    return entered(Identity.of(patient))


def entered(identity: Identity) -> str:
    """The same for an identity."""
    born = f"born {identity.birth_date}" if identity.birth_date else ""
    number = f"{'temporary no.' if identity.temporary else 'MRN'} {identity.mrn}" if identity.mrn else ""
    bed = f"bed {identity.bed}" if identity.bed else ""
    return ", ".join(filter(None, (identity.name, born, number, bed)))
