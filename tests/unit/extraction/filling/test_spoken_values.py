"""Spoken numbers, from the sentence to the value in the chart's unit."""

from __future__ import annotations

import datetime as dt

import pytest

import resources
from extraction.filling.checked_values import checked_value
from extraction.filling.closed_answers import choices
from extraction.filling.proposals import proposed_alone
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Value
from extraction.language.numbers import numbers, pressures
from extraction.language.quantities import number_ranges
from extraction.language.sentences import segment
from extraction.retrieval.candidates import ReducedSchema
from extraction.schema_files.native_format import load_schema
from tests.kit.conditions import candidate

TODAY = dt.date(2026, 11, 21)


@pytest.fixture(scope="module")
def schema() -> Schema:
    return load_schema(resources.DEMONSTRATION_SCHEMA)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("point five", [0.5]),
        ("point oh five", [0.05]),
        (".5", [0.5]),
        ("one oh one point two", [101.2]),
        ("one hundred oh two", [102.0]),
        ("one hundred and fifty", [150.0]),
        ("twelve hundred", [1200.0]),
        ("two and a half", [2.5]),
        ("2 and a half", [2.5]),
        ("2 1/2", [2.5]),
        ("2½", [2.5]),
        ("thirty-seven two", [37.0, 2.0]),
        ("ninety-four two liters", [94.0, 2.0]),
        ("between sixteen and twenty", [16.0, 20.0]),
        ("two three", []),
        ("in the low nineties", []),
        ("in the 90s", []),
        ("in the 140's", []),
        ("point twenty-five", [0.25]),
        ("thirty-seven point two ninety-five", [37.2, 95.0]),
    ],
)
def test_numbers_in_words_are_parsed(text: str, values: list[float]) -> None:
    assert [said.value for said in numbers(text)] == values


def test_an_implausible_pressure_is_kept_as_spoken() -> None:
    assert [said.value for said in pressures("80 over 120")] == ["80/120"]
    assert pressures("on 12/25") == ()


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("Heart rate 90 to 100, temp 37.2.", ["90 to 100"]),
        ("Temp between 37.2 and 37.8.", ["37.2 and 37.8"]),
        ("Thirty to forty mls, pain 3-4, one or two stools.", ["Thirty to forty", "3-4", "one or two"]),
        ("30 mls to 40 mls an hour.", ["30 mls to 40"]),
        ("Came down from 110 to 88.", []),
        ("Temp 101.3 F or 38.5 C.", []),
        ("Pulse 88 and 18 breaths, one to one.", []),
    ],
)
def test_ranges_are_two_numbers_of_one_quantity(text: str, ranges: list[str]) -> None:
    assert [text[slice(*span)] for span in number_ranges(text, numbers(text))] == ranges


def offered(schema: Schema, row_id: str, text: str) -> list[tuple[float, str]]:
    """The possible answers of a row, and the words that say them."""
    found = choices(schema.row(row_id), segment(text), TODAY)
    return [(float(choice.value), text[slice(*choice.span)]) for choice in found if choice.span]


@pytest.mark.parametrize(
    ("row_id", "text", "found"),
    [
        ("vs.temperature", "Temp thirty-seven two.", [(37.2, "thirty-seven two")]),
        ("vs.temperature", "Sats ninety-four two liters.", [(94.0, "ninety-four")]),
        ("o2.spo2", "Sats ninety-four two liters.", [(94.0, "ninety-four")]),
        ("meas.height", "She is 5 feet 11 inches tall.", [(71.0, "5 feet 11 inches")]),
        ("in.oral", "Drank eight ounces.", [(8.0, "eight ounces")]),
        ("in.oral", "240 in with breakfast.", [(240.0, "240")]),
        ("in.oral", "240 inches.", []),
        (
            "in.oral",
            "Drank half a liter, then a liter and a half.",
            [(0.5, "half a liter"), (1.5, "a liter and a half")],
        ),
        ("nut.meal_percent", "She ate half of her lunch.", [(50.0, "half")]),
        ("nut.meal_percent", "Ate three quarters of the tray.", [(75.0, "three quarters")]),
        ("nut.meal_percent", "On half normal saline for half an hour.", []),
        ("ct.suction_level", "Suction at minus twenty.", [(-20.0, "minus twenty")]),
        ("ct.suction_level", "Suction at -20 centimeters.", [(-20.0, "-20 centimeters")]),
        ("vs.heart_rate", "Rate minus 20 or 10-20.", [(20.0, "20"), (10.0, "10")]),
    ],
)
def test_each_row_type_has_its_closed_answers(
    schema: Schema, row_id: str, text: str, found: list[tuple[float, str]]
) -> None:
    assert offered(schema, row_id, text) == found


@pytest.mark.parametrize(
    ("row_id", "text", "value", "found"),
    [
        ("meas.height", "Height is five foot six.", 167.64, ()),
        ("in.oral", "Drank eight ounces.", 236.59, ()),
        ("in.oral", "Drank half a liter.", 500.0, ()),
        ("in.oral", "Drank point six of a liter.", 600.0, ()),
        ("in.oral", "Drank three quarters of a liter.", 750.0, ()),
        ("in.oral", "Drank a quarter of a liter.", 250.0, ()),
        ("meas.weight", "Weighs one hundred eighty pounds.", 81.65, ()),
        ("vs.temperature", "Temp one oh one point two.", 38.44, (Finding("unit_guessed", ("°F",)),)),
        (
            "vs.temperature",
            "Temp 37.2 Fahrenheit.",
            37.2,
            (Finding("unit_contradicted", ("°F", "°C")),),
        ),
        ("vs.temperature", "Temp 386.", 38.6, (Finding("point_guessed", ("386", "38.6 °C")),)),
        ("o2.fio2", "FiO2 is point four.", 40.0, (Finding("fraction_as_percent"),)),
        ("vs.heart_rate", "Heart rate three hundred ten.", 310.0, (Finding("implausible", ("0 to 300 /min",)),)),
        ("vs.heart_rate", "Heart rate 90 to 100.", 90.0, (Finding("said_as_range", ("90 to 100",)),)),
        ("in.oral", "Drank 200-300 mls.", 200.0, (Finding("said_as_range", ("200-300",)),)),
        ("vs.heart_rate", "Heart rate 90, up from 80 to that.", 90.0, ()),
        ("vs.bp", "Pressure 80 over 120.", "80/120", (Finding("pressure_order"),)),
    ],
)
def test_spoken_values_are_converted_to_the_charts_unit(
    schema: Schema, row_id: str, text: str, value: Value, found: tuple[Finding, ...]
) -> None:
    segments = segment(text)
    choice = choices(schema.row(row_id), segments, TODAY)[0]
    task = Task(text, segments, schema, ReducedSchema(()), TODAY)
    read = Reading(schema.row(row_id), candidate(row_id, 0), choice.value, segments[0], choice.span, 0.9, 0.9)
    filled = proposed_alone(task, read)[0]
    assert (filled.value, filled.findings) == (value, found)
    assert choice.span
    assert filled.evidence.text == text[slice(*choice.span)]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("Blood pressure", (Finding("said_as_range", ("134 over 82",)),)),
        ("R BLOOD PRESSURE", (Finding("said_as_range", ("134 over 82",)),)),
        ("Blood Pressure (mmHg)", (Finding("said_as_range", ("134 over 82",)),)),
        ("Non-invasive BP", (Finding("said_as_range", ("134 over 82",)),)),
        ("Systolic blood pressure", ()),
        ("BP systolic", ()),
        ("Diastolic (mmHg)", ()),
        ("SBP", ()),
        ("Mean arterial pressure", ()),
    ],
)
def test_half_of_a_pressure_in_a_row_of_one_number_is_flagged(name: str, found: tuple[Finding, ...]) -> None:
    row = Row("bp", name, ValueType.NUMERIC, ("Vital signs",))
    said = checked_value(row, 134.0, "Pressure 134 over 82.", (9, 12))
    assert said
    assert (said.value, said.findings) == (134.0, found)
