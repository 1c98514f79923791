"""Proposals from arbitrary readings and confidences."""

from __future__ import annotations

import datetime as dt
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import SAID_TYPES, Row, ValueType
from extraction.flowsheet.validation import normalise
from extraction.flowsheet.values import FilledValue, Proposals, Value
from extraction.language.sentences import segment
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.conditions import candidate
from tests.kit.learning import SCHEMA

TEXT = "Heart rate 110 beats per minute, temp 101.3 F or 38.4. BP 142 over 74 at 14:30. No nausea; a dull, red ache."
TASK = Task(TEXT, segment(TEXT), SCHEMA, ReducedSchema(()), dt.date(2026, 1, 1))
ROWS = [row for row in SCHEMA.rows if row.unit_of is None]
NUMBERS = st.floats() | st.sampled_from([110.0, 101.3, 38.4, -1.0, 1e308])
TEXTS = st.text(max_size=12) | st.sampled_from(
    "steady red dry warm 142/74 74/142 14:30 25:00 2026-01-01 2026-13-01 2026-01-01T14:30".split()
)
SHARES = st.floats(0, 1)
GUESSED = {
    "unit_guessed",
    "unit_contradicted",
    "point_guessed",
    "fraction_as_percent",
    "said_as_range",
    "implausible",
    "other_rate",
    "other_amount",
}


def values_of(row: Row) -> st.SearchStrategy[Value]:
    """Values that a strategy may read for the row, including some invalid ones."""
    if row.value_type is ValueType.MULTI_SELECT:
        return st.lists(st.sampled_from(row.option_names) | TEXTS, max_size=3).map(tuple)
    if row.value_type in (ValueType.NUMERIC, ValueType.QUANTITY):
        return NUMBERS
    return st.booleans() if row.value_type is ValueType.YES_NO else TEXTS


def readings_of(row: Row) -> st.SearchStrategy[Reading]:
    ends = st.lists(st.integers(0, len(TEXT)), min_size=2, max_size=2)
    spans = st.none() | ends.map(lambda two: (min(two), max(two)))
    return st.builds(
        lambda segment, **facts: Reading(row, candidate(row.id, segment.index), segment=segment, **facts),
        segment=st.sampled_from(TASK.segments),
        value=values_of(row),
        span=spans,
        mentioned=SHARES,
        probability=SHARES,
    )


WEIGHED = st.lists(st.tuples(st.sampled_from(ROWS).flatmap(readings_of), SHARES), max_size=12)


def proposed(readings: list[tuple[Reading, float]], keep_from: float) -> Proposals:
    return propose(TASK, [WeighedReading(one, sure) for one, sure in readings], keep_from, "test")


def is_sure(value: FilledValue, keep_from: float) -> bool:
    """Whether a value reaches a confidence; a partly guessed one is capped at 0.5 and has no layer errors."""
    guessed = GUESSED & {one.code for one in value.findings}
    assert bool(guessed) == any(one.lights and one.code != "several_said" for one in value.findings)
    return value.confidence >= (min(keep_from, 0.5) if guessed else keep_from)


def place(value: FilledValue) -> tuple[int, int]:
    return value.evidence.start, value.evidence.end


@given(WEIGHED, SHARES)
def test_each_row_has_one_confident_and_valid_proposal(readings: list[tuple[Reading, float]], keep_from: float) -> None:
    found = proposed(readings, keep_from)
    assert max(Counter(value.row_id for value in found.values).values(), default=1) == 1
    assert all(is_sure(value, keep_from) for value in found.values)
    read = {one.row.id for one, _ in readings}
    for value in (*found.values, *found.held_back):
        row = SCHEMA.row(value.row_id)
        assert normalise(row, value.value)[0] == value.value
        assert (row.unit_of or row.id) in read
        assert TEXT[slice(*place(value))] == value.evidence.text
        assert 0.0 <= value.confidence <= 1.0
        assert len(value.alternatives) <= 3
    for part in (found.values, found.held_back):
        confidences = [value.confidence for value in part]
        assert confidences == sorted(confidences, reverse=True)


@given(WEIGHED, SHARES)
def test_values_from_the_same_words_are_proposed_for_one_row_only(
    readings: list[tuple[Reading, float]], keep_from: float
) -> None:
    found = proposed(readings, keep_from)
    said = [value for value in found.values if SCHEMA.row(value.row_id).value_type in SAID_TYPES]
    owner = {place(value): value for value in said}
    assert len(owner) == len(said)
    for value in found.held_back:
        row = SCHEMA.row(value.row_id)
        if value.confidence >= keep_from and row.unit_of is None:
            first = owner[place(value)]
            assert value.confidence <= first.confidence or (first.confidence == 0.5 and first.flags)
            assert Finding("may_belong", (row.name,)) in first.findings


@given(WEIGHED, SHARES)
def test_a_row_proposed_on_its_own_is_never_lost_among_others(
    readings: list[tuple[Reading, float]], keep_from: float
) -> None:
    found = proposed(readings, keep_from)
    alone = {one.row.id for one, sure in readings if proposed([(one, sure)], keep_from).values}
    sure = {value.row_id for value in (*found.values, *found.held_back) if is_sure(value, keep_from)}
    assert alone <= sure
