"""The jobs of the dictations: their subjects and results."""

from __future__ import annotations

from dataclasses import dataclass

from app.chart.records import Dictation, DictationEvent, Patient, TimeChange
from app.chart.sheet import Overview
from app.services.engine.job_lanes import JobKind


@dataclass(frozen=True, slots=True)
class Moved:
    """A dictation that was moved to another patient; its filling is queued.

    Attributes:
        came, went: its former and its new patient.
        values: number of its values, without rejected ones, before it was moved.
        taken_back: number of decisions about its values that were taken back.
        back: whether the move undid an earlier one.
    """

    dictation: Dictation
    came: Patient
    went: Patient
    values: int
    taken_back: int
    back: bool = False


@dataclass(frozen=True, slots=True)
class Past:
    """A dictation, its patient, and its history: events and changes of its time, earliest first."""

    dictation: Dictation
    patient: Patient
    events: tuple[DictationEvent, ...]
    times: tuple[TimeChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Deleted:
    """A deleted dictation and its patient."""

    dictation: Dictation
    patient: Patient


OVERVIEW = JobKind[None, Overview]("overview")

# the subject is the dictation's id
MOVE = JobKind[int, Moved]("move")  # also queues its filling
TIME = JobKind[int, Dictation]("time")  # also queues its filling if it has spoken times
RENAME = JobKind[int, Dictation]("rename")
DELETE = JobKind[int, Deleted]("delete")
RESTORE = JobKind[int, Dictation]("restore")
PAST = JobKind[int, Past]("past")
IDENTITY = JobKind[int, None]("identity")  # the question whose it is was answered or reopened
ADD_FOR = JobKind[int, Dictation]("add for")  # the same recording for another patient; also queues its filling
