"""Identity of a dictation that names others than its patient: the question whose it is, and its answers.

`app.services.patients.whose_dictation` asks it.

While the question is open, no value of the dictation can be accepted, filed or exported: a value that is right for one
patient is wrong for another, and cannot be judged before the patient is known. Viewing values, rejecting them and
undoing decisions need no answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.chart.records import IdentityAnswer, Patient
from app.record.errors import UnsureIdentity
from app.record.run import NamedPatients


@dataclass(frozen=True, slots=True)
class IdentityQuestion:
    """A dictation names others than its patient, and nobody has said yet whose it is.

    Attributes:
        patient: the patient of the dictation.
        naming: the patients it names.
        candidates: other present patients who may be meant, likeliest first.
        unknown: names that fit no present patient.
        own: the words that name its patient, as spoken.
    """

    patient: Patient
    naming: NamedPatients
    candidates: tuple[Patient, ...] = ()
    unknown: tuple[str, ...] = ()
    own: tuple[str, ...] = ()

    @property
    def likely_own(self) -> bool:
        """Whether the words name its patient, too, and no sentence several patients."""
        return bool(self.own) and not self.naming.mixed

    @property
    def words(self) -> tuple[str, ...]:
        """The words that name others, as spoken."""
        return words_of(self.naming)

    @property
    def move_to(self) -> Patient | None:
        """The one patient who must be meant instead; None if that is unclear."""
        alone = len(self.candidates) == 1 and not self.unknown
        return self.candidates[0] if alone and not self.naming.mixed else None


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """A person's answer, given during a recording, about whose it is.

    Attributes:
        patient: the patient it is about.
        called: the names of the others, as in `IdentityAnswer`.
        reviewer: who signed the answer when it was given.
    """

    patient: Patient
    called: frozenset[str]
    reviewer: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a dictation says about another person, which was set aside.

    Attributes:
        called: the name of that person; empty if none is given.
        start, end: characters [start, end) of the first such part of the transcript.
        patient: the present patient who is meant; None if that is unclear.
        added: whether that patient already has a dictation of the same recording.
    """

    called: str
    start: int
    end: int
    patient: Patient | None
    added: bool = False


def is_answered(naming: NamedPatients, patient: Patient, answer: IdentityAnswer | None) -> bool:
    """Whether an answer is about this patient and covers everyone named."""
    return answer is not None and answer.patient_id == patient.id and naming.called <= answer.called


def refusal(naming: NamedPatients, patient: Patient) -> UnsureIdentity:
    """The error for using a dictation before it is known whose it is."""
    who = f"{patient.name}, bed {patient.bed}" if patient.bed else patient.name
    return UnsureIdentity(
        f"You said {quoted(words_of(naming))}, but this dictation belongs to {who}.",
        f"Move it to the right patient, or confirm that it is {patient.name}.",
    )


def words_of(naming: NamedPatients) -> tuple[str, ...]:
    """The words that name others, as spoken."""
    return tuple(dict.fromkeys(one.text for one in naming.strangers))


def quoted(words: Sequence[str]) -> str:
    """Puts words in quotation marks and joins them: '“bed 12”', '“bed 12” and “bed 14”'."""
    marked = [f"“{one}”" for one in words] or ["several patients"]
    return " and ".join(filter(None, [", ".join(marked[:-1]), marked[-1]]))
