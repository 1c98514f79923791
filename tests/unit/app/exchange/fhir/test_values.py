"""Every type of value arrives as it was charted, as a second library reads it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

import pytest
from fhir.resources.R4B.bundle import Bundle

from app.exchange.fhir.bundle import fhir_bundle
from app.exchange.observations import HospitalCodes, RowCodes
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import NotObtained, Value
from models.base.errors import InputError
from tests.unit.app.exchange.fhir.messages import (
    DEMONSTRATION,
    NO_CODES,
    SENDER,
    example_value,
    message,
    observation,
    observations_of,
    of_values,
    record,
    uuid,
)

OWN = "urn:uuid:da9978b0-6d56-540e-a233-f505db26f4fb"  # the codes of the demonstration schema
BLOOD_PRESSURE = DEMONSTRATION.row("vs.bp")


def one_row(value_type: ValueType, **fields: Any) -> Schema:
    return Schema("s", "S", "1", (Row("r", "Row", value_type, ("C",), **fields),), "", "s.json")


def sent(schema: Schema, value: Value, **arguments: Any) -> dict[str, Any]:
    (found,) = observations_of(message(observation(1, record(schema.rows[0], value))), schema=schema, **arguments)
    return found


def test_every_row_of_the_demonstration_is_read_back_by_another_library() -> None:
    rows = DEMONSTRATION.rows
    one = message(*(observation(number, record(row, example_value(row))) for number, row in enumerate(rows)))
    read = Bundle.model_validate_json(fhir_bundle(one, NO_CODES, DEMONSTRATION, SENDER))
    found = {entry.resource.id: entry.resource for entry in read.entry}
    for number, row in enumerate(rows):
        resource = found[uuid(number)]
        codes = [(coding.system, coding.code) for coding in resource.code.coding]
        assert codes[-1] == (OWN, row.id)
        assert ("http://loinc.org", row.loinc) in codes or row.loinc is None
        assert value_of(resource, row) == example_value(row), row.id
        if resource.valueQuantity:
            assert resource.valueQuantity.unit == row.unit
            assert resource.valueQuantity.code == row.ucum or row.ucum is None


def value_of(resource: Any, row: Row) -> Value:
    """The value of an Observation in the form of the schema."""
    match row.value_type:
        case ValueType.NUMERIC | ValueType.QUANTITY:
            return float(resource.valueQuantity.value)
        case ValueType.SINGLE_SELECT:
            return resource.valueCodeableConcept.coding[0].display
        case ValueType.MULTI_SELECT:
            return tuple(part.valueCodeableConcept.coding[0].display for part in resource.component)
        case ValueType.BLOOD_PRESSURE:
            return "/".join(str(part.valueQuantity.value) for part in resource.component)
        case ValueType.DATE:
            assert type(resource.valueDateTime) is date
            return resource.valueDateTime.isoformat()
        case ValueType.DATE_TIME:
            assert isinstance(resource.valueDateTime, datetime)
            return resource.valueDateTime.astimezone().strftime("%Y-%m-%dT%H:%M")
        case ValueType.TIME:
            assert isinstance(resource.valueTime, time)
            return resource.valueTime.strftime("%H:%M")
        case ValueType.YES_NO:
            return resource.valueBoolean
        case ValueType.TEXT:
            return resource.valueString


def test_rows_and_options_go_out_under_the_hospitals_own_codes() -> None:
    row = Row("r", "Row", ValueType.SINGLE_SELECT, ("C",), options=(Option("Yes, a bit"), Option("No")))
    schema = Schema("s", "S", "1", (row,), "", "s.json")
    codes = HospitalCodes("urn:oid:1.2.3", rows={"r": RowCodes("F-17", "Their row", {"Yes, a bit": "2"})})
    found = sent(schema, "Yes, a bit", codes=codes)
    assert found["code"] == {
        "coding": [{"system": "urn:oid:1.2.3", "code": "F-17", "display": "Their row"}],
        "text": "Row",
    }
    assert found["valueCodeableConcept"] == {
        "coding": [{"system": "urn:oid:1.2.3", "code": "2", "display": "Yes, a bit"}],
        "text": "Yes, a bit",
    }
    uncoded = sent(schema, "No", codes=codes)["valueCodeableConcept"]["coding"]
    assert uncoded == [{"system": "urn:oid:1.2.3", "code": "No", "display": "No"}]


def test_white_space_that_no_code_of_fhir_may_have_becomes_one_space() -> None:
    schema = one_row(ValueType.SINGLE_SELECT, options=(Option(" a  lot\tof it "),))
    (coding,) = sent(schema, " a  lot\tof it ")["valueCodeableConcept"]["coding"]
    assert (coding["code"], coding["display"]) == ("a lot of it", " a  lot\tof it ")


def test_saturation_by_pulse_oximetry_is_coded_as_saturation_too() -> None:
    (found,) = observations_of(of_values(DEMONSTRATION, o2__spo2=94.0))
    assert [one["code"] for one in found["code"]["coding"]] == ["2708-6", "59408-5", "o2.spo2"]


@pytest.mark.parametrize("options", [("a",), ("a", "b")])
def test_options_of_which_several_apply_are_components_with_the_code_of_the_row(options: tuple[str, ...]) -> None:
    schema = one_row(ValueType.MULTI_SELECT, options=(Option("a"), Option("b")))
    found = sent(schema, options)
    assert [one["valueCodeableConcept"]["text"] for one in found["component"]] == list(options)
    assert all(one["code"] == found["code"] for one in found["component"])
    assert not any(name.startswith("value") for name in found)


@pytest.mark.parametrize(
    ("unit", "ucum", "code"),
    [
        ("points", "{score}", "{score}"),
        ("bpm", None, "/min"),
        ("mmHg", None, "mm[Hg]"),
        ("mcg/kg/min", None, "ug/kg/min"),
        ("squares", None, None),
        ("ft", None, "[ft_i]"),
        ("pt", None, None),
        ("u/h", None, None),
        (None, None, None),
    ],
)
def test_a_number_has_the_unit_as_charted_and_its_ucum_code(
    unit: str | None, ucum: str | None, code: str | None
) -> None:
    quantity = sent(one_row(ValueType.NUMERIC, unit=unit, ucum=ucum), 3.0)["valueQuantity"]
    assert (quantity["value"], quantity.get("unit"), quantity.get("code")) == (3, unit, code)
    assert ("system" in quantity) == (code is not None)


def test_a_value_in_another_unit_than_the_rows_has_not_the_rows_code() -> None:
    schema = one_row(ValueType.NUMERIC, unit="kg", ucum="kg")
    (found,) = observations_of(message(observation(1, record(schema.rows[0], 3.0, unit="g"))), schema=schema)
    assert (found["valueQuantity"]["unit"], found["valueQuantity"]["code"]) == ("g", "g")


@pytest.mark.parametrize(
    ("value", "written"), [(3.0, "3"), (-2.0, "-2"), (0.1, "0.1"), (36.65, "36.65"), (1e300, "1e+300"), (-0.0, "0")]
)
def test_numbers_are_written_as_they_are(value: float, written: str) -> None:
    one = message(observation(1, record(one_row(ValueType.NUMERIC).rows[0], value)))
    text = fhir_bundle(one, NO_CODES, one_row(ValueType.NUMERIC), SENDER).decode()
    assert f'"value": {written}\n' in text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_number_is_refused_with_its_row(value: float) -> None:
    with pytest.raises(InputError, match=r"'Row' \(r\) has no finite number"):
        sent(one_row(ValueType.NUMERIC), value)


def test_a_blood_pressure_is_a_panel_of_two_judged_parts() -> None:
    value = record(BLOOD_PRESSURE, "142/74", interpretation="H/N")
    (found,) = observations_of(message(observation(1, value)))
    systolic, diastolic = found["component"]
    assert [one["code"]["coding"][0]["code"] for one in (systolic, diastolic)] == ["8480-6", "8462-4"]
    assert [one["valueQuantity"]["value"] for one in (systolic, diastolic)] == [142, 74]
    assert {one["valueQuantity"]["code"] for one in (systolic, diastolic)} == {"mm[Hg]"}
    assert [one["interpretation"][0]["coding"][0]["code"] for one in (systolic, diastolic)] == ["H", "N"]
    assert [one["referenceRange"][0]["high"]["value"] for one in (systolic, diastolic)] == [140, 90]


@pytest.mark.parametrize(("value", "missing"), [("90/", 1), ("90/--", 1), ("/60", 0)])
def test_a_missing_part_of_a_blood_pressure_says_so(value: str, missing: int) -> None:
    (found,) = observations_of(message(observation(1, record(BLOOD_PRESSURE, value))))
    absent, there = found["component"][missing], found["component"][1 - missing]
    assert absent["dataAbsentReason"]["coding"][0]["code"] == "unknown"
    assert "valueQuantity" not in absent
    assert "valueQuantity" in there


def test_a_pressure_elsewhere_is_not_coded_as_one_of_the_circulation() -> None:
    (found,) = observations_of(of_values(DEMONSTRATION, hemo__pa_bp="30/12"))
    assert "85354-9" not in json.dumps(found)
    assert [one["code"] for one in found["component"]] == [
        {"text": "Pulmonary artery pressure, systolic"},
        {"text": "Pulmonary artery pressure, diastolic"},
    ]


@pytest.mark.parametrize(
    ("value_type", "value"),
    [
        (ValueType.NUMERIC, "three"),
        (ValueType.NUMERIC, True),
        (ValueType.QUANTITY, ("a",)),
        (ValueType.BLOOD_PRESSURE, 120.0),
        (ValueType.BLOOD_PRESSURE, "/"),
        (ValueType.BLOOD_PRESSURE, "120"),
        (ValueType.BLOOD_PRESSURE, "120/high"),
        (ValueType.SINGLE_SELECT, 1.0),
        (ValueType.MULTI_SELECT, "a"),
        (ValueType.MULTI_SELECT, ()),
        (ValueType.YES_NO, "yes"),
        (ValueType.TEXT, 1.0),
        (ValueType.DATE, "2026-02-30"),
        (ValueType.TIME, "25:00"),
        (ValueType.DATE_TIME, "2026-02-30T10:00"),
    ],
)
def test_a_value_that_is_not_of_its_rows_type_is_refused_with_its_row(value_type: ValueType, value: Value) -> None:
    with pytest.raises(InputError, match=r"not a value of row 'Row' \(r\)"):
        sent(one_row(value_type), value)


@pytest.mark.parametrize(
    "text",
    [
        "\"quoted\" \\ and 'single'",
        "<script>alert(1)</script>",
        "line\r\nbreak\tand tab",
        "\u202eright to left\u202c and עברית",
        "a" * 300_000,
        "^~\\&|",
        "👩‍⚕️ e\u0301",
    ],
)
def test_text_arrives_character_by_character(text: str) -> None:
    schema = one_row(ValueType.TEXT)
    value = record(schema.rows[0], text, patient_name=text, reviewer=text, sentence=text)
    one = message(observation(1, value))
    read = Bundle.model_validate_json(fhir_bundle(one, NO_CODES, schema, SENDER))
    patient, _, _, found, provenance = (entry.resource for entry in read.entry)
    assert found.valueString == found.note[0].text == found.performer[0].display == text
    assert patient.name[0].text == provenance.agent[0].who.display == text


def test_a_character_that_fhir_forbids_leaves_a_mark() -> None:
    assert sent(one_row(ValueType.TEXT), "a\0b\x1bc\ud800d\uffff")["valueString"] == "a\ufffdb\ufffdc\ufffdd\ufffd"


def test_a_blank_text_is_refused() -> None:
    with pytest.raises(InputError, match=r"Observation .* of row 'Row' \(r\) breaks the FHIR rule texts"):
        sent(one_row(ValueType.TEXT), " \t")


def test_a_text_longer_than_fhir_allows_is_refused() -> None:
    with pytest.raises(InputError, match=r"Observation .* of row 'Row' \(r\) .* maximum length"):
        sent(one_row(ValueType.TEXT), "a" * 1_100_000)


def test_hostile_codes_of_a_hospital_stay_inside_their_texts() -> None:
    name = 'x","code":"y'
    row = replace(one_row(ValueType.SINGLE_SELECT).rows[0], id=name, options=(Option(name),))
    found = sent(Schema("s", "S", "1", (row,), "", "s.json"), name)
    assert found["code"]["coding"][0]["code"] == name
    assert found["valueCodeableConcept"]["coding"][0]["code"] == name


@pytest.mark.parametrize(
    ("why", "code"),
    [
        (NotObtained.REFUSED, "asked-declined"),
        (NotObtained.UNABLE, "unknown"),
        (NotObtained.NOT_DONE, "not-performed"),
        (NotObtained.NOT_APPLICABLE, "not-applicable"),
    ],
)
def test_what_was_not_obtained_has_a_reason_in_place_of_a_value(why: NotObtained, code: str) -> None:
    for row in {row.value_type: row for row in DEMONSTRATION.rows}.values():
        said = record(row, why, unit=None)
        (found,) = observations_of(message(observation(1, said)))
        reasons = [one["dataAbsentReason"] for one in (found, *found.get("component", ()))]
        assert {one["coding"][0]["code"] for one in reasons} == {code}, row.id
        assert {one["text"] for one in reasons} == {why.value}, row.id
        assert not any(name.startswith("value") for one in (found, *found.get("component", ())) for name in one), row.id
        assert len(reasons) == (3 if row.value_type is ValueType.BLOOD_PRESSURE else 1), row.id
        assert "referenceRange" not in found, row.id
