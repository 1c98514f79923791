"""Lists that stand in several sources of the same form, such as a sheet for each form, or the pages of an answer.

Nothing in one of them alone is what another source refers to: together they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np

from extraction.contract.catalogue import Column, Profile

_FEWEST_PARTS, _FEWEST_FIELDS = 2, 3
_LEAST_ALIKE = 0.6  # fields of both among the fields of either
Place = tuple[str, str]  # source and field


def joined_keys(keys: Sequence[Column], profiles: Sequence[Profile]) -> dict[Place, tuple[Column, tuple[Place, ...]]]:
    """By the place of a key of such a list: the keys of all its parts as one column, and the places of these.

    The column has the source and the path of the first of them.
    """
    fields = {one.source.name: frozenset(one.columns) for one in profiles}
    groups: list[list[Column]] = []
    for key in keys:
        group = next((group for group in groups if _are_parts(group[0], key, fields)), None)
        if group is None:
            groups.append([key])
        else:
            group.append(key)
    found: dict[Place, tuple[Column, tuple[Place, ...]]] = {}
    for group in groups:
        if len(group) < _FEWEST_PARTS:
            continue
        places = tuple((one.field.source, one.field.path) for one in group)
        hashes = np.concatenate([one.hashes for one in group])
        sample = tuple(value for one in group for value in one.sample)
        count = sum(one.field.count for one in group)
        column = Column(replace(group[0].field, count=count, distinct=0), hashes, sample)
        column.field = replace(column.field, distinct=int(column.present.size))
        found |= dict.fromkeys(places, (column, places))
    return found


def _are_parts(one: Column, other: Column, fields: Mapping[str, frozenset[str]]) -> bool:
    mine, theirs = one.field, other.field
    ours, others = fields[mine.source], fields[theirs.source]
    return (
        mine.path == theirs.path
        and mine.source != theirs.source
        and _folder(mine.source) == _folder(theirs.source)
        and min(len(ours), len(others)) >= _FEWEST_FIELDS
        and len(ours & others) >= _LEAST_ALIKE * len(ours | others)
    )


def _folder(source: str) -> tuple[str, str, str]:
    """What the parts of a list have in common: the workbook of sheets, else the folder, the kind and the path."""
    file, _, path = source.partition("#")
    name = PurePosixPath(file)
    if name.suffix.lower() in (".xlsx", ".xlsm", ".db", ".sqlite", ".sqlite3"):
        return file, "", ""
    return str(name.parent), name.suffix, path
