"""How a patient is identified in a single line."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.chart.records import Patient
from app.store import Store
from ui.kit.words import identity_text


@pytest.mark.parametrize(
    ("patient", "words"),
    [
        (
            Patient(1, "Novak, Anna", "14B", "123456", "1950-02-03"),
            "Novak, Anna · born 3 Feb 1950 · MRN 123456 · bed 14B",
        ),
        (Patient(1, "Novak, Anna", "", "", "1950-02-03"), "Novak, Anna · born 3 Feb 1950"),
        (Patient(1, "Novak, Anna", "Bed 14B", "0042"), "Novak, Anna · MRN 0042 · bed 14B"),
        (Patient(1, "Novak, Anna", "Bedside 2", ""), "Novak, Anna · bed Bedside 2"),
        (Patient(1, "Novak, Anna", "", ""), "Novak, Anna"),
    ],
)
def test_a_patient_is_shown_with_up_to_two_identifiers(patient: Patient, words: str) -> None:
    assert identity_text(patient) == words


def test_the_birth_date_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "wardlight.db"
    with Store(path) as store:
        known = store.patients.add("Novak, Anna", "14B", "123456", birth_date="1950-02-03")
    with Store(path) as store:
        assert store.patients.all() == [known]
        assert known.birth_date == "1950-02-03"
