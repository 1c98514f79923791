"""A schema with a row of each kind, and export records of it."""

from __future__ import annotations

from typing import Any

from app.exchange.records import ExportRecord
from extraction.flowsheet.ranges import interpretation
from extraction.flowsheet.schema import Interval, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value

ROWS = (
    Row(
        "hr",
        "Heart rate",
        ValueType.NUMERIC,
        ("Vital signs",),
        unit="/min",
        loinc="8867-4",
        critical=(Interval(40, 130),),
        reference=(Interval(60, 100),),
    ),
    Row(
        "bp",
        "Blood pressure",
        ValueType.BLOOD_PRESSURE,
        ("Vital signs",),
        unit="mm[Hg]",
        reference=(Interval(90, 140), Interval(60, 90)),
    ),
    Row("temp", "Temperature", ValueType.QUANTITY, ("Vital signs",), unit="[degF]"),
    Row("alert", "Alert", ValueType.YES_NO, ("Neuro", "Sedation")),
    Row("tone", "Muscle tone", ValueType.SINGLE_SELECT, ("Neuro",), options=(Option("Normal"), Option("Flaccid"))),
    Row("sites", "Edema sites", ValueType.MULTI_SELECT, ("Cardiac",), options=(Option("left leg"), Option("hands"))),
    Row("stool", "Last stool", ValueType.DATE, ("GI",)),
    Row("meal", "Meal at", ValueType.TIME, ("GI",)),
    Row("fall", "Fell at", ValueType.DATE_TIME, ("Safety",)),
    Row("note", "Note", ValueType.TEXT, ("General",)),
)
SCHEMA = Schema("ward", "Ward", "3", ROWS, "0" * 64, "ward.json")
DICTATED = "2026-03-02T19:15:00+00:00"


def record(row_id: str, value: Value, **changed: Any) -> ExportRecord:
    """A confirmed value of a row, observed when it was dictated, unless `changed` says otherwise."""
    row = SCHEMA.row(row_id)
    usual: dict[str, Any] = {
        "patient_name": "Ann Lee",
        "patient_bed": "4",
        "patient_mrn": "00123",
        "patient_birth_date": "1951-03-09",
        "dictation": 7,
        "time": DICTATED,
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
        "evidence": "",
        "sentence": "",
        "proposed": None,
        "proposed_unit": None,
        "audio_start": None,
        "audio_end": None,
        "reviewer": "Kim",
        "reviewed_at": "2026-03-02T19:31:05.250+00:00",
        "schema_id": SCHEMA.id,
        "schema_version": SCHEMA.version,
        "schema_sha256": SCHEMA.sha256,
        "interpretation": interpretation(row, value),
    }
    return ExportRecord(**usual | changed)
