"""Rows and names that were decided on, and the schema that has them."""

from __future__ import annotations

import json

import pytest

from extraction.discovery.decisions import CATEGORY, Decided, extended_schema, proposed_row
from extraction.flowsheet.schema import ValueType
from extraction.schema_files.native_format import parse_schema
from models.base.errors import InputError
from tests.kit.fake_app import SCHEMA as DOCUMENT

DATA = json.dumps(DOCUMENT).encode()
SCHEMA = parse_schema(DATA, "test")


def test_a_row_gets_an_id_that_nothing_has() -> None:
    first = proposed_row(SCHEMA, [], "Pedal  bike", ValueType.NUMERIC, "min")
    other = proposed_row(SCHEMA, [Decided("a", first)], "Pedal-bike", ValueType.TEXT)
    assert (first.id, first.name, first.unit) == ("found.pedal_bike", "Pedal bike", "min")
    assert other.id == "found.pedal_bike_2"


@pytest.mark.parametrize(
    ("name", "kind", "options"),
    [
        ("", ValueType.TEXT, ()),
        ("x" * 81, ValueType.TEXT, ()),
        ("heart rate", ValueType.TEXT, ()),
        ("Pulse", ValueType.TEXT, ()),
        ("Bike", ValueType.SINGLE_SELECT, ("Yes ", " Yes")),
    ],
)
def test_what_cannot_be_a_row_is_refused(name: str, kind: ValueType, options: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        proposed_row(SCHEMA, [], name, kind, "", options)


def test_the_schema_has_the_rows_and_names_under_another_version_and_loses_nothing() -> None:
    bike = proposed_row(SCHEMA, [], "Pedal bike", ValueType.NUMERIC, "min")
    call = proposed_row(SCHEMA, [], "Call light", ValueType.SINGLE_SELECT, "", ["In reach", "Out of reach"])
    decided = [Decided("pedal bike minutes", bike), Decided("ticker", alias_of="hr"), Decided("tv"), Decided("c", call)]
    data = extended_schema(DATA, SCHEMA, decided, 7)
    extended = parse_schema(data, "extended")
    assert extended.version == f"{SCHEMA.version}+found.7"
    assert extended.row("found.pedal_bike").category == (CATEGORY,)
    assert extended.row("found.call_light").option_names == ("In reach", "Out of reach")
    assert "ticker" in extended.row("hr").synonyms
    assert [row.id for row in extended.rows][: len(SCHEMA.rows)] == [row.id for row in SCHEMA.rows]
    assert b"tv" not in data
    assert b"pedal bike minutes" not in data


def test_extending_what_was_extended_adds_nothing_twice() -> None:
    decided = [Decided("b", proposed_row(SCHEMA, [], "Pedal bike", ValueType.TEXT)), Decided("ticker", alias_of="hr")]
    once = extended_schema(DATA, SCHEMA, decided, 1)
    again = json.loads(extended_schema(once, parse_schema(once, "once"), decided, 2))
    assert again["categories"] == json.loads(once)["categories"]


def test_the_published_list_of_rows_can_be_extended() -> None:
    rows = [{"id": "1", "name": "Gait", "value_type": "STRING"}]
    data = json.dumps(rows).encode()
    schema = parse_schema(data, "list")
    bike = proposed_row(schema, [], "Pedal bike", ValueType.YES_NO)
    assert parse_schema(extended_schema(data, schema, [Decided("b", bike)], 1), "x").row("found.pedal_bike")
