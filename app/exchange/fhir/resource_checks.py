"""Wardlight's own checks of rules of FHIR R4 that the validator lets pass."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from app.exchange.fhir.datatypes import FORBIDDEN, UCUM, Json
from app.exchange.fhir.violations import Violation
from app.exchange.fhir.vital_signs import loinc_codes
from extraction.flowsheet.ucum import is_ucum

STATUSES = {
    "Encounter": "planned arrived triaged in-progress onleave finished cancelled entered-in-error unknown".split(),
    "Observation": "registered preliminary final amended corrected cancelled entered-in-error unknown".split(),
}
_LOINC = re.compile(r"\d{1,7}-\d")
_HAS_ZONE = re.compile(r".*(Z|[+-]\d{2}:\d{2})")


def entry_violations(entries: list[Json]) -> Iterator[tuple[Json, Violation]]:
    """What entries break together: each has an id of its own, and what they refer to is among them."""
    urls = Counter(entry["fullUrl"] for entry in entries)
    kinds = {entry["fullUrl"]: entry["resource"]["resourceType"] for entry in entries}
    for entry in entries:
        resource = entry["resource"]
        if urls[entry["fullUrl"]] > 1:
            yield resource, Violation("own-id", "another resource has the same id")
        for referred in _found("reference", resource):
            if referred not in kinds:
                yield resource, Violation("references", f"it refers to {referred}, which is not in the bundle")
        if "subject" in resource and kinds.get(resource["subject"]["reference"]) != "Patient":
            yield resource, Violation("references", "its subject is no patient")


def resource_violations(resource: Json) -> Iterator[Violation]:
    """What a resource breaks by itself."""
    kind = resource["resourceType"]
    if kind in STATUSES and resource.get("status") not in STATUSES[kind]:
        yield Violation("status", f"{resource.get('status', 'nothing')} is not a status of FHIR")
    for text in _texts(resource):
        if not text.strip() or FORBIDDEN.search(text):
            yield Violation("texts", "a text is blank or has control characters")
    for quantity in _quantities(resource):
        yield from _quantity(quantity)
    yield from _times(resource)
    if kind == "Observation":
        yield from _observation(resource)


def _observation(resource: Json) -> Iterator[Violation]:
    components = resource.get("component", ())
    for said in (resource, *components):
        values = [name for name in said if name.startswith("value")]
        if len(values) > 1:
            yield Violation("one-value", f"it has {len(values)} values")
        if values and "dataAbsentReason" in said:
            yield Violation("obs-6", "it has a value and a reason why none is there")
        for loinc in loinc_codes(said):
            if not is_loinc(loinc):
                yield Violation("loinc", f"{loinc} is not a LOINC code: its check digit is wrong")
        if not said.get("code"):
            yield Violation("code", "it has neither a code nor a name")
    own_value = any(name.startswith("value") for name in resource)
    if own_value and any(one in _codings(resource) for part in components for one in _codings(part)):
        yield Violation("obs-7", "it has a value beside a component with the same code")
    if not (own_value or components or "dataAbsentReason" in resource):
        yield Violation("one-value", "it has no value")


def _codings(coded: Json) -> list[Json]:
    """What a coded thing is coded as, or its name if it is not."""
    code = coded.get("code", {})
    return [{"system": one.get("system"), "code": one.get("code")} for one in code.get("coding", ())] or [code]


def _times(resource: Json) -> Iterator[Violation]:
    period = resource.get("effectivePeriod", {})
    named = [resource.get(name) for name in ("birthDate", "effectiveDateTime", "valueDateTime")]
    for moment in filter(None, [*named, *period.values()]):
        if not _is_date(moment):
            yield Violation("dates", f"{moment} is not a day or a time of the calendar")
            return
        if "T" in moment and not _HAS_ZONE.fullmatch(moment):
            yield Violation("time-zone", f"{moment} has a time of day without a time zone")
            return
    if {"start", "end"} <= period.keys():
        start, end = (datetime.fromisoformat(period[name]) for name in ("start", "end"))
        if start > end:
            yield Violation("per-1", f"its period ends before it starts, at {period['start']}")


def _is_date(moment: str) -> bool:
    try:
        datetime.fromisoformat(moment)
    except ValueError:
        return False
    return True


def _quantity(quantity: Json) -> Iterator[Violation]:
    if not isinstance(quantity.get("value"), int | float) or isinstance(quantity["value"], bool):
        yield Violation("quantity", "a quantity has no number")
    if "code" in quantity and "system" not in quantity:
        yield Violation("qty-3", f"the unit code {quantity['code']} has no system")
    if quantity.get("system") == UCUM and not is_ucum(quantity.get("code", "")):
        yield Violation("ucum", f"{quantity.get('code', 'nothing')} is not a UCUM code")


def is_loinc(code: str) -> bool:
    """Whether the form and the check digit are right: modulo 10, every second digit doubled, from the right."""
    if not _LOINC.fullmatch(code):
        return False
    number, check = code.split("-")
    digits = [int(digit) for digit in reversed(number)]
    total = sum(digits[1::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[::2])
    return (10 - total % 10) % 10 == int(check)


def _found(name: str, content: Any) -> Iterator[str]:
    """All texts under this name, however deep."""
    if isinstance(content, dict):
        for key, inner in content.items():
            if key == name and isinstance(inner, str):
                yield inner
            yield from _found(name, inner)
    elif isinstance(content, list):
        for inner in content:
            yield from _found(name, inner)


def _texts(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict | list):
        for inner in content.values() if isinstance(content, dict) else content:
            yield from _texts(inner)


def _quantities(resource: Json) -> Iterator[Json]:
    for said in (resource, *resource.get("component", ())):
        if "valueQuantity" in said:
            yield said["valueQuantity"]
        for interval in said.get("referenceRange", ()):
            yield from (interval[side] for side in ("low", "high") if side in interval)
