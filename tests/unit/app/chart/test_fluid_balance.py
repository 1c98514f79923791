"""What went in and out in a shift: only what a person accepted counts, and what does not count is said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.chart.cells import utc_of
from app.chart.history.curves import curves_of
from app.chart.history.fluid_balance import fluid_balances, shift_at
from app.chart.records import ChartEntry, Dictation, Patient, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from extraction.flowsheet.schema import Fluid, Row, Schema, ValueType
from extraction.flowsheet.values import Value

DAY = "2026-11-20"
SHIFTS = (time(7), time(19))


def row(row_id: str, unit: str, fluid: Fluid | None, kind: ValueType = ValueType.QUANTITY) -> Row:
    return Row(row_id, row_id.title(), kind, ("Fluids",), unit=unit, dimension="volume", fluid=fluid)


SCHEMA = Schema(
    "test", "Test", "1", (
        row("oral", "mL", Fluid.INTAKE),
        row("drain", "mL", Fluid.OUTPUT),
        row("urine", "L", Fluid.OUTPUT),
        row("total", "mL", None),
        replace(row("bp", "mmHg", None, ValueType.BLOOD_PRESSURE), dimension=None),
        replace(row("temp", "Cel", None), dimension="temperature"),
    ), source="test.json", sha256="0" * 64,
)  # fmt: skip
_numbers = iter(range(1, 10_000))


def value(
    row_id: str, amount: Value, at: str | None = None, unit: str | None = None,
    status: ReviewStatus = ReviewStatus.CONFIRMED, replaced_by: int | None = None,
) -> ReviewedValue:  # fmt: skip
    return ReviewedValue(
        next(_numbers), 2, row_id, None, amount, unit, status, "Kim", "", observed_at=at and f"{DAY}T{at}",
        replaced_by=replaced_by,
    )  # fmt: skip


def before(row_id: str, amount: Value, unit: str | None = None) -> ReviewedValue:
    """A value of an earlier dictation."""
    return replace(value(row_id, amount, unit=unit), dictation_id=1)


def sheet(values: list[ReviewedValue], charted: list[tuple[str, ReviewedValue]] = (), said: str = "14:00") -> Sheet:  # type: ignore[assignment]
    """A dictation of an afternoon, and values of the chart with the local time of their assessment."""
    now = utc_of(f"{DAY}T{said}")
    standing = [ChartEntry(one, 1, utc_of(moment), "a.wav") for moment, one in charted]
    return Sheet(
        dictation=Dictation(2, 1, "audio", Path(), "", "", 0, "filled", "", now),
        patient=Patient(1, "Hawthorne", "", ""),
        schema=SCHEMA,
        transcript=None,
        values=tuple(values),
        can_undo=False,
        others=tuple(standing),
    )


def test_the_sums_are_of_the_shift_and_in_milliliters() -> None:
    found = fluid_balances(
        sheet(
            [value("oral", 240.0), value("urine", 0.4, unit="L"), value("drain", 30.0, at="13:10")],
            [(f"{DAY}T08:00", before("oral", 200.0)), (f"{DAY}T06:30", before("oral", 999.0))],
        ),
        SHIFTS,
    )
    former, shift = found
    assert (former.start, former.end) == (
        datetime.fromisoformat("2026-11-19T19:00"),
        datetime.fromisoformat("2026-11-20T07:00"),
    )
    assert (former.intake, former.output) == (999.0, 0.0)
    assert (shift.intake, shift.output, shift.net) == (440.0, 430.0, 10.0)
    assert (shift.proposed_intake, shift.proposed_output, shift.uncounted) == (0.0, 0.0, 0)


def test_what_counts_for_a_shift_is_when_it_was_observed() -> None:
    found = fluid_balances(sheet([value("oral", 100.0, at="06:59"), value("oral", 50.0, at="07:00")]), SHIFTS)
    assert [one.intake for one in found] == [100.0, 50.0]


def test_only_what_a_person_accepted_and_nobody_replaced_counts() -> None:
    (shift,) = fluid_balances(
        sheet(
            [
                value("oral", 100.0),
                value("drain", 50.0, status=ReviewStatus.PROPOSED),
                value("drain", 70.0, status=ReviewStatus.REJECTED),
                value("oral", 80.0, replaced_by=99),
                value("total", 5000.0),
            ]
        ),
        SHIFTS,
    )
    assert (shift.intake, shift.output, shift.net) == (100.0, 0.0, 100.0)
    assert (shift.proposed_intake, shift.proposed_output) == (0.0, 50.0)


@pytest.mark.parametrize(("amount", "unit"), [("small", None), (True, None), (20.0, "kg")])
def test_what_is_no_volume_is_said_and_not_guessed(amount: Value, unit: str | None) -> None:
    (shift,) = fluid_balances(sheet([value("drain", amount, unit=unit)]), SHIFTS)
    assert (shift.output, shift.uncounted) == (0.0, 1)


def test_nothing_at_all_is_a_volume() -> None:
    (shift,) = fluid_balances(sheet([value("urine", 0.0)]), SHIFTS)
    assert (shift.output, shift.volumes) == (0.0, 1)


def test_each_value_counts_once() -> None:
    mine = value("drain", 30.0, at="13:10")
    other = (f"{DAY}T12:00", replace(value("drain", 30.0, at="13:10"), dictation_id=1))
    (shift,) = fluid_balances(sheet([mine], [other]), SHIFTS)
    assert shift.output == 30.0, "both chart the same"
    (shift,) = fluid_balances(sheet([value("drain", 40.0, at="13:10")], [other]), SHIFTS)
    assert shift.output == 40.0, "it stands in the place of the other"
    (shift,) = fluid_balances(sheet([replace(mine, status=ReviewStatus.PROPOSED)], [other]), SHIFTS)
    assert (shift.output, shift.proposed_output) == (30.0, 0.0), "it is charted already"
    assert fluid_balances(sheet([replace(mine, status=ReviewStatus.REJECTED)]), SHIFTS) == ()


def test_what_others_charted_in_the_minute_of_the_dictation_and_later_counts() -> None:
    others = [(f"{DAY}T14:00", before("oral", 150.0)), (f"{DAY}T16:20", before("drain", 60.0))]
    (shift,) = fluid_balances(sheet([value("oral", 100.0, at="13:10")], others), SHIFTS)
    assert (shift.intake, shift.output, f"{shift.end:%H:%M}") == (250.0, 60.0, "16:20")
    former, latest = fluid_balances(sheet([value("oral", 100.0)], [(f"{DAY}T21:00", before("oral", 5.0))]), SHIFTS)
    assert (former.intake, latest.intake) == (100.0, 5.0)


def test_what_would_replace_a_volume_is_not_added_to_it() -> None:
    mine = value("drain", 50.0, at="12:00", status=ReviewStatus.PROPOSED)
    other = replace(value("drain", 30.0, at="12:00"), dictation_id=1)
    there = ChartEntry(other, 1, utc_of(f"{DAY}T11:00"), "a.wav")
    found = replace(sheet([mine], [(f"{DAY}T11:00", other)]), conflicts={mine.id: (there,)})
    (shift,) = fluid_balances(found, SHIFTS)
    assert (shift.output, shift.proposed_output) == (30.0, 0.0)


def test_the_balance_of_the_shift_ends_with_the_dictation() -> None:
    (shift,) = fluid_balances(sheet([value("drain", 30.0)]), SHIFTS)
    assert (f"{shift.start:%H:%M}", f"{shift.end:%H:%M}") == ("07:00", "14:00")


def test_without_volumes_there_is_no_balance() -> None:
    assert fluid_balances(sheet([value("temp", 38.0)]), SHIFTS) == ()


@given(
    st.datetimes(datetime.fromisoformat("2026-01-01"), datetime.fromisoformat("2027-01-01")),
    st.sets(st.times().map(lambda at: at.replace(second=0, microsecond=0)), min_size=1, max_size=4),
)
def test_each_moment_lies_in_one_shift_which_ends_where_the_next_begins(moment: datetime, starts: set[time]) -> None:
    start, end = shift_at(moment, tuple(starts))
    assert start <= moment < end
    assert {start.time(), end.time()} <= starts
    assert shift_at(end, tuple(starts))[0] == end
    assert (end - start).total_seconds() <= 24 * 3600


# curves


def points(found: Sheet) -> Iterator[tuple[str, list[tuple[float, ...]]]]:
    for curve in curves_of(found):
        yield curve.row.id, [point.numbers for point in curve.points]


def test_a_curve_has_the_chart_and_the_dictation_in_order_of_time_and_in_one_unit() -> None:
    found = sheet(
        [value("temp", 101.3, unit="[degF]", status=ReviewStatus.PROPOSED), value("bp", "142/74", at="09:00")],
        [(f"{DAY}T10:00", before("temp", 37.0)), (f"{DAY}T08:00", before("bp", "128/70"))],
    )
    assert dict(points(found)) == {"bp": [(128.0, 70.0), (142.0, 74.0)], "temp": [(37.0,), (38.5,)]}
    (temp,) = [curve for curve in curves_of(found) if curve.row.id == "temp"]
    assert [point.charted for point in temp.points] == [True, False]
    assert temp.points[0].at == datetime.fromisoformat("2026-11-20T10:00")


def test_a_unit_that_cannot_be_converted_is_no_point() -> None:
    found = sheet([value("temp", 38.0, unit="mL")], [(f"{DAY}T10:00", before("temp", 37.0, unit="Cel"))])
    assert dict(points(found)) == {}


def test_one_number_is_no_curve_and_rejected_ones_are_left_out() -> None:
    found = sheet([value("temp", 38.0, status=ReviewStatus.REJECTED)], [(f"{DAY}T10:00", before("temp", 37.0))])
    assert dict(points(found)) == {}
