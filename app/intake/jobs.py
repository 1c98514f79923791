"""The jobs that bring dictations in: what each is about, what comes of it, and what is told meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.chart.dictation_identity import IdentityQuestion
from app.chart.records import Dictation, Patient
from app.inference.live_events import LiveValues, LiveWords
from app.intake.recording import Recording
from app.system.job_lanes import Job, JobEvent, JobKind
from speech import recording_journal
from speech.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A recording that the program's end interrupted; `patient` is None where nobody knows them any more."""

    kept: recording_journal.Kept
    patient: Patient | None


IMPORT = JobKind[Path, Dictation]("import")  # a file, or a recording's folder; the dictation's filling is queued
FOLLOW = JobKind[Recording, None]("follow")  # what is said in it is written down and filled while it is spoken
RECORD = JobKind[Recording, None]("record")  # it is on the disk whole, and its import is queued
UNFINISHED = JobKind[None, list[Unfinished]]("unfinished")
DISCARD = JobKind[Path, None]("discard")  # a recording's folder
DELETE_EXPIRED = JobKind[None, list[int]]("delete expired")  # dictations (their ids) of which something was removed
FILL = JobKind[int, None]("fill")  # a dictation (its id); its values are in the store


@dataclass(frozen=True, slots=True)
class TranscriptReady(JobEvent):
    """The transcript of a dictation that is being filled is in the store."""

    job: Job[int, None]
    transcript: Transcript


@dataclass(frozen=True, slots=True)
class Overheard(JobEvent):
    """What was heard, or what is proposed, in a recording that is being followed; `question` is the one about whose
    dictation it is, as it stands."""

    job: Job[Recording, None]
    news: LiveWords | LiveValues
    question: IdentityQuestion | None = None
