"""CSV under a hospital's own columns: its ids and codes, and nothing that its encoding cannot say."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest

from app.chart.cells import local_of
from app.exchange.observations import HospitalCodes, RowCodes
from app.exchange.records import ExportRecord
from app.exchange.sheets.hospital_columns import ColumnContent, HospitalColumn, HospitalColumns
from app.exchange.sheets.hospital_csv import HospitalFile, hospital_csv
from models.base.errors import InputError
from tests.kit.export_records import DICTATED, SCHEMA, record

CODES = HospitalCodes(
    rows={
        "hr": RowCodes("40001", "PULSE"),
        "tone": RowCodes("40002", "TONE", {"Normal": "1", "Flaccid": "2"}),
        "sites": RowCodes("40003", "EDEMA", {"left leg": "LL", "hands": "HD"}),
        "alert": RowCodes("40004", "ALERT", {"Yes": "Y", "No": "N"}),
    }
)
EXPORTED = "2026-03-02T19:40:00+00:00"


def columns(*contents: str, **settings: object) -> HospitalColumns:
    named = tuple(HospitalColumn(content.upper(), ColumnContent(content)) for content in contents)
    return replace(HospitalColumns(columns=named), **settings)  # type: ignore[arg-type]


def written(said: HospitalColumns, *records: ExportRecord, codes: HospitalCodes = CODES) -> bytes:
    return hospital_csv(records, HospitalFile(SCHEMA, said, codes, encounter_id=12, exported_at=EXPORTED))


def lines(said: HospitalColumns, *records: ExportRecord, codes: HospitalCodes = CODES) -> list[list[str]]:
    text = written(replace(said, header=False), *records, codes=codes).decode(said.encoding)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=said.delimiter))


def test_the_usual_columns() -> None:
    head, line = (
        written(HospitalColumns(), record("hr", 88.0, observed_at="2026-03-02T18:05:00+00:00")).decode().splitlines()
    )
    assert head == (
        "line_number,patient_number,encounter,row_id,row_name,value,option_code,unit,observed_time,recorded_time,"
        "reviewed_time,reviewer"
    )
    observed, recorded, reviewed = (
        f"{local_of(one):%Y-%m-%d %H:%M:%S}"
        for one in ("2026-03-02T18:05:00+00:00", DICTATED, "2026-03-02T19:31:05+00:00")
    )
    assert line == f"1,00123,12,40001,PULSE,88,,/min,{observed},{recorded},{reviewed},Kim"


def test_rows_and_options_leave_under_the_hospitals_codes() -> None:
    said = columns("row-id", "row-name", "value", "option-code", "coded-value")
    assert lines(
        said,
        record("tone", "Flaccid"),
        record("sites", ("left leg", "hands")),
        record("alert", False),
        record("note", "calm"),
    ) == [
        ["40002", "TONE", "Flaccid", "2", "2"],
        ["40003", "EDEMA", "left leg;hands", "LL;HD", "LL;HD"],
        ["40004", "ALERT", "No", "N", "N"],
        ["note", "Note", "calm", "", "calm"],
    ]


def test_without_codes_rows_keep_their_ids_and_options_their_names() -> None:
    said = columns("row-id", "row-name", "option-code", "coded-value")
    assert lines(said, record("tone", "Flaccid"), record("hr", 88.5), codes=HospitalCodes()) == [
        ["tone", "Muscle tone", "Flaccid", "Flaccid"],
        ["hr", "Heart rate", "", "88.5"],
    ]


def test_an_option_without_a_code_is_refused_by_name() -> None:
    codes = HospitalCodes(rows={"tone": RowCodes("40002", "TONE", {"Normal": "1"})})
    with pytest.raises(InputError, match="Muscle tone: the option 'Flaccid' has no code"):
        written(columns("option-code"), record("tone", "Flaccid"), codes=codes)
    assert lines(columns("value"), record("tone", "Flaccid"), codes=codes) == [["Flaccid"]]


def test_options_that_could_not_be_told_apart_are_refused() -> None:
    with pytest.raises(InputError, match="Edema sites: 'left leg' contains ' '"):
        written(columns("value", between=" "), record("sites", ("left leg", "hands")))


def test_every_content_can_be_a_column() -> None:
    said = columns(*ColumnContent, clock="utc", time_format="%Y%m%d%H%M%S%z")
    told = record(
        "hr",
        44.0,
        proposed=144.0,
        status="edited",
        evidence="forty four",
        observed_since="2026-03-02T10:00:00+00:00",
    )
    (line,) = lines(said, told)
    assert dict(zip(ColumnContent, line, strict=True)) == {
        "patient-number": "00123",
        "patient-name": "Ann Lee",
        "birth-date": "1951-03-09",
        "bed": "4",
        "encounter": "12",
        "dictation": "7",
        "line-number": "1",
        "row-id": "40001",
        "row-name": "PULSE",
        "category": "Vital signs",
        "value": "44",
        "coded-value": "44",
        "option-code": "",
        "unit": "/min",
        "original-value": "144",
        "observed-time": "20260302191500+0000",
        "observed-since": "20260302100000+0000",
        "recorded-time": "20260302191500+0000",
        "reviewed-time": "20260302193105+0000",
        "exported-time": "20260302194000+0000",
        "reviewer": "Kim",
        "status": "edited",
        "interpretation": "L",
        "loinc": "8867-4",
        "evidence": "forty four",
        "empty": "",
    }


def test_signs_are_the_hospitals() -> None:
    said = columns("value", "unit", delimiter=";", decimal_sign=",", line_end="lf")
    assert written(said, record("temp", 98.6)) == b"VALUE;UNIT\n98,6;[degF]\n"
    assert written(columns("value", decimal_sign=","), record("temp", 98.6)) == b'VALUE\r\n"98,6"\r\n'
    assert written(columns("value", header=False), record("note", "")) == b'""\r\n'


def test_a_byte_order_mark_stands_once() -> None:
    data = written(columns("value", encoding="utf-16"), record("note", "é"), record("note", "ü"))
    assert data.decode("utf-16") == "VALUE\r\né\r\nü\r\n"
    assert written(columns("value", encoding="utf-8-sig"), record("note", "é")).count(b"\xef\xbb\xbf") == 1


def test_what_the_encoding_cannot_say_is_refused_by_value_and_column() -> None:
    with pytest.raises(InputError, match=r"Note pain → leg, column VALUE: .* has '→', which cp1252 has not"):
        written(columns("value", encoding="cp1252"), record("note", "pain → leg"))
    named = HospitalColumns(columns=(HospitalColumn("VALUÉ", ColumnContent.VALUE),), encoding="ascii")
    with pytest.raises(InputError, match="Column VALUÉ"):
        written(named, record("hr", 88.0))


def test_texts_are_inert_unless_they_are_to_stay_raw() -> None:
    told = (record("note", "=1+1"), record("hr", -2.0))
    assert lines(columns("value"), *told) == [["'=1+1"], ["-2"]]
    assert lines(columns("value", raw=True), *told) == [["=1+1"], ["-2"]]
