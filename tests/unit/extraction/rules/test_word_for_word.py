"""Options of a score's parts that were said word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Formula, FormulaPart, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.rules.word_for_word import word_for_word
from tests.kit.rules import after, task_of

EYE = Row(
    "eye",
    "Eye opening",
    ValueType.SINGLE_SELECT,
    ("GCS",),
    options=(
        Option("4 - Spontaneous"),
        Option("3 - To speech", ("to voice",)),
        Option("2 - To pain"),
        Option("1 - None"),
    ),
)
SKIN = Row(
    "skin", "Skin", ValueType.SINGLE_SELECT, ("Skin",), options=(Option("Very dry"), Option("Dry"), Option("No"))
)
GAIT = Row("gait", "Gait", ValueType.SINGLE_SELECT, ("Falls",), options=(Option("Weak (10)"), Option("Very weak (20)")))
FORMULA = Formula("eye + gait", (("eye", FormulaPart("eye", (("2 - To pain", 2.0),))), ("gait", FormulaPart("gait"))))
TOTAL = Row("total", "GCS total", ValueType.NUMERIC, ("GCS",), synonyms=("GCS",), formula=FORMULA)
PARTS = "moisture activity mobility sensory risk".split()
SCHEMA = Schema("t", "Test", "1", (EYE, SKIN, GAIT, TOTAL), "0" * 64, "test.json")


def charted(text: str, schema: Schema, proposals: Proposals) -> Proposals:
    return after(word_for_word(task_of(text, schema), proposals), proposals, schema, rule="word-for-word")


def read(text: str, row_id: str, value: Value) -> FilledValue:
    evidence = Evidence(0, 4, text[:4], 0, len(text))
    proposal = FilledValue(row_id, value, None, evidence, -0.1, 0.1, 0.6, 0.5, Neighbour("row", row_id, 0), "test")
    return charted(text, SCHEMA, Proposals((proposal,), ())).values[0]


@pytest.mark.parametrize(
    ("text", "row_id", "taken", "kept"),
    [
        ("Eye opening to speech.", "eye", "4 - Spontaneous", "3 - To speech"),
        ("Eyes open to voice.", "eye", "4 - Spontaneous", "3 - To speech"),
        ("His gait is very weak.", "gait", "Weak (10)", "Very weak (20)"),
        ("Eye opening to speech or to pain.", "eye", "4 - Spontaneous", "4 - Spontaneous"),
        ("Eye opening is spontaneous.", "eye", "4 - Spontaneous", "4 - Spontaneous"),
        ("Eyes open when called.", "eye", "4 - Spontaneous", "4 - Spontaneous"),
        ("Skin is very dry.", "skin", "No", "No"),
    ],
)
def test_options_said_word_for_word_are_proposed(text: str, row_id: str, taken: str, kept: str) -> None:
    value = read(text, row_id, taken)
    assert value.value == kept
    written = ("word-for-word", 0.5, ((taken, 0.6),))
    assert (value.rule, value.confidence, value.alternatives) == (("", 0.6, ()) if kept == taken else written)


def test_both_values_are_named_and_the_words_become_the_evidence() -> None:
    value = read("Eye opening to speech.", "eye", "4 - Spontaneous")
    assert value.findings == (Finding("word_for_word", ("to speech", "4 - Spontaneous"), "word-for-word"),)
    assert value.flags == ("heard “to speech”; could also be 4 - Spontaneous",)
    assert (value.evidence.start, value.evidence.end, value.evidence.text) == (12, 21, "to speech")


def test_without_proposals_nothing_changes() -> None:
    assert list(word_for_word(task_of("Skin is very dry.", SCHEMA), Proposals((), ()))) == []


@pytest.mark.parametrize(
    ("text", "proposed"),
    [
        ("He has a GCS of 14 today.", True),
        ("GCS total is 14.", True),
        ("GCS: 14.", True),
        ("GCS was checked and 14 visitors came.", False),
        ("Pain is 14.", False),
    ],
)
def test_a_named_total_is_promoted(text: str, proposed: bool) -> None:
    start = text.index("14")
    evidence = Evidence(start, start + 2, "14", 0, len(text))
    held = FilledValue("total", 14.0, None, evidence, -0.1, 0.6, 0.2, 0.5, Neighbour("row", "total", 0), "test")
    found = charted(text, SCHEMA, Proposals((), (held,)))
    promoted = replace(
        held, rule="word-for-word", confidence=0.5, findings=(Finding("by_words", ("14",), "word-for-word"),)
    )
    assert (found.values, found.held_back) == (((promoted,), ()) if proposed else ((), (held,)))


POINTS = (("4 Rarely moist", 4.0), ("3 Occasionally moist", 3.0), ("2 Chairfast", 2.0), ("1 Bedfast", 1.0))
BRADEN = Schema(
    "b",
    "B",
    "1",
    (
        *(
            Row(f"braden.{name}", f"Braden {name}", ValueType.SINGLE_SELECT, ("S",), options=options)
            for name, options in (
                ("moisture", (Option("4 Rarely moist"), Option("3 Occasionally moist"))),
                ("activity", (Option("2 Chairfast", ("chairfast",)), Option("1 Bedfast"))),
                ("mobility", (Option("4 No limitation"), Option("3 Slightly limited"))),
                ("sensory", (Option("4 No impairment"), Option("3 Slightly limited"))),
            )
        ),
        Row("braden.risk", "Braden known risk", ValueType.YES_NO, ("S",)),
        Row(
            "braden.total",
            "Braden total score",
            ValueType.NUMERIC,
            ("S",),
            synonyms=("Braden",),
            formula=Formula(
                "sum",
                tuple(
                    (it, FormulaPart(f"braden.{it}", POINTS)) for it in PARTS
                ),
            ),
        ),
        Row("allergy", "Allergies", ValueType.SINGLE_SELECT, ("A",),
            options=(Option("No known allergies"), Option("No known drug allergies"))),
    ),
    "0" * 64,
    "b",
)  # fmt: skip
ALL = "Braden: moisture 4, activity 2, slightly limited mobility, sensory no impairment, risk yes."


def held_back(text: str, row_id: str, value: Value) -> FilledValue:
    evidence = Evidence(0, 6, text[:6], 0, len(text))
    return FilledValue(row_id, value, None, evidence, -2.0, 0.1, 0.1, 0.5, Neighbour("row", row_id, 0), "test")


@pytest.mark.parametrize(
    ("text", "row_id", "value", "proposed"),
    [
        (ALL, "moisture", "4 Rarely moist", True),
        (ALL, "moisture", "3 Occasionally moist", False),
        (ALL, "activity", "2 Chairfast", True),
        (ALL, "risk", True, True),
        (ALL, "risk", False, False),
        ("Braden: he is chairfast.", "activity", "2 Chairfast", True),
        ("Moisture 4 and activity 2.", "moisture", "4 Rarely moist", False),  # no score is named
        ("Braden is 4.", "moisture", "4 Rarely moist", False),  # nor the part
    ],
)
def test_parts_of_a_named_score_are_promoted(text: str, row_id: str, value: Value, proposed: bool) -> None:
    found = charted(text, BRADEN, Proposals((), (held_back(text, f"braden.{row_id}", value),)))
    assert bool(found.values) == proposed
    assert bool(found.held_back) != proposed


def test_the_clause_of_a_part_determines_its_option() -> None:
    value = held_back(ALL, "braden.sensory", "3 Slightly limited")
    (found,) = charted(ALL, BRADEN, Proposals((value,), ())).values
    assert (found.value, found.evidence.text) == ("4 No impairment", "no impairment")


def test_a_spoken_option_of_several_words_is_proposed() -> None:
    text = "She has no known drug allergies."
    (found,) = charted(text, BRADEN, Proposals((held_back(text, "allergy", "No known allergies"),), ())).values
    assert found.value == "No known drug allergies"
