"""Values of a dictation as CSV under the hospital's own columns, ids and codes."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from app.exchange.observations import HospitalCodes, RowCodes
from app.exchange.records import ExportRecord, content_words
from app.exchange.sheets.arrangement import observed
from app.exchange.sheets.hospital_columns import ColumnContent, HospitalColumns
from app.exchange.sheets.inert_text import inert
from extraction.flowsheet.schema import SELECT_TYPES, Schema, ValueType
from extraction.flowsheet.values import NotObtained, Value
from models.base.errors import InputError

_LINE_ENDS = {"crlf": "\r\n", "lf": "\n"}
_CODED = SELECT_TYPES | {ValueType.YES_NO}


@dataclass(frozen=True, slots=True)
class HospitalFile:
    """What stands in a hospital's file besides the values; moments are UTC in ISO 8601."""

    schema: Schema
    columns: HospitalColumns
    codes: HospitalCodes
    encounter_id: int
    exported_at: str


def hospital_csv(records: Sequence[ExportRecord], file: HospitalFile) -> bytes:
    """The bytes of a CSV file, quoted as in RFC 4180.

    Raises:
        InputError: a value cannot be said in the encoding, its option has no code though others of its row have, or
            its options cannot be told apart once joined. The message names value and column.
    """
    said = file.columns
    lines: list[list[str]] = []
    if said.header:
        lines.append([_writable(column.name, said.encoding, f"Column {column.name}") for column in said.columns])
    for number, record in enumerate(records, start=1):
        lines.append(
            [
                _writable(
                    _cell(file, column.content, record, number),
                    said.encoding,
                    f"{record.name} {content_words(record.value)}, column {column.name}",
                )
                for column in said.columns
            ]
        )
    return "".join(_line(line, said) for line in lines).encode(said.encoding)


def _line(cells: Sequence[str], said: HospitalColumns) -> str:
    line = io.StringIO()
    csv.writer(line, delimiter=said.delimiter, lineterminator="\r\n").writerow(cells)  # which quotes either line break
    return line.getvalue().removesuffix("\r\n") + _LINE_ENDS[said.line_end]


def _writable(cell: str, encoding: str, called: str) -> str:
    """The content of a cell. Raises InputError, naming it as it is `called`, if the encoding cannot say it."""
    try:
        cell.encode(encoding)
    except UnicodeEncodeError as error:
        raise InputError(
            f"{called}: {cell!r} has {cell[error.start]!r}, which {encoding} has not.",
            "Choose another encoding for the hospital's columns, or correct the text.",
        ) from error
    return cell


def _cell(file: HospitalFile, content: ColumnContent, record: ExportRecord, number: int) -> str:
    if content is ColumnContent.LINE_NUMBER:
        return str(number)
    found = _content(file, content, record)
    if isinstance(found, int | float) and not isinstance(found, bool):
        return content_words(found).replace(".", file.columns.decimal_sign)
    text = found if isinstance(found, str) else content_words(found)
    return text if file.columns.raw else inert(text)


def _content(file: HospitalFile, content: ColumnContent, record: ExportRecord) -> str | float:
    codes = file.codes.rows.get(record.row_id, RowCodes(record.row_id, record.name))
    match content:
        case ColumnContent.PATIENT_NUMBER:
            return record.patient_mrn
        case ColumnContent.PATIENT_NAME:
            return record.patient_name
        case ColumnContent.BIRTH_DATE:
            return record.patient_birth_date
        case ColumnContent.BED:
            return record.patient_bed
        case ColumnContent.ENCOUNTER:
            return file.encounter_id
        case ColumnContent.DICTATION:
            return record.dictation
        case ColumnContent.ROW_ID:
            return codes.id
        case ColumnContent.ROW_NAME:
            return codes.name
        case ColumnContent.CATEGORY:
            return " > ".join(record.category)
        case ColumnContent.VALUE:
            return _value(record.value, file, record)
        case ColumnContent.ORIGINAL_VALUE:
            return "" if record.proposed is None else _value(record.proposed, file, record)
        case ColumnContent.CODED_VALUE:
            coded = _coded(codes, file, record)
            return _value(record.value, file, record) if coded is None else coded
        case ColumnContent.OPTION_CODE:
            return _coded(codes, file, record) or ""
        case ColumnContent.UNIT:
            return record.unit or ""
        case ColumnContent.OBSERVED_TIME:
            return _time(observed(record), file.columns)
        case ColumnContent.OBSERVED_SINCE:
            return _time(record.observed_since, file.columns)
        case ColumnContent.RECORDED_TIME:
            return _time(record.time, file.columns)
        case ColumnContent.REVIEWED_TIME:
            return _time(record.reviewed_at, file.columns)
        case ColumnContent.EXPORTED_TIME:
            return _time(file.exported_at, file.columns)
        case ColumnContent.REVIEWER:
            return record.reviewer
        case ColumnContent.STATUS:
            return record.status
        case ColumnContent.INTERPRETATION:
            return record.interpretation
        case ColumnContent.LOINC:
            return record.loinc or ""
        case ColumnContent.EVIDENCE:
            return record.evidence
        case ColumnContent.LINE_NUMBER | ColumnContent.EMPTY:
            return ""


def _value(value: Value, file: HospitalFile, record: ExportRecord) -> str | float:
    if isinstance(value, tuple):
        return _joined(value, file, record)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else content_words(value)


def _coded(codes: RowCodes, file: HospitalFile, record: ExportRecord) -> str | None:
    """The codes of the options chosen, or their names if the hospital has no codes; None for other types of values, and
    for what was not obtained.
    """
    if file.schema.row(record.row_id).value_type not in _CODED or isinstance(record.value, NotObtained):
        return None
    options = record.value if isinstance(record.value, tuple) else (content_words(record.value),)
    if codes.options and (unknown := [option for option in options if option not in codes.options]):
        raise InputError(
            f"{record.name}: the option {unknown[0]!r} has no code in the hospital's export map.",
            "Add it there, or choose another format.",
        )
    return _joined([codes.options.get(option, option) for option in options], file, record)


def _joined(parts: Sequence[str], file: HospitalFile, record: ExportRecord) -> str:
    between = file.columns.between
    if len(parts) > 1 and (mixed := [part for part in parts if between in part]):
        raise InputError(
            f"{record.name}: {mixed[0]!r} contains {between!r}, which is between options.",
            "Choose another sign between options for the hospital's columns.",
        )
    return between.join(parts)


def _time(moment: str | None, said: HospitalColumns) -> str:
    if not moment:
        return ""
    at = datetime.fromisoformat(moment)
    return (at.astimezone(UTC) if said.clock == "utc" else at.astimezone()).strftime(said.time_format)
