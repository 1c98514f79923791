"""A small schema, proposals for it, and a store with one dictation, for the tests of store and export."""

from __future__ import annotations

import json
from pathlib import Path

from app.chart.records import Dictation
from app.record.values import Evidence, Neighbour, ProposedValue
from app.store import Store
from extraction.flowsheet.schema import Option, Row, Schema, ValueType, file_sha256
from extraction.flowsheet.values import Value
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
) -> ProposedValue:
    return ProposedValue(
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
    known = len(store.patients.all())
    bed, mrn = (str(4 + known), f"123{'-' * known}")
    encounter = store.encounters.open(store.patients.add("Ann Lee", bed, mrn).id)
    return store.dictations.add(encounter.id, source, "audio", store.schemas.save(SCHEMA, SCHEMA_BYTES))
