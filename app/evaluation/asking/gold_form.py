"""Answers in the form in which right answers are written: a table of beds and values, a number, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from app.asking.answer import Answer, Cell, Kind, Line
from app.asking.leaves import values_of
from extraction.flowsheet.values import NotObtained
from extraction.questions.query import (
    Aggregate,
    AllOf,
    AnyOf,
    Compare,
    Comparison,
    Condition,
    Group,
    Missing,
    Not,
    Select,
    Value,
    Where,
)
from extraction.questions.query import Sequence as Course

Form = dict[str, Any]
_NUMBERS = frozenset((Aggregate.SUM, Aggregate.MEAN, Aggregate.CHANGE, Aggregate.COUNT))
_PRESSURE = re.compile(r"\d+/\d+")


def gold_forms(answer: Answer) -> Iterator[Form]:
    """All forms in which the right answer may be written, likeliest first.

    Conditions that all hold stand in one row of a patient or in a row each, and one number of a blood pressure stands
    alone or as the pressure that it is of.
    """
    yield in_gold_form(answer)
    if isinstance(answer.query, Select) and answer.kind is Kind.TABLE:
        yield _selection(answer.query, answer, apart=True)
        whole = {value_id: _PRESSURE.match(one.text) for value_id, one in answer.citations.items()}
        pressures = {value_id: found[0] for value_id, found in whole.items() if found}
        lines = [replace(one, cells=tuple(_whole(cell, pressures) for cell in one.cells)) for one in answer.lines]
        yield _selection(answer.query, replace(answer, lines=tuple(lines)))


def _whole(cell: Cell, pressures: Mapping[int, str]) -> Cell:
    """A cell with the whole pressure that its number is of."""
    whole = pressures.get(cell.value_ids[0]) if len(cell.value_ids) == 1 else None
    return replace(cell, value=whole) if whole else cell


def in_gold_form(answer: Answer) -> Form:
    """The answer as `type` table, number or refuse, with `columns`, `rows`, `ordered`, `value` or `reason`."""
    if answer.refusal is not None:
        return {"type": "refuse", "reason": answer.refusal.reason.value}
    if answer.kind is Kind.NUMBER:
        return {"type": "number", "value": answer.number.value if answer.number else None}
    if answer.kind is Kind.QUOTES:
        rows: list[list[Any]] = [[_bed(one.bed), one.text] for one in answer.quotes]
        return _table(["bed", "sentence"], rows, ordered=False)
    match answer.query:
        case Group():
            rows = [[_plain(line.cells[0]), line.cells[1].value] for line in answer.lines]
            return _table(["value", "patients"], rows, ordered=False)
        case Missing(measures=measures):
            rows = [[_bed(line.bed), None] for line in answer.lines]
            return _table(["bed", measures[0].name if len(measures) == 1 else "value"], rows, ordered=False)
        case Compare():
            parts = [in_gold_form(part) for part in answer.parts]
            if times := _two_times(answer):
                return times
            if all(part["type"] == "table" for part in parts):
                return _table(parts[0]["columns"], [row for part in parts for row in part["rows"]], ordered=False)
            return {"type": "number", "value": answer.number.value if answer.number else None}
        case Course():
            return _sequence(answer)
        case Select() as query:
            return _selection(query, answer)
    return _table([], [], ordered=False)


def _two_times(answer: Answer) -> Form | None:
    """The values of one patient at two times, with when they were observed, earliest first."""
    queries = [part.query for part in answer.parts if isinstance(part.query, Select)]
    if len(queries) < 2 or queries[0].subject != queries[1].subject or len(queries[0].subject.patient_ids or ()) != 1:
        return None
    rows = [
        [_bed(line.bed), f"{cell.at:%Y-%m-%dT%H:%M}", value]
        for part in answer.parts
        for line in part.lines
        for cell in line.cells
        if cell.at
        for value in _parts(cell)
    ]
    return _table(["bed", "time", "value"], sorted(rows, key=lambda row: row[1]), ordered=False)


def _one_number(query: Select) -> bool:
    """Whether one number of one patient is asked for, made of several values."""
    one = len(query.subject.patient_ids or ()) == 1 and len(query.values) == 1 and query.where is None
    return one and isinstance(query.values[0], Value) and query.values[0].aggregate in _NUMBERS


def _selection(query: Select, answer: Answer, *, apart: bool = False) -> Form:
    if _one_number(query):
        cells = [cell for line in answer.lines for cell in line.cells]
        return {"type": "number", "value": _plain(cells[0]) if cells else None}
    ordered = query.order is not None and query.limit is not None and len(answer.lines) > 1
    missing = _not_charted(query.where)
    if missing and not query.values:
        rows = [[_bed(line.bed), None] for line in answer.lines]
        name = missing[0].value.measure.name if isinstance(missing[0].value, Value) else "value"
        return _table(["bed", name], rows, ordered=False)
    rows = [row for line in answer.lines for row in _rows(query, line, apart=apart)]
    if query.subject.patient_ids is not None and (query.where is None or _asks_whether_charted(query.where)):
        listed = {line.patient_id for line in answer.lines}
        rows += [[_bed(one.bed), None] for one in answer.not_charted if one.patient_id not in listed]
    columns = (
        ["bed", "value"]
        if len(answer.columns) <= 1 or not query.values
        else ["bed", *(one.title for one in answer.columns)]
    )
    return _table(columns, rows, ordered=ordered)


def _asks_whether_charted(where: Where) -> bool:
    return isinstance(where, Condition) and where.comparison is Comparison.CHARTED


def _rows(query: Select, line: Line, *, apart: bool) -> list[list[Any]]:
    """The rows of a line: one for each option of its values."""
    bed = _bed(line.bed)
    if query.values:
        return [[bed, *chosen] for chosen in product(*(_parts(cell) or [None] for cell in line.cells))]
    if query.where is None:
        return [[bed]]
    places = {value: place for place, value in enumerate(values_of(query.where))}
    alternatives = AnyOf(query.where.conditions) if apart and isinstance(query.where, AllOf) else query.where
    return [[bed, chosen] for chosen in _met(alternatives, line.cells, places)]


def _met(where: Where, cells: Sequence[Cell], places: Mapping[Any, int]) -> list[Any]:
    """The values by which a condition is met: of several that all hold, joined; of several of which one does, each."""
    match where:
        case Condition():
            cell = cells[places[where.value]]
            return _parts(cell) if cell.met is not False else []
        case Not():
            return _parts(cells[places[values_of(where)[0]]])
        case AnyOf():
            found = [value for one in where.conditions for value in _met(one, cells, places)]
            return list(dict.fromkeys(found))
        case AllOf():
            parts = [_met(one, cells, places) for one in where.conditions]
            if len(parts) == 1:
                return parts[0]
            return [", ".join(map(_text, chosen)) for chosen in product(*(part for part in parts if part))]


def _sequence(answer: Answer) -> Form:
    rows = [
        [_bed(line.bed), f"{line.at:%Y-%m-%dT%H:%M}", value]
        for line in answer.lines
        if line.at
        for value in _parts(line.cells[1])
    ]
    return _table(["bed", "time", "value"], rows, ordered=True)


def _not_charted(where: Where | None) -> list[Condition]:
    match where:
        case Condition():
            return [where] if where.comparison is Comparison.NOT_CHARTED else []
        case AllOf():
            return [one for part in where.conditions for one in _not_charted(part)]
    return []


def _parts(cell: Cell) -> list[Any]:
    if cell.value is None:
        return []
    if cell.options:
        return list(cell.options)
    return [_plain(cell)]


def _plain(cell: Cell) -> Any:
    value = cell.value
    if isinstance(value, bool):
        return "Yes" if value else "No"
    if isinstance(value, NotObtained):
        return str(value)
    return ", ".join(value) if isinstance(value, tuple) else value


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _bed(bed: str) -> Any:
    return int(bed) if bed.isdecimal() else bed


def _table(columns: list[str], rows: list[list[Any]], *, ordered: bool) -> Form:
    return {"type": "table", "columns": columns, "rows": rows, "ordered": ordered}
