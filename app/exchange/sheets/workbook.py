"""Values of a dictation as an Excel workbook: a sheet of typed cells, and one about where they come from."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from typing import Any

from app.chart.cells import local_of
from app.exchange.records import ExportRecord, content_words
from app.exchange.sheets.arrangement import by_category, clock_offset, observed, signatures
from extraction.flowsheet.ranges import judged_words
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.unit_conversion import unit_words
from extraction.flowsheet.values import Value
from models.base.errors import InputError

Cell = str | float | date | datetime | time | None

_LONGEST = 32_767  # what a cell holds, in UTF-16 code units
_WIDEST = 60  # characters
_FIRST_DAY = date(1900, 3, 1)  # Excel counts a day before it that never was
_UNSPEAKABLE = re.compile("[\0-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")  # in XML
_ANY = re.compile(".", re.DOTALL)
_LIKE_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_FORMATS = {datetime: "yyyy-mm-dd hh:mm", date: "yyyy-mm-dd", time: "hh:mm"}
_STATUS = {"confirmed": "Confirmed", "edited": "Corrected", "added": "Added", "computed": "Calculated"}
_READERS: dict[ValueType, Callable[[str], date | datetime | time]] = {
    ValueType.DATE: date.fromisoformat,
    ValueType.TIME: time.fromisoformat,
    ValueType.DATE_TIME: datetime.fromisoformat,
}
HEADS = (
    "Category", "Row", "Value", "Unit", "Corrected from", "Its unit", "Range", "Observed (ward clock)", "UTC offset",
    "Since (ward clock)", "Time as said", "Status", "Signed by", "Signed (ward clock)", "Words", "Sentence",
    "Replaced", "Confirmed outside", "LOINC", "Row id",
)  # fmt: skip


def workbook(records: Sequence[ExportRecord], schema: Schema, *, exported_at: str, program: str) -> bytes:
    """The bytes of an XLSX file, the same for the same arguments.

    Numbers, dates and times are cells of their kind, and moments are by the ward's clock; a text is never a formula.

    Args:
        schema: has a row for each record.
        exported_at: UTC in ISO 8601.
        program: its name and version.

    Raises:
        InputError: a text is longer than a cell holds.
    """
    from openpyxl import Workbook

    book = Workbook(write_only=True)
    moment = datetime.fromisoformat(exported_at).replace(tzinfo=None)
    book.properties.creator, book.properties.title = program, f"Values of dictation {records[0].dictation}"
    book.properties.created = moment
    groups = by_category(records).items()
    lines = [_line(category, one, schema.row(one.row_id)) for category, several in groups for one in several]
    _values_sheet(book.create_sheet("Values"), lines)
    _about_sheet(book.create_sheet("About"), _about(records, exported_at, program))
    data = io.BytesIO()
    book.save(data)
    return _repeatable(data.getvalue(), book.properties, moment)


def _line(category: str, record: ExportRecord, row: Row) -> list[Cell]:
    since, seen = record.observed_since, observed(record)
    return [
        category,
        record.name,
        _typed(row, record.value),
        unit_words(record.unit),
        None if record.proposed is None else _typed(row, record.proposed),
        unit_words(record.proposed_unit),
        judged_words(row, record.value),
        local_of(seen),
        clock_offset(seen),
        local_of(since) if since else None,
        record.observed_words,
        _STATUS[record.status],
        record.reviewer,
        local_of(record.reviewed_at).replace(microsecond=0),
        record.evidence,
        record.sentence,
        content_words(record.replaces),
        record.confirmed_outside,
        record.loinc,
        record.row_id,
    ]


def _typed(row: Row, value: Value) -> Cell:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    words = content_words(value)
    if read := _READERS.get(row.value_type):
        with suppress(ValueError):
            return _storable(read(words), words)
    return words


def _storable(content: date | datetime | time, words: str) -> Cell:
    """The content, or its words if Excel knows no such day."""
    if isinstance(content, time):
        return content
    day = content.date() if isinstance(content, datetime) else content
    return content if day >= _FIRST_DAY else words


def _about(records: Sequence[ExportRecord], exported_at: str, program: str) -> list[tuple[str, Cell]]:
    first = records[0]
    moments = [*map(observed, records), *(one.reviewed_at for one in records), first.time, exported_at]
    return [
        ("Patient", first.patient_name),
        ("Birth date", _birth_date(first.patient_birth_date)),
        ("Record number (MRN)", first.patient_mrn),
        ("Bed", first.patient_bed),
        ("Dictation", first.dictation),
        ("Dictated (ward clock)", local_of(first.time)),
        ("Values", len(records)),
        *(("Signed by", str(one)) for one in signatures(records)),
        ("Flowsheet template", f"{first.schema_id} {first.schema_version}"),
        ("SHA-256 of the template", first.schema_sha256),
        ("Exported (ward clock)", local_of(exported_at)),
        ("Ward clock, offset from UTC", ", ".join(dict.fromkeys(map(clock_offset, moments)))),
        ("Program", program),
    ]


def _birth_date(text: str) -> Cell:
    with suppress(ValueError):
        return _storable(date.fromisoformat(text), text)
    return text


def _values_sheet(sheet: Any, lines: Sequence[Sequence[Cell]]) -> None:
    from openpyxl.styles import Border, Side
    from openpyxl.utils import get_column_letter

    sheet.freeze_panes = "D2"  # heads, and the names of rows
    sheet.auto_filter.ref = f"A1:{get_column_letter(len(HEADS))}{len(lines) + 1}"
    _set_widths(sheet, [HEADS, *lines])
    cells = [
        [
            _cell(sheet, content, f"{head} of {line[1]}", bold=head == "Value")
            for head, content in zip(HEADS, line, strict=True)
        ]
        for line in lines
    ]
    above = Border(top=Side(style="thin", color="FF8D8D8D"))
    for before, line, row in zip(lines, lines[1:], cells[1:], strict=False):
        for cell in row if line[0] != before[0] else ():
            cell.border = above
    sheet.append([_cell(sheet, head, head, bold=True) for head in HEADS])
    for row in cells:  # once all can be written
        sheet.append(row)


def _about_sheet(sheet: Any, about: Sequence[tuple[str, Cell]]) -> None:
    _set_widths(sheet, about)
    cells = [[_cell(sheet, name, name, bold=True), _cell(sheet, content, name)] for name, content in about]
    for row in cells:
        sheet.append(row)


def _set_widths(sheet: Any, lines: Iterable[Sequence[Cell]]) -> None:
    from openpyxl.utils import get_column_letter

    for number, column in enumerate(zip(*lines, strict=True), start=1):
        longest = max(len(part) for content in column for part in (_width_words(content).splitlines() or [""]))
        sheet.column_dimensions[get_column_letter(number)].width = min(longest + 3, _WIDEST)


def _width_words(content: Cell) -> str:
    return "" if content is None else content.isoformat(" ") if isinstance(content, datetime) else str(content)


def _cell(sheet: Any, content: Cell, called: str, *, bold: bool = False) -> Any:
    """A cell of the kind of its content. `called` names it in an error."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font

    text = _written(content, called) if isinstance(content, str) else None
    cell = WriteOnlyCell(sheet, value=content if text is None else text)
    if text is not None:
        cell.data_type = "s"  # never what it looks like: a formula or an error
    elif number_format := _FORMATS.get(type(content)):
        cell.number_format = number_format
    cell.alignment = Alignment(vertical="top", wrap_text=len(text or "") > _WIDEST or "\n" in (text or ""))
    if bold:
        cell.font = Font(bold=True)
    return cell


def _written(text: str, called: str) -> str:
    """A text as XLSX writes it: characters that XML has not as `_x0000_`, and what looks so with its `_` escaped."""
    escaped = _UNSPEAKABLE if text.strip() else _ANY  # readers drop a text of white space alone
    written = escaped.sub(lambda found: f"_x{ord(found[0]):04X}_", _LIKE_ESCAPE.sub("_x005F_", text))
    if len(written.encode("utf-16-le")) // 2 > _LONGEST:
        raise InputError(
            f"{called} has {len(text)} characters, more than a cell of a workbook holds.",
            "Choose another format, or shorten the text.",
        )
    return written


def _repeatable(data: bytes, properties: Any, moment: datetime) -> bytes:
    """The archive with the moment of the export in place of the time at which its bytes were written."""
    from openpyxl.xml.constants import ARC_CORE
    from openpyxl.xml.functions import tostring

    properties.modified = moment
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            part = tostring(properties.to_tree()) if name == ARC_CORE else old.read(name)
            new.writestr(zipfile.ZipInfo(name), part, zipfile.ZIP_DEFLATED)
    return written.getvalue()
