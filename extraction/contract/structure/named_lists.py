"""Lists of options that a dictionary names: each is a source of its own, or a column of one source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from extraction.contract.catalogue import Column, Profile
from extraction.contract.records import FieldType
from extraction.contract.rows.options import list_key, list_name
from extraction.contract.structure.source_kinds import has_people

_LEAST_NAMED, _FEWEST = 0.6, 2


@dataclass
class NamedLists:
    """Lists that are found by their names.

    Attributes:
        fields: of dictionaries, by source and path, that name the lists.
        sources: that are one list each.
        in_columns: sources each of whose columns is a list.
    """

    fields: set[tuple[str, str]] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    in_columns: set[str] = field(default_factory=set)


def find_named_lists(profiles: Sequence[Profile], dictionaries: Mapping[str, str]) -> NamedLists:
    """The lists that fields of dictionaries name.

    Args:
        dictionaries: the sources that list rows, each with the field of the row's id.
    """
    found = NamedLists()
    others = [one for one in profiles if one.source.name not in dictionaries and not has_people(one)]
    sources = {list_key(list_name(one.source)): one.source.name for one in others}
    for profile in profiles:
        if profile.source.name not in dictionaries:
            continue
        for path, column in profile.columns.items():
            if path == dictionaries[profile.source.name]:
                continue
            names = _names(column)
            if _are_named(names, set(sources)):
                found.fields.add((profile.source.name, path))
                found.sources |= {sources[name] for name in names & set(sources)}
            for other in others:
                if _are_named(names, {list_key(header) for header in other.columns}):
                    found.fields.add((profile.source.name, path))
                    found.in_columns.add(other.source.name)
    return found


def _names(column: Column) -> set[str]:
    if column.field.type not in (FieldType.TEXT, FieldType.CODE, FieldType.INTEGER) or column.field.excluded:
        return set()
    return {list_key(value) for value in column.sample} - {""}


def _are_named(names: set[str], known: set[str]) -> bool:
    return len(names & known) >= max(_FEWEST, _LEAST_NAMED * len(names))
