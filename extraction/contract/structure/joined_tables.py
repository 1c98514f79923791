"""Sources that join the rows of a dictionary with something of which a row has several, such as its options.

Each row then has several lines, which repeat what is said of it or leave it empty. They are read as two sources: the
rows, and what they have several of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import islice

from extraction.contract.catalogue import Record, Table
from extraction.contract.people import is_encounter, is_patient
from extraction.contract.rows.units import is_unit
from extraction.contract.rows.value_types import is_value_type
from extraction.contract.sources.ragged_lines import Record as Line
from extraction.contract.sources.source_table import SourceTable
from extraction.contract.structure.keys import named_as_id
from extraction.contract.value_shapes import is_nothing, number_of

_MOST_LINES = 20_000  # a longer source is no dictionary
_FEWEST_ROWS, _MOST_DIFFERENT = 3, 0.9  # share of lines with an id of their own
_LEAST_NAMED, _LEAST_TYPED = 0.5, 0.5
_FEWEST_FIELDS = 4


def separated(table: Table) -> list[Table]:
    """The source itself, or its rows and what they have several of."""
    fields = table.fields
    if len(fields) < _FEWEST_FIELDS or any(is_patient(path) or is_encounter(path) for path in fields):
        return [table]
    lines = list(islice(table.records(), _MOST_LINES + 1))
    if len(lines) > _MOST_LINES or len(lines) < _FEWEST_ROWS:
        return [table]
    found = []
    for at, path in enumerate(fields):
        ids = _ids(lines, at) if named_as_id(path) else []
        if ids and (own := _said_once(fields, lines, ids, at)):
            found.append((len(own), -at, ids, own))
    if not found:
        return [table]
    _, minus_at, ids, own = max(found, key=lambda one: one[:2])
    return _split(table, lines, ids, -minus_at, own)


def _ids(lines: Sequence[Record], at: int) -> list[str]:
    """The id of each line, that of the line above where it has none; empty if they are not those of joined rows."""
    ids: list[str] = []
    for line in lines:
        cell = line.values[at].strip()
        if is_nothing(cell) and not ids:
            return []
        ids.append(ids[-1] if is_nothing(cell) else cell)
    different = len(set(ids))
    return ids if _FEWEST_ROWS <= different <= _MOST_DIFFERENT * len(lines) else []


def _said_once(fields: Sequence[str], lines: Sequence[Record], ids: Sequence[str], id_at: int) -> list[int]:
    """The fields that say one thing of each id, if a name and a type or a unit are among them."""
    own = []
    named = typed = several = False
    for at in range(len(fields)):
        pairs = {
            (one, cell) for one, line in zip(ids, lines, strict=True) if not is_nothing(cell := line.values[at].strip())
        }
        if at == id_at or len({one for one, _ in pairs}) == len(pairs) > 0:
            own.append(at)
            cells = [cell for _, cell in pairs]
            different = len(set(cells))
            holds_types = different < len(cells) and any(
                sum(map(holds, cells)) >= _LEAST_TYPED * len(cells) for holds in (is_value_type, is_unit)
            )
            words = sum(number_of(cell) is None for cell in cells) >= _LEAST_NAMED * len(cells)
            typed = typed or (at != id_at and holds_types)
            named = named or (at != id_at and words and not holds_types and different >= _LEAST_NAMED * len(set(ids)))
        elif pairs:
            several = True
    return own if named and typed and several else []


def _split(table: Table, lines: Sequence[Record], ids: Sequence[str], id_at: int, own: Sequence[int]) -> list[Table]:
    rest = [at for at in range(len(table.fields)) if at not in own]
    first: dict[str, Record] = {}
    for one, line in zip(ids, lines, strict=True):
        first.setdefault(one, line)
    rows = [Line(line.line, tuple(line.values[at] for at in own)) for line in first.values()]
    parts = [
        Line(line.line, (one, *(line.values[at] for at in rest)))
        for one, line in zip(ids, lines, strict=True)
        if any(not is_nothing(line.values[at]) for at in rest)
    ]
    name = table.source.name
    inner = replace(table.source, name=f"{name} lines" if "#" in name else f"{name}#lines", sheet="lines")
    return [
        SourceTable(table.source, tuple(table.fields[at] for at in own), partial(iter, rows)),
        SourceTable(inner, (table.fields[id_at], *(table.fields[at] for at in rest)), partial(iter, parts)),
    ]
