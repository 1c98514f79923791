"""Sources that name the rows of a dictionary by another unique field than their id, such as a code or a short name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from extraction.contract.catalogue import Profile, Table
from extraction.contract.records import Link
from extraction.contract.sources.ragged_lines import Record as Line
from extraction.contract.sources.source_table import SourceTable
from extraction.contract.structure.source_kinds import has_people
from extraction.contract.value_shapes import is_nothing

Place = tuple[str, str]  # a source and a field


def alternate_keys(
    profiles: Sequence[Profile], links: Sequence[Link], dictionaries: Mapping[str, str]
) -> dict[Place, Place]:
    """The fields that name rows by another unique field of a dictionary than the id, each with that field.

    Args:
        dictionaries: the sources that list rows, each with the field of the row's id.
    """
    columns = {(one.source.name, path): column for one in profiles for path, column in one.columns.items()}
    ids = set(dictionaries.items())
    by_id = {link.child[0] for link in links if link.parent in ids}
    others = [place for place, column in columns.items() if place[0] in dictionaries and column.unique]
    others = [place for place in others if place not in ids]
    found = {link.child: link.parent for link in links if link.parent in others}
    return {child: parent for child, parent in found.items() if child[0] not in by_id | set(dictionaries)}


def keys_between(
    profiles: Sequence[Profile], links: Sequence[Link], dictionaries: Mapping[str, str]
) -> tuple[dict[Place, Place], dict[str, str]]:
    """Fields of sources that lead to a line about a row, such as one of its limits, and only so to the row.

    Args:
        links: those of alternate keys led to ids, see `led_to_ids`.

    Returns:
        the fields, each with the key of the line; and the sources of such lines, with the field of the row in each.
    """
    ids = set(dictionaries.items())
    to_rows = {link.child[0]: link.child[1] for link in links if link.parent in ids}
    people = {one.source.name for one in profiles if has_people(one)}
    aside = people | set(dictionaries)
    between = {source: path for source, path in to_rows.items() if source not in aside}
    found = {
        link.child: link.parent
        for link in links
        if link.many and link.parent[0] in between and link.child[0] not in aside | set(to_rows)
    }
    return found, {source: between[source] for source, _ in found.values()}


def led_to_ids(links: Sequence[Link], fields: Mapping[Place, Place], ids: Mapping[str, Place]) -> tuple[Link, ...]:
    """The links, those of such fields to the id of the row.

    Args:
        fields: see `alternate_keys` and `keys_between`.
        ids: the id of the row, by the source to which such a field leads.
    """
    kept = [link for link in links if link.child not in fields]
    led = [replace(link, parent=ids[link.parent[0]]) for link in links if link.child in fields]
    return (*kept, *led)


def with_row_ids(
    tables: Sequence[Table], alternates: Mapping[Place, Place], dictionaries: Mapping[str, str]
) -> list[Table]:
    """The sources, with the id of the row in the place of what names it otherwise.

    Args:
        dictionaries: the field with the id of the row, by the source to which such a field leads.
    """
    by_name = {table.source.name: table for table in tables}
    ids: dict[Place, dict[str, str]] = {}
    for place in set(alternates.values()):
        table = by_name[place[0]]
        at, id_at = table.fields.index(place[1]), table.fields.index(dictionaries[place[0]])
        lines = [record.values for record in table.records()]
        ids[place] = {
            cells[at].strip().casefold(): cells[id_at].strip() for cells in lines if not is_nothing(cells[at])
        }
    translated: list[Table] = []
    for table in tables:
        at_fields = {
            at: ids[alternates[table.source.name, path]]
            for at, path in enumerate(table.fields)
            if (table.source.name, path) in alternates
        }
        read = partial(_translated, table, at_fields)
        translated.append(SourceTable(table.source, tuple(table.fields), read) if at_fields else table)
    return translated


def _translated(table: Table, at_fields: Mapping[int, Mapping[str, str]]) -> Iterator[Line]:
    for record in table.records():
        cells = list(record.values)
        for at, ids in at_fields.items():
            cell = cells[at].strip()
            # a value that names no row must not pass for the id of one
            unknown = f"{table.fields[at]} {cell}" if not is_nothing(cell) else ""
            cells[at] = ids.get(cell.casefold(), unknown)
        yield Line(record.line, tuple(cells))
