"""The jobs of the workbench: what each is about, and what they tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.chart.dictation_identity import IdentityQuestion
from app.chart.lights import LitBy
from app.chart.records import Patient
from app.inference.live_events import LiveValues, LiveWords
from app.system.job_lanes import JobEvent
from extraction.estimators.calibration import Outlook
from speech import recording_journal
from speech.transcript import Transcript


class JobKind(StrEnum):
    """The `kind` of the workbench's jobs, with their `subject` and result."""

    OPEN = "open"  # None -> None: store, schema and models are known from here on
    IMPORT = "import"  # path of a file, or of a recording's folder -> Dictation, whose filling is queued
    FOLLOW = "follow"  # Recording -> None: what is said in it is written down and filled while it is spoken
    RECORD = "record"  # Recording -> None: it is on the disk whole, and its import is queued
    UNFINISHED = "unfinished"  # None -> list of Unfinished
    DISCARD = "discard"  # path of a recording's folder -> None
    DELETE_EXPIRED = "delete expired"  # None -> list of ids of dictations of which something was removed
    OVERVIEW = "overview"  # None -> Overview
    PATIENT = "patient"  # None -> Patient
    PATIENT_CHANGE = "patient change"  # Patient as they were -> Patient as they are
    WARD_PLAN = "ward plan"  # path of a ward's list -> WardPlan
    WARD_IMPORT = "ward import"  # WardPlan -> list of the patients whom it changed, all as they are now
    SHEET = "sheet"  # dictation id -> Sheet
    REVIEW = "review"  # dictation id -> Reviewed
    PRELOAD = "preload"  # None -> None: the models are loaded
    FILL = "fill"  # dictation id -> None: its values are in the store
    REVIEW_MONITOR = "review monitor"  # None -> None: the latest reviews count for sheets read from here on
    IDENTITY = "identity"  # dictation id -> None: it is known, or open again, whose it is
    ADD_FOR = "add for"  # dictation id -> Dictation of the same recording for somebody else, whose filling is queued
    EXPORT = "export"  # dictation id -> list of paths
    FILE = "file"  # dictation id -> Filing; None where it could be filed and no folder was given
    REOPEN = "reopen"  # dictation id -> None
    SIGNERS = "signers"  # None -> Signer who was added, chosen, renamed or retired
    MOVE = "move"  # dictation id -> Moved, and its filling is queued
    TIME = "time"  # dictation id -> Dictation of another time, whose filling is queued where it says times
    RENAME = "rename"  # dictation id -> Dictation
    DELETE = "delete"  # dictation id -> Deleted
    RESTORE = "restore"  # dictation id -> Dictation
    PAST = "past"  # dictation id -> Past
    SETTINGS = "settings"  # Settings -> None: saved and in force
    LIGHTS_PREVIEW = "lights preview"  # None -> LightsPreview
    INSTALL = "install"  # model id -> None
    CHECK_SCHEMA = "check schema"  # path of a schema -> SchemaFacts


@dataclass(frozen=True, slots=True)
class TranscriptReady(JobEvent):
    """The transcript of a dictation that is being filled is in the store."""

    transcript: Transcript


@dataclass(frozen=True, slots=True)
class Overheard(JobEvent):
    """What was heard, or what is proposed, in a recording that is being followed; `question` is the one about whose
    dictation it is, as it stands."""

    news: LiveWords | LiveValues
    question: IdentityQuestion | None = None


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A recording that the program's end interrupted; `patient` is None where nobody knows them any more."""

    kept: recording_journal.Kept
    patient: Patient | None


@dataclass(frozen=True, slots=True)
class LightsPreview:
    """What other choices of lights mean for dictations that are filled from now on.

    Attributes:
        by: what would decide about the lights.
        outlooks: by alpha and weight; empty where nothing is calibrated.
    """

    by: LitBy
    outlooks: Mapping[tuple[float, float], Outlook]
