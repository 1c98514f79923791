"""Precision of the rules on annotated texts, and the calibration sample as charted on a ward."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from extraction.annotation.case_files import CASE_SAID_AT
from extraction.annotation.scoring import Item, all_items
from extraction.extractor import prepare
from extraction.filling.task import Reading
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.learning.rule_precision import (
    ReadingScores,
    ReadText,
    added_up,
    as_deployed,
    charted,
    right_by_rule,
    without,
)
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.conditions import candidate
from tests.kit.steps import read

KEEP_FROM = 0.5
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("pain", "Chest pain", ValueType.YES_NO, ("Cardiac",)),
        Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",)),
        Row("unit", "Heart rate unit", ValueType.SINGLE_SELECT, ("Vitals",), (Option("bpm"),), unit_of="hr"),
    ),
    "0" * 64,
    "t",
)
NO_PAIN = "She has no chest pain. The monitor says 88."


def read_text(gold: dict[str, Value], *readings: tuple[str, Value, str, float]) -> tuple[ReadText, ReadingScores]:
    """A text with these readings (row, value, words and confidence); two layers think the opposite."""
    prepared = prepare(NO_PAIN, SCHEMA, reduce=lambda _: ReducedSchema(()), context=EncounterContext(CASE_SAID_AT))
    found = []
    for row_id, value, words, _ in readings:
        start = NO_PAIN.index(words)
        place = next(one for one in prepared.task.segments if one.start <= start < one.end)
        span = (start, start + len(words))
        found.append(Reading(SCHEMA.row(row_id), candidate(row_id, place.index), value, place, span, 0.9, 0.9))
    confidences = np.array([confidence for *_, confidence in readings])
    weights = ReadingScores(confidences, np.stack([1 - confidences, 1 - confidences], axis=1))
    return ReadText(prepared, tuple(found), all_items(gold.items())), weights


# the model reads the denied pain as present, which the rule reverses; the heart rate is unchanged
PAIN, RATE, UNSURE = ("pain", True, "chest pain", 0.9), ("hr", 88.0, "88", 0.8), ("hr", 88.0, "88", 0.1)
RIGHT = read_text({"pain": False, "hr": 88.0}, PAIN, RATE)
WRONG = read_text({"pain": True}, PAIN, UNSURE)


def items_of(values: dict[str, Value]) -> frozenset[Item]:
    return all_items(values.items())


def test_a_text_is_charted_with_all_rules_and_their_precision() -> None:
    text, weights = RIGHT
    found = {value.row_id: value for value in charted(text, weights, KEEP_FROM, {"stated-outright": 0.7}).values}
    assert {row_id: value.value for row_id, value in found.items()} == {"pain": False, "hr": 88.0, "unit": "bpm"}
    assert (found["pain"].rule, found["pain"].confidence, found["pain"].errors) == ("stated-outright", 0.7, ())
    assert (found["hr"].rule, found["hr"].confidence, found["hr"].errors) == ("", 0.8, pytest.approx((0.2, 0.2)))


def test_rule_written_values_are_counted_by_rule_without_units() -> None:
    by_rule = replace(read(NO_PAIN, "pain", value=False, words="chest pain"), rule="a-rule", errors=())
    unit = replace(by_rule, row_id="unit", value="bpm", neighbour=replace(by_rule.neighbour, kind="unit"))
    values = [by_rule, replace(by_rule, value=True), read(NO_PAIN, "hr", 88.0, "88"), unit]
    assert right_by_rule(values, items_of({"pain": False})) == {"a-rule": (1, 1)}


def test_counts_can_be_added_and_subtracted() -> None:
    one, other = {"a": (3, 1)}, {"a": (1, 0), "b": (0, 2)}
    whole = added_up([one, other])
    assert whole == {"a": (4, 1), "b": (0, 2)}
    assert without(whole, other) == {"a": (3, 1), "b": (0, 0)}


def test_a_rules_precision_on_a_text_comes_from_all_other_texts() -> None:
    counts, sample = as_deployed([RIGHT[0], WRONG[0]], [RIGHT[1], WRONG[1]], KEEP_FROM)
    assert counts == {"stated-outright": (1, 1)}
    found = sorted(
        zip(sample.case.tolist(), sample.proposed.tolist(), sample.wrong.tolist(), sample.errors.tolist(), strict=True)
    )
    assert found == [
        (0, True, False, pytest.approx([0.2, 0.2])),
        (0, True, False, pytest.approx([2 / 3, 2 / 3])),  # wrong on the other text
        (1, False, True, pytest.approx([0.9, 0.9])),
        (1, True, True, pytest.approx([1 / 3, 1 / 3])),  # right on the other text
    ]


def test_texts_without_readings_give_an_empty_sample() -> None:
    text, _ = read_text({})
    counts, sample = as_deployed([text], [ReadingScores(np.zeros(0), np.zeros((0, 2)))], KEEP_FROM)
    assert (counts, sample.errors.shape, len(sample.wrong)) == ({}, (0, 2), 0)
