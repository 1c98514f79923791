"""Real models, real audio. The weights are those that the set-up installed; without them these tests fail, not skip."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from app.inference.client import Inference
from app.pipeline import PipelineResult, run
from app.system import paths
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from extraction.schema_files.native_format import load_schema
from models.base.progress import NOT_MONITORED
from models.library.manifest import load_manifest
from models.library.registry import Registry

RESOURCES = Path(str(files("resources")))
SAMPLE = RESOURCES / "dictation" / "sample.flac"
SAMPLE_TEXT = RESOURCES / "dictation" / "dictation.txt"
DEMO_SCHEMA = RESOURCES / "schemas" / "medsurg_icu.json"


def inference(settings: Settings) -> Inference:
    return Inference(settings, Registry(load_manifest(), paths.models_dir()))


@pytest.fixture(scope="session")
def demo_schema() -> Schema:
    return load_schema(DEMO_SCHEMA)


@pytest.fixture(scope="session")
def sample_gold() -> dict[str, Any]:
    gold = json.loads((RESOURCES / "dictation" / "gold.json").read_text(encoding="utf-8"))
    return {value["row_id"]: value["value"] for value in gold["values"]}


@pytest.fixture(scope="session")
def models() -> Iterator[Inference]:
    """One inference process with the default models for all tests that leave it alive."""
    with inference(Settings()) as shared:
        yield shared


@pytest.fixture(scope="session")
def sample_result(models: Inference, demo_schema: Schema) -> PipelineResult:
    """The whole pipeline on the sample recording."""
    return run(
        SAMPLE,
        "audio",
        demo_schema,
        models,
        monitor=NOT_MONITORED,
    )
