"""The demonstration schema and the sample dictation that come with Wardlight."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from typing import Any

import pytest

import resources
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.schema_files.checks import MEASURED, SELECTS
from extraction.schema_files.native_format import load_schema, parse_schema
from tests.kit.schema_files import dump_schema

RESOURCES = resources.FOLDER
DICTATION = RESOURCES / "dictation"
# The LOINC codes that were checked against their published names; no other may enter the schema unchecked.
CHECKED = frozenset(
    "8867-4 9279-1 8310-5 59408-5 2708-6 3151-8 3150-0 85354-9 8480-6 8462-4 8478-0 29463-7 8302-2 39156-5 72514-3 "
    "38215-0 9269-2 9267-6 9270-0 9268-4 38227-5 38222-6 38229-1 38223-4 38224-2 38225-9 38226-7 59460-6 9187-6 9192-6 "
    "9000-1 67775-7 44963-7 19891-1 44966-0 41653-7".split()
)


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_schema(RESOURCES / "schemas" / "medsurg_icu.json")


@pytest.fixture(scope="module")
def gold() -> list[dict[str, Any]]:
    values: list[dict[str, Any]] = json.loads((DICTATION / "gold.json").read_text(encoding="utf-8"))["values"]
    return values


def test_it_is_as_large_as_a_hospital_schema(schema: Schema) -> None:
    assert len(schema.rows) >= 600
    assert len({row.category[0] for row in schema.rows}) >= 25
    assert max(len(row.category) for row in schema.rows) > 1
    assert {row.value_type for row in schema.rows} == set(ValueType)
    assert {row.dimension for row in schema.rows} >= {"temperature", "weight", "height", "volume"}


def test_a_nurse_can_tell_its_rows_apart(schema: Schema) -> None:
    said = Counter(text for row in schema.rows for text in {part.casefold() for part in (row.name, *row.synonyms)})
    assert [text for text, count in said.items() if count > 1] == []


def test_its_rows_are_complete(schema: Schema) -> None:
    numbers = [row for row in schema.rows if row.value_type in MEASURED]
    assert [row.id for row in numbers if not row.unit or row.minimum is None or row.maximum is None] == []
    assert [row.id for row in schema.rows if row.value_type in SELECTS and len(row.options) < 2] == []
    assert [row.id for row in schema.rows if row.unit is not None and row.unit.startswith("@")] == []


def test_its_codes_are_checked_ones_and_unique(schema: Schema) -> None:
    codes = [row.loinc for row in schema.rows if row.loinc]
    assert len(codes) >= 30
    assert len(set(codes)) == len(codes)
    assert set(codes) <= CHECKED


def test_it_survives_being_written(schema: Schema) -> None:
    read = parse_schema(dump_schema(schema), "written")
    assert (read.rows, read.definitions) == (schema.rows, schema.definitions)


def test_the_body_systems_have_limits_of_their_own_rows(schema: Schema) -> None:
    assert {definition.category[-1] for definition in schema.definitions} >= {"Neurological", "Cardiac", "Skin"}
    strangers = [
        row_id
        for definition in schema.definitions
        for row_id, _ in definition.values
        if schema.row(row_id).category != definition.category
    ]
    assert strangers == []


def fits(row: Row, value: Any) -> bool:
    """Whether a gold value is of its row's type."""
    match row.value_type:
        case ValueType.SINGLE_SELECT:
            return value in row.option_names
        case ValueType.MULTI_SELECT:
            return bool(value) and set(value) <= set(row.option_names)
        case ValueType.NUMERIC | ValueType.QUANTITY:
            assert row.minimum is not None
            assert row.maximum is not None
            return isinstance(value, float) and row.minimum <= value <= row.maximum
        case ValueType.YES_NO:
            return isinstance(value, bool)
        case ValueType.TIME:
            return bool(dt.time.fromisoformat(value) or True)
        case ValueType.DATE:
            return bool(dt.date.fromisoformat(value))
        case ValueType.BLOOD_PRESSURE:
            systolic, diastolic = map(int, value.split("/"))
            return systolic > diastolic
        case _:
            return isinstance(value, str)


def test_gold_values_are_valid_values_of_its_rows(schema: Schema, gold: list[dict[str, Any]]) -> None:
    ids = [value["row_id"] for value in gold]
    assert len(ids) == len(set(ids)) >= 15
    assert len({schema.row(row_id).value_type for row_id in ids}) >= 6
    assert [value for value in gold if not fits(schema.row(value["row_id"]), value["value"])] == []
    assert [value for value in gold if value["unit"] != schema.row(value["row_id"]).unit] == []


def test_gold_texts_and_numbers_are_said(schema: Schema, gold: list[dict[str, Any]]) -> None:
    said = (DICTATION / "dictation.txt").read_text(encoding="utf-8")
    for value in gold:
        row = schema.row(value["row_id"])
        if row.value_type is ValueType.TEXT:
            assert value["value"] in said
        elif row.value_type is ValueType.QUANTITY:
            assert f"{value['value']:g}" in said, row.id


def test_the_recording_is_a_minute_of_mono_speech_small_enough_to_keep() -> None:
    data = (DICTATION / "sample.flac").read_bytes()
    assert len(data) < 3_000_000
    assert data[:4] == b"fLaC"
    facts = int.from_bytes(data[18:26])  # STREAMINFO: 20 bits rate, 3 channels - 1, 5 bits - 1, 36 samples
    rate, channels, samples = facts >> 44, (facts >> 41 & 7) + 1, facts & (1 << 36) - 1
    assert (rate, channels) == (16_000, 1)
    assert 60 <= samples / rate <= 120
