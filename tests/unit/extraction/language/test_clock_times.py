"""Times of day: one grammar separates observations, answers of time rows, and other numbers."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.language.clock_times import clocks, figures_of_time, typed_time
from extraction.language.numbers import dates, numbers, of_times, pressures, shares, times
from extraction.language.sentences import segment
from extraction.preparation.observation_times import clock_spans, moments

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")
TEXTS = st.text(
    alphabet=st.sampled_from("at since 0123456789:/apm.' quarter half past to nine twenty oh hundred ago"), max_size=80
)


def answers(text: str) -> list[tuple[str, str]]:
    """The possible answers of a time row, and the words that say them."""
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
        # the next word is not a.m. or p.m.
        ("At 13:30 a bolus was given.", [("13:30", "13:30")]),
        ("At 7:30 patient voided.", [("07:30", "7:30")]),
        ("Since 13:30 and until now.", [("13:30", "13:30")]),
        ("At 7:30 p.o. fluids were started.", [("07:30", "7:30")]),
        # the spoken hour of 24 is kept
        ("Voided at 13:30 am.", [("13:30", "13:30 am")]),
        # an hour within other words is not the time
        ("Voided at ten to 7 pm.", []),
        ("Voided at twenty five to noon.", []),
    ],
)
def test_a_time_row_is_answered_with_the_spoken_time(text: str, found: list[tuple[str, str]]) -> None:
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
def test_digits_that_only_look_like_a_time_are_not_answers(text: str) -> None:
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
def test_numbers_in_times_and_dates_are_not_measurements(text: str, free: list[float]) -> None:
    apart = of_times(text)
    found = [one.value for one in numbers(text) if not any(a < one.end and one.start < b for a, b in apart)]
    assert found == free


def test_a_time_without_am_or_pm_may_be_either() -> None:
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
def test_an_unambiguous_time_resolves_to_one_minute(text: str, at: str) -> None:
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
def test_a_time_may_be_followed_by_a_person_but_not_by_a_length(text: str, found: list[str]) -> None:
    assert observed(text) == found


def test_a_period_has_a_start_and_an_end() -> None:
    (one,) = moments(segment("Drained 650 from 0700 through 1100."), NOW)
    assert (one.since, one.at) == (NOW.replace(hour=7, minute=0), NOW.replace(hour=11, minute=0))
    (last,) = moments(segment("Drained 650 over the last twenty four hours."), NOW)
    assert (last.since, last.at) == (NOW - dt.timedelta(hours=24), None)


def test_an_overflowing_duration_is_not_a_time() -> None:
    assert moments(segment("For the past 99999999999 hours, and 99999999999 hours ago, he was calm."), NOW) == ()


@given(TEXTS)
def test_times_of_day_do_not_overlap_and_have_valid_hours(text: str) -> None:
    end = 0
    for one in clocks(text):
        assert end <= one.start < one.end <= len(text)
        assert one.observed or one.answers
        assert one.hour in one.hours
        assert all(0 <= hour < 24 for hour in one.hours)
        assert 0 <= one.minute < 60
        end = one.end


@given(TEXTS)
def test_every_time_and_date_is_excluded_from_measurements(text: str) -> None:
    apart = set(of_times(text))
    said = (*times(text), *dates(text, NOW.date()))
    assert {(one.start, one.end) for one in said} | set(clock_spans(text)) <= apart


@given(TEXTS)
def test_results_are_cached_and_immutable(text: str) -> None:
    for read in (numbers, pressures, shares, times, clocks, figures_of_time, of_times):
        assert isinstance(read(text), tuple)
        assert read(text) is read(text)
    assert dates(text, NOW.date()) is dates(text, NOW.date())


@pytest.mark.parametrize(
    ("typed", "time"),
    [
        ("0200", "02:00"), ("2:00", "02:00"), ("02:00", "02:00"), ("2am", "02:00"), (" 2 a.m. ", "02:00"),
        ("2pm", "14:00"), ("1405", "14:05"), ("14.05", "14:05"), ("2.30 pm", "14:30"), ("2:30p", "14:30"),
        ("12am", "00:00"), ("12 pm", "12:00"), ("2400", "00:00"), ("noon", "12:00"), ("midnight", "00:00"),
        ("0630 hours", "06:30"), ("fourteen hundred", "14:00"),
    ],
)  # fmt: skip
def test_a_typed_time_is_read(typed: str, time: str) -> None:
    assert typed_time(typed) == dt.time.fromisoformat(time)


@pytest.mark.parametrize(
    "typed", ["", "2", "14", "200", "2:3", "25:10", "0960", "13pm", "seven o'clock", "half past two", "at 0200", "now"]
)
def test_what_is_no_typed_time_is_not_guessed(typed: str) -> None:
    assert typed_time(typed) is None
