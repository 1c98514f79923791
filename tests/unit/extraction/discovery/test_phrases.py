"""The phrases of a dictation that may say something of the patient."""

from __future__ import annotations

import json

import pytest

from extraction.discovery.phrases import phrases, subject_words
from extraction.preparation.people.other_patients import Person
from extraction.schema_files.native_format import parse_schema
from tests.kit.fake_app import SCHEMA as DOCUMENT

SCHEMA = parse_schema(json.dumps(DOCUMENT).encode(), "test")


def words(text: str) -> list[str]:
    return [one.words for one in phrases(text, SCHEMA)]


def test_numbers_do_not_tell_phrases_apart_and_a_time_is_one() -> None:
    assert words("Hemoglobin eight point two. Chest girth 92 centimeters at 0730.") == [
        "hemoglobin #",
        "chest girth # centimeters at #",
    ]


def test_what_has_no_subject_goes_with_the_phrase_before_it() -> None:
    assert words("Hemoglobin is 8.2, now 9.1, same as last night.") == ["hemoglobin is #, now #, same as last night"]


@pytest.mark.parametrize(
    "text",
    [
        "Okay, let me see, right.",
        "About ten minutes ago.",
        "Recheck the lactate at six.",
        "Her mother had a bleeding ulcer.",
        "Lactate was raised last year.",
    ],
)
def test_talk_orders_the_past_and_other_people_are_left_out(text: str) -> None:
    assert words(text) == []


def test_words_that_name_a_patient_are_left_out() -> None:
    text = "Mr. Osterlund rides the pedal bike. He rides the pedal bike."
    assert [one.words for one in phrases(text, SCHEMA, Person("Osterlund, Per"))] == ["he rides the pedal bike"]


def test_what_is_said_twice_counts_once() -> None:
    assert words("Call light within reach. Lungs clear. Call light within reach.") == [
        "call light within reach",
        "lungs clear",
    ]


def test_number_unit_and_denial_are_told() -> None:
    girth, leak = phrases("Chest girth 92 centimeters. No air leak.", SCHEMA)
    assert (girth.number, girth.unit, girth.denied) == (True, "cm", False)
    assert (leak.number, leak.unit, leak.denied) == (False, "", True)


def test_spans_point_into_the_dictation() -> None:
    text = "Okay. Call light within reach, pedal bike ten minutes."
    found = phrases(text, SCHEMA)
    assert [text[slice(*one.span)] for one in found] == ["Call light within reach", "pedal bike ten minutes"]
    assert {text[slice(*one.sentence)] for one in found} == {"Call light within reach, pedal bike ten minutes."}


def test_units_and_words_of_degree_are_no_subject() -> None:
    assert subject_words("about # centimeters, slightly more pedal") == ["pedal"]
