"""Where a mother's dictation turns to her newborn, and back to her."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.preparation.newborn_parts import newborn_parts
from extraction.preparation.other_patients import Person

TODAY = dt.date(2026, 11, 27)
MOTHER = Person("Okafor, Ada", "6", born="1992-02-02")


def of_newborn(text: str) -> list[str]:
    return [text[part.start : part.end].strip() for part in newborn_parts(text, MOTHER, TODAY)]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Pain is 2. Baby boy, heart rate 140. Temp 36.9.", ["Baby boy, heart rate 140. Temp 36.9."]),
        ("Pain is 2, and the newborn is pink, sats 97.", ["and the newborn is pink, sats 97."]),
        ("Pain is 2. The little one is settled, resps 44.", ["The little one is settled, resps 44."]),
        ("Lochia scant. The little one is asleep.", ["The little one is asleep."]),
        ("Twin A is pink. Twin B is dusky. Fundus firm.", ["Twin A is pink. Twin B is dusky."]),
        ("Now for the baby: temp 36.8. Back to mum, pain 2.", ["Now for the baby: temp 36.8."]),
        ("Baby's temp is 36.8. Patient is sleepy.", ["Baby's temp is 36.8."]),
        ("Baby girl, temp 36.8. Ada's pulse is 90.", ["Baby girl, temp 36.8."]),
        ("Baby boy, temp 36.8. She voided 300. His cord is dry.", ["Baby boy, temp 36.8.", "His cord is dry."]),
        ("Baby girl, temp 36.8. She is feeding well.", ["Baby girl, temp 36.8. She is feeding well."]),
        ("The 36 weeker, mom's on insulin. Sugar is 3.1.", ["The 36 weeker,", "Sugar is 3.1."]),
        ("Pain is 2. Baby Okafor, temp 36.8.", ["Baby Okafor, temp 36.8."]),
        (
            "Baby is moving all limbs, heart rate 140. Resps 44.",
            ["Baby is moving all limbs, heart rate 140. Resps 44."],
        ),
        ("Her infant is six months old. Lungs clear.", ["Her infant is six months old."]),
        ("Baby's 135, moderate variability. Pain is 2.", ["Baby's 135, moderate variability."]),
    ],
)
def test_a_dictation_turns_to_the_newborn_and_back(text: str, parts: list[str]) -> None:
    assert of_newborn(text) == parts


@pytest.mark.parametrize(
    "text",
    [
        "Baby at breast, latch good. Pain is 2.",
        "Breastfeeding well, baby feeding every three hours.",
        "Baby's skin to skin. Pulse 88.",
        "Baby's moving well. Pulse 88.",
        "She is holding her baby. Pulse 88.",
        "Her newborn is at home with dad. Lungs clear.",
        "Newborn screening explained. Infant feeding discussed. Pulse 88.",
        "Baby aspirin given. Pulse 88.",
        "Okay, baby, let me listen. Lungs clear.",
        "Two wounds, the little one is 2 by 1. Pulse 88.",
        "BG 162, two units given. Pulse 88.",
    ],
)
def test_what_mother_and_child_do_together_and_other_babies_open_no_part(text: str) -> None:
    assert of_newborn(text) == []


PIECES = st.lists(
    st.sampled_from(["Baby boy", "baby ", "Mom's ", "She is ", "he ", "pain 2", ". ", ", ", "\n"]), max_size=20
)


@given(PIECES)
def test_parts_are_in_order_and_do_not_overlap(pieces: list[str]) -> None:
    text = "".join(pieces)
    end = 0
    for part in newborn_parts(text, MOTHER, TODAY):
        assert end <= part.start < part.end <= len(text)
        end = part.end
