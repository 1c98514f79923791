"""The hospital's own codes, from the contract that a schema was made from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from app.contracts import load_contract
from app.exchange.observations import HospitalCodes, RowCodes
from app.exchange.records import content_words
from app.system.settings import Settings
from extraction.contract.compile import RowExport, export_map
from extraction.contract.errors import ContractError
from extraction.contract.records import Contract
from extraction.flowsheet.schema import Schema, ValueType

CONTRACT_FILE = "contract.json"
_ANSWERS = {str(answer).lower(): content_words(answer) for answer in (True, False)}  # as the contract names them


def hospital_codes(settings: Settings, schema: Schema) -> HospitalCodes:
    """The codes for the rows of a schema; without rows if it was not made from the contract in use.

    Raises ContractError if the contract cannot be read, or is older than the schema.
    """
    system = settings.record_system
    return HospitalCodes(system.code_system, system.code_system_name, _rows(settings, schema))


def check_contract(settings: Settings, schema: Schema) -> None:
    """Raises ContractError unless the contract that the settings name, if any, is that of this schema."""
    if settings.contract and not _rows(settings, schema):
        raise ContractError(
            f"{settings.contract} is not the contract from which {schema.name} was made.",
            "Choose the contract of this flowsheet template, or leave the setting empty.",
        )


def _rows(settings: Settings, schema: Schema) -> Mapping[str, RowCodes]:
    path = _contract_file(settings)
    if path is None:
        return {}
    contract = load_contract(path).contract
    if contract.id != schema.id:
        return {}
    _refuse_older(contract, schema, path)
    found = export_map(contract)
    return {row.id: _row_codes(found[row.id], row.value_type) for row in schema.rows}


def _contract_file(settings: Settings) -> Path | None:
    if settings.contract:
        return Path(settings.contract).expanduser()
    beside = Path(settings.schema).expanduser().with_name(CONTRACT_FILE) if settings.schema else None
    return beside if beside and beside.is_file() else None


def _refuse_older(contract: Contract, schema: Schema, path: Path) -> None:
    """What an older contract lacks would leave under other codes, or under none."""
    lacks = {row.id for row in schema.rows} - {row.id for row in contract.rows}
    if lacks or (schema.version.isdecimal() and contract.version < int(schema.version)):
        raise ContractError(
            f"The contract {path} (version {contract.version}) is older than the flowsheet template "
            f"{schema.name} {schema.version}.",
            "Put the contract from which the template was made in its place.",
        )


def _row_codes(back: RowExport, value_type: ValueType) -> RowCodes:
    options = back.options
    if value_type is ValueType.YES_NO:
        options = {_ANSWERS[answer]: code for answer, code in options.items()}
    return RowCodes(back.id, back.name, options)
