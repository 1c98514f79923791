"""A dictation under review, and the rules for what a person enters."""

from __future__ import annotations

from dataclasses import dataclass

from app.records import ACCEPTED, Dictation, Patient, ReviewedValue, ReviewStatus
from extraction.schema import Row, Schema, ValueType
from extraction.units import convert
from extraction.validate import chart_unit, normalise
from extraction.values import Evidence, Value
from models.errors import InputError, WardlightError
from speech.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Entry:
    """A dictation as a list shows it, with the number of values nobody has decided about."""

    dictation: Dictation
    patient: Patient
    proposed: int


@dataclass(frozen=True, slots=True)
class Overview:
    """All patients, and all dictations, newest first."""

    patients: tuple[Patient, ...]
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A dictation under review."""

    dictation: Dictation
    patient: Patient
    schema: Schema
    transcript: Transcript | None
    values: tuple[ReviewedValue, ...]
    can_undo: bool

    def count(self, *statuses: ReviewStatus) -> int:
        return sum(value.status in statuses for value in self.values)

    def evidence_of(self, value: ReviewedValue) -> Evidence | None:
        """Where in this sheet's transcript a value was said; None for one added by hand or read from a former one."""
        evidence = value.filled.evidence if value.filled else None
        if evidence and self.transcript and self.transcript.text[evidence.start : evidence.end] == evidence.text:
            return evidence
        return None

    @property
    def exportable(self) -> int:
        """How many values a person has taken responsibility for."""
        return self.count(*ACCEPTED)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The values of a dictation after a step of review."""

    dictation_id: int
    values: tuple[ReviewedValue, ...]
    can_undo: bool


def check(row: Row, value: Value, unit: str | None) -> tuple[Value, str | None, tuple[str, ...]]:
    """A value entered by hand in the row's type and unit, and what looks wrong with it."""
    own = chart_unit(row)
    if row.value_type is ValueType.QUANTITY and isinstance(value, float) and unit and own and unit != own:
        try:
            value = convert(value, unit, own)
        except ValueError as error:
            raise InputError(f"{row.name}: {error}.", "Choose another unit.") from error
    return normalise(row, value)


def concerns(row: Row, value: ReviewedValue) -> tuple[str, ...]:
    """Why a value needs a second look: what the filler noted, or, once a person changed it, what it shows now."""
    if value.status in (ReviewStatus.EDITED, ReviewStatus.ADDED) or value.filled is None:
        try:
            return check(row, value.value, value.unit)[2]
        except WardlightError as error:
            return (error.what,)
    return value.filled.problems
