"""The rows that words in no value name and state a value of."""

from __future__ import annotations

from contextlib import suppress

from app.chart.gaps.said_rows import charted_rows, rows_of_clauses
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import ValueType
from extraction.language.vocabulary.words import stems
from models.base.errors import InputError

_LEAST_NAME = 0.5  # share of a row's name, by the weight of its words


def rows_stated(sheet: Sheet) -> frozenset[str]:
    """Ids of the rows without a value of which words in no value say both at least half of the name and a value.

    Free text is left out, of which any words would be a value.
    """
    from extraction.filling.spoken_value import spoken_value  # takes a tenth of a second
    from extraction.retrieval.rarity import rarity_of

    there, schema, found = charted_rows(sheet), sheet.schema, set()
    for line in sheet.uncharted:
        words = line.text if sheet.transcript is None else sheet.transcript.text[line.start : line.end]
        said = stems(words)
        for row_ids in rows_of_clauses(sheet, line):
            first = next((one for one in row_ids if one in schema.by_id), None)
            if first is None or first in there or schema.row(first).value_type is ValueType.TEXT:
                continue
            if rarity_of(schema).name(first, said).share >= _LEAST_NAME:
                with suppress(InputError):  # it says no value, or several
                    spoken_value(schema.row(first), schema, words, sheet.day)
                    found.add(first)
    return frozenset(found)
