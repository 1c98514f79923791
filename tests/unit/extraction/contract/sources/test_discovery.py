"""What is found in a folder of exports."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest
from openpyxl import Workbook

from extraction.contract.errors import SourceError
from extraction.contract.records import SourceKind
from extraction.contract.sources import discovery
from extraction.contract.sources.discovery import find_sources
from models.base.errors import Cancelled
from models.base.progress import Progress, ProgressMonitor


def test_an_empty_folder_a_missing_one_and_a_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds no files"):
        find_sources(tmp_path)
    with pytest.raises(SourceError, match="There is no folder"):
        find_sources(tmp_path / "none")
    (tmp_path / "rows.csv").write_text("A,B\n1,2\n")
    with pytest.raises(SourceError, match="is no folder"):
        find_sources(tmp_path / "rows.csv")


def test_names_have_slashes_hidden_files_are_left_out_and_other_files_are_named(tmp_path: Path) -> None:
    (tmp_path / "dumps.csv").mkdir()
    content = b"A,B\n1,2\n"
    (tmp_path / "dumps.csv" / "rows.csv").write_bytes(content)
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    (tmp_path / "empty.csv").touch()
    for name in (".hidden.csv", "~$book.xlsx"):
        (tmp_path / name).write_bytes(content)
    rows, empty, photo = find_sources(tmp_path)
    assert rows.source.name == "dumps.csv/rows.csv"
    assert rows.source.sha256 == hashlib.sha256(content).hexdigest()
    assert "empty" in empty.skipped
    assert (photo.source.kind, photo.source.header_line) == (SourceKind.OTHER, None)
    assert "not read" in photo.skipped


def test_every_file_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.csv").write_bytes(b"A,B\n1,\x81\n")
    (tmp_path / "b.xlsx").write_bytes(b"no workbook")
    with pytest.raises(SourceError, match=r"(?s)a\.csv.*b\.xlsx"):
        find_sources(tmp_path)

    def denied(path: Path, *args: object, **more: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(discovery.Path, "open", denied)
    with pytest.raises(SourceError, match=r"a\.csv cannot be read: Permission denied"):
        find_sources(tmp_path)


def test_fifty_files_with_nearly_the_same_columns_are_one_source_and_others_stay_apart(tmp_path: Path) -> None:
    days = tmp_path / "days"
    days.mkdir()
    for day in range(50):
        more, value = (",NOTE", ",x") if day == 7 else ("", "")
        (days / f"{day:02}.csv").write_text(f"A,B,C,D,E{more}\n{day},b,c,d,e{value}\n")
    (days / "rows.csv").write_text("ID,NAME\n1,Pulse\n")
    one, rows = find_sources(tmp_path)
    assert (one.source.name, rows.source.name) == ("days/*.csv", "days/rows.csv")
    assert one.fields == ("A", "B", "C", "D", "E", "NOTE")
    records = list(one.records())
    assert records[7] == (2, ("7", "b", "c", "d", "e", "x"), "days/07.csv")
    assert records[8].values[-1] == ""
    assert one.source.rows == 50


def test_json_and_lines_of_json_are_flattened_and_keep_numbers_as_written(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '[\n {"id": 1.50, "unit": {"code": "/min"}},\n {"id": "007", "on": true, "of": [1.0, "x"]}\n]'
    )
    (tmp_path / "b.jsonl").write_text('{"id": 1, "name": null}\n\n{"id": 2}\n')
    (tmp_path / "gold.json").write_text('{"rows": [{"id": 1}], "keys": [{"id": 2}]}')
    a, b, gold = find_sources(tmp_path)
    assert a.fields == ("id", "unit.code", "on", "of")
    assert [tuple(one) for one in a.records()] == [
        (2, ("1.50", "/min", "", ""), ""),
        (3, ("007", "", "true", '[1.0, "x"]'), ""),
    ]
    assert [(one.line, one.values) for one in b.records()] == [(1, ("1", "")), (3, ("2", ""))]
    assert (gold.source.header_line, gold.skipped) == (None, "The file is no list of records.")


def test_broken_json_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_text('{"id": 1}\n{"id": 2\n{"id": 3}\n')
    with pytest.raises(SourceError, match=r"b\.jsonl, line 2, cannot be read as JSON"):
        find_sources(tmp_path)


def test_each_table_of_a_database_is_a_source_that_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "dump.db"
    with sqlite3.connect(path) as connection:
        connection.execute('CREATE TABLE "my ""rows" (id TEXT, low REAL, note TEXT)')
        connection.execute("""INSERT INTO "my ""rows" VALUES ('007', 36.5, NULL)""")
    connection.close()
    before = path.read_bytes()
    (table,) = find_sources(tmp_path)
    assert (table.source.name, table.fields) == ('dump.db#my "rows', ("id", "low", "note"))
    assert [tuple(one) for one in table.records()] == [(1, ("007", "36.5", ""), "")]
    assert path.read_bytes() == before
    (tmp_path / "dump.db-wal").write_bytes(b"x")
    with pytest.raises(SourceError, match="not complete"):
        find_sources(tmp_path)


def test_progress_is_told_and_the_search_can_be_stopped(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("A,B\n1,2\n")
    told: list[Progress] = []
    find_sources(tmp_path, ProgressMonitor(told.append))
    assert [(one.fraction, one.message) for one in told] == [(0.0, "rows.csv"), (1.0, "")]
    with pytest.raises(Cancelled):
        find_sources(tmp_path, ProgressMonitor(cancelled=lambda: True))


def test_a_list_of_records_that_breaks_off_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"id": 1},\n{"id": 2}')
    with pytest.raises(SourceError, match=r"rows\.json, line 2, cannot be read as JSON"):
        find_sources(tmp_path)


def test_a_name_that_stands_twice_in_a_record_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('[{"id": 1, "id": 2}]')
    with pytest.raises(SourceError, match="twice"):
        find_sources(tmp_path)


@pytest.mark.parametrize("suffix", [".xls", ".XLS", ".xlsb", ".ods"])
@pytest.mark.parametrize(
    "start", [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x09\x08\x10\0\0\x06\x05\0", b"<html><table>"]
)
def test_an_older_workbook_is_refused_with_what_to_save_it_as(tmp_path: Path, suffix: str, start: bytes) -> None:
    (tmp_path / f"rows{suffix}").write_bytes(start + bytes(512))
    with pytest.raises(SourceError, match=rf"rows{suffix} is .*only \.xlsx and \.xlsm are") as refused:
        find_sources(tmp_path)
    assert "Excel Workbook (.xlsx)" in refused.value.next_step


def test_a_text_or_a_new_workbook_under_the_ending_of_an_older_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "rows.xls").write_text("ROW_ID\tNAME\n00417\tPulse\n00418\tTemp\n")
    (text,) = find_sources(tmp_path)
    assert (text.source.format, text.fields) == ("tsv", ("ROW_ID", "NAME"))
    assert [one.values[0] for one in text.records()] == ["00417", "00418"]
    book = Workbook()
    for line in (("ROW_ID", "NAME"), ("A1", "Pulse"), ("A2", "Temp")):
        book.active.append(line)
    book.save(tmp_path / "rows.xls")
    (workbook,) = find_sources(tmp_path)
    assert (workbook.source.format, workbook.fields) == ("xlsx", ("ROW_ID", "NAME"))
