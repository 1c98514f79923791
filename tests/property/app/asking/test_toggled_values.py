"""Whatever flagged values really are, the answer stays within its bounds; who has no values changes no answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from app.asking.answer import Answer
from app.asking.evaluation import Chart, answer
from app.asking.figures.figure import with_value
from app.store.questions import Dictated, Fact
from extraction.flowsheet.schema import Fluid, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Value as ChartValue
from extraction.questions.query import (
    WARD,
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Comparison,
    Condition,
    CountPatients,
    Measure,
    Not,
    Order,
    OverPatients,
    Query,
    Rate,
    Select,
    Value,
    Where,
    Window,
)
from extraction.questions.ward import WardPatient

NOW = datetime.fromisoformat("2026-11-23T07:00")
ROWS = (
    Row("rate", "Heart rate", ValueType.NUMERIC, ("Vital signs",), unit="/min"),
    Row("urine", "Urine", ValueType.QUANTITY, ("Fluids",), unit="mL", ucum="mL", fluid=Fluid.OUTPUT),
    Row("oral", "Oral intake", ValueType.QUANTITY, ("Fluids",), unit="mL", ucum="mL", fluid=Fluid.INTAKE),
    Row("weight", "Weight", ValueType.QUANTITY, ("Body",), unit="kg", ucum="kg"),
    Row("sick", "Nausea", ValueType.SINGLE_SELECT, ("Gut",), options=tuple(map(Option, ("none", "mild", "severe")))),
)
SCHEMA = Schema("ward", "Ward", "1", ROWS, "", "")
PATIENTS = tuple(WardPatient(number, f"Patient {number}", str(number)) for number in (1, 2, 3))
MEASURES = {row.id: Measure(row.name, (row.id,)) for row in ROWS}
DAY = Window(NOW - timedelta(hours=24))


class Listed:
    """A chart in a list."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts

    def facts(
        self,
        patient_ids: Sequence[int],
        row_ids: Sequence[str] | None,
        since: str | None = None,
        until: str | None = None,
        last: int | None = None,
    ) -> list[Fact]:
        found = [
            one
            for one in self._facts
            if one.patient_id in patient_ids and (row_ids is None or one.row_id in row_ids)
            and (since is None or one.at >= since) and (until is None or one.at < until)
        ]  # fmt: skip
        found.sort(key=lambda one: (one.at, one.value_id))
        if last is None:
            return found
        rows = {(one.patient_id, one.row_id) for one in found}
        kept = {id(one) for row in rows for one in [it for it in found if (it.patient_id, it.row_id) == row][-last:]}
        return [one for one in found if id(one) in kept]

    def dictated(
        self, patient_ids: Sequence[int], since: str | None = None, until: str | None = None
    ) -> Iterator[Dictated]:
        return iter(())


@st.composite
def charts(draw: st.DrawFn) -> list[Fact]:
    """Up to ten values, of which at most four are flagged."""
    found, flags = [], draw(st.integers(0, 4))
    for number in range(draw(st.integers(0, 10))):
        row = draw(st.sampled_from(ROWS))
        at = (NOW - timedelta(minutes=draw(st.integers(1, 1800)))).isoformat(timespec="minutes")
        content: st.SearchStrategy[ChartValue] = (
            st.sampled_from(row.option_names) if row.options else st.integers(1, 200).map(float)
        )
        value = draw(content)
        fact = Fact(
            number + 1,
            draw(st.sampled_from(PATIENTS)).id,
            1,
            number + 1,
            row.id,
            at,
            value,
            None,
            None,
            row.ucum,
            "",
            "",
            False,
        )
        fact = with_value(fact, value)
        if number < flags:
            others = tuple(draw(st.lists(content, max_size=2)))
            fact = fact._replace(flagged=True, others=others)
        found.append(fact)
    return found


_NUMBERS = st.sampled_from(["rate", "urine", "oral", "weight"]).map(MEASURES.__getitem__)
_AGGREGATES = st.sampled_from(
    [
        Aggregate.LATEST, Aggregate.FIRST, Aggregate.LOWEST, Aggregate.HIGHEST, Aggregate.MEAN, Aggregate.SUM,
        Aggregate.COUNT, Aggregate.CHANGE, Aggregate.TIME_SINCE,
    ]
)  # fmt: skip
_AMOUNTS = st.sampled_from(
    [
        Value(MEASURES["urine"], Aggregate.SUM, DAY, Rate.HOUR),
        Value(MEASURES["urine"], Aggregate.SUM, DAY, Rate.KILOGRAM_HOUR, MEASURES["weight"]),
        Value(MEASURES["weight"], Aggregate.CHANGE, DAY, baseline=Window(None, NOW - timedelta(hours=24))),
        Balance(DAY),
    ]
)
_VALUES = st.one_of(st.builds(Value, _NUMBERS, _AGGREGATES, st.sampled_from([Window(), DAY])), _AMOUNTS)
_COMPARED = st.builds(
    Condition,
    st.one_of(_VALUES, st.builds(Value, _NUMBERS, st.just(Aggregate.ANY), st.just(DAY))),
    st.sampled_from([Comparison.ABOVE, Comparison.AT_MOST, Comparison.EQUAL]),
    numbers=st.integers(1, 200).map(lambda number: (float(number),)),
)
_CHOSEN = st.builds(
    Condition,
    st.builds(Value, st.just(MEASURES["sick"]), st.sampled_from([Aggregate.LATEST, Aggregate.FIRST, Aggregate.ANY])),
    st.sampled_from([Comparison.EQUAL, Comparison.NOT_EQUAL]),
    options=st.sampled_from([("none",), ("mild", "severe")]),
)
_CHARTED = st.builds(Condition, _VALUES, st.sampled_from([Comparison.CHARTED, Comparison.NOT_CHARTED]))
_WHERES: st.SearchStrategy[Where] = st.recursive(
    st.one_of(_COMPARED, _CHOSEN, _CHARTED),
    lambda inner: st.one_of(
        st.builds(AllOf, st.tuples(inner, inner)), st.builds(AnyOf, st.tuples(inner, inner)), st.builds(Not, inner)
    ),
    max_leaves=3,
)
_QUERIES: st.SearchStrategy[Query] = st.one_of(
    st.builds(lambda value: Select(WARD, (value,)), _VALUES),
    st.builds(lambda where: Select(WARD, where=where), _WHERES),
    st.builds(lambda where: CountPatients(Select(WARD, where=where)), _WHERES),
    st.builds(
        lambda aggregate, value: OverPatients(aggregate, Select(WARD, (value,))),
        st.sampled_from([Aggregate.MEAN, Aggregate.SUM, Aggregate.LOWEST, Aggregate.HIGHEST, Aggregate.COUNT]),
        _VALUES,
    ),
    st.builds(
        lambda value, order, limit: Select(WARD, (value,), order=order, limit=limit),
        _VALUES,
        st.sampled_from(list(Order)),
        st.integers(1, 2),
    ),
)


def answered(query: Query, facts: Sequence[Fact], patients: tuple[WardPatient, ...] = PATIENTS) -> Answer:
    known: Mapping[int, Fact] = {one.value_id: one for one in facts}
    return answer(
        query,
        Chart(
            Listed([one._replace(flagged=False, others=()) for one in facts]),
            SCHEMA,
            patients,
            NOW,
            lambda ids: {one: known[one].others for one in ids if known[one].flagged},
        ),
    )


def variants(facts: Sequence[Fact]) -> Iterator[list[Fact]]:
    """The chart as it would be with flagged values as they are, as others, or not there."""
    ways = [
        [fact, *(with_value(fact, other) for other in fact.others), None] if fact.flagged else [fact] for fact in facts
    ]
    for chosen in product(*ways):
        yield [one._replace(flagged=False, others=()) for one in chosen if one is not None]


@settings(max_examples=150, deadline=None)
@given(charts(), _QUERIES)
def test_flagged_values_keep_the_answer_within_its_bounds(facts: list[Fact], query: Query) -> None:
    found = answered(query, facts)
    for variant in variants(facts):
        other = answered(query, variant)
        ids = {line.patient_id for line in other.lines}
        assert found.certain <= ids <= found.possible
        if found.number and other.number:
            assert found.number.low - 1e-9 <= other.number.value <= found.number.high + 1e-9
        shown = {line.patient_id: line.cells[0] for line in found.lines}
        for line in other.lines if isinstance(query, Select) and query.values else ():
            cell = shown.get(line.patient_id)
            if cell and cell.low is not None and cell.high is not None and isinstance(line.cells[0].value, float):
                assert cell.low - 1e-9 <= line.cells[0].value <= cell.high + 1e-9


@settings(max_examples=150, deadline=None)
@given(charts(), _QUERIES)
def test_one_flagged_value_that_changes_the_answer_is_named(facts: list[Fact], query: Query) -> None:
    found = answered(query, facts)
    if isinstance(query, Select) and query.limit:
        return  # what is shown beside the first few may change without a value of theirs
    for fact in facts:
        if fact.flagged:
            rest = [one for one in facts if one is not fact]
            other = answered(query, [one._replace(flagged=False) for one in rest])
            if said(query, other) != said(query, found):
                assert fact.value_id in found.could_change


def said(query: Query, found: Answer) -> object:
    if isinstance(query, CountPatients | OverPatients):
        return found.number.value if found.number else None
    return [(line.patient_id, [cell.text for cell in line.cells]) for line in found.lines]


@settings(max_examples=100, deadline=None)
@given(charts(), _QUERIES)
def test_a_patient_without_values_changes_nothing_about_others(facts: list[Fact], query: Query) -> None:
    if "CHARTED" in repr(query):
        return  # who is asked for
    before = answered(query, facts)
    after = answered(query, facts, (*PATIENTS, WardPatient(4, "Patient 4", "4")))
    assert replace(after, head="", not_charted=()) == replace(before, head="", not_charted=())
    assert [one for one in after.not_charted if one.patient_id != 4] == list(before.not_charted)
