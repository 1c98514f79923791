"""Times of observation and worked out scores in the real window."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QDate, Qt
from PySide6.QtTest import QTest

from app.chart.cells import local_of, utc_of
from app.chart.records import ReviewStatus
from tests.gui.conftest import Ward
from tests.kit.charted import worked_out
from ui.flowsheet.detail.observation_time_line import ObservedLine
from ui.flowsheet.flowsheet_model import BEHIND_ROLE
from ui.kit.words import local_minute

NOON = (local_of(dt.datetime.now(dt.UTC).isoformat()) - dt.timedelta(days=2)).replace(hour=12, minute=0)


def on_day(time: str, ago: int = 0) -> str:
    """A time of the day of NOON, or of so many days before it, as it is stored."""
    return f"{NOON - dt.timedelta(days=ago):%Y-%m-%d}T{time}"


SIX = on_day("06:10")


@pytest.fixture
def timed_review(request: pytest.FixtureRequest) -> Iterator[Ward]:
    """A ward whose schema works out the mean pressure, at a dictation that says when its urine was measured."""
    with worked_out():
        yield request.getfixturevalue("review")


def cell(ward: Ward, row_id: str) -> str:
    model = ward.window.page.flowsheet.model()
    index = model.index_of(ward.value(row_id).id)
    return str(model.data(index.siblingAtColumn(1)))


def type_time(ward: Ward, text: str) -> ObservedLine:
    """Presses T and types, by a clock that shows noon."""
    line = ward.window.page.detail.observed
    line.clock = lambda: NOON
    ward.window.page.flowsheet.setFocus()
    ward.key(Qt.Key.Key_T)
    assert line.time.hasFocus()
    assert line.time.selectedText() == line.time.text()
    ward.type(text)
    return line


def test_any_value_is_given_a_time_with_four_digits_and_enter(timed_review: Ward) -> None:
    ward = timed_review
    for row_id, typed, at in (
        ("hr", "0200", on_day("02:00")),
        ("bp", "2:00", on_day("02:00")),
        ("temp", "2pm", on_day("14:00", 1)),  # the last one that is not in the future
    ):
        ward.choose(row_id)
        type_time(ward, typed)
        ward.key(Qt.Key.Key_Return)
        ward.until_status(row_id, ReviewStatus.EDITED)
        assert ward.value(row_id).observed_at == at
    heart_rate = ward.window.page.flowsheet.model().index_of(ward.value("hr").id).siblingAtColumn(1)
    assert heart_rate.data() == "112"
    assert heart_rate.data(BEHIND_ROLE).endswith(f" · 02:00, {NOON.day} {NOON:%b}")
    ward.choose("hr")
    type_time(ward, "0230")  # a charted value, too
    ward.key(Qt.Key.Key_Return)
    ward.until(lambda: ward.value("hr").observed_at == on_day("02:30"))


def test_the_time_is_shown_with_the_value_and_can_be_corrected(timed_review: Ward) -> None:
    ward = timed_review
    detail = ward.window.page.detail
    line = detail.observed
    ward.choose("hr")
    assert line.isVisible()
    assert line.time.text() == when_dictated(ward)
    assert not line.own.isVisible()
    ward.choose("weight")
    assert cell(ward, "weight") == "81.2"
    assert line.words.text() == "said “this morning” · time of the dictation"
    type_time(ward, "0610")
    assert detail.unsaved
    ward.click(detail.accept)
    ward.until_status("weight", ReviewStatus.EDITED)
    kept = ward.value("weight")
    assert (kept.value, kept.observed_at) == (81.2, SIX)
    weight = ward.window.page.flowsheet._model.index_of(kept.id).siblingAtColumn(1)
    assert (weight.data(), weight.data(BEHIND_ROLE)) == ("81.2", f"kg · 06:10, {NOON.day} {NOON:%b}"), "behind the unit"
    ward.window.page.decisions.undo()
    ward.until_status("weight", ReviewStatus.PROPOSED)
    assert ward.value("weight").observed_at is None


def when_dictated(ward: Ward) -> str:
    sheet = ward.window.page.sheet
    assert sheet
    return local_minute(sheet.dictation.created_at)[11:]


def test_the_day_can_be_changed_and_the_time_of_the_dictation_chosen(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("hr")
    line = type_time(ward, "0610")
    line.day.setDate(line.day.date().addDays(-2))
    assert line.entry == on_day("06:10", 2)
    day = line.day.text()
    line.edit()
    ward.type("0700")
    assert line.entry == on_day("07:00", 2), "a day that was chosen stays"
    ward.key(Qt.Key.Key_Return)
    ward.until_status("hr", ReviewStatus.EDITED)
    ward.choose("hr")
    assert (line.time.text(), line.day.text()) == ("07:00", day)
    ward.click(line.own)
    assert line.time.hasFocus()
    assert line.time.text() == when_dictated(ward)
    ward.key(Qt.Key.Key_Return)
    ward.until(lambda: ward.value("hr").observed_at is None)
    assert ward.value("hr").status is ReviewStatus.CONFIRMED


def test_a_time_is_not_taken_as_days_after_an_older_dictation(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("hr")
    sheet, line = ward.window.page.sheet, ward.window.page.detail.observed
    assert sheet
    made = NOON - dt.timedelta(days=5)
    older = replace(sheet.dictation, created_at=utc_of(f"{made:%Y-%m-%dT%H:%M}"))
    line.show_value(older, ward.value("hr"))
    for typed, at in (("1430", on_day("14:30", 5)), ("0200", on_day("02:00", 5)), ("1700", on_day("17:00", 6))):
        type_time(ward, typed)
        assert line.entry == at


def test_what_is_no_time_is_said_and_kept(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("hr")
    detail = ward.window.page.detail
    line = type_time(ward, "25:10")
    ward.key(Qt.Key.Key_Return)
    assert detail._error.text() == "“25:10” is not a time. Enter one like 0200, 2:00 or 2am."
    assert ward.value("hr").status is ReviewStatus.PROPOSED
    ward.choose("weight")
    ward.choose("hr")
    assert (line.time.text(), detail.unsaved) == ("25:10", True)
    type_time(ward, "0510")
    ward.key(Qt.Key.Key_Return)
    ward.until_status("hr", ReviewStatus.EDITED)
    assert ward.value("hr").observed_at == on_day("05:10")


def test_a_time_still_to_come_is_asked_about(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("hr")
    detail = ward.window.page.detail
    later = ward.workbench.workspace.store.now().astimezone().replace(tzinfo=None) + dt.timedelta(days=2)
    line = type_time(ward, f"{later:%H%M}")
    line.day.setDate(QDate(later.year, later.month, later.day))
    ward.key(Qt.Key.Key_Return)
    assert detail.again.isVisible()
    assert "Heart rate is timed" in detail.again.words.text()
    assert detail.again.words.text().endswith("Press Enter again to confirm.")
    assert ward.value("hr").status is ReviewStatus.PROPOSED
    ward.key(Qt.Key.Key_Return)
    ward.until_status("hr", ReviewStatus.EDITED)
    assert ward.value("hr").observed_at == f"{later:%Y-%m-%dT%H:%M}"


def test_a_period_is_shown_and_escape_restores_the_time(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("urine")
    detail = ward.window.page.detail
    assert detail.observed.words.text() == "said “midnight” · from 00:00 · time of the dictation"
    line = type_time(ward, "0610")
    QTest.keyClick(line.time, Qt.Key.Key_Escape)
    assert not detail.unsaved
    assert line.entry == ""
    assert line.time.text() == when_dictated(ward)


def test_a_time_that_was_entered_and_left_is_not_lost(timed_review: Ward) -> None:
    ward = timed_review
    ward.choose("weight")
    detail = ward.window.page.detail
    type_time(ward, "0610")
    ward.choose("hr")
    ward.choose("weight")
    assert detail.unsaved
    assert detail.observed.entry == SIX


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
    ward.window.review.watch(ward.workbench.review.edit(page.sheet, ward.value("bp").id, "120/60", "mm[Hg]"))
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
    ward.window.review.watch(ward.workbench.review.accept_rest(page.sheet, [ward.value("bp").id]))
    ward.until(lambda: "From confirmed values" in page.score.text)
    assert page.flowsheet.current_score()


def test_a_score_keeps_an_open_section_open_and_does_not_follow_to_another_patient(timed_review: Ward) -> None:
    ward = timed_review
    page = ward.window.page
    page.flowsheet.choose(MAP)
    assert page.sheet
    first = page.sheet.dictation.id
    ward.click(page.leftovers.uncharted.heading)
    ward.window.navigation.load_sheet(first)
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
    ward.window.review.watch(ward.workbench.review.add(sheet, sheet.schema.row("map"), value, "mm[Hg]"))
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


def test_a_clock_that_went_back_is_said_and_the_warning_goes_with_it(
    timed_review: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    ward = timed_review
    message = ward.window.message
    assert "clock" not in message.text
    with monkeypatch.context() as back:
        back.setattr("app.store.sqlite.clock.now", lambda: f"{on_day('12:00')}:00.000+00:00")
        ward.window.navigation.load_overview()
        ward.until(lambda: message.text.startswith("The clock of this computer may be wrong."))
        assert message.text.endswith("Set the clock before you record or chart.")
        ward.click(message.dismiss)
        ward.window.navigation.load_overview()
        ward.until_idle()
        assert "clock" not in message.text, "once it was read it stays away"
        ward.open_text("next.txt")
        ward.until(lambda: message.text.startswith("The clock of this computer may be wrong."))
    ward.window.navigation.load_overview()
    ward.until(lambda: "clock" not in message.text)
