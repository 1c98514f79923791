"""The hospital's own codes, from the contract that a schema was made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from app.contracts import CONTRACT_FILE, load_contract
from app.exchange.observations import HospitalCodes, RowCodes
from app.exchange.records import content_words
from app.system.settings import Settings
from extraction.contract.compile import RowExport, export_map
from extraction.contract.errors import ContractError
from extraction.flowsheet.schema import Schema, ValueType

# as the contract names them: a row with further options, now or retired, is no longer one of yes and no
_ANSWERS = {
    name: content_words(answer)
    for answer, names in ((True, ("true", "yes")), (False, ("false", "no")))
    for name in names
}


@dataclass(frozen=True, slots=True)
class _ExportMap:
    """What of a contract values go back by."""

    id: str
    version: int
    rows: Mapping[str, RowExport]


def hospital_codes(settings: Settings, schema: Schema) -> HospitalCodes:
    """The codes for the rows of a schema; without rows if it was not made from the contract in use.

    Without any contract, the hospital's system is that of the schema's own ids.

    Raises ContractError if the contract cannot be read, or is older than the schema.
    """
    rows = _rows(settings, schema)
    if not rows and _contract_file(settings):
        return HospitalCodes()
    return HospitalCodes(settings.record_system.code_system, settings.record_system.code_system_name, rows)


def check_contract(settings: Settings, schema: Schema) -> None:
    """Raises ContractError unless the contract in use can be read, and one that is named is that of this schema."""
    if not _rows(settings, schema) and settings.contract:
        raise ContractError(
            f"{settings.contract} is not the contract from which {schema.name} was made.",
            "Choose the contract of this flowsheet template, or leave the setting empty.",
        )


def _rows(settings: Settings, schema: Schema) -> Mapping[str, RowCodes]:
    path = _contract_file(settings)
    contract = _read(path) if path else None
    if contract is None or contract.id != schema.id:
        return {}
    lacks = schema.by_id.keys() - contract.rows.keys()
    # what an older contract lacks would leave under other codes, or under none
    if lacks or (schema.version.isdecimal() and contract.version < int(schema.version)):
        raise ContractError(
            f"The contract {path} (version {contract.version}) is older than the flowsheet template "
            f"{schema.name} {schema.version}.",
            "Put the contract from which the template was made in its place.",
        )
    return {row.id: _row_codes(contract.rows[row.id], row.value_type) for row in schema.rows}


def _contract_file(settings: Settings) -> Path | None:
    if settings.contract:
        return Path(settings.contract).expanduser()
    beside = Path(settings.schema).expanduser().with_name(CONTRACT_FILE) if settings.schema else None
    return beside if beside and beside.is_file() else None


def _read(path: Path) -> _ExportMap:
    """What a contract says, read once for each state of the file: a large one takes seconds."""
    try:
        found = path.stat()
    except OSError:
        load_contract(path)  # which says what is wrong
        raise
    return _kept(path, found.st_mtime_ns, found.st_ino, found.st_size)


@lru_cache(maxsize=2)
def _kept(path: Path, changed: int, file: int, size: int) -> _ExportMap:
    contract = load_contract(path).contract
    return _ExportMap(contract.id, contract.version, export_map(contract))


def _row_codes(back: RowExport, value_type: ValueType) -> RowCodes:
    options = back.options
    if value_type is ValueType.YES_NO:
        options = {_ANSWERS[name.casefold()]: code for name, code in options.items() if name.casefold() in _ANSWERS}
    return RowCodes(back.id, back.name, options)
