"""Values changed or added by rules are lit with their reason, and lose the models' output for the old value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.lighting import Lighting
from app.pipeline import PipelineResult
from extraction.annotation.case_files import CASE_SAID_AT
from extraction.flowsheet.findings import Finding, texts
from extraction.flowsheet.schema import Definition, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Proposals
from extraction.preparation.encounter_context import EncounterContext
from extraction.rules import changes as rule_changes
from extraction.rules.changes import Change, Signed, added, flagged, hold_back, promoted, replaced
from tests.kit.rules import applied
from tests.kit.steps import charted, read

V = ("Test",)


def options(*names: str) -> tuple[Option, ...]:
    return tuple(Option(name) for name in names)


SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("chestpain", "Chest pain", ValueType.YES_NO, ("Cardiac",)),
        Row("jvd", "Jugular venous distention", ValueType.YES_NO, ("Cardiac",), synonyms=("JVD",)),
        Row("breath", "Breath sounds", ValueType.MULTI_SELECT, V, options("Clear", "Crackles", "Wheezes")),
        Row("allergy", "Allergies", ValueType.SINGLE_SELECT, V, options("No known drug allergies", "Latex", "Food")),
        Row("left", "Left leg edema", ValueType.SINGLE_SELECT, V, options("Trace", "Three plus")),
        Row("temp", "Temperature", ValueType.NUMERIC, V),
        Row("tempunit", "Temperature unit", ValueType.SINGLE_SELECT, V, options("°C", "°F"), unit_of="temp"),
        Row("hr", "Heart rate", ValueType.NUMERIC, V),
        Row("hrunit", "Heart rate unit", ValueType.SINGLE_SELECT, V, options("bpm"), unit_of="hr"),
        Row("weight", "Weight", ValueType.QUANTITY, V, unit="kg", minimum=20, maximum=300, dimension="weight"),
        Row("loc", "Level of consciousness", ValueType.SINGLE_SELECT, ("Neuro",), options("Alert", "Drowsy")),
        Row("perrl", "Pupils equal", ValueType.YES_NO, ("Neuro",)),
        *(
            row
            for number in (1, 2)
            for row in (
                Row(f"wound{number}.location", f"Wound {number} location", ValueType.TEXT, ("Wounds",)),
                Row(f"wound{number}.length", f"Wound {number} length", ValueType.NUMERIC, ("Wounds",), unit="cm"),
                Row(f"wound{number}.width", f"Wound {number} width", ValueType.NUMERIC, ("Wounds",), unit="cm"),
            )
        ),
    ),
    "0" * 64,
    "t",
    (Definition(("Neuro",), (), (("loc", "Alert"), ("perrl", True))),),
)
TEXT = "She has no chest pain."


def lights(result: PipelineResult) -> dict[str, tuple[str, ...]]:
    """By row, why each lit value is lit, if values the models are confident of stay dark."""
    chosen = Lighting(None, None, own=False, alpha=0.1, weight=0.5, threshold=0.0)
    why = chosen.lights([(SCHEMA.row(one.row_id), one) for one in result.proposed], "")
    return {value.row_id: texts(reasons) for value, reasons in zip(result.values, why, strict=True) if reasons}


def values(result: PipelineResult) -> dict[str, Any]:
    return {value.row_id: value.value for value in result.values}


def test_a_denied_finding_read_as_present_is_lit_and_loses_the_models_confidence() -> None:
    result = charted(TEXT, SCHEMA, [("chestpain", True, "chest pain")])
    (value,) = result.values
    assert value.value is False
    assert lights(result) == {"chestpain": ("said as negative (“She has no chest pain.”); could also be Yes",)}
    assert value.confidence == 0.5, "the default precision of an unmeasured rule"
    assert value.alternatives == (("Yes", 0.98),)
    assert value.errors == ()
    assert value.notes == (), "stated once, as the reason"
    assert value.rule == "stated-outright"


def rules(result: PipelineResult) -> dict[str, str]:
    return {value.row_id: value.rule for value in result.values}


def test_values_read_by_the_models_are_unchanged() -> None:
    result = charted(
        "She has chest pain. Heart rate is 88.", SCHEMA, [("chestpain", True, "chest pain"), ("hr", 88.0, "88")]
    )
    assert lights(result) == {}
    assert {value.errors for value in result.values} == {(0.02, 0.02)}
    assert set(rules(result).values()) == {""}


@pytest.mark.parametrize(
    ("text", "row_id", "read_as", "words", "now", "reason", "rule"),
    [
        (
            "Lungs are clear, no wheezes.", "breath", ("Clear", "Wheezes"), "clear", ("Clear",),
            "could also be Wheezes, which the sentence does not state",
            "stated-outright",
        ),
        (
            "She has no known drug allergies.", "allergy", "Food", "allergies", "No known drug allergies",
            "heard “no known drug allergies”; could also be Food",
            "word-for-word",
        ),
        (
            "Trace edema in the left leg, three plus in the right leg.", "left", "Three plus", "three plus", "Trace",
            "“three plus” was said of the right side",
            "laterality",
        ),
    ],
)  # fmt: skip
def test_every_rule_that_sets_a_value_says_why_it_is_lit(
    text: str, row_id: str, read_as: Any, words: str, now: Any, reason: str, rule: str
) -> None:
    result = charted(text, SCHEMA, [(row_id, read_as, words)])
    assert values(result) == {row_id: now}
    assert lights(result) == {row_id: (reason,)}
    assert rules(result) == {row_id: rule}


def test_a_promoted_value_is_lit_whatever_the_threshold() -> None:
    def reader(task: Any) -> Proposals:
        return Proposals((), (read(task.text, "jvd", False, "JVD", 0.2),))

    result = charted("There is no JVD.", SCHEMA, reader)
    assert values(result) == {"jvd": False}
    assert lights(result) == {"jvd": ("heard “JVD”; check that it belongs to this row",)}
    assert (result.values[0].confidence, result.values[0].errors) == (0.5, ())


def test_a_defined_value_is_lit_only_if_an_exception_reversed_it() -> None:
    result = charted("Neuro WDL.", SCHEMA, [])
    assert values(result) == {"loc": "Alert", "perrl": True}
    assert lights(result) == {}
    assert set(rules(result).values()) == {"within-limits"}
    result = charted("Neuro WDL except pupils unequal.", SCHEMA, [])
    assert values(result) == {"loc": "Alert", "perrl": False}
    assert lights(result) == {"perrl": ("opposite of normal, because the exception names this row: please check",)}
    result = charted("Neuro WDL except the usual.", SCHEMA, [])
    why = ("the exception “usual” could not be matched to a row",)
    assert lights(result) == {"loc": why, "perrl": why}


def test_a_defined_value_with_an_unclear_time_is_lit() -> None:
    result = charted("Neuro WDL last night.", SCHEMA, [], EncounterContext(said_at=CASE_SAID_AT))
    why = ("time given only as “last night”",)
    assert lights(result) == {"loc": why, "perrl": why}


def test_the_place_of_a_new_wound_is_lit() -> None:
    result = charted("The right heel wound is 3 cm long.", SCHEMA, [("wound1.length", 3.0, "3")])
    assert values(result) == {"wound1.length": 3.0, "wound1.location": "right heel"}
    why = ("taken from “right heel” in the same sentence",)
    assert lights(result) == {"wound1.location": why}


TWO = tuple(read("Temperature 99 at noon, 101 now.", "temp", float(words), words) for words in ("99", "101"))


def test_only_the_changed_value_of_a_row_is_attributed_to_the_rule() -> None:
    noon, _ = TWO
    found = applied(SCHEMA, Proposals(TWO, ()), [replaced(noon, replace(noon, value=100.0))], "r", 0.7)
    assert {value.value: (value.rule, value.confidence) for value in found.values} == {
        100.0: ("r", 0.7),
        101.0: ("", 0.98),
    }
    assert next(one for one in found.values if one.rule).alternatives == (("99", 0.98),)


def test_a_value_changed_by_two_rules_keeps_the_models_alternative_only() -> None:
    noon, _ = TWO
    once = applied(SCHEMA, Proposals((noon,), ()), [replaced(noon, replace(noon, value=100.0))], "one", 0.7)
    (value,) = once.values
    twice = applied(SCHEMA, once, [replaced(value, replace(value, value=102.0))], "two", 0.6)
    assert [(one.value, one.rule, one.alternatives) for one in twice.values] == [(102.0, "two", (("99", 0.98),))]


def test_replacing_held_back_values_keeps_the_others() -> None:
    noon, now = TWO
    other = replace(noon, row_id="hr")
    start = Proposals((), (noon, now, other))
    found = applied(SCHEMA, start, [promoted(noon, instead_of=(now,))], "r")
    assert (len(found.values), found.held_back) == (1, (other,))
    found = applied(SCHEMA, start, [added(replace(noon, value=98.0), instead_of=(noon, now))], "r")
    assert (len(found.values), found.held_back) == (1, (other,))


def test_a_suppressed_value_keeps_its_confidence_and_gives_a_reason() -> None:
    noon, now = TWO
    why = Finding("planned", ("will",))
    found = applied(SCHEMA, Proposals(TWO, ()), [hold_back(noon, why), flagged(now, why)], "assertion")
    assert [(one.confidence, one.errors, one.findings, one.rule) for one in (*found.values, *found.held_back)] == [
        (0.98, (0.02, 0.02), (replace(why, rule="assertion"),), "")
    ] * 2


def test_changing_a_value_twice_or_an_unknown_value_is_a_bug() -> None:
    noon, now = TWO
    with pytest.raises(AssertionError, match="twice"):
        applied(SCHEMA, Proposals(TWO, ()), [flagged(noon), hold_back(noon)], "r")
    with pytest.raises(AssertionError, match="not there"):
        applied(SCHEMA, Proposals((noon,), ()), [flagged(now)], "r")


def test_a_value_suppressed_by_one_rule_is_not_promoted_by_another() -> None:
    noon, _ = TWO
    once = applied(SCHEMA, Proposals((noon,), ()), [hold_back(noon)], "one")
    (held_back,) = once.held_back
    assert held_back.held_back_by == "one"
    assert applied(SCHEMA, once, [promoted(held_back)], "two") is once


WHY, ALSO = Finding("planned", ("will",)), Finding("uncertain", ("maybe",))


def together(proposals: Proposals, *changes: tuple[str, Change]) -> Proposals:
    """The proposals after changes of several rules of a phase, the rule that takes precedence first."""
    return rule_changes.applied(SCHEMA, proposals, [Signed(change, rule, 0.7) for rule, change in changes])


def test_what_one_rule_of_a_phase_holds_back_no_other_proposes() -> None:
    noon, now = TWO
    for changes in (
        (("a", promoted(noon)), ("b", hold_back(noon, WHY))),
        (("a", hold_back(noon, WHY)), ("b", promoted(noon))),
    ):
        found = together(Proposals((now,), (noon,)), *changes)
        (held_back,) = found.held_back
        assert (held_back.value, held_back.rule, held_back.confidence) == (99.0, "", 0.98)


def test_of_two_rules_of_a_phase_the_first_writes_a_value_and_the_findings_of_both_stay() -> None:
    noon, _ = TWO
    (value,) = together(
        Proposals((noon,), ()),
        ("a", flagged(noon, WHY, value=replace(noon, alternatives=(("98", 0.0),)))),
        ("b", replaced(noon, replace(noon, value=100.0))),
        ("c", replaced(noon, replace(noon, value=102.0), ALSO)),
        ("d", flagged(noon, ALSO)),
    ).values
    assert (value.value, value.rule, value.confidence) == (100.0, "b", 0.7)
    assert value.alternatives == (("99", 0.98), ("98", 0.0))
    assert value.findings == (replace(WHY, rule="a"), replace(ALSO, rule="d"))


def test_one_rule_of_a_phase_fills_a_row_without_a_proposal() -> None:
    noon, now = TWO
    other = replace(noon, value=98.0)
    found = together(Proposals((), TWO), ("a", promoted(now)), ("b", added(other, instead_of=TWO)))
    assert [(value.value, value.rule) for value in found.values] == [(101.0, "a")]
    assert found.held_back == (noon,)
    found = together(Proposals((), TWO), ("b", added(other, instead_of=TWO)), ("a", promoted(now)))
    assert [(value.value, value.rule) for value in (*found.values, *found.held_back)] == [(98.0, "b")]


def test_what_a_value_became_is_no_longer_named_as_its_other_reading() -> None:
    (value,) = charted(TEXT, SCHEMA, [("loc", "Drowsy", "She")]).values
    value = replace(value, findings=(Finding("also_said", ("Alert",)), Finding("also_said", ("Asleep",))))
    change = replaced(value, replace(value, value="Alert"), Finding("word_for_word", ("alert", "Drowsy")))
    (found,) = applied(SCHEMA, Proposals((value,), ()), [change], "word-for-word").values
    assert (found.notes, found.flags) == (("could also be Asleep",), ("heard “alert”; could also be Drowsy",))
