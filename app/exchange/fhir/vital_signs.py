"""Wardlight's own checks of FHIR R4's vital signs profiles, which the validator does not have.

The profiles are at http://hl7.org/fhir/R4/observation-vitalsigns.html. They apply to an observation by its LOINC code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.exchange.fhir.datatypes import CATEGORY_SYSTEM, LOINC, UCUM, Json
from app.exchange.fhir.violations import Violation

CATEGORY = "vital-signs"
BLOOD_PRESSURE = "85354-9"
PRESSURE_PARTS = ("8480-6", "8462-4")  # systolic, diastolic
_PROFILES = "http://hl7.org/fhir/StructureDefinition/"
_TO_THE_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True)
class VitalSign:
    """A profile: its canonical URL, and the UCUM codes that its value, or its parts, may have."""

    profile: str
    units: frozenset[str]


def _vital_sign(name: str, units: str) -> VitalSign:
    return VitalSign(_PROFILES + name, frozenset(units.split()))


# by LOINC code; numbers of a blood pressure that are charted each by itself have no profile but the general one
VITAL_SIGNS = {
    "8867-4": _vital_sign("heartrate", "/min"),
    "9279-1": _vital_sign("resprate", "/min"),
    "8310-5": _vital_sign("bodytemp", "Cel [degF]"),
    "2708-6": _vital_sign("oxygensat", "%"),
    "29463-7": _vital_sign("bodyweight", "kg g [lb_av]"),
    "8302-2": _vital_sign("bodyheight", "cm [in_i]"),
    "9843-4": _vital_sign("headcircum", "cm [in_i]"),
    "39156-5": _vital_sign("bmi", "kg/m2"),
    BLOOD_PRESSURE: _vital_sign("bp", "mm[Hg]"),
    "8480-6": _vital_sign("vitalsigns", "mm[Hg]"),
    "8462-4": _vital_sign("vitalsigns", "mm[Hg]"),
    "8478-0": _vital_sign("vitalsigns", "mm[Hg]"),
}
# the code that a profile wants beside a narrower one: saturation by pulse oximetry is saturation
ALSO_CODED = {
    "59408-5": "2708-6",
    "8889-8": "8867-4",  # heart rate by pulse oximetry
    "8331-1": "8310-5",  # oral temperature
    "8332-9": "8310-5",  # rectal temperature
    "8328-7": "8310-5",  # axillary temperature
    "3141-9": "29463-7",  # body weight, measured
    "3137-7": "8302-2",  # body height, measured
    "8287-5": "9843-4",  # head circumference by tape measure
}


def vital_sign_of(loinc: str | None) -> VitalSign | None:
    """The profile of what has this LOINC code; None if no profile applies."""
    return VITAL_SIGNS.get(ALSO_CODED.get(loinc or "", loinc or ""))


def vital_sign_violations(observation: Json) -> Iterator[Violation]:
    """What an Observation breaks of the profile of its LOINC code; nothing for one without a profile."""
    codes = loinc_codes(observation)
    for narrower, wanted in ALSO_CODED.items():
        if narrower in codes and wanted not in codes:
            yield Violation("vital-signs-code", f"LOINC {narrower} stands without {wanted}")
    loinc = next((code for code in codes if code in VITAL_SIGNS), None)
    if loinc is None:
        yield from _unfounded_profiles(observation)
        return
    sign = VITAL_SIGNS[loinc]
    if sign.profile not in observation.get("meta", {}).get("profile", ()):
        yield Violation("vital-signs-profile", f"it does not claim {sign.profile}")
    if any(not (one.get("system") and one.get("code")) for one in observation["code"].get("coding", ())):
        yield Violation("vital-signs-code", "a code has no system")
    kinds = [(one.get("system"), one.get("code")) for kind in observation.get("category", ()) for one in kind["coding"]]
    if (CATEGORY_SYSTEM, CATEGORY) not in kinds:
        yield Violation("vital-signs-category", f"its category is not {CATEGORY}")
    if not observation.get("subject"):
        yield Violation("vital-signs-subject", "it has no patient")
    yield from _times(observation)
    if loinc == BLOOD_PRESSURE:
        yield from _pressures(observation, sign)
    else:
        yield from _quantity(observation, sign)


def loinc_codes(coded: Json) -> list[str]:
    """The LOINC codes of an observation or a component."""
    codings = coded.get("code", {}).get("coding", ())
    return [one["code"] for one in codings if one.get("system") == LOINC and "code" in one]


def _unfounded_profiles(observation: Json) -> Iterator[Violation]:
    of_vital_signs = {sign.profile for sign in VITAL_SIGNS.values()}
    for profile in observation.get("meta", {}).get("profile", ()):
        if profile in of_vital_signs:
            yield Violation("vital-signs-code", f"it claims {profile} without the LOINC code of that profile")


def _times(observation: Json) -> Iterator[Violation]:
    period = observation.get("effectivePeriod", {})
    moment = observation.get("effectiveDateTime") or period.get("start") or period.get("end")
    if not moment:
        yield Violation("vital-signs-effective", "it has no time of observation")
    elif not _TO_THE_DAY.match(moment):
        yield Violation("vital-signs-effective", f"its time {moment} is not precise to the day")


def _pressures(observation: Json, sign: VitalSign) -> Iterator[Violation]:
    if any(name.startswith("value") for name in observation):
        yield Violation("vital-signs-pressures", "a blood pressure has parts, not a value of its own")
    components = observation.get("component", ())
    for loinc in PRESSURE_PARTS:
        parts = [one for one in components if loinc in loinc_codes(one)]
        if len(parts) != 1:
            yield Violation("vital-signs-pressures", f"it has {len(parts)} parts with LOINC {loinc} instead of one")
        for part in parts:
            yield from _quantity(part, sign)


def _quantity(measured: Json, sign: VitalSign) -> Iterator[Violation]:
    values = [name for name in measured if name.startswith("value")]
    if not values:
        if not measured.get("dataAbsentReason"):
            yield Violation("vital-signs-value", "it has neither a value nor a reason why none is there")
        return
    if values != ["valueQuantity"]:
        yield Violation("vital-signs-value", f"its value is a {values[0].removeprefix('value')}, not a Quantity")
        return
    quantity = measured["valueQuantity"]
    if not isinstance(quantity.get("value"), int | float) or isinstance(quantity["value"], bool):
        yield Violation("vital-signs-value", "its value has no number")
    if not quantity.get("unit"):
        yield Violation("vital-signs-unit", "its value has no unit")
    if quantity.get("system") != UCUM or quantity.get("code") not in sign.units:
        allowed = ", ".join(sorted(sign.units))
        yield Violation(
            "vital-signs-unit", f"its UCUM code is {quantity.get('code', 'missing')}, not one of: {allowed}"
        )
