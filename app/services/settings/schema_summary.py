"""Summary of a flowsheet schema, shown when choosing one."""

from __future__ import annotations

from collections import Counter

from app.services.settings.jobs import SchemaFacts
from extraction.flowsheet.schema import Schema


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
