"""Peripheral lines told by size and place are charted, each in the rows of its own number."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace

import pytest

import resources
from extraction.extractor import prepare
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NO_PROPOSALS, Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.rules.spoken_measurements import spoken_measurements
from extraction.schema_files.native_format import load_schema
from tests.kit.rules import after

WARD = load_schema(resources.FOLDER / "schemas" / "medsurg_icu.json")
VENDOR = load_schema(resources.FOLDER / "corpus" / "schemas" / "vendor_hospital.json")
NOTHING: Mapping[str, Value] = {}


def charted(
    text: str, known: Mapping[str, Value] = NOTHING, read: Proposals = NO_PROPOSALS, schema: Schema = WARD
) -> dict[str, Value]:
    """Values of lines after the rule, by row name."""
    context = EncounterContext(dt.datetime(2026, 3, 3, 14, tzinfo=dt.UTC), known=known)
    task = prepare(text, schema, reduce=lambda _: ReducedSchema(()), context=context).task
    found = after(spoken_measurements(task, read), read, schema, rule="measurement")
    rows = {value.row_id: value.value for value in found.values}
    return {
        row.name.removeprefix("Peripheral IV "): rows[row.id]
        for row in schema.rows
        if row.id in rows and row.name.startswith("Peripheral IV")
    }


def test_each_line_has_rows_of_its_own() -> None:
    assert charted("Lines: R AC 18g infusing, L hand 22g SL.") == {
        "1 site": "antecubital", "1 side": "right", "1 gauge": "18 gauge", "1 line status": "infusing",
        "2 site": "hand", "2 side": "left", "2 gauge": "22 gauge", "2 line status": "saline locked",
    }  # fmt: skip


def test_a_line_keeps_its_number_through_the_dictation_and_the_stay() -> None:
    said = "She has an 18 in the left forearm. New 20 gauge in the right hand. Left forearm IV is saline locked."
    assert charted(said) == {
        "1 site": "forearm", "1 side": "left", "1 gauge": "18 gauge", "1 line status": "saline locked",
        "2 site": "hand", "2 side": "right", "2 gauge": "20 gauge",
    }  # fmt: skip
    rows = {row.name: row.id for row in WARD.rows}
    known = {rows["Peripheral IV 1 site"]: "hand", rows["Peripheral IV 1 side"]: "right"}
    assert charted("20 in the left AC.", known) == {"2 site": "antecubital", "2 side": "left", "2 gauge": "20 gauge"}


def test_a_third_line_is_not_charted_over_one_of_two() -> None:
    found = charted("R AC 18g, L hand 22g, L foot 24g.")
    assert (found["1 gauge"], found["2 gauge"], "24 gauge" in found.values()) == ("18 gauge", "22 gauge", False)
    assert charted("R AC 18g, L hand 22g, L foot 24g.", schema=VENDOR)["3 Size"] == "24 G"


@pytest.mark.parametrize(
    "text",
    [
        "No IV in the left hand.",
        "Plan is to place an 18 gauge in the right AC.",
        "Had a 20 in the left hand last week.",
    ],
)
def test_a_line_that_is_not_there_is_not_charted(text: str) -> None:
    assert charted(text) == {}


def test_what_the_models_read_of_another_line_is_replaced() -> None:
    text = "R AC 18g, L hand 22g."
    rows = {row.name: row.id for row in WARD.rows}
    row_id, place = rows["Peripheral IV 1 gauge"], text.index("22g")
    evidence = Evidence(place, place + 3, "22g", 0, len(text))
    wrong = FilledValue(row_id, "22 gauge", None, evidence, -0.1, 0.1, 0.9, 0.5, Neighbour("row", row_id, 0), "rowwise")
    assert charted(text, read=Proposals((wrong,), ()))["1 gauge"] == "18 gauge"


def test_a_multi_select_takes_all_that_is_said_of_a_line() -> None:
    found = charted("Left forearm IV, 18, saline locked, flushes fine.", schema=VENDOR)
    assert found["1 Line Status"] == ("Flushed", "Saline locked")
    assert found["1 Size"] == "18 G"


def test_a_schema_without_such_rows_charts_no_lines() -> None:
    others = replace(WARD, rows=tuple(row for row in WARD.rows if "gauge" not in row.name))
    assert charted("R AC 18g, L hand 22g.", schema=others) == {}
