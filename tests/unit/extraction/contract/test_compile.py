"""The schema and the codes that a contract becomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from extraction.contract.build import build_contract
from extraction.contract.compile import export_map, flowsheet_schema
from extraction.contract.records import Contract, ContractOption, ContractRow
from extraction.contract.sources.discovery import find_sources
from extraction.flowsheet.schema import Schema, ValueType
from extraction.schema_files.native_format import parse_schema
from tests.kit.exports import write_exports


@pytest.fixture(scope="module")
def contract(tmp_path_factory: pytest.TempPathFactory) -> Contract:
    folder = write_exports(tmp_path_factory.mktemp("exports"))
    return build_contract(find_sources(folder), "2026-03-01T10:00:00Z").contract


@pytest.fixture(scope="module")
def schema(contract: Contract) -> Schema:
    return parse_schema(flowsheet_schema(contract, "Invented ward"), "schema.json")


def test_rows_in_use_stand_under_their_own_ids_in_their_groups(contract: Contract, schema: Schema) -> None:
    assert [row.id for row in schema.rows if row.id == "70012"] == []
    drain = schema.row("70006")
    assert (drain.category, drain.also_in) == (("Adult ward", "Drains"), (("Surgery", "Drains"),))
    assert (drain.value_type, drain.unit, drain.minimum, drain.maximum) == (ValueType.NUMERIC, "mL", 0, 3000)
    assert schema.row("70005").category == ("Other rows",)
    assert schema.row("70001").synonyms == ("HR",)
    assert (schema.row("70001").unit, schema.row("70001").ucum) == ("bpm", "/min")
    assert schema.row("70007").unit_of == "70006"
    assert (schema.id, schema.name, schema.version) == (contract.id, "Invented ward", "1")


def test_a_unit_without_its_number_stands_by_itself(contract: Contract) -> None:
    rows = tuple(replace(row, retired=row.retired or row.id == "70006") for row in contract.rows)
    assert parse_schema(flowsheet_schema(replace(contract, rows=rows)), "schema.json").row("70007").unit_of is None


def test_values_go_back_under_the_hospital_s_codes(contract: Contract) -> None:
    back = export_map(contract)
    assert back["70003"].options == {"Pink": "P", "Pale": "W", "Bluish": "B"}
    assert back["70008"].options == {option: option for option in back["70008"].options}
    assert (back["70006"].id, back["70006"].unit) == ("70006", "mL")
    assert back["70012"].id == "70012"  # a retired row, since its values may still be corrected


def test_a_list_of_yes_and_no_is_a_yes_no_row_with_the_hospital_s_codes() -> None:
    options = (ContractOption("Yes", "1"), ContractOption("No", "2"))
    contract = Contract("c", 1, "", "", rows=(ContractRow("9", "Bell within reach", "single_select", options=options),))
    row = parse_schema(flowsheet_schema(contract), "schema.json").row("9")
    assert (row.value_type, row.options) == (ValueType.YES_NO, ())
    assert export_map(contract)["9"].options == {"true": "1", "false": "2"}


def test_a_garbled_text_keeps_its_spelling_and_can_be_read(contract: Contract) -> None:
    options = (ContractOption("Â°C", "1"), ContractOption("Â°F", "2"))
    garbled = Contract("c", 1, "", "", rows=(ContractRow("9", "Unit", "single_select", options=options),))
    row = parse_schema(flowsheet_schema(garbled), "schema.json").row("9")
    assert row.options[0].name == "Â°C"
    assert row.options[0].synonyms == ("°C",)


def test_the_schema_is_the_same_each_time(contract: Contract, tmp_path: Path) -> None:
    again = build_contract(find_sources(write_exports(tmp_path)), "2027-01-01T00:00:00Z").contract
    assert flowsheet_schema(again) == flowsheet_schema(contract)
