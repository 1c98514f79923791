"""Tables in text files: separators, encodings, headers, and what is refused."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from extraction.contract.errors import SourceError
from extraction.contract.sources import text_files
from extraction.contract.sources.discovery import find_sources
from extraction.contract.sources.source_table import SourceTable, set_aside


def _only(folder: Path, content: str | bytes, name: str = "rows.csv", encoding: str = "utf-8") -> SourceTable:
    data = content if isinstance(content, bytes) else content.encode(encoding)
    (folder / name).write_bytes(data)
    (table,) = find_sources(folder)
    return table


def _values(table: SourceTable) -> list[tuple[str, ...]]:
    return [record.values for record in table.records()]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_degree_sign_in_a_short_file_is_read_in_each_encoding(tmp_path: Path, encoding: str) -> None:
    table = _only(tmp_path, "ID,UNIT\r\n1,°C\r\n", encoding=encoding)
    assert _values(table) == [("1", "°C")]
    assert (table.source.encoding, table.source.delimiter, table.source.rows) == (encoding, ",", 1)


def test_two_encodings_in_one_file_are_named_with_their_lines(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"rows\.csv mixes two encodings: line 2 is UTF-8, and line 3 is not"):
        _only(tmp_path, b"ID,UNIT\n1,\xc2\xb0C\n2,\xb0F\n")


def test_a_byte_of_no_encoding_is_named_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"rows\.csv, line 3: the byte 0x81 is neither UTF-8 nor windows-1252"):
        _only(tmp_path, b"ID,UNIT\n1,x\n2,\x81\n")


def test_utf_16_without_its_mark_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="NUL"):
        _only(tmp_path, "ID,UNIT\n1,x\n", encoding="utf-16-le")


@pytest.mark.parametrize(
    ("text", "delimiter", "first"),
    [
        ("ID;NAME;LOW\n1;Temp;36,5\n2;Weight;70,1\n", ";", ("1", "Temp", "36,5")),
        ("1,5;2,5\n3,5;4,5\n6,5;7,25\n", ";", ("1,5", "2,5")),
        ("ID|NAME|VALUE\n1|BP|120/80\n2|HR|88\n", "|", ("1", "BP", "120/80")),
        ("ID\tNAME\n1\tPulse, apical; resting\n", "\t", ("1", "Pulse, apical; resting")),
        ("ID^NAME^SITE\n1^Pulse^left\n2^Resp^right\n3^Temp^oral\n", "^", ("1", "Pulse", "left")),
        ('ID,NAME\n1,"Tube ""big"", left"\n', ",", ("1", 'Tube "big", left')),
        ('ID\tNAME\n1\t5" tube\n2\t"x\n', "\t", ("1", '5" tube')),
    ],
)
def test_the_separator_is_found(tmp_path: Path, text: str, delimiter: str, first: tuple[str, ...]) -> None:
    table = _only(tmp_path, text)
    assert (table.source.delimiter, _values(table)[0]) == (delimiter, first)


def test_titles_above_the_header_are_left_out_and_lines_are_those_of_the_file(tmp_path: Path) -> None:
    table = _only(tmp_path, 'Units of the ward\n\nID,NAME\n1,"two\nlines"\n00123,Pulse\n')
    assert (table.source.header_line, table.fields) == (3, ("ID", "NAME"))
    assert [(one.line, one.values) for one in table.records()] == [(4, ("1", "two\nlines")), (6, ("00123", "Pulse"))]


def test_a_table_without_header_has_numbered_columns_and_keeps_its_first_line(tmp_path: Path) -> None:
    table = _only(tmp_path, "17,Pulse\n18,Resp\n")
    assert (table.source.header_line, table.fields) == (0, ("column 1", "column 2"))
    assert _values(table) == [("17", "Pulse"), ("18", "Resp")]


def test_repeated_and_blank_names_of_columns_become_different(tmp_path: Path) -> None:
    assert _only(tmp_path, "NAME,NAME,,UNIT\na,b,c,d\n").fields == ("NAME", "NAME (2)", "column 3", "UNIT")


def test_one_column_is_a_table_and_prose_is_none(tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Dear colleague,\nhere are the lists, as you asked.\n\nThey are from May.\n")
    (tmp_path / "units.csv").write_text("UNIT\nmmHg\n/min\n")
    note, units = find_sources(tmp_path)
    assert (note.source.header_line, note.fields, list(note.records())) == (None, (), [])
    assert "no table" in note.skipped
    assert (units.fields, _values(units)) == (("UNIT",), [("mmHg",), ("/min",)])


@pytest.mark.parametrize(("line", "cells"), [("2,Resp", 2), ("2,Resp,x,y", 4)])
def test_a_line_of_another_width_is_set_aside_and_named(tmp_path: Path, line: str, cells: int) -> None:
    table = _only(tmp_path, f"ID,NAME,UNIT\n1,Pulse,/min\n{line}\n3,Temp,C\n")
    assert [values[0] for values in _values(table)] == ["1", "3"]
    assert set_aside([table]) == [("rows.csv", 3, f"has {cells}, where 3 cells were expected")]


def test_many_lines_of_another_width_are_refused_with_their_number_and_the_first(tmp_path: Path) -> None:
    lines = "".join(f"{one},Pulse,/min\n" for one in range(50)) + "7,Resp\n" * 4 + "99,Temp,C\n"
    table = _only(tmp_path, f"ID,NAME,UNIT\n{lines}")
    with pytest.raises(SourceError, match=r"rows\.csv, line 52, has 2, where 3 .* 3 of 55 lines do not fit either"):
        list(table.records())
    few = "".join(f"{one},Pulse,/min\n" for one in range(400)) + "7,Resp\n" * 4 + "999,Temp,C\n"
    assert len(_values(_only(tmp_path, f"ID,NAME,UNIT\n{few}"))) == 401


@pytest.mark.parametrize("footer", ["2005 rows selected.", "End of report"])
def test_footers_and_repeated_headers_are_no_records(tmp_path: Path, footer: str) -> None:
    table = _only(tmp_path, f"ID,NAME,UNIT\n1,Pulse,/min\nID,NAME,UNIT\n2,Temp,C\n  \n\n{footer}\n")
    assert [values[0] for values in _values(table)] == ["1", "2"]
    assert [line for _, line, _ in set_aside([table])] == [3, 7]


def test_lists_in_columns_of_which_one_is_the_longest_keep_their_last_option(tmp_path: Path) -> None:
    table = _only(tmp_path, "SIDE,GAIT,TONE\nleft side,steady,soft\nright side,weak,\nboth sides,,\n")
    assert _values(table)[-1] == ("both sides", "", "")


def test_empty_cells_at_the_end_of_a_line_are_fine(tmp_path: Path) -> None:
    assert _values(_only(tmp_path, "ID,NAME\n1,Pulse,,\n2,Resp\n,,,\n")) == [("1", "Pulse"), ("2", "Resp")]


def test_a_cell_that_is_never_closed_is_named_with_its_line(tmp_path: Path) -> None:
    table = _only(tmp_path, "ID,NAME\n" + '1,"a, b"\n' * 9000 + '2,"open\n3,x\n')
    with pytest.raises(SourceError, match="line 9002"):
        list(table.records())


def test_a_packed_file_is_read_as_the_plain_one_and_a_bomb_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = _only(tmp_path, gzip.compress(b"ID,NAME\n1,Pulse\n"), "rows.csv.gz")
    assert _values(table) == [("1", "Pulse")]
    monkeypatch.setattr(text_files, "HARMLESS", 1000)
    monkeypatch.setattr(text_files, "MOST_TIMES", 10)
    with pytest.raises(SourceError, match="far too much for its size"):
        _only(tmp_path, gzip.compress(b"ID,NAME\n" + b"1,Pulse\n" * 100_000), "rows.csv.gz")


def test_a_damaged_packed_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="damaged"):
        _only(tmp_path, gzip.compress(b"ID,NAME\n1,Pulse\n" * 50)[:-12], "rows.csv.gz")


def test_a_quotation_mark_that_is_never_closed_in_a_short_file_is_no_letter(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"rows\.csv: no separator and quotation marks"):
        _only(tmp_path, 'ID,NAME\n1,"Pulse\n2,Resp\n')


def test_words_are_no_cells(tmp_path: Path) -> None:
    table = _only(tmp_path, "names of rows\nheart rate\npulse\n")
    assert (table.fields, _values(table)) == (("names of rows",), [("heart rate",), ("pulse",)])


def test_a_text_of_two_lines_with_tabs_is_a_table(tmp_path: Path) -> None:
    assert _values(_only(tmp_path, "ID\tNAME\n1\tPulse\n", "rows.txt")) == [("1", "Pulse")]


def test_a_column_that_is_mostly_empty_keeps_its_name(tmp_path: Path) -> None:
    table = _only(tmp_path, "ID,NOTE\n1,\n2,\n3,\n4,\n5,\n6,\n")
    assert (table.fields, _values(table)[0]) == (("ID", "NOTE"), ("1", ""))


def test_a_footer_does_not_hide_the_separator_of_a_short_file(tmp_path: Path) -> None:
    (tmp_path / "views.txt").write_text("VIEW_ID|VIEW_NAME|PLACE\n5|Day|1\n6|Night|2\n\n(2 lines written)\n")
    (table,) = find_sources(tmp_path)
    assert table.fields == ("VIEW_ID", "VIEW_NAME", "PLACE")
    assert len(list(table.records())) == 2
