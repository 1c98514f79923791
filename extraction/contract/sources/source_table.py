"""One table of an export, as a stream of records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from extraction.contract.records import Source
from extraction.contract.sources.ragged_lines import LinesSetAside, Record, fitted_lines, refuse_if_many


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
        read: the lines of the table from its beginning, which may have other numbers of cells than it has fields.
        skipped: why nothing is read of it, as a sentence; empty for a table.
        aside: what the last complete pass over `records` left out, none of it a record.
        parts: the tables of which this one consists; what they leave out stands with them.
    """

    source: Source
    fields: tuple[str, ...] = ()
    read: Callable[[], Iterator[Record]] = no_records
    skipped: str = ""
    aside: LinesSetAside = field(default_factory=LinesSetAside)
    parts: tuple[SourceTable, ...] = ()

    def records(self) -> Iterator[Record]:
        """Reads the table from its beginning.

        Raises:
            SourceError: too many lines cannot be read as the header says.
        """
        rows = 0
        aside = LinesSetAside()
        for record in fitted_lines(self.read(), self.source, self.fields, aside):
            rows += 1
            yield record
        refuse_if_many(aside, rows, self.source)
        self.source, self.aside = replace(self.source, rows=rows), aside


def set_aside(tables: Iterable[object]) -> list[tuple[str, int, str]]:
    """What was not read as a record of these tables: the source, the line and why, of the first of them in each."""
    parts = [part for table in tables if isinstance(table, SourceTable) for part in (table.parts or (table,))]
    return [(part.source.name, line, why) for part in parts for line, why in part.aside.named]


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
