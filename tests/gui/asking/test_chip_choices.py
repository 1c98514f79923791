"""Every label of a question leads to its own place in the tree, and each choice is a whole tree."""

from __future__ import annotations

from datetime import datetime, time
from pathlib import Path

import pytest

from extraction.flowsheet.schema import Schema
from extraction.questions.query import (
    ALWAYS,
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Comparison,
    Condition,
    CountPatients,
    Measure,
    Missing,
    Not,
    Order,
    Part,
    Query,
    Quote,
    Rate,
    Select,
    Sequence,
    Subject,
    Value,
    Window,
)
from extraction.questions.ward import WardPatient
from extraction.questions.wording import chips
from extraction.schema_files.native_format import parse_schema
from tests.kit.fake_app import write_schema
from ui.asking.chip_choices import Changeable, Editor, Ward, changeable, without_condition
from ui.asking.tree_places import part_at, parts_of, with_part

NOW = datetime(2026, 11, 20, 21, 0)  # noqa: DTZ001 - the ward's clock has no zone
PULSE, PAIN, URINE = (
    Measure("Heart rate", ("hr",)),
    Measure("Pain score", ("pain",)),
    Measure("Urine output", ("urine",)),
)
NIGHT = Window(datetime(2026, 11, 20), None, "since midnight")  # noqa: DTZ001
FAST = Condition(Value(PULSE), Comparison.ABOVE, numbers=(100.0,))
SORE = Condition(Value(PAIN, Aggregate.ANY), Comparison.AT_LEAST, numbers=(4.0,))
TREES: tuple[Query, ...] = (
    Select(values=(Value(PULSE),)),
    Select(values=(Value(PULSE),), where=FAST, order=Order.HIGHEST_FIRST, limit=1),
    Select(Subject((1,), "bed 12"), where=AllOf((FAST, SORE, Not(FAST)))),
    CountPatients(Select(where=AnyOf((FAST, SORE)))),
    Select(values=(Value(URINE, Aggregate.SUM, NIGHT, Rate.HOUR), Balance(NIGHT))),
    Sequence(Subject((1,), "bed 12"), (PULSE, PAIN), NIGHT),
    Missing(Subject(), (PAIN,), NIGHT),
    Quote("left heel"),
)


@pytest.fixture
def ward(tmp_path: Path) -> Ward:
    file = write_schema(tmp_path)
    schema: Schema = parse_schema(file.read_bytes(), str(file))
    patients = (WardPatient(1, "Hawthorne, Ada", "12"), WardPatient(2, "Okafor, Ben", "3"))
    return Ward(schema, patients, NOW, (time(7), time(19)))


def named(parts: tuple[Changeable, ...], label: str) -> Changeable:
    return next(part for part in parts if part.label == label)


def labels(part: Changeable) -> list[str]:
    return [choice.label for choice in part.choices]


@pytest.mark.parametrize("query", TREES)
def test_every_label_is_of_what_stands_in_its_place(query: Query) -> None:
    parts = parts_of(query)
    assert {part.chip for part in parts} >= {*chips(query)}
    for part in parts:
        assert part_at(query, part.place) == part.chip.part
        assert with_part(query, part.place, part.chip.part) == query


@pytest.mark.parametrize("query", TREES)
def test_the_chosen_one_of_the_choices_is_what_is_asked_now(query: Query, ward: Ward) -> None:
    for part in changeable(query, ward):
        assert len({choice.query for choice in part.choices}) == len(part.choices), part
        assert all(choice.chosen == (choice.query == query) for choice in part.choices), part


def test_two_conditions_about_one_row_are_changed_apart(ward: Ward) -> None:
    shared = Value(PULSE)
    query = Select(where=AllOf((Condition(shared, Comparison.ABOVE, numbers=(100.0,)),
                                Condition(shared, Comparison.BELOW, numbers=(120.0,)))))  # fmt: skip
    rows = [part for part in changeable(query, ward) if part.label == "Heart rate"]
    assert [part.place for part in rows] == [
        ("where", "conditions", 0, "value", "measure"),
        ("where", "conditions", 1, "value", "measure"),
    ]
    windows = [part for part in changeable(query, ward) if part.label == "any time"]
    changed = next(choice.query for choice in windows[1].choices if choice.label == "since midnight")
    assert part_at(changed, ("where", "conditions", 0, "value", "window")) == ALWAYS
    assert part_at(changed, ("where", "conditions", 1, "value", "window")) == NIGHT


def test_what_a_question_leaves_open_can_be_changed(ward: Ward) -> None:
    parts = changeable(Select(values=(Value(PULSE),)), ward)
    assert [part.label for part in parts] == ["Heart rate", "latest", "any time", "all patients", "by bed"]
    assert "highest" in labels(named(parts, "latest"))
    assert labels(named(parts, "all patients")) == ["all patients", "bed 12 · Hawthorne, Ada", "bed 3 · Okafor, Ben"]


def test_windows_are_reckoned_from_the_clock_of_the_answer(ward: Ward) -> None:
    window = named(changeable(Select(values=(Value(PULSE),)), ward), "any time")
    found = {choice.label: part_at(choice.query, window.place) for choice in window.choices}
    assert found["this shift"].since == datetime(2026, 11, 20, 19)  # noqa: DTZ001
    assert (found["last shift"].since, found["last shift"].until) == (
        datetime(2026, 11, 20, 7),  # noqa: DTZ001
        datetime(2026, 11, 20, 19),  # noqa: DTZ001
    )
    assert found["last 8 hours"].since == datetime(2026, 11, 20, 13)  # noqa: DTZ001


def test_a_row_can_be_another_one_of_its_group_or_what_the_words_may_mean_besides(ward: Ward) -> None:
    other = Select(values=(Value(Measure("Weight", ("weight",), "it")),))
    rivals = Ward(ward.schema, ward.patients, ward.now, ward.shifts, (other,))
    row = named(changeable(Select(values=(Value(PULSE),)), rivals), "Heart rate")
    assert labels(row)[:2] == ["Heart rate", "Weight"]
    assert "Respiratory rate" in labels(row)
    assert row.editor is Editor.ROW
    pressure = changeable(Select(values=(Value(Measure("Blood pressure", ("bp",), part=Part.SYSTOLIC)),)), ward)[0]
    assert labels(pressure)[:3] == ["Blood pressure, systolic", "Blood pressure", "Blood pressure, diastolic"]


def test_sums_and_rates_are_of_volumes_only(ward: Ward) -> None:
    assert "total" not in labels(named(changeable(Select(values=(Value(PULSE),)), ward), "latest"))
    total = named(changeable(Select(values=(Value(URINE, Aggregate.SUM),)), ward), "total")
    assert {"total", "per hour", "per day"} <= {*labels(total)}
    divided = named(changeable(Select(values=(Value(URINE, Aggregate.SUM, rate=Rate.HOUR),)), ward), "per hour")
    assert labels(divided) == ["not divided", "per hour", "per day"]


def test_a_condition_can_go_and_leaves_what_it_was_about() -> None:
    assert without_condition(Select(where=FAST), ("where",)) == Select(values=(Value(PULSE),))
    both = Select(where=AllOf((FAST, SORE)))
    assert without_condition(both, ("where", "conditions", 0)) == Select(where=SORE)
    assert without_condition(Select(where=Not(FAST)), ("where", "condition")) is None
