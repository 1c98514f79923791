"""The jobs of the settings: their subjects and results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.chart.lights import LitBy
from app.chart.records import Signer
from app.services.engine.job_lanes import JobKind
from app.system.settings import Settings
from extraction.estimators.calibration import Outlook


@dataclass(frozen=True, slots=True)
class LightsPreview:
    """What other choices of alpha and weight mean for dictations that are filled from now on.

    Attributes:
        by: what would decide about the lights.
        outlooks: by alpha and weight; empty without a calibration.
    """

    by: LitBy
    outlooks: Mapping[tuple[float, float], Outlook]


@dataclass(frozen=True)
class SchemaFacts:
    """A schema in a few numbers.

    Attributes:
        language: language tag of its names; empty if the file has none.
        categories: number of categories that contain rows.
        outermost: the outermost categories with the number of rows in each, in file order.
        kinds: value types with the number of rows of each, most frequent first.
    """

    name: str
    version: str
    language: str
    rows: int
    categories: int
    outermost: tuple[tuple[str, int], ...]
    kinds: dict[str, int]


OPEN = JobKind[None, None]("open")  # store, schema and models are available afterwards
SETTINGS = JobKind[Settings, None]("settings")  # saved and in force
SIGNERS = JobKind[None, Signer]("signers")  # the signer who was added, chosen, renamed or retired
LIGHTS_PREVIEW = JobKind[None, LightsPreview]("lights preview")
PRELOAD = JobKind[None, None]("preload", passing=True)  # the models are loaded
INSTALL = JobKind[str, None]("install")  # a model (its id)
CHECK_SCHEMA = JobKind[Path, SchemaFacts]("check schema")
