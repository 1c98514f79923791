"""A rate is charted in the unit of its row: converted, lit, or not at all; never as another rate than was said."""

from __future__ import annotations

import datetime as dt

import pytest

from extraction.extractor import Prepared
from extraction.filling.closed_answers import said_numbers
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import Row, Schema, ValueType
from extraction.flowsheet.values import Proposals
from extraction.language.sentences import segment
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.retrieval.candidates import ReducedSchema
from tests.kit.conditions import candidate

NOW = dt.datetime(2026, 3, 3, 14, 0)  # noqa: DTZ001 - the ward's clock
UNITS = {
    "heparin": "units/kg/h", "heparin_flat": "[USP'U]/h", "levo": "mcg/kg/min", "levo_flat": "ug/min",
    "vaso": "units/min", "oxytocin": "m[USP'U]/min", "fentanyl": "mcg/h", "urine": "mL", "walked": "ft",
}  # fmt: skip
ROWS = tuple(Row(row_id, f"{row_id} amount", ValueType.NUMERIC, ("A",), unit=unit) for row_id, unit in UNITS.items())
SCHEMA = Schema("t", "T", "1", ROWS, "0" * 64, "t")


def charted(text: str, *row_ids: str) -> Proposals:
    """What comes of a text of which the models surely read the first number for these rows, the first surest."""
    segments = segment(text)
    task = Task(text, segments, SCHEMA, ReducedSchema(()), NOW.date())
    read = []
    for place, row_id in enumerate(row_ids):
        row = SCHEMA.row(row_id)
        said = next(said_numbers(row, segments))
        one = Reading(row, candidate(row_id, 0), said.value, segments[0], said.span, 0.9, 0.9)
        read.append(WeighedReading(one, 0.95 - place / 10))
    prepared = Prepared(PreparedTranscript.of(text, SCHEMA), task)
    return prepared.charted(propose(task, read, 0.3, "test")).proposals


@pytest.mark.parametrize(
    ("text", "row_id", "value"),
    [
        ("It runs at 18 units per kilo per hour.", "heparin", 18),
        ("It runs at 900 units an hour.", "heparin_flat", 900),
        ("It runs at 15 units a minute.", "heparin_flat", 900),
        ("It runs at 0.08 mcg per kilo per minute.", "levo", 0.08),
        ("It runs at 0.08 mcg/kg/min.", "levo", 0.08),
        ("It runs at 6 mics per kilo an hour.", "levo", 0.1),
        ("It runs at 2.4 units hourly.", "vaso", 0.04),
        ("It runs at 6 milliunits a minute.", "oxytocin", 6),
        ("It runs at 50 micrograms every hour.", "fentanyl", 50),
        ("He had 10 mL an hour ago.", "urine", 10),
        ("He made it 40 feet.", "walked", 40),
    ],
)
def test_a_rate_in_a_unit_that_the_row_can_have_is_converted(text: str, row_id: str, value: float) -> None:
    (one,) = charted(text, row_id).values
    assert (one.value, one.findings) == (value, ())


@pytest.mark.parametrize(
    ("text", "row_id", "said"),
    [
        ("It runs at twelve units an hour.", "heparin", "said in units/h, and this row is charted in units/kg/h"),
        ("18 units per kilo per hour.", "heparin_flat", "said in units/kg/h, and this row is charted in units/h"),
        ("It runs at 8 mcg a minute.", "levo", "said in mcg/min, and this row is charted in mcg/kg/min"),
        ("It runs at 0.1 mcg/kg/min.", "levo_flat", "said in mcg/kg/min, and this row is charted in mcg/min"),
        ("It runs at 8 mcg.", "levo", "said in mcg, and this row is charted in mcg/kg/min"),
        ("It runs at 2 milligrams.", "fentanyl", "said in mg, and this row is charted in mcg/h"),
        ("It drains 40 mL hourly.", "urine", "said in mL/h, and this row is charted in mL"),
    ],
)  # fmt: skip
def test_the_amount_over_something_else_is_lit(text: str, row_id: str, said: str) -> None:
    (one,) = charted(text, row_id).values
    assert said in one.flags
    assert one.confidence <= 0.5


def test_of_a_rate_the_amount_alone_may_be_said() -> None:
    (one,) = charted("It runs at 50 mcg.", "fentanyl").values
    assert (one.flags, one.notes) == ((), ("dictated in mcg; this row is charted in mcg/h",))


@pytest.mark.parametrize(
    ("text", "row_id"),
    [
        ("Fentanyl amount 5 mL an hour.", "fentanyl"),
        ("It runs at 15 mLs an hour.", "levo"),
        ("It runs at 4 mils hourly.", "vaso"),
        ("It runs at 20 mL/h.", "heparin"),
    ],
)
def test_an_amount_of_something_else_is_held_back(text: str, row_id: str) -> None:
    found = charted(text, row_id)
    assert not found.values
    assert "said in mL/h, and this row is charted in" in found.held_back[0].flags[0]


def test_the_row_whose_unit_was_said_goes_first() -> None:
    found = charted("Heparin at 900 units an hour.", "heparin", "heparin_flat")
    assert [(one.row_id, one.value, one.flags) for one in found.values] == [("heparin_flat", 900, ())]
