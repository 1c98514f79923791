"""Hours are times where they stand in a list of times beside as many numbers."""

from __future__ import annotations

import pytest

from extraction.language.clock_times import clocks, typed_time


def said(text: str) -> list[str]:
    return [text[one.start : one.end] for one in clocks(text) if one.observed]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("At 6, 7 and 8 the drain gave 25, 35 and 45.", ["6", "7", "8"]),
        ("Urine at 9, 11 and 1300 was 80, 60 and 90.", ["9", "11", "1300"]),
        ("Pulse was 84 and 78 at nine and noon.", ["nine", "noon"]),
        ("For 0100, 0200 and 0300 it was 30, 32 and 28.", ["0100", "0200", "0300"]),
        (
            "At 13, 14 and 15 hundred the pressure was 98 over 50, 104 over 58 and 110 over 60.",
            ["13", "14", "15 hundred"],
        ),
        ("Means 62, 66 and 71 at one, two and three o'clock.", ["one", "two", "three o'clock"]),
        ("Pulse at 11 was 84 and 78 at 15.", ["11", "15"]),
        ("Pulse 84 at noon and 78 at two.", ["noon", "two"]),
        ("Pressure 148 over 90 at ten past one, 130 over 78 at two.", ["ten past one", "two"]),
    ],
)
def test_hours_of_a_list_are_times(text: str, times: list[str]) -> None:
    assert said(text) == times


@pytest.mark.parametrize(
    "text",
    [
        "Rates it at 3, 4 and 5 out of ten.",  # no other numbers
        "Running at 6, 8 and 10.",
        "Settings at 12, 9 and 30, then 14, 15 and 16.",  # in no order of hours
        "At 5, 6 and 7 she was asked for 2 pillows.",  # not as many numbers
    ],
)
def test_other_lists_are_none(text: str) -> None:
    assert said(text) == []


def test_a_bare_hour_of_the_afternoon_is_not_typed_as_a_time() -> None:
    assert typed_time("15") is None
