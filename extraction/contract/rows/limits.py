"""Limits and units of rows that stand in a source of their own, such as one line for each age."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from extraction.contract.catalogue import Table
from extraction.contract.records import Cell, FieldRole
from extraction.contract.rows.activity import retired_in
from extraction.contract.rows.dictionary import DictionaryLine
from extraction.contract.rows.role_places import places_of
from extraction.contract.rows.units import unit_named
from extraction.contract.value_shapes import has_decimal_commas, is_nothing, number_of

_SAID = (FieldRole.MINIMUM, FieldRole.MAXIMUM, FieldRole.UNIT)


def add_limits(
    tables: Iterable[Table],
    roles: Mapping[tuple[str, str], FieldRole],
    meanings: Mapping[tuple[str, str], Mapping[str, str]],
    lines: Mapping[str, DictionaryLine],
    today: str,
) -> None:
    """Gives rows limits and units that their own lines lack. Of several lines in use the widest limits hold.

    Args:
        meanings: by source and field, what its codes mean.
        lines: of the dictionary, by id.
        today: in ISO 8601; what was valid until a day before is no longer used.
    """
    limited = {row_id for row_id, line in lines.items() if line.minimum is not None or line.maximum is not None}
    for table in tables:
        places = places_of(table, roles)
        is_retired = retired_in(table, places[FieldRole.ACTIVE], today)
        row_at = next(iter(places[FieldRole.ROW_ID]), None)
        at = {role: places[role][0] for role in _SAID if places[role]}
        if row_at is None or not at:
            continue
        bounds = [place for role, place in at.items() if role is not FieldRole.UNIT]
        commas = has_decimal_commas(record.values[place] for record in table.records() for place in bounds)
        units = meanings.get((table.source.name, table.fields[at[FieldRole.UNIT]]), {}) if FieldRole.UNIT in at else {}
        for record in table.records():
            line = lines.get(record.values[row_at].strip())
            if line is None or is_retired(record.values):
                continue
            said = {role: cell for role, place in at.items() if not is_nothing(cell := record.values[place].strip())}
            if unit := said.pop(FieldRole.UNIT, ""):
                line.unit = line.unit or unit_named(units.get(unit, "" if unit == "0" else unit))
            if line.id in limited:
                continue
            numbers = {role: number_of(cell, decimal_comma=commas) for role, cell in said.items()}
            line.minimum = _widest(line.minimum, numbers.get(FieldRole.MINIMUM), min)
            line.maximum = _widest(line.maximum, numbers.get(FieldRole.MAXIMUM), max)
            line.cells += [Cell(table.source.name, record.line, table.fields[at[role]]) for role in said]


def _widest(known: float | None, number: float | None, of: Callable[[float, float], float]) -> float | None:
    if known is None or number is None:
        return number if known is None else known
    return of(known, number)
