"""Observations for the tests of messages, and how a second library reads what is written of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hl7

import resources
from app.exchange.hl7.oru import oru_message
from app.exchange.hl7.receiver import Designator, Receiver
from app.exchange.observations import HospitalCodes, Message, Observation, ObservationState, RowCodes
from app.exchange.records import ExportRecord
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema

SCHEMA: Schema = load_schema(resources.FOLDER / "schemas" / "medsurg_icu.json")
RECEIVER = Receiver(
    sending_facility=Designator("Harbour"),
    receiving_application=Designator("CHART", "1.2.3.4"),
    receiving_facility=Designator("Harbour"),
    assigning_authority=Designator("MRN", "1.2.3.5"),
    point_of_care="ICU 2",
)
OWN = HospitalCodes()


def record(row: Row, value: Value, **fields: Any) -> ExportRecord:
    return ExportRecord(
        **{
            "patient_name": "Nandi Okafor",
            "patient_bed": "12A",
            "patient_mrn": "00417",
            "patient_birth_date": "1951-03-09",
            "dictation": 7,
            "time": "2026-11-28T10:15:00+00:00",
            "observed_at": None,
            "observed_since": None,
            "observed_words": "",
            "row_id": row.id,
            "category": row.category,
            "name": row.name,
            "value": value,
            "unit": row.unit,
            "loinc": row.loinc,
            "status": "confirmed",
            "evidence": "so",
            "sentence": "And so it was.",
            "proposed": None,
            "proposed_unit": None,
            "audio_start": 1.0,
            "audio_end": 2.0,
            "reviewer": "Reyes, Ida",
            "reviewed_at": "2026-11-28T10:20:00+00:00",
            "schema_id": SCHEMA.id,
            "schema_version": SCHEMA.version,
            "schema_sha256": SCHEMA.sha256,
            **fields,
        }
    )


def observation(row_id: str, value: Value, number: int = 1, **fields: Any) -> Observation:
    identity = f"{number:08d}-5a0c-4d1e-9b0f-3c2a1b0d9e8f"
    return Observation(identity, ObservationState.FINAL, 1, record(SCHEMA.row(row_id), value, **fields))


def corrected(before: Observation, value: Value, by: str) -> Observation:
    """The next version with another value; `by` is the message that carried the version before."""
    return replace(
        before,
        state=ObservationState.AMENDED,
        version=before.version + 1,
        record=replace(before.record, value=value),
        supersedes=by,
    )


def withdrawn(before: Observation, by: str) -> Observation:
    return replace(before, state=ObservationState.WITHDRAWN, version=before.version + 1, supersedes=by)


def message(*observations: Observation, message_id: str = "W00000000000000000A1") -> Message:
    return Message(message_id, "2026-11-28T10:21:07+00:00", 7, 31, observations, "Wardlight 0.1.0")


def written(
    *observations: Observation,
    codes: HospitalCodes = OWN,
    receiver: Receiver = RECEIVER,
    schema: Schema = SCHEMA,
    **of: Any,
) -> bytes:
    return oru_message(message(*observations, **of), codes, schema, receiver)


def read(data: bytes) -> hl7.Message:
    return hl7.parse(data.decode())


def text(segment: hl7.Segment, field: int, component: int = 1, repetition: int = 1) -> str:
    """What a component says, as python-hl7 reads it."""
    return segment.extract_field(field_num=field, repeat_num=repetition, component_num=component)


def hospital_codes(**rows: RowCodes) -> HospitalCodes:
    return HospitalCodes("urn:oid:1.2.3", "99HBR", {one.replace("__", "."): codes for one, codes in rows.items()})
