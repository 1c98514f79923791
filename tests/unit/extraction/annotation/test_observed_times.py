"""Readings of a row are matched by value and time; a right value at a wrong time is an error of its own kind."""

from __future__ import annotations

import datetime as dt

from extraction.annotation.case_files import Case, Observation
from extraction.annotation.grading import Grader
from extraction.annotation.observed_times import Reading, TimedItem, gives_times, time_figures, timed_items
from extraction.flowsheet.schema import Row, Schema, ValueType

SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("Vital signs",), unit="mm[Hg]"),
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vital signs",), unit="/min"),
    ),
    "0" * 64,
    "t",
)
GRADER = Grader(SCHEMA)


def case(*observations: Observation) -> Case:
    return Case("a", "Said.", observations, said_at=dt.time(14, 5))


def timed(of: Case, *proposed: Reading) -> list[TimedItem]:
    return timed_items(of, proposed, GRADER)


PRESSURES = case(Observation("bp", "150/90", "12:00"), Observation("bp", "138/84", "12:45"), Observation("hr", 88.0))


def test_values_and_times_are_counted_apart() -> None:
    found = timed(PRESSURES, ("bp", "138/84", "12:00"), ("bp", "150/90", "12:00"), ("hr", 88.0, ""))
    assert [one.proposed for one in found] == ["12:00", "12:00", "14:05"]
    assert [one.is_at_wrong_time for one in found] == [False, True, False]
    assert time_figures([found]) == {
        "cases": 1,
        "annotated": 3,
        "values_right": 3,
        "times_right": 2,
        "wrong_time": 1,
        "several": {"annotated": 2, "values_right": 2, "times_right": 1, "wrong_time": 1},
    }


def test_equal_values_are_matched_at_their_times_whatever_their_order() -> None:
    of = case(*(Observation("hr", 92.0, time) for time in ("10:00", "12:00")), Observation("hr", 93.0, "14:00"))
    found = timed(of, ("hr", 93.0, "14:00"), ("hr", 92.0, "12:00"), ("hr", 92.0, "10:00"))
    assert [one.proposed for one in found] == ["10:00", "12:00", "14:00"]


def test_one_proposal_is_matched_once() -> None:
    of = case(Observation("hr", 92.0, "10:00"), Observation("hr", 92.0, "12:00"))
    assert [one.proposed for one in timed(of, ("hr", 92.0, "12:00"))] == [None, "12:00"]


def test_another_value_at_the_right_time_is_no_match() -> None:
    assert [one.proposed for one in timed(PRESSURES, ("bp", "90/60", "12:00"))] == [None, None, None]


def test_without_a_time_it_is_that_of_the_dictation() -> None:
    assert [one.proposed for one in timed(case(Observation("hr", 88.0, "14:05")), ("hr", 88.0, ""))] == ["14:05"]
    assert timed(case(Observation("hr", 88.0)), ("hr", 88.0, "14:05"))[0].is_at_wrong_time is False


def test_only_cases_that_give_times_are_compared_by_them() -> None:
    assert gives_times(PRESSURES)
    assert not gives_times(case(Observation("hr", 88.0)))
