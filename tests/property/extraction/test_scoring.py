"""Scores of arbitrary gold and predictions."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.annotation.scoring import (
    Counts,
    Item,
    Scored,
    errors,
    f1_difference,
    metrics,
    precision_recall,
    signed_rank_p,
)
from extraction.flowsheet.schema import Row, Schema, ValueType

KINDS = (ValueType.NUMERIC, ValueType.SINGLE_SELECT, ValueType.MULTI_SELECT, ValueType.TEXT)
SCHEMA = Schema(
    "t",
    "Test",
    "1",
    tuple(Row(str(n), f"Row {n}", KINDS[n % 4], (f"Part {n % 2}",), unit_of="0" if n == 1 else None) for n in range(6)),
    "0" * 64,
    "test.json",
)

rows = st.sampled_from([row.id for row in SCHEMA.rows])
some_items: st.SearchStrategy[frozenset[Item]] = st.frozensets(st.tuples(rows, st.sampled_from("abc")), max_size=8)
cases = st.lists(
    st.builds(Scored, st.uuids().map(str), some_items, some_items, some_items, st.frozensets(rows)), max_size=6
)
counts = st.builds(Counts, st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
numbers = st.floats(-1e4, 1e4)


@given(cases)
def test_groups_sum_to_the_total_and_every_error_has_one_kind(scored: list[Scored]) -> None:
    found = metrics(scored, SCHEMA)
    for groups in (found["by_value_type"], found["by_category"]):
        for side in ("gold", "predicted"):
            assert sum(group[side] for group in groups.values()) == found["micro"][side]
    missed = sum(len(case.false_negatives) for case in scored)
    wrong = sum(len(case.false_positives) for case in scored)
    kinds = found["errors"]
    assert kinds["not_retrieved"] + kinds["not_mentioned"] + kinds["held_back"] + kinds["wrong_value"] == missed
    assert kinds["extra_value"] + kinds["spurious_row"] == wrong
    for case in scored:
        named = Counter(item for _, item in errors(case, SCHEMA))
        assert named == Counter(case.false_negatives | case.false_positives)


@given(some_items)
def test_a_prediction_equal_to_the_gold_is_perfect(gold: frozenset[Item]) -> None:
    found = metrics([Scored("a", gold, gold)], SCHEMA)
    assert (found["micro"]["precision"], found["micro"]["recall"]) == (1.0, 1.0)
    assert (found["macro_f1"], found["case_f1_mean"]) == (1.0, 1.0)
    assert set(found["errors"].values()) == {0}


@given(some_items, some_items)
def test_f1_is_symmetric_and_lies_between_precision_and_recall(one: frozenset[Item], other: frozenset[Item]) -> None:
    there, back = Scored("a", one, other).counts, Scored("a", other, one).counts
    assert there.f1 == back.f1
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert min(there.precision, there.recall) - 1e-12 <= there.f1 <= max(there.precision, there.recall) + 1e-12


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=20), st.integers(0, 10))
def test_a_higher_threshold_never_raises_recall(readings: list[tuple[float, bool]], never_read: int) -> None:
    gold = sum(right for _, right in readings) + never_read
    curve = precision_recall(readings, gold)
    assert [recall for _, _, recall in curve] == sorted((recall for _, _, recall in curve), reverse=True)
    for threshold, precision, recall in curve:
        proposed = [right for confidence, right in readings if confidence >= threshold]
        assert abs(precision - sum(proposed) / len(proposed)) < 1e-9
        assert abs(recall - sum(proposed) / gold) < 1e-9


@settings(max_examples=25)
@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=30))
def test_the_signed_rank_test_is_symmetric(pairs: list[tuple[float, float]]) -> None:
    one, other = zip(*pairs, strict=True)
    p = signed_rank_p(one, other)
    assert 0.0 <= p <= 1.0
    assert abs(p - signed_rank_p(other, one)) < 1e-9
    assert signed_rank_p(one, one) == 1.0


@settings(max_examples=25)
@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=12))
def test_swapping_the_runs_negates_the_interval(pairs: list[tuple[Counts, Counts]]) -> None:
    one, other = zip(*pairs, strict=True)
    difference, low, high = f1_difference(one, other)
    assert -1.0 <= low <= high <= 1.0
    back = f1_difference(other, one)
    assert abs(difference + back[0]) < 1e-12
    assert abs(low + back[2]) < 1e-9
    assert abs(high + back[1]) < 1e-9
    assert f1_difference(one, one) == (0.0, 0.0, 0.0)
