"""One value as an Observation, with the same id through every correction."""

from __future__ import annotations

from collections.abc import Iterator

from app.exchange.fhir import datatypes
from app.exchange.fhir.datatypes import URI, Json, clean, concept, filled, reference, urn
from app.exchange.fhir.hospital_codes import CodeBook
from app.exchange.fhir.values import value_elements
from app.exchange.fhir.vital_signs import CATEGORY, vital_sign_of
from app.exchange.observations import Message, Observation, ObservationState
from app.exchange.records import ExportRecord
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import Row, Schema, of_schema
from models.base.errors import InputError

_STATUS = {
    ObservationState.FINAL: "final",
    ObservationState.AMENDED: "amended",
    ObservationState.WITHDRAWN: "entered-in-error",
}


_POINTS = "{score}"


def observation_resource(
    observation: Observation, message: Message, book: CodeBook, *, patient: str, encounter: str
) -> Json:
    """An Observation.

    Args:
        patient: id of the Patient.
        encounter: id of the Encounter; empty if the stay is not known.

    Raises:
        InputError: the schema has no such row, or the value is not of its type.
    """
    record = observation.record
    row = row_of(record, book.schema)
    sign = vital_sign_of(row.loinc)
    withdrawn = observation.state is ObservationState.WITHDRAWN
    side = meaning_of(book.schema).of(row.id).laterality
    return {
        "resourceType": "Observation",
        "id": observation.id,
        **filled(
            meta={"profile": [sign.profile]} if sign else {},
            identifier=[{"system": URI, "value": urn(observation.id)}],
            status=_STATUS[observation.state],
            category=[datatypes.category(_category(row, book.schema))],
            code=book.row(row),
            subject=reference(patient),
            encounter=reference(encounter) if encounter else {},
            **_effective(record),
            issued=datatypes.instant(message.created_at if withdrawn else record.reviewed_at),
            performer=[{"display": clean(record.reviewer)}] if record.reviewer else [],
            **value_elements(record, row, book),
            note=[{"text": clean(text)} for text in _notes(record)],
            # A site or a method that is a value of its own is not repeated here: when it is corrected, only it is sent.
            bodySite=concept(text=side.value) if side else {},
        ),
    }


def row_of(record: ExportRecord, schema: Schema) -> Row:
    """The row of a record. Raises InputError if the schema does not have it."""
    row = schema.by_id.get(record.row_id)
    if row is None:
        raise InputError(
            f"Row {record.name!r} ({record.row_id}) is not in the schema {schema.name} {schema.version}.",
            "Send it with the schema that the dictation was filled with.",
        )
    return row


def _effective(record: ExportRecord) -> Json:
    end = datatypes.date_time(record.observed_at or record.time)
    if record.observed_since is None:
        return {"effectiveDateTime": end}
    return {"effectivePeriod": {"start": datatypes.date_time(record.observed_since), "end": end}}


def _notes(record: ExportRecord) -> Iterator[str]:
    """The words that were said, or the arithmetic of a score; and that a person confirmed an unusual number twice."""
    if said := record.sentence or record.evidence:
        yield said
    if record.confirmed_outside:
        yield f"Outside the {record.confirmed_outside} range; confirmed a second time by {record.reviewer}."


def _category(row: Row, schema: Schema) -> str:
    if vital_sign_of(row.loinc):
        return CATEGORY
    return "survey" if row.id in _of_scores(schema) else "exam"


@of_schema
def _of_scores(schema: Schema) -> frozenset[str]:
    """Rows that count points, and the rows that these are computed from: what a scale asks."""
    scores = [row for row in schema.rows if (row.ucum or row.unit) == _POINTS]
    parts = [part for row in scores if row.formula for _, first in row.formula.parts for part in first.choices]
    return frozenset(row.id for row in scores) | {part.row_id for part in parts}
