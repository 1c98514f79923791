"""Tables in text files: cells between separators."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from extraction.contract.errors import SourceError
from extraction.contract.records import Source
from extraction.contract.sources.dialects import Dialect, find_dialect, has_several_cells, sample_lines
from extraction.contract.sources.header import Header, find_header
from extraction.contract.sources.ragged_lines import Record
from extraction.contract.sources.source_table import SourceTable, without_table
from extraction.contract.sources.text_files import TextFile

_MOST_OF_A_TABLE = 0.5  # lines of equal width in a file that its name calls a table; the others are named when read
_MOST_OF_A_TEXT = 0.9
_FEWEST_LINES_OF_A_TEXT = 3


def delimited_table(source: Source, file: TextFile, *, is_table: bool) -> SourceTable:
    """The table of a text file.

    Args:
        is_table: whether the name of the file says so; otherwise it may be any text.

    Raises:
        SourceError: it is a table that cannot be read.
    """
    if file.problem and is_table:
        raise file.problem
    sample, cut = file.sample()
    if not sample.strip():
        return without_table(source, "The file is empty.")
    dialect = find_dialect(sample, cut, _MOST_OF_A_TABLE if is_table else _MOST_OF_A_TEXT)
    if dialect is None and is_table and has_several_cells(sample, cut):
        raise SourceError(
            f"{file.name}: no separator and quotation marks give its lines the same number of cells.",
            "Export the file again, with each cell that holds a separator in quotation marks.",
        )
    one_column = dialect is None
    dialect = dialect or Dialect("\x1f")  # a character that no text has: each line is one cell
    lines, _ = sample_lines(sample, cut, dialect)
    header = find_header(lines)
    if header is None or (not is_table and dialect.delimiter not in ";\t|" and len(lines) < _FEWEST_LINES_OF_A_TEXT):
        return without_table(source, "The file holds text, but no table.")
    if file.problem:
        raise file.problem
    delimiter = "," if one_column else dialect.delimiter
    source = replace(source, encoding=file.encoding, delimiter=delimiter, header_line=header.line)
    return SourceTable(source, header.fields, partial(_records, file, dialect, header))


def _records(file: TextFile, dialect: Dialect, header: Header) -> Iterator[Record]:
    for line, cells in dialect.lines(file.lines(), file.name):
        if line <= header.line or (line == header.line + 1 and all(set(cell) <= {"-"} for cell in cells)):
            continue  # a line of dashes below the header
        yield Record(line, tuple(cells))
