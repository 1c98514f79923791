"""Sizes of wounds, in figures and in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.language.measuring.sizes import PARTS, sizes


def said(sentence: str, before: str = "") -> list[tuple[str, str, float]]:
    return [(one.thing, one.part, one.value) for one in sizes(sentence, before)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The wound is 9.5 by 4 centimeters.", {"length": 9.5, "width": 4}),
        ("Skin tear, two by one.", {"length": 2, "width": 1}),
        ("Abrasion R elbow 2 x 1 cm", {"length": 2, "width": 1}),
        ("Ulcer 4x2cm, pink base", {"length": 4, "width": 2}),
        ("Wound: 3.4 by 2.2 by 0.2, down from 4 by 2.8.", {"length": 3.4, "width": 2.2, "depth": 0.2}),
        ("Wound's 14.5 centimeters long, 4.2 wide, and 3.0 deep.", {"length": 14.5, "width": 4.2, "depth": 3}),
        ("The wound has a depth of 2.2.", {"depth": 2.2}),
        ("Incision is 18 centimeters, staples.", {"length": 18}),
        ("A 5 cm incision on the left.", {"length": 5}),
    ],
)
def test_the_parts_of_a_size(sentence: str, expected: dict[str, float]) -> None:
    assert said(sentence) == [("wound", part, value) for part, value in expected.items()]


@pytest.mark.parametrize(
    "sentence",
    [
        "The wound was covered with a 4 by 4 gauze.",
        "Wound clean, walked 40 feet.",
        "The room is 4 by 3.",
        "Wound vac at 125, 3 pieces of foam.",
        "Redness up to 3 cm from the incision at 10:30.",
    ],
)
def test_other_numbers_are_no_size(sentence: str) -> None:
    assert said(sentence) == []


def test_a_stage_makes_a_wound_a_pressure_injury() -> None:
    assert {one[0] for one in said("Wound on the sacrum, stage 2, 3 by 2 by 0.5.")} == {"pressure_injury"}
    assert {one[0] for one in said("It's a stage two, 3 by 2.")} == {"pressure_injury"}


def test_a_sentence_may_go_on_about_what_was_named_before() -> None:
    assert said("It's 3 by 2 centimeters.", "wound") == [("wound", "length", 3), ("wound", "width", 2)]
    assert said("It's 3 by 2 centimeters.") == []


@given(st.lists(st.decimals(min_value="0.1", max_value="60", places=1), min_size=2, max_size=3))
def test_any_numbers_are_read_in_the_order_said(numbers: list[object]) -> None:
    spoken = " by ".join(map(str, numbers))
    assert said(f"The wound is {spoken} cm.") == [
        ("wound", part, float(str(number))) for part, number in zip(PARTS, numbers, strict=False)
    ]
