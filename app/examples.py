"""Reviewed dictations as annotated cases, from which `wardlight learn` can learn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.deidentify import Deidentifier
from app.records import ACCEPTED, Dictation, ReviewedValue, ReviewStatus
from app.store import Store
from extraction.cases import Case, Observation
from extraction.schema import Schema, ValueType, file_sha256
from extraction.values import Value
from speech.transcript import Transcript

_ID_DIGITS = 16


def examples_of(store: Store, schema: Schema) -> list[Case]:
    """The dictations of exactly this schema that were reviewed to the end, all of it while examples were collected.

    Texts and values in free text are without the names that are known (see `app.deidentify`). A case's id is a hash of
    the text that is left, and cases are in the order of their ids, so that neither tells who or when. Of several
    dictations whose texts are then the same, the latest stands.
    """
    cases = {}
    for reviewed in reviewed_to_the_end(store, schema):
        case = _case(store, *reviewed, schema)
        cases[case.id] = case
    return [cases[case_id] for case_id in sorted(cases)]


def reviewed_to_the_end(store: Store, schema: Schema) -> Iterator[tuple[Dictation, Transcript, list[ReviewedValue]]]:
    """The dictations of exactly this schema of which every value was decided while examples were collected, the oldest
    first, with transcript and values."""
    dictations = store.dictations()
    versions = {number: store.schema_version(number).sha256 for number in {it.schema_version_id for it in dictations}}
    for dictation in reversed(dictations):
        transcript = store.transcript(dictation.id)
        ours = versions[dictation.schema_version_id] == schema.sha256 and dictation.status == "filled"
        if not ours or transcript is None or not store.collected(dictation.id):
            continue
        values = store.values(dictation.id)
        if not any(value.status is ReviewStatus.PROPOSED for value in values):
            yield dictation, transcript, values


def _case(
    store: Store, dictation: Dictation, transcript: Transcript, values: Sequence[ReviewedValue], schema: Schema
) -> Case:
    without_names = Deidentifier(store.patient(store.encounter(dictation.encounter_id).patient_id))

    def observed(row_id: str, value: Value) -> Observation:
        if schema.row(row_id).value_type is ValueType.TEXT:
            value = without_names(str(value))
        return Observation(row_id, value)

    text = without_names(transcript.text)
    observations = dict.fromkeys(observed(it.row_id, it.value) for it in values if it.status in ACCEPTED)
    return Case(file_sha256(text.encode())[:_ID_DIGITS], text, tuple(observations))
