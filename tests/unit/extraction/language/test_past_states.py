"""What was so and is no longer."""

from __future__ import annotations

import pytest

from extraction.language.past_states import former, outdated


@pytest.mark.parametrize(
    ("sentence", "no_longer"),
    [
        ("Foley came out at eight this morning, voiding since.", ["Foley"]),
        ("Heparin not started, on Eliquis.", ["Heparin"]),
        ("Stopped the fentanyl.", ["the fentanyl."]),
        ("Heart rate 124 down to 110, sinus.", ["124"]),
        ("Pain was an eight, now a one.", ["eight"]),
        ("Weaned the levophed from 12.", ["12"]),
        ("BP 120 over 80, pulse 70, sat 98 on two liters.", []),
        ("Out of bed to the chair for lunch.", []),
        ("Voided 300 and then walked.", []),
        ("Foley put out 15 that hour.", []),
        ("Bed alarm went off again.", []),
        ("", []),
    ],
)
def test_ended_things_and_earlier_numbers_are_former(sentence: str, no_longer: list[str]) -> None:
    assert list(dict.fromkeys(sentence[slice(*span)].strip() for span in former(sentence))) == no_longer


@pytest.mark.parametrize(
    ("sentence", "was"),
    [
        ("The urine was tea colored, it's clear now.", ["tea colored"]),
        ("The urine was tea colored and is clear now.", ["tea colored"]),
        ("Stridor at rest earlier, now only when he cries.", ["Stridor at rest earlier"]),
        ("Initially confused, oriented today.", ["Initially confused"]),
        ("Gray at the edges yesterday, but pink now.", ["Gray at the edges yesterday"]),
        ("The Foley was placed at six, draining clear now.", []),
        ("Lungs are clear, he is resting now.", []),
        ("The urine was tea colored.", []),
        ("She is sleeping now, it was tea colored.", []),
        ("", []),
    ],
)
def test_what_was_so_is_outdated_by_what_is_so_now(sentence: str, was: list[str]) -> None:
    assert [sentence[one.start : one.end].strip() for one in outdated(sentence)] == was


def test_of_what_is_so_now_the_beginning_is_quoted() -> None:
    (one,) = outdated("The urine was tea colored, it's yellow and clear now without any sediment or clots in it.")
    assert one.now == "it's yellow and clear now without any…"
