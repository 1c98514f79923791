"""One value as an Observation, with the same id through every correction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.exchange.fhir import datatypes
from app.exchange.fhir.datatypes import URI, Json, clean, concept, filled, reference, urn
from app.exchange.fhir.hospital_codes import CodeBook
from app.exchange.fhir.values import value_elements
from app.exchange.fhir.vital_signs import CATEGORY, vital_sign_of
from app.exchange.observations import Message, Observation, ObservationState
from app.exchange.records import ExportRecord
from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.schema import Role, Row, Schema, of_schema
from extraction.flowsheet.unit_conversion import counts
from models.base.errors import InputError

_STATUS = {
    ObservationState.FINAL: "final",
    ObservationState.AMENDED: "amended",
    ObservationState.WITHDRAWN: "entered-in-error",
}
# last words of the names of rows that qualify a number, and the element that they fill
_ELEMENTS = {"site": "bodySite", "location": "bodySite", "method": "method", "source": "method"}


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose observation it is: ids of the Patient and of the Encounter, the latter empty if it is another's."""

    patient: str
    encounter: str


class ObservationWriter:
    """Writes the observations of one message."""

    def __init__(self, message: Message, book: CodeBook) -> None:
        self._message = message
        self._book = book
        self._standing = [one.record for one in message.observations if one.state is not ObservationState.WITHDRAWN]

    def resource(self, observation: Observation, subject: Subject) -> Json:
        """Raises InputError if the schema has no such row, or the value is not of its type."""
        record = observation.record
        row = row_of(record, self._book.schema)
        sign = vital_sign_of(row.loinc)
        withdrawn = observation.state is ObservationState.WITHDRAWN
        return {
            "resourceType": "Observation",
            "id": observation.id,
            **filled(
                meta={"profile": [sign.profile]} if sign else {},
                identifier=[{"system": URI, "value": urn(observation.id)}],
                status=_STATUS[observation.state],
                category=[datatypes.category(_category(row, self._book.schema))],
                code=self._book.row(row),
                subject=reference(subject.patient),
                encounter=reference(subject.encounter) if subject.encounter else {},
                **_effective(record),
                issued=datatypes.instant(self._message.created_at if withdrawn else record.reviewed_at),
                performer=[{"display": clean(record.reviewer)}] if record.reviewer else [],
                **value_elements(record, row, self._book),
                note=[{"text": clean(text)} for text in _notes(record)],
                **({} if withdrawn else self._qualifiers(record, row)),
            ),
        }

    def _qualifiers(self, record: ExportRecord, row: Row) -> Json:
        """Body site and method as other values of the message say them of the same moment."""
        found: dict[str, list[Json]] = {}
        for element, qualifier in _qualifying(self._book.schema).get(row.id, ()):
            values = [
                one.value for one in self._standing if one.row_id == qualifier and _moment(one) == _moment(record)
            ]
            if len(values) == 1 and isinstance(values[0], str):
                of = self._book.schema.row(qualifier)
                said = self._book.option(of, values[0]) if of.options else concept(text=values[0])
                found.setdefault(element, []).append(said)
        return {element: _joined(concepts) for element, concepts in found.items()}


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
    end = datatypes.date_time(_moment(record))
    if record.observed_since is None:
        return {"effectiveDateTime": end}
    return {"effectivePeriod": {"start": datatypes.date_time(record.observed_since), "end": end}}


def _moment(record: ExportRecord) -> str:
    return record.observed_at or record.time


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
    scores = [
        row for row in schema.rows if counts(row.ucum or row.unit or "") and "score" in (row.ucum or row.unit or "")
    ]
    parts = [part for row in scores if row.formula for _, first in row.formula.parts for part in first.choices]
    return frozenset(row.id for row in scores) | {part.row_id for part in parts}


@of_schema
def _qualifying(schema: Schema) -> dict[str, list[tuple[str, str]]]:
    """By row id: elements, and the rows that fill them, where the schema says so without doubt."""
    meaning = meaning_of(schema)
    found: dict[str, list[tuple[str, str]]] = {}
    for row in schema.rows:
        numbers, words = meaning.of(row.id).measured_with, row.name.casefold().split()
        if len(numbers) == 1 and (element := _ELEMENTS.get(words[-1] if words else "")):
            found.setdefault(numbers[0], []).append((element, row.id))
    places = [
        (meaning.of(row.id).instance, row.id)
        for row in schema.rows
        if meaning.of(row.id).role in (Role.SITE, Role.SIDE)
    ]
    for row in schema.rows:
        own = meaning.of(row.id)
        if own.instance and own.role is None:
            found.setdefault(row.id, []).extend(("bodySite", place) for of, place in places if of == own.instance)
    return found


def _joined(concepts: Sequence[Json]) -> Json:
    """One concept of a site and its side: a coding can say only one of the two, so that several become a text."""
    return concepts[0] if len(concepts) == 1 else concept(text=", ".join(one["text"] for one in concepts))
