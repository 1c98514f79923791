"""Errors cross processes whole, and reports of defects quote nobody."""

from __future__ import annotations

import pickle

from app.chart.patient_identity import DuplicatePatient, Patient
from models.base.errors import Bug, InputError, as_bug


def _defect() -> Exception:
    try:
        try:
            {}["Okafor, Grace"]
        except KeyError as error:
            raise ValueError(f"pulse 88 of {error}") from error
    except ValueError as error:
        return error


def test_a_report_says_where_and_quotes_nothing() -> None:
    bug = as_bug(_defect())
    assert isinstance(bug, Bug)
    assert "in _defect" in bug.details
    assert bug.details.index("KeyError") < bug.details.index("ValueError")
    assert "of 'Okafor, Grace'" not in bug.details
    assert "Grace" not in str(bug)


def test_an_error_for_a_person_stays_as_it_is() -> None:
    error = InputError("There is no file.", "Choose another.")
    assert as_bug(error) is error


def test_errors_with_more_than_words_pickle_whole() -> None:
    patient = Patient(1, "Okafor, Grace", "6", "8842017", "", "", None)
    error = DuplicatePatient("Taken.", "Look again.", patient, "mrn")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.what, again.next_step) == (DuplicatePatient, "Taken.", "Look again.")
    assert (again.patient, again.shared, again.args) == (patient, "mrn", ("Taken.",))


def test_an_error_keeps_its_kind_in_other_words() -> None:
    bug = Bug("a.txt failed.", details="in _defect")
    again = bug.reworded("obs.txt failed.", "Retry.")
    assert (type(again), str(again), again.details) == (Bug, "obs.txt failed. Retry.", "in _defect")
