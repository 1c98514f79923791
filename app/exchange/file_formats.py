"""File formats of exports, described in docs/storage.md. A new one is an `Exporter` defined here and in `EXPORTERS`."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Protocol, TextIO

from app.exchange.records import ExportRecord, Former, content_words
from extraction.flowsheet.values import Value

FORMAT = "wardlight-export/1"


class Exporter(Protocol):
    """A file format: its name, its label for the person who chooses it, and the suffix of its files."""

    name: str
    label: str
    suffix: str

    def write(self, records: Sequence[ExportRecord], stream: TextIO) -> None:
        """Writes all records; the stream is UTF-8 and does not translate line ends."""


class JsonExporter:
    """JSON as described by `resources/schemas/export.schema.json`."""

    name = "json"
    label = "JSON (for other programs)"
    suffix = ".json"

    def write(self, records: Sequence[ExportRecord], stream: TextIO) -> None:
        content = {"format": FORMAT, "records": [asdict(record) for record in records]}
        json.dump(content, stream, ensure_ascii=False, indent=2, allow_nan=False)
        stream.write("\n")


class CsvExporter:
    """CSV according to RFC 4180: comma, CRLF, one header line.

    A text that a spreadsheet could take for a formula is prefixed with an apostrophe, and so is a text that begins with
    one; removing one leading apostrophe restores a text exactly. Numbers are written as numbers.
    """

    name = "csv"
    label = "CSV (for spreadsheets)"
    suffix = ".csv"

    def write(self, records: Sequence[ExportRecord], stream: TextIO) -> None:
        writer = csv.writer(stream, lineterminator="\r\n")
        columns = [column.name for column in fields(ExportRecord)]
        writer.writerow(columns)
        writer.writerows([_cell(column, getattr(record, column)) for column in columns] for record in records)


EXPORTERS: dict[str, Exporter] = {exporter.name: exporter for exporter in (JsonExporter(), CsvExporter())}

# leading white space is skipped, because some spreadsheets trim it; full-width signs count, too
_DANGEROUS = re.compile(r"['\t\r\n\0]|\s*[=+\-@＝＋－＠]")


def _cell(column: str, content: Value | tuple[Former, ...] | None) -> str:
    if content is None:
        return ""
    text = content_words(content, between=" > " if column == "category" else "; ")
    is_number = isinstance(content, int | float)
    return f"'{text}" if not is_number and _DANGEROUS.match(text) else text
