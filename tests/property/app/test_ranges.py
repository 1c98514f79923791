"""Arbitrary values judged against arbitrary nested ranges."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.errors import OutOfRange
from extraction.flowsheet.ranges import RangeLevel, caution, interpretation, judge_ranges, judged_words, level, refuse
from extraction.flowsheet.schema import Interval, Row, ValueType
from models.base.errors import InputError

numbers = st.integers(-50, 450).map(float)
units = st.sampled_from((None, "%", "/min", "kg", "mL", "Cel", "mm[Hg]", "{score}"))
kinds = st.sampled_from((ValueType.NUMERIC, ValueType.QUANTITY))


def holds(interval: Interval, number: float) -> bool:
    low, high = interval.minimum, interval.maximum
    return (low is None or low <= number) and (high is None or number <= high)


@st.composite
def ranged(draw: st.DrawFn) -> Row:
    """A row with nested ranges, any bound of which may be missing."""
    ends = sorted(draw(st.lists(numbers, min_size=8, max_size=8)))

    def interval(place: int) -> Interval:
        low, high = ends[place], ends[7 - place]
        return Interval(draw(st.sampled_from((low, None))), draw(st.sampled_from((high, None))))

    facts: dict[str, Any] = {
        name: (interval(place),) if draw(st.booleans()) else ()
        for place, name in ((0, "absolute"), (2, "critical"), (3, "reference"))
    }
    plausible = interval(1)
    return Row(
        "x", "X", draw(kinds), ("A",), unit=draw(units), minimum=plausible.minimum, maximum=plausible.maximum, **facts
    )


@given(ranged(), numbers)
def test_a_number_is_judged_by_the_widest_range_it_lies_outside(row: Row, number: float) -> None:
    (judged,) = judge_ranges(row, number)
    given_ = [
        (RangeLevel.IMPOSSIBLE, *row.absolute),
        (RangeLevel.IMPLAUSIBLE, Interval(row.minimum, row.maximum)),
        (RangeLevel.CRITICAL, *row.critical),
        (RangeLevel.ABNORMAL, *row.reference),
    ]
    outside = [name for name, *interval in given_ if interval and not holds(interval[0], number)]
    if outside:
        assert judged.level >= outside[0]  # a unit may make a value impossible in addition
    else:
        assert judged.level in (RangeLevel.NORMAL, RangeLevel.NOT_JUDGED, RangeLevel.IMPOSSIBLE)
    assert judged.abnormal == bool(judged_words(row, number))


@given(ranged(), numbers)
def test_a_value_outside_a_range_is_never_coded_normal(row: Row, number: float) -> None:
    code = interpretation(row, number)
    (judged,) = judge_ranges(row, number)
    if code == "N":
        assert holds(row.reference[0], number)
    if judged.level is RangeLevel.CRITICAL:
        assert code == ("HH" if judged.high else "LL")
    if judged.level is RangeLevel.ABNORMAL:
        assert code == ("H" if judged.high else "L")
    if judged.level is RangeLevel.NORMAL:
        assert code == "N"


@given(ranged(), numbers)
def test_a_value_is_either_refused_confirmed_twice_or_accepted(row: Row, number: float) -> None:
    needed = caution(row, number)
    match level(row, number):
        case RangeLevel.IMPOSSIBLE:
            assert needed is None
            with pytest.raises(InputError):
                refuse(row, number)
        case RangeLevel.IMPLAUSIBLE | RangeLevel.CRITICAL:
            assert needed
            with pytest.raises(OutOfRange):
                refuse(row, number)
            assert refuse(row, number, needed) is needed.outside
        case _:
            assert needed is None
            assert refuse(row, number) is None


@given(ranged(), st.integers(10, 400), st.integers(10, 400))
def test_a_blood_pressure_is_judged_by_its_worse_number(row: Row, systolic: int, diastolic: int) -> None:
    pressure = Row(
        "bp", "BP", ValueType.BLOOD_PRESSURE, ("A",), unit="mm[Hg]", minimum=row.minimum, maximum=row.maximum,
        absolute=row.absolute * 2, critical=row.critical * 2, reference=row.reference * 2,
    )  # fmt: skip
    single = Row(
        "p", "P", ValueType.NUMERIC, ("A",), unit="mm[Hg]", minimum=row.minimum, maximum=row.maximum,
        absolute=row.absolute, critical=row.critical, reference=row.reference,
    )  # fmt: skip
    both = judge_ranges(pressure, f"{systolic}/{diastolic}")
    alone = [judge_ranges(single, float(number))[0] for number in (systolic, diastolic)]
    assert [(one.level, one.high, one.code) for one in both] == [(one.level, one.high, one.code) for one in alone]
    assert [one.part for one in both] == ["systolic", "diastolic"]
    if systolic <= diastolic and level(pressure, f"{systolic}/{diastolic}") is not RangeLevel.IMPOSSIBLE:
        assert caution(pressure, f"{systolic}/{diastolic}") is not None


@given(ranged(), numbers, numbers)
def test_a_more_extreme_value_is_never_judged_milder(row: Row, one: float, other: float) -> None:
    low, high = sorted((one, other))
    near, far = judge_ranges(row, low)[0], judge_ranges(row, high)[0]
    if near.abnormal and near.high:
        assert far.level >= near.level
    if far.abnormal and not far.high:
        assert near.level >= far.level
