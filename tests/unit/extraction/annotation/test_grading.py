"""Proposals against graded cases: required, acceptable and forbidden values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from extraction.annotation.case_files import Case, read_cases
from extraction.annotation.grading import Grade, Grader, summary
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from models.base.errors import InputError

VITALS, LINES, SKIN = ("Vital signs",), ("Lines",), ("Skin",)
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("hr", "Heart rate", ValueType.NUMERIC, VITALS, unit="/min"),
        Row("temp", "Temperature", ValueType.QUANTITY, VITALS, unit="Cel"),
        Row("iv1.site", "IV 1 site", ValueType.SINGLE_SELECT, LINES, (Option("Left hand"), Option("Right wrist"))),
        Row("iv2.site", "IV 2 site", ValueType.SINGLE_SELECT, LINES, (Option("Left hand"), Option("Right wrist"))),
        Row("skin", "Skin", ValueType.MULTI_SELECT, SKIN, (Option("Warm"), Option("Dry"), Option("Red"))),
        Row("fell", "Fall", ValueType.YES_NO, SKIN),
        Row("note", "Skin note", ValueType.TEXT, SKIN),
    ),
    "0" * 64,
    "t",
)
TEXT = "HR 88, temp 37, IV in the left hand, skin warm and dry, a bruise over the left hip. No redness. Mother fell."
CASE: dict[str, Any] = {
    "id": "a",
    "transcript": TEXT,
    "said_at": "14:05",
    "observations": [
        {"id": "hr", "value": 88, "time": "13:30", "words": "HR 88"},
        {"id": "temp", "value": 37.0},
        {"id": "iv1.site", "value": "Left hand", "any_instance": True},
        {"id": "skin", "value": ["Warm", "Dry"]},
        {"id": "note", "value": "a bruise over the left hip"},
    ],
    "acceptable": [{"id": "note", "value": "No redness"}],
    "forbidden": [
        {"id": "skin", "value": ["Red"], "why": "negated", "words": "No redness"},
        {"id": "fell", "value": None, "why": "other_person"},
    ],
}


def read(folder: Path, *cases: dict[str, Any]) -> tuple[Case, ...]:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")
    return read_cases(path, SCHEMA).cases


def grade(folder: Path, *proposed: tuple[str, Value]) -> Grade:
    return Grader(SCHEMA).grade(read(folder, CASE)[0], proposed)


def test_a_graded_case_is_read_with_times_and_traps(tmp_path: Path) -> None:
    (case,) = read(tmp_path, CASE)
    assert case.is_graded
    assert f"{case.dictated_at:%H:%M}" == "14:05"
    assert [one.time for one in case.observations] == ["13:30", "", "", "", ""]
    assert [(one.row_id, one.value, one.why) for one in case.forbidden or ()] == [
        ("skin", ("Red",), "negated"),
        ("fell", None, "other_person"),
    ]


def test_a_plain_case_is_not_graded(tmp_path: Path) -> None:
    (case,) = read(tmp_path, {"id": "b", "transcript": "x", "observations": []})
    assert (case.is_graded, f"{case.dictated_at:%H:%M}") == (False, "12:00")


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"said_at": "25:00"}, "said_at"),
        ({"said_at": "9:00"}, "said_at"),
        ({"forbidden": [{"id": "skin", "value": ["Red"], "why": "because"}]}, "why"),
        ({"forbidden": [{"id": "nowhere", "value": None, "why": "plan"}]}, "nowhere"),
        ({"acceptable": {"id": "hr"}}, "acceptable"),
        ({"observations": [{"id": "hr", "value": 88, "time": "noon"}]}, "time"),
    ],
)
def test_a_faulty_graded_case_is_refused_by_its_field(tmp_path: Path, changes: dict[str, Any], named: str) -> None:
    with pytest.raises(InputError, match=named):
        read(tmp_path, CASE | changes)


def test_perfect_proposals_are_all_right(tmp_path: Path) -> None:
    found = grade(
        tmp_path,
        ("hr", 88.0),
        ("temp", 36.98),
        ("iv1.site", "Left hand"),
        ("skin", ("Dry", "Warm")),
        ("note", "bruise over the left hip"),
    )
    assert (len(found.found), found.missed, found.acceptable, found.wrong, found.hit) == (6, (), (), (), ())


def test_another_instance_is_as_good_where_the_case_says_so(tmp_path: Path) -> None:
    assert grade(tmp_path, ("iv2.site", "Left hand")).right == (("iv2.site", "Left hand"),)
    assert grade(tmp_path, ("iv2.site", "Right wrist")).wrong == (("iv2.site", "Right wrist"),)


def test_acceptable_proposals_are_neither_required_nor_wrong(tmp_path: Path) -> None:
    found = grade(tmp_path, ("note", "no redness"))
    assert (found.right, len(found.acceptable), found.wrong, len(found.missed)) == ((), 1, (), 6)


def test_traps_are_hit_by_their_value_or_by_any(tmp_path: Path) -> None:
    found = grade(tmp_path, ("skin", ("Warm", "Red")), ("fell", False))
    assert found.right == (("skin", "Warm"),)
    assert found.hit == ((("skin", "Red"), "negated"), (("fell", False), "other_person"))


def test_the_summary_counts_items_over_all_cases(tmp_path: Path) -> None:
    cases = read(tmp_path, CASE, CASE | {"id": "b"})
    grader = Grader(SCHEMA)
    grades = [
        grader.grade(cases[0], [("hr", 88.0), ("skin", ("Warm", "Dry")), ("note", "no redness")]),
        grader.grade(cases[1], [("hr", 89.0), ("skin", ("Red",))]),
    ]
    found = summary(grades, SCHEMA)
    assert (found["required"], found["found"], found["recall"]) == (12, 3, 0.25)
    assert (found["proposed"], found["wrong"], found["precision"]) == (6, 2, 0.6667)
    assert (found["traps"], found["traps_hit"], found["traps_hit_by_reason"]) == (4, 1, {"negated": 1})
    assert found["recall_by_category"]["Vital signs"] == {"required": 4, "recall": 0.25}
