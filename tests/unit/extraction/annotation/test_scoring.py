"""Scores checked against results worked out by hand."""

from __future__ import annotations

import pytest

from extraction.annotation.scoring import (
    ERRORS,
    Counts,
    Item,
    Scored,
    all_items,
    errors,
    f1_difference,
    items,
    metrics,
    precision_recall,
    signed_rank_p,
)
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value

SCHEMA = Schema(
    "t",
    "Test",
    "1",
    (
        Row("temp", "Temperature", ValueType.NUMERIC, ("Vitals",)),
        Row("unit", "Temperature unit", ValueType.SINGLE_SELECT, ("Vitals",), unit_of="temp"),
        Row("nail", "Nail beds", ValueType.SINGLE_SELECT, ("Skin", "Nails"), (Option("pale"), Option("pink"))),
        Row("skin", "Skin", ValueType.MULTI_SELECT, ("Skin",), (Option("red"), Option("dry"), Option("warm"))),
        Row("note", "Note", ValueType.TEXT, ("Skin",)),
    ),
    "0" * 64,
    "test.json",
)


def some(*values: tuple[str, Value]) -> frozenset[Item]:
    return all_items(values)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (98.6, 98.60, True),
        (36.0, 36, True),
        (-0.0, 0.0, True),
        (1.0, 1.01, False),
        ("Fahrenheit", "F", True),
        ("celsius", "C", True),
        ("F", "C", False),
        ("Pale", "pale", False),
        ("pale ", "pale", False),
        (True, "Yes", True),
        (False, "No", True),
        (True, 1.0, False),
        (("red", "dry"), ("dry", "red"), True),
        (("red",), "red", True),
        (("red",), ("red", "dry"), False),
    ],
)
def test_equal_values_are_comparable(one, other, equal) -> None:
    assert (items("r", one) == items("r", other)) is equal
    assert items("r", one) != items("s", one)


def test_a_multi_select_counts_once_for_each_option() -> None:
    assert items("skin", ("red", "dry")) == {("skin", "red"), ("skin", "dry")}
    assert items("skin", ()) == frozenset()


CASES = [
    Scored(
        "one",
        gold=some(("temp", 37.0), ("unit", "C"), ("skin", ("red", "dry"))),
        predicted=some(("temp", 37.0), ("unit", "F"), ("skin", ("red", "warm"))),
        asked=frozenset({"temp", "skin"}),
    ),
    Scored(
        "two",
        gold=some(("nail", "pale"), ("note", "sleepy"), ("temp", 38.0), ("unit", "C")),
        predicted=some(("skin", ("dry",))),
        held_back=some(("nail", "pale"), ("temp", 83.0)),
        asked=frozenset({"nail", "temp", "skin"}),
    ),
]


def test_metrics_over_all_items_and_in_groups() -> None:
    found = metrics(CASES, SCHEMA)
    # Case one: 2 of 4 right and 2 wrong; case two: 0 of 4, 1 wrong.
    assert found["micro"] == {"precision": 0.4, "recall": 0.25, "f1": 0.307692, "gold": 8, "predicted": 5}
    # By row: temp 1 of 2 (F1 2/3); unit, nail and note 0; skin 1 of 2 with 2 wrong (F1 0.4).
    assert found["macro_f1"] == pytest.approx((2 / 3 + 0.4) / 5, abs=1e-6)
    assert found["case_f1_mean"] == pytest.approx((0.5 + 0.0) / 2)
    assert found["by_value_type"]["numeric"] == {
        "precision": 1.0,
        "recall": 0.5,
        "f1": 0.666667,
        "gold": 2,
        "predicted": 1,
    }
    assert set(found["by_value_type"]) == {"numeric", "single_select", "multi_select", "text"}
    assert {name: group["gold"] for name, group in found["by_category"].items()} == {
        "Vitals": 4,
        "Skin": 3,
        "Skin / Nails": 1,
    }


def test_every_error_has_its_kind() -> None:
    assert sorted(errors(CASES[0], SCHEMA)) == [
        ("extra_value", ("skin", "warm")),
        ("extra_value", ("unit", "F")),
        ("wrong_value", ("skin", "dry")),
        ("wrong_value", ("unit", "C")),
    ]
    assert sorted(errors(CASES[1], SCHEMA)) == [
        ("held_back", ("nail", "pale")),
        ("not_mentioned", ("unit", "C")),  # asked together with the row of its number
        ("not_retrieved", ("note", "sleepy")),
        ("spurious_row", ("skin", "dry")),
        ("wrong_value", ("temp", "38.0")),
    ]
    assert metrics(CASES, SCHEMA)["errors"] == dict(zip(ERRORS, (1, 1, 1, 3, 2, 1), strict=True))


def test_a_unit_row_counts_as_not_retrieved_if_its_number_was_not() -> None:
    case = Scored("a", some(("temp", 37.0), ("unit", "C")), frozenset(), asked=frozenset({"unit", "nail"}))
    assert {kind for kind, _ in errors(case, SCHEMA)} == {"not_retrieved"}


def test_nothing_to_find_and_nothing_found_scores_one() -> None:
    nothing, wrong, missed = Counts(), Counts(false_positives=1), Counts(false_negatives=1)
    assert (nothing.precision, nothing.recall, nothing.f1) == (1.0, 1.0, 1.0)
    assert (wrong.precision, wrong.recall, wrong.f1) == (0.0, 0.0, 0.0)
    assert (missed.precision, missed.recall, missed.f1) == (0.0, 0.0, 0.0)
    found = metrics([Scored("a", frozenset(), frozenset())], SCHEMA)
    assert (found["micro"]["f1"], found["macro_f1"], found["case_f1_mean"]) == (1.0, 1.0, 1.0)


def test_precision_and_recall_at_every_threshold() -> None:
    readings = [(0.9, True), (0.8, False), (0.8, True), (0.3, False)]
    assert precision_recall(readings, gold=4) == [
        (0.3, 0.5, 0.5),
        (0.8, pytest.approx(2 / 3), 0.5),
        (0.9, 1.0, 0.25),
    ]
    assert precision_recall([(0.9, False)], gold=4) == []
    assert precision_recall([], gold=0) == []


def test_signed_rank_p_values() -> None:
    assert signed_rank_p([0.1, 0.2], [0.1, 0.2]) == 1.0
    assert signed_rank_p([0.1 + 0.2], [0.3]) == 1.0  # values that differ in the last bit are equal
    assert signed_rank_p([0.0] * 8, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]) == pytest.approx(2 / 2**8)
    assert signed_rank_p([1.0, 2.0, 3.0], [3.0, 2.0, 1.0]) == 1.0
    with pytest.raises(ValueError, match="zip"):
        signed_rank_p([1.0], [1.0, 2.0])


def test_the_f1_difference_has_a_bootstrap_interval() -> None:
    good, bad = Counts(9, 1, 1), Counts(5, 5, 5)
    assert f1_difference([bad] * 6, [good] * 6) == pytest.approx((0.4, 0.4, 0.4))
    mixed = f1_difference([bad, good, bad, good], [good, bad, good, good])
    assert mixed[0] == pytest.approx(0.1)
    assert mixed[1] < 0 < mixed[2]
    assert f1_difference([bad, good, bad, good], [good, bad, good, good]) == mixed
    assert f1_difference([Counts()], [Counts()]) == (0.0, 0.0, 0.0)
