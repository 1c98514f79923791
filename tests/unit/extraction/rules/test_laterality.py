"""Statements about one side are not charted for the other."""

from __future__ import annotations

import pytest

from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.sentences import segment
from extraction.rules.laterality import laterality
from tests.kit.rules import after, task_of

EDEMA = (Option("None", ("no edema",)), Option("Trace"), Option("3+", ("three plus",)))
SOUNDS = (Option("Clear"), Option("Crackles"), Option("Diminished"))
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("edema_l", "Left leg edema", ValueType.SINGLE_SELECT, ("P",), EDEMA),
        Row("edema_r", "Right leg edema", ValueType.SINGLE_SELECT, ("P",), EDEMA),
        Row("edema", "Edema, overall", ValueType.SINGLE_SELECT, ("P",), EDEMA),
        Row("lung_l", "Breath sounds left lower lobe", ValueType.MULTI_SELECT, ("R",), SOUNDS),
        Row("pupil_l", "Left pupil size", ValueType.NUMERIC, ("N",)),
        Row("pupil_r", "Right pupil size", ValueType.NUMERIC, ("N",)),
    ),
    "0" * 64,
    "t",
)
BOTH = "Trace edema in the left leg, three plus in the right leg."


def read(text: str, row_id: str, value: Value, words: str) -> FilledValue:
    start = text.index(words)
    around = next(one for one in segment(text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue(row_id, value, None, evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", "", 0), "rowwise")


def on_side(text: str, row_id: str, value: Value, words: str) -> Proposals:
    proposals = Proposals((read(text, row_id, value, words),), ())
    return after(laterality(task_of(text, SCHEMA), proposals), proposals, SCHEMA, rule="laterality")


def of_side(words: str, side: str) -> tuple[Finding, ...]:
    return (Finding("other_side", (words, side), "laterality"),)


@pytest.mark.parametrize(
    ("text", "row_id", "taken", "words", "kept", "said"),
    [
        (BOTH, "edema_l", "3+", "three plus", "Trace", "Trace"),
        ("Crackles on the right, diminished on the left.", "lung_l", ("Crackles",), "Crackles", ("Diminished",),
            "diminished"),
    ],
)  # fmt: skip
def test_the_option_for_the_rows_own_side_is_proposed(
    text: str, row_id: str, taken: Value, words: str, kept: Value, said: str
) -> None:
    (value,) = on_side(text, row_id, taken, words).values
    assert (value.value, value.evidence.text) == (kept, said)
    assert text[value.evidence.start : value.evidence.end] == said
    assert value.findings == of_side(words, "right")
    assert value.flags == (f"“{words}” was said of the right side",)
    assert (value.rule, value.confidence, value.errors) == ("laterality", 0.5, ())
    assert value.alternatives == ((taken if isinstance(taken, str) else ", ".join(taken), 0.9),)


@pytest.mark.parametrize(
    ("text", "row_id", "value", "words"),
    [
        (BOTH, "edema_l", "Trace", "Trace"),
        (BOTH, "edema_r", "3+", "three plus"),
        (BOTH, "edema", "3+", "three plus"),  # a row without a side
        ("Three plus edema in the right leg.", "edema_l", "3+", "Three plus"),  # the sentence names only one side
        ("Left and right leg edema is trace.", "edema_l", "Trace", "trace"),
        ("The left leg and the right leg have three plus edema.", "edema_l", "3+", "three plus"),
        ("Edema is trace, more on the left than on the right.", "edema_l", "Trace", "trace"),
    ],
)
def test_values_that_may_belong_to_the_side_are_unchanged(text: str, row_id: str, value: Value, words: str) -> None:
    proposals = Proposals((read(text, row_id, value, words),), ())
    assert list(laterality(task_of(text, SCHEMA), proposals)) == []


def test_equal_words_about_both_sides_are_each_sides_own_evidence() -> None:
    text = "Left pupil is 3, right pupil is 3."
    (value,) = on_side(text, "pupil_r", 3.0, "3").values
    assert (value.value, value.evidence.start, value.findings) == (3.0, text.rindex("3"), ())
    assert (value.rule, value.confidence) == ("", 0.9), "the models' value at another position"


def test_a_number_for_the_other_side_is_held_back() -> None:
    found = on_side("Left pupil is 3, right pupil is 5.", "pupil_r", 3.0, "3")
    assert found.values == ()
    (held_back,) = found.held_back
    assert held_back.findings == of_side("3", "left")
    assert (held_back.value, held_back.confidence) == (3.0, 0.9), "as the models read it"
