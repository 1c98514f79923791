"""The store's records as the rest of the program sees them. Times are UTC in ISO 8601 unless stated otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from app.chart.dictation_titles import name_of
from app.record.values import Evidence, ProposedValue
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.values import Value
from models.base.errors import InputError


class ReviewStatus(StrEnum):
    """What a person has decided about a value."""

    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    EDITED = "edited"
    REJECTED = "rejected"
    ADDED = "added"


# the statuses for which a person has taken responsibility; only these can be charted and exported
ACCEPTED = (ReviewStatus.CONFIRMED, ReviewStatus.EDITED, ReviewStatus.ADDED)


# in place of a time of observation: keep the current one
UNCHANGED = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient.

    Attributes:
        name: name or alias.
        bed: their location, which does not identify them; empty if unknown.
        mrn: record number; empty without one.
        birth_date: 'YYYY-MM-DD'; empty if unknown.
        temporary: whether the record number is temporary, until they are identified.
        discharged_at: when they left the ward; empty while they are present.
    """

    id: int
    name: str
    bed: str
    mrn: str
    birth_date: str = ""
    temporary: bool = False
    discharged_at: str = ""

    @property
    def discharged(self) -> bool:
        return bool(self.discharged_at)


@dataclass(frozen=True, slots=True)
class PatientEvent:
    """A change to the record of a patient: who made it, when, and the record before and after."""

    patient_id: int
    action: str
    reviewer: str
    happened_at: str
    before: dict[str, Any] = field(hash=False)
    after: dict[str, Any] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Encounter:
    """A stay of a patient; `ended_at` is None while it lasts."""

    id: int
    patient_id: int
    started_at: str
    ended_at: str | None


@dataclass(frozen=True, slots=True)
class Dictation:
    """A recording, or a text in its place, and the state of its processing.

    Attributes:
        kind: `audio` or `text`.
        path: the store's copy.
        original_name: name of the imported file.
        sha256: hash of the copy.
        status: `recorded`, `transcribed`, `filled` or `failed`.
        error: why it failed, in words for a person; otherwise empty.
        title: title given by a person; otherwise empty.
        time_source: source of its time, see `app.chart.recording_time.SOURCES`; empty if it was recorded here.
    """

    id: int
    encounter_id: int
    kind: str
    path: Path
    original_name: str
    sha256: str
    schema_version_id: int
    status: str
    error: str
    created_at: str
    title: str = ""
    time_source: str = ""

    @property
    def name(self) -> str:
        """Its display name, see `app.chart.dictation_titles`."""
        return name_of(self.title, self.original_name, self.created_at)


@dataclass(frozen=True, slots=True)
class Signer:
    """A person who signs reviews.

    Attributes:
        id: 0 if not stored yet.
        role: profession or credentials, such as RN; may be empty.
        retired: whether they no longer sign. What they signed stays.
    """

    id: int
    name: str
    role: str = ""
    retired: bool = False

    @property
    def signature(self) -> str:
        """The text recorded with each step that they sign: 'Anna Novak, RN'."""
        return f"{self.name}, {self.role}" if self.role else self.name


def name_taken(holder: Signer) -> InputError:
    """The error for a name that a signer has or had."""
    retired = ", who is retired," if holder.retired else ""
    return InputError(f"{holder.signature}{retired} already uses this name.", "Enter another name.")


@dataclass(frozen=True, slots=True)
class TimeChange:
    """A change of a dictation's time by a person: the former time, the new one, who changed it and when."""

    former: str
    made_at: str
    reviewer: str
    changed_at: str


# suggested reasons for deleting a dictation; a person may enter another one
DELETE_REASONS = ("Wrong patient", "Recorded by mistake", "Duplicate", "Unreadable")
WRONG_PATIENT = DELETE_REASONS[0]


@dataclass(frozen=True, slots=True)
class DictationEvent:
    """An action on a dictation as a whole. These records are kept forever and contain nothing that was said.

    Attributes:
        action: `move`, `rename`, `delete`, `restore`, or `purge` when a deleted one is removed for good.
        reviewer: who did it; empty for `purge`, which is automatic.
        happened_at: UTC in ISO 8601.
        reason: why it was moved or deleted.
        name: its name before the action.
        sha256: hash of the recording or text.
        renamed_to: its new title; None unless it was renamed.
        from_patient_id, to_patient_id: None unless it was moved.
        taken_back: number of decisions about its values that were undone.
    """

    dictation_id: int
    action: str
    reviewer: str
    happened_at: str
    reason: str
    name: str
    sha256: str
    renamed_to: str | None = None
    from_patient_id: int | None = None
    to_patient_id: int | None = None
    taken_back: int = 0


@dataclass(frozen=True, slots=True)
class SchemaVersion:
    """A flowsheet schema that dictations were filled with, stored byte for byte."""

    id: int
    schema_id: str
    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ReviewedValue:
    """A value of a dictation with its current decision.

    Attributes:
        filled: as a run read it and proposed it, or held it back until a person took it; None if added by hand.
        value, unit: the current ones, proposed or entered by a person.
        observed_at: when it was observed, 'YYYY-MM-DDTHH:MM' in the ward's local time; None for the dictation's time.
        reviewer, reviewed_at: who decided and when; empty if undecided.
        transcript_id: the transcript that the evidence refers to, even after a later transcription; None without
            evidence.
        replaced_by: id of the value that a person charted in its place; None if not replaced.
        confirmed_outside: the range of its row outside of which a person accepted it when asked a second time; None if
            nobody was asked.
        quote: the words that a person added it for; None if it was not added by hand, or without words.
    """

    id: int
    dictation_id: int
    row_id: str
    filled: ProposedValue | None
    value: Value
    unit: str | None
    status: ReviewStatus
    reviewer: str
    reviewed_at: str
    transcript_id: int | None = None
    observed_at: str | None = None
    replaced_by: int | None = None
    confirmed_outside: Outside | None = None
    quote: Evidence | None = None

    @property
    def evidence(self) -> Evidence | None:
        """Where it was said; None if a person added it without words of the dictation."""
        return self.filled.evidence if self.filled else self.quote

    @property
    def corrected(self) -> ProposedValue | None:
        """What was proposed, if a person charted another value or unit in its place; None otherwise."""
        was = self.filled if self.status is ReviewStatus.EDITED else None
        return was if was and (was.value, was.unit) != (self.value, self.unit) else None

    @property
    def stands(self) -> bool:
        """Whether it is charted: accepted by a person and not replaced."""
        return self.status in ACCEPTED and self.replaced_by is None


@dataclass(frozen=True, slots=True)
class IdentityAnswer:
    """A person's answer that a dictation is about its patient, although it names others.

    Attributes:
        patient_id: the patient it is about.
        called: the names of the others, see `app.record.run.NamedPatients`.
        answered_at: UTC in ISO 8601.
    """

    patient_id: int
    called: frozenset[str]
    reviewer: str
    answered_at: str


@dataclass(frozen=True, slots=True)
class ChartEntry:
    """A value and the assessment that it comes from.

    Attributes:
        assessed_at: when the patient was assessed.
        source: name of the dictation.
        filed: whether its dictation is filed.
    """

    value: ReviewedValue
    encounter_id: int
    assessed_at: str
    source: str
    filed: bool = False

    @classmethod
    def of(cls, value: ReviewedValue, dictation: Dictation) -> Self:
        """Places a value of a dictation."""
        return cls(value, dictation.encounter_id, dictation.created_at, dictation.name)


@dataclass(frozen=True, slots=True)
class Filing:
    """The filing of a reviewed dictation: by whom, when, and into which files (none if nothing was charted)."""

    reviewer: str
    filed_at: str
    files: tuple[str, ...]
