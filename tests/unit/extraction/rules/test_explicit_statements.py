"""Explicit statements are proposed however little confidence the models have, and denied ones are not."""

from __future__ import annotations

import pytest

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.negation import denials
from extraction.language.sentences import segment
from extraction.rules.explicit_statements import explicit_statements
from tests.kit.rules import after, task_of

SOUNDS = (Option("Clear"), Option("Wheeze", ("wheezes", "wheezing")), Option("Crackles"))
FEEL = (Option("soft"), Option("tender"), Option("non-tender", ("nontender",)))
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("cvp", "Central venous pressure", ValueType.NUMERIC, ("V",), synonyms=("CVP",)),
        Row("map", "Mean arterial pressure", ValueType.NUMERIC, ("V",), synonyms=("MAP",)),
        Row("weight", "Body weight", ValueType.NUMERIC, ("V",)),
        Row("usual", "Usual weight before admission", ValueType.NUMERIC, ("V",)),
        Row("jvd", "Jugular distention", ValueType.SINGLE_SELECT, ("C",), (Option("Absent"), Option("Present")),
            synonyms=("JVD",)),
        Row("nausea", "Nausea severity", ValueType.SINGLE_SELECT, ("G",),
            (Option("none", ("denies nausea",)), Option("mild"))),
        Row("vomiting", "Vomiting present", ValueType.YES_NO, ("G",), synonyms=("vomited",)),
        Row("pain", "Chest pain present", ValueType.YES_NO, ("C",)),
        Row("light", "Call light within reach", ValueType.YES_NO, ("S",)),
        Row("allergies", "No known allergies", ValueType.YES_NO, ("A",)),
        Row("temp", "Temperature", ValueType.QUANTITY, ("V",)),
        Row("temp_site", "Temperature site", ValueType.SINGLE_SELECT, ("V",),
            (Option("Oral", ("by mouth",)), Option("Ear"))),
        Row("diet", "Diet", ValueType.SINGLE_SELECT, ("G",), (Option("Oral"), Option("Clear liquids"))),
        *(Row(f"{name}{number}", f"Wound {number} {name}", ValueType.NUMERIC, ("W",))
            for number in (1, 2) for name in ("location", "pain", "depth")),
        Row("crackles", "Chest", ValueType.MULTI_SELECT, ("R",), (Option("Fine crackles"),
            Option("Coarse crackles", ("crackles",)), Option("Rhonchi", ("coarse",)))),
        Row("lungs", "Lung sounds", ValueType.MULTI_SELECT, ("R",), SOUNDS),
        Row("alarm", "Bed exit alarm", ValueType.SINGLE_SELECT, ("S",), (Option("On"), Option("Off"))),
        *(Row(side, f"{side.title()} leg edema", ValueType.SINGLE_SELECT, ("C",), (Option("1+"), Option("2+")))
            for side in ("left", "right")),
        Row("meal", "Meal", ValueType.SINGLE_SELECT, ("G",), (Option("Breakfast"), Option("Lunch"))),
        Row("eaten", "Meal percentage eaten", ValueType.NUMERIC, ("G",)),
        Row("belly", "Abdomen", ValueType.MULTI_SELECT, ("G",), FEEL),
    ),
    "0" * 64,
    "t",
)  # fmt: skip


def read(text: str, row_id: str, value: Value, words: str, confidence: float = 0.1) -> FilledValue:
    start = text.index(words)
    around = next(one for one in segment(text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue(row_id, value, None, evidence, -1.0, 0.5, confidence, 0.5, Neighbour("row", "", 0), "rowwise")


def stated(text: str, proposals: Proposals) -> Proposals:
    return after(explicit_statements(task_of(text, SCHEMA), proposals), proposals, SCHEMA, rule="stated-outright")


def found(code: str, *about: str) -> tuple[Finding, ...]:
    return (Finding(code, about, "stated-outright"),)


def raised(
    text: str,
    *held_back: FilledValue,
    proposed: tuple[FilledValue, ...] = (),
) -> dict[str, Value]:
    left = stated(text, Proposals(proposed, held_back))
    assert {value.row_id for value in left.values}.isdisjoint(value.row_id for value in left.held_back)
    for value in left.values:
        if all(value.row_id != one.row_id for one in proposed):
            assert value.findings == found("by_words", value.evidence.text)
            assert (value.rule, value.confidence, value.errors) == ("stated-outright", 0.5, ())
    return {value.row_id: value.value for value in left.values}


def test_numbers_are_left_to_the_rule_for_measurements() -> None:
    text = "CVP is twelve."
    assert raised(text, read(text, "cvp", 12.0, "twelve")) == {}


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("No JVD.", "jvd", "Absent", "JVD"),
        ("Denies nausea or vomiting.", "nausea", "none", "nausea"),
        ("Denies nausea or vomiting.", "vomiting", False, "vomiting"),
        ("Nausea is denied.", "nausea", "none", "Nausea"),
        ("She has not vomited.", "vomiting", False, "vomited"),
        ("She hasn't vomited.", "vomiting", False, "vomited"),
    ],
)
def test_a_denied_finding_is_proposed(text: str, row_id: str, value: Value, words: str) -> None:
    assert raised(text, read(text, row_id, value, words)) == {row_id: value}


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        ("JVD is present.", "jvd", "Absent", "JVD"),
        ("No chest pain but she reports JVD.", "jvd", "Absent", "JVD"),
        ("No JVD.", "jvd", "Present", "JVD"),
        ("No visitors. JVD to the jaw.", "jvd", "Absent", "JVD"),
    ],
)
def test_findings_that_are_not_denied_stay_held_back(text: str, row_id: str, value: Value, words: str) -> None:
    assert raised(text, read(text, row_id, value, words)) == {}


def test_options_that_are_only_denied_leave_a_multi_select() -> None:
    text = "Lungs are clear with no wheezes."
    value = read(text, "lungs", ("Clear", "Wheeze"), "wheezes", 0.6)
    (left,) = stated(text, Proposals((value,), ())).values
    assert (left.value, left.evidence.text) == (("Clear",), "clear")
    assert left.findings == found("option_not_stated", "Wheeze")
    assert left.alternatives == (("Wheeze", 0.6),), "not both, which cannot be together"
    assert (left.rule, left.confidence) == ("stated-outright", 0.5)
    text = "Abdomen is soft and non-tender."
    value = read(text, "belly", ("soft", "tender", "non-tender"), "soft", 0.7)
    assert raised(text, proposed=(value,)) == {"belly": ("soft", "non-tender")}
    text = "Wheezes on the left, no wheezes on the right, crackles."
    value = read(text, "lungs", ("Wheeze", "Crackles"), "Wheezes", 0.6)
    assert raised(text, proposed=(value,)) == {"lungs": ("Wheeze", "Crackles")}


@pytest.mark.parametrize(
    ("text", "number", "words", "is_raised"),
    [
        ("Temp 38.4 oral.", "38.4", "oral", True),
        ("Temperature by mouth was 37.1.", "37.1", "by mouth", True),
        ("Temp 38.4 oral, ear 38.2.", "38.4", "oral", False),
        ("Temp 38.4, oral intake is poor.", "38.4", "oral", False),
        ("Temp 38.4. Oral care was given.", "38.4", "Oral", False),
        ("Temp 38.4, not oral.", "38.4", "oral", False),
    ],
)
def test_an_option_about_how_a_number_was_measured_is_promoted(
    text: str, number: str, words: str, *, is_raised: bool
) -> None:
    temperature = read(text, "temp", float(number), number, 0.9)
    site, diet = read(text, "temp_site", "Oral", words), read(text, "diet", "Oral", words)
    left = raised(text, site, diet, proposed=(temperature,))
    assert left == {"temp": float(number)} | ({"temp_site": "Oral"} if is_raised else {})
    assert raised(text, site, diet) == {}, "there is no number"


@pytest.mark.parametrize(
    ("text", "is_raised"),
    [
        ("He ate 50% of his breakfast.", True),
        ("Half past 50, breakfast came.", False),
        ("50% saline. No breakfast.", False),
    ],
)
def test_an_option_about_what_a_number_is_part_of_is_promoted(text: str, *, is_raised: bool) -> None:
    share, meal = read(text, "eaten", 50.0, "50", 0.9), read(text, "meal", "Breakfast", "breakfast")
    assert raised(text, meal, proposed=(share,)) == {"eaten": 50.0} | ({"meal": "Breakfast"} if is_raised else {})


@pytest.mark.parametrize(
    ("text", "words", "is_raised"),
    [
        ("Fall risk is high, and the bed alarm is on.", "on.", True),
        ("The exit alarm of the bed stays on.", "on.", True),
        ("The bed alarm is not on.", "on.", False),
        ("The bed alarm was off, and is on now.", "on now", False),
        ("The alarm is on.", "on.", False),
        ("Bed 12, he keeps his socks on.", "on.", False),
        ("The bed has an alarm, and the light is on.", "on.", False),
    ],
)
def test_an_option_with_most_of_its_rows_name_is_promoted(text: str, words: str, *, is_raised: bool) -> None:
    alarm = read(text, "alarm", "On", words)
    assert raised(text, alarm) == ({"alarm": "On"} if is_raised else {})


def test_an_option_for_one_side_is_not_promoted_for_the_other() -> None:
    text = "The left leg has 2+ pitting edema."
    left, right = (read(text, side, "2+", "2+") for side in ("left", "right"))
    assert raised(text, left, right) == {"left": "2+"}
    assert raised(text, right) == {}


def test_an_option_with_only_words_of_another_leaves_a_multi_select() -> None:
    both = ("Fine crackles", "Coarse crackles")
    for text, kept in (
        ("There are crackles at the base.", ("Coarse crackles",)),
        ("Crackles, fine ones, at the base.", both),
        ("Fine crackles at the base.", ("Fine crackles",)),
    ):
        words = "rackles"
        assert raised(text, proposed=(read(text, "crackles", both, words, 0.6),)) == {"crackles": kept}, text


def test_unaffected_proposals_are_unchanged() -> None:
    text = "JVD is present."
    given = Proposals((read(text, "jvd", "Present", "JVD", 0.9),), ())
    assert list(explicit_statements(task_of(text, SCHEMA), given)) == []


def test_denials_end_where_expected() -> None:
    text = "Denies nausea, vomiting or pain but reports itching, no rash; wheezes; no complaints other than thirst."
    denied = ["nausea, vomiting or pain", "rash", "complaints"]
    assert [text[slice(*span)].strip() for span in denials(text)] == denied


@pytest.mark.parametrize(
    ("text", "row_id"),
    [
        ("No chest pain.", "pain"),
        ("He denies nausea or any chest pain.", "pain"),
        ("Chest pain is denied.", "pain"),
        ("She has not vomited since breakfast.", "vomiting"),
        ("Call light is not within reach.", "light"),
    ],
)
def test_a_finding_denied_by_name_is_not_charted_as_present(text: str, row_id: str) -> None:
    taken = read(text, row_id, True, text[:-1], 0.9)
    (value,) = stated(text, Proposals((taken,), ())).values
    assert value.value is False
    assert value.findings == found("denied", text)
    assert value.flags == (f"said as negative (“{text}”); could also be Yes",)
    assert value.alternatives == (("Yes", 0.9),)
    assert (value.rule, value.confidence) == ("stated-outright", 0.5)


@pytest.mark.parametrize(
    ("text", "row_id"),
    [
        ("Chest pain, no nausea.", "pain"),
        ("No chest pain at rest but chest pain on exertion.", "pain"),
        ("No relief of the chest pain.", "pain"),
        ("No complaints other than chest pain.", "pain"),
        ("No pain in the chest of his roommate was heard of.", "light"),
        ("No known allergies.", "allergies"),
        ("Vomited twice.", "vomiting"),
    ],
)
def test_findings_that_are_not_clearly_denied_are_unchanged(text: str, row_id: str) -> None:
    given = Proposals((read(text, row_id, True, text[:-1], 0.9),), ())
    assert list(explicit_statements(task_of(text, SCHEMA), given)) == []
