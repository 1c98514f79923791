"""Tables in workbooks: what a person reads in each cell, and what is refused."""

from __future__ import annotations

import zipfile
from datetime import datetime, time
from pathlib import Path

import openpyxl
import pytest

from extraction.contract.errors import SourceError
from extraction.contract.sources.discovery import find_sources
from extraction.contract.sources.source_table import SourceTable, set_aside


def _only(
    folder: Path, rows: list[list[object]], merged: str = "", formats: dict[str, str] | None = None
) -> SourceTable:
    book = openpyxl.Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    for cell, form in (formats or {}).items():
        sheet[cell].number_format = form
    if merged:
        sheet.merge_cells(merged)
    book.save(folder / "book.xlsx")
    (table,) = find_sources(folder)
    return table


def _values(table: SourceTable) -> list[tuple[str, ...]]:
    return [record.values for record in table.records()]


def test_cells_are_texts_as_a_person_reads_them(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["ID", "NAME", "LOW", "ON", "DAY", "AT", "CLOCK"],
        [
            "00123",
            "Temp",
            36.5,
            True,
            datetime.fromisoformat("2026-05-01"),
            datetime.fromisoformat("2026-05-01T07:30"),
            time(6, 5),
        ],
        [7000, "#N/A", 7.0, False, None, datetime.fromisoformat("2026-05-02"), None],
        [7, "SpO2", 0.955, None, None, None, None],
    ]
    formats = {"E2": "yyyy-mm-dd", "F2": "yyyy-mm-dd hh:mm", "F3": "yyyy-mm-dd hh:mm", "A4": "00000", "C4": "0.0%"}
    table = _only(tmp_path, rows, formats=formats)
    assert table.source.name == "book.xlsx#Sheet"
    assert _values(table) == [
        ("00123", "Temp", "36.5", "TRUE", "2026-05-01", "2026-05-01T07:30", "06:05"),
        ("7000", "#N/A", "7", "FALSE", "", "2026-05-02T00:00", ""),
        ("00007", "SpO2", "95.5%", "", "", "", ""),
    ]


def test_the_header_may_stand_below_titles(tmp_path: Path) -> None:
    table = _only(tmp_path, [["Lists"], [None], ["ID", "NAME", "NOTE"], [1, "Yes", None], [2, "No", None]])
    assert (table.source.header_line, table.fields) == (3, ("ID", "NAME", "NOTE"))
    assert [(one.line, one.values) for one in table.records()] == [(4, ("1", "Yes", "")), (5, ("2", "No", ""))]


def test_a_cell_merged_over_rows_has_its_value_in_each(tmp_path: Path) -> None:
    table = _only(tmp_path, [["GROUP", "NAME"], ["Vitals", "Pulse"], [None, "Resp"], [None, "Temp"]], "A2:A3")
    assert _values(table) == [("Vitals", "Pulse"), ("Vitals", "Resp"), ("", "Temp")]


def test_a_formula_that_was_never_computed_is_named(tmp_path: Path) -> None:
    table = _only(tmp_path, [["ID", "LOW"], *([one, one] for one in range(300)), [5, "=A2+1"]])
    with pytest.raises(SourceError, match=r"book\.xlsx, sheet Sheet, cell B302: its formula was never computed"):
        list(table.records())


def test_a_value_beside_the_table_is_set_aside_and_named(tmp_path: Path) -> None:
    lines = [["ID", "NAME"], [1, "a"], [2, "b"], [3, "c", "note"], [None, None, "ask"], [4, "d"], [5, "e"]]
    table = _only(tmp_path, lines)
    assert _values(table) == [("1", "a"), ("2", "b"), ("3", "c"), ("4", "d"), ("5", "e")]
    beside = "a note beside the table"
    assert set_aside([table]) == [("book.xlsx#Sheet", 4, beside), ("book.xlsx#Sheet", 5, beside)]


def test_words_below_an_empty_row_at_the_end_of_a_sheet_are_a_footer(tmp_path: Path) -> None:
    table = _only(tmp_path, [["ID", "NAME", "UNIT"], [1, "a", "mL"], [2, "b", "mL"], [None], ["Printed in May"]])
    assert _values(table) == [("1", "a", "mL"), ("2", "b", "mL")]
    assert set_aside([table]) == [("book.xlsx#Sheet", 5, "below the table")]


def test_macros_are_not_run_and_the_sheet_is_read_as_data(tmp_path: Path) -> None:
    _only(tmp_path, [["ID", "NAME"], [1, "a"]])
    with zipfile.ZipFile(tmp_path / "book.xlsx", "a") as packed:
        packed.writestr("xl/vbaProject.bin", b"\xd0\xcf\x11\xe0 macros")
    (tmp_path / "book.xlsx").rename(tmp_path / "book.xlsm")
    (table,) = find_sources(tmp_path)
    assert _values(table) == [("1", "a")]


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "book.xlsx", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b" " * (40 * 1024**2))
    with pytest.raises(SourceError, match=r"book\.xlsx would unpack to 40 MB"):
        find_sources(tmp_path)


@pytest.mark.parametrize(
    ("data", "says"), [(b"\xd0\xcf\x11\xe0rest", "encrypted"), (b"PK\x03\x04 cut", "damaged"), (b"", "damaged")]
)
def test_an_encrypted_or_damaged_workbook_is_refused(tmp_path: Path, data: bytes, says: str) -> None:
    (tmp_path / "book.xlsx").write_bytes(data)
    with pytest.raises(SourceError, match=rf"book\.xlsx is {says}"):
        find_sources(tmp_path)
