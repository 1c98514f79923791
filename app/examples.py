"""Reviewed dictations as annotated cases, from which `wardlight learn` can learn."""

from __future__ import annotations

from app.deidentify import Deidentifier
from app.records import ACCEPTED, Dictation, ReviewStatus
from app.store import Store
from extraction.cases import Case, Observation
from extraction.schema import Schema, ValueType, file_sha256
from extraction.values import Value

_ID_DIGITS = 16


def examples_of(store: Store, schema: Schema) -> list[Case]:
    """The dictations of exactly this schema that were reviewed to the end, all of it while examples were collected.

    Texts and values in free text are without the names that are known (see `app.deidentify`). A case's id is a hash of
    the text that is left, and cases are in the order of their ids, so that neither tells who or when. Of several
    dictations whose texts are then the same, the latest stands.
    """
    dictations = store.dictations()
    versions = {number: store.schema_version(number).sha256 for number in {it.schema_version_id for it in dictations}}
    cases = {}
    for dictation in reversed(dictations):
        if versions[dictation.schema_version_id] == schema.sha256 and (case := _case(store, dictation, schema)):
            cases[case.id] = case
    return [cases[case_id] for case_id in sorted(cases)]


def _case(store: Store, dictation: Dictation, schema: Schema) -> Case | None:
    """None for a dictation that is not an example: not collected, or not reviewed to the end."""
    transcript = store.transcript(dictation.id)
    if dictation.status != "filled" or transcript is None or not store.collected(dictation.id):
        return None
    values = store.values(dictation.id)
    if any(value.status is ReviewStatus.PROPOSED for value in values):
        return None
    without_names = Deidentifier(store.patient(store.encounter(dictation.encounter_id).patient_id))

    def observed(row_id: str, value: Value) -> Observation:
        if schema.row(row_id).value_type is ValueType.TEXT:
            value = without_names(str(value))
        return Observation(row_id, value)

    text = without_names(transcript.text)
    observations = dict.fromkeys(observed(it.row_id, it.value) for it in values if it.status in ACCEPTED)
    return Case(file_sha256(text.encode())[:_ID_DIGITS], text, tuple(observations))
