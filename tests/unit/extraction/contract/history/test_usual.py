"""Numbers unlike those that a hospital has charted are asked about, where its flowsheet has no range."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from extraction.contract.compile import flowsheet_schema
from extraction.contract.history.usual import usual_intervals
from extraction.contract.records import Contract, ContractRow
from extraction.contract.row_history import NumberHistory, RowHistory
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.ranges import RangeLevel, level, usual_text
from extraction.flowsheet.schema import Interval, Row
from extraction.flowsheet.validation import normalise
from extraction.schema_files.native_format import parse_schema

PULSE = NumberHistory(500, 40, 52.0, 131.0)
ENOUGH = RowHistory(500, 40, numbers=(PULSE,))
ROW = ContractRow("1", "Pulse rate", "numeric", unit="/min", history=ENOUGH)


def compiled(row: ContractRow) -> Row:
    return parse_schema(flowsheet_schema(Contract("c", 1, "", "", rows=(row,))), "schema.json").rows[0]


def test_the_interval_reaches_a_little_beyond_what_was_charted() -> None:
    assert usual_intervals(ENOUGH) == (Interval(12.0, 171.0),)
    drain = NumberHistory(500, 40, 0.0, 400.0)
    assert usual_intervals(RowHistory(500, 40, numbers=(drain,))) == (Interval(0.0, 600.0),)  # never below zero
    same = NumberHistory(500, 40, 4.0, 4.0)
    assert usual_intervals(RowHistory(500, 40, numbers=(same,))) == (Interval(2.0, 6.0),)


@pytest.mark.parametrize("numbers", [replace(PULSE, count=99), replace(PULSE, patients=19)])
def test_few_numbers_say_nothing(numbers: NumberHistory) -> None:
    assert usual_intervals(RowHistory(99, 19, numbers=(numbers,))) == ()
    assert usual_intervals(None) == ()


def test_a_number_outside_is_lit_and_refuses_nothing() -> None:
    row = compiled(ROW)
    assert row.usual == (Interval(12.0, 171.0),)
    assert normalise(row, 171.0)[2] == ()
    value, _, findings = normalise(row, 410.0)
    assert (value, findings) == (410.0, (Finding("unusual", ("12 to 171 /min",)),))
    assert findings[0].lights
    assert findings[0].text == "outside what is usually charted in this row (12 to 171 /min)"
    assert level(row, 410.0) is RangeLevel.NOT_JUDGED  # one decision is enough
    assert usual_text(row) == "12–171"


@pytest.mark.parametrize("own", [{"minimum": 20.0, "maximum": 300.0}, {"maximum": 300.0}])
def test_a_range_of_its_own_comes_first(own: dict[str, float]) -> None:
    row = compiled(replace(ROW, **own))  # type: ignore[arg-type]
    assert row.usual == ()
    assert [one.code for one in normalise(row, 410.0)[2]] == ["implausible"]


def test_each_number_of_a_blood_pressure_has_its_own() -> None:
    numbers = (NumberHistory(500, 40, 90.0, 170.0), NumberHistory(500, 40, 50.0, 100.0))
    row = compiled(
        replace(ROW, value_type="blood_pressure", unit="mm[Hg]", history=RowHistory(500, 40, numbers=numbers))
    )
    assert row.usual == (Interval(50.0, 210.0), Interval(25.0, 125.0))
    assert normalise(row, "120/80")[2] == ()
    assert normalise(row, "120/12")[2] == (Finding("unusual", ("25 to 125 mmHg",)),)
    assert usual_text(row) == "50–210 / 25–125"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"type": "text"}, 'cannot have a "usual" range'),
        ({"usual": {"min": 9, "max": 3}}, r'in "usual", min \(9\) is greater than max \(3\)'),
    ],
)
def test_a_usual_range_is_checked(change: dict[str, Any], message: str) -> None:
    document = json.loads(flowsheet_schema(Contract("c", 1, "", "", rows=(ROW,))))
    document["categories"][0]["rows"][0].update(change)
    with pytest.raises(Exception, match=message):
        parse_schema(json.dumps(document).encode(), "schema.json")
