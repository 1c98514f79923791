"""Times of day: one grammar tells observations, answers of rows that record a time, and numbers apart."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.language.clock_times import clocks, figures_of_time
from extraction.language.numbers import dates, numbers, of_times, pressures, shares, times
from extraction.language.sentences import segment
from extraction.preparation.observation_times import clock_spans, moments

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")
TEXTS = st.text(
    alphabet=st.sampled_from("at since 0123456789:/apm.' quarter half past to nine twenty oh hundred ago"), max_size=80
)


def answers(text: str) -> list[tuple[str, str]]:
    """Times that a row can be answered with, and the words that say each."""
    return [(said.value, text[said.start : said.end]) for said in times(text)]


def observed(text: str) -> list[str]:
    return [text[slice(*span)] for span in clock_spans(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Voided at 7:30p.", [("19:30", "7:30p")]),
        ("Voided at 7:30 p.", [("19:30", "7:30 p")]),
        ("Voided at 7:30 p.m. today.", [("19:30", "7:30 p.m.")]),
        ("Voided at 07 pm.", [("19:00", "07 pm")]),
        ("Voided at 12 a.m.", [("00:00", "12 a.m.")]),
        ("Voided at midday.", [("12:00", "midday")]),
        ("Voided at 1900 hours.", [("19:00", "1900 hours")]),
        # the next word is no half of the day
        ("At 13:30 a bolus was given.", [("13:30", "13:30")]),
        ("At 7:30 patient voided.", [("07:30", "7:30")]),
        ("Since 13:30 and until now.", [("13:30", "13:30")]),
        ("At 7:30 p.o. fluids were started.", [("07:30", "7:30")]),
        # the hour of 24 that was said stands
        ("Voided at 13:30 am.", [("13:30", "13:30 am")]),
        # an hour within other words is not the time
        ("Voided at ten to 7 pm.", []),
        ("Voided at twenty five to noon.", []),
    ],
)
def test_a_row_that_records_a_time_is_answered_with_what_was_said(text: str, found: list[tuple[str, str]]) -> None:
    assert answers(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Epinephrine 1:1000 was given.",
        "I to E ratio is 1:428.",
        "He said that 1200 was drained.",
        "Heparin runs at 1200/hr.",
        "Seen on 1 30 pm.",
    ],
)
def test_figures_that_only_look_like_a_time_answer_no_row(text: str) -> None:
    assert answers(text) == []
    assert observed(text) == []


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("Epinephrine 1:1000 was given.", []),
        ("Heparin runs at 1200/hr, pain is 4.", [1200.0, 4.0]),
        ("He said that 1200 was drained.", [1200.0]),
        ("Voided 300 at nineteen hundred.", [300.0]),
        ("Voided 300 at 7:30.", [300.0]),
        ("Voided 300 at about 1900.", [300.0]),
        ("Voided 300 on March 2nd.", [300.0]),
        ("Voided 300 on February 29.", [300.0]),
        ("Rate may 85 at rest.", [85.0]),
        ("He drank about 1200 milliliters.", [1200.0]),
    ],
)
def test_numbers_of_times_and_dates_measure_nothing(text: str, free: list[float]) -> None:
    apart = of_times(text)
    found = [one.value for one in numbers(text) if not any(a < one.end and one.start < b for a, b in apart)]
    assert found == free


def test_a_time_without_a_half_may_be_of_the_morning_and_the_afternoon() -> None:
    assert [(one.hours, one.minute) for one in clocks("At 7:30 and at 0730, at 12:10, at 19:05.")] == [
        ((7, 19), 30), ((7,), 30), ((0, 12), 10), ((19,), 5),
    ]  # fmt: skip
    assert [one.hour for one in clocks("At 7:30 and at 12:10.")] == [7, 12]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("Pulse 96 at 07 am.", "2026-03-04T07:00"),
        ("Pulse 96 at 7:30a.", "2026-03-04T07:30"),
        ("Pulse 96 ten minutes before midday.", "2026-03-04T11:50"),
        ("Pulse 96 half an hour ago.", "2026-03-04T14:00"),
        ("Pulse 96 an hour and a quarter ago.", "2026-03-04T13:15"),
        ("Pulse 96 1.25 hours ago.", "2026-03-04T13:15"),
    ],
)
def test_a_moment_has_its_minute_without_a_doubt(text: str, at: str) -> None:
    assert [(one.at, one.finding) for one in moments(segment(text), NOW)] == [(dt.datetime.fromisoformat(at), None)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Turned at 1430 by two nurses.", ["1430"]),
        ("Assessed at 7:15 by Dr. Lund.", ["7:15"]),
        ("Seen at noon by the wound nurse.", ["noon"]),
        ("Seen at quarter past two by the wound nurse.", ["quarter past two"]),
        ("This morning at 4 by 3 centimeters.", []),
        ("Wound is at ten twenty by thirty.", []),
    ],
)
def test_who_did_it_may_stand_behind_a_time_and_a_length_may_not(text: str, found: list[str]) -> None:
    assert observed(text) == found


def test_a_period_may_go_through_to_its_end() -> None:
    (one,) = moments(segment("Drained 650 from 0700 through 1100."), NOW)
    assert (one.since, one.at) == (NOW.replace(hour=7, minute=0), NOW.replace(hour=11, minute=0))
    (last,) = moments(segment("Drained 650 over the last twenty four hours."), NOW)
    assert (last.since, last.at) == (NOW - dt.timedelta(hours=24), None)


def test_more_hours_than_a_calendar_has_are_no_time() -> None:
    assert moments(segment("For the past 99999999999 hours, and 99999999999 hours ago, he was calm."), NOW) == ()


@given(TEXTS)
def test_times_of_day_do_not_overlap_and_are_hours_of_a_day(text: str) -> None:
    end = 0
    for one in clocks(text):
        assert end <= one.start < one.end <= len(text)
        assert one.observed or one.answers
        assert one.hour in one.hours
        assert all(0 <= hour < 24 for hour in one.hours)
        assert 0 <= one.minute < 60
        end = one.end


@given(TEXTS)
def test_every_time_and_date_is_among_what_measures_nothing(text: str) -> None:
    apart = set(of_times(text))
    said = (*times(text), *dates(text, NOW.date()))
    assert {(one.start, one.end) for one in said} | set(clock_spans(text)) <= apart


@given(TEXTS)
def test_what_a_text_says_is_read_once_and_nobody_can_change_it(text: str) -> None:
    for read in (numbers, pressures, shares, times, clocks, figures_of_time, of_times):
        assert isinstance(read(text), tuple)
        assert read(text) is read(text)
    assert dates(text, NOW.date()) is dates(text, NOW.date())
