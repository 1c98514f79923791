"""The jobs of the intake: their subjects, results and events."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.chart.dictation_identity import IdentityQuestion
from app.chart.records import Dictation, Patient
from app.inference.live_events import LiveValues, LiveWords
from app.services.engine.job_lanes import Job, JobEvent, JobKind
from app.services.intake.recording import Recording
from speech import recording_journal
from speech.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A recording that was interrupted by the end of the program; `patient` is None if no longer known."""

    kept: recording_journal.Kept
    patient: Patient | None


DELETED_DAYS = 7  # how long a deleted dictation can be restored

IMPORT = JobKind[Path, Dictation]("import")  # a file, or a recording's folder; the dictation's filling is queued
FOLLOW = JobKind[Recording, None]("follow")  # it is transcribed and filled while it is spoken
RECORD = JobKind[Recording, None]("record")  # it is completely on disk, and its import is queued
UNFINISHED = JobKind[None, list[Unfinished]]("unfinished")
DISCARD = JobKind[Path, None]("discard")  # a recording's folder
DELETE_EXPIRED = JobKind[None, list[int]]("delete expired")  # ids of the dictations of which something was removed
FILL = JobKind[int, None]("fill")  # a dictation (its id); its values are in the store


@dataclass(frozen=True, slots=True)
class TranscriptReady(JobEvent):
    """The transcript of a dictation that is being filled was stored."""

    job: Job[int, None]
    transcript: Transcript


@dataclass(frozen=True, slots=True)
class ValuesRead(JobEvent):
    """New proposals of a dictation that is being filled; the last ones are the result."""

    job: Job[int, None]
    values: LiveValues


@dataclass(frozen=True, slots=True)
class Overheard(JobEvent):
    """New words or proposals of a recording that is being followed; `question` is the current one about whose it is."""

    job: Job[Recording, None]
    news: LiveWords | LiveValues
    question: IdentityQuestion | None = None
