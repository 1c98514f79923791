"""Compares whom a dictation names with the patients of the ward: whose it is, and whom it means besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.chart.dictation_identity import IdentityQuestion, LeftOut, is_answered
from app.chart.records import IdentityAnswer, Patient
from app.record.run import Named, NamedPatients
from extraction.preparation.people.patient_names import Person, fits


def question_of(
    naming: NamedPatients, patient: Patient, present: Iterable[Patient], answer: IdentityAnswer | None = None
) -> IdentityQuestion | None:
    """The question about a patient's dictation; None if there is no doubt or it was answered."""
    if not naming.doubtful or is_answered(naming, patient, answer):
        return None
    called = [one.called for one in naming.strangers]
    others = [other for other in present if other.id != patient.id]
    unknown = [words for words in called if not any(fits(person_of(other), words) for other in others)]
    own = dict.fromkeys(one.text for one in naming.named if _names(one, patient, naming))
    return IdentityQuestion(patient, naming, tuple(_meant(called, others)), tuple(dict.fromkeys(unknown)), tuple(own))


def left_out_of(naming: NamedPatients, patient: Patient, present: Iterable[Patient]) -> tuple[LeftOut, ...]:
    """What was set aside of a patient's dictation, once for each person named."""
    others = [other for other in present if other.id != patient.id]
    found: dict[str, LeftOut] = {}
    for part in naming.others:
        meant = [other for other in others if part.called and fits(person_of(other), part.called)]
        one = LeftOut(part.called, part.start, part.end, meant[0] if len(meant) == 1 else None)
        found.setdefault(part.called, one)
    return tuple(found.values())


def person_of(patient: Patient) -> Person:
    """How a dictation may refer to a patient."""
    return Person(patient.name, patient.bed, patient.mrn, patient.birth_date)


def _names(one: Named, patient: Patient, naming: NamedPatients) -> bool:
    """Whether words name a patient beyond doubt."""
    told = one.kind != "described" and one.called not in naming.called
    return told and bool(fits(person_of(patient), one.called))


def _meant(called: Sequence[str], others: Sequence[Patient]) -> list[Patient]:
    """Patients who fit one of these names; if some are not contradicted by any other name, only those."""
    verdicts = {other: [fits(person_of(other), words) for words in called] for other in others}
    some = [other for other, found in verdicts.items() if True in found]
    sure = [other for other in some if False not in verdicts[other]]
    return sure or some
