"""The interface of the inference process; `app.inference.client.Inference` implements it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, TypeVar

from app.inference.live_events import Followed
from app.inference.usage import Outcome
from extraction.flowsheet.schema import Schema
from extraction.preparation.encounter_context import EncounterContext
from models.base.progress import ProgressMonitor
from models.process.messages import Channel
from speech.transcript import Transcript

Result = TypeVar("Result")


class Stages(Protocol):
    """What a finished dictation needs; the conditions of an ablation read in other ways."""

    models: dict[str, str]

    def transcribe(self, path: Path, hotwords: list[str], monitor: ProgressMonitor) -> Outcome[Transcript]: ...

    def read_file(
        self,
        source: Path | Transcript,
        schema: Schema,
        context: EncounterContext,
        hotwords: list[str],
        channel: Channel,
        monitor: ProgressMonitor,
    ) -> Outcome[Followed]: ...


class InferenceClient(Stages, Protocol):
    """All calls to the inference process."""

    def follow(
        self,
        schema: Schema,
        context: EncounterContext,
        hotwords: list[str],
        channel: Channel,
        to_the_end: bool,
        monitor: ProgressMonitor,
    ) -> Outcome[Followed]: ...

    def call(
        self, role: str, function: Callable[..., Result], monitor: ProgressMonitor, **arguments: Any
    ) -> Result: ...
