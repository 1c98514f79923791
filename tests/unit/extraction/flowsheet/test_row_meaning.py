"""The meaning of rows: stated by the schema, or inferred from names, and used by the rules."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.filling.closed_answers import choices
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.instance_families import families_of, place_rows
from extraction.flowsheet.naming.instance_names import groups_of
from extraction.flowsheet.naming.row_meaning import NOTHING, is_temperature, meaning_of
from extraction.flowsheet.naming.row_words import object_words
from extraction.flowsheet.schema import NUMBER_TYPES, SAID_TYPES, Instance, Laterality, Role, Row, Schema, ValueType
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.sentences import segment
from extraction.language.vocabulary.loader import use_ward_folder
from extraction.language.vocabulary.words import stems
from extraction.preparation.instance_assignment import assign_instances
from extraction.rules.changes import Change
from extraction.rules.explicit_statements import explicit_statements
from extraction.rules.instance_places import instance_places
from extraction.rules.laterality import laterality
from extraction.schema_files.native_format import load_schema
from tests.end_to_end.conftest import DEMO_SCHEMA
from tests.kit.language import add_words, shipped_words_afterwards
from tests.kit.rules import applied, task_of
from tests.kit.strangers import EXPLICIT, NUMERIC, SELECT, STRANGER, TEXT, options, schema_of

BOTH = pytest.mark.parametrize("schema", [STRANGER, EXPLICIT], ids=["inferred", "stated"])


def ids(schema: Schema) -> dict[str, dict[int, dict[str, str]]]:
    return {
        group.name: {number: {what: row.id for what, row in rows.items()} for number, rows in group.rows.items()}
        for group in meaning_of(schema).groups
    }


# an unknown schema


@pytest.mark.parametrize(("schema", "line"), [(STRANGER, "LDA PIV"), (EXPLICIT, "Peripheral IV")])
def test_lines_and_wounds_are_found_with_their_recorded_properties(schema: Schema, line: str) -> None:
    lines = {"Location (Anatomical)": "loc", "Orientation": "ori", "Gauge": "gauge", "Site Assessment": "assess"}
    wounds = {"Location": "loc", "Type": "kind", "Length (cm)": "len", "Drainage Amount": "drain"}
    assert ids(schema) == {
        line: {number: {what: f"piv{number}.{short}" for what, short in lines.items()} for number in (1, 2)},
        "Wound": {number: {what: f"w{number}.{short}" for what, short in wounds.items()} for number in (1, 2)},
    }
    of = meaning_of(schema).of
    assert (of("piv2.loc").role, of("piv2.ori").role, of("w1.kind").role) == (Role.SITE, Role.SIDE, Role.TYPE)
    assert of("piv2.assess").role is None
    assert place_rows(schema) == {"piv1.loc", "piv1.ori", "piv2.loc", "piv2.ori", "w1.loc", "w2.loc"}
    assert meaning_of(schema).unclaimed == ()


@BOTH
def test_sides_numbers_and_temperatures_are_found(schema: Schema) -> None:
    rows = meaning_of(schema).rows
    assert {row_id: str(one.laterality) for row_id, one in rows.items() if one.laterality} == {
        "pupil.r": "right", "pupil.l": "left", "react.r": "right", "react.l": "left",
        "edema.r": "right", "edema.l": "left", "lue": "left",
    }  # fmt: skip
    assert {row_id: one.measured_with for row_id, one in rows.items() if one.measured_with} == {"temp.src": ("temp",)}
    assert [row.id for row in schema.rows if is_temperature(row)] == ["temp"]


def test_inferred_fields_are_marked() -> None:
    assert meaning_of(STRANGER).of("piv1.loc").inferred == {"instance", "role"}
    assert meaning_of(STRANGER).of("temp.src").inferred == {"measured_with"}
    assert {one.inferred for one in meaning_of(EXPLICIT).rows.values()} == {frozenset()}


@pytest.mark.parametrize(
    "row_id", ["fio2", "vol", "rt", "pacer", "b12", "cn7", "hour1", "hour2", "q2", "pain"]
)  # fmt: skip
def test_unrelated_numbers_and_letters_are_ignored(row_id: str) -> None:
    assert meaning_of(STRANGER).of(row_id) is NOTHING


KNOWN: dict[str, Value] = {"piv1.loc": "Forearm", "piv1.ori": "Left", "w1.loc": "L heel"}


@BOTH
def test_sentences_are_assigned_to_lines_and_wounds_of_an_unknown_schema(schema: Schema) -> None:
    text = "The left forearm IV is clean. A 20 gauge IV in the right hand. The right heel wound is 3 cm long."
    plan = assign_instances(schema, segment(text), KNOWN)
    assert [one.number for one in plan.assigned.values()] == [1, 2, 2]
    assert [index for index, _ in plan.assigned] == [0, 1, 2]


@BOTH
def test_the_place_of_a_new_line_is_charted_in_an_unknown_schema(schema: Schema) -> None:
    text = "The right hand IV is red."
    segments = segment(text)
    read = value(text, "piv2.assess", "Red", "red")
    plan = assign_instances(schema, segments, KNOWN)
    found = after(schema, read, rule=lambda start: instance_places(task_of(text, schema, plan=plan), start))
    assert {one.row_id: one.value for one in found.values} == {
        "piv2.assess": "Red", "piv2.loc": "Hand", "piv2.ori": "Right",
    }  # fmt: skip


@BOTH
def test_statements_about_one_side_are_not_charted_for_the_other(schema: Schema) -> None:
    text = "Trace edema in the left leg, 3+ in the right leg."
    read = value(text, "edema.l", "3+", "3+")
    (kept,) = after(schema, read, rule=lambda start: laterality(task_of(text, schema), start)).values
    assert (kept.value, kept.findings) == ("Trace", (Finding("other_side", ("3+", "right"), "rule"),))


@BOTH
def test_a_select_that_qualifies_a_number_is_promoted_with_it(schema: Schema) -> None:
    text = "temp 101.4 oral"
    number, source = value(text, "temp", 101.4, "101.4"), value(text, "temp.src", "Oral", "oral")
    found = after(
        schema, number, held_back=(source,), rule=lambda start: explicit_statements(task_of(text, schema), start)
    )
    assert [one.row_id for one in found.values] == ["temp", "temp.src"]


@BOTH
def test_a_temperature_may_be_two_numbers_in_words(schema: Schema) -> None:
    said = choices(schema.row("temp"), segment("Temp is ninety-eight six."), dt.date(2026, 3, 1))
    assert "98.6" in [choice.text for choice in said]


def after(
    schema: Schema,
    *proposed: FilledValue,
    rule: Callable[[Proposals], Iterable[Change]],
    held_back: tuple[FilledValue, ...] = (),
) -> Proposals:
    """The proposals after a rule."""
    start = Proposals(proposed, held_back)
    return applied(schema, start, rule(start), "rule")


def value(text: str, row_id: str, what: Value, words: str) -> FilledValue:
    start = text.index(words)
    around = next(one for one in segment(text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, around.start, around.end)
    return FilledValue(row_id, what, None, evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", "", 0), "rowwise")


# ways to write a number


WHAT = ("Site", "Gauge", "Dressing Status")
STYLES: Mapping[str, Callable[[int, str], str]] = {
    "in the middle": lambda n, what: f"PIV {n} {what}",
    "with a number sign": lambda n, what: f"PIV #{n} {what}",
    "with a word before it": lambda n, what: f"PIV no. {n}: {what}",
    "in brackets": lambda n, what: f"[PIV {n}] {what}",
    "with what is recorded in brackets": lambda n, what: f"PIV {n} ({what})",
    "with underscores": lambda n, what: f"PIV_{n}_{what}",
    "glued": lambda n, what: f"PIV{n} {what}",
    "at the end": lambda n, what: f"PIV {what} {n}",
    "at the end with a unit": lambda n, what: f"PIV {what} #{n} (unit)",
    "behind what is recorded": lambda n, what: f"{what} - PIV {n}",
    "of the line": lambda n, what: f"{what} of the PIV {n}",
    "at the end in brackets": lambda n, what: f"{what} (PIV {n})",
    "first": lambda n, what: f"{n}. PIV {what}",
}


@pytest.mark.parametrize("style", STYLES)
def test_the_number_of_a_line_may_be_anywhere_in_the_name(style: str) -> None:
    rows = [Row(f"{n}.{what}", STYLES[style](n, what), TEXT, ()) for n in (1, 2) for what in WHAT]
    groups, unclaimed = groups_of(rows)
    assert [(group.name, sorted(group.rows)) for group in groups] == [("PIV", [1, 2])]
    assert [list(rows) for rows in groups[0].rows.values()] == [list(WHAT)] * 2
    assert groups[0].roles == {"Site": Role.SITE}
    assert unclaimed == ()


@pytest.mark.parametrize(
    "names",
    [
        ["Vitamin B12 site", "Vitamin B12 type", "Vitamin B12 dose"],
        ["FiO2 site", "FiO2 type", "FiO2 device"],
        ["Cranial nerve 7", "Cranial nerve 8", "Cranial nerve 9"],
        ["Hour 1 intake", "Hour 1 output", "Hour 2 intake", "Hour 2 output"],
        ["Wound score 0-10 site", "Wound score 0-10 type", "Wound score 0-10 side"],
        ["SpO2 5% site", "SpO2 5% side", "SpO2 5% type"],
        ["Urine output 24 hour total", "Urine output 24 hour goal", "Urine output 24 hour loss"],
    ],
)
def test_numbers_that_do_not_count_instances_make_no_group(names: list[str]) -> None:
    assert groups_of([Row(name, name, TEXT, ()) for name in names])[0] == ()


def test_an_ambiguous_side_needs_a_row_for_the_other_side() -> None:
    def sides(*names: str) -> list[str]:
        schema = schema_of(*(Row(name, name, NUMERIC, ()) for name in names))
        return [str(meaning_of(schema).of(name).laterality or "-") for name in names]

    assert sides("Flow (L)", "Flow (R)") == ["left", "right"]
    assert sides("Flow (L)", "Rate (R)") == ["-", "-"]
    assert sides("L Pupil", "Right pupil") == ["left", "right"]
    assert sides("Rt/Lt foot pulse", "RUE edema", "RML breath sounds") == ["-", "right", "right"]
    assert sides("Left and right arm", "Left leg", "Time since RT") == ["-", "left", "-"]


def test_an_abbreviated_side_is_not_an_object_word() -> None:
    words = object_words(STRANGER)
    assert words["edema.l"] == words["edema.r"] == {"leg", "edema", "neuro"}


@pytest.mark.parametrize(
    ("name", "unit", "is_one"),
    [
        ("Tmax", "Cel", True),
        ("Temp", None, True),
        ("Temp (C)", "°C", True),
        ("Skin temperature", "points", True),
        ("Temp wire output", "mA", False),
        ("Attempts", None, False),
    ],
)
def test_temperatures_are_recognised_by_unit_or_name(name: str, unit: str | None, is_one: bool) -> None:
    assert is_temperature(Row("t", name, NUMERIC, (), unit=unit)) is is_one


def test_a_ward_can_add_abbreviations_and_roles(tmp_path: Path) -> None:
    rows = [Row(f"{n}.{what}", f"MDC {n} {what}", TEXT, ()) for n in (1, 2) for what in ("where", "flow", "care")]
    assert families_of(schema_of(*rows)) == ()
    add_words(tmp_path, "row_names", '[called]\nmdc = ["midline"]\n[roles]\nsite = ["where"]\n')
    with shipped_words_afterwards():
        use_ward_folder(tmp_path)
        (family,) = families_of(schema_of(*(replace(row, category=("Lines",)) for row in rows)))
        assert family.places == {"where"}
        assert family.mention("The left arm midline is running.")
    assert families_of(schema_of(*(replace(row, category=("Others",)) for row in rows))) == ()


# stated wins over inferred


def pump(number: int, *what: str) -> list[Row]:
    return [Row(f"{number}.{one}", f"IV pump {number} {one}", TEXT, ()) for one in what]


def test_a_field_stated_as_none_stays_empty() -> None:
    none = ("instance", "role", "laterality", "measured_with")
    rows = [replace(row, stated_none=none) for row in STRANGER.rows]
    assert meaning_of(schema_of(*rows)).rows == {}


def test_a_row_stated_as_no_instance_leaves_the_group_intact() -> None:
    rows = [replace(row, stated_none=("instance",)) if row.id == "piv1.gauge" else row for row in STRANGER.rows]
    group = meaning_of(schema_of(*rows)).groups[0]
    assert [len(of) for of in group.rows.values()] == [3, 4]


def test_rows_without_statements_join_the_group_in_their_name() -> None:
    stated = Row("spot", "Where the pump hangs", TEXT, (), instance=Instance("IV pump", 1), role=Role.SITE)
    schema = schema_of(stated, *pump(1, "rate"))
    assert ids(schema) == {"IV pump": {1: {"Where the pump hangs": "spot", "rate": "1.rate"}}}
    assert meaning_of(schema).of("1.rate").inferred == {"instance"}


def test_rows_of_one_instance_may_have_names_without_a_number() -> None:
    rows = [
        Row(f"{number}.{what}", what, TEXT, ("Lines", f"Line {number}"), instance=Instance("Port", number))
        for number in (1, 2)
        for what in ("Site", "Needle")
    ]
    assert ids(schema_of(*rows)) == {"Port": {n: {"Site": f"{n}.Site", "Needle": f"{n}.Needle"} for n in (1, 2)}}


def test_a_stated_role_applies_to_the_same_row_of_every_instance() -> None:
    rows = [row for n in (1, 2) for row in pump(n, "spot", "rate", "dose")]
    rows[0] = replace(rows[0], role=Role.SITE)
    (group,) = meaning_of(schema_of(*rows)).groups
    assert group.roles == {"spot": Role.SITE}
    assert place_rows(schema_of(*rows)) == {"1.spot", "2.spot"}


@pytest.mark.parametrize(
    ("rows", "group", "left", "why"),
    [
        ([*pump(1, "rate", "dose", "drug"), *pump(2, "rate", "dose", "drug")], "IV pump", 6, "no row says where it is"),
        ([*pump(1, "site", "dose", "drug"), *pump(2, "site", "dose")], "IV pump", 5, "too few rows in common"),
        ([*pump(1, "site", "dose")], "IV pump", 2, "too few rows"),
        ([*pump(1, "site", "dose", "drug"), *pump(2, "note")], "IV pump", 1, "too few rows of this number"),
        ([*pump(1, "site", "dose", "drug"), Row("x", "IV Pump #1: Dose", TEXT, ())], "IV pump", 1,
            "another row is read in the same way"),
        ([Row("x", "Output", TEXT, (), instance=Instance("Drain", 1))], "Drain", 1, "no row says where it is"),
        ([Row("x", "Output", TEXT, (), role=Role.TYPE)], "", 1,
            "a role says what is recorded of an instance, and they belong to none"),
    ],
)  # fmt: skip
def test_rows_that_only_resemble_instances_are_reported(rows: list[Row], group: str, left: int, why: str) -> None:
    (found,) = meaning_of(schema_of(*rows)).unclaimed
    assert (found.group, len(found.row_ids), found.why) == (group, left, why)


def test_a_row_that_only_the_second_instance_has_is_asked() -> None:
    rows = [*pump(1, "site", "dose", "drug"), *pump(2, "site", "dose", "drug", "battery")]
    (family,) = families_of(schema_of(*rows))
    assert family.named["battery"] == (frozenset({"battery"}),)


# the plain convention


def by_convention(rows: tuple[Row, ...]) -> dict[str, dict[int, dict[str, str]]]:
    """Rows named "GROUP NUMBER WHAT", if all numbers share three rows, one of which gives the location."""
    found: dict[str, dict[int, dict[str, str]]] = {}
    for row in rows:
        if match := re.fullmatch(r"(\D*\b[A-Za-z]\w*) (\d+) (\D+)", row.name):
            found.setdefault(match[1], {}).setdefault(int(match[2]), {})[match[3]] = row.id
    shared = {name: frozenset.intersection(*map(frozenset, numbers.values())) for name, numbers in found.items()}
    return {
        name: numbers
        for name, numbers in found.items()
        if len(shared[name]) >= 3 and shared[name] & {"site", "side", "location"}
    }


def test_the_demonstration_schema_is_understood_by_its_names() -> None:
    schema = load_schema(DEMO_SCHEMA)
    meaning = meaning_of(schema)
    assert ids(schema) == by_convention(schema.rows)
    assert {group.name: [len(rows) for rows in group.rows.values()] for group in meaning.groups} == {
        "Wound": [15, 15], "Peripheral IV": [10, 10], "Surgical drain": [10],
    }  # fmt: skip
    assert meaning.unclaimed == ()
    numbers = [row for row in schema.rows if row.value_type in SAID_TYPES]
    for row in schema.rows:
        sides = {side.lower() for side in re.findall(r"\b(left|right)\b", row.name, re.IGNORECASE)}
        assert meaning.of(row.id).laterality == (Laterality(sides.pop()) if len(sides) == 1 else None), row.name
        if row.value_type in NUMBER_TYPES:
            assert is_temperature(row) == (row.dimension == "temperature" or "temperatur" in stems(row.name)), row.name
        beside = {
            one.id
            for one in numbers
            if row.value_type is ValueType.SINGLE_SELECT
            and not row.unit_of
            and (row.name.startswith(f"{one.name} ") or one.name.startswith(f"{row.name} "))
        }
        assert set(meaning.of(row.id).measured_with) == beside, row.name


WORDS = st.sampled_from(["wound", "drain", "line", "chest tube"])
RECORDED = st.sampled_from(["site", "side", "location", "type", "length", "site condition", "color", "output volume"])


@given(st.lists(st.tuples(WORDS, st.integers(1, 3), RECORDED), max_size=40, unique=True))
def test_names_in_the_plain_convention_form_groups(parts: list[tuple[str, int, str]]) -> None:
    names = [f"{word} {number} {what}" for word, number, what in parts]
    schema = schema_of(*(Row(name, name, TEXT, ()) for name in names))
    wanted = by_convention(schema.rows)
    assert {name: rows for name, rows in ids(schema).items() if name in wanted} == wanted


NAMES = st.lists(
    st.lists(
        st.sampled_from("PIV wound site side type depth #1 2 ( ) - of L B12 1".split()), min_size=1, max_size=7
    ).map(" ".join),
    max_size=40,
    unique=True,
)


@given(NAMES)
def test_any_names_are_accepted_and_a_row_has_at_most_one_instance(names: list[str]) -> None:
    groups, unclaimed = groups_of([Row(name, name, TEXT, ()) for name in names])
    claimed = [row.id for group in groups for rows in group.rows.values() for row in rows.values()]
    assert len(claimed) == len(set(claimed))
    assert not set(claimed) & {row_id for one in unclaimed for row_id in one.row_ids}
    assert len({group.name.casefold() for group in groups}) == len(groups)


def test_a_place_in_a_multi_select_is_charted_as_a_list() -> None:
    rows = [
        Row("1.site", "Line 1 site", ValueType.MULTI_SELECT, (), options=options("Hand", "Arm")),
        *(Row(f"1.{what}", f"Line 1 {what}", TEXT, ()) for what in ("flow", "care")),
    ]
    text = "The left hand line is running."
    read = value(text, "1.flow", "running", "running")
    schema = schema_of(*rows)
    plan = assign_instances(schema, segment(text), {})
    found = after(schema, read, rule=lambda start: instance_places(task_of(text, schema, plan=plan), start))
    assert {one.row_id: one.value for one in found.values} == {"1.flow": "running", "1.site": ("Hand",)}


def test_the_meaning_of_a_schema_is_computed_once() -> None:
    schema = schema_of(*STRANGER.rows)
    assert meaning_of(schema) is meaning_of(schema)
    assert families_of(schema) is families_of(schema)


def test_options_for_a_side_may_be_abbreviated() -> None:
    rows = [
        Row("1.site", "Line 1 site", TEXT, ()),
        Row("1.side", "Line 1 side", SELECT, (), options=options("L", "R")),
        Row("1.flow", "Line 1 flow", TEXT, ()),
    ]
    text = "The left hand line is running."
    segments = segment(text)
    schema = schema_of(*rows)
    read = value(text, "1.flow", "running", "running")
    plan = assign_instances(schema, segments, {})
    found = after(schema, read, rule=lambda start: instance_places(task_of(text, schema, plan=plan), start))
    assert {one.row_id: one.value for one in found.values} == {
        "1.flow": "running",
        "1.site": "left hand",
        "1.side": "L",
    }
    assert assign_instances(schema, segments, {"1.side": "L", "1.site": "hand"}).assigned[0, "Line"].number == 1
