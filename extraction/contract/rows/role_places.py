"""Where the fields of each role stand in a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from extraction.contract.catalogue import Table
from extraction.contract.records import FieldRole
from extraction.contract.value_shapes import words_in


def places_of(table: Table, roles: Mapping[tuple[str, str], FieldRole]) -> dict[FieldRole, list[int]]:
    """The places of a source's fields by role, in their order; empty for a role that none has."""
    places: dict[FieldRole, list[int]] = {role: [] for role in FieldRole}
    for at, path in enumerate(table.fields):
        places[roles.get((table.source.name, path), FieldRole.OTHER)].append(at)
    return places


def without_doubles(table: Table, places: Sequence[int]) -> list[int]:
    """Places of names without those that call the same thing another way, such as `TMPL_NAME` and `TMPL_DISPLAY`."""
    kept: list[int] = []
    for at in places:
        words = set(words_in(table.fields[at]))
        double = next((one for one in kept if words & set(words_in(table.fields[one])) and _same(table, one, at)), None)
        if double is None:
            kept.append(at)
        elif _capitals(table, double) and not _capitals(table, at):
            kept[kept.index(double)] = at
    return kept


def _same(table: Table, one: int, other: int) -> bool:
    pairs = {(record.values[one], record.values[other]) for record in table.records()}
    return len(pairs) == len({first for first, _ in pairs}) == len({second for _, second in pairs})


def _capitals(table: Table, at: int) -> bool:
    return all(record.values[at] == record.values[at].upper() for record in table.records())
