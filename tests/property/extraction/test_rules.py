"""All rules over arbitrary text and proposals: no value is lost, and rule-written values are marked."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from extraction.annotation.case_files import CASE_SAID_AT
from extraction.extractor import Prepared, prepare
from extraction.flowsheet.schema import Definition, Option, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.records import kept
from tests.kit.rules import as_proposed

EDEMA, SOUNDS = (Option("None"), Option("1+"), Option("2+")), (Option("Clear"), Option("Crackles"), Option("Wheezes"))
SINGLE, MULTI, YES_NO, NUMBER = (
    ValueType.SINGLE_SELECT,
    ValueType.MULTI_SELECT,
    ValueType.YES_NO,
    ValueType.NUMERIC,
)
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        *(Row(f"edema_{side}", f"{side.title()} leg edema", SINGLE, ("Legs",), EDEMA) for side in ("left", "right")),
        Row("breath", "Breath sounds", MULTI, ("Lungs",), SOUNDS),
        Row("cough", "Cough", YES_NO, ("Lungs",)),
        Row("pain", "Chest pain", YES_NO, ("Cardiac",)),
        Row("hr", "Heart rate", NUMBER, ("Cardiac",)),
        Row("voided", "Voided at", ValueType.TIME, ("Output",)),
        *(
            row
            for number in (1, 2)
            for row in (
                Row(f"wound{number}.location", f"Wound {number} location", ValueType.TEXT, ("Wounds",)),
                Row(f"wound{number}.length", f"Wound {number} length", NUMBER, ("Wounds",), unit="cm"),
                Row(f"wound{number}.bed", f"Wound {number} bed", MULTI, ("Wounds",), (Option("Red"), Option("Slough"))),
            )
        ),
    ),
    "0" * 64,
    "t",
    (Definition(("Lungs",), (), (("breath", ("Clear",)), ("cough", False))),),
)
SENTENCES = (
    "No chest pain.",
    "Heart rate is ninety at 0630, correction, 88.",
    "Left leg edema 1+, right leg edema 2+.",
    "Lungs WDL except crackles.",
    "Lungs are clear, no wheezes.",
    "The left heel wound is 3 cm long and red.",
    "Both wounds have slough.",
    "Wound 2 on the sacrum is 2 cm long.",
    "He voided at 0630.",
    "Possible cough, her mother had chest pain.",
    "He will cough if the heart rate is above 120, scratch that.",
)
SPOKEN = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=3).map(" ".join)
KNOWN: tuple[dict[str, Value], ...] = ({}, {"wound1.location": "left heel", "wound2.location": "sacrum"})


@cache
def prepared(text: str, known: int) -> Prepared:
    context = EncounterContext(CASE_SAID_AT, KNOWN[known])
    return prepare(text, SCHEMA, reduce=lambda _: ReducedSchema(()), context=context)


def values_of(row: Row, words: str) -> st.SearchStrategy[Value]:
    if row.value_type is MULTI:
        return st.lists(st.sampled_from(row.option_names), min_size=1, max_size=3, unique=True).map(tuple)
    if row.value_type is NUMBER:
        return st.sampled_from([2.0, 3.0, 88.0, 90.0])
    return {
        SINGLE: st.sampled_from(row.option_names) if row.options else st.nothing(),
        YES_NO: st.booleans(),
        ValueType.TIME: st.just("06:30"),
    }.get(row.value_type, st.just(words))


@st.composite
def read(draw: st.DrawFn, text: str, segments: tuple[Segment, ...]) -> FilledValue:
    """Any value of any row, from any words of a sentence."""
    row, place = draw(st.sampled_from(SCHEMA.rows)), draw(st.sampled_from(segments))
    start = draw(st.integers(place.start, place.end - 1))
    end = draw(st.integers(start + 1, place.end))
    evidence = Evidence(start, end, text[start:end], place.start, place.end)
    value, sure = draw(values_of(row, evidence.text)), draw(st.sampled_from([0.05, 0.3, 0.6, 0.9]))
    neighbour = Neighbour("row", row.name, place.index)
    return FilledValue(
        row.id, value, row.unit, evidence, -0.1, 0.1, sure, 0.5, neighbour, "rowwise", (), (), (0.1, 0.2)
    )


@st.composite
def given_to_rules(draw: st.DrawFn) -> tuple[Prepared, Proposals]:
    """A prepared transcript, and any proposals of the models."""
    one = prepared(draw(SPOKEN), draw(st.sampled_from(range(len(KNOWN)))))
    if not one.task.segments:
        return one, Proposals((), ())
    some = st.lists(read(one.task.text, one.task.segments), max_size=6)
    values, held_back = (sorted(draw(some), key=lambda value: -value.confidence) for _ in range(2))
    return one, as_proposed(one.task, Proposals(tuple(values), tuple(held_back)))


def charted() -> st.SearchStrategy[tuple[Proposals, Proposals]]:
    """The models' proposals, and the result of the rules."""
    return given_to_rules().map(lambda made: (made[1], made[0].charted(made[1]).proposals))


@given(charted())
def test_rule_written_values_have_the_rules_confidence_and_are_lit_unless_defined(
    made: tuple[Proposals, Proposals],
) -> None:
    _, found = made
    for value in found.values:
        if value.rule:
            assert value.errors == ()
            assert value.confidence == {"within-limits": 0.95, "measurement": 0.97}.get(value.rule, 0.5)
            assert value.flags or value.rule in ("within-limits", "measurement")
        else:
            assert value.errors == (0.1, 0.2)
    for values in (found.values, found.held_back):
        assert list(values) == sorted(values, key=lambda value: -value.confidence)


@given(charted())
def test_no_proposed_row_is_lost_and_held_back_values_give_a_reason(made: tuple[Proposals, Proposals]) -> None:
    read_before, found = made
    everything = (*found.values, *found.held_back)
    assert {value.row_id for value in read_before.values} <= {value.row_id for value in everything}
    for value in found.held_back:
        assert {one.rule for one in value.findings} >= {value.held_back_by} - {""}


@given(charted())
def test_only_rules_change_the_values_the_models_read(made: tuple[Proposals, Proposals]) -> None:
    read_before, found = made
    known = {(value.row_id, value.value, value.confidence) for value in (*read_before.values, *read_before.held_back)}
    own = {(one.row_id, one.value, one.confidence) for one in (*found.values, *found.held_back) if not one.rule}
    assert own <= known


@given(charted())
def test_every_value_round_trips_through_the_store(made: tuple[Proposals, Proposals]) -> None:
    for value in (*made[1].values, *made[1].held_back):
        assert asdict(kept(value)) == asdict(value)
