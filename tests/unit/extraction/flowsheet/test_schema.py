"""Derived values cached with a schema."""

from __future__ import annotations

import pickle
from dataclasses import replace

from extraction.flowsheet.schema import Row, of_rows
from tests.unit.extraction.test_extractor import SCHEMA


def test_values_derived_from_rows_are_computed_once() -> None:
    asked: list[tuple[Row, ...]] = []

    @of_rows
    def ids(rows: tuple[Row, ...]) -> list[str]:
        asked.append(rows)
        return [row.id for row in rows]

    schema = replace(SCHEMA)
    again, fewer = pickle.loads(pickle.dumps(schema)), replace(schema, rows=schema.rows[1:])
    assert ids(schema) is ids(schema) is ids(again)
    assert ids(fewer) == ids(schema)[1:]
    assert len(asked) == 2


def test_a_schema_received_again_is_reused() -> None:
    schema = replace(SCHEMA, name="sent twice")
    sent = pickle.dumps(schema)
    first, again = pickle.loads(sent), pickle.loads(sent)
    assert first == schema
    assert first is again
    assert first is not schema
    assert not set(vars(first)) & {"by_id", "_sent"}, "cached derived values are not pickled"
    other = pickle.loads(pickle.dumps(replace(schema, name="another")))
    assert (other.name, first.name) == ("another", "sent twice")
