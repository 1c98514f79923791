"""The order of a handover, and what a ward's own file may say."""

from __future__ import annotations

import pytest

from app.chart.handover.layout import HandoverLayout, SectionKind, parse_layout
from app.services.handover.prepare import SHIPPED
from extraction.flowsheet.schema import Schema
from extraction.schema_files.native_format import load_schema
from models.base.errors import InputError
from resources import DEMONSTRATION_SCHEMA

REST = '[[section]]\ntitle = "All"\nkind = "values"\nrest = true\n'


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_schema(DEMONSTRATION_SCHEMA)


@pytest.fixture(params=["ipass", "sbar"])
def shipped(request: pytest.FixtureRequest) -> HandoverLayout:
    return parse_layout((SHIPPED / f"{request.param}.toml").read_text(encoding="utf-8"), request.param)


def test_each_row_is_in_exactly_one_section(shipped: HandoverLayout, schema: Schema) -> None:
    assert shipped.places(schema).keys() == schema.by_id.keys()


@pytest.mark.parametrize(
    ("row", "title"),
    [
        ("Respiratory rate", "Vital signs"),
        ("Oxygen saturation (SpO2)", "Vital signs"),
        ("Urinary catheter insertion date", "Lines, drains and wounds"),
        ("Wound 1 depth", "Lines, drains and wounds"),
        ("Oral intake volume", "Intake and output"),
        ("Pain location", "Pain"),
        ("Level of consciousness", "Mind and nerves"),
        ("Skin turgor", "Skin"),
        ("Fall risk level", "Safety"),
        ("Code status", "Situation"),
        ("Linen change", "Everything else"),
    ],
)
def test_rows_are_where_a_nurse_looks_for_them(shipped: HandoverLayout, schema: Schema, row: str, title: str) -> None:
    row_id = next(one.id for one in schema.rows if one.name == row)
    assert shipped.sections[shipped.places(schema)[row_id]].title == title


def test_both_orders_have_the_same_sections() -> None:
    one, other = (
        parse_layout((SHIPPED / f"{name}.toml").read_text(encoding="utf-8"), name) for name in ("ipass", "sbar")
    )
    assert {part.title: part for part in one.sections} == {part.title: part for part in other.sections}
    assert {part.kind for part in one.sections} == {*SectionKind}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "is not valid TOML"),
        ('name = "A"', "has no sections"),
        (f'colour = "red"\n{REST}', "has 'colour', which is no setting"),
        (f"hours = 0\n{REST}", "says hours = 0"),
        (f"hours = true\n{REST}", "says hours = True"),
        ('[[section]]\nkind = "values"\n', "gives section 1 no title"),
        ('[[section]]\ntitle = "A"\nkind = "list"\n', "gives section 1, 'A', the kind 'list'"),
        (f'{REST}[[section]]\ntitle = "B"\nkind = "typed"\n', "does not say which part section 2, 'B', is"),
        (f'{REST}[[section]]\ntitle = "B"\nkind = "gaps"\nrest = true\n', "'rest', which only other kinds have"),
        (f'{REST}[[section]]\ntitle = "B"\nkind = "values"\ngroups = ["mind"]\n', "names the body system 'mind'"),
        (f'{REST}[[section]]\ntitle = "B"\nkind = "values"\nconcepts = "pain"\n', "says concepts = 'pain'"),
        (f"{REST}{REST}", "names two sections 'All'"),
        ('[[section]]\ntitle = "A"\nkind = "values"\n', "exactly one section with rest"),
        ("section = 3", "says section = 3"),
    ],
)
def test_a_file_that_says_anything_else_is_refused(text: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_layout(text, "handover.toml")
    assert str(refused.value).startswith("handover.toml ")
    assert words in refused.value.what
