"""Times as dumps write them."""

from __future__ import annotations

from datetime import date

import pytest

from extraction.contract.rows.moments import clock_of, day_numbers, month_of, split_moment


@pytest.mark.parametrize(
    ("text", "day", "minute"),
    [
        ("2026-03-02 07:15", "2026-03-02", 435),
        ("2026-03-02T07:15:30.250Z", "2026-03-02", 435),
        ("2026-03-02T07:15:00+01:00", "2026-03-02", 435),
        ("03/02/2026 7:15 PM", "03/02/2026", 1155),
        ("02.03.2026 12:05 am", "02.03.2026", 5),
        ("2-Mar-26 23:59", "2-Mar-26", 1439),
        ("20260302", "20260302", -1),
        ("202603020715", "20260302", 435),
        ("20260302071530", "20260302", 435),
        ("2026-03-02", "2026-03-02", -1),
        ("2026-03-02 31:15", "2026-03-02", -1),
        ("", "", -1),
        ("this morning", "", -1),
        ("4711", "", -1),
    ],
)
def test_a_time_is_a_day_and_a_minute(text: str, day: str, minute: int) -> None:
    assert split_moment(text) == (day, minute)


def test_a_time_of_day_that_stands_apart() -> None:
    assert [clock_of(text) for text in ("07:15", "0715", "7:15 pm", "07:15:00", "soon", "")] == [
        435, 435, 1155, 435, -1, -1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        (("03/04/2026", "03/25/2026"), (3, 4)),
        (("03/04/2026", "25/04/2026"), (4, 3)),
        (("03/04/2026",), (3, 4)),
        (("03.04.2026",), (4, 3)),
        (("2026-03-04",), (3, 4)),
        (("4-Mar-2026",), (3, 4)),
        (("20260304",), (3, 4)),
    ],
)
def test_the_other_days_say_whether_the_month_comes_first(days: tuple[str, ...], expected: tuple[int, int]) -> None:
    assert day_numbers(days)[0] == date(2026, *expected).toordinal()


def test_what_is_no_day_is_none() -> None:
    assert day_numbers(["2026-02-30", "31/31/2026", "3-Foo-2026", ""]) == [0, 0, 0, 0]
    assert month_of(date(2026, 3, 4).toordinal()) == "2026-03"
