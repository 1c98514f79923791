"""Which readings of one measurement were taken at which times of their sentence."""

from __future__ import annotations

import pytest

from extraction.language.clock_times import clocks
from extraction.language.measuring.told_times import told_times


def told(text: str) -> dict[str, list[str]]:
    """By time the readings of it; under an empty text those without one."""
    times = [(one.start, one.end) for one in clocks(text) if one.observed]
    of, none = told_times(text, times)
    found = {text[slice(*time)]: [text[slice(*one)] for one in some] for time, some in zip(times, of, strict=True)}
    found[""] = [text[slice(*one)] for one in none]
    return {time: some for time, some in found.items() if some}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pulse 84 at 0900 and 78 at 1100.", {"0900": ["84"], "1100": ["78"]}),
        ("At 0900 pulse 84, at 1100 78.", {"0900": ["84"], "1100": ["78"]}),
        ("Pulse at 0900 was 84, and 78 at 1100.", {"0900": ["84"], "1100": ["78"]}),
        ("Pulse 84 and 78 at 9 and 11.", {"9": ["84"], "11": ["78"]}),
        (
            "At 0900 pressure 140 over 80 and pulse 84, at 1100 pressure 120 over 70 and pulse 78.",
            {"0900": ["140 over 80", "84"], "1100": ["120 over 70", "78"]},
        ),
    ],
)
def test_as_many_times_as_readings_go_with_them_in_order(text: str, expected: dict[str, list[str]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Pressure 88 over 50, second one 94 over 58 at 1455.", {"1455": ["94 over 58"], "": ["88 over 50"]}),
        (
            "Nitro in at 0758, and the pressure was 160 over 90 at 0802, 124 over 70 after that.",
            {"0802": ["160 over 90"], "": ["124 over 70"]},
        ),
        ("Pressure 88 over 50 at 1455, 94 over 58 sitting.", {"1455": ["88 over 50"], "": ["94 over 58"]}),
    ],
)
def test_of_fewer_times_each_belongs_to_the_reading_beside_it(text: str, expected: dict[str, list[str]]) -> None:
    assert told(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "At 0900 pressure 140 over 80 and pulse 84.",  # one reading of each
        "Emptied the bag at 1400, 350 of urine, and he drank 240 of water and 120 of juice.",  # of something else
        "Pulse 84 at 0900, came back at 1000, called at 1100.",
    ],
)
def test_nothing_is_told_of_other_times(text: str) -> None:
    assert told(text) == {}
