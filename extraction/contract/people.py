"""Fields about people are found by their header and by the form of their values, before an example is kept."""

from __future__ import annotations

import re
from collections.abc import Sequence

from extraction.contract.value_shapes import words_in

_NAMES = frozenset("first last middle given family maiden surname forename prefix suffix alias initials".split())
_DETAILS = frozenset(
    "ssn passport drivers licence license phone telephone mobile fax email mail address street city zip postcode postal"
    " lat lon latitude longitude birthplace nhs insurance religion employer guardian contact kin".split()
)
_STAFF = frozenset(
    "user nurse caregiver provider physician doctor author staff clinician signer signed reviewer editor operator"
    " technician employee performer practitioner prsnl personnel init initials sign signature username".split()
)
_PATIENT = frozenset("pat pt patient subject person mrn mr client resident".split())
_ENCOUNTER = frozenset("enc encounter csn visit hadm stay admission episode encntr account acct case".split())
_BIRTH = frozenset("dob birth birthdate born".split())
_OF_NUMBERS = frozenset("id ids key num number no nr uuid guid code identifier".split())

_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.IGNORECASE)
_PHONE = re.compile(r"(?:\+\d[\d ()-]{7,}|\(?\d{3}\)?[ -]\d{3}-\d{4})")
_PERSON_NAME = re.compile(r"[A-Z][a-z'’-]+,\s*[A-Z][a-z'’-]*\.?(?:\s[A-Z]\.?)?")
_SHARE = 0.5


def is_patient(header: str) -> bool:
    """Whether a header names the patient, or the patient's number."""
    words = _joined(header)
    return bool(words & _PATIENT) and not words & {"weight", "class", "type", "education", "age"}


def is_encounter(header: str) -> bool:
    """Whether a header names a stay or a visit."""
    words = _joined(header)
    return bool(words & _ENCOUNTER) and not words & {"type", "class", "cost", "time", "date", "location"}


def is_staff(header: str) -> bool:
    """Whether a header names somebody who charted, edited or ordered."""
    words = words_in(header)
    by = len(words) > 1 and words[-1] == "by" and not set(words) & {"superseded", "replaced", "followed"}
    return bool(set(words) & _STAFF) or by


def person_reason(header: str, values: Sequence[str]) -> str:
    """Why a field is about a person and used by nothing; empty if it is not."""
    words = _joined(header)
    if is_staff(header):
        return "names staff"
    if words & _BIRTH:
        return "date of birth"
    if words & _DETAILS or (words & _NAMES and words <= _NAMES | _PATIENT | {"name"}):
        return "identifies a person"
    if "name" in words and words & _PATIENT:
        return "names patients"
    for form, reason in ((_SSN, "holds social security numbers"), (_EMAIL, "holds e-mail addresses"),
                         (_PHONE, "holds telephone numbers"), (_PERSON_NAME, "holds names of persons")):  # fmt: skip
        if values and sum(bool(form.fullmatch(value.strip())) for value in values) >= _SHARE * len(values):
            return reason
    return ""


def is_number_of_a_person(header: str) -> bool:
    """Whether a field holds the numbers by which patients or stays are told apart."""
    return is_patient(header) or is_encounter(header)


def _joined(header: str) -> frozenset[str]:
    return frozenset(words_in(header))
