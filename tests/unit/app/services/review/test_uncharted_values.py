"""What a line that is not charted may be charted as."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from app.chart.gaps.said_rows import rows_meant
from app.chart.records import ReviewStatus
from app.chart.sheet import Sheet
from app.record.run import LikelyRows, RunRecord
from app.services.review.uncharted_values import time_said, value_said
from extraction.flowsheet.values import Value
from extraction.language.sentences import Segment, segment
from tests.unit.app.chart.test_sheet import read, sheet_of

SAID = "Heart rate is 110. Slept well, and rass was minus 2."
HEART, SLEPT, RASS = (
    Segment(-1, SAID.index(words), SAID.index(words) + len(words), words)
    for words in ("Heart rate is 110.", "Slept well", "and rass was minus 2")
)


def sheet(*likely: LikelyRows, charted: ReviewStatus = ReviewStatus.CONFIRMED) -> Sheet:
    found = sheet_of((read("hr", 110.0, "110", text=SAID), charted), text=SAID)
    return replace(found, run=RunRecord(likely=likely))


def test_the_rows_of_the_clauses_of_a_line_come_in_turn_and_those_with_a_value_last() -> None:
    likely = (
        LikelyRows(HEART.start, HEART.end, ("edema",)),
        LikelyRows(SLEPT.start, SLEPT.end, ("hr", "note", "unknown")),
        LikelyRows(RASS.start, RASS.end, ("rass", "note")),
    )
    both = replace(SLEPT, end=RASS.end)
    assert [row.id for row in rows_meant(sheet(*likely), both)] == ["rass", "note", "hr"]
    rejected = sheet(*likely, charted=ReviewStatus.REJECTED)
    assert [row.id for row in rows_meant(rejected, both)] == ["hr", "rass", "note"]
    assert [row.id for row in rows_meant(rejected, HEART)] == ["edema"]


def test_a_run_of_an_earlier_release_has_no_likely_rows() -> None:
    assert rows_meant(sheet(), HEART) == ()


@pytest.mark.parametrize(
    ("line", "row_id", "value"),
    [(HEART, "hr", 110.0), (RASS, "rass", -2.0), (SLEPT, "hr", None), (SLEPT, "note", "Slept well")],
)
def test_the_value_that_a_line_says_of_a_row(line: Segment, row_id: str, value: Value | None) -> None:
    one = sheet()
    assert value_said(one, line, one.schema.row(row_id)) == value


@pytest.mark.parametrize(
    ("said", "row_id", "at"),
    [
        ("Slept well at 0300", "note", "03:00"),
        ("Slept well since four, now awake", "note", None),
        ("Will be weighed at 0900", "note", None),
        ("Slept well", "note", None),
    ],
)
def test_the_time_that_a_line_states(said: str, row_id: str, at: str | None) -> None:
    one = replace(sheet_of(text=f"Heart rate is 110. {said}."), sentences=segment(f"Heart rate is 110. {said}."))
    one = replace(one, dictation=replace(one.dictation, created_at=datetime(2026, 3, 4, 10).astimezone().isoformat()))
    found = time_said(one, Segment(-1, 19, 19 + len(said), said), one.schema.row(row_id))
    assert found == (at and f"2026-03-04T{at}")


def test_the_quote_of_a_line_has_its_sentence() -> None:
    quote = sheet().quote_of(SLEPT)
    assert (quote.text, SAID[quote.start : quote.end]) == ("Slept well", "Slept well")
    assert SAID[quote.sentence_start : quote.sentence_end] == "Slept well, and rass was minus 2."
