"""Identity of patients: what a new one needs, when two are the same, and what a typed date of birth means."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from types import MappingProxyType

from app.chart.records import Patient
from models.base.errors import InputError
from models.base.text_caches import text_cache

EARLIEST = date(1890, 1, 1)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


@dataclass(frozen=True, slots=True)
class Identity:
    """What a person enters about a patient.

    Attributes:
        birth_date: 'YYYY-MM-DD'; empty if unknown.
        temporary: whether the record number is temporary, for a patient not identified yet.
    """

    name: str
    bed: str = ""
    mrn: str = ""
    birth_date: str = ""
    temporary: bool = False

    @classmethod
    def of(cls, patient: Patient) -> Identity:
        return cls(patient.name, patient.bed, patient.mrn, patient.birth_date, patient.temporary)


class DuplicatePatient(InputError):
    """Another patient has the same record number, bed, or name and birth date.

    Attributes:
        patient: the other patient.
        shared: `mrn`, `bed` or `name`; for `name`, a person may confirm that they are two people.
    """

    code = "duplicate"

    def __init__(self, what: str, next_step: str, patient: Patient, shared: str) -> None:
        super().__init__(what, next_step)
        self.patient, self.shared = patient, shared


class OpenDictations(InputError):
    """A patient cannot be discharged without confirmation: dictations about them are unfinished or not filed."""

    code = "open-dictations"


@dataclass(frozen=True, slots=True)
class PatientChange:
    """One change of an imported list of patients, all of which are made together.

    Attributes:
        before: the patient when the change was planned; None for a new one.
        after: the identity after the change; None for a discharge.
    """

    before: Patient | None
    after: Identity | None


def tidy(identity: Identity) -> Identity:
    """Removes extra spaces, the word "bed" before the bed, and `temporary` without a record number."""
    name, mrn = (" ".join(text.split()) for text in (identity.name, identity.mrn))
    return replace(
        identity,
        name=name,
        bed=bed_name(identity.bed),
        mrn=mrn,
        birth_date=identity.birth_date.strip(),
        temporary=identity.temporary and bool(mrn),
    )


def complete(identity: Identity, on: date | None = None) -> Identity:
    """Tidies the identity of a new patient and checks that it is complete.

    It needs a name or alias, and a date of birth or record number. An unidentified patient has an alias and the
    temporary number of the wristband. Raises InputError if something is missing or the date of birth is impossible.

    Args:
        on: the day on which the patient is added; today by default.
    """
    identity = tidy(identity)
    if not identity.name:
        raise InputError("The patient has no name.", "Enter a name or alias.")
    if not (identity.mrn or identity.birth_date):
        raise InputError(
            f"{identity.name} has no second identifier.",
            "Enter the date of birth or the MRN; for a patient not identified yet, the temporary number on the "
            "wristband.",
        )
    if identity.birth_date:
        refuse_impossible(identity.birth_date, on)
    return identity


def today() -> date:
    """Today's date by the ward's clock."""
    return datetime.now(UTC).astimezone().date()


def refuse_impossible(birth_date: str, on: date | None = None) -> None:
    """Raises InputError unless it is a date on which a patient can have been born."""
    try:
        born = date.fromisoformat(birth_date)
    except ValueError as error:
        raise InputError(f"{birth_date} is not a date.", "Write it as year-month-day: 1950-02-03.") from error
    if born > (on or today()):
        raise InputError(f"The date of birth {_words(born)} is in the future.", "Check day, month and year.")
    if born < EARLIEST:
        raise InputError(f"The date of birth {_words(born)} is before {EARLIEST.year}.", "Check the year.")


# duplicates


def bed_name(bed: str) -> str:
    """A bed without the word "bed": '14B' for 'Bed 14B'."""
    return re.sub(r"^bed(?![^\W\d_])[\s.:#]*", "", " ".join(bed.split()), flags=re.IGNORECASE)


def bed_key(bed: str) -> str:
    """A key that is equal for all ways of writing a bed: '14b', 'Bed 14B' and '14 B'."""
    plain = re.sub(r"[\s.:#\-]", "", _folded(bed_name(bed)))
    return re.sub(r"(?<!\d)0+(?=\d)", "", plain)


def mrn_key(mrn: str) -> str:
    """A key that is equal for the same record number. Leading zeros count: some hospitals rely on them."""
    return "".join(_folded(mrn).split())


def name_key(name: str) -> str:
    """A key that is equal for 'Novak, Anna' and 'anna  novak'."""
    return " ".join(sorted(re.findall(r"\w+", _folded(name))))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


def duplicate_of(
    identity: Identity,
    patients: Iterable[Patient],
    but: Patient | None = None,
    *,
    namesake: bool = False,
    present: bool = True,
) -> DuplicatePatient | None:
    """The error for a new or changed patient who duplicates another one; None if there is no duplicate.

    Args:
        but: the patient to be changed, whose own record is ignored. What they already share with others may stay.
        namesake: whether a person has confirmed that two with the same name and birth date are different people.
        present: whether they occupy a bed.
    """
    others = [patient for patient in patients if but is None or patient.id != but.id]
    mrn, bed = mrn_key(identity.mrn), bed_key(identity.bed)
    if mrn and not (but and mrn_key(but.mrn) == mrn):
        for other in others:
            if mrn_key(other.mrn) == mrn:
                return _same_number(identity, other)
    if bed and present and not (but and not but.discharged and bed_key(but.bed) == bed):
        for other in others:
            if not other.discharged and bed_key(other.bed) == bed:
                return DuplicatePatient(
                    f"Bed {other.bed} is taken by {_who(other)}.",
                    "Enter another bed, or transfer or discharge that patient first.",
                    other,
                    "bed",
                )
    named = (name_key(identity.name), identity.birth_date)
    if identity.birth_date and not namesake and not (but and (name_key(but.name), but.birth_date) == named):
        for other in others:
            if (name_key(other.name), other.birth_date) == named:
                return DuplicatePatient(
                    f"{_who(other)} has the same name and date of birth.",
                    "Choose that patient, or confirm that they are different people.",
                    other,
                    "name",
                )
    return None


def _same_number(identity: Identity, other: Patient) -> DuplicatePatient:
    left = " was discharged and" if other.discharged else ""
    step = "Readmit that patient" if other.discharged else "Choose that patient"
    return DuplicatePatient(
        f"{_who(other)}{left} already has MRN {other.mrn}.", f"{step}, or check the number.", other, "mrn"
    )


@text_cache(2)  # called on every repaint of a list
def shared_by_several(patients: tuple[Patient, ...]) -> Mapping[int, tuple[str, ...]]:
    """By patient id, the record numbers and beds shared with others, in words; older databases may have some."""
    numbers, beds = dict[str, list[Patient]](), dict[str, list[Patient]]()
    for patient in patients:
        numbers.setdefault(mrn_key(patient.mrn), []).append(patient)
        if not patient.discharged:
            beds.setdefault(bed_key(patient.bed), []).append(patient)
    found: dict[int, tuple[str, ...]] = {}
    for what, holders in (("MRN", numbers), ("bed", beds)):
        for key, several in holders.items():
            for one in several if key else ():
                for other in several:
                    if other.id != one.id:
                        who = _who(other, mrn=what != "MRN", bed=what != "bed")
                        found[one.id] = (*found.get(one.id, ()), f"Same {what} as {who}")
    return MappingProxyType(found)


def alike(patients: Iterable[Patient]) -> frozenset[int]:
    """Ids of the patients who have a part of their name in common with another one, so that it tells nobody apart."""
    holders: dict[str, set[int]] = {}
    for patient in patients:
        for part in re.findall(r"[\w'’-]{2,}", name_key(patient.name)):
            holders.setdefault(part, set()).add(patient.id)
    return frozenset(one for several in holders.values() if len(several) > 1 for one in several)


def is_incomplete(patient: Patient) -> bool:
    """Whether a patient lacks the second identifier that new patients must have."""
    return not (patient.mrn or patient.birth_date)


def _who(patient: Patient, *, mrn: bool = True, bed: bool = True) -> str:
    born = f"born {_words(date.fromisoformat(patient.birth_date))}" if patient.birth_date else ""
    number = f"MRN {patient.mrn}" if patient.mrn and mrn else ""
    place = f"bed {patient.bed}" if patient.bed and bed and not patient.discharged else ""
    known = ", ".join(part for part in (born, number, place) if part)
    return f"{patient.name} ({known})" if known else patient.name


# dates of birth


def _words(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1].title()} {day.year}"
