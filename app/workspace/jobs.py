"""The jobs of the workbench itself: their subjects and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from app.chart.lights import LitBy
from app.chart.records import Filing, Signer
from app.chart.sheet import Overview, Sheet
from app.system.job_lanes import JobKind
from app.system.settings import Settings
from app.workspace.schema_summary import SchemaFacts
from extraction.estimators.calibration import Outlook
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import Value


@dataclass(frozen=True, slots=True)
class LightsPreview:
    """What other choices of alpha and weight mean for dictations that are filled from now on.

    Attributes:
        by: what would decide about the lights.
        outlooks: by alpha and weight; empty without a calibration.
    """

    by: LitBy
    outlooks: Mapping[tuple[float, float], Outlook]


class Command(Enum):
    """What a person may say instead of a value; the word itself."""

    ACCEPT = "accept"
    NEXT = "next"
    PLAY = "play"


@dataclass(frozen=True, slots=True)
class SpokenValue:
    """What a person said for a row.

    Attributes:
        said: the value that was read from the words, or the command that they are.
        words: the words.
    """

    row: Row
    said: Value | Command
    words: str


OPEN = JobKind[None, None]("open")  # store, schema and models are available afterwards
OVERVIEW = JobKind[None, Overview]("overview")
SHEET = JobKind[int, Sheet]("sheet")  # of a dictation (its id)
REVIEW_MONITOR = JobKind[None, None]("review monitor")  # sheets read afterwards consider the latest reviews
EXPORT = JobKind[int, list[Path]]("export")  # a dictation (its id) into files
FILE = JobKind[int, Filing | None]("file")  # a dictation (its id); None if it can be filed but no folder was given
REOPEN = JobKind[int, None]("reopen")  # a filed dictation (its id)
SIGNERS = JobKind[None, Signer]("signers")  # the signer who was added, chosen, renamed or retired
SETTINGS = JobKind[Settings, None]("settings")  # saved and in force
LIGHTS_PREVIEW = JobKind[None, LightsPreview]("lights preview")
SPOKEN_VALUE = JobKind[str, SpokenValue]("spoken value")  # for a row (its id); nothing is charted yet
PRELOAD = JobKind[None, None]("preload")  # the models are loaded
INSTALL = JobKind[str, None]("install")  # a model (its id)
CHECK_SCHEMA = JobKind[Path, SchemaFacts]("check schema")
