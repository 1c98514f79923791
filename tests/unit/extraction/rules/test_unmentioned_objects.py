"""A value about an unnamed object is lit; one named in any usual way is not."""

from __future__ import annotations

from typing import Any

import pytest

from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from tests.kit.steps import charted

SELECT, MULTI, TEXT, YES_NO = (ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.TEXT, ValueType.YES_NO)
SITE = "Clean, dry and intact"


def row(row_id: str, name: str, group: str, *options: str, synonyms: tuple[str, ...] = (), kind: Any = SELECT) -> Row:
    return Row(row_id, name, kind, (group,), tuple(Option(one) for one in options), synonyms=synonyms)


def wound(number: int) -> tuple[Row, ...]:
    name, group = f"Wound {number}", f"Wound {number}"
    return (
        row(f"wound{number}.type", f"{name} type", group, "Surgical incision", "Pressure injury"),
        row(f"wound{number}.location", f"{name} location", group, kind=TEXT),
        row(f"wound{number}.edges", f"{name} edges", group, "Approximated", "Open"),
        row(f"wound{number}.dressing", f"{name} dressing status", group, SITE, "Stained"),
    )


SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        row("trach", "Tracheostomy site", "Airway", "Intact", "Red", synonyms=("trach site", "stoma"), kind=MULTI),
        row("skin", "Skin integrity", "Skin", "Intact", "Abrasion", kind=MULTI),
        row("sensation", "Left leg sensation", "Circulation", "Intact", "Numb"),
        row("bpsite", "Blood pressure site", "Vital signs", "Right leg", "Left leg", synonyms=("BP site", "which arm")),
        row("tempsite", "Temperature site", "Vital signs", "Oral", "Rectal"),
        row("ivsite", "Peripheral IV site", "Lines", "Right leg", "Left arm"),
        row("refill", "Capillary refill, general", "Circulation", "Brisk", "Slow", synonyms=("capillary refill",)),
        row("refillarm", "Left arm capillary refill", "Circulation", "Brisk", "Slow"),
        row("loc", "Level of consciousness", "Neuro", "Alert", "Drowsy", synonyms=("mental alertness",)),
        row("acvpu", "Responsiveness", "Neuro", "Alert", "Pain"),
        row("art", "Arterial line dressing status", "Lines", SITE, "Stained", synonyms=("A-line dressing",)),
        row("rhythm", "Heart rhythm", "Cardiac", "Sinus", "Paced"),
        row("spo2", "Oxygen saturation (SpO2)", "Vital signs", kind=ValueType.NUMERIC, synonyms=("sats",)),
        row("spo2_ra", "Oxygen saturation on room air", "Vitals", kind=ValueType.NUMERIC, synonyms=("room air sats",)),
        *wound(1),
        *wound(2),
    ),
    "0" * 64,
    "t",
)  # fmt: skip


def flags(text: str, *models: tuple[str, Value, str]) -> dict[str, tuple[str, ...]]:
    """By row, the flags of values of which the models are sure."""
    return {value.row_id: value.flags for value in charted(text, SCHEMA, models).values if value.flags}


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("Skin intact.", "trach", ("Intact",), "intact"),
        ("Surgical site right leg is red.", "bpsite", "Right leg", "right leg"),
        ("The dressing is stained.", "art", "Stained", "stained"),
    ],
)  # fmt: skip
def test_an_option_of_an_unnamed_object_is_lit(text: str, row_id: str, value: Value, words: str) -> None:
    assert flags(text, (row_id, value, words)) == {
        row_id: (f"heard “{words}”; this row was not named: check that it belongs here",)
    }


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("Skin intact.", "skin", ("Intact",), "intact"),
        ("She has a new trach, site intact.", "trach", ("Intact",), "intact"),  # a synonym
        ("Tracheal suction done. Site intact.", "trach", ("Intact",), "intact"),  # another word with the same beginning
        ("The stoma is intact.", "trach", ("Intact",), "intact"),
        ("Blood pressure taken on the right leg.", "bpsite", "Right leg", "right leg"),
        ("BP 120 over 80, right leg.", "bpsite", "Right leg", "right leg"),  # an abbreviation
        ("A-line dressing stained.", "art", "Stained", "stained"),
        ("Capillary refill is brisk.", "refill", "Brisk", "brisk"),  # a full name, of words that other rows share
        ("She is alert.", "loc", "Alert", "alert"),
        ("Paced.", "rhythm", "Paced", "Paced"),  # no other row has this option
        ("The incision is approximated.", "wound1.edges", "Approximated", "approximated"),  # a kind of wound
    ],
)
def test_an_object_named_in_a_usual_way_is_not_lit(text: str, row_id: str, value: Value, words: str) -> None:
    assert flags(text, (row_id, value, words)) == {}


def test_an_object_may_be_named_anywhere_in_the_dictation() -> None:
    assert flags("Trach care done. Resting. Clean and intact.", ("trach", ("Intact",), "intact")) == {}


def test_a_second_wound_read_from_the_words_of_the_first_is_lit() -> None:
    text = "Surgical incision noted."
    both = [(f"wound{number}.type", "Surgical incision", "Surgical incision") for number in (1, 2)]
    assert flags(text, *both) == {"wound2.type": ("the same words were read for Wound 1",)}
    assert flags(text, both[0]) == {}


def test_a_wound_named_by_its_number_is_not_lit() -> None:
    both = [(f"wound{number}.type", "Surgical incision", "surgical incision") for number in (1, 2)]
    assert flags("Wound 2 is a surgical incision.", *both) == {"wound1.type": ("the same words were read for Wound 2",)}


def test_two_wounds_in_two_sentences_are_not_lit() -> None:
    text = "Wound 1 is a surgical incision. Wound 2 is a pressure injury."
    assert (
        flags(text, ("wound1.type", "Surgical incision", "surgical"), ("wound2.type", "Pressure injury", "pressure"))
        == {}
    )


def test_the_demonstration_schemas_question_words_are_recognised(demo_words: frozenset[str]) -> None:
    assert {"sit", "typ", "statu", "volum", "color", "method"} <= demo_words
    assert not {"skin", "wound", "pain", "blood", "pressur", "iv", "tub", "puls", "urin"} & demo_words


@pytest.fixture(scope="module")
def demo_words() -> frozenset[str]:
    from extraction.flowsheet.naming.row_words import asked_words
    from tests.end_to_end.conftest import DEMO_SCHEMA, load_schema

    return asked_words(load_schema(DEMO_SCHEMA).rows)


def test_rows_filled_from_the_same_words_share_one_lamp() -> None:
    found = flags("Intact all over.", ("trach", ("Intact",), "Intact"), ("sensation", "Intact", "Intact"))
    (reasons,) = found.values()
    (reason,) = reasons
    assert reason.startswith("heard “Intact”; none of these rows was named: ")
    assert {"Tracheostomy site", "Left leg sensation"} == set(reason.partition("named: ")[2].split(", "))


def test_an_option_of_which_no_word_was_said_is_lit() -> None:
    found = flags("Her family came by.", ("rhythm", "Paced", "family"))
    assert found == {"rhythm": ("heard “family”; check that it means Paced",)}
    assert flags("Paced at 70.", ("rhythm", "Paced", "Paced")) == {}


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("Ninety six at three liters.", {"spo2"}),
        ("Sats are Ninety six at three liters.", {"spo2"}),
        ("Ninety six on room air.", {"spo2", "spo2_ra"}),
        ("Ninety six RA.", {"spo2", "spo2_ra"}),
    ],
)
def test_a_number_is_of_a_narrower_row_only_where_its_words_were_said(text: str, proposed: set[str]) -> None:
    models = [("spo2", 96.0, "Ninety six"), ("spo2_ra", 96.0, "Ninety six")]
    assert {value.row_id for value in charted(text, SCHEMA, models).values} == proposed


def test_a_number_that_was_read_for_a_narrower_row_alone_is_lit() -> None:
    skin = ("skin", ("Intact",), "Skin intact")
    read = ("spo2_ra", 96.0, "Ninety six")
    assert "spo2_ra" in flags("Ninety six at three liters. Skin intact.", read, skin)
    assert "spo2_ra" not in flags("Ninety six on room air. Skin intact.", read, skin)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Sats ninety six at three liters.", "ninety six"),
        ("Was on room air this morning. Now on two liters nasal cannula, sats 95.", "95"),
        ("Room air sat not done. SpO2 97 on 2 liters.", "97"),
        ("Off room air, placed on 4 liters, satting 93.", "93"),
        ("High flow at 40 percent, sat 92. Room air trial tomorrow.", "92"),
        ("He was on room air at home. 94 percent on 2 liters here.", "94 percent"),
        ("Nasal cannula 2 liters, pulse ox 98. No room air trial yet.", "98"),
        ("SpO2 95 on the BiPAP, could not hold room air.", "95"),
        ("Sats 91 on a venturi mask, goal is room air.", "91"),
        ("Oxygen at 1 liter, sat 96 percent; did not try room air.", "96 percent"),
        ("Non-rebreather, sats 99. Roommate on room air.", "99"),
    ],
)
def test_a_saturation_on_oxygen_is_none_on_room_air(text: str, words: str) -> None:
    read = 96.0 if words == "ninety six" else float(words.split(maxsplit=1)[0])
    values = charted(text, SCHEMA, [("spo2_ra", read, words)]).values
    assert all(one.flags for one in values if one.row_id == "spo2_ra")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SpO2 on room air 94 percent.", "94 percent"),
        ("Sats 96 on room air.", "96"),
        ("Room air sat is 95.", "95"),
        ("Took the cannula off. On room air, 93 percent.", "93 percent"),
        ("Two liters at 97, room air 91.", "91"),
        ("Oxygen off. Sats 94 RA.", "94"),
        ("Weaned to room air at ten. Tolerated it well. Sats 95.", "95"),
    ],
)
def test_a_saturation_on_room_air_is_one(text: str, words: str) -> None:
    values = charted(text, SCHEMA, [("spo2_ra", float(words.split(maxsplit=1)[0]), words)]).values
    assert [one.flags for one in values if one.row_id == "spo2_ra"] == [()]
