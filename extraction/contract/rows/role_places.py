"""Where the fields of each role stand in a source."""

from __future__ import annotations

from collections.abc import Mapping

from extraction.contract.catalogue import Table
from extraction.contract.records import FieldRole


def places_of(table: Table, roles: Mapping[tuple[str, str], FieldRole]) -> dict[FieldRole, list[int]]:
    """The places of a source's fields by role, in their order; empty for a role that none has."""
    places: dict[FieldRole, list[int]] = {role: [] for role in FieldRole}
    for at, path in enumerate(table.fields):
        places[roles.get((table.source.name, path), FieldRole.OTHER)].append(at)
    return places
