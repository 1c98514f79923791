"""Each rule of the vital signs profiles is checked here, because the validator lets its breach pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.exchange.fhir.validation import validator_violations
from app.exchange.fhir.vital_signs import ALSO_CODED, VITAL_SIGNS, vital_sign_violations
from extraction.flowsheet.schema import Row, Schema, ValueType
from models.base.errors import InputError
from tests.unit.app.exchange.fhir.messages import (
    DEMONSTRATION,
    message,
    observation,
    observations_of,
    of_values,
    record,
)

Observed = dict[str, Any]

# from the profiles of R4: name, LOINC code, and the UCUM codes of its required binding
PROFILES = [
    ("heartrate", "8867-4", ["/min"]),
    ("resprate", "9279-1", ["/min"]),
    ("bodytemp", "8310-5", ["Cel", "[degF]"]),
    ("oxygensat", "2708-6", ["%"]),
    ("oxygensat", "59408-5", ["%"]),
    ("heartrate", "8889-8", ["/min"]),
    ("bodytemp", "8331-1", ["Cel", "[degF]"]),
    ("bodytemp", "8332-9", ["Cel", "[degF]"]),
    ("bodytemp", "8328-7", ["Cel", "[degF]"]),
    ("bodyweight", "3141-9", ["kg", "g", "[lb_av]"]),
    ("bodyheight", "3137-7", ["cm", "[in_i]"]),
    ("headcircum", "8287-5", ["cm", "[in_i]"]),
    ("bodyweight", "29463-7", ["kg", "g", "[lb_av]"]),
    ("bodyheight", "8302-2", ["cm", "[in_i]"]),
    ("headcircum", "9843-4", ["cm", "[in_i]"]),
    ("bmi", "39156-5", ["kg/m2"]),
    ("vitalsigns", "8480-6", ["mm[Hg]"]),
    ("vitalsigns", "8462-4", ["mm[Hg]"]),
    ("vitalsigns", "8478-0", ["mm[Hg]"]),
]


def schema_of(row: Row) -> Schema:
    return Schema("s", "S", "1", (row,), "", "s.json")


def sent(loinc: str, ucum: str | None, value_type: ValueType = ValueType.NUMERIC, value: Any = 50.0) -> Observed:
    row = Row("r", "Row", value_type, ("C",), unit="unit", ucum=ucum, loinc=loinc)
    (found,) = observations_of(message(observation(1, record(row, value))), schema=schema_of(row))
    return found


def heart_rate() -> Observed:
    (found,) = observations_of(of_values(DEMONSTRATION, vs__heart_rate=88.0))
    return found


def blood_pressure() -> Observed:
    (found,) = observations_of(of_values(DEMONSTRATION, vs__bp="120/80"))
    return found


def saturation() -> Observed:
    (found,) = observations_of(of_values(DEMONSTRATION, o2__spo2=95.0))
    return found


def broken(observed: Observed) -> set[str]:
    return {one.rule for one in vital_sign_violations(observed)}


@pytest.mark.parametrize(("profile", "loinc", "units"), PROFILES)
def test_each_profile_is_claimed_and_kept_with_each_of_its_units(profile: str, loinc: str, units: list[str]) -> None:
    for ucum in units:
        found = sent(loinc, ucum)
        assert found["meta"]["profile"] == [f"http://hl7.org/fhir/StructureDefinition/{profile}"]
        assert found["valueQuantity"]["code"] == ucum
        assert found["valueQuantity"]["unit"] == "unit"


@pytest.mark.parametrize("loinc", [loinc for _, loinc, _ in PROFILES])
@pytest.mark.parametrize("ucum", [None, "mmol/L"])
def test_a_unit_that_no_profile_allows_is_refused(loinc: str, ucum: str | None) -> None:
    with pytest.raises(InputError, match=r"Observation \S+ of row 'Row' \(r\) breaks the FHIR rule vital-signs-unit"):
        sent(loinc, ucum)


def test_no_profile_is_forgotten() -> None:
    assert set(VITAL_SIGNS) == {loinc for _, loinc, _ in PROFILES} - set(ALSO_CODED) | {"85354-9"}


@pytest.mark.parametrize(("narrower", "wanted"), ALSO_CODED.items())
def test_a_narrower_code_stands_beside_that_of_its_profile(narrower: str, wanted: str) -> None:
    codes = [one["code"] for one in sent(narrower, min(VITAL_SIGNS[wanted].units))["code"]["coding"]]
    assert codes[:2] == [wanted, narrower]


def test_a_blood_pressure_keeps_its_profile() -> None:
    assert blood_pressure()["meta"]["profile"] == ["http://hl7.org/fhir/StructureDefinition/bp"]
    with pytest.raises(InputError, match="vital-signs-unit"):
        sent("85354-9", "kPa", ValueType.BLOOD_PRESSURE, "120/80")


@pytest.mark.parametrize("loinc", ["8867-4", "85354-9"])
def test_a_code_of_a_number_on_a_row_without_one_is_refused(loinc: str) -> None:
    with pytest.raises(InputError, match=r"\(r\) breaks the FHIR rule vital-signs-(value|pressures)"):
        sent(loinc, None, ValueType.TEXT, "fast")


def change(path: str, content: Any) -> Callable[[Observed], None]:
    """Puts something into an observation; None takes it out."""

    def apply(observed: Observed) -> None:
        *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
        place: Any = observed
        for step in way:
            place = place[step]
        if content is None:
            del place[last]
        else:
            place[last] = content

    return apply


CODING = {"system": "http://loinc.org", "code": "8867-4"}
QUANTITY = {"value": 1, "unit": "/min", "system": "http://unitsofmeasure.org", "code": "/min"}
BREACHES = [
    (heart_rate, "meta", None, "vital-signs-profile"),
    (heart_rate, "meta.profile.0", "http://hl7.org/fhir/StructureDefinition/bmi", "vital-signs-profile"),
    (heart_rate, "code.coding.0.code", "8889-8", "vital-signs-code"),
    (heart_rate, "code.coding.1.system", None, "vital-signs-code"),
    (saturation, "code.coding.0", CODING, "vital-signs-code"),
    (heart_rate, "category.0.coding.0.code", "vitals", "vital-signs-category"),
    (heart_rate, "category", None, "vital-signs-category"),
    (heart_rate, "subject", None, "vital-signs-subject"),
    (heart_rate, "effectiveDateTime", None, "vital-signs-effective"),
    (heart_rate, "effectiveDateTime", "2026-01", "vital-signs-effective"),
    (heart_rate, "valueQuantity", None, "vital-signs-value"),
    (heart_rate, "valueQuantity.value", None, "vital-signs-value"),
    (heart_rate, "valueQuantity.value", "88", "vital-signs-value"),
    (heart_rate, "valueQuantity.unit", None, "vital-signs-unit"),
    (heart_rate, "valueQuantity.system", None, "vital-signs-unit"),
    (heart_rate, "valueQuantity.code", None, "vital-signs-unit"),
    (heart_rate, "valueQuantity.code", "bpm", "vital-signs-unit"),
    (blood_pressure, "valueQuantity", QUANTITY, "vital-signs-pressures"),
    (blood_pressure, "component", None, "vital-signs-pressures"),
    (blood_pressure, "component.1", None, "vital-signs-pressures"),
    (blood_pressure, "component.1.code.coding.0.code", "8480-6", "vital-signs-pressures"),
    (blood_pressure, "component.0.valueQuantity", None, "vital-signs-value"),
    (blood_pressure, "component.0.valueQuantity.code", "mmHg", "vital-signs-unit"),
]


@pytest.mark.parametrize(
    ("whole", "path", "content", "rule"), BREACHES, ids=[f"{rule}: {path}" for _, path, _, rule in BREACHES]
)
def test_a_breach_is_found_here_and_by_no_other_check(
    whole: Callable[[], Observed], path: str, content: Any, rule: str
) -> None:
    observed = whole()
    assert broken(observed) == set()
    change(path, content)(observed)
    assert rule in broken(observed)
    entry = {"fullUrl": "urn:uuid:1", "resource": observed, "request": {"method": "PUT", "url": "Observation/1"}}
    assert list(validator_violations({"resourceType": "Bundle", "type": "transaction", "entry": [entry]})) == []


def test_a_reason_why_a_value_is_missing_takes_its_place() -> None:
    observed = heart_rate()
    del observed["valueQuantity"]
    observed["dataAbsentReason"] = {"text": "refused"}
    assert broken(observed) == set()


def test_a_value_that_is_no_quantity_is_found() -> None:
    observed = heart_rate()
    observed["valueString"] = observed.pop("valueQuantity")["unit"]
    assert broken(observed) == {"vital-signs-value"}


def test_rows_without_loinc_keep_their_own_code_alone() -> None:
    row = replace(DEMONSTRATION.row("vs.heart_rate"), loinc=None)
    (found,) = observations_of(message(observation(1, record(row, 88.0))), schema=schema_of(row))
    assert [one["code"] for one in found["code"]["coding"]] == ["vs.heart_rate"]
    assert "meta" not in found
    assert broken(found) == set()
