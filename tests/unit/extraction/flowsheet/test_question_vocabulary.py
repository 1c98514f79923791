"""What questions about charted values can name, of any flowsheet schema."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

import resources
from extraction.flowsheet.question_vocabulary import Question, RowFacts, question_vocabulary, questions_of
from extraction.flowsheet.schema import (
    Formula,
    FormulaPart,
    Option,
    Row,
    Schema,
    ValueType,
)
from extraction.schema_files.native_format import load_schema

DEMONSTRATION = load_schema(resources.FOLDER / "schemas" / "medsurg_icu.json")


def read(data: bytes) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(data)
    form = json.loads((resources.FOLDER / "schemas" / "vocabulary.schema.json").read_bytes())
    jsonschema.Draft202012Validator.check_schema(form)
    assert list(jsonschema.Draft202012Validator(form).iter_errors(document)) == []
    return document


@pytest.fixture(scope="module")
def rows() -> dict[str, Any]:
    return {row["id"]: row for row in read(question_vocabulary(DEMONSTRATION))["rows"]}


def test_each_row_of_the_demonstration_can_be_asked_for(rows: dict[str, Any]) -> None:
    assert list(rows) == [row.id for row in DEMONSTRATION.rows]
    assert all("latest" in row["questions"] and "any" in row["questions"] for row in rows.values())
    temperature = rows["vs.temperature"]
    assert (temperature["dimension"], temperature["ucum"]) == ("temperature", "Cel")
    assert {"temp", "body temperature"} <= set(temperature["synonyms"])
    assert temperature["charted"] is None  # nothing says how often it is charted


def test_what_is_said_for_rows_and_options_is_there(rows: dict[str, Any]) -> None:
    linked = [row for row in rows.values() if row["concept"]]
    assert len(linked) > 100
    assert {row["system"] for row in linked} >= {"cardioresp", "neuro", "skin", "gigu", "mobility", "lines"}
    assert any(option["spoken"] for row in linked for option in row["options"])


def test_things_that_exist_more_than_once_are_families(rows: dict[str, Any]) -> None:
    document = read(question_vocabulary(DEMONSTRATION))
    wound = next(family for family in document["families"] if family["name"] == "Wound")
    assert [one["number"] for one in wound["instances"]] == [1, 2]
    for one in wound["instances"]:
        assert {rows[row]["instance"]["number"] for row in one["rows"]} == {one["number"]}
    assert all(rows[row]["role"] in ("site", "side") for row in wound["places"])


def test_only_what_adds_up_is_summed(rows: dict[str, Any]) -> None:
    summed = {row["name"] for row in rows.values() if "sum" in row["questions"]}
    assert {"Urine output volume", "Oral intake volume", "Emesis volume"} <= summed
    none = {
        "Total intake",
        "Total output",
        "Net fluid balance",
        "Bladder scan volume",
        "Exhaled tidal volume",
        "Weight",
    }
    assert not summed & none
    assert all(row["fluid"] is None for row in rows.values() if row["name"].startswith("Total"))


def plain(value_type: ValueType, **more: Any) -> Row:
    return Row("1", "Thing", value_type, ("Group",), **more)


ALWAYS = {Question.LATEST, Question.ANY}


@pytest.mark.parametrize(
    ("row", "fitting"),
    [
        (plain(ValueType.TEXT), {Question.MISSING}),
        (plain(ValueType.DATE_TIME), {Question.MISSING}),
        (plain(ValueType.YES_NO), {Question.MISSING, Question.COUNT}),
        (plain(ValueType.SINGLE_SELECT, options=(Option("a"),)), {Question.MISSING, Question.COUNT}),
        (plain(ValueType.BLOOD_PRESSURE), {Question.MISSING, Question.COUNT, Question.TREND}),
        (plain(ValueType.NUMERIC, unit="mL"), {Question.MISSING, Question.COUNT, Question.TREND}),
        (
            plain(ValueType.NUMERIC, unit="mL", also_in=(("Intake and output", "Drains"),)),
            {Question.MISSING, Question.COUNT, Question.TREND, Question.SUM},
        ),
        (plain(ValueType.NUMERIC, formula=Formula("a", (("a", FormulaPart("2")),))), {Question.TREND}),
    ],
)
def test_the_questions_that_fit_a_row(row: Row, fitting: set[Question]) -> None:
    assert set(questions_of(row)) == ALWAYS | fitting


def test_a_retired_row_has_values_and_lacks_none() -> None:
    assert set(questions_of(plain(ValueType.TEXT), retired=True)) == ALWAYS


def test_facts_of_a_contract_are_added_and_the_bytes_are_the_same() -> None:
    skin = Row(
        "9", "Skin col", ValueType.SINGLE_SELECT, ("Skin",), (Option("Pink"), Option("Pale")), synonyms=("Skin color",)
    )
    bell = Row("8", "Bell in reach", ValueType.YES_NO, ("Safety",))
    schema = Schema("s", "Ward", "1", (skin, bell), "", "ward.json")
    charted = {"count": 10, "patients": 4, "stays": 0.5, "days": None, "shifts": None, "interval": None}
    charted |= {"long_interval": None, "last": "2026-03"}
    facts = {
        "9": RowFacts(("V-9",), ("Skin color",), charted=charted, shares={"pink": 0.7}),
        "8": RowFacts(retired=True, shares={"yes": 0.9}),
    }
    data = question_vocabulary(schema, facts)
    assert question_vocabulary(schema, facts) == data
    colour, reach = read(data)["rows"]
    assert (colour["former_ids"], colour["written_out"], colour["synonyms"]) == (["V-9"], ["Skin color"], [])
    assert [option["share"] for option in colour["options"]] == [0.7, None]
    assert colour["charted"]["stays"] == 0.5
    assert [(option["name"], option["share"]) for option in reach["options"]] == [("Yes", 0.9), ("No", None)]
    assert (reach["retired"], reach["questions"]) == (True, ["latest", "any", "count"])
