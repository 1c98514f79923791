"""Tables in the sheets of Excel workbooks. Macros are never run and formulas never computed."""

from __future__ import annotations

import re
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from extraction.contract.errors import SourceError
from extraction.contract.records import Source
from extraction.contract.sources.header import Header, find_header
from extraction.contract.sources.header_rows import with_joined_header
from extraction.contract.sources.ragged_lines import Record
from extraction.contract.sources.source_table import SourceTable, without_table
from extraction.contract.sources.text_files import unreadable

MOST_UNPACKED = 1024**3  # bytes of a workbook
MOST_TIMES = 200  # as large as when packed; sheets reach about 50
HARMLESS = 32 * 1024**2  # bytes that may be packed however small
_SAMPLE = 200  # rows with a value, among which the header is looked for
OLE = b"\xd0\xcf\x11\xe0"  # what an encrypted workbook and one of Excel before 2007 begin with
_MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?ref="([A-Z]+)(\d+):([A-Z]+)(\d+)"')
_ESCAPED = re.compile(r"_x000([9AD])_")
_NAMESPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_SAVE_AGAIN = "Open it in Excel, save it again as .xlsx, and try once more."
Row = tuple[int, list[str]]


def workbook_tables(source: Source, path: Path) -> list[SourceTable]:
    """A table for each sheet, hidden ones too; a sheet with text only has none.

    A cell that is merged over rows has its value in each of them, as a person reads it; one that is merged over
    columns has it in the first.

    Raises:
        SourceError: the workbook is encrypted, damaged or unpacks to far too much, or a cell cannot be read.
    """
    tables = []
    with _workbook(path, source.name) as workbook:
        for sheet in workbook.worksheets:
            named = replace(source, name=f"{source.name}#{sheet.title}", sheet=sheet.title)
            tables.append(_table(named, path, source.name, sheet))
    return tables


def _table(source: Source, path: Path, name: str, sheet: Any) -> SourceTable:
    lines = with_joined_header(list(islice(_rows(sheet, name, down=False), _SAMPLE)), partial(_merged_across, sheet))
    header = find_header(lines)
    if header is None:
        why = "The sheet holds text, but no table." if lines else "The sheet is empty."
        return without_table(source, why)
    source = replace(source, header_line=header.line)
    return SourceTable(source, header.fields, partial(_records, path, name, sheet.title, header))


def _records(path: Path, name: str, title: str, header: Header) -> Iterator[Record]:
    with _workbook(path, name) as workbook:
        for line, cells in _rows(workbook[title], name, down=True, below=header.line):
            if line > header.line:
                yield Record(line, tuple(cells))


@contextmanager
def _workbook(path: Path, name: str) -> Iterator[Any]:
    import openpyxl

    try:
        with path.open("rb") as file:
            if file.read(4) == OLE:
                raise SourceError(f"{name} is encrypted, or in the format of Excel before 2007.", _SAVE_AGAIN)
            file.seek(0)
            with zipfile.ZipFile(file) as packed:
                _refuse_bomb(packed, name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of styles and validations, which are not read
                # the file and not its path, of which openpyxl would mind the ending
                workbook = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
            try:
                yield workbook
            finally:
                workbook.close()
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, IndexError, ParseError, EOFError) as error:
        raise SourceError(f"{name} is damaged, or no Excel workbook.", _SAVE_AGAIN) from error
    except OSError as error:
        raise unreadable(name, error) from error


def _refuse_bomb(packed: zipfile.ZipFile, name: str) -> None:
    entries = packed.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    size = max(1, sum(entry.compress_size for entry in entries))
    if unpacked > MOST_UNPACKED or (unpacked > HARMLESS and unpacked > MOST_TIMES * size):
        what = f"{name} would unpack to {unpacked // 1024**2:,} MB, far too much for a workbook of its size."
        raise SourceError(what, "Export the table as CSV.")


def _rows(sheet: Any, name: str, *, down: bool, below: int = 0) -> Iterator[Row]:
    """The rows with at least one value. With `down`, a cell merged over rows below `below` has its value in each."""
    from openpyxl.worksheet._reader import WorkSheetParser
    from openpyxl.xml.functions import iterparse

    merged = _merged_down(sheet, below) if down else {}
    text_of = _cell_text(sheet, name)
    with sheet._get_source() as file:
        parser = WorkSheetParser(file, sheet._shared_strings, data_only=True)  # dates stay numbers, see _cell_text
        parse_cell = parser.parse_cell

        def checked(element: Any) -> Any:
            cell = parse_cell(element)
            formula = element.find(f"{_NAMESPACE}f") is not None
            if formula and cell["value"] is None and element.get("t") != "str":
                raise SourceError(
                    f"{name}, sheet {sheet.title}, cell {_place(cell)}: its formula was never computed.", _SAVE_AGAIN
                )
            return cell

        parser.parse_cell = checked
        data: Any = None
        for event, element in iterparse(file, events=("start", "end")):
            if element.tag == f"{_NAMESPACE}sheetData":
                if event == "end":
                    break
                data = element
            elif event == "end" and element.tag == f"{_NAMESPACE}row":
                line, found = parser.parse_row(element)
                cells = [""] * max((cell["column"] for cell in found), default=0)
                for cell in found:
                    cells[cell["column"] - 1] = text_of(cell)
                _repeat(cells, line, merged)
                if any(cells):
                    yield line, cells
                if data is not None:
                    del data[:]  # the rows that were read


def _merged_down(sheet: Any, below: int) -> dict[int, list[tuple[int, int, list[str]]]]:
    """By column, the ranges merged over several rows: first and last row, and a place for their value."""
    from openpyxl.utils import column_index_from_string

    found: dict[int, list[tuple[int, int, list[str]]]] = {}
    for column, first, _, last in _merges(sheet):
        if int(last) > int(first) > below:
            place = column_index_from_string(column.decode())
            found.setdefault(place, []).append((int(first), int(last), []))
    for ranges in found.values():
        ranges.sort(key=lambda one: one[0], reverse=True)
    return found


def _merged_across(sheet: Any, line: int) -> list[tuple[int, int]]:
    """The first and the last place of each range that is merged over columns of a row, from 0."""
    from openpyxl.utils import column_index_from_string

    found = []
    for column, first, last_column, last in _merges(sheet):
        if int(first) == int(last) == line and column != last_column:
            found.append(
                (column_index_from_string(column.decode()) - 1, column_index_from_string(last_column.decode()) - 1)
            )
    return found


def _merges(sheet: Any) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """The merged ranges of a sheet: first column and row, last column and row."""
    with sheet._get_source() as file:
        rest = b""
        while chunk := file.read(1 << 20):
            chunk = rest + chunk
            end = chunk.rfind(b">") + 1
            yield from _MERGED.findall(chunk[:end])
            rest = chunk[end:]


def _repeat(cells: list[str], line: int, merged: dict[int, list[tuple[int, int, list[str]]]]) -> None:
    for column, ranges in merged.items():
        while ranges and ranges[-1][1] < line:
            ranges.pop()
        if not ranges or ranges[-1][0] > line:
            continue
        first, _, value = ranges[-1]
        cells.extend([""] * (column - len(cells)))
        if line == first:
            value.append(cells[column - 1])
        elif value:
            cells[column - 1] = cells[column - 1] or value[0]


def _place(cell: Any) -> str:
    from openpyxl.utils import get_column_letter

    return f"{get_column_letter(cell['column'])}{cell['row']}"


def _cell_text(sheet: Any, name: str) -> Callable[[Any], str]:
    """A function from a cell to what a person reads in it."""
    from openpyxl.styles.numbers import BUILTIN_FORMATS
    from openpyxl.utils.datetime import from_excel

    book = sheet.parent
    own = book._number_formats

    def form_of(style: int) -> str:
        number = book._cell_styles[style].numFmtId if style < len(book._cell_styles) else 0
        return str(own[number - 164]) if 164 <= number < 164 + len(own) else BUILTIN_FORMATS.get(number, "General")

    def text_of(cell: Any) -> str:
        value, style = cell["value"], cell["style_id"]
        if value is None:
            return ""
        if isinstance(value, bool):
            return str(value).upper()
        if isinstance(value, str):
            return _ESCAPED.sub(lambda match: {"9": "\t", "A": "\n", "D": "\r"}[match[1]], value)
        if not isinstance(value, int | float):
            return _moment_text(value, with_time=False)
        form = form_of(style)
        if style in book._date_formats:
            try:
                moment = from_excel(value, book.epoch, timedelta=style in book._timedelta_formats)
            except (OverflowError, ValueError) as error:
                what = f"{name}, sheet {sheet.title}, cell {_place(cell)}: {value} is no date."
                raise SourceError(what, "Correct that cell.") from error
            return _moment_text(moment, with_time="h" in form.lower())
        if form.rstrip("%").replace("0", "").strip(".") == "" and form.endswith("%"):
            return f"{_number_text(round(value * 100, 10))}%"
        text = _number_text(value)
        return text.zfill(len(form)) if set(form) == {"0"} and text.isdigit() else text

    return text_of


def _number_text(value: float) -> str:
    if isinstance(value, int) or (value.is_integer() and abs(value) < 10**15):
        return str(int(value))
    return f"{value:.15g}"  # as many digits as Excel keeps


def _moment_text(value: object, *, with_time: bool) -> str:
    if isinstance(value, datetime):
        value = (value + timedelta(microseconds=500_000)).replace(microsecond=0)
        if not with_time and value.time() == time():
            return value.date().isoformat()
        return value.isoformat(timespec="seconds" if value.second else "minutes")
    if isinstance(value, time):
        value = value.replace(microsecond=0)
        return value.isoformat(timespec="seconds" if value.second else "minutes")
    if isinstance(value, timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return value.isoformat() if isinstance(value, date) else str(value)
