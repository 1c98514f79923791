"""Columns whose cells hold both limits of a row, such as `30 - 220`: they become two columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from extraction.contract.catalogue import Table, names_people
from extraction.contract.sources.ragged_lines import Record as Line
from extraction.contract.sources.source_table import SourceTable
from extraction.contract.value_shapes import is_nothing, number_of

_NUMBER = r"[+-]?\d{1,6}(?:[.,]\d{1,4})?"
_RANGE = re.compile(rf"\s*\[?\s*({_NUMBER})\s*(?:-|–|—|\.\.\.?|…|;|to|bis|tot|à)\s*({_NUMBER})\s*\]?\s*", re.IGNORECASE)
_LEAST = re.compile(rf"\s*(?:>=|≥)\s*({_NUMBER})\s*")
_MOST = re.compile(rf"\s*(?:<=|≤)\s*({_NUMBER})\s*")
_FEWEST = 3
_LEAST_WIDE = 0.5  # share of ranges that are wider than a step: others may count chapters or parts


def with_limits_apart(table: Table) -> Table:
    """The source itself, or with columns of the smallest and the largest number in the place of ranges."""
    if names_people(table.fields):
        return table
    cells: list[list[str]] = [[] for _ in table.fields]
    for record in table.records():
        for at, cell in enumerate(record.values):
            if not is_nothing(cell) and len(cells[at]) <= _FEWEST * 100:
                cells[at].append(cell)
    places = [at for at, values in enumerate(cells) if _are_ranges(values)]
    if not places:
        return table
    fields = [
        name
        for at, path in enumerate(table.fields)
        for name in ((f"{path} minimum", f"{path} maximum") if at in places else (path,))
    ]
    return SourceTable(table.source, tuple(fields), partial(_split, table, places))


def _are_ranges(values: Sequence[str]) -> bool:
    found = [_limits(value) for value in values]
    pairs = [(number_of(low) or 0.0, number_of(high) or 0.0) for low, high in filter(None, found) if low and high]
    wide = sum(high - low > 1 for low, high in pairs)
    return (
        len(pairs) >= _FEWEST
        and None not in found
        and all(low < high for low, high in pairs)
        and wide >= _LEAST_WIDE * len(pairs)
    )


def _limits(cell: str) -> tuple[str, str] | None:
    """The limits in a cell, "" for one that it lacks; None if it holds something else."""
    if match := _RANGE.fullmatch(cell):
        return match[1], match[2]
    if match := _LEAST.fullmatch(cell):
        return match[1], ""
    return ("", match[1]) if (match := _MOST.fullmatch(cell)) else None


def _split(table: Table, places: Sequence[int]) -> Iterator[Line]:
    for record in table.records():
        cells: list[str] = []
        for at, cell in enumerate(record.values):
            cells += (_limits(cell) or ("", "")) if at in places else (cell,)
        yield Line(record.line, tuple(cells))
