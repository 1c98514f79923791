"""What was so and is no longer."""

from __future__ import annotations

import pytest

from extraction.language.former import former


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
