"""The Excel workbook: typed cells, and no text that becomes a formula."""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime, time
from typing import Any

import openpyxl
import pytest
from python_calamine import load_workbook

from app.chart.cells import local_of
from app.exchange.records import ExportRecord, Former
from app.exchange.sheets.arrangement import clock_offset
from app.exchange.sheets.workbook import HEADS, workbook
from models.base.errors import InputError
from tests.kit.export_records import DICTATED, SCHEMA, record

EXPORTED = "2026-03-02T19:40:00+00:00"


def written(records: Sequence[ExportRecord]) -> bytes:
    return workbook(records, SCHEMA, exported_at=EXPORTED, program="Wardlight 9.9")


def sheet(records: Sequence[ExportRecord], name: str = "Values") -> list[list[Any]]:
    return load_workbook(io.BytesIO(written(records))).get_sheet_by_name(name).to_python()


def values(*records: ExportRecord) -> list[dict[str, Any]]:
    head, *lines = sheet(records)
    assert tuple(head) == HEADS
    return [dict(zip(head, line, strict=True)) for line in lines]


def test_cells_are_of_the_kind_of_their_values() -> None:
    found = values(
        record("hr", 88.0),
        record("bp", "142/74"),
        record("alert", True),
        record("tone", "Normal"),
        record("sites", ("left leg", "hands")),
        record("stool", "2026-02-28"),
        record("meal", "07:05"),
        record("fall", "2026-03-01T23:59"),
        record("note", "00123"),
    )
    assert [one["Value"] for one in found] == [
        88.0,
        "142/74",
        "Yes",
        "Normal",
        "left leg; hands",
        date(2026, 2, 28),
        time(7, 5),
        datetime.fromisoformat("2026-03-01T23:59"),
        "00123",
    ]
    assert [type(one["Value"]) for one in found[:2]] == [float, str]


def test_times_are_by_the_wards_clock() -> None:
    dictated, told = values(record("hr", 88.0), record("hr", 90.0, observed_at="2026-03-02T18:05:00+00:00"))
    assert dictated["Observed (ward clock)"] == local_of(DICTATED)
    assert told["Observed (ward clock)"] == local_of("2026-03-02T18:05:00+00:00")
    assert told["Signed (ward clock)"] == local_of("2026-03-02T19:31:05+00:00")
    assert told["UTC offset"] == clock_offset(DICTATED)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-2 kg", "@x", "#N/A", "#REF!", "TRUE", "\ta", "'a", "a\n=b"])
def test_a_text_is_never_a_formula_or_an_error(text: str) -> None:
    data = written([record("note", text)])
    cell = openpyxl.load_workbook(io.BytesIO(data))["Values"].cell(2, HEADS.index("Value") + 1)
    assert (cell.value, cell.data_type) == (text, "s")
    assert values(record("note", text))[0]["Value"] == text


@pytest.mark.parametrize("text", ["a\0b", "a\rb", "\n", " ", "_x0041_", "\x0b", "a_x000a_"])
def test_a_text_that_xml_cannot_say_stays_what_it_is(text: str) -> None:
    assert values(record("note", text))[0]["Value"] == text


def test_a_corrected_value_stands_beside_the_original() -> None:
    former = Former(70.0, "/min", 3, "Lou", DICTATED)
    (found,) = values(
        record("temp", 101.5, status="edited", proposed=38.6, proposed_unit="Cel", replaces=(former,)),
    )
    assert (found["Value"], found["Unit"], found["Corrected from"], found["Its unit"]) == (101.5, "°F", 38.6, "°C")
    assert found["Status"] == "Corrected"
    assert found["Replaced"].startswith("70 /min (dictation 3, Lou")


def test_values_outside_their_ranges_are_named_in_words() -> None:
    low, normal = values(record("hr", 33.0), record("hr", 80.0))
    assert (low["Range"], normal["Range"]) == ("critically low", "")


def test_the_values_of_a_category_stand_together() -> None:
    found = values(record("hr", 80.0), record("note", "calm"), record("temp", 99.0))
    assert [one["Category"] for one in found] == ["Vital signs", "Vital signs", "General"]


def test_heads_stay_in_sight_and_filter() -> None:
    book = openpyxl.load_workbook(io.BytesIO(written([record("hr", 80.0), record("note", "calm " * 60)])))
    values_sheet = book["Values"]
    assert values_sheet.freeze_panes == "D2"
    assert values_sheet.auto_filter.ref == f"A1:{openpyxl.utils.get_column_letter(len(HEADS))}3"
    assert 10 < values_sheet.column_dimensions["B"].width < values_sheet.column_dimensions["C"].width <= 60
    assert values_sheet["C3"].alignment.wrap_text


def test_the_second_sheet_says_where_the_values_come_from() -> None:
    about = dict(sheet([record("hr", 80.0), record("note", "calm", reviewer="Lou")], "About"))
    assert about["Patient"] == "Ann Lee"
    assert about["Birth date"] == date(1951, 3, 9)
    assert about["Record number (MRN)"] == "00123"
    assert about["Dictation"] == 7
    assert about["Flowsheet template"] == "ward 3"
    assert about["Program"] == "Wardlight 9.9"
    assert about["Exported (ward clock)"] == local_of(EXPORTED)
    signed = [line[1] for line in sheet([record("hr", 80.0), record("note", "x", reviewer="Lou")], "About")][7:9]
    assert [one.split(",")[0] for one in signed] == ["Kim", "Lou"]


def test_a_day_that_excel_does_not_know_is_written_as_text() -> None:
    assert values(record("stool", "1899-12-31"))[0]["Value"] == "1899-12-31"


def test_the_same_export_has_the_same_bytes() -> None:
    assert written([record("hr", 80.0)]) == written([record("hr", 80.0)])


def test_a_text_that_no_cell_holds_is_refused_by_name() -> None:
    with pytest.raises(InputError, match="Value of Note has 40000 characters"):
        written([record("note", "x" * 40_000)])
