"""Many files of one folder with nearly the same columns are one table, such as an export for each day."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath

from extraction.contract.sources.ragged_lines import Record
from extraction.contract.sources.source_table import SourceTable

FEWEST_FILES = 50
LEAST_ALIKE = 0.8  # fields of both among the fields of either
_WHOLE_FILES = {"csv", "tsv", "txt", "json", "jsonl"}


def joined(tables: Sequence[SourceTable]) -> list[SourceTable]:
    """The tables, those of at least fifty files of one folder whose columns are alike as one, in place of the first."""
    folders: dict[tuple[str, str], list[SourceTable]] = {}
    for table in tables:
        if table.fields and table.source.format in _WHOLE_FILES:
            folders.setdefault((str(PurePosixPath(table.source.name).parent), table.source.format), []).append(table)
    result = list(tables)
    for (folder, _), members in folders.items():
        commonest = Counter(frozenset(table.fields) for table in members).most_common(1)[0][0]
        alike = [table for table in members if _alikeness(commonest, frozenset(table.fields)) > LEAST_ALIKE]
        if len(alike) >= FEWEST_FILES:
            place = next(place for place, table in enumerate(result) if table is alike[0])
            parts = {id(table) for table in alike}
            result[place] = _one(folder, alike)
            result = [table for table in result if id(table) not in parts]
    return result


def _alikeness(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _one(folder: str, parts: Sequence[SourceTable]) -> SourceTable:
    fields = tuple(dict.fromkeys(field for table in parts for field in table.fields))
    digest = hashlib.sha256("".join(f"{one.source.name}\0{one.source.sha256}\n" for one in parts).encode())
    first = parts[0].source
    suffix = "".join(PurePosixPath(first.name).suffixes[-1:])
    source = replace(
        first,
        name=f"*{suffix}" if folder == "." else f"{folder}/*{suffix}",
        sha256=digest.hexdigest(),
        encoding=_same({table.source.encoding for table in parts}),
        delimiter=_same({table.source.delimiter for table in parts}),
        rows=0,
    )
    return SourceTable(source, fields, partial(_records, fields, tuple(parts)), parts=tuple(parts))


def _same(values: set[str]) -> str:
    return values.pop() if len(values) == 1 else ""


def _records(fields: tuple[str, ...], parts: Sequence[SourceTable]) -> Iterator[Record]:
    for table in parts:
        places = {field: place for place, field in enumerate(table.fields)}
        chosen = [places.get(field) for field in fields]
        for record in table.records():
            values = tuple("" if place is None else record.values[place] for place in chosen)
            yield Record(record.line, values, table.source.name)
