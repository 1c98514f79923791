"""What a dictation lacks: which rows are offered, in which order, and in which words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from app.chart.gaps.gaps import GapReason, gaps_of
from app.chart.gaps.habits import NO_HABITS, ChartingHabits
from app.chart.gaps.words import gap_text, time_ago
from app.chart.records import ChartEntry, ReviewedValue, ReviewStatus
from app.chart.sheet import Sheet
from app.record.run import LikelyRows, RunRecord
from app.services.handover.stated_rows import rows_stated
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from tests.kit.store import SCHEMA
from tests.unit.app.chart.test_sheet import read, sheet_of

HABITS = ChartingHabits(10, {"hr": 9, "rass": 5, "edema": 2, "note": 1})
EVENING, NOON = "2025-12-31T19:40:00+00:00", "2025-12-31T12:00:00+00:00"


def earlier(row_id: str, value: Value, at: str = EVENING, dictation: int = 7, stay: int = 1) -> ChartEntry:
    there = ReviewedValue(90, dictation, row_id, None, value, None, ReviewStatus.CONFIRMED, "Kim", at)
    return ChartEntry(there, stay, at, "evening round")


def lacking(*others: ChartEntry, schema: Schema = SCHEMA) -> Sheet:
    return replace(sheet_of(schema=schema, text="Slept well."), others=others)


def names(sheet: Sheet, habits: ChartingHabits = HABITS, dismissed: tuple[str, ...] = ()) -> list[str]:
    return [gap.row.id for gap in gaps_of(sheet, habits, dismissed=dismissed)]


def test_what_the_ward_charts_regularly_is_offered_most_usual_first() -> None:
    assert names(lacking()) == ["hr", "rass"]
    assert [gap.reasons for gap in gaps_of(lacking(), HABITS)] == [(GapReason.USUAL,)] * 2


def test_too_few_dictations_say_nothing_about_what_is_usual() -> None:
    assert names(lacking(), ChartingHabits(2, {"hr": 2})) == []


def test_required_rows_come_first() -> None:
    rows = tuple(replace(row, required=row.id == "note") for row in SCHEMA.rows)
    assert names(lacking(schema=replace(SCHEMA, rows=rows))) == ["note", "hr", "rass"]


def test_what_the_last_assessment_had_is_offered_with_its_time() -> None:
    there = earlier("edema", ("left leg",))
    gaps = gaps_of(lacking(there), NO_HABITS)
    assert [(gap.row.id, gap.reasons, gap.last) for gap in gaps] == [("edema", (GapReason.LAST_TIME,), there)]


def test_what_an_assessment_before_the_last_one_had_is_not() -> None:
    before, last = earlier("edema", ("left leg",), NOON, 6), earlier("hr", 80.0)
    assert names(lacking(before, last), NO_HABITS) == ["hr"]


def test_another_stay_says_nothing_about_this_one() -> None:
    gaps = gaps_of(lacking(earlier("hr", 80.0, stay=2)), HABITS)
    assert [gap.reasons for gap in gaps if gap.row.id == "hr"] == [(GapReason.USUAL,)]
    assert all(gap.last is None for gap in gaps)


def test_the_patients_own_assessments_count_more_with_each_one() -> None:
    assert HABITS.expected("hr", charted=0, assessments=0) == pytest.approx(0.9)
    assert HABITS.expected("hr", charted=0, assessments=4) == pytest.approx(0.45)
    assert HABITS.expected("edema", charted=4, assessments=4) == pytest.approx(0.5)


@pytest.mark.parametrize("status", ReviewStatus)
def test_only_a_row_whose_values_are_all_rejected_lacks(status: ReviewStatus) -> None:
    text = "Heart rate is 110."
    sheet = sheet_of((read("hr", 110.0, "110", text=text), status), text=text)
    assert ("hr" in names(sheet)) == (status is ReviewStatus.REJECTED)


def test_a_dismissed_row_is_not_offered() -> None:
    assert names(lacking(), dismissed=("hr",)) == ["rass"]


def test_words_in_no_value_that_name_a_row_and_state_a_value_are_offered() -> None:
    text = "Heart rate is 110. Heart was heavy at 9."
    sheet = replace(
        sheet_of(text=text), run=RunRecord(likely=(LikelyRows(0, 18, ("hr",)), LikelyRows(19, 40, ("rass",))))
    )
    found = gaps_of(sheet, NO_HABITS, rows_stated(sheet))
    assert [(gap.row.id, gap.reasons) for gap in found] == [("hr", (GapReason.SAID,))]


def test_what_was_held_back_is_offered_if_it_is_likely_enough() -> None:
    held = (read("hr", 110.0, "110", 0.4), read("rass", 4.0, "four", 0.1))
    assert names(sheet_of(held_back=held), NO_HABITS) == ["hr"]


def test_the_last_value_is_told_with_its_time() -> None:
    (gap,) = gaps_of(lacking(earlier("hr", 88.0)), NO_HABITS)
    assert gap_text(gap, "2026-01-01T06:00:00+00:00") == "Heart rate, last charted 19:40 yesterday: 88 /min"


@pytest.mark.parametrize(
    ("moment", "words"),
    [("2026-01-01T05:10", "05:10"), (EVENING, "19:40 yesterday"), ("2025-12-03T08:00", "08:00 on 3 Dec 2025")],
)
def test_a_time_is_told_as_seen_from_now(moment: str, words: str) -> None:
    assert time_ago(moment, "2026-01-01T06:00:00+00:00") == words


def test_a_row_without_an_earlier_value_says_so() -> None:
    counted = Counter({"hr": 10})
    (gap,) = gaps_of(lacking(), ChartingHabits(10, counted))
    assert gap_text(gap, NOON) == "Heart rate, not charted in this stay"
