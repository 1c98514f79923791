"""Converts between rows of the database and records."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

from app.chart.dictation_titles import name_of
from app.chart.records import (
    ChartEntry,
    Dictation,
    DictationEvent,
    Encounter,
    Filing,
    IdentityAnswer,
    Patient,
    PatientEvent,
    ReviewedValue,
    ReviewStatus,
    SchemaVersion,
    TimeChange,
)
from app.record.codec import decode_evidence, decode_proposed, value_from_json, value_json
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.values import NotObtained, Value


def plain(text: str) -> str:
    """The text with lone surrogates replaced, which come from undecodable file names and cannot be stored."""
    return text.encode("utf-8", "replace").decode()


def encode_value(value: Value) -> str:
    """A value as JSON, equal for equal values. Raises ValueError for infinity or NaN."""
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        if not math.isfinite(value):
            raise ValueError(f"{type(value).__name__} of this content cannot be a value")
        return json.dumps(float(value))
    if isinstance(value, NotObtained):
        return json.dumps(value_json(value))
    if isinstance(value, str):
        return json.dumps(plain(value))
    return json.dumps([plain(item) for item in value])


def decode_value(text: str) -> Value:
    return value_from_json(json.loads(text))


def patient(row: dict[str, Any]) -> Patient:
    return Patient(
        id=row["id"],
        name=row["name"],
        bed=row["bed"],
        mrn=row["mrn"],
        birth_date=row["birth_date"],
        temporary=bool(row["temporary"]),
        discharged_at=row["discharged_at"] or "",
    )


def patient_event(row: dict[str, Any]) -> PatientEvent:
    before, after = json.loads(row["before"]), json.loads(row["after"])
    return PatientEvent(row["patient_id"], row["action"], row["reviewer"], row["happened_at"], before, after)


def encounter(row: dict[str, Any]) -> Encounter:
    return Encounter(row["id"], row["patient_id"], row["started_at"], row["ended_at"])


def schema_version(row: dict[str, Any]) -> SchemaVersion:
    return SchemaVersion(row["id"], row["schema_id"], row["name"], row["version"], row["sha256"])


def dictation(row: dict[str, Any], recordings: Path) -> Dictation:
    name = name_of(row["title"], row["original_name"], row["created_at"])
    return Dictation(
        id=row["id"],
        encounter_id=row["encounter_id"],
        kind=row["kind"],
        path=recordings / row["file"],
        original_name=row["original_name"],
        sha256=row["sha256"],
        schema_version_id=row["schema_version_id"],
        status=row["status"],
        error=row["error"].replace(row["file"], name),  # people do not know the copy's file name
        created_at=row["created_at"],
        title=row["title"],
        time_source=row["time_source"],
    )


def time_change(row: dict[str, Any]) -> TimeChange:
    return TimeChange(row["former"], row["made_at"], row["reviewer"], row["changed_at"])


def dictation_event(row: dict[str, Any]) -> DictationEvent:
    return DictationEvent(**{field.name: row[field.name] for field in fields(DictationEvent)})


def reviewed_value(row: dict[str, Any]) -> ReviewedValue:
    """From a row of the view `current_values` with the additional columns `replaced_by` and `quote`."""
    filled = decode_proposed(row["filled"]) if row["filled"] is not None else None
    if row["status"] is None:
        assert filled is not None, "the view holds no value that is neither proposed nor reviewed"
        value, unit, status, observed_at = filled.value, filled.unit, ReviewStatus.PROPOSED, filled.observed_at
        outside = None
    else:
        value, unit, status = decode_value(row["value"]), row["unit"], ReviewStatus(row["status"])
        observed_at, outside = row["observed_at"], row["confirmed_outside"]
    return ReviewedValue(
        id=row["id"],
        dictation_id=row["dictation_id"],
        row_id=row["row_id"],
        filled=filled,
        value=value,
        unit=unit,
        status=status,
        reviewer=row["reviewer"] or "",
        reviewed_at=row["reviewed_at"] or "",
        transcript_id=row["transcript_id"],
        observed_at=observed_at,
        replaced_by=row["replaced_by"],
        confirmed_outside=Outside(outside) if outside else None,
        quote=decode_evidence(row["quote"]) if row["quote"] is not None else None,
    )


def placed(row: dict[str, Any]) -> ChartEntry:
    """From such a row with columns of its dictation."""
    source = name_of(row["title"], row["original_name"], row["assessed_at"])
    return ChartEntry(reviewed_value(row), row["encounter_id"], row["assessed_at"], source, bool(row["filed"]))


def identity_answer(row: dict[str, Any]) -> IdentityAnswer:
    called = frozenset(json.loads(row["called"]))
    return IdentityAnswer(row["patient_id"], called, row["reviewer"], row["answered_at"])


def filing(row: dict[str, Any]) -> Filing:
    return Filing(row["reviewer"], row["filed_at"], tuple(json.loads(row["files"])))
