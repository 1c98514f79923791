"""Rules of FHIR that the validator lets pass are checked here, and what it does check is left to it."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from app.exchange.fhir.resource_checks import is_loinc
from app.exchange.fhir.validation import refuse_invalid
from extraction.flowsheet.schema import Schema
from models.base.errors import InputError
from tests.unit.app.exchange.fhir.messages import (
    DEMONSTRATION,
    bundle_of,
    message,
    observation,
    of_values,
    record,
    uuid,
)

NOTE = DEMONSTRATION.row("wound1.location")
WHOLE = bundle_of(of_values(DEMONSTRATION, vs__heart_rate=88.0, wound1__location="left heel", vs__bp="120/80"))
HEART_RATE, TEXT, PRESSURE = 3, 4, 5  # their entries


def refused(number: int, **elements: Any) -> str:
    """The message about the bundle with other elements in the resource of one entry."""
    bundle = copy.deepcopy(WHOLE)
    resource = bundle["entry"][number]["resource"]
    for name, content in elements.items():
        if content is None:
            del resource[name]
        else:
            resource[name] = content
    with pytest.raises(InputError) as error:
        refuse_invalid(bundle, {uuid(1): record(NOTE, "left heel")})
    return str(error.value)


def quantity(**elements: Any) -> dict[str, Any]:
    return {"value": 1, "unit": "mL", "system": "http://unitsofmeasure.org", "code": "mL"} | elements


def test_the_whole_bundle_passes() -> None:
    refuse_invalid(WHOLE, {})


@pytest.mark.parametrize(
    ("number", "elements", "rule"),
    [
        (TEXT, {"status": "done"}, "status"),
        (1, {"status": "lasting"}, "status"),
        (TEXT, {"valueBoolean": True}, "one-value"),
        (TEXT, {"valueString": None}, "one-value"),
        (TEXT, {"dataAbsentReason": {"text": "refused"}}, "obs-6"),
        (TEXT, {"component": [{"code": WHOLE["entry"][TEXT]["resource"]["code"], "valueBoolean": True}]}, "obs-7"),
        (TEXT, {"component": [{"code": {}, "valueBoolean": True}]}, "code"),
        (TEXT, {"component": [{"code": {"text": "a"}, "valueBoolean": True, "valueString": "b"}]}, "one-value"),
        (TEXT, {"code": {"coding": [{"system": "http://loinc.org", "code": "8867-9"}]}}, "loinc"),
        (TEXT, {"code": {"coding": [{"system": "http://loinc.org", "code": "pulse"}]}}, "loinc"),
        (TEXT, {"valueString": "a\0b"}, "texts"),
        (TEXT, {"note": [{"text": " "}]}, "texts"),
        (TEXT, {"effectiveDateTime": "2026-01-02T03:04:05"}, "time-zone"),
        (TEXT, {"effectiveDateTime": "2026-02-30"}, "dates"),
        (0, {"birthDate": "1950-13-01"}, "dates"),
        (TEXT, {"valueString": None, "valueQuantity": quantity(value="1")}, "quantity"),
        (TEXT, {"valueString": None, "valueQuantity": {"value": 1, "code": "mL"}}, "qty-3"),
        (TEXT, {"valueString": None, "valueQuantity": quantity(code="millilitre")}, "ucum"),
        (TEXT, {"referenceRange": [{"low": quantity(code="millilitre")}]}, "ucum"),
        (TEXT, {"subject": {"reference": "urn:uuid:nobody"}}, "references"),
        (TEXT, {"subject": {"reference": WHOLE["entry"][2]["fullUrl"]}}, "references"),
        (TEXT, {"encounter": {"reference": "Encounter/1"}}, "references"),
    ],
)
def test_a_breach_of_r4_is_refused_by_a_check_of_ours(number: int, elements: dict[str, Any], rule: str) -> None:
    text = refused(number, **elements)
    assert f"breaks the FHIR rule {rule}:" in text
    if number == TEXT:
        assert f"Observation {uuid(1)} of row 'Wound 1 location' (wound1.location) breaks" in text


@pytest.mark.parametrize(
    ("elements", "rule"),
    [
        ({"colour": "red"}, "element.unknown"),
        ({"issued": "yesterday"}, "datatype.invalid"),
        ({"category": []}, "structure.empty-array"),
    ],
)
def test_a_breach_that_the_validator_finds_is_refused_with_its_row(elements: dict[str, Any], rule: str) -> None:
    text = refused(TEXT, **elements)
    assert f"(wound1.location) breaks the FHIR rule {rule}" in text


def test_a_bundle_of_another_form_is_refused() -> None:
    with pytest.raises(InputError, match="Bundle M1 breaks the FHIR rule"):
        refuse_invalid(WHOLE | {"type": "parcel"}, {})


def test_a_wrong_loinc_code_of_the_schema_is_refused_with_its_row() -> None:
    row = replace(DEMONSTRATION.row("vs.heart_rate"), loinc="8867-9")
    with pytest.raises(InputError, match=r"row 'Heart rate' \(vs.heart_rate\) breaks the FHIR rule loinc: 8867-9"):
        bundle_of(message(observation(1, record(row, 88.0))), schema=Schema("s", "S", "1", (row,), "", "s.json"))


def test_every_loinc_code_of_the_demonstration_has_its_check_digit() -> None:
    codes = [row.loinc for row in DEMONSTRATION.rows if row.loinc]
    assert [code for code in codes if not is_loinc(code)] == []
