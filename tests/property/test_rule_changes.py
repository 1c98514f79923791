"""Whatever rules make of the models' proposals: no value that differs from the models' own is ever unlit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from extraction.rule_changes import marked
from hypothesis import given
from hypothesis import strategies as st

from app.lighting import Lighting
from extraction.schema import Row, Schema, ValueType
from extraction.validate import display
from extraction.values import Evidence, FilledValue, Neighbour, Proposals

SCHEMA = Schema("t", "T", "1", tuple(Row(name, name, ValueType.TEXT, ("V",)) for name in "abc"), "0" * 64, "t")
CHOSEN = Lighting(None, None, own=False, alpha=0.1, weight=0.5, threshold=0.0)

filled = st.builds(
    lambda row_id, value, words, confidence, problems: FilledValue(
        row_id, value, None, Evidence(0, 1, words, 0, 9), -0.1, 0.1, confidence, 0.8, Neighbour("row", row_id, 0),
        "rowwise", problems, (), (0.1, 0.1),
    ),
    st.sampled_from("abc"),
    st.sampled_from(["one", "two", "three"]),
    st.sampled_from(["x", "y"]),
    st.floats(0, 1),
    st.sampled_from([(), ("known",), ("known", "new")]),
)  # fmt: skip


@st.composite
def ruled(draw: st.DrawFn) -> tuple[Proposals, Proposals]:
    """What models propose, and what rules may make of it: kept, moved, set to something else, and added."""
    read = Proposals(*(tuple(draw(st.lists(filled, max_size=5))) for _ in range(2)))
    everything = [*read.values, *read.unlikely]
    made = draw(st.lists(st.sampled_from(everything), max_size=6)) if everything else []
    values = [replace(one, value=draw(st.sampled_from([one.value, "one", "two", "four"]))) for one in made]
    values += draw(st.lists(filled, max_size=3))
    return read, Proposals(tuple(values), tuple(draw(st.lists(filled, max_size=2))))


def counted(values: tuple[FilledValue, ...]) -> Counter[tuple[str, object]]:
    return Counter((value.row_id, value.value) for value in values)


@given(ruled())
def test_no_value_that_differs_from_the_models_is_ever_unlit(made: tuple[Proposals, Proposals]) -> None:
    read, charted = made
    found = marked(read, charted, SCHEMA)
    lights = CHOSEN.lights([(SCHEMA.row(one.row_id), one) for one in found.values], "")
    unlit = tuple(value for value, why in zip(found.values, lights, strict=True) if not why)
    assert not counted(unlit) - counted(read.values)
    assert counted(found.values) == counted(charted.values), "nothing is lost, and nothing added"
    assert found.unlikely == charted.unlikely


@given(ruled())
def test_what_is_not_the_models_own_keeps_nothing_of_what_layers_thought(made: tuple[Proposals, Proposals]) -> None:
    read, charted = made
    for value in marked(read, charted, SCHEMA).values:
        if value.flags:
            assert value.errors == ()
            assert all(text != display(SCHEMA.row(value.row_id), value.value) for text, _ in value.alternatives)


@given(st.lists(filled, max_size=5), st.lists(filled, max_size=5))
def test_what_no_rule_touched_is_not_touched(values: list[FilledValue], unlikely: list[FilledValue]) -> None:
    read = Proposals(tuple(values), tuple(unlikely))
    assert Counter(marked(read, read, SCHEMA).values) == Counter(values)
