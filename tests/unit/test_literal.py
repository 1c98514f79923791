"""Options of a score's parts that were said word for word."""

from __future__ import annotations

import pytest

from extraction.literal import literal
from extraction.propose import Proposals
from extraction.schema import Formula, Option, Part, Row, Schema, ValueType
from extraction.values import Evidence, FilledValue, Neighbour, Value

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
FORMULA = Formula("eye + gait", (("eye", Part("eye", (("2 - To pain", 2.0),))), ("gait", Part("gait"))))
TOTAL = Row("total", "GCS total", ValueType.NUMERIC, ("GCS",), synonyms=("GCS",), formula=FORMULA)
SCHEMA = Schema("t", "Test", "1", (EYE, SKIN, GAIT, TOTAL), "0" * 64, "test.json")


def read(text: str, row_id: str, value: Value) -> FilledValue:
    evidence = Evidence(0, 4, text[:4], 0, len(text))
    proposal = FilledValue(row_id, value, None, evidence, -0.1, 0.1, 0.6, 0.5, Neighbour("row", row_id, 0), "test")
    return literal(text, SCHEMA, Proposals((proposal,), ())).values[0]


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
def test_what_was_said_word_for_word_is_proposed(text: str, row_id: str, taken: str, kept: str) -> None:
    assert read(text, row_id, taken).value == kept


def test_both_are_named_and_the_words_become_the_evidence() -> None:
    value = read("Eye opening to speech.", "eye", "4 - Spontaneous")
    assert value.problems == ("“to speech” was said, the language model took it for 4 - Spontaneous",)
    assert (value.evidence.start, value.evidence.end, value.evidence.text) == (12, 21, "to speech")


def test_without_a_part_nothing_is_touched() -> None:
    proposals = Proposals((), ())
    assert literal("Skin is very dry.", SCHEMA, proposals) is proposals


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
def test_a_total_that_was_named_is_not_held_back(text: str, proposed: bool) -> None:
    start = text.index("14")
    evidence = Evidence(start, start + 2, "14", 0, len(text))
    held = FilledValue("total", 14.0, None, evidence, -0.1, 0.6, 0.2, 0.5, Neighbour("row", "total", 0), "test")
    found = literal(text, SCHEMA, Proposals((), (held,)))
    assert (found.values, found.unlikely) == (((held,), ()) if proposed else ((), (held,)))
