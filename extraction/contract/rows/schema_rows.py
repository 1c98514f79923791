"""The rows of a contract as rows of a flowsheet schema, to use what is known of names."""

from __future__ import annotations

from collections.abc import Iterable

from extraction.contract.records import ContractRow
from extraction.flowsheet.schema import Option, Row, Schema, ValueType


def schema_of_rows(rows: Iterable[ContractRow]) -> Schema:
    """A schema for asking about names alone; a contract is compiled by `extraction.contract.compile`."""
    return Schema("contract", "Contract", "1", tuple(map(_row, rows)), "0" * 64, "en")


def _row(row: ContractRow) -> Row:
    return Row(
        row.id,
        row.name,
        ValueType(row.value_type),
        row.categories[0] if row.categories else (),
        tuple(Option(option.name, option.synonyms) for option in row.options if not option.retired),
        unit=row.unit or None,
        ucum=row.ucum or None,
        synonyms=tuple(alias.text for alias in row.aliases),
        unit_of=row.unit_of or None,
        also_in=row.categories[1:],
    )
