"""Reading the columns of a hospital's CSV: what is wrong is named with file and column."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.exchange.sheets.hospital_columns import (
    DEFAULT_COLUMNS,
    ColumnContent,
    HospitalColumn,
    HospitalColumns,
    read_hospital_columns,
)
from models.base.errors import InputError

TOML = """
delimiter = "|"
encoding = "cp1252"
line_end = "lf"
time_format = "%d.%m.%Y %H:%M"

[[columns]]
name = "PAT_ID"
content = "patient-number"

[[columns]]
name = "FLO_MEAS_ID"
content = "row-id"
"""
EXPECTED = HospitalColumns(
    columns=(
        HospitalColumn("PAT_ID", ColumnContent.PATIENT_NUMBER),
        HospitalColumn("FLO_MEAS_ID", ColumnContent.ROW_ID),
    ),
    delimiter="|",
    encoding="cp1252",
    line_end="lf",
    time_format="%d.%m.%Y %H:%M",
)


def file(folder: Path, text: str, name: str = "columns.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    assert read_hospital_columns(file(tmp_path, TOML)) == EXPECTED
    as_json = {
        "delimiter": "|",
        "encoding": "cp1252",
        "line_end": "lf",
        "time_format": "%d.%m.%Y %H:%M",
        "columns": [{"name": one.name, "content": one.content} for one in EXPECTED.columns],
    }
    assert read_hospital_columns(file(tmp_path, json.dumps(as_json), "columns.JSON")) == EXPECTED


def test_what_a_file_omits_is_as_usual(tmp_path: Path) -> None:
    assert read_hospital_columns(None) == read_hospital_columns(file(tmp_path, "")) == HospitalColumns()
    assert HospitalColumns().columns == DEFAULT_COLUMNS


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("delimiter = ", "columns.toml is not valid"),
        ("separator = ';'", "'separator', which is no setting"),
        ("delimiter = '||'", r"delimiter = '\|\|'.*one character"),
        ("delimiter = '\"'", "one character, and no quote"),
        ("delimiter = 3", "must be text"),
        ("encoding = 'latin-17'", "encoding = 'latin-17'.*no such encoding"),
        ("encoding = 'base64'", "no such encoding"),
        ("line_end = 'cr'", "crlf lf"),
        ("header = 'yes'", "true or false"),
        ("time_format = '%d %B %Y'", "%Y %y %m"),
        ("time_format = '%d %'", "%Y %y %m"),
        ("decimal_sign = ''", r"one of: \. ,"),
        ("clock = []", "ward utc"),
        ("columns = []", "no list of columns"),
        ("columns = ['a']", "column 1"),
        ("columns = [{name = 'A', content = 'empty', width = 3}]", "column 1"),
        ("columns = [{name = '', content = 'empty'}]", "column 1 no name"),
        ("columns = [{name = 'A', content = 'empty'}, {name = 'A', content = 'unit'}]", "two columns 'A'"),
        ("columns = [{name = 'A', content = 'empty'}, {name = 'B', content = 'units'}]", "'units' into column 2, 'B'"),
        ("columns = [{name = 'A', content = ['unit']}]", "column 1, 'A'"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(tmp_path: Path, text: str, named: str) -> None:
    with pytest.raises(InputError, match=named) as caught:
        read_hospital_columns(file(tmp_path, text))
    assert "columns.toml" in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"missing\.toml cannot be read"):
        read_hospital_columns(tmp_path / "missing.toml")
    (tmp_path / "list.json").write_text("[]")
    with pytest.raises(InputError, match=r"list\.json is no table of settings"):
        read_hospital_columns(tmp_path / "list.json")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match=r"binary\.toml is not valid"):
        read_hospital_columns(tmp_path / "binary.toml")
