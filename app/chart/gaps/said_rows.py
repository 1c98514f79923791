"""Which rows the words that are in no value may be about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, zip_longest

from app.chart.records import ReviewStatus
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Row, ValueType
from extraction.language.sentences import Segment
from extraction.language.spans import overlap
from extraction.language.vocabulary.words import stems
from models.base.errors import InputError

_LEAST_NAME = 0.5  # share of a row's name, by the weight of its words


def rows_meant(sheet: Sheet, line: Segment) -> tuple[Row, ...]:
    """The rows that the words of a line of `Sheet.uncharted` may be about, likeliest first, those with a value last.

    None for a dictation that an earlier release filled.
    """
    in_turn = chain.from_iterable(zip_longest(*_of_clauses(sheet, line)))
    likely = dict.fromkeys(row_id for row_id in in_turn if row_id in sheet.schema.by_id)
    return tuple(map(sheet.schema.row, sorted(likely, key=charted_rows(sheet).__contains__)))


def rows_stated(sheet: Sheet) -> Iterator[Row]:
    """The rows without a value of which words in no value say both at least half of the name and a value."""
    from extraction.filling.spoken_value import spoken_value  # takes a tenth of a second
    from extraction.retrieval.rarity import rarity_of

    there, schema = charted_rows(sheet), sheet.schema
    for line in sheet.uncharted:
        words = line.text if sheet.transcript is None else sheet.transcript.text[line.start : line.end]
        said = stems(words)
        for row_ids in _of_clauses(sheet, line):
            first = next((one for one in row_ids if one in schema.by_id), None)
            if first is None or first in there or rarity_of(schema).name(first, said).share < _LEAST_NAME:
                continue
            if schema.row(first).value_type is ValueType.TEXT:
                continue  # any words would be a value of it
            with suppress(InputError):  # it says no value, or several
                spoken_value(schema.row(first), schema, words, sheet.day)
                yield schema.row(first)


def charted_rows(sheet: Sheet) -> frozenset[str]:
    """Ids of the rows that have a value which is not rejected."""
    return frozenset(value.row_id for value in sheet.values if value.status is not ReviewStatus.REJECTED)


def _of_clauses(sheet: Sheet, line: Segment) -> list[tuple[str, ...]]:
    span = (line.start, line.end)
    return [one.row_ids for one in sheet.run.likely if overlap((one.start, one.end), span)]
