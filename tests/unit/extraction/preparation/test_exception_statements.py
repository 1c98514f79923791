"""Charting by exception: statements about a category, what they chart, and how an exception wins."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from extraction.annotation.case_files import CASE_SAID_AT
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Definition, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.preparation.exception_statements import STRATEGY, statements
from extraction.preparation.prepared_transcript import PreparedTranscript
from tests.kit.speech import after_the_last_rules
from tests.kit.steps import charted as through_the_chain

NOW = dt.datetime.fromisoformat("2026-03-04T14:30")
NEURO, LUNGS, MIND = ("Neurology", "Neurological"), ("Respiratory",), ("Psychosocial",)
SOUNDS = (Option("Clear"), Option("Crackles", ("rales",)))
SCHEMA = Schema(
    "t",
    "Test",
    "1",
    (
        Row("loc", "Level of consciousness", ValueType.SINGLE_SELECT, NEURO, (Option("Alert"), Option("Drowsy"))),
        Row("perrl", "Pupils equal and reactive", ValueType.YES_NO, NEURO, synonyms=("PERRL",)),
        Row("speech", "Speech", ValueType.MULTI_SELECT, NEURO, (Option("Clear"), Option("Slurred", ("dysarthric",)))),
        Row("all", "Lung sounds in all fields", ValueType.MULTI_SELECT, LUNGS, SOUNDS),
        Row("base", "Breath sounds left base", ValueType.MULTI_SELECT, LUNGS, SOUNDS),
        Row("cough", "Cough", ValueType.YES_NO, LUNGS),
        Row("mood", "Mood", ValueType.SINGLE_SELECT, MIND, (Option("Calm"), Option("Anxious"))),
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",), unit="/min"),
    ),
    "0" * 64,
    "test.json",
    (
        Definition(NEURO, ("neuro",), (("loc", "Alert"), ("perrl", True), ("speech", ("Clear",)))),
        Definition(LUNGS, ("resp", "pulmonary"), (("all", ("Clear",)), ("cough", False))),
    ),
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Neuro WDL.", ["neuro"]),
        ("Her neuro exam was W.N.L. today.", ["neuro"]),
        ("Neurological status within defined limits", ["neurological"]),
        ("Resp: WDL; heart rate 80.", ["resp"]),
        ("Heart rate 88, neuro WDL.", ["neuro"]),
        ("Neuro, resp and psychosocial are all within normal limits.", ["neuro", "resp", "psychosocial"]),
        ("All systems within normal limits.", ["all systems"]),
        ("Heart rate within normal limits.", []),
        ("Neuro checks and labs WNL.", []),
        ("Lung sounds WNL.", []),
        ("Speech within normal limits.", []),
        ("WDL.", []),
        ("She lives within the city limits.", []),
    ],
)
def test_only_complete_categories_form_statements(text: str, names: list[str]) -> None:
    assert [one.name for one in statements(text, SCHEMA)] == names


def test_a_schema_without_definitions_has_only_its_categories() -> None:
    bare = replace(SCHEMA, definitions=())
    assert [(one.name, one.definition) for one in statements("Psychosocial WDL.", bare)] == [("psychosocial", None)]
    assert statements("Neuro WDL. All systems WNL.", bare) == []


def read(row_id: str, value: Value, said: PreparedTranscript, words: str, confidence: float = 0.8) -> FilledValue:
    """The models' proposals for the text they are given."""
    start = said.text.text.index(words)
    evidence = Evidence(start, start + len(words), words, start, start + len(words))
    return FilledValue(
        row_id, value, None, evidence, -0.1, 0.1, confidence, 0.5, Neighbour("row", row_id, 0), "rowwise"
    )


def found(code: str, *about: str) -> tuple[Finding, ...]:
    return (Finding(code, about, "within-limits"),)


def charted(text: str, *models: tuple[str, Value, str]) -> tuple[PreparedTranscript, dict[str, FilledValue]]:
    said = PreparedTranscript.of(text, SCHEMA)
    proposals = Proposals(tuple(read(row_id, value, said, words) for row_id, value, words in models), ())
    return said, {value.row_id: value for value in after_the_last_rules(said, proposals, SCHEMA, NOW).values}


def test_a_statement_charts_the_definition_with_evidence() -> None:
    said, values = charted("Neuro WDL, heart rate 88.", ("hr", 88.0, "88"))
    assert said.text.text == "heart rate 88."
    assert {row: value.value for row, value in values.items()} == {
        "loc": "Alert", "perrl": True, "speech": ("Clear",), "hr": 88.0,
    }  # fmt: skip
    assert values["loc"].evidence == Evidence(0, 9, "Neuro WDL", 0, 9)
    assert (values["loc"].strategy, values["loc"].neighbour.text) == (STRATEGY, "Neurological")
    assert values["loc"].findings == ()
    assert (values["loc"].rule, values["loc"].confidence) == ("within-limits", 0.95)
    assert (values["hr"].rule, values["hr"].confidence) == ("", 0.8)
    assert values["hr"].evidence.start == 22


def test_a_statement_at_a_time_charts_its_values_for_that_time() -> None:
    for text in ("At 0700 neuro WDL.", "Neuro WDL at 0700.", "At seven this morning, neuro was WDL."):
        _, values = charted(text)
        assert [value.observed_at for value in values.values()] == ["2026-03-04T07:00"] * 3


def test_a_time_said_with_a_statement_holds_for_its_whole_sentence() -> None:
    for text in ("At 0700 neuro WDL, heart rate 88.", "At 0700 heart rate 88, neuro WDL."):
        values = through_the_chain(text, SCHEMA, [("hr", 88.0, "88")], EncounterContext(CASE_SAID_AT)).values
        times = [value.timing for value in values]
        assert len(times) == 4
        assert {time and (time.at, text[time.start : time.end]) for time in times} == {("2026-01-01T07:00", "0700")}


def test_the_exception_wins_whether_or_not_the_models_read_it() -> None:
    said, values = charted("Neuro WDL except pupils unequal.", ("perrl", False, "pupils unequal"))
    assert said.text.text == "pupils unequal."
    assert {row: value.value for row, value in values.items()} == {"loc": "Alert", "speech": ("Clear",), "perrl": False}
    assert (values["perrl"].findings, values["perrl"].rule) == ((), "")
    _, values = charted("Neuro WDL except pupils unequal.")
    assert {row: value.value for row, value in values.items()} == {"loc": "Alert", "speech": ("Clear",), "perrl": False}
    assert values["perrl"].findings == found("opposite_of_normal")
    assert values["perrl"].flags == ("opposite of normal, because the exception names this row: please check",)
    assert values["perrl"].evidence.text == "pupils unequal"
    _, values = charted("Neuro WDL. Exception is dysarthric speech.")
    assert set(values) == {"loc", "perrl"}


def test_an_exception_in_one_field_applies_to_all_fields() -> None:
    _, values = charted("Resp WDL except for crackles at the left base.", ("base", ("Crackles",), "crackles"))
    assert {row: value.value for row, value in values.items()} == {"cough": False, "base": ("Crackles",)}


def test_a_statement_about_the_row_wins_over_its_category() -> None:
    _, values = charted("Neuro WDL. He is drowsy.", ("loc", "Drowsy", "drowsy"))
    assert values["loc"].value == "Drowsy"
    assert values["loc"].findings == found("would_mean", "Neuro WDL", "Alert")
    assert values["loc"].notes == ("“Neuro WDL” would mean Alert",)
    assert (values["loc"].rule, values["loc"].confidence) == ("", 0.8), "unchanged from the models"
    _, values = charted("Resp WDL. Crackles at the base.", ("base", ("Crackles",), "Crackles"))
    assert values["all"].findings == found("definition_contradicted", "Breath sounds left base Crackles")
    assert values["all"].flags == ("also said: Breath sounds left base Crackles",)


def test_an_unmatched_exception_makes_all_values_doubtful() -> None:
    _, values = charted("Neuro WDL except the usual.")
    assert set(values) == {"loc", "perrl", "speech"}
    for value in values.values():
        assert value.findings == found("exception_unmatched", "usual")
        assert value.flags == ("the exception “usual” could not be matched to a row",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Psychosocial WDL.", "no limits are defined for psychosocial"),
        ("All systems within normal limits.", "no limits are defined for all systems"),
        ("Neuro is not WDL.", "not within limits"),
    ],
)
def test_without_a_definition_the_statement_is_only_shown(text: str, why: str) -> None:
    said, values = charted(text)
    assert values == {}
    assert said.text.text.strip(".") == ""
    assert [(aside.text, aside.why) for aside in said.set_aside] == [(text.rstrip("."), why)]


def test_the_definition_replaces_held_back_values() -> None:
    said = PreparedTranscript.of("Neuro WDL. Slept well.", SCHEMA)
    held_back = read("loc", "Drowsy", said, "Slept", 0.1)
    other = read("mood", "Calm", said, "well", 0.1)
    left = after_the_last_rules(said, Proposals((), (held_back, other)), SCHEMA, NOW)
    assert [value.row_id for value in left.held_back] == ["mood"]
    assert {value.row_id for value in left.values} == {"loc", "perrl", "speech"}
