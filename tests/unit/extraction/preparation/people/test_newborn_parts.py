"""Where a mother's dictation turns to her newborn, and back to her."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.preparation.people.newborn_parts import newborn_parts
from extraction.preparation.people.other_patients import Person

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


@pytest.mark.parametrize(
    ("text", "is_sure"),
    [
        ("He was out at 1615, limp and blue. Heart rate 90, resps 20.", False),
        ("She was out at 2214. Pink and crying, heart rate 150.", False),
        ("Came out at 0405, blue and floppy. Heart rate 80.", False),
        ("Born at 1915, cried right away. Heart rate 152.", False),
        ("He was out at 1615, limp. Apgar 4, heart rate 90.", True),
        ("Little boy delivered at 2214. Heart rate 144.", True),
    ],
)
def test_a_birth_opens_a_part_without_naming_the_child(text: str, is_sure: bool) -> None:
    (part,) = newborn_parts(text, MOTHER, TODAY)
    assert (part.start, part.end, part.sure) == (0, len(text), is_sure)


@pytest.mark.parametrize(
    "text",
    [
        "Delivered 0610. Fundus firm, pulse 88.",
        "She delivered at 0342, crying with relief. Pulse 88.",
        "He was out of bed at 1615, lips blue. Pulse 88.",
        "He's out for a scan, skin pink. Pulse 88.",
        "Foley came out at 0405, urine pink. Pulse 88.",
        "He was out at 1615 and back at 1700. Pulse 88.",
        "Born in 1938, cries easily. Pulse 88.",
    ],
)
def test_other_words_for_out_and_born_are_no_birth(text: str) -> None:
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
