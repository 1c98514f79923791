"""Patients by what somebody types: names before dates of birth, numbers and beds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from app.chart.records import Patient
from ui.kit.words import identity_text


def search_patients(patients: Iterable[Patient], typed: str) -> list[Patient]:
    """The patients of whose identity each word typed is a part; first those with a name that begins so, as "mar" does
    Marsh and not whoever was born in March. Otherwise in the given order."""
    words = typed.casefold().split()
    found = [patient for patient in patients if all(word in _identity(patient) for word in words)]
    return sorted(found, key=lambda patient: not all(_begins_a_name(word, patient) for word in words))


def _identity(patient: Patient) -> str:
    return f"{identity_text(patient)} {patient.birth_date}".casefold()


def _begins_a_name(word: str, patient: Patient) -> bool:
    return any(name.startswith(word) for name in re.findall(r"[\w'’-]+", patient.name.casefold()))
