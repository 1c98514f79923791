"""Earlier assessments of a patient, and where the numbers of a row go."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from app.chart.trends import charted, direction, number_in
from extraction.flowsheet.values import Value


def placed(row_id: str, value: Value, time: str, number: int = 1) -> ChartEntry:
    return ChartEntry(
        ReviewedValue(number, 1, row_id, None, value, None, ReviewStatus.ADDED, "Kim", time), 1, time, "a.wav"
    )


def test_the_columns_up_to_one_are_in_their_order() -> None:
    values = [
        placed("hr", 96.0, "2026-11-21T12:00:30.000+00:00"),
        placed("hr", 88.0, "2026-11-21T08:00:00.000+00:00"),
        placed("bp", "142/74", "2026-11-21T10:00:00.000+00:00"),
        placed("hr", 99.0, "2026-11-21T14:00:00.000+00:00"),
        placed("hr", 101.0, "2026-11-21T16:00:00.000+00:00"),
    ]
    found = charted(values).until("2026-11-21T14:00")
    assert found.columns == ("2026-11-21T08:00", "2026-11-21T10:00", "2026-11-21T12:00", "2026-11-21T14:00")
    assert [one.value.value for one in found.of("hr")] == [88.0, 96.0, 99.0]
    assert found.of("rass") == ()
    assert [one.value.value for one in found.at("bp", "2026-11-21T10:00")] == ["142/74"]
    assert found.at("hr", "2026-11-21T10:00") == ()


def test_a_minute_holds_what_several_dictations_charted_in_it() -> None:
    noon, of_another = "2026-11-21T12:00:00.000+00:00", placed("hr", 96.0, "2026-11-21T12:00:40.000+00:00", 2)
    of_another = replace(of_another, value=replace(of_another.value, dictation_id=2))
    found = charted([placed("hr", 88.0, noon), placed("hr", 88.0, noon), of_another])
    assert [one.value.value for one in found.at("hr", "2026-11-21T12:00")] == [88.0, 88.0, 96.0]
    alike = replace(of_another, value=replace(of_another.value, value=88.0))
    assert len(charted([placed("hr", 88.0, noon), alike]).of("hr")) == 1, "both say the same of one place"


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (88.0, 88.0),
        ("142/74", 142.0),
        (True, None),
        ("calm", None),
        (("a", "b"), None),
        ("2026-11-20", None),
        ("1/2/3", None),
    ],
)
def test_numbers_and_pressures_can_be_drawn(value: Value, number: float | None) -> None:
    assert number_in(value) == number


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ((88, 92, 96), "rising"),
        ((96, 92, 88), "falling"),
        ((90, 91, 90), "steady"),
        ((88, 110, 90), "varying"),
        ((-2, -2), "steady"),
        ((0, 0), "steady"),
        ((37.0, 37.5, 38.0, 38.6), "rising"),
        ((5,), ""),
        ((), ""),
    ],
)
def test_where_numbers_go(numbers: tuple[float, ...], words: str) -> None:
    assert direction(numbers) == words


@given(st.lists(st.floats(-500, 500), min_size=2, max_size=8))
def test_the_mirror_image_goes_the_other_way(numbers: list[float]) -> None:
    other = {"rising": "falling", "falling": "rising"}
    assert direction([-number for number in numbers]) == other.get(direction(numbers), direction(numbers))
