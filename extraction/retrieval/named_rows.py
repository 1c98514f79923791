"""Rows that a sentence names: by a time, by a unique option, or by a line or wound."""

from __future__ import annotations

from dataclasses import dataclass

from extraction.flowsheet.naming.instance_families import instance_rows_named
from extraction.flowsheet.naming.unique_options import own_options
from extraction.flowsheet.schema import Schema, of_schema
from extraction.preparation.observation_times import named_times


@dataclass(frozen=True, slots=True)
class _Named:
    """Ids of the rows that a sentence names.

    Attributes:
        times: time rows that a clause names together with a time of day.
        own: rows with a unique option in the sentence.
        instances: rows of a line, drain or wound in the sentence that it names or states an option of.
    """

    times: frozenset[str]
    own: frozenset[str]
    instances: frozenset[str]


class _NamedRows(dict[str, _Named]):
    """Caches the rows that sentences name, by sentence text."""

    def __init__(self, schema: Schema) -> None:
        super().__init__()
        self._schema = schema

    def __missing__(self, text: str) -> _Named:
        schema = self._schema
        times, own = named_times(schema, text), own_options(schema, text)
        found = self[text] = _Named(frozenset(times), frozenset(own), instance_rows_named(schema, text))
        return found


@of_schema
def named_rows(schema: Schema) -> _NamedRows:
    """The cache of the rows that sentences name, by sentence text."""
    return _NamedRows(schema)
