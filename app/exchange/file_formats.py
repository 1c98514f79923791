"""File formats of exports, described in docs/storage.md. A new one is an `Exporter` defined here and in `EXPORTERS`.

The libraries of a format load only when it is written.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Protocol
from uuid import UUID

from app.exchange.hl7.receiver import Receiver, receiver_in
from app.exchange.observations import HospitalCodes, Message
from app.exchange.records import ExportRecord, Former, content_words
from app.exchange.sheets.inert_text import inert
from app.system.paper import usual_paper
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value

FORMAT = "wardlight-export/1"


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What a hospital chooses of how its files and messages look.

    Attributes:
        paper: `a4` or `letter`.
        columns_file: describes the columns of the hospital's own CSV; None for the default ones.
        codes: the ids and codes of the hospital's own record system.
        receiver: who reads HL7 v2.
        mrn_system: URI of the record numbers in FHIR; empty if there is none.
    """

    paper: str = "a4"
    columns_file: Path | None = None
    codes: HospitalCodes = field(default_factory=HospitalCodes)
    receiver: Receiver = field(default_factory=Receiver)
    mrn_system: str = ""


DEFAULT_OPTIONS = ExportOptions()


def options_in(settings: Settings, schema: Schema, formats: Iterable[str]) -> ExportOptions:
    """What the settings say of how files and messages look that hold values of a schema, in these formats.

    Raises ContractError if a format needs the contract in use, and it cannot be read or is older than the schema.
    """
    from app.exchange.contract_codes import hospital_codes

    coded = any(name in EXPORTERS and EXPORTERS[name].coded for name in formats)
    return ExportOptions(
        paper=usual_paper() if settings.paper == "auto" else settings.paper,
        columns_file=columns_file_in(settings),
        codes=hospital_codes(settings, schema) if coded else HospitalCodes(),
        receiver=receiver_in(settings.record_system),
        mrn_system=settings.record_system.mrn_system,
    )


def columns_file_in(settings: Settings) -> Path | None:
    """The file that describes the columns of the hospital's own CSV; None for the default ones."""
    return Path(settings.hospital_columns).expanduser() if settings.hospital_columns else None


@dataclass(frozen=True, slots=True)
class ExportContent:
    """What is written: the values of one dictation, and where they come from.

    Attributes:
        message: at least one value, in the order of the schema's rows, each as it stands.
        installation: the identity of the store.
    """

    message: Message
    schema: Schema
    installation: UUID
    options: ExportOptions

    @property
    def records(self) -> Sequence[ExportRecord]:
        return [one.record for one in self.message.observations]


class Exporter(Protocol):
    """A file format.

    Attributes:
        label: for the person who chooses it.
        suffix: of its files.
        coded: whether values leave under the hospital's own ids and codes.
    """

    name: str
    label: str
    suffix: str
    coded: bool

    def encode(self, content: ExportContent) -> bytes:
        """A whole file. Raises InputError if the format cannot say a value, naming it."""


class JsonExporter:
    """JSON as described by `resources/schemas/export.schema.json`."""

    name = "json"
    label = "JSON (for other programs)"
    suffix = ".json"
    coded = False

    def encode(self, content: ExportContent) -> bytes:
        data = {"format": FORMAT, "records": [asdict(record) for record in content.records]}
        return (json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n").encode("utf-8", "replace")


class CsvExporter:
    """CSV according to RFC 4180: comma, CRLF, one header line. Texts are `inert`; numbers are written as numbers."""

    name = "csv"
    label = "CSV (for spreadsheets)"
    suffix = ".csv"
    coded = False

    def encode(self, content: ExportContent) -> bytes:
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n")
        columns = [column.name for column in fields(ExportRecord)]
        writer.writerow(columns)
        writer.writerows([_cell(column, getattr(record, column)) for column in columns] for record in content.records)
        return text.getvalue().encode("utf-8", "replace")


class WorkbookExporter:
    """XLSX, see `app.exchange.sheets.workbook`."""

    name = "xlsx"
    label = "Excel workbook"
    suffix = ".xlsx"
    coded = False

    def encode(self, content: ExportContent) -> bytes:
        from app.exchange.sheets.workbook import workbook

        message = content.message
        return workbook(content.records, content.schema, exported_at=message.created_at, program=message.device)


class PdfExporter:
    """PDF, see `app.exchange.sheets.printed_sheet`."""

    name = "pdf"
    label = "PDF (sheet to print)"
    suffix = ".pdf"
    coded = False

    def encode(self, content: ExportContent) -> bytes:
        from app.exchange.sheets.printed_sheet import printed_sheet

        return printed_sheet(
            content.records,
            content.schema,
            paper=content.options.paper,
            exported_at=content.message.created_at,
            program=content.message.device,
        )


class HospitalCsvExporter:
    """CSV under the hospital's own columns, see `app.exchange.sheets.hospital_csv`."""

    name = "hospital-csv"
    label = "CSV with the hospital's own columns"
    suffix = ".hospital.csv"
    coded = True

    def encode(self, content: ExportContent) -> bytes:
        from app.exchange.sheets.hospital_columns import read_hospital_columns
        from app.exchange.sheets.hospital_csv import HospitalFile, hospital_csv

        options, message = content.options, content.message
        columns = read_hospital_columns(options.columns_file)
        file = HospitalFile(content.schema, columns, options.codes, message.encounter_id, message.created_at)
        return hospital_csv(content.records, file)


class FhirExporter:
    """FHIR R4, see `app.exchange.fhir`."""

    name = "fhir"
    label = "FHIR (for a record system)"
    suffix = ".fhir.json"
    coded = True

    def encode(self, content: ExportContent) -> bytes:
        from app.exchange.fhir.bundle import fhir_bundle
        from app.exchange.fhir.participants import Sender

        options = content.options
        sender = Sender(content.installation, options.mrn_system)
        return fhir_bundle(content.message, options.codes, content.schema, sender)


class Hl7Exporter:
    """HL7 v2, see `app.exchange.hl7`."""

    name = "hl7"
    label = "HL7 v2 (for a record system)"
    suffix = ".hl7"
    coded = True

    def encode(self, content: ExportContent) -> bytes:
        from app.exchange.hl7.oru import oru_message

        options = content.options
        return oru_message(content.message, options.codes, content.schema, options.receiver)


EXPORTERS: dict[str, Exporter] = {
    exporter.name: exporter
    for exporter in (
        JsonExporter(),
        CsvExporter(),
        WorkbookExporter(),
        PdfExporter(),
        HospitalCsvExporter(),
        FhirExporter(),
        Hl7Exporter(),
    )
}


def _cell(column: str, content: Value | tuple[Former, ...] | None) -> str:
    if content is None:
        return ""
    text = content_words(content, between=" > " if column == "category" else "; ")
    return text if isinstance(content, int | float) else inert(text)
