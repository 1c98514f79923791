"""Rows and options under a hospital's own codes, with LOINC beside them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

from app.exchange.fhir.datatypes import LOINC, Json, coding, concept, urn
from app.exchange.fhir.vital_signs import ALSO_CODED
from app.exchange.observations import HospitalCodes, RowCodes
from extraction.flowsheet.schema import Row, Schema

_NO_CODES = RowCodes("", "")


@dataclass(frozen=True, slots=True)
class CodeBook:
    """How the rows and options of a schema are coded."""

    codes: HospitalCodes
    schema: Schema

    @property
    def system(self) -> str:
        """The hospital's own system, or a URI of this schema: FHIR wants to know whose code each one is."""
        return self.codes.system or urn(str(uuid5(NAMESPACE_URL, f"wardlight:schema:{self.schema.id}")))

    def row(self, row: Row) -> Json:
        own = self.codes.rows.get(row.id, _NO_CODES)
        loincs = [code for code in (ALSO_CODED.get(row.loinc or ""), row.loinc) if code]
        hospital = coding(self.system, own.id or row.id, own.name or row.name)
        return concept(*(coding(LOINC, code) for code in loincs), hospital, text=row.name)

    def option(self, row: Row, name: str) -> Json:
        own = self.codes.rows.get(row.id, _NO_CODES)
        return concept(coding(self.system, own.options.get(name) or name, name), text=name)

    def has_option(self, row: Row, name: str) -> bool:
        """Whether the hospital has a code for an option."""
        return name in self.codes.rows.get(row.id, _NO_CODES).options
