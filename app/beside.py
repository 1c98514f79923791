"""What the store knows beside the transcript of a dictation."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store import Store
    from extraction.meaning import Beside
    from extraction.schema import Schema


def beside(store: Store, encounter_id: int, schema: Schema, said_at: str | None = None) -> Beside:
    """Of a dictation of an encounter; `said_at` is when it was made (ISO 8601 with a time zone), None for now."""
    from extraction.families import place_rows
    from extraction.meaning import Beside
    from extraction.patients import Person

    patient_id = store.encounter(encounter_id).patient_id
    people = {patient.id: Person(patient.name, patient.bed, patient.mrn) for patient in store.patients()}
    person = people.pop(patient_id)
    known = store.confirmed(encounter_id, place_rows(schema))
    return Beside(datetime.fromisoformat(said_at) if said_at else None, known, person, tuple(people.values()))
