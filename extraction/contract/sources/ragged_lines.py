"""Lines of a file or sheet that are no records of its table: footers, repeated headers, notes, broken lines.

One such line never refuses an export. Each is named, so that nobody takes what it says for read; only where many lines
do not fit the header is the file refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from extraction.contract.errors import SourceError
from extraction.contract.records import Source
from extraction.contract.value_shapes import tidied

_FEWEST_ALLOWED, _SHARE_ALLOWED = 3, 0.01  # lines among records that may be set aside
_LONGEST_FOOTER = 20
_LEAST_WIDTH = 3  # a lone cell says little of a table that is narrower
_FEWEST_WORDS = 2
_MOST_NAMED = 20
_SHEETS = ("xlsx", "xlsm")


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


@dataclass(slots=True)
class LinesSetAside:
    """What a pass over a table left out. No text of it is kept, since it may be about a patient.

    Attributes:
        count: of all lines; unfit: of those that have another number of cells and stand among records.
        named: the first of them, each with its line and why.
        first_unfit: what the first of the unfit ones has.
    """

    count: int = 0
    unfit: int = 0
    named: list[tuple[int, str]] = field(default_factory=list)
    first_unfit: str = ""

    def add(self, line: int, why: str) -> None:
        self.count += 1
        if len(self.named) < _MOST_NAMED:
            self.named.append((line, why))

    def add_unfit(self, line: int, cells: int, width: int) -> None:
        has = f"{cells}, where {width} {'cell was' if width == 1 else 'cells were'} expected"
        self.unfit += 1
        self.first_unfit = self.first_unfit or f"{line}, has {has}"
        self.add(line, f"has {has}")


def fitted_lines(
    lines: Iterable[Record], source: Source, fields: Sequence[str], aside: LinesSetAside
) -> Iterator[Record]:
    """The records among the lines of a table, each with one value for each field.

    Args:
        aside: gets the lines that are none, and notes beside the table; see `refuse_if_many`.
    """
    held: list[tuple[Record, Record | None]] = []  # lines that may be a footer, and the records that they else are
    previous = 0
    for line in lines:
        record = _fitted(line, len(fields), source, aside)
        if record is not None and _is_header_again(record, source, fields):
            aside.add(line.line, "the header again")
            continue
        if record is not None and len(line.values) > len(fields) and not any(record.values):
            continue  # a note stands beside an empty line
        doubtful = record is None or _may_be_footer(
            record, source, after_gap=bool(held) or 0 < previous < line.line - 1
        )
        previous = line.line
        if doubtful:
            held.append((line, record))
            if len(held) <= _LONGEST_FOOTER:
                continue
        if held:
            yield from _among_records(held, len(fields), aside)
            held.clear()
        if record is not None and not doubtful:
            yield record
    footer = [line for line, _ in held if _filled(line) == 1]
    yield from _among_records([one for one in held if one[0] not in footer], len(fields), aside)
    for line in footer:
        aside.add(line.line, "below the table")


def refuse_if_many(aside: LinesSetAside, records: int, source: Source) -> None:
    """Raises SourceError if more lines do not fit than those of a slip or two, so that the table may be misread."""
    if aside.unfit <= min(records, max(_FEWEST_ALLOWED, _SHARE_ALLOWED * records)):
        return
    place = f"{source.name.partition('#')[0]}, sheet {source.sheet}, row" if source.sheet else f"{source.name}, line"
    others = f"; {aside.unfit - 1} of {records + aside.unfit} lines do not fit either" if aside.unfit > 1 else ""
    raise SourceError(
        f"{place} {aside.first_unfit}{others}.",
        "Correct that line, or export the file again, with each cell that holds a separator in quotation marks.",
    )


def _among_records(held: Iterable[tuple[Record, Record | None]], width: int, aside: LinesSetAside) -> Iterator[Record]:
    for line, record in held:
        if record is not None:
            yield record
        elif _filled(line):
            aside.add_unfit(line.line, len(line.values), width)


def _fitted(line: Record, width: int, source: Source, aside: LinesSetAside) -> Record | None:
    """The line with as many values as the table has fields; None if it has others.

    Empty cells beyond the table count for nothing. In a sheet, where no cell can slip into the next, one that is left
    out at the end is empty, and a value beyond the table is a note beside it.
    """
    values = line.values
    if len(values) == width:
        return line
    in_sheet = source.format in _SHEETS
    if len(values) < width:
        return line._replace(values=values + ("",) * (width - len(values))) if in_sheet else None
    if any(cell.strip() for cell in values[width:]):
        if not in_sheet:
            return None
        aside.add(line.line, "a note beside the table")
    return line._replace(values=values[:width])


def _is_header_again(record: Record, source: Source, fields: Sequence[str]) -> bool:
    values = record.values
    return bool(source.header_line) and values[0].strip() == fields[0] and tuple(map(tidied, values)) == tuple(fields)


def _may_be_footer(record: Record, source: Source, *, after_gap: bool) -> bool:
    """Whether a row of a sheet has words in its first cell alone, below an empty row.

    In a text file a line of the full width was written as a record.
    """
    return (
        after_gap
        and len(record.values) >= _LEAST_WIDTH
        and source.format in _SHEETS
        and len(record.values[0].split()) >= _FEWEST_WORDS
        and not any(record.values[1:])
    )


def _filled(line: Record) -> int:
    return sum(bool(cell.strip()) for cell in line.values)
