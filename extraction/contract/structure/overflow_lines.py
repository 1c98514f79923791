"""Dictionaries with a column for each option in which a row with more options goes on in the line below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import islice

from extraction.contract.catalogue import Record, Table
from extraction.contract.rows.option_cells import option_columns
from extraction.contract.sources.ragged_lines import Record as Line
from extraction.contract.sources.source_table import SourceTable

_MOST_LINES = 20_000  # a longer source is no dictionary
_MOST_GOING_ON = 0.5  # share of lines
_NUMBER = re.compile(r"\d+")


def with_options_below(table: Table) -> Table:
    """The source itself, or its lines with the options of the lines that go on with them in further columns."""
    columns = option_columns(table.fields)
    if not columns or not all(_NUMBER.search(path) for path in columns):
        return table
    lines = list(islice(table.records(), _MOST_LINES + 1))
    places = [at for at, path in enumerate(table.fields) if path in columns]
    going_on = [_goes_on(line, places) for line in lines]
    if len(lines) > _MOST_LINES or not 0 < sum(going_on) <= _MOST_GOING_ON * len(lines):
        return table
    gathered: list[list[Record]] = []
    for line, goes_on in zip(lines, going_on, strict=True):
        if goes_on and gathered:
            gathered[-1].append(line)
        else:
            gathered.append([line])
    most = max(map(len, gathered))
    width = max(column.number for column in columns.values())
    further = [
        _NUMBER.sub(str(step * width + columns[table.fields[at]].number), table.fields[at], count=1)
        for step in range(1, most)
        for at in places
    ]
    rows = [_joined(one, places, most) for one in gathered]
    return SourceTable(table.source, (*table.fields, *further), partial(iter, rows))


def _goes_on(line: Record, places: Sequence[int]) -> bool:
    filled = [at for at, cell in enumerate(line.values) if cell.strip()]
    return bool(filled) and set(filled) <= set(places)


def _joined(lines: Sequence[Record], places: Sequence[int], most: int) -> Line:
    further = [line.values[at] for line in lines[1:] for at in places]
    empty = [""] * ((most - len(lines)) * len(places))
    return Line(lines[0].line, (*lines[0].values, *further, *empty))
