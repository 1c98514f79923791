"""What the store keeps, as the rest of the program sees it. All times are UTC in ISO 8601."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from app.chart.dictation_titles import name_of
from app.chart.run_record import RunRecord
from extraction.flowsheet.ranges import Outside
from extraction.flowsheet.values import FilledValue, Value


class ReviewStatus(StrEnum):
    """What a person has decided about a value."""

    PROPOSED = "proposed"
    CONFIRMED = "confirmed"
    EDITED = "edited"
    REJECTED = "rejected"
    ADDED = "added"


# the statuses for which a person has taken responsibility: these, and no others, can be charted and exported
ACCEPTED = (ReviewStatus.CONFIRMED, ReviewStatus.EDITED, ReviewStatus.ADDED)


# in place of a time of observation: the one that stands
KEPT = ""


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient as the ward names them.

    Attributes:
        name: name or alias.
        bed: where they are, which identifies nobody; empty where it is not known.
        mrn: record number; empty where there is none.
        birth_date: 'YYYY-MM-DD'; empty where it is not known.
        temporary: whether the record number is a temporary one, until somebody knows who they are.
        discharged_at: since when they are not on the ward any more; empty while they are.
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
    """Something that was done to the record of a patient: by whom, when, and what it said before and after."""

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


@dataclass(frozen=True)  # no slots: `run` is kept once it is read
class Dictation:
    """A recording, or a text in place of one, and how far it has come.

    Attributes:
        kind: `audio` or `text`.
        path: the copy that the store keeps.
        original_name: the file's name where it came from.
        sha256: of the copy.
        status: `recorded`, `transcribed`, `filled` or `failed`.
        error: why it failed, in words for a person; empty otherwise.
        reported: what its last complete run reported, as JSON; `{}` before.
        title: what a person called it; empty where nobody did.
        time_source: what says when it was made, see `app.chart.recording_time.SOURCES`; empty where it was recorded
            here.
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
    reported: str = "{}"
    title: str = ""
    time_source: str = ""

    @property
    def name(self) -> str:
        """What it is called wherever it is named, see `app.chart.dictation_titles`."""
        return name_of(self.title, self.original_name, self.created_at)

    @cached_property
    def run(self) -> RunRecord:
        """What its last complete run reported; lists of dictations never look at it."""
        return RunRecord.from_json(json.loads(self.reported))


@dataclass(frozen=True, slots=True)
class Signer:
    """Somebody who signs reviews.

    Attributes:
        id: 0 while they are not stored yet.
        role: profession or credentials, such as RN; may be empty.
        retired: whether they do not sign any more. What they signed stays.
    """

    id: int
    name: str
    role: str = ""
    retired: bool = False

    @property
    def signature(self) -> str:
        """What is written to each step that they sign: 'Anna Novak, RN'."""
        return f"{self.name}, {self.role}" if self.role else self.name


@dataclass(frozen=True, slots=True)
class TimeChange:
    """That a person gave a dictation another time: the former one, the new one, who, and when."""

    former: str
    made_at: str
    reviewer: str
    changed_at: str


# why a dictation is deleted; a person may also give a reason in other words
DELETE_REASONS = ("Wrong patient", "Recorded by mistake", "Duplicate", "Unreadable")
WRONG_PATIENT = DELETE_REASONS[0]


@dataclass(frozen=True, slots=True)
class DictationEvent:
    """What was done to a dictation as a whole. These records stay for ever, and hold nothing of what was said.

    Attributes:
        action: `move`, `rename`, `delete`, `restore`, or `purge` once a deleted one is removed for good.
        reviewer: who did it; empty for a `purge`, which the program does by itself.
        happened_at: UTC in ISO 8601.
        reason: why it was moved or deleted.
        name: what it was called until then.
        sha256: of the recording or text.
        renamed_to: its new title; None unless it was renamed.
        from_patient_id, to_patient_id: None unless it was moved.
        taken_back: how many decisions about its values were taken back.
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
    """A flowsheet schema that dictations were filled with, byte by byte as it was read."""

    id: int
    schema_id: str
    name: str
    version: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ReviewedValue:
    """A value of a dictation with the decision that stands.

    Attributes:
        filled: what a run read, and proposed or held back until a person took it; None for a value added by hand.
        value, unit: what stands now: the proposal, or what a person entered.
        observed_at: when it was observed, 'YYYY-MM-DDTHH:MM' in the ward's local time; None for the dictation's time.
        reviewer, reviewed_at: who decided and when; empty while nobody has.
        transcript_id: the transcript that the evidence points into, which a later transcription does not change; None
            for a value that was added by hand.
        replaced_by: the value that a person put in its place in the chart; None while it keeps its place.
        confirmed_outside: outside of which range of its row a person accepted it, asked a second time; None where
            nobody was.
    """

    id: int
    dictation_id: int
    row_id: str
    filled: FilledValue | None
    value: Value
    unit: str | None
    status: ReviewStatus
    reviewer: str
    reviewed_at: str
    transcript_id: int | None = None
    observed_at: str | None = None
    replaced_by: int | None = None
    confirmed_outside: Outside | None = None

    @property
    def stands(self) -> bool:
        """Whether it is charted: somebody has taken responsibility for it, and put nothing else in its place."""
        return self.status in ACCEPTED and self.replaced_by is None


@dataclass(frozen=True, slots=True)
class IdentityAnswer:
    """A person's word that a dictation is about its patient, though others are named in it.

    Attributes:
        patient_id: the patient it is about.
        called: how the others are called.
        answered_at: UTC in ISO 8601.
    """

    patient_id: int
    called: frozenset[str]
    reviewer: str
    answered_at: str


@dataclass(frozen=True, slots=True)
class Placed:
    """A value and the assessment that it comes from.

    Attributes:
        assessed_at: when the patient was assessed.
        source: what the recording or text is called.
        filed: whether its dictation is filed.
    """

    value: ReviewedValue
    encounter_id: int
    assessed_at: str
    source: str
    filed: bool = False

    @classmethod
    def of(cls, value: ReviewedValue, dictation: Dictation) -> Self:
        """A value of a dictation."""
        return cls(value, dictation.encounter_id, dictation.created_at, dictation.name)


@dataclass(frozen=True, slots=True)
class Filing:
    """That a reviewed dictation was filed: by whom, when, and into which files (none where nothing was charted)."""

    reviewer: str
    filed_at: str
    files: tuple[str, ...]
