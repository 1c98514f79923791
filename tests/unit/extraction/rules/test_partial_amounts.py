"""A number of which only a part is meant is lit, and so is a share of something else."""

from __future__ import annotations

import pytest

from extraction.flowsheet.values import FilledValue
from extraction.schema_files.native_format import load_schema
from resources import DEMONSTRATION_SCHEMA
from tests.kit.steps import charted

SCHEMA = load_schema(DEMONSTRATION_SCHEMA)


def proposed(text: str, row_id: str, value: float, words: str) -> FilledValue:
    """What is proposed of a number of which the models are sure."""
    values = charted(text, SCHEMA, [(row_id, value, words)]).values
    return next(one for one in values if (one.row_id, one.value) == (row_id, value))


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words", "part"),
    [
        ("Had 240 of juice and drank half of it.", "in.oral", 240.0, "240", "half of it"),
        ("Gave a 500 bolus, half of it is in.", "in.iv_bolus", 500.0, "500", "half of it"),
        ("Milk 240 mL, took most of it.", "in.oral", 240.0, "240 mL", "most of it"),
        ("Coffee, 200 mL, drank a third of it.", "in.oral", 200.0, "200 mL", "a third of it"),
        ("Tube feed 480, three quarters of it went in.", "in.enteral", 480.0, "480", "three quarters of it"),
        ("Poured her 300 mL of water, she finished most of that.", "in.oral", 300.0, "300 mL", "most of that"),
        ("Emesis 200, half of it on the floor.", "out.emesis", 200.0, "200", "half of it"),
        ("Took 8 ounces of broth, left half of it.", "in.oral", 237.0, "8 ounces", "half of it"),
        ("A 350 mL shake, managed only part of it.", "in.oral", 350.0, "350 mL", "part of it"),
        ("Got through two thirds of his 300 of soup.", "in.oral", 300.0, "300", "two thirds of his 300"),
        ("240 mL of milk, nearly all of it left.", "in.oral", 240.0, "240 mL", "nearly all of it"),
    ],
)
def test_a_whole_of_which_a_part_was_said_is_lit(text: str, row_id: str, value: float, words: str, part: str) -> None:
    assert f"“{part}” was said of it: check how much it was" in proposed(text, row_id, value, words).flags


@pytest.mark.parametrize(
    ("text", "words"),
    [("Juice at the bedside, drank half of it.", "half"), ("Half of the pills were refused.", "Half")],
)
def test_a_share_of_something_else_is_lit(text: str, words: str) -> None:
    assert proposed(text, "nut.meal_percent", 50.0, words).flags


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("Ate half of breakfast.", "nut.meal_percent", 50.0, "half"),
        ("Ate half the tray.", "nut.meal_percent", 50.0, "half"),
        ("For lunch she ate about half of it.", "nut.meal_percent", 50.0, "half"),
        ("Lunch came at noon. Finished half of it.", "nut.meal_percent", 50.0, "half"),
        ("Finished about half the soup.", "nut.meal_percent", 50.0, "half"),
        ("Ate half of breakfast and drank 240 mL of juice.", "in.oral", 240.0, "240 mL"),
        ("Ate most of dinner. Took 360 mL.", "in.oral", 360.0, "360 mL"),
        ("Drank 240 mL, all of it.", "in.oral", 240.0, "240 mL"),
        ("Voided 300, ate three quarters of lunch.", "out.urine", 300.0, "300"),
        ("Voided 300. Juice 240, half of it spilled.", "out.urine", 300.0, "300"),
    ],
)
def test_other_amounts_stay_unlit(text: str, row_id: str, value: float, words: str) -> None:
    assert proposed(text, row_id, value, words).flags == ()
