"""Relations of rows: instances of one thing, and rows that chart the same measurement in another way or place.

Rows of different value types, or of units of different dimensions, are never related. A relation is a proposal for a
person to read; rows that are the same are one row already (`extraction.contract.rows.dictionary.join_retired`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.contract.records import ContractRow, RelationKind, RowRelation
from extraction.contract.relations.instances import instances_of
from extraction.contract.relations.measured import Measured, measured_of
from extraction.contract.rows.schema_rows import schema_of_rows
from extraction.flowsheet.naming.row_concepts import row_concepts
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.ucum import measure


def relations_of(rows: Sequence[ContractRow]) -> tuple[RowRelation, ...]:
    """The relations of the rows that are charted, each with its rows in the order of the contract."""
    schema = schema_of_rows(row for row in rows if not row.retired)
    place = {row.id: at for at, row in enumerate(schema.rows)}
    instances = [
        _relation(RelationKind.INSTANCES, part[0].name, part, confidence, place)
        for group, confidence in instances_of(schema)
        for part in _of_one_kind(group)
    ]
    known = {frozenset(relation.rows) for relation in instances}
    links = row_concepts(replace(schema, rows=tuple(row for row in schema.rows if row.options)))
    found: dict[Measured, list[Row]] = defaultdict(list)
    for row in schema.rows:
        for measured in measured_of(row, links.get(row.id)):
            found[measured].append(row)
    alike = [
        relation
        for measured, group in found.items()
        for part in _of_one_kind(group)
        if frozenset((relation := _relation(RelationKind.ALIKE, measured.name, part, measured.confidence, place)).rows)
        not in known
    ]
    return (*instances, *alike)


def _relation(
    kind: RelationKind, name: str, rows: Sequence[Row], confidence: float, place: dict[str, int]
) -> RowRelation:
    ids = sorted({row.id for row in rows}, key=place.__getitem__)
    return RowRelation(kind, tuple(ids), name, confidence)


def _of_one_kind(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """The rows by value type and dimension; one without a unit goes with the others where there is one dimension."""
    types: dict[ValueType, dict[object, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        types[row.value_type][_dimension(row)].append(row)
    for of_type in types.values():
        parts = list(of_type.values())
        if len(parts) == 2 and None in of_type:
            parts = [[row for part in parts for row in part]]
        yield from (part for part in parts if len(part) > 1)


def _dimension(row: Row) -> object:
    """What the unit measures; the unit itself where it is not known, None without one."""
    if not row.unit:
        return None
    found = measure(row.ucum) if row.ucum else None
    return found.quantity if found else row.unit
