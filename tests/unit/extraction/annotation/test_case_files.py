"""Annotated cases: reading lines, refusing invalid ones with their location, and writing lines that read back."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.annotation.case_files import Observation, case_line, read_cases
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from models.base.errors import InputError


def row(row_id: str, kind: ValueType, *options: str, unit_of: str | None = None) -> Row:
    return Row(row_id, f"Row {row_id}", kind, ("Vitals",), tuple(map(Option, options)), unit_of=unit_of)


SCHEMA = Schema(
    "t",
    "Test",
    "1",
    (
        row("1", ValueType.NUMERIC),
        row("2", ValueType.SINGLE_SELECT, "pale", "pink"),
        row("3", ValueType.MULTI_SELECT, "red", "warm", "dry"),
        row("4", ValueType.TEXT),
        row("5", ValueType.YES_NO),
        row("6", ValueType.BLOOD_PRESSURE),
        row("7", ValueType.DATE),
        row("hr", ValueType.QUANTITY),
    ),
    "0" * 64,
    "test.json",
)


def observed(row_id: Any, value: Any) -> dict[str, Any]:
    return {"id": row_id, "value_type": "ANY", "name": "any", "value": value}


def line(*observations: dict[str, Any], case_id: Any = "a", text: str = "Nail beds are pale.") -> str:
    return json.dumps({"id": case_id, "transcript": text, "observations": json.dumps(observations)})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cases.jsonl"


def test_values_are_normalised_by_their_rows(file: Path) -> None:
    file.write_text(
        line(
            observed("01", 36),
            observed(2, "pale"),
            observed("3", ["warm", "red"]),
            observed("4", 3),
            observed("5", "No"),
            observed("6", "120/80"),
            observed("hr", "71.5"),
        )
        + "\n\n",
        encoding="utf-8",
    )
    found = read_cases(file, SCHEMA)
    assert found.warnings == ()
    assert found.cases[0].id == "a"
    assert found.cases[0].text == "Nail beds are pale."
    assert {it.row_id: it.value for it in found.cases[0].observations} == {
        "1": 36.0,
        "2": "pale",
        "3": ("warm", "red"),
        "4": "3",
        "5": False,
        "6": "120/80",
        "hr": 71.5,
    }


def test_observations_may_be_a_list_and_a_multi_select_a_single_choice(file: Path) -> None:
    case = {"id": 7, "transcript": "Skin is dry.", "observations": [observed("3", "dry"), observed("5", True)]}
    file.write_text("\ufeff" + json.dumps(case), encoding="utf-8")
    found = read_cases(file, SCHEMA).cases[0]
    assert found.id == "7"
    assert found.observations == (Observation("3", ("dry",)), Observation("5", True))


def test_values_outside_the_options_are_kept_with_a_warning(file: Path) -> None:
    file.write_text(
        line(observed("2", "Pale"), observed("3", ["red", "wet"]), observed("5", "maybe")), encoding="utf-8"
    )
    found = read_cases(file, SCHEMA)
    assert [it.value for it in found.cases[0].observations] == ["Pale", ("red", "wet"), "maybe"]
    assert found.warnings == (
        'cases.jsonl, line 1, observation 1: "Pale" is not an option of "Row 2".',
        'cases.jsonl, line 1, observation 2: "wet" is not an option of "Row 3".',
        'cases.jsonl, line 1, observation 3: "maybe" is not an option of "Row 5".',
    )


def test_an_exact_id_wins_over_one_without_leading_zeros(file: Path) -> None:
    schema = Schema("t", "T", "1", (row("3", ValueType.TEXT), row("03", ValueType.TEXT)), "0" * 64, "t.json")
    file.write_text(line(observed("03", "a"), observed("3", "b"), observed("003", "c")), encoding="utf-8")
    assert [it.row_id for it in read_cases(file, schema).cases[0].observations] == ["03", "3", "3"]


def test_without_annotations_observations_are_not_read(file: Path) -> None:
    file.write_text('{"id": "a", "transcript": "Skin is dry."}', encoding="utf-8")
    assert read_cases(file, SCHEMA, annotated=False).cases[0].observations == ()
    with pytest.raises(InputError, match=r'cases\.jsonl, line 1: the field "observations" is missing'):
        read_cases(file, SCHEMA)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "cases.jsonl contains no cases"),
        ("{", "line 1 is not valid JSON: column 2"),
        ("[]", "line 1 is not a JSON object"),
        ('{"id": 1e999, "transcript": NaN}', "line 1 is not valid JSON: NaN is not a number"),
        ("[" * 100_000, "line 1 is not valid JSON"),
        ('{"id": "\\ud800"}', "line 1 is not valid JSON"),
        ('{"transcript": "t"}', 'line 1: the field "id" is missing'),
        ('{"id": true, "transcript": "t"}', 'line 1: the field "id" is of the wrong type'),
        ('{"id": "a", "transcript": 5}', 'line 1: the field "transcript" is of the wrong type'),
        (line(text=" "), 'line 1: the field "transcript" is empty'),
        (line() + "\n" + line(), 'line 2: the field "id" is "a", as in line 1'),
        ('{"id": "a", "transcript": "t", "observations": "["}', 'line 1: the field "observations" is not valid JSON'),
        ('{"id": "a", "transcript": "t", "observations": "3"}', 'line 1: the field "observations" must be a list'),
        ('{"id": "a", "transcript": "t", "observations": [3]}', "line 1, observation 1 is not an object"),
        (line(observed("99", "x")), 'line 1, observation 1: the schema Test has no row with the "id" "99"'),
        (line({"id": "1"}), 'line 1, observation 1: the field "value" is missing'),
        (line(observed("1", None)), 'line 1, observation 1: the field "value" is of the wrong type'),
        (line(observed("1", "high")), "line 1, observation 1, field \"value\": 'high' cannot be a value of 'Row 1'"),
        (line(observed("1", 10**400)), 'observation 1: the number in the field "value" is too long'),
        (line(observed("6", "high")), 'observation 1, field "value"'),
        (line(observed("4", "")), 'observation 1: the field "value" must be a text'),
        (line(observed("2", ["pale"])), 'observation 1: the field "value" must be a text'),
        (line(observed("3", [["red"]])), 'observation 1: the field "value" must be a text'),
        (line(observed("5", [True])), 'observation 1: the field "value" must be a text'),
    ],
)
def test_errors_name_file_line_and_field(file: Path, content: str, says: str) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_cases(file, SCHEMA)
    assert says in caught.value.what
    assert "cases.jsonl" in caught.value.what
    assert caught.value.next_step


def test_a_file_that_is_not_text_is_refused(file: Path, tmp_path: Path) -> None:
    file.write_bytes(line().encode() + b"\n\xff\xfe")
    with pytest.raises(InputError, match=r"cases\.jsonl, line 2 is not UTF-8"):
        read_cases(file, SCHEMA)
    with pytest.raises(InputError, match="There is no file"):
        read_cases(tmp_path / "nowhere.jsonl", SCHEMA)
    with pytest.raises(InputError, match="cannot be read"):
        read_cases(tmp_path, SCHEMA)


def test_a_written_line_has_synurs_format() -> None:
    values = [Observation("1", 36.0), Observation("3", ("red",)), Observation("5", True), Observation("6", "120/80")]
    written = json.loads(case_line("a", "text", values, SCHEMA))
    assert json.loads(written["observations"]) == [
        {"id": "1", "value_type": "NUMERIC", "name": "Row 1", "value": 36},
        {"id": "3", "value_type": "MULTI_SELECT", "name": "Row 3", "value": ["red"]},
        {"id": "5", "value_type": "SINGLE_SELECT", "name": "Row 5", "value": "Yes"},
        {"id": "6", "value_type": "BLOOD_PRESSURE", "name": "Row 6", "value": "120/80"},
    ]


some_text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
observations = st.one_of(
    st.builds(Observation, st.just("1"), st.floats(-1e6, 1e6).map(lambda number: number + 0.0)),
    st.builds(Observation, st.just("2"), some_text),
    st.builds(Observation, st.just("3"), st.lists(some_text, unique=True).map(tuple)),
    st.builds(Observation, st.just("4"), some_text),
    st.builds(Observation, st.just("5"), st.booleans()),
    st.builds(Observation, st.just("7"), st.dates(dt.date(1000, 1, 1)).map(dt.date.isoformat)),
)


@given(
    st.dictionaries(some_text, st.tuples(some_text.filter(str.strip), st.lists(observations)), min_size=1, max_size=3)
)
def test_written_lines_read_back(tmp_path_factory: pytest.TempPathFactory, cases: dict[str, Any]) -> None:
    path = tmp_path_factory.mktemp("cases") / "cases.jsonl"
    lines = [case_line(case_id, text, values, SCHEMA) for case_id, (text, values) in cases.items()]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="")
    read = read_cases(path, SCHEMA)
    assert {case.id: (case.text, list(case.observations)) for case in read.cases} == cases


def test_values_read_back_with_their_rows_types(file: Path) -> None:
    values: list[tuple[str, Value]] = [("1", 2.5), ("3", ("dry", "red")), ("5", False)]
    file.write_text(case_line("a", "t", [Observation(*value) for value in values], SCHEMA), encoding="utf-8")
    found = read_cases(file, SCHEMA).cases[0].observations
    assert [(it.row_id, it.value, type(it.value)) for it in found] == [(*value, type(value[1])) for value in values]
