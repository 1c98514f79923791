"""Exports round-trip, and no text becomes a spreadsheet formula."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict, fields, replace
from typing import Any
from uuid import uuid4

import jsonschema
import pypdf
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calamine import load_workbook

import resources
from app.exchange.file_formats import EXPORTERS, FORMAT, ExportContent, ExportOptions
from app.exchange.observations import Message, Observation, ObservationState
from app.exchange.records import ExportRecord, Former, content_words
from app.exchange.sheets.arrangement import by_category
from app.exchange.sheets.workbook import HEADS
from extraction.flowsheet.schema import Row, Schema, ValueType

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((resources.FOLDER / "schemas" / "export.schema.json").read_text(encoding="utf-8"))
)
TIME = "2026-01-02T03:04:05.678+00:00"

# text that starts like a formula or contains a line break is over-represented
texts = st.builds(
    str.__add__,
    st.sampled_from(["", "", "=", "+", "-", "@", "\t", "\r", "\n", "\0", "'", '"', ",", ";", " =", "\u00a0+", "＝"]),
    st.text(st.characters(codec="utf-8"), max_size=8),
)
numbers = st.floats(allow_nan=False, allow_infinity=False)
values = st.one_of(texts, numbers, st.booleans(), st.lists(texts, min_size=1, max_size=3).map(tuple))
seconds = st.none() | st.floats(0, 1e5)
formers = st.builds(
    Former,
    value=values,
    unit=st.none() | texts,
    dictation=st.integers(1, 10**9),
    reviewer=texts.filter(bool),
    reviewed_at=st.just(TIME),
)
records = st.builds(
    ExportRecord,
    patient_name=texts.filter(bool),
    patient_bed=texts,
    patient_mrn=texts,
    patient_birth_date=st.just("") | st.dates().map(str),
    dictation=st.integers(1, 10**9),
    time=st.just(TIME),
    observed_at=st.none() | st.just(TIME),
    observed_since=st.none() | st.just(TIME),
    row_id=texts.filter(bool),
    category=st.lists(texts, min_size=1, max_size=3).map(tuple),
    name=texts,
    value=values,
    unit=st.none() | texts,
    loinc=st.none() | texts,
    status=st.sampled_from(["confirmed", "edited", "added"]),
    evidence=texts,
    sentence=texts,
    proposed=st.none() | values,
    proposed_unit=st.none() | texts,
    audio_start=seconds,
    audio_end=seconds,
    reviewer=texts.filter(bool),
    reviewed_at=st.just(TIME),
    schema_id=texts,
    schema_version=texts,
    schema_sha256=st.just("0" * 64),
    replaces=st.lists(formers, max_size=2).map(tuple),
    interpretation=st.sampled_from(["", "N", "LL", "H", "L/N", "HH/"]),
    confirmed_outside=st.sampled_from([None, "critical", "plausible"]),
)


MOMENT = "2026-01-02T04:00:00+00:00"


def encoded(name: str, content: list[ExportRecord]) -> bytes:
    rows = {one.row_id: Row(one.row_id, one.name, ValueType.TEXT, one.category) for one in content}
    schema = Schema("ward", "Ward", "3", tuple(rows.values()), "0" * 64, "ward.json")
    told = tuple(Observation(str(uuid4()), ObservationState.FINAL, 1, one) for one in content)
    message = Message("M1", MOMENT, 1, 1, told, "Wardlight 9.9")
    return EXPORTERS[name].encode(ExportContent(message, schema, uuid4(), ExportOptions()))


def written(name: str, content: list[ExportRecord]) -> str:
    return encoded(name, content).decode()


@given(st.lists(records, min_size=1, max_size=3))
def test_json_round_trips_every_record(content: list[ExportRecord]) -> None:
    read = json.loads(written("json", content))
    SCHEMA.validate(read)
    assert read == {"format": FORMAT, "records": json.loads(json.dumps([asdict(record) for record in content]))}


def plain(cell: str) -> str:
    return cell.removeprefix("'")


@settings(max_examples=200)
@given(st.lists(records, min_size=1, max_size=3))
def test_csv_round_trips_every_text_and_number(content: list[ExportRecord]) -> None:
    header, *lines = csv.reader(io.StringIO(written("csv", content), newline=""), strict=True)
    assert header == [column.name for column in fields(ExportRecord)]
    assert len(lines) == len(content)
    for record, line in zip(content, lines, strict=True):
        cells = dict(zip(header, line, strict=True))
        for name, cell in cells.items():
            expected: Any = getattr(record, name)
            if isinstance(expected, bool):
                assert cell == ("Yes" if expected else "No")
            elif isinstance(expected, int | float):
                assert float(cell) == expected
            elif isinstance(expected, tuple):
                assert plain(cell) == (" > " if name == "category" else "; ").join(map(str, expected))
            else:
                assert plain(cell) == (expected or "")


@settings(max_examples=200)
@given(records, texts)
def test_no_text_is_exported_as_a_spreadsheet_formula(record: ExportRecord, text: str) -> None:
    texts_only = replace(record, value=text)
    _, line = csv.reader(io.StringIO(written("csv", [texts_only]), newline=""), strict=True)
    for column, cell in zip(fields(ExportRecord), line, strict=True):
        if isinstance(getattr(texts_only, column.name), int | float):
            continue
        assert not cell.startswith(("\t", "\r", "\n", "\0"))
        assert not cell.lstrip().startswith(("=", "+", "-", "@"))


@settings(max_examples=100)
@given(st.lists(records, min_size=1, max_size=3))
def test_a_workbook_round_trips_every_text_and_number(content: list[ExportRecord]) -> None:
    head, *lines = load_workbook(io.BytesIO(encoded("xlsx", content))).get_sheet_by_name("Values").to_python()
    ordered = [one for several in by_category(content).values() for one in several]
    assert len(lines) == len(ordered)
    for record, line in zip(ordered, lines, strict=True):
        cells = dict(zip(head, line, strict=True))
        assert set(cells) == set(HEADS)
        for name, expected in (("Value", record.value), ("Corrected from", record.proposed)):
            if isinstance(expected, float):
                assert cells[name] == float(f"{expected:.16g}")  # what a cell holds
            else:
                assert cells[name] == ("" if expected is None else content_words(expected))
        assert cells["Signed by"] == record.reviewer
        assert cells["Words"] == record.evidence
        assert cells["Row id"] == record.row_id


@settings(max_examples=100)
@given(st.lists(records, min_size=1, max_size=3))
def test_hospital_csv_round_trips_every_text_and_number(content: list[ExportRecord]) -> None:
    with_joins = [one for one in content if isinstance(one.value, tuple) and any(";" in part for part in one.value)]
    head, *lines = csv.reader(
        io.StringIO(written("hospital-csv", [one for one in content if one not in with_joins]), newline=""), strict=True
    )
    for record, line in zip([one for one in content if one not in with_joins], lines, strict=True):
        cells = dict(zip(head, line, strict=True))
        if isinstance(record.value, float):
            assert float(cells["value"]) == record.value
        else:
            assert plain(cells["value"]) == content_words(record.value, between=";")
        assert plain(cells["row_id"]) == record.row_id
        assert plain(cells["patient_number"]) == record.patient_mrn
        assert plain(cells["reviewer"]) == record.reviewer


@settings(max_examples=30)
@given(st.lists(records, min_size=1, max_size=3))
def test_every_record_can_be_printed(content: list[ExportRecord]) -> None:
    assert pypdf.PdfReader(io.BytesIO(encoded("pdf", content))).pages
