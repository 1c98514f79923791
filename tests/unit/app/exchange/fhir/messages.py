"""Messages for the tests of FHIR, and what is in their bundles."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any
from uuid import UUID

import resources
from app.exchange.fhir.bundle import fhir_bundle
from app.exchange.fhir.participants import Sender
from app.exchange.observations import HospitalCodes, Message, Observation, ObservationState
from app.exchange.records import ExportRecord
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema

DEMONSTRATION = load_schema(resources.DEMONSTRATION_SCHEMA)
SENDER = Sender(UUID("6f1f8f5e-3b0e-4d0f-9a55-0d3c3a3f7c11"))
NO_CODES = HospitalCodes()
TIME = "2026-01-02T03:04:05.678+00:00"
REVIEWED = "2026-01-02T03:30:00+00:00"
SENT = "2026-01-02T04:00:00+00:00"


def record(row: Row, value: Value, **changes: Any) -> ExportRecord:
    """What is exported of a value of a row."""
    one = ExportRecord(
        patient_name="Ann Lee",
        patient_bed="4",
        patient_mrn="00123",
        patient_birth_date="1950-02-03",
        dictation=7,
        time=TIME,
        observed_at=None,
        observed_since=None,
        observed_words="",
        row_id=row.id,
        category=row.category,
        name=row.name,
        value=value,
        unit=row.unit,
        loinc=row.loinc,
        status="confirmed",
        evidence="words",
        sentence="The words that were said.",
        proposed=None,
        proposed_unit=None,
        audio_start=None,
        audio_end=None,
        reviewer="Kim, RN",
        reviewed_at=REVIEWED,
        schema_id="any",
        schema_version="1",
        schema_sha256="0" * 64,
    )
    return replace(one, **changes)


def observation(
    number: int, one: ExportRecord, state: ObservationState = ObservationState.FINAL, version: int = 1
) -> Observation:
    return Observation(uuid(number), state, version, one, f"M{version - 1}" if version > 1 else "")


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def message(*observations: Observation, **changes: Any) -> Message:
    return replace(Message("M1", SENT, 7, 3, observations, "Wardlight 0.1.0"), **changes)


def of_values(schema: Schema, **values: Value) -> Message:
    """One new observation for each value, given by its row's id with `__` for a dot."""
    named = {name.replace("__", "."): value for name, value in values.items()}
    return message(
        *(
            observation(number, record(schema.row(row_id), value))
            for number, (row_id, value) in enumerate(named.items())
        )
    )


def bundle_of(
    one: Message, schema: Schema = DEMONSTRATION, codes: HospitalCodes = NO_CODES, sender: Sender = SENDER
) -> dict[str, Any]:
    return json.loads(fhir_bundle(one, codes, schema, sender))


def resources_of(bundle: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    found = [entry["resource"] for entry in bundle["entry"]]
    return [one for one in found if one["resourceType"] == kind]


def observations_of(one: Message, **arguments: Any) -> list[dict[str, Any]]:
    return resources_of(bundle_of(one, **arguments), "Observation")


def example_value(row: Row) -> Value:
    """A value that the row accepts."""
    match row.value_type:
        case ValueType.SINGLE_SELECT:
            return row.option_names[-1]
        case ValueType.MULTI_SELECT:
            return row.option_names[:2]
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return 36.5
        case ValueType.YES_NO:
            return False
        case ValueType.DATE:
            return "2026-01-01"
        case ValueType.TIME:
            return "19:05"
        case ValueType.DATE_TIME:
            return "2026-01-01T19:05"
        case ValueType.BLOOD_PRESSURE:
            return "142/74"
        case ValueType.TEXT:
            return "Left heel, dry"
