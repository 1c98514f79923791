"""Fractions are read whole: 'one and three quarter cups' is one amount, not 1 and 3."""

from __future__ import annotations

import pytest

from extraction.language.numbers import numbers, shares
from extraction.language.quantities import amounts, number_ranges, out_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two and a half", [2.5]),
        ("one and three quarter cups", [1.75]),
        ("three and one quarter", [3.25]),
        ("4 and three quarters", [4.75]),
        ("2 3/4 cups", [2.75]),
        ("3¼ liters", [3.25]),
        ("six and four", []),  # 64, 6.4, or two numbers
        ("eighty and a half hour later", [80.0]),
    ],
)
def test_a_number_includes_the_fraction_after_it(text: str, expected: list[float]) -> None:
    assert [one.value for one in numbers(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a liter and a quarter of tea", [(1.25, "L")]),
        ("a litre and three quarters", [(1.75, "L")]),
        ("half a cup of broth", [(0.5, "[cup_us]")]),
        ("three quarter cup", [(0.75, "[cup_us]")]),
        ("1/2 cup", [(0.5, "[cup_us]")]),
        ("a cup and a half", [(1.5, "[cup_us]")]),
        ("two cups and a quarter", [(2.25, "[cup_us]")]),
        ("six tenths of a liter", [(0.6, "L")]),
        ("two thirds of a liter", [(2 / 3, "L")]),
        ("a third of that liter", [(1 / 3, "L")]),
        ("1.5 of a liter", [(1.5, "L")]),
        ("0.4 of the liter", [(0.4, "L")]),
        ("three quarters of the cup", [(0.75, "[cup_us]")]),
        ("half the liter", [(0.5, "L")]),
        ("two of the 240 cups", [(480.0, "mL")]),
        ("two cups of tea, the 240 cups", [(480.0, "mL")]),
        ("half of her 300 mL cup", [(150.0, "mL")]),
        ("a third of the lung", []),
        ("half of his feet", []),
        ("the third liter", []),
        ("a liter and half a cup", [(1.0, "L"), (0.5, "[cup_us]")]),
        ("one and three quarter cups", []),  # a plain number with its unit
        ("half a liter an hour", [(0.5, "L")]),
    ],
)
def test_parts_of_a_unit_are_amounts(text: str, expected: list[tuple[float, str]]) -> None:
    assert [(one.value, one.unit) for one in amounts(text, numbers(text))] == expected


def test_a_fraction_of_a_number_is_no_share() -> None:
    assert shares("ate one and three quarters of the sandwiches") == ()
    assert [one.value for one in shares("ate three quarters of the tray")] == [75.0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("six of nine attempts", [(6.0, 9.0)]),
        ("two out of five", [(2.0, 5.0)]),
        ("took 300 of the 500 mL", []),
        ("heart rate 80, sat 95", []),
    ],
)
def test_what_a_number_is_out_of(text: str, expected: list[tuple[float, float]]) -> None:
    assert [(one.value, total.value) for one, total in out_of(text, numbers(text))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Put out two, three hundred.", ["two, three hundred"]),
        ("About six seven hundred in the bag.", ["six seven hundred"]),
        ("4, 500 out of the drain", ["4, 500"]),
        ("Room two, four hundred of urine.", []),
        ("Drain 2, 150.", []),
    ],
)
def test_of_two_hundreds_the_first_may_be_said_without_its_name(text: str, expected: list[str]) -> None:
    assert [text[slice(*span)] for span in number_ranges(text, numbers(text))] == expected


def test_a_time_of_day_is_no_part_of_the_number_behind_it() -> None:
    text = "Pain five at one and two at three."
    assert [one.value for one in numbers(text)] == [5, 1, 2, 3]
