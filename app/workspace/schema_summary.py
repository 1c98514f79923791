"""Summary of a flowsheet schema, shown when choosing one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from extraction.flowsheet.schema import Schema


@dataclass(frozen=True)
class SchemaFacts:
    """A schema in a few numbers.

    Attributes:
        language: language tag of its names; empty if the file has none.
        categories: number of categories that contain rows.
        outermost: the outermost categories with the number of rows in each, in file order.
        kinds: value types with the number of rows of each, most frequent first.
    """

    name: str
    version: str
    language: str
    rows: int
    categories: int
    outermost: tuple[tuple[str, int], ...]
    kinds: dict[str, int]


def schema_facts(schema: Schema) -> SchemaFacts:
    return SchemaFacts(
        name=schema.name,
        version=schema.version,
        language=schema.language,
        rows=len(schema.rows),
        categories=len({row.category for row in schema.rows}),
        outermost=tuple(Counter(row.category[0] for row in schema.rows).items()),
        kinds=dict(Counter(row.value_type.value for row in schema.rows).most_common()),
    )
