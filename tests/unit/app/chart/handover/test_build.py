"""What is on the page of a handover, and what is left out and said to be."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time

import pytest

from app.chart.gaps.habits import NO_HABITS, ChartingHabits
from app.chart.handover.build import Stay, handover_of
from app.chart.handover.entries import HandoverEntry
from app.chart.handover.layout import parse_layout
from app.chart.handover.page import Handover
from app.chart.handover.words import part_lines, summary
from app.chart.records import ChartEntry, Patient, ReviewedValue, ReviewStatus
from app.exchange.sheets.printed_handover import printed_handovers
from extraction.flowsheet.schema import Fluid, Row, ValueType
from extraction.flowsheet.values import Value
from tests.kit.store import SCHEMA

DRUNK = Row("drunk", "Oral intake", ValueType.NUMERIC, ("Fluids",), unit="mL", ucum="mL", fluid=Fluid.INTAKE)
URINE = Row("urine", "Urine", ValueType.NUMERIC, ("Fluids",), unit="mL", ucum="mL", fluid=Fluid.OUTPUT)
WARD = replace(SCHEMA, rows=(*SCHEMA.rows, DRUNK, URINE))
LAYOUT = parse_layout(
    """
[[section]]
title = "Severity"
kind = "severity"
[[section]]
title = "Fluids"
kind = "balance"
[[section]]
title = "All"
kind = "values"
rest = true
[[section]]
title = "Edema"
kind = "values"
categories = ["cardiac"]
whole_stay = true
[[section]]
title = "Gaps"
kind = "gaps"
[[section]]
title = "To do"
kind = "typed"
part = "to_do"
""",
    "ours",
)
NOW = datetime(2026, 3, 2, 20, tzinfo=UTC)


def charted(row_id: str, value: Value, at: str, number: int = 1, unit: str | None = None) -> ChartEntry:
    there = ReviewedValue(number, number, row_id, None, value, unit, ReviewStatus.CONFIRMED, "Kim", at)
    return ChartEntry(there, 1, f"{at}:00+00:00", f"round {number}")


def page(*values: ChartEntry, habits: ChartingHabits = NO_HABITS, **known: object) -> Handover:
    stay = Stay(
        Patient(1, "Ann Lee", "4", "123"), 1, "2026-03-01T08:00:00+00:00", values, WARD, WARD.by_id, {}, habits, {}
    )
    return handover_of(replace(stay, **known), LAYOUT, NOW, (time(7), time(19)))  # type: ignore[arg-type]


def lines(found: Handover, title: str) -> list[str]:
    part = next(one for one in found.parts if one.section.title == title)
    return [f"{one.name}: {one.content}" if one.name else one.content for one in part_lines(part, found.prepared_at)]


def test_the_last_value_of_each_row_is_there_with_time_source_and_direction() -> None:
    found = page(charted("hr", 80.0, "2026-03-02T08:00", 1), charted("hr", 96.0, "2026-03-02T16:00", 2))
    (cell,) = found.cells
    assert (cell.value.value, cell.at, cell.source, cell.direction) == (96.0, "2026-03-02T16:00", "round 2", "rising")
    assert summary(found) == "Prepared from 1 dictation, 1 confirmed value, 0 flagged"


def test_old_values_are_counted_except_where_the_whole_stay_is_shown() -> None:
    found = page(charted("hr", 80.0, "2026-03-01T09:00"), charted("edema", ("left leg",), "2026-03-01T09:00"))
    assert [cell.row.id for cell in found.cells] == ["edema"]
    assert found.older == 1
    assert "1 older value not shown" in summary(found)


def test_a_row_that_only_a_former_flowsheet_has_is_not_lost() -> None:
    gone = Row("gone", "Former row", ValueType.NUMERIC, ("Old",))
    found = page(charted("gone", 2.0, "2026-03-02T16:00"), rows=WARD.by_id | {"gone": gone})
    assert lines(found, "All") == ["Former row: 2"]


def test_a_flagged_value_is_marked_and_counted() -> None:
    found = page(charted("hr", 80.0, "2026-03-02T16:00", 5), flagged={5: ("heard “eighteen”",)})
    assert found.flagged == 1
    part = next(one for one in found.parts if one.cells)
    assert part_lines(part, found.prepared_at)[0].flagged == "heard “eighteen”"


def test_what_is_not_charted_is_no_zero() -> None:
    found = page(charted("urine", 250.0, "2026-03-02T19:30"))
    assert found.balance
    assert (found.balance.intake, found.balance.output, found.balance.net) == (None, 250.0, None)
    both = page(charted("urine", 250.0, "2026-03-02T19:30"), charted("drunk", 0.0, "2026-03-02T19:40", 2))
    assert both.balance
    assert (both.balance.intake, both.balance.net) == (0.0, -250.0)
    assert page(charted("hr", 80.0, "2026-03-02T19:30")).balance is None


def test_usual_rows_without_a_value_for_long_are_gaps() -> None:
    habits = ChartingHabits(10, {"hr": 10, "rass": 9, "note": 1})
    found = page(charted("hr", 80.0, "2026-03-02T19:00"), charted("rass", -1.0, "2026-03-02T06:00", 2), habits=habits)
    assert [(gap.row.id, gap.hours) for gap in found.gaps] == [("rass", 14)]
    assert lines(found, "Gaps") == ["RASS: for 14 h, last 06:00: -1"]


def test_what_was_taken_back_is_not_written() -> None:
    found = page(
        entries={"to_do": HandoverEntry("", "Kim", "2026-03-02T19:00:00+00:00"),
                 "severity": HandoverEntry("watcher", "Kim", "2026-03-02T19:00:00+00:00")}
    )  # fmt: skip
    assert lines(found, "To do") == ["nothing written"]
    assert found.severity == "watcher"


@pytest.mark.parametrize("ward", [False, True])
def test_a_page_and_a_list_are_printed_whatever_was_written(ward: bool) -> None:
    entry = HandoverEntry("Call <family> & doctor 日\nthen rest", "Kim", "2026-03-02T19:00:00+00:00")
    found = page(charted("hr", 80.0, "2026-03-02T19:00"), entries={"to_do": entry})
    data = printed_handovers([found, found], paper="a4", program="Wardlight", ward=ward)
    assert data.startswith(b"%PDF")
