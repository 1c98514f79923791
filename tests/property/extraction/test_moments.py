"""Spoken times: every minute of the day is found however it is said, and any text is accepted."""

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from extraction.language.sentences import segment
from extraction.preparation.observation_times import clock_spans, moments

NOW = dt.datetime.fromisoformat("2026-03-04T23:59")
ONES = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty".split()
HOURS, MINUTES = st.integers(0, 23), st.integers(0, 59)
TEXTS = st.text(
    alphabet=st.sampled_from("at since 0123456789:apm.' quarter half past to nine twenty oh hundred ago"), max_size=80
)


def in_words(number: int) -> str:
    if number < 20:
        return [*ONES, *TEENS][number]
    ten, one = divmod(number, 10)
    return TENS[ten - 2] + (f" {ONES[one]}" if one else "")


def military(hour: int, minute: int) -> str:
    first = f"oh {ONES[hour]}" if hour < 10 else in_words(hour)
    if minute == 0:
        return f"{first} hundred"
    return f"{first} oh {ONES[minute]}" if minute < 10 else f"{first} {in_words(minute)}"


@given(st.integers(1, 23), MINUTES)
def test_every_minute_of_the_day_is_found_however_it_is_said(hour: int, minute: int) -> None:
    wanted = dt.datetime.combine(NOW.date(), dt.time(hour, minute))
    half = f"{hour % 12 or 12}:{minute:02d} {'p' if hour >= 12 else 'a'}.m."
    ways = [f"{hour:02d}{minute:02d}", f"{hour:02d}{minute:02d} hours", military(hour, minute), half]
    for way in ways:
        if hour in (10, 11, 12) and way == ways[2] and minute:
            continue  # 'at eleven twenty' may be in the evening and is found with a doubt
        found = moments(segment(f"His pulse was 96 at {way}."), NOW)
        assert [(one.at, one.finding) for one in found] == [(wanted, None)], way


@given(HOURS, MINUTES, HOURS, MINUTES)
def test_a_time_without_a_day_is_never_in_the_future(hour: int, minute: int, h: int, m: int) -> None:
    now = dt.datetime.combine(NOW.date(), dt.time(h, m))
    for one in moments(segment(f"Pulse was 96 at {hour}:{minute:02d}."), now):
        assert one.at is not None
        assert now - dt.timedelta(days=1) < one.at <= now + dt.timedelta(minutes=5)


@given(TEXTS)
def test_any_text_is_accepted(text: str) -> None:
    for start, end in clock_spans(text):
        assert 0 <= start < end <= len(text)
    found = moments(segment(text), NOW)
    assert list(found) == sorted(found, key=lambda one: one.sentence)
    for one in found:
        assert one.sentence[0] <= one.start < one.end <= one.sentence[1] <= len(text)


@given(st.integers(2, 59))
def test_minutes_ago_are_resolved(minutes: int) -> None:
    for words in (str(minutes), in_words(minutes)):
        (one,) = moments(segment(f"{words} minutes ago he was calm."), NOW)
        assert one.at == NOW - dt.timedelta(minutes=minutes)
