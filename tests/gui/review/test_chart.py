"""The patients of the ward and what they wait for; earlier assessments beside the values; conflicts in the chart."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.chart.records import ReviewStatus
from app.system import paths
from app.system.settings import load_settings, save_settings
from models.base.progress import Progress, ProgressMonitor
from tests.gui.conftest import Ward, lay_out
from tests.kit.charted import DAY, Days, hearing_98, worked_out
from tests.kit.fake_app import TEXT, WEIGHED_BY, FakeEngine, write_schema
from tests.kit.patience import PATIENCE_SECONDS
from ui.flowsheet.chart.chart_model import STATUS_ROLE
from ui.flowsheet.chart.graph import ticks
from ui.flowsheet.flowsheet_model import PAST_SHOWN, TREND_ROLE, Column
from ui.flowsheet.sparkline import points_of
from ui.shell.window import COMFORTABLE

CONFIRMED, PROPOSED, REJECTED = ReviewStatus.CONFIRMED, ReviewStatus.PROPOSED, ReviewStatus.REJECTED
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, calibrated: None, out: Path) -> Days:
    return Days(monkeypatch.setattr, tmp_path)


@pytest.fixture
def busy(days: Days, new_ward: Callable[..., Ward]) -> Ward:
    """A ward with four patients: one to review, one filed, one reviewed, one without a dictation."""
    days.fill_ward()
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.until_review()
    ward.until(lambda: len(ward.window.side.patients.texts()) == 4)
    return ward


def listed(ward: Ward) -> list[str]:
    return ward.window.side.patients.texts()


def first(ward: Ward) -> str:
    """The first of the list, which may not be there yet."""
    return "".join(listed(ward)[:1])


# the list of patients


def test_the_list_shows_every_bed_with_what_it_waits_for(busy: Ward) -> None:
    busy.until(lambda: "3 to check" in " ".join(listed(busy)))
    assert listed(busy) == [
        "Okafor, Ben, MRN 77, bed 3, Reviewed, not filed",
        "Lindqvist, Maja, MRN 8812, bed 7, Filed",
        "Morales, Teo, MRN 4410, bed 9",
        "Hawthorne, Ada, MRN 004711, bed 12, 18 left · 3 to check",
    ]


def test_the_list_follows_the_review_and_the_filing(busy: Ward) -> None:
    busy.until(lambda: "3 to check" in listed(busy)[-1])
    busy.key(Qt.Key.Key_A)
    busy.until(lambda: listed(busy)[-1].endswith("17 left · 2 to check"))
    for _ in range(2):
        busy.key(Qt.Key.Key_A)
    busy.until(lambda: listed(busy)[-1].endswith("15 to review"))
    busy.key(Qt.Key.Key_A, SHIFT)
    busy.until(lambda: listed(busy)[-1].endswith("Reviewed, not filed"))
    busy.key(Qt.Key.Key_F)
    busy.until(lambda: listed(busy)[-1].endswith("Filed (×5)"))


def test_a_patient_is_found_by_typing_and_opened_by_enter(busy: Ward) -> None:
    busy.key(Qt.Key.Key_B)
    assert busy.window.side.patients.search.hasFocus()
    busy.type("oka")
    assert [text.split(",")[0] for text in listed(busy)] == ["Okafor"]
    busy.key(Qt.Key.Key_Return)
    busy.until(lambda: busy.window.selection.patient and busy.window.selection.patient.name == "Okafor, Ben")
    busy.until(lambda: busy.window.page.sheet and busy.window.page.sheet.dictation.original_name == "evening.txt")
    assert busy.window.page.flowsheet.hasFocus()
    assert busy.window.side.patients.search.text() == ""
    busy.until(lambda: busy.window.side.recent.count() == 1)
    busy.key(Qt.Key.Key_L, CTRL)
    for words, count in (("to check", 1), ("filed", 2), ("4410", 1), ("hawth bed", 1), ("nobody", 0)):
        busy.window.side.patients.search.selectAll()
        busy.type(words)
        assert len(listed(busy)) == count, words
    assert busy.window.side.patients.none.isVisible()
    busy.key(Qt.Key.Key_Escape)
    assert busy.window.page.flowsheet.hasFocus()
    assert len(listed(busy)) == 4


def test_the_arrows_go_through_what_was_found(busy: Ward) -> None:
    busy.key(Qt.Key.Key_B)
    rows = []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Up):
        busy.key(key)
        rows.append(busy.window.side.patients.list.currentRow())
    assert rows == [2, 1, 2, 1]
    busy.key(Qt.Key.Key_Down)
    busy.key(Qt.Key.Key_Return)
    busy.until(lambda: busy.window.selection.patient and busy.window.selection.patient.name == "Morales, Teo")
    assert busy.window.start.isVisible(), "nothing was dictated about them"


def test_a_click_opens_the_newest_dictation(busy: Ward) -> None:
    patients = busy.window.side.patients.list
    place = patients.visualItemRect(patients.item(1)).center()
    QTest.mouseClick(patients.viewport(), Qt.MouseButton.LeftButton, pos=place)
    busy.until(lambda: busy.window.page.sheet and busy.window.page.sheet.dictation.original_name == "bed 7.txt")
    assert busy.window.page.filed.isVisible()


def test_work_and_recordings_show_as_they_go(days: Days, new_ward: Callable[..., Ward]) -> None:
    days.at(f"{DAY}T20:15")
    engine, go_on = FakeEngine(), threading.Event()

    def slowly(_: object, monitor: ProgressMonitor) -> None:
        monitor.report(Progress("fill", 0.4, "8 of 20"))
        assert go_on.wait(PATIENCE_SECONDS)

    engine.before_fill.append(slowly)
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_text("one.txt")
    ward.until(lambda: "Filling 40%" in first(ward))
    ward.open_text("two.txt")
    ward.until(lambda: "Queued" in first(ward))
    ward.key(Qt.Key.Key_F9)
    ward.until(lambda: ", Recording," in first(ward))
    ward.key(Qt.Key.Key_F9, SHIFT)
    ward.until(lambda: "Recording paused" in first(ward))
    go_on.set()
    ward.until(lambda: "18 left · 7 to check (×2)" in first(ward))


def test_the_list_can_be_hidden_and_shown_with_its_key(busy: Ward) -> None:
    busy.key(Qt.Key.Key_L, CTRL | SHIFT)
    assert not busy.window.side.isVisible()
    busy.key(Qt.Key.Key_B)
    assert busy.window.side.isVisible()
    assert busy.window.side.patients.search.hasFocus()
    busy.key(Qt.Key.Key_L, CTRL)
    assert busy.window.page.flowsheet.hasFocus()


# the chart of a patient


def grid(ward: Ward) -> dict[str, list[str]]:
    """What stands in each line of the chart, by the name of its row."""
    model = ward.window.page.looks.chart.grid.model()
    lines, columns = range(model.rowCount()), range(model.columnCount())
    return {
        model.headerData(line, Qt.Orientation.Vertical): [model.index(line, column).data() or "" for column in columns]
        for line in lines
    }


def test_the_chart_has_rows_down_and_times_across_with_this_dictation_last(busy: Ward) -> None:
    busy.choose("spo2")
    busy.key(Qt.Key.Key_C)
    page, model = busy.window.page, busy.window.page.looks.chart.grid.model()
    assert page.looks.chart.grid.hasFocus()
    columns = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert [column.split(" ")[-1] for column in columns] == ["04:10", "08:05", "12:20", "16:00", "dictation"]
    shown = grid(busy)
    assert shown["Heart rate (/min)"] == ["84", "92", "97", "104", "112"]
    assert shown["Vital signs"] == [""] * 5
    assert list(shown).index("Vital signs") < list(shown).index("Heart rate (/min)")
    now = page.looks.chart.grid.visualRect(model.index(1, model.columnCount() - 1))
    assert page.looks.chart.grid.viewport().rect().contains(now), "now stands at the right, in sight"


def test_a_row_that_only_an_earlier_assessment_has_is_in_the_chart(busy: Ward) -> None:
    busy.choose("hr")
    busy.key(Qt.Key.Key_R)
    busy.until_status("hr", REJECTED)
    busy.key(Qt.Key.Key_C)
    assert grid(busy)["Heart rate (/min)"] == ["84", "92", "97", "104", ""]


@pytest.fixture
def scored(request: pytest.FixtureRequest) -> Iterator[Ward]:
    """The busy ward with a schema that works out the mean pressure."""
    with worked_out():
        yield request.getfixturevalue("busy")


def test_the_chart_has_the_scores_calculated_for_each_assessment(scored: Ward) -> None:
    scored.choose("hr")
    scored.key(Qt.Key.Key_C)
    shown = grid(scored)
    pressures = [re.findall(r"\d+", text) for text in shown["Blood pressure (mmHg)"]]
    means = [f"{(int(systolic) + 2 * int(diastolic)) / 3:.0f}" for systolic, diastolic in pressures]
    assert shown["Mean arterial pressure (mmHg, calculated)"] == means
    model = scored.window.page.looks.chart.grid.model()
    line = list(shown).index("Mean arterial pressure (mmHg, calculated)")
    last = model.index(line, model.columnCount() - 1)
    assert last.data(STATUS_ROLE) == "proposed"
    assert "provisional until confirmed" in last.data(Qt.ItemDataRole.AccessibleTextRole)
    assert "from confirmed values" in model.index(line, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    scored.window.page.looks.chart.grid.setCurrentIndex(last)
    scored.key(Qt.Key.Key_Return)
    assert scored.window.page.looks.shown is scored.window.page.looks.chart, "a score is not accepted, its parts are"


def test_nothing_is_decided_from_the_chart(busy: Ward) -> None:
    before = busy.values()
    busy.key(Qt.Key.Key_C)
    assert not busy.window.page.detail.isVisible()
    for key in (Qt.Key.Key_A, Qt.Key.Key_R, Qt.Key.Key_F):
        busy.key(key)
    lay_out()
    assert busy.values() == before
    assert busy.window.page.looks.shown
    busy.key(Qt.Key.Key_Escape)
    assert not busy.window.page.looks.shown
    assert busy.window.page.flowsheet.hasFocus()
    assert busy.window.page.detail.isVisible()
    busy.key(Qt.Key.Key_C)
    busy.key(Qt.Key.Key_C)
    assert not busy.window.page.looks.shown


def test_enter_in_the_chart_goes_to_the_value_of_this_dictation(busy: Ward) -> None:
    busy.key(Qt.Key.Key_C)
    busy.key(Qt.Key.Key_Down)
    busy.key(Qt.Key.Key_Return)
    assert busy.window.page.current == busy.value("rhythm")
    assert busy.window.page.flowsheet.hasFocus()


def test_the_chart_says_what_went_in_and_out_in_the_shift(busy: Ward) -> None:
    busy.key(Qt.Key.Key_C)
    balances = busy.window.page.looks.chart.balances
    assert balances.lines == ["Fluids Fri 19:00 to 20:15: no balance yet · not confirmed: out 650 mL"]
    busy.key(Qt.Key.Key_Escape)
    busy.choose("urine")
    busy.key(Qt.Key.Key_A)
    busy.until_status("urine", CONFIRMED)
    busy.key(Qt.Key.Key_C)
    assert balances.lines == ["Fluids Fri 19:00 to 20:15: in 0 mL, out 650 mL, balance -650 mL"]


def test_a_key_draws_the_numbers_of_the_chart_as_curves(busy: Ward) -> None:
    busy.key(Qt.Key.Key_G)
    chart = busy.window.page.looks.chart
    assert chart.graph.hasFocus()
    assert [strip.accessibleName() for strip in chart.graph.strips][:2] == ["Heart rate", "Blood pressure"]
    told = chart.graph.strips[0].accessibleDescription().split("; ")
    assert told[0] == "84 /min at 04:10"
    assert told[-1] == "112 /min at 20:15, not confirmed"
    before = chart.graph.strips[0].grab().toImage()
    busy.key(Qt.Key.Key_G)
    assert chart.grid.hasFocus()
    busy.key(Qt.Key.Key_G)
    busy.key(Qt.Key.Key_Escape)
    assert busy.window.page.flowsheet.hasFocus()
    busy.choose("hr")
    busy.key(Qt.Key.Key_R)
    busy.until_status("hr", REJECTED)
    busy.key(Qt.Key.Key_C)
    busy.click(chart.plot)
    assert chart.graph.hasFocus()
    assert "112" not in chart.graph.strips[0].accessibleDescription()
    assert chart.graph.strips[0].grab().toImage() != before
    busy.key(Qt.Key.Key_C)
    assert not busy.window.page.looks.shown


@pytest.mark.parametrize(
    ("start", "end", "most", "times"),
    [
        ("04:10", "20:15", 6, ["06:00", "09:00", "12:00", "15:00", "18:00"]),
        ("04:10", "04:40", 6, ["04:10", "04:20", "04:30", "04:40"]),
        ("04:10", "04:10", 6, ["04:10"]),
        ("04:10", "20:15", 1, ["04:10"]),
    ],
)
def test_the_hours_of_the_graph_are_round(start: str, end: str, most: int, times: list[str]) -> None:
    found = ticks(*(datetime.fromisoformat(f"2026-11-20T{at}") for at in (start, end)), most)
    assert [f"{at:%H:%M}" for at in found] == times


def test_a_graph_over_months_has_few_ticks() -> None:
    start = datetime.fromisoformat("2026-01-01T08:00")
    assert 1 <= len(ticks(start, datetime.fromisoformat("2026-06-01T08:00"), 6)) <= 7


# earlier assessments


def cell(ward: Ward, row_id: str, column: int) -> Any:
    index = ward.window.page.flowsheet._model.index_of(ward.value(row_id).id)
    return index.siblingAtColumn(column)


def test_earlier_assessments_are_shown_with_a_trend(busy: Ward) -> None:
    view = busy.window.page.flowsheet
    busy.window.resize(1366, 768)
    assert view.past_shown == 1, "the last one is beside the values without being asked for"
    busy.choose("hr")
    busy.key(Qt.Key.Key_H)
    lay_out()
    assert view.past_shown == 1
    assert not view.isColumnHidden(Column.TREND)
    assert not view.isColumnHidden(Column.CHECK), "what to check stays"
    shown = [column for column in range(view.model().columnCount()) if not view.isColumnHidden(column)]
    shown.sort(key=view.header().visualIndex)
    headings = [view.model().headerData(column, Qt.Orientation.Horizontal) for column in shown]
    assert [heading.split(", ")[-1] for heading in headings] == ["Row", "16:00", "Trend", "Value", "Status", "Check"]
    assert cell(busy, "hr", shown[1]).data() == "104"
    assert cell(busy, "hr", Column.TREND).data(TREND_ROLE) == (84.0, 92.0, 97.0, 104.0, 112.0)
    said = "84, 92, 97, 104, 112, rising"
    assert cell(busy, "hr", Column.TREND).data(Qt.ItemDataRole.AccessibleTextRole) == said
    assert said in cell(busy, "hr", Column.NAME).data(Qt.ItemDataRole.AccessibleTextRole)
    assert cell(busy, "pain", Column.TREND).data() == "2, 4, 5, 3, 6, varying"
    assert cell(busy, "bp", Column.TREND).data() == "128, 131, 138, 140, 142, rising"
    assert cell(busy, "skin", Column.TREND).data() == ""
    assert cell(busy, "device", shown[1]).data() == "", "it was rejected then"
    busy.key(Qt.Key.Key_H)
    assert view.past_shown == 1
    assert view.isColumnHidden(Column.TREND)
    assert not view.isColumnHidden(Column.CHECK)


def test_what_this_dictation_says_of_an_earlier_time_is_not_its_own_history(busy: Ward) -> None:
    page = busy.window.page
    assert page.sheet
    busy.window.review.watch(busy.workbench.review.edit(page.sheet, busy.value("hr").id, 90.0, "/min", f"{DAY}T14:00"))
    busy.until_status("hr", ReviewStatus.EDITED)
    busy.window.navigation.load_sheet(page.sheet.dictation.id)
    busy.until_idle()
    assert "14:00" not in " ".join(page.sheet.earlier.columns)
    assert cell(busy, "hr", Column.TREND).data() == "84, 92, 97, 90, varying", "what was charted after it is no history"
    busy.choose("hr")
    busy.key(Qt.Key.Key_H)
    lay_out()
    assert not busy.window.page.flowsheet.isColumnHidden(Column.CHECK), "the window is 1280 wide"


def test_a_conflict_is_in_the_history(clash: Ward) -> None:
    view = clash.window.page.flowsheet
    assert view.has_past
    assert "112" in " ".join(cell(clash, "hr", Column.PAST + number).data() for number in range(PAST_SHOWN))


def test_without_room_the_earlier_ones_give_way_and_with_room_more_are_shown(busy: Ward) -> None:
    view = busy.window.page.flowsheet
    busy.key(Qt.Key.Key_H)
    busy.window.resize(COMFORTABLE)
    lay_out()
    narrow = view.past_shown
    assert narrow <= 1
    name = view.header().sectionSize(Column.NAME)
    assert name >= 150
    assert view.header().length() <= view.viewport().width()
    busy.window.resize(1700, 800)
    lay_out()
    assert view.past_shown == 3
    assert not view.isColumnHidden(Column.CHECK)
    assert view.header().length() <= view.viewport().width()


def boundary(ward: Ward, column: int) -> QPoint:
    """Where the boundary behind a column is dragged."""
    header = ward.window.page.flowsheet.header()
    return QPoint(header.sectionViewportPosition(column) + header.sectionSize(column) - 1, header.height() // 2)


def drag(ward: Ward, column: int, by: int) -> None:
    header = ward.window.page.flowsheet.header().viewport()
    start = boundary(ward, column)
    QTest.mousePress(header, Qt.MouseButton.LeftButton, pos=start)
    for place in (start + QPoint(by // 2, 0), start + QPoint(by, 0)):
        QTest.mouseMove(header, place)
    QTest.mouseRelease(header, Qt.MouseButton.LeftButton, pos=start + QPoint(by, 0))
    lay_out()


def test_columns_are_as_wide_as_they_were_dragged(busy: Ward) -> None:
    view = busy.window.page.flowsheet
    busy.window.resize(1700, 800)
    lay_out()
    usual = [view.columnWidth(column) for column in (Column.NAME, Column.VALUE)]
    drag(busy, Column.VALUE, 60)
    assert view.columnWidth(Column.VALUE) == usual[1] + 60
    drag(busy, Column.NAME, -40)
    name = view.columnWidth(Column.NAME)
    assert name < usual[0]
    assert view.header().length() == view.viewport().width()
    busy.window.resize(1600, 800)
    lay_out()
    assert (view.columnWidth(Column.NAME), view.columnWidth(Column.VALUE)) == (name, usual[1] + 60)
    busy.window.resize(1700, 800)
    drag(busy, Column.VALUE, 2000)
    assert view.columnWidth(Column.CHECK) >= 150, "what to check stays whole"
    assert view.header().length() == view.viewport().width()
    for column in (Column.NAME, Column.VALUE):
        QTest.mouseDClick(view.header().viewport(), Qt.MouseButton.LeftButton, pos=boundary(busy, column))
        lay_out()
    assert [view.columnWidth(column) for column in (Column.NAME, Column.VALUE)] == usual
    assert view.dragged_widths == [0, 0, 0]


def test_without_earlier_assessments_nothing_moves_and_it_says_so(review: Ward) -> None:
    page = review.window.page
    before = page._panes.widths
    review.key(Qt.Key.Key_H)
    review.until(lambda: "Nothing was charted for these rows up to" in review.window.message.text)
    assert page._panes.widths == before
    assert page.flowsheet.isColumnHidden(Column.TREND)
    assert not page.flowsheet.isColumnHidden(Column.CHECK)
    review.key(Qt.Key.Key_H)
    assert page._panes.widths == before


def test_an_edit_moves_the_end_of_the_trend(busy: Ward) -> None:
    page = busy.window.page
    assert page.sheet
    busy.window.review.watch(busy.workbench.review.edit(page.sheet, busy.value("hr").id, 70.0, "/min"))
    busy.until_status("hr", ReviewStatus.EDITED)
    assert cell(busy, "hr", Column.TREND).data() == "84, 92, 97, 104, 70, varying"
    busy.choose("hr")
    busy.key(Qt.Key.Key_R)
    busy.until_status("hr", REJECTED)
    assert cell(busy, "hr", Column.TREND).data() == ""


def test_points_keep_inside_and_equal_numbers_stand_in_the_middle() -> None:
    place = QRectF(10, 5, 80, 20)
    points = points_of((88, 92, 96), place)
    assert [(point.x(), point.y()) for point in points] == [(10, 25), (50, 15), (90, 5)]
    assert {point.y() for point in points_of((5, 5, 5), place)} == {15}


# conflicts


@pytest.fixture
def twice(days: Days, busy: Ward) -> Ward:
    """The same minute dictated again, after the heart rate and the pressure were charted from the first one."""
    for row_id in ("hr", "bp"):
        busy.choose(row_id)
        busy.key(Qt.Key.Key_A)
        busy.until_status(row_id, CONFIRMED)
    days.at(f"{DAY}T20:15")
    busy.open_text("addendum.txt", TEXT.replace("Heart rate is 112", "Heart rate is 98"))
    busy.until_filled("addendum.txt")
    return busy


@pytest.fixture
def heard_98(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a dictation that says so, 98 is read as the heart rate."""
    from tests.kit import fake_app

    monkeypatch.setattr(fake_app, "values_of", hearing_98(fake_app.values_of))


@pytest.fixture
def clash(heard_98: None, twice: Ward) -> Ward:
    """At the heart rate of 98, in whose place the chart has 112."""
    twice.choose("hr")
    return twice


def first_of(ward: Ward, row_id: str) -> tuple[ReviewStatus, bool]:
    """What became of the row's value in the first dictation of that minute."""
    store = ward.workbench.workspace.store
    first = next(one for one in store.dictations.all() if one.original_name == "evening round.txt")
    value = next(value for value in store.values.of(first.id) if value.row_id == row_id)
    return value.status, value.stands


def test_a_conflict_comes_first_and_names_both_values_and_who_decided(clash: Ward) -> None:
    page = clash.window.page
    assert page.sheet
    assert list(page.sheet.conflicts) == [clash.value("hr").id], "the pressure says the same"
    heading = page.flowsheet.model().index(0, 0)
    assert page.flowsheet.model().index(0, 0, heading).data() == "Heart rate"
    box = page.detail.conflict
    assert box.isVisible()
    assert "Already charted at this time: 112 /min" in box.accessibleDescription()
    assert "112 /min, confirmed by R. Nurse at" in box.words.text()
    assert "(evening round.txt)" in box.words.text()
    assert page.detail.keep_other.text() == "Keep 112 /min"
    assert page.detail.replace_other.text() == "Replace with 98 /min"
    spoken = cell(clash, "hr", Column.NAME).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "conflict: already charted at this time: 112 /min" in spoken


def test_heading_line_and_list_of_patients_tell_the_same_number_to_check(clash: Ward) -> None:
    heading, line = clash.window.page.flowsheet.model().index(0, 0), clash.window.page.lit_line.words
    assert (heading.data(), line.text()) == (
        "Check these first (4)",
        "4 to check (1 conflict) · based on your ward",
    )
    clash.until(lambda: "18 left · 4 to check" in listed(clash)[-1])
    clash.key(Qt.Key.Key_K)
    clash.until_status("hr", REJECTED)
    clash.until(lambda: line.text().startswith("3 to check ·") and "17 left · 3 to check" in listed(clash)[-1])


def test_neither_accepting_nor_accepting_the_rest_decides_a_conflict(clash: Ward) -> None:
    clash.key(Qt.Key.Key_A)
    clash.key(Qt.Key.Key_Return)
    assert "Keep (K) or replace (P)" in clash.window.page.detail._error.text()
    clash.key(Qt.Key.Key_A, SHIFT)
    clash.until(lambda: sum(value.status is CONFIRMED for value in clash.values()) == 14)
    assert clash.value("hr").status is PROPOSED
    clash.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    clash.type("99")
    clash.key(Qt.Key.Key_Return)
    assert "Heart rate is already charted with another value at this time" in clash.window.page.detail._error.text()
    assert clash.value("hr").status is PROPOSED
    assert first_of(clash, "hr") == (CONFIRMED, True)


def test_a_conflict_keeps_the_dictation_from_being_filed(clash: Ward) -> None:
    clash.choose("pain")
    clash.key(Qt.Key.Key_F)
    clash.until(lambda: clash.window.message.text.startswith("Not filed: 1 conflict is not reviewed (Heart rate)."))
    assert clash.window.page.current
    assert clash.window.page.current.row_id == "hr"


def test_k_keeps_the_charted_value(clash: Ward) -> None:
    clash.key(Qt.Key.Key_K)
    clash.until_status("hr", REJECTED)
    assert first_of(clash, "hr") == (CONFIRMED, True)
    assert not clash.window.page.sheet.conflicts  # type: ignore[union-attr]


def test_p_puts_the_new_one_there_and_undo_puts_the_former_back(clash: Ward) -> None:
    clash.key(Qt.Key.Key_P)
    clash.until_status("hr", CONFIRMED)
    assert first_of(clash, "hr") == (CONFIRMED, False), "it stays in the history"
    clash.key(Qt.Key.Key_Z, CTRL)
    clash.until_status("hr", PROPOSED)
    assert first_of(clash, "hr") == (CONFIRMED, True)


def test_what_was_corrected_can_be_put_there_too(clash: Ward) -> None:
    clash.key(Qt.Key.Key_E)
    QApplication.focusWidget().selectAll()  # type: ignore[union-attr]
    clash.type("99")
    clash.click(clash.window.page.detail.replace_other)
    clash.until_status("hr", ReviewStatus.EDITED)
    assert clash.value("hr").value == 99.0
    assert first_of(clash, "hr") == (CONFIRMED, False)


def test_the_replaced_value_says_so_and_can_be_put_back(clash: Ward) -> None:
    clash.key(Qt.Key.Key_P)
    clash.until_status("hr", CONFIRMED)
    first = next(e for e in clash.window.selection.overview.entries if e.dictation.original_name == "evening round.txt")
    clash.window.navigation.show_dictation(first.dictation.id)
    clash.until_filled("evening round.txt")
    clash.choose("hr")
    page = clash.window.page
    assert cell(clash, "hr", Column.STATUS).data() == "Replaced"
    assert "Replaced by 98 /min" in page.detail.conflict.accessibleDescription()
    assert not page.detail.keep_other.isVisible()
    clash.key(Qt.Key.Key_K)
    assert clash.value("hr").replaced_by, "there is nothing to choose"
    clash.click(page.detail.replace_other)
    clash.until(lambda: clash.value("hr").stands)


def test_replacing_a_filed_value_reopens_its_dictation_and_leads_there(clash: Ward, out: Path) -> None:
    store = clash.workbench.workspace.store
    first = next(one for one in store.dictations.all() if one.original_name == "evening round.txt")
    left = [value.id for value in store.values.of(first.id) if value.status is PROPOSED]
    store.reviews.decide_all(left, "confirm", "R. Nurse")
    store.filings.file(first.id, "R. Nurse", ["/out/a.json"])
    clash.key(Qt.Key.Key_P)
    message = clash.window.message
    clash.until(lambda: message.text.startswith("evening round.txt: the files no longer match the chart."))
    assert store.filings.of(first.id) is None
    clash.click(message.act)
    clash.until_filled("evening round.txt")
    assert not clash.window.page.filed_shown
    clash.key(Qt.Key.Key_F)
    clash.until(lambda: store.filings.of(first.id))
    (records,) = (json.loads(path.read_text(encoding="utf-8"))["records"] for path in out.glob("*.json"))
    assert "hr" not in {record["row_id"] for record in records}, "the other dictation charts it now"


# how it looks


def test_a_conflict_is_whole_where_there_is_little_room(clash: Ward) -> None:
    clash.window.resize(COMFORTABLE)
    lay_out()
    assert clash.window.size() == COMFORTABLE
    for widget in (clash.window.page.detail.keep_other, clash.window.page.detail.replace_other):
        assert widget.width() >= widget.sizeHint().width()


def test_pinned_rows_stand_above_all_others(
    new_ward: Callable[..., Ward], use_schema: None, calibrated: None, tmp_path: Path
) -> None:
    path = write_schema(tmp_path, pinned=("urine", "pain"))
    save_settings(replace(load_settings(paths.config_file()), schema=str(path)), paths.config_file())
    engine = FakeEngine()
    engine.weighed_by = WEIGHED_BY
    ward = new_ward(engine)
    ward.until_ready()
    ward.add_patient()
    ward.open_recording()
    ward.until_review()
    model = ward.window.page.flowsheet._model
    assert [model.index(place, 0).data() for place in range(3)] == ["Check these first (3)", "Pinned", "Vital signs"]
    assert [value.row_id for value in model.ordered()[3:6]] == ["pain", "urine", "hr"]
    ward.window.actions_["chart"].trigger()
    chart = ward.window.page.looks.chart._model
    names = [chart.headerData(line, Qt.Orientation.Vertical) for line in range(4)]
    assert names == ["Pinned", "Pain score", "Urine output (mL)", "Vital signs"]
