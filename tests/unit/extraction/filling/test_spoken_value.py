"""One value said to one row."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from extraction.filling.spoken_value import spoken_value
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.schema_files.native_format import load_schema
from models.base.errors import InputError
from tests.kit.fake_app import write_schema

TODAY = dt.date(2026, 11, 26)


@pytest.fixture
def schema(tmp_path: Path) -> Schema:
    return load_schema(write_schema(tmp_path))


@pytest.mark.parametrize(
    ("row_id", "text", "value"),
    [
        ("bp", "No, 128 over 82.", "128/82"),
        ("bp", "one twenty eight over eighty two", "128/82"),
        ("hr", "98", 98.0),
        ("hr", "It's a hundred and four now.", 104.0),
        ("hr", "90, no, 96", 96.0),
        ("spo2", "94 percent on two liters", 94.0),
        ("temp", "38.2", 38.2),
        ("temp", "a hundred point four fahrenheit", 38.0),
        ("temp", "100.4", 38.0),
        ("device", "Simple mask.", "Simple mask"),
        ("rhythm", "irregular", "Irregular"),
        ("breath", "Crackles and wheezes", ("Crackles", "Wheezes")),
        ("visitors", "Yes, her daughter.", True),
        ("visitors", "No.", False),
    ],
)
def test_the_value_of_the_row_is_found(schema: Schema, row_id: str, text: str, value: Value) -> None:
    assert spoken_value(schema.row(row_id), schema, text, TODAY) == value


@pytest.mark.parametrize(
    ("row_id", "text", "said"),
    [
        ("bp", "I think it was fine", "No value of Blood pressure was heard in “I think it was fine”."),
        ("hr", "98 or 102", "Several values of Heart rate were heard: 98 and 102."),
        ("device", "nothing of the kind", "No value"),
        ("breath", "no crackles", "No value"),
        ("visitors", "maybe", "No value"),
    ],
)
def test_what_is_not_one_value_is_refused(schema: Schema, row_id: str, text: str, said: str) -> None:
    with pytest.raises(InputError, match=said.replace(".", r"\.").replace("?", r"\?")):
        spoken_value(schema.row(row_id), schema, text, TODAY)


def test_a_value_in_a_unit_that_the_row_cannot_have_is_refused(schema: Schema) -> None:
    rate = Row("drip", "Fentanyl rate", ValueType.NUMERIC, ("Drips",), unit="mcg/h")
    assert spoken_value(rate, schema, "0.5 mcg a minute", TODAY) == 30.0
    with pytest.raises(InputError, match="was said in mL/h, and this row is charted in mcg/h"):
        spoken_value(rate, schema, "5 mL an hour", TODAY)
