"""Rows that belong together: instances of one thing, and one measurement in several ways."""

from __future__ import annotations

import pytest

from extraction.contract.records import Alias, ContractOption, ContractRow, DecidedBy, RelationKind, RowRelation
from extraction.contract.relations.row_relations import relations_of
from extraction.contract.rows.units import ucum_of

ALIKE, INSTANCES = RelationKind.ALIKE, RelationKind.INSTANCES


def number(
    name: str, unit: str = "", *, group: str = "Vital signs", also: str = "", retired: bool = False
) -> ContractRow:
    return ContractRow(
        name,
        name,
        "numeric",
        (Alias(also, "label"),) if also else (),
        categories=((group,),),
        unit=unit,
        ucum=ucum_of(unit),
        retired=retired,
    )


def select(name: str, *options: str, kind: str = "single_select") -> ContractRow:
    return ContractRow(name, name, kind, categories=(("Assessment",),), options=tuple(map(ContractOption, options)))


def related(kind: RelationKind, *rows: ContractRow) -> list[set[str]]:
    return [set(one.rows) for one in relations_of(rows) if one.kind == kind]


def test_one_pressure_by_cuff_by_line_and_by_hand() -> None:
    rows = [
        number("Arterial BP systolic", "mmHg"),
        number("Systolic NIBP", "mmHg"),
        number("Manual systolic blood pressure (left)", "mmHg"),
        number("Pulmonary artery systolic", "mmHg"),
        number("Arterial BP systolic alarm high", "mmHg"),
    ]
    assert related(ALIKE, *rows) == [{row.id for row in rows[:3]}]


def test_a_temperature_at_several_places_and_in_both_scales() -> None:
    rows = [number("Temp oral", "°F"), number("Temperature axillary (C)", "°C"), number("Skin probe temp", "°C")]
    assert related(ALIKE, *rows) == [{"Temp oral", "Temperature axillary (C)"}]


def test_outputs_of_one_kind_whatever_drains_them() -> None:
    urine = [number(name, "mL", group="Output") for name in ("Foley", "Void", "L Nephrostomy", "Straight cath")]
    chest = [number(name, "mL", group="Drains") for name in ("Mediastinal", "R Pleural #1")]
    others = [number("Urine", "mL", group="Intake"), number("Foley flush", "mL", group="Output")]
    assert related(ALIKE, *urine, *chest, *others) == [{row.id for row in urine}, {row.id for row in chest}]


def test_what_is_done_to_a_line_is_done_alike_to_another_one_and_broader_with_less_confidence() -> None:
    rows = [
        ContractRow(name, name, "date_time")
        for name in ("PICC cap change", "Arterial line cap change", "PICC tubing change")
    ]
    found = {one.name: one for one in relations_of(rows)}
    assert found["line cap change"].rows == ("PICC cap change", "Arterial line cap change")
    assert found["care of a line"].rows == tuple(row.id for row in rows)
    assert found["care of a line"].confidence < found["line cap change"].confidence < 1


def test_a_bedside_concept_under_two_names_with_its_options() -> None:
    rows = [select(name, "Clear", "White", "Yellow", "Green") for name in ("Sputum color", "Colour of sputum")]
    assert related(ALIKE, *rows, select("Color of urine", "Clear", "Yellow", "Amber")) == [{row.id for row in rows}]


def test_never_across_types_or_dimensions_of_units() -> None:
    rows = [number("Cardiac output (CCO)", "L/min"), number("Cardiac output (PiCCO)", "mL")]
    assert related(ALIKE, *rows, select("Cardiac output", "Low", "High"), ContractRow("x", "CO", "text")) == []
    assert related(INSTANCES, number("Drain 1", "mL"), number("Drain 2", "cm")) == []
    # a row without a unit goes with the others where they agree
    assert related(ALIKE, number("Weight (kg)", "kg"), number("Daily weight", "lb"), number("Admission weight")) == [
        {"Weight (kg)", "Daily weight", "Admission weight"}
    ]
    assert related(ALIKE, *rows, number("CO (NICOM)")) == []


@pytest.mark.parametrize(
    "names",
    [
        ("Albumin 4%", "Albumin 20%"),
        ("Feed 1.2 intake", "Feed 1.5 intake"),
        ("Dextrose 5% in saline", "Dextrose 10% in saline"),
        ("Apgar score 1 min", "Apgar score 5 min"),
        ("Supplement (1/2)", "Supplement (3/4)"),
        ("Minute volume", "% minute volume"),
    ],
)
def test_numbers_that_count_nothing_tell_rows_apart(names: tuple[str, str]) -> None:
    assert relations_of([number(name, "mL") for name in names]) == ()


def test_instances_differ_by_a_number_a_side_or_a_site_alone() -> None:
    rows = [select(name, "None", "Mild") for name in ("Edema RUE", "Edema LUE", "Bruising arm", "Bruising leg")]
    drains = [number(name, "mL") for name in ("Bulb", "Bulb #2", "Gas 14", "Gas 15")]
    assert related(INSTANCES, *rows, *drains) == [
        {"Bulb", "Bulb #2"},
        {"Edema RUE", "Edema LUE"},
        {"Bruising arm", "Bruising leg"},
    ]


def test_each_names_who_decided_and_how_sure_it_is_in_the_order_of_the_rows() -> None:
    rows = [number("Pulse", "/min"), number("Respirations", "/min"), number("HR", "bpm", also="Heart rate")]
    assert relations_of(rows) == (RowRelation(ALIKE, ("Pulse", "HR"), "heart rate", 0.8, DecidedBy.RULE),)


def test_retired_rows_belong_to_nothing() -> None:
    assert relations_of([number("Pulse", "/min"), number("HR", "/min", retired=True)]) == ()
