"""Any changes by a rule: no value is lost, and rule-written values have the rule's confidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from extraction.estimators.precision import measured
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals
from extraction.rules.changes import Change, Kind, errors_of
from tests.kit.rules import applied

SCHEMA = Schema("t", "T", "1", tuple(Row(name, name, ValueType.TEXT, ("V",)) for name in "abc"), "0" * 64, "t")
RULE, PRECISION = "a-rule", 0.123

filled = st.builds(
    lambda row_id, value, words, confidence: FilledValue(
        row_id, value, None, Evidence(0, 1, words, 0, 9), -0.1, 0.1, confidence, 0.8, Neighbour("row", row_id, 0),
        "rowwise", (), (), (0.1, 0.1),
    ),
    st.sampled_from("abc"),
    st.sampled_from(["one", "two", "three"]),
    st.sampled_from(["x", "y"]),
    st.floats(0.2, 1),
)  # fmt: skip
WHY = Finding("said_of_several")


@st.composite
def ruled(draw: st.DrawFn) -> tuple[Proposals, list[Change]]:
    """Proposals, and arbitrary changes of one rule: at most one per value."""
    read = Proposals(*(tuple(draw(st.lists(filled, max_size=5))) for _ in range(2)))
    changes = []
    for values, kinds in (
        (read.values, (Kind.REPLACE, Kind.HOLD_BACK, Kind.FLAG, None)),
        (read.held_back, (Kind.PROMOTE, Kind.REPLACE, Kind.FLAG, None)),
    ):
        for value in values:
            kind = draw(st.sampled_from(kinds))
            if kind is Kind.REPLACE:
                changes.append(Change(kind, value, replace(value, value="four"), (WHY,)))
            elif kind is not None:
                changes.append(Change(kind, value, None, (WHY,)))
    changes += [Change(Kind.ADD, None, value, (WHY,)) for value in draw(st.lists(filled, max_size=3))]
    return read, changes


def after(made: tuple[Proposals, list[Change]]) -> Proposals:
    read, changes = made
    return applied(SCHEMA, read, changes, RULE, PRECISION)


def written(changes: list[Change]) -> int:
    return sum(one.kind in (Kind.REPLACE, Kind.PROMOTE, Kind.ADD) for one in changes)


@given(ruled())
def test_rule_written_values_never_carry_the_models_confidence(made: tuple[Proposals, list[Change]]) -> None:
    found = after(made)
    own = [value for value in (*found.values, *found.held_back) if value.rule]
    assert len(own) == written(made[1])
    for value in own:
        assert (value.rule, value.confidence, value.errors) == (RULE, PRECISION, ())
        assert errors_of(value, 3) == (1 - PRECISION,) * 3
        assert {one.rule for one in value.findings} == {RULE}
    for value in (*found.values, *found.held_back):
        assert value.rule or (value.confidence >= 0.2 and value.errors == (0.1, 0.1))


@given(ruled())
def test_a_replaced_value_stays_as_the_first_alternative(made: tuple[Proposals, list[Change]]) -> None:
    found = after(made)
    was = Counter((one.of.value, round(one.of.confidence, 4)) for one in made[1] if one.of and one.kind is Kind.REPLACE)
    now = Counter(value.alternatives[0] for value in (*found.values, *found.held_back) if value.value == "four")
    assert now == was


@given(ruled())
def test_values_are_neither_lost_nor_invented(made: tuple[Proposals, list[Change]]) -> None:
    (read, changes), found = made, after(made)
    before = Counter(value.row_id for value in (*read.values, *read.held_back))
    before += Counter(one.value.row_id for one in changes if one.kind is Kind.ADD and one.value)
    assert Counter(value.row_id for value in (*found.values, *found.held_back)) == before
    moved = sum(one.kind in (Kind.PROMOTE, Kind.ADD) for one in changes)
    moved -= sum(one.kind is Kind.HOLD_BACK for one in changes)
    assert len(found.values) == len(read.values) + moved
    for values in (found.values, found.held_back) if changes else ():
        assert list(values) == sorted(values, key=lambda value: -value.confidence)


@given(st.lists(filled, max_size=5), st.lists(filled, max_size=5))
def test_without_changes_the_proposals_are_returned_as_they_are(
    values: list[FilledValue], held_back: list[FilledValue]
) -> None:
    read = Proposals(tuple(values), tuple(held_back))
    assert applied(SCHEMA, read, [], RULE) is read


@given(st.integers(0, 500), st.integers(0, 500))
def test_measured_precision_grows_with_right_values_and_stays_below_one(right: int, wrong: int) -> None:
    now = measured({RULE: (right, wrong)})[RULE]
    assert 0 < now < 1
    assert measured({RULE: (right + 1, wrong)})[RULE] > now > measured({RULE: (right, wrong + 1)})[RULE]
