"""Which rows the words that are in no value may be about."""

from __future__ import annotations

from itertools import chain, zip_longest

from app.chart.records import ReviewStatus
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Row
from extraction.language.sentences import Segment
from extraction.language.spans import overlap


def rows_meant(sheet: Sheet, line: Segment) -> tuple[Row, ...]:
    """The rows that the words of a line of `Sheet.uncharted` may be about, likeliest first, those with a value last.

    None for a dictation that an earlier release filled.
    """
    in_turn = chain.from_iterable(zip_longest(*rows_of_clauses(sheet, line)))
    likely = dict.fromkeys(row_id for row_id in in_turn if row_id in sheet.schema.by_id)
    return tuple(map(sheet.schema.row, sorted(likely, key=charted_rows(sheet).__contains__)))


def charted_rows(sheet: Sheet) -> frozenset[str]:
    """Ids of the rows that have a value which is not rejected."""
    return frozenset(value.row_id for value in sheet.values if value.status is not ReviewStatus.REJECTED)


def rows_of_clauses(sheet: Sheet, line: Segment) -> list[tuple[str, ...]]:
    """Ids of the rows that each clause of a line may be about, likeliest first."""
    span = (line.start, line.end)
    return [one.row_ids for one in sheet.run.likely if overlap((one.start, one.end), span)]
