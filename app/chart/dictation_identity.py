"""Whose dictation it is, where it names others than the patient to whom it belongs: the question, and who may be meant.

While the question is open, nothing of the dictation is accepted, filed or exported, not even a single value: a value
that is right for one patient is wrong for the other, and nobody can judge it before it is known whose it is. Looking at
values, rejecting them and taking decisions back need no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.chart.records import IdentityAnswer, Patient
from extraction.preparation.other_patients import Naming, Person, fits
from models.errors import UnsureIdentity


@dataclass(frozen=True, slots=True)
class IdentityQuestion:
    """A dictation names others than its patient, and nobody has said yet whose it is.

    Attributes:
        patient: to whom the dictation belongs.
        naming: whom it names.
        candidates: other present patients who may be meant, the likeliest first.
        unknown: how those are called who are on no list.
    """

    patient: Patient
    naming: Naming
    candidates: tuple[Patient, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The words that name others, as they were said."""
        return words_of(self.naming)

    @property
    def move_to(self) -> Patient | None:
        """The one patient who is meant instead; None where that cannot be told."""
        alone = len(self.candidates) == 1 and not self.unknown
        return self.candidates[0] if alone and not self.naming.mixed else None


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """What a person says about whose recording it is while it runs: of whom it is, though others are named so.

    Attributes:
        reviewer: who signed the answer when it was given.
    """

    patient: Patient
    called: frozenset[str]
    reviewer: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a dictation says about somebody else, which was set aside.

    Attributes:
        called: how they are called; empty where nobody is named.
        start, end: where the first such part stands in the transcript.
        patient: the one present patient who is meant; None where that cannot be told.
        added: whether that patient has a dictation of the same recording already.
    """

    called: str
    start: int
    end: int
    patient: Patient | None
    added: bool = False


def question_of(
    naming: Naming, patient: Patient, present: Iterable[Patient], answer: IdentityAnswer | None = None
) -> IdentityQuestion | None:
    """What is to be asked about a dictation of a patient; None where nothing is in doubt, or it was answered."""
    if not naming.doubtful or is_answered(naming, patient, answer):
        return None
    called = [one.called for one in naming.strangers]
    others = [other for other in present if other.id != patient.id]
    unknown = [words for words in called if not any(fits(person_of(other), words) for other in others)]
    return IdentityQuestion(patient, naming, tuple(_meant(called, others)), tuple(dict.fromkeys(unknown)))


def is_answered(naming: Naming, patient: Patient, answer: IdentityAnswer | None) -> bool:
    """Whether an answer is about this patient, and about all who are named."""
    return answer is not None and answer.patient_id == patient.id and naming.called <= answer.called


def left_out_of(naming: Naming, patient: Patient, present: Iterable[Patient]) -> tuple[LeftOut, ...]:
    """What was set aside of a dictation of a patient, once for each who is named there."""
    others = [other for other in present if other.id != patient.id]
    found: dict[str, LeftOut] = {}
    for part in naming.others:
        meant = [other for other in others if part.called and fits(person_of(other), part.called)]
        one = LeftOut(part.called, part.start, part.end, meant[0] if len(meant) == 1 else None)
        found.setdefault(part.called, one)
    return tuple(found.values())


def refusal(naming: Naming, patient: Patient) -> UnsureIdentity:
    """Why nothing of a dictation is taken before it is known whose it is."""
    who = f"{patient.name}, bed {patient.bed}" if patient.bed else patient.name
    return UnsureIdentity(
        f"You said {quoted(words_of(naming))}, but this dictation belongs to {who}.",
        f"Move it to the right patient, or confirm that it is {patient.name}.",
    )


def words_of(naming: Naming) -> tuple[str, ...]:
    """The words that name others, as they were said."""
    return tuple(dict.fromkeys(one.text for one in naming.strangers))


def quoted(words: Sequence[str]) -> str:
    """'“bed 12”', '“bed 12” and “bed 14”'."""
    marked = [f"“{one}”" for one in words] or ["several patients"]
    return " and ".join(filter(None, [", ".join(marked[:-1]), marked[-1]]))


def person_of(patient: Patient) -> Person:
    """A patient as a dictation may call them."""
    return Person(patient.name, patient.bed, patient.mrn)


def _meant(called: Sequence[str], others: Sequence[Patient]) -> list[Patient]:
    """Who may be called in one of these ways; those come first whom no other way speaks against."""
    verdicts = {other: [fits(person_of(other), words) for words in called] for other in others}
    some = [other for other, found in verdicts.items() if True in found]
    sure = [other for other in some if False not in verdicts[other]]
    return sure or some
