"""The names by which the numbers of a schema's own rows are said."""

from __future__ import annotations

from extraction.flowsheet.naming.number_names import number_names
from extraction.flowsheet.schema import Row, Schema, ValueType


def names(*rows: Row) -> dict[str, str]:
    found = number_names(Schema("t", "T", "1", rows, "0" * 64, "t"))
    return {name: found.rows[one.id].id for name, one in found.names.by_phrase.items()}


def numeric(row_id: str, name: str, unit: str | None = None) -> Row:
    return Row(row_id, name, ValueType.NUMERIC, ("V",), unit=unit)


def test_a_rate_is_said_without_its_last_word_and_with_other_names_of_the_drug() -> None:
    found = names(numeric("1", "Propofol rate", "ug/kg/min"), numeric("2", "Lactate (mmol/L)", "mmol/L"))
    assert {"propofol rate", "propofol", "prop", "diprivan"} <= found.keys()
    assert found["prop"] == "1"
    assert found["lactate"] == "2"


def test_a_name_that_two_rows_share_says_neither() -> None:
    found = names(numeric("1", "Heparin rate", "[USP'U]/h"), numeric("2", "Heparin dose", "[USP'U]"))
    assert "heparin" not in found
    assert found["heparin rate"] == "1"


def test_names_of_measurements_that_the_schema_records_are_theirs() -> None:
    assert names(numeric("1", "Heart rate", "/min")) == {}
    assert names(numeric("1", "Heart rate", "/min"), numeric("2", "Pulse", "/min")) == {}
