"""Repeated lines and wounds: which one a sentence is about, by site and side."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.record.run import NO_RUN
from app.store import Store
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task, on_instance_rows
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import families_of, place_rows
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Proposals, Value
from extraction.language.body_sites import Place, place_in
from extraction.language.sentences import segment
from extraction.preparation.instance_assignment import assign_instances
from extraction.retrieval.candidates import ReducedSchema
from extraction.retrieval.expansion import for_each_instance
from extraction.rules.instance_places import instance_places
from models.base.errors import InputError
from tests.kit.conditions import candidate
from tests.kit.rules import after, task_of
from tests.kit.store import filled, recorded


def options(*names: str) -> tuple[Option, ...]:
    return tuple(Option(name) for name in names)


def rows_of(number: int) -> tuple[Row, ...]:
    iv, wound = f"Peripheral IV {number}", f"Wound {number}"
    select, lines, wounds = ValueType.SINGLE_SELECT, ("Lines",), ("Wounds",)
    return (
        Row(f"iv{number}.site", f"{iv} site", select, lines, options=options("hand", "forearm", "wrist")),
        Row(f"iv{number}.side", f"{iv} side", select, lines, options=options("left", "right")),
        Row(f"iv{number}.gauge", f"{iv} gauge", select, lines, options=options("18 gauge", "22 gauge")),
        Row(f"wound{number}.location", f"{wound} location", ValueType.TEXT, wounds),
        Row(f"wound{number}.length", f"{wound} length", ValueType.NUMERIC, wounds, unit="cm"),
        Row(f"wound{number}.width", f"{wound} width", ValueType.NUMERIC, wounds, unit="cm"),
    )


OTHERS = (
    Row("pain", "Pain score (0-10)", ValueType.NUMERIC, ("Pain",)),
    Row("drain1.type", "Surgical drain 1 type", ValueType.TEXT, ("Drains",)),
)
SCHEMA = Schema("t", "Test", "1", (*rows_of(1), *rows_of(2), *OTHERS), "0" * 64, "test.json")
LEFT_HEEL, SACRUM = {"wound1.location": "left heel"}, {"wound2.location": "sacrum"}
FOREARM: dict[str, Value] = {"iv1.site": "forearm", "iv1.side": "left"}


def numbers(text: str, known: Mapping[str, Value], family: str = "Wound") -> list[int | str | None]:
    """The number assigned to each sentence, '-' for unrelated ones."""
    segments = segment(text)
    plan = assign_instances(SCHEMA, segments, known)
    given = [plan.assigned.get((one.index, family)) for one in segments]
    return ["-" if one is None else one.number for one in given]


def doubt(text: str, known: Mapping[str, Value]) -> Finding | None:
    plan = assign_instances(SCHEMA, segment(text), known)
    return next(iter(plan.assigned.values())).doubt


def test_rows_that_differ_only_in_a_number_form_a_family() -> None:
    assert {family.name: sorted(family.rows) for family in families_of(SCHEMA)} == {
        "Peripheral IV": [1, 2], "Wound": [1, 2],
    }  # fmt: skip
    assert place_rows(SCHEMA) == {
        "iv1.site", "iv1.side", "iv2.site", "iv2.side", "wound1.location", "wound2.location",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "known", "given"),
    [
        ("The left heel wound is 3 cm long.", LEFT_HEEL | SACRUM, [1]),
        ("The sacral wound is 3 cm long.", LEFT_HEEL | SACRUM, [2]),
        ("The right heel wound is 3 cm long.", LEFT_HEEL, [2]),
        ("The right heel wound is 3 cm long.", LEFT_HEEL | SACRUM, [None]),
        ("The heel wound is 3 cm long.", LEFT_HEEL | SACRUM, [1]),
        ("The wound is 3 cm long.", LEFT_HEEL, [1]),
        ("The wound is 3 cm long.", LEFT_HEEL | SACRUM, [1]),
        ("The wound is 3 cm long.", {}, ["-"]),
        ("The left hip wound is 3 cm long.", {}, [1]),
        ("The left hip wound is 3 cm long. The right hip wound is 2 cm long.", {}, [1, 2]),
        ("Wound 2 is 3 cm long.", LEFT_HEEL, [2]),
        ("Wound two is on the left hip. The left hip wound is 3 cm long.", {}, [2, 2]),
        ("The sacral wound is 3 cm long. Its dressing is stained.", LEFT_HEEL | SACRUM, [2, 2]),
        ("The sacral wound is 3 cm long. His pain is 4.", LEFT_HEEL | SACRUM, [2, "-"]),
        ("The wounds on the left and right heel are clean.", LEFT_HEEL, [None]),
        ("Wound 1 and wound 2 are clean.", LEFT_HEEL, [None]),
    ],
)
def test_a_sentence_is_assigned_to_one_wound(
    text: str, known: Mapping[str, Value], given: list[int | str | None]
) -> None:
    assert numbers(text, known) == given


def test_a_line_is_identified_by_site_and_side() -> None:
    both = FOREARM | {"iv2.site": "hand", "iv2.side": "right"}
    text = "The right hand IV is 22 gauge. The left forearm IV is 18 gauge. IV antibiotics were given in the left hand."
    assert numbers(text, both, "Peripheral IV") == [2, 1, "-"]
    assert numbers("The left hand IV is 22 gauge.", FOREARM, "Peripheral IV") == [2]


def test_doubtful_assignments_are_worded() -> None:
    for text, known, code, words in (
        ("The wound is 3 cm long.", LEFT_HEEL | SACRUM, "may_be_any", "may be any of Wound 1, Wound 2"),
        (
            "The right heel wound is 3 cm.", LEFT_HEEL | SACRUM, "unknown_place",
            "location matches none of Wound 1, Wound 2",
        ),
        ("The wounds on the left and right heel are clean.", {}, "both_sides_said", "left and right were both said"),
        ("Wound 1 and wound 2 are clean.", LEFT_HEEL, "several_named", "more than one was named: check which"),
    ):  # fmt: skip
        found = doubt(text, known)
        assert found is not None
        assert (found.code, found.text, found.lights) == (code, words, False)
    assert doubt("The left heel wound is 3 cm long.", LEFT_HEEL | SACRUM) is None


def test_a_dictation_without_instances_is_unchanged() -> None:
    plan = assign_instances(SCHEMA, segment("His pain is 4. His left hand is warm."), LEFT_HEEL)
    reduced = ReducedSchema((candidate("pain", 0),))
    assert not plan
    assert for_each_instance(reduced, plan) is reduced
    assert list(instance_places(task_of("", SCHEMA, plan=plan), Proposals((), ()))) == []


SIDES, SITES = st.sampled_from(["left", "right"]), st.sampled_from(["heel", "hip", "knee", "foot", "hand"])


@given(SIDES, SITES, SIDES, SITES)
def test_left_and_right_are_never_merged(side: str, site: str, other_side: str, other_site: str) -> None:
    known = {"wound1.location": f"{side} {site}"}
    (given_number,) = numbers(f"The {other_side} {other_site} wound is 3 cm long.", known)
    assert given_number == (1 if (side, site) == (other_side, other_site) else 2)


@given(st.text(alphabet="left right hel wound 12 IV.", max_size=60))
def test_any_text_is_accepted(text: str) -> None:
    plan = assign_instances(SCHEMA, segment(text), LEFT_HEEL)
    assert all(one.number in (None, 1, 2) for one in plan.assigned.values())


def test_a_place_has_a_side_and_sites() -> None:
    assert place_in("dorsum of the right hand") == Place("right", frozenset({"hand"}))
    assert place_in("sacral area").sites == place_in("coccyx").sites
    assert place_in("left and right") == Place()


# from the plan to the chart


def charted_from(
    text: str, known: Mapping[str, Value], asked: str, said: str
) -> list[tuple[str, Value, tuple[Finding, ...]]]:
    """The proposals from one reading of the first sentence, checking the confidence of rules and models."""
    segments = segment(text)
    plan = assign_instances(SCHEMA, segments, known)
    (candidate_row,) = {one.row_id for one in for_each_instance(ReducedSchema((candidate(asked, 0),)), plan).candidates}
    row = SCHEMA.row(candidate_row)
    span = (text.index(said), text.index(said) + len(said))
    value: Value = float(said) if row.value_type is ValueType.NUMERIC else said
    task = Task(text, segments, SCHEMA, ReducedSchema(()), dt.date(2026, 1, 1), (), plan)
    (reading,) = on_instance_rows(plan, [Reading(row, candidate(asked, 0), value, segments[0], span, 0.9, 0.9)])
    proposals = propose(task, [WeighedReading(reading, 0.8)], 0.5, "test")
    found = after(instance_places(task, proposals), proposals, SCHEMA, rule="instance")
    own = [(one.row_id, one.confidence) for one in found.values if not one.rule]
    assert own == [(reading.row.id, 0.8)]
    assert {(one.rule, one.confidence) for one in found.values if one.rule} <= {("instance", 0.5)}
    return [(one.row_id, one.value, one.findings) for one in found.values]


def test_readings_are_charted_for_the_assigned_instance() -> None:
    text = "The sacral wound is 3 cm long."
    assert charted_from(text, LEFT_HEEL | SACRUM, "wound1.length", "3") == [("wound2.length", 3.0, ())]
    assert charted_from(text, LEFT_HEEL | SACRUM, "wound2.length", "3") == [("wound2.length", 3.0, ())]
    assert charted_from("The wound is 3 cm long.", LEFT_HEEL | SACRUM, "wound2.length", "3") == [
        ("wound1.length", 3.0, (Finding("may_be_any", ("Wound 1, Wound 2",), "instance"),))
    ]


def by_rule(words: str) -> Finding:
    found = Finding("place_of_instance", (words,), "instance")
    assert found.lights
    assert found.text == f"taken from “{words}” in the same sentence"
    return found


def test_the_place_of_a_new_instance_is_charted() -> None:
    assert charted_from("The right heel wound is 3 cm long.", LEFT_HEEL, "wound1.length", "3") == [
        ("wound2.length", 3.0, ()), ("wound2.location", "right heel", (by_rule("right heel"),)),
    ]  # fmt: skip
    assert charted_from("The right hand IV is 22 gauge.", FOREARM, "iv1.gauge", "22 gauge") == [
        ("iv2.gauge", "22 gauge", ()),
        ("iv2.side", "right", (by_rule("right hand"),)), ("iv2.site", "hand", (by_rule("right hand"),)),
    ]  # fmt: skip


def test_rows_are_asked_once_per_instance() -> None:
    segments = segment("The left heel wound is 3 cm long. The sacral wound is 4 cm long. His pain is 4.")
    plan = assign_instances(SCHEMA, segments, LEFT_HEEL | SACRUM)
    pooled = ReducedSchema((candidate("wound1.length", 0, 1), candidate("wound2.length", 0, 1), candidate("pain", 2)))
    asked = [(one.row_id, [hit.segment for hit in one.hits]) for one in for_each_instance(pooled, plan).candidates]
    assert asked == [("wound1.length", [0]), ("wound2.length", [1]), ("pain", [2])]


def test_the_store_returns_the_confirmed_values_of_a_stay(tmp_path: Path) -> None:
    with Store(tmp_path / "wardlight.db") as store:
        dictation = recorded(store, tmp_path)
        store.runs.save(dictation.id, [filled("note", "hand"), filled("hr", 90.0), filled("rass", 1.0)], NO_RUN)
        note, rate, _ = (value.id for value in store.values.of(dictation.id))
        store.reviews.decide_all([note, rate], "confirm", "Kim")
        store.reviews.decide(note, "edit", "Kim", value="wrist")
        assert store.values.confirmed(dictation.encounter_id, ["note", "rass"]) == {"note": "wrist"}
        with pytest.raises(InputError, match="no encounter"):
            store.values.confirmed(dictation.encounter_id + 1, ["note"])
