"""Answers in the form in which right answers are written: a table of beds and values, a number, or a refusal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from app.asking.answer import Answer, Cell, Kind, Line
from app.asking.leaves import values_of
from extraction.flowsheet.values import NotObtained
from extraction.questions.query import (
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
            if all(part["type"] == "table" for part in parts):
                return _table(parts[0]["columns"], [row for part in parts for row in part["rows"]], ordered=False)
            return {"type": "number", "value": answer.number.value if answer.number else None}
        case Course():
            return _sequence(answer)
        case Select() as query:
            return _selection(query, answer)
    return _table([], [], ordered=False)


def _selection(query: Select, answer: Answer) -> Form:
    ordered = query.order is not None and query.limit is not None and len(answer.lines) > 1
    missing = _not_charted(query.where)
    if missing and not query.values:
        rows = [[_bed(line.bed), None] for line in answer.lines]
        name = missing[0].value.measure.name if isinstance(missing[0].value, Value) else "value"
        return _table(["bed", name], rows, ordered=False)
    rows = [row for line in answer.lines for row in _rows(query, line)]
    if query.subject.patient_ids is not None and query.where is None:
        listed = {line.patient_id for line in answer.lines}
        rows += [[_bed(one.bed), None] for one in answer.not_charted if one.patient_id not in listed]
    columns = (
        ["bed", "value"]
        if len(answer.columns) <= 1 or not query.values
        else ["bed", *(one.title for one in answer.columns)]
    )
    return _table(columns, rows, ordered=ordered)


def _rows(query: Select, line: Line) -> list[list[Any]]:
    """The rows of a line: one for each option of its values."""
    bed = _bed(line.bed)
    if query.values:
        return [[bed, *chosen] for chosen in product(*(_parts(cell) or [None] for cell in line.cells))]
    if query.where is None:
        return [[bed]]
    places = {value: place for place, value in enumerate(values_of(query.where))}
    return [[bed, chosen] for chosen in _met(query.where, line.cells, places)]


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
