"""Numbers, units, times and segments in arbitrary input."""

from __future__ import annotations

import datetime as dt

from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.unit_conversion import convert
from extraction.language.numbers import date_times, dates, numbers, pressures, times
from extraction.language.quantities import said_unit
from extraction.language.sentences import segment
from extraction.preparation.observation_times import clock_spans

TODAY = dt.date(2026, 11, 21)
UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    if number < 20:
        return UNITS[number]
    if number < 100:
        return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{UNITS[number // 100]} hundred" + (f" and {in_words(number % 100)}" if number % 100 else "")
    return f"{in_words(number // 1000)} thousand" + (f" {in_words(number % 1000)}" if number % 1000 else "")


@given(st.integers(0, 99999))
def test_number_words_are_parsed(number: int) -> None:
    text = f"It was {in_words(number)} today."
    assert [said.value for said in numbers(text)] == [float(number)]


@given(st.integers(0, 9999), st.integers(0, 99))
def test_decimal_digits_are_parsed(whole: int, tenths: int) -> None:
    text = f"temperature {whole}.{tenths} degrees"
    assert [said.value for said in numbers(text)] == [float(f"{whole}.{tenths}")]


@given(st.integers(0, 99), st.integers(0, 9))
def test_spoken_decimals_are_parsed(whole: int, tenth: int) -> None:
    assert [said.value for said in numbers(f"{in_words(whole)} point {UNITS[tenth]}")] == [float(f"{whole}.{tenth}")]


@given(st.integers(60, 250), st.integers(30, 59))
def test_pressures_are_parsed_in_every_form(systolic: int, diastolic: int) -> None:
    for text in (
        f"BP {systolic}/{diastolic}.",
        f"BP {systolic} over {diastolic}.",
        f"pressure {in_words(systolic)} over {in_words(diastolic)}",
    ):
        assert [said.value for said in pressures(text)] == [f"{systolic}/{diastolic}"], text


@given(st.integers(0, 23), st.integers(0, 59))
def test_times_are_parsed_in_every_form(hour: int, minute: int) -> None:
    half = "p" if hour >= 12 else "a"
    for text in (
        f"voided at {hour:02d}{minute:02d}.",
        f"voided at {hour}:{minute:02d}.",
        f"at {(hour - 1) % 12 + 1}:{minute:02d} {half}m",
        f"{hour:02d}{minute:02d} hours",
    ):
        assert [said.value for said in times(text)] == [f"{hour:02d}:{minute:02d}"], text


MEASURED = ("milliliters", "mL", "cc", "mls", "calories", "units", "mL per hour", "grams", "cm")


@given(st.integers(0, 23), st.integers(0, 59), st.sampled_from(("at", "around", "about", "since", "by")))
def test_a_number_with_a_unit_is_not_a_time_of_day(hour: int, minute: int, lead: str) -> None:
    clock = f"{hour:02d}{minute:02d}"
    for unit in MEASURED:
        text = f"He drank {lead} {clock} {unit} today."
        assert times(text) == (), text
        assert clock_spans(text) == (), text
        assert [said.value for said in numbers(text)] == [float(clock)], text
    for behind in ("hours", "hrs", "in the hallway", "", "a bolus was given"):
        text = f"Seen {lead} {clock} {behind}."
        assert [said.value for said in times(text)] == [f"{hour:02d}:{minute:02d}"], text


@given(st.dates(dt.date(2001, 1, 1), dt.date(2099, 12, 31)))
def test_dates_are_parsed(day: dt.date) -> None:
    for text in (day.isoformat(), f"{day.month}/{day.day}/{day.year}", f"{day:%B} {day.day}, {day.year}"):
        assert [said.value for said in dates(f"placed {text}", TODAY)] == [day.isoformat()], text


def test_a_time_takes_the_date_next_to_it() -> None:
    assert [s.value for s in date_times("Seen yesterday at 1900.", TODAY)] == ["2026-11-20T19:00"]
    assert [s.value for s in date_times("Seen at 1900.", TODAY)] == ["2026-11-21T19:00"]


@given(st.text())
def test_any_text_is_accepted_and_all_spans_lie_inside(text: str) -> None:
    for said in (*numbers(text), *pressures(text), *times(text), *dates(text, TODAY), *date_times(text, TODAY)):
        assert 0 <= said.start < said.end <= len(text)


@given(st.text(alphabet=st.sampled_from("ab .!?\n,;[]9"), max_size=400))
def test_segments_cover_every_word_once_and_in_order(text: str) -> None:
    end = 0
    covered = set[int]()
    for number, part in enumerate(segment(text)):
        assert part.index == number
        assert end <= part.start < part.end
        assert part.text == text[part.start : part.end] == part.text.strip()
        covered.update(range(part.start, part.end))
        end = part.end
    for place, letter in enumerate(text):
        in_tag = "[" in text[:place] and "]" in text[place:]
        assert place in covered or not letter.isalnum() or in_tag


@given(st.floats(-50, 500, allow_nan=False))
def test_unit_conversion_round_trips(value: float) -> None:
    for a, b in (("Cel", "[degF]"), ("kg", "[lb_av]"), ("cm", "[in_i]"), ("L", "mL")):
        assert abs(convert(convert(value, a, b), b, a) - value) <= 0.02


def test_the_unit_after_a_number_is_found() -> None:
    text = "150 cc then"
    assert said_unit(text, 3) == ("mL", 6)
    assert said_unit("5 of them", 1) == (None, 1)
    assert said_unit("12 L/min", 2) == ("L/min", 8)
    assert said_unit("98 percent", 2) == ("%", 10)
