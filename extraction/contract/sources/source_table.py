"""One table of an export, as a stream of records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from extraction.contract.errors import SourceError
from extraction.contract.records import Source


class Record(NamedTuple):
    """One record of a table.

    Attributes:
        line: where it begins, from 1: the line of a text file, the row of a sheet, the record of a database.
        values: one for each field of its table, as written in the export; "" where there is none.
        file: where the source is a folder of files, the file that has the line.
    """

    line: int
    values: tuple[str, ...]
    file: str = ""


def no_records() -> Iterator[Record]:
    return iter(())


@dataclass(slots=True)
class SourceTable:
    """A table that was found, or a file that holds none.

    A table without a line of names has `source.header_line` 0 and fields `column 1`, `column 2` and so on, and so have
    JSON and databases, whose names stand elsewhere. Where there is no table, `source.header_line` is None.

    Attributes:
        source: its `rows` are counted by the first complete pass over `records`.
        fields: names of the columns, each one different.
        skipped: why nothing is read of it, as a sentence; empty for a table.
    """

    source: Source
    fields: tuple[str, ...] = ()
    read: Callable[[], Iterator[Record]] = no_records
    skipped: str = ""

    def records(self) -> Iterator[Record]:
        """Reads the table from its beginning.

        Raises:
            SourceError: a record cannot be read as the header says.
        """
        rows = 0
        for record in self.read():
            rows += 1
            yield record
        self.source = replace(self.source, rows=rows)


def without_table(source: Source, why: str) -> SourceTable:
    return SourceTable(replace(source, header_line=None, rows=0), skipped=why)


def unique_names(header: Sequence[str]) -> tuple[str, ...]:
    """Names of fields: white space joined, a blank one named after its place, a repeated one numbered."""
    written = [" ".join(cell.split()) for cell in header]
    names: list[str] = []
    taken: set[str] = set()
    for place, name in enumerate(written, start=1):
        unique = base = name or f"column {place}"
        number = 1
        while unique in taken or (number > 1 and unique in written):
            number += 1
            unique = f"{base} ({number})"
        names.append(unique)
        taken.add(unique)
    return tuple(names)


def fitted(cells: Sequence[str], width: int, place: str) -> tuple[str, ...]:
    """The cells of a line, which may have empty ones beyond the table's width.

    Raises:
        SourceError: it has fewer cells than the table, or a value beyond it.
    """
    if len(cells) == width:
        return tuple(cells)
    if len(cells) < width or any(cells[width:]):
        expected = f"{width} {'cell was' if width == 1 else 'cells were'} expected"
        raise SourceError(
            f"{place} has {len(cells)}, where {expected}.", "Correct that line, or export the file again."
        )
    return tuple(cells[:width])
