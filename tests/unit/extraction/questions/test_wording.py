"""Query trees in words, and refusals with what to do next."""

from __future__ import annotations

import pytest

from extraction.questions.query import Reason, Refusal
from extraction.questions.wording import ChipKind, chips, in_words, why_refused
from tests.unit.extraction.questions.test_reading import read


@pytest.mark.parametrize(
    ("question", "words"),
    [
        (
            "urine output below 30 mL/h over the last 8 hours",
            "Urine output volume · total · per hour · over the last 8 hours · below 30 mL/h · all patients",
        ),
        ("temps over 38, highest first", "Temperature · above 38 · all patients · highest first"),
        ("was bed 4's heart rate ever above 130", "Heart rate · ever · above 130 · bed 4's"),
        ("how many are NPO", "How many patients · Diet order · is nothing by mouth · all patients"),
        ("systolic under 90", "Blood pressure, systolic · below 90 · all patients"),
        ("who has no weight charted", "Not charted · Body weight · all patients"),
        ("lowest sats", "Oxygen saturation (SpO2) · all patients · lowest first · first one"),
        ("what was said about the left heel", "What was said about “left heel” · all patients"),
    ],
)
def test_a_tree_is_written_as_its_parts(question: str, words: str) -> None:
    query = read(question).query
    assert query is not None
    assert in_words(query) == words


def test_each_chip_has_the_node_that_it_shows() -> None:
    query = read("heart rate of bed 7 since midnight").query
    assert query is not None
    assert [chip.kind for chip in chips(query)] == [ChipKind.MEASURE, ChipKind.WINDOW, ChipKind.SUBJECT]
    assert all(chip.part is not None for chip in chips(query))


@pytest.mark.parametrize("reason", Reason)
def test_each_refusal_has_a_sentence_with_and_without_words(reason: Reason) -> None:
    for refusal in (Refusal(reason), Refusal(reason, "lasix", ("Diet order",), (1, 2))):
        sentence = why_refused(refusal)
        assert sentence.endswith(".")
        assert "  " not in sentence
