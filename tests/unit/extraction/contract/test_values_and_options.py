"""Cells of exports: options, dates, numbers, marks of what is in use, and several lines of one act of charting."""

from __future__ import annotations

from pathlib import Path

import pytest

from extraction.contract.records import FieldRole
from extraction.contract.rows.activity import is_retired_name, retired_by, tells_use
from extraction.contract.rows.option_cells import option_columns
from extraction.contract.rows.option_text import loose_order, options_of
from extraction.contract.value_shapes import (
    are_moments,
    date_of,
    has_decimal_commas,
    is_day_first,
    number_of,
    type_of,
    words_in,
)
from tests.unit.extraction.contract.test_layouts import contract_of, items, rows_of


@pytest.mark.parametrize(
    ("cell", "options"),
    [
        ("Pink/Pale/Wan", [("", "Pink"), ("", "Pale"), ("", "Wan")]),
        ("Walks w/ help/Walks alone/N/A", [("", "Walks w/ help"), ("", "Walks alone"), ("", "N/A")]),
        ("face/eyes;hands", [("", "face/eyes"), ("", "hands")]),
        ("0=None; 1=Mild", [("0", "None"), ("1", "Mild")]),
        ("0=None, 1=Mild, moderate, 2=Severe", [("0", "None"), ("1", "Mild, moderate"), ("2", "Severe")]),
        ("None (0); Mild (1)", [("0", "None"), ("1", "Mild")]),
        ("0-None, 1-Mild, 2-Bad", [("0", "None"), ("1", "Mild"), ("2", "Bad")]),
        ('{"0": "None", "1": "Mild"}', [("0", "None"), ("1", "Mild")]),
        ('"Left, upper","Right"', [("", "Left, upper"), ("", "Right")]),
        ("Other (specify, please), None", [("", "Other (specify, please)"), ("", "None")]),
        ("Other: specify; Left: upper", [("", "Other: specify"), ("", "Left: upper")]),
        ("1 person / 2 people / none", [("", "1 person"), ("", "2 people"), ("", "none")]),
        ("120/80", []),
        ("as the ward says", []),
    ],
)
def test_options_in_a_cell(cell: str, options: list[tuple[str, str]]) -> None:
    assert options_of(cell) == options


def test_the_mark_that_joins_most_cells_is_tried_first() -> None:
    order = loose_order(["Pink/Pale", "Steady/Unsteady", "left, right"])
    assert order == ("/", ",")
    assert options_of("dry, warm/moist", loose=order) == [("", "dry, warm"), ("", "moist")]


def test_columns_with_one_option_each() -> None:
    fields = ("id", "code1", "text1", "code2", "text2", "code3", "text3", "low1")
    found = option_columns(fields)
    assert [path for path, column in found.items() if column.holds_code] == ["code1", "code2", "code3"]
    assert [path for path, column in found.items() if not column.holds_code] == ["text1", "text2", "text3"]
    assert option_columns(("id", "low1", "low2", "low3")) == {}


@pytest.mark.parametrize(
    ("header", "values", "retired"),
    [
        ("Active", ["Y", "N", "Y"], [False, True, False]),
        ("InUse", ["-1", "0", "-1"], [False, True, False]),
        ("Retired", ["", "x", ""], [False, True, False]),
        ("Active", ["x", "", "x", "x"], [False, True, False, False]),
        ("Status", ["A", "X", "A"], [False, True, False]),
        ("Status", ["Live", "Withdrawn", "Live"], [False, True, False]),
        ("Aktiv", ["ja", "nein", "ja"], [False, True, False]),
        ("valid until", ["31.12.9999", "31.12.2019", ""], [False, True, False]),
        ("End date", ["2031-01-01", "2024-05-30", ""], [False, True, False]),
        ("valid from", ["2019-01-01", "2024-05-30", ""], [False, False, False]),
        ("discontinued_on", ["", "12/31/2020", ""], [False, True, False]),
    ],
)
def test_marks_of_what_is_no_longer_used(header: str, values: list[str], retired: list[bool]) -> None:
    is_retired = retired_by(header, values, "2026-03-01T10:00:00Z")
    assert [is_retired(value) for value in values] == retired


def test_a_bare_yes_says_what_is_in_use_under_such_a_header_only() -> None:
    assert tells_use("in use", ["Y", "N"])
    assert not tells_use("required", ["Y", "N"])
    assert is_retired_name("zzPulse")
    assert is_retired_name("Pulse (old)")
    assert not is_retired_name("Oldest wound")


def test_dates_of_many_forms() -> None:
    forms = ("2026-03-04", "20260304", "04.03.2026", "4-Mar-2026", "Mar 4, 2026", "4. März 2026", "2026/03/04")
    assert {date_of(form, day_first=True) for form in forms} == {date_of("2026-03-04", day_first=False)}
    assert is_day_first(["3/4/2026", "13/4/2026"])
    assert not is_day_first(["3/4/2026", "4/13/2026"])
    for values in (["Mar 4 2026 8:15AM"], ["04-03-2026 08:15"], ["4 mars 2026 08:15"], ["04.03.2026, 8h15"]):
        assert type_of(values).value == "datetime"


def test_numbers_that_are_times() -> None:
    assert are_moments(["1772611200", "1772611260"])
    assert are_moments(["1772611200000"])
    assert are_moments(["202603040815", "20260304"])
    assert not are_moments(["4100", "4101"])
    assert not are_moments(["20261304"])


def test_decimal_commas_are_decided_for_a_whole_column() -> None:
    assert has_decimal_commas(["36,5", "1,500"])
    assert not has_decimal_commas(["36.5", "1,500"])
    assert not has_decimal_commas(["3,000", "250"])
    assert number_of("1,500", decimal_comma=False) == 1500
    assert number_of("1,500") == 1.5
    assert number_of("1.500,25") == 1500.25


def test_headers_in_other_languages_and_in_one_word() -> None:
    assert words_in("Gültig bis") == ("valid", "to")
    assert words_in("PATIENTENNR") == ("patient", "nr")
    assert words_in("ITEMNAME") == ("item", "name")
    assert words_in("Libellé") == ("name",)
    assert words_in("Keuzelijst") == ("choices",)


def test_several_lines_of_one_act_show_a_choice_of_several(tmp_path: Path) -> None:
    choices = ("", "", "clear/wheezes/crackles", "", "", "steady/unsteady", "", "")
    values = [["PATIENT_NO", "ITEM_ID", "DATE", "TIME", "RESULT"]]
    for number in range(20):
        when = [f"2026-02-{1 + number:02}", f"{8 + number % 9:02}:15"]
        values += [[f"P{number % 5}", "4102", *when, sound] for sound in ("wheezes", "crackles")[: 1 + number % 2]]
        values.append([f"P{number % 5}", "4105", *when, ("steady", "unsteady")[number % 2]])
    contract = contract_of(tmp_path, items=items("CHOICES", CHOICES=choices), values=values)
    rows = rows_of(contract)
    assert rows["Lung sounds"].value_type == "multi_select"
    assert rows["Gait"].value_type == "single_select"
    roles = {role.field: role.role for role in contract.roles if role.source == "values.csv"}
    assert roles["DATE"] is roles["TIME"] is FieldRole.OBSERVED_AT


def test_corrections_are_no_choice_of_several(tmp_path: Path) -> None:
    choices = ("", "", "", "", "", "steady/unsteady", "", "")
    values = [["PATIENT_NO", "ITEM_ID", "OBSERVED_AT", "ENTERED_AT", "RESULT"]]
    for number in range(20):
        when = f"2026-02-{1 + number:02} 08:15"
        values.append([f"P{number % 5}", "4105", when, when, "steady"])
        values.append([f"P{number % 5}", "4105", when, when.replace("08:", "09:"), "unsteady"])
    rows = rows_of(contract_of(tmp_path, items=items("CHOICES", CHOICES=choices), values=values))
    assert rows["Gait"].value_type == "single_select"
