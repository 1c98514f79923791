"""The hospital's own codes: those of the contract that a schema was made from, and of no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.contracts import load_contract, save_contract
from app.exchange.contract_codes import check_contract, hospital_codes
from app.exchange.file_formats import options_in
from app.exchange.observations import HospitalCodes, RowCodes
from extraction.contract.errors import ContractError
from extraction.contract.records import ContractOption, ContractRow
from tests.kit.hospital import RECORD_SYSTEM, Hospital
from tests.kit.store import SCHEMA


@pytest.fixture
def hospital(tmp_path: Path) -> Iterator[Hospital]:
    opened = Hospital(tmp_path)
    yield opened
    opened.store.close()


def test_a_contract_beside_its_schema_is_found(hospital: Hospital) -> None:
    codes = hospital_codes(hospital.settings, hospital.schema)
    assert (codes.system, codes.name) == (RECORD_SYSTEM.code_system, RECORD_SYSTEM.code_system_name)
    assert codes.rows["70001"] == RowCodes("70001", "Pulse rate")
    assert codes.rows["70003"].options == {"Pink": "P", "Pale": "W", "Bluish": "B"}
    assert codes.rows["70011"].options == {"Yes": "11", "No": "12"}
    assert codes.rows.keys() == hospital.schema.by_id.keys()


def test_a_contract_may_lie_elsewhere(hospital: Hospital) -> None:
    elsewhere = hospital.home / "elsewhere.json"
    hospital.contract_file.rename(elsewhere)
    without = hospital_codes(hospital.settings, hospital.schema)
    assert (without.system, dict(without.rows)) == (RECORD_SYSTEM.code_system, {}), "the ids may be the hospital's own"
    named = replace(hospital.settings, contract=str(elsewhere))
    assert hospital_codes(named, hospital.schema).rows["70003"].options["Pink"] == "P"
    check_contract(named, hospital.schema)


def test_values_of_another_schema_keep_their_own_codes(hospital: Hospital) -> None:
    assert hospital_codes(hospital.settings, SCHEMA) == HospitalCodes(), "and do not claim to be the hospital's"
    named = replace(hospital.settings, contract=str(hospital.contract_file))
    with pytest.raises(ContractError, match="is not the contract from which Ward was made"):
        check_contract(named, SCHEMA)


def extend(hospital: Hospital, rows: tuple[ContractRow, ...]) -> None:
    former = load_contract(hospital.contract_file)
    save_contract(replace(former.contract, version=2, parent=former.sha256, rows=rows), hospital.contract_file)


def test_a_later_version_of_the_contract_codes_earlier_values(hospital: Hospital) -> None:
    retired = tuple(replace(row, retired=row.id == "70003") for row in hospital.contract.rows)
    extend(hospital, retired)
    assert hospital_codes(hospital.settings, hospital.schema).rows["70003"].options["Pink"] == "P"


def test_yes_and_no_keep_their_codes_when_the_row_gets_further_options(hospital: Hospital) -> None:
    further = ContractOption("Not asked", "13")
    rows = tuple(
        replace(row, options=(*row.options, further)) if row.id == "70011" else row for row in hospital.contract.rows
    )
    extend(hospital, rows)
    assert hospital_codes(hospital.settings, hospital.schema).rows["70011"].options == {"Yes": "11", "No": "12"}


def test_a_contract_that_was_replaced_is_read_again(hospital: Hospital) -> None:
    assert hospital_codes(hospital.settings, hospital.schema).rows["70001"].name == "Pulse rate"
    renamed = tuple(replace(row, name="PULSE" if row.id == "70001" else row.name) for row in hospital.contract.rows)
    extend(hospital, renamed)
    assert hospital_codes(hospital.settings, hospital.schema).rows["70001"].name == "PULSE"


def test_only_formats_with_codes_need_the_contract(hospital: Hospital) -> None:
    hospital.contract_file.write_text("{}")
    assert options_in(hospital.settings, hospital.schema, ("json", "csv", "pdf")).codes == HospitalCodes()
    with pytest.raises(ContractError, match=r"contract\.json is not a contract"):
        options_in(hospital.settings, hospital.schema, ("pdf", "hl7"))
    with pytest.raises(ContractError, match=r"contract\.json is not a contract"):
        check_contract(hospital.settings, hospital.schema)


def test_a_contract_that_is_older_than_the_schema_is_refused(hospital: Hospital) -> None:
    fewer = tuple(row for row in hospital.contract.rows if row.id != "70003")
    save_contract(replace(hospital.contract, rows=fewer, relations=()), hospital.contract_file)
    with pytest.raises(ContractError, match="is older than the flowsheet template Harbour 1"):
        hospital_codes(hospital.settings, hospital.schema)


def test_a_contract_that_is_named_and_gone_is_not_passed_over(hospital: Hospital) -> None:
    named = replace(hospital.settings, contract=str(hospital.home / "gone.json"))
    with pytest.raises(ContractError, match=r"There is no contract .*gone\.json"):
        hospital_codes(named, hospital.schema)
