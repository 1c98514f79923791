"""Reads the encounter context of a dictation from the store."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.store import Store
    from extraction.flowsheet.schema import Schema
    from extraction.preparation.encounter_context import EncounterContext


def encounter_context(store: Store, encounter_id: int, schema: Schema, said_at: str | None = None) -> EncounterContext:
    """The context of a dictation; `said_at` is when it was made (ISO 8601 with a time zone), None for now."""
    from app.services.patients.whose_dictation import person_of
    from extraction.flowsheet.naming.instance_families import place_rows
    from extraction.preparation.encounter_context import EncounterContext

    patient = store.patients.one(store.encounters.one(encounter_id).patient_id)
    person = person_of(patient)
    others = [other for other in store.patients.present() if other.id != patient.id]
    people = tuple(map(person_of, others))
    known = store.values.confirmed(encounter_id, place_rows(schema))
    return EncounterContext(datetime.fromisoformat(said_at) if said_at else None, known, person, people)
