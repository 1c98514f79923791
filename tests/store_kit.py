"""A small schema, proposals for it, and a store with one dictation, for the tests of store and export."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.patient_identity import Identity
from app.records import Dictation, Patient
from app.store import Store
from extraction.schema import Option, Row, Schema, ValueType, file_sha256
from extraction.values import Evidence, FilledValue, Neighbour, Value
from speech.transcript import Transcript, Word

SCHEMA_BYTES = json.dumps({"id": "ward", "rows": 4}).encode()
ROWS = (
    Row("hr", "Heart rate", ValueType.NUMERIC, ("Vital signs",), unit="/min", loinc="8867-4"),
    Row("rass", "RASS", ValueType.NUMERIC, ("Neuro", "Sedation"), minimum=-5, maximum=4),
    Row(
        "edema", "Edema sites", ValueType.MULTI_SELECT, ("Cardiac",), options=(Option("left leg"), Option("right leg"))
    ),
    Row("note", "Note", ValueType.TEXT, ("General",)),
)
SCHEMA = Schema("ward", "Ward", "3", ROWS, file_sha256(SCHEMA_BYTES), "ward.json")
TRANSCRIPT = Transcript(
    "Heart rate 110.",
    words=(
        Word("Heart", 0.5, 0.8, 0.9, 0, 5),
        Word("rate", 0.8, 1.1, 0.9, 6, 10),
        Word("110.", 1.2, 1.9, 0.9, 11, 15),
    ),
    duration=2.0,
    model="whisper-base",
)


def filled(
    row_id: str, value: Value, unit: str | None = None, said: str = "110", confidence: float = 0.8
) -> FilledValue:
    return FilledValue(
        row_id=row_id,
        value=value,
        unit=unit,
        evidence=Evidence(11, 14, said, 0, 15),
        log_probability=-0.2,
        not_mentioned=0.1,
        confidence=confidence,
        relevance=0.6,
        neighbour=Neighbour("row", "Heart rate", 0),
        strategy="rowwise",
        alternatives=(("100", 0.1),),
    )


def recorded(store: Store, folder: Path, content: bytes = b"RIFF of a recording", name: str = "Bed 4.WAV") -> Dictation:
    """A dictation of a new patient."""
    source = folder / name
    source.write_bytes(content)
    known = len(store.patients())
    bed, mrn = (str(4 + known), f"123{'-' * known}")
    encounter = store.open_encounter(store.add_patient("Ann Lee", bed, mrn).id)
    return store.add_dictation(encounter.id, source, "audio", store.save_schema(SCHEMA, SCHEMA_BYTES))


def know_no_chart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the store write into a database of a version that knew neither filings nor replacements, nor of a patient
    more than name, bed and number."""

    def patient(row: dict[str, Any]) -> Patient:
        return Patient(row["id"], row["name"], row["bed"], row["mrn"])

    def add(db: Any, who: Identity, *_: str, **__: bool) -> Patient:
        record = {"name": who.name, "bed": who.bed, "mrn": who.mrn, "created_at": "2026-01-01T00:00:00.000+00:00"}
        return patient({**record, "id": db["patients"].insert(record).last_pk})

    monkeypatch.setattr("app.store.patients.add", add)
    monkeypatch.setattr("app.store.patients.claim", lambda _: None)
    monkeypatch.setattr("app.store.codec.patient", patient)
    monkeypatch.setattr("app.store.chart._VALUES", "SELECT *, NULL AS replaced_by FROM current_values")
    for name in ("refuse_filed", "refuse_conflicts"):
        monkeypatch.setattr(f"app.store.chart.{name}", lambda *_: None)
