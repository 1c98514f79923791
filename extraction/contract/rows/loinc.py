"""LOINC codes that an export has itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from extraction.contract.catalogue import Table
from extraction.contract.records import Cell, FieldRole
from extraction.contract.rows.dictionary import DictionaryLine
from extraction.contract.rows.role_places import places_of
from extraction.schema_files.checks import is_loinc

_PREFIXES = ("loinc:", "http://loinc.org|", "http://loinc.org/", "https://loinc.org/")


def loinc_named(text: str) -> str:
    """The LOINC code in a cell; empty if it is none, or its check digit is wrong."""
    code = text.strip()
    prefix = next((one for one in _PREFIXES if code.casefold().startswith(one)), "")
    code = code[len(prefix) :].strip(" /")
    return code if is_loinc(code) else ""


def take_codes(
    tables: Iterable[Table],
    roles: Mapping[tuple[str, str], FieldRole],
    lines: Mapping[str, DictionaryLine],
    renamed: Mapping[str, str],
) -> None:
    """Gives rows the code that stands beside their id in any source; a row with several different ones gets none."""
    found: dict[str, dict[str, Cell]] = defaultdict(dict)
    for table in tables:
        places = places_of(table, roles)
        if not places[FieldRole.LOINC] or not places[FieldRole.ROW_ID]:
            continue
        row_at, code_at = places[FieldRole.ROW_ID][0], places[FieldRole.LOINC][0]
        for record in table.records():
            row_id = record.values[row_at].strip()
            row_id = renamed.get(row_id, row_id)
            if row_id in lines and (code := loinc_named(record.values[code_at])):
                cell = Cell(table.source.name, record.line, table.fields[code_at])
                found[row_id].setdefault(code, cell)
    for row_id, codes in found.items():
        if len(codes) == 1:
            ((lines[row_id].loinc, cell),) = codes.items()
            lines[row_id].cells.append(cell)
