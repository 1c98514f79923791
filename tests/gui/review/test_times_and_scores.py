"""Times of observation and worked out scores in the real window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QDateTime, Qt

from app.chart.records import ReviewStatus
from tests.gui.conftest import Ward
from tests.kit.charted import worked_out
from ui.flowsheet.detail.observation_time_line import ObservedLine
from ui.flowsheet.flowsheet_model import BEHIND_ROLE

SIX = QDateTime.fromString("2026-11-20T06:10", "yyyy-MM-ddTHH:mm")


@pytest.fixture
def timed_review(request: pytest.FixtureRequest) -> Iterator[Ward]:
    """A ward whose schema works out the mean pressure, at a dictation that says when its urine was measured."""
    with worked_out():
        yield request.getfixturevalue("review")


def cell(ward: Ward, row_id: str) -> str:
    model = ward.window.page.flowsheet.model()
    index = model.index_of(ward.value(row_id).id)
    return str(model.data(index.siblingAtColumn(1)))


def test_the_time_is_shown_with_the_value_and_can_be_corrected(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("hr")
    line = ward.window.page.detail.observed
    assert isinstance(line, ObservedLine)
    assert not line.isVisible()
    ward.choose("weight")
    ward.until(line.isVisible)
    assert cell(ward, "weight") == "81.2"
    assert line.words.text() == "said “this morning” · time of the dictation"
    line.picker.setDateTime(SIX)
    assert ward.window.page.detail.unsaved
    ward.click(ward.window.page.detail.accept)
    ward.until_status("weight", ReviewStatus.EDITED)
    kept = ward.value("weight")
    assert (kept.value, kept.observed_at) == (81.2, "2026-11-20T06:10")
    weight = ward.window.page.flowsheet._model.index_of(kept.id).siblingAtColumn(1)
    assert (weight.data(), weight.data(BEHIND_ROLE)) == ("81.2", "kg · 06:10, 20 Nov"), "the time behind the unit"
    ward.window.page.decisions.undo()
    ward.until_status("weight", ReviewStatus.PROPOSED)
    assert ward.value("weight").observed_at is None


def test_a_period_is_shown_and_escape_restores_the_time(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("urine")
    detail = ward.window.page.detail
    assert detail.observed.words.text() == "said “midnight” · from 00:00 · time of the dictation"
    before = detail.observed.picker.dateTime()
    detail.observed.picker.setDateTime(SIX)
    detail.observed.picker.setFocus()
    ward.key(Qt.Key.Key_Escape)
    assert not detail.unsaved
    assert detail.observed.observed_at == ""
    assert detail.observed.picker.dateTime() == before


def test_a_time_that_was_chosen_and_left_is_not_lost(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("weight")
    detail = ward.window.page.detail
    detail.observed.picker.setDateTime(SIX)
    ward.choose("hr")
    ward.choose("weight")
    assert detail.unsaved
    assert detail.observed.observed_at == "2026-11-20T06:10"


MAP = ("map", None)


def score_line(ward: Ward) -> list[str]:
    """What stands in the line of the score: name, result, status and what to check."""
    flowsheet = ward.window.page.flowsheet
    first = flowsheet._model.index_of(MAP)
    return [first.siblingAtColumn(column).data() for column in range(4)] if first.isValid() else []


def test_a_score_follows_its_parts(timed_review: Ward) -> None:
    ward = timed_review
    page = ward.window.page
    assert score_line(ward) == ["Mean arterial pressure", "97", "Calculated", "provisional until confirmed"]
    page.flowsheet.choose(MAP)
    steps = "(systolic 142 + 2 × diastolic 74) / 3 = 97"
    assert page.score.isVisible()
    assert not page.detail.isVisible()
    assert steps in page.score.text
    assert "Blood pressure: 142/74 mmHg (proposed)" in page.score.text
    ward.key(Qt.Key.Key_Return)
    assert not ward.workbench.jobs, "a score is not accepted, its parts are"
    spoken = page.flowsheet._model.index_of(MAP).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Mean arterial pressure, 97 mmHg, calculated, provisional until confirmed" in spoken
    assert "Blood pressure: 142/74 mmHg (proposed)" in spoken

    ward.choose("bp")
    page.act("accept")
    ward.until_status("bp", ReviewStatus.CONFIRMED)
    ward.until(lambda: score_line(ward)[3] == "from confirmed values")
    assert page.sheet
    ward.workbench.reviews.edit(page.sheet, ward.value("bp").id, "120/60", "mm[Hg]")
    ward.until(lambda: score_line(ward)[1] == "80")
    page.decisions.undo()
    ward.until(lambda: score_line(ward)[1] == "97")
    page.act("reject")


def test_arrows_go_through_scores_and_the_next_flagged_value_is_found_from_there(timed_review: Ward) -> None:
    ward = timed_review
    flowsheet = ward.window.page.flowsheet
    ward.choose("weight")
    ward.key(Qt.Key.Key_Down)
    score = flowsheet.current_score()
    assert score
    assert score.row.id == "map"
    ward.key(Qt.Key.Key_Down)
    assert flowsheet.current() is not None
    ward.key(Qt.Key.Key_Up)
    ward.window.page.step(-1)
    assert flowsheet.current() == ward.value("weight")
    flowsheet.choose(MAP)
    ward.key(Qt.Key.Key_L)
    assert flowsheet.current()
    assert flowsheet.current() == flowsheet._model.ordered()[0]


def test_a_score_stays_chosen_while_its_parts_are_decided(timed_review: Ward) -> None:
    ward = timed_review
    page = ward.window.page
    page.flowsheet.choose(MAP)
    assert page.sheet
    ward.workbench.reviews.accept_rest(page.sheet, [ward.value("bp").id])
    ward.until(lambda: "From confirmed values" in page.score.text)
    assert page.flowsheet.current_score()


def test_a_score_keeps_an_open_section_open_and_does_not_follow_to_another_patient(timed_review: Ward) -> None:
    ward = timed_review
    page = ward.window.page
    page.flowsheet.choose(MAP)
    assert page.sheet
    first = page.sheet.dictation.id
    ward.click(page.leftovers.uncharted.heading)
    ward.workbench.load_sheet(first)
    ward.until_idle()
    assert page.leftovers.opened
    ward.add_patient("Novak, Jan", "14B", "004712")
    ward.open_text("other.txt")
    ward.until_filled("other.txt")
    assert page.sheet.dictation.id != first
    assert page.flowsheet.current(), "the first value to look at"


def test_the_list_stays_where_it_is_when_a_score_goes(timed_review: Ward) -> None:
    ward = timed_review
    page, view = ward.window.page, ward.window.page.flowsheet
    ward.choose("bp")
    bar = view.verticalScrollBar()
    bar.setValue(30)
    assert bar.value() == 30
    page.act("reject")
    ward.until_status("bp", ReviewStatus.REJECTED)
    ward.until(lambda: score_line(ward) == [])
    ward.until_idle()
    assert bar.value() == min(30, bar.maximum())


def chart_map(ward: Ward, value: float) -> None:
    """Charts the row of the score by hand."""
    sheet = ward.window.page.sheet
    assert sheet
    ward.workbench.reviews.add(sheet, sheet.schema.row("map"), value, "mm[Hg]")
    ward.until(lambda: len(ward.values()) == 19)


def test_a_score_that_was_charted_is_decided_about_as_any_value(timed_review: Ward) -> None:
    chart_map(timed_review, 97.0)
    assert score_line(timed_review) == []


def test_a_total_that_is_not_the_sum_is_lit(timed_review: Ward) -> None:
    ward = timed_review
    page = ward.window.page
    chart_map(ward, 80.0)
    assert page.sheet
    ward.choose("map")
    reason = "components add up to 97, but 80 was charted: (systolic 142 + 2 × diastolic 74) / 3 = 97"
    assert page.sheet.reasons[ward.value("map").id] == (reason,)
    assert "Components add up to 97" in page.detail._reason_lines.text()
