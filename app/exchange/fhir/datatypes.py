"""Data types of FHIR as JSON: texts, codings, concepts, times and numbers."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Any

from models.base.errors import InputError

Json = dict[str, Any]

LOINC = "http://loinc.org"
UCUM = "http://unitsofmeasure.org"
URI = "urn:ietf:rfc:3986"  # the system of identifiers that are URIs themselves
CATEGORY_SYSTEM = "http://terminology.hl7.org/CodeSystem/observation-category"
_INTERPRETATION = "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation"
_ABSENT = "http://terminology.hl7.org/CodeSystem/data-absent-reason"

# FHIR's strings have no control characters but tab and line ends; XML has no surrogates and no last two of a plane
FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LARGEST_WHOLE = 2.0**53


def clean(text: str) -> str:
    """A text with the replacement character in place of each one that FHIR forbids, so that nothing vanishes unseen."""
    return FORBIDDEN.sub("\ufffd", text)


def filled(**elements: Any) -> Json:
    """Elements without the empty ones, which FHIR forbids. A number or a truth value is never empty."""
    return {name: content for name, content in elements.items() if content not in ("", None, [], {}, ())}


def coding(system: str, code: str, name: str = "") -> Json:
    """A coding. FHIR's codes have single spaces inside and none around, so other white space becomes one space."""
    return filled(system=clean(system), code=" ".join(clean(code).split()), display=clean(name))


def concept(*codings: Json, text: str = "") -> Json:
    return filled(coding=list(codings), text=clean(text))


def category(code: str) -> Json:
    return concept(coding(CATEGORY_SYSTEM, code))


def interpretation(code: str) -> list[Json]:
    """HL7's code of a judged number, such as `HH`; nothing for an empty one."""
    return [concept(coding(_INTERPRETATION, code))] if code else []


def absent(reason: str, text: str = "") -> Json:
    return concept(coding(_ABSENT, reason), text=text)


def urn(uuid: str) -> str:
    return f"urn:uuid:{uuid}"


def reference(uuid: str) -> Json:
    """A reference to another resource of the bundle; a server replaces it by its own address."""
    return {"reference": urn(uuid)}


def instant(moment: str) -> str:
    """A stored moment (UTC in ISO 8601) in milliseconds."""
    return _aware(moment).isoformat(timespec="milliseconds")


def date_time(moment: str) -> str:
    """A stored moment (UTC in ISO 8601) by the ward's clock, with its offset there."""
    return _aware(moment).astimezone().isoformat(timespec="seconds")


def local_date_time(minute: str) -> str:
    """A minute by the ward's clock with its offset; in an hour that occurs twice, the first is meant."""
    return datetime.fromisoformat(minute).astimezone().isoformat(timespec="seconds")


def number(value: float, of_what: str) -> int | float:
    """A number as JSON writes it, a whole one without a point. Raises InputError if it is not finite."""
    if not math.isfinite(value):
        raise InputError(f"{of_what} has no finite number.", "Correct the value and send it again.")
    return int(value) if value == int(value) and abs(value) < _LARGEST_WHOLE else value


def _aware(moment: str) -> datetime:
    parsed = datetime.fromisoformat(moment)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
