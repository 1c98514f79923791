"""The engine, which turns recordings into values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.system import paths
from app.system.settings import Settings
from extraction.flowsheet.schema import Schema
from models.base.progress import CancelledCallback, ProgressMonitor
from speech.transcript import Transcript

if TYPE_CHECKING:
    from app.inference.client import Inference
    from app.inference.live_events import LiveValues
    from app.pipeline import PipelineResult
    from extraction.discovery.discover import Discovery, Note
    from extraction.preparation.encounter_context import EncounterContext
    from models.library.registry import Registry
    from models.process.messages import Channel


@dataclass(frozen=True, slots=True)
class ModelState:
    """A model of the manifest and its status: `installed`, `missing`, `damaged` or `partial`.

    `size` is in bytes; `brought` is how many of them are already present.
    """

    id: str
    role: str
    title: str
    status: str
    default: bool
    size: int = 0
    brought: int = 0


class Engine(Protocol):
    """Turns a recording into values."""

    def check_recording(self, path: Path) -> datetime | None:
        """When a recording was made, if the file says so. Raises AudioError if no sound can be decoded."""

    def run(
        self,
        source: Path,
        kind: str,
        schema: Schema,
        *,
        settings: Settings,
        context: EncounterContext,
        transcript: Transcript | None,
        on_transcript: Callable[[Transcript], None],
        on_values: Callable[[LiveValues], None] | None,
        monitor: ProgressMonitor,
    ) -> PipelineResult:
        """Reads a dictation as `app.pipeline.run` does."""

    def transcribe(self, source: Path, schema: Schema, *, settings: Settings, monitor: ProgressMonitor) -> Transcript:
        """Transcribes a recording alone, as `app.pipeline.transcribe` does."""

    def follow(
        self,
        schema: Schema,
        channel: Channel,
        *,
        settings: Settings,
        context: EncounterContext,
        to_the_end: bool,
        monitor: ProgressMonitor,
    ) -> PipelineResult | None:
        """Follows a dictation while it is spoken, as `app.pipeline.follow` does."""

    def discover(
        self, notes: tuple[Note, ...], schema: Schema, *, settings: Settings, monitor: ProgressMonitor
    ) -> Discovery:
        """Finds what dictations say that has no row, as `app.inference.client.Inference.discover` does."""

    def preload_models(self, schema: Schema, *, settings: Settings, cancelled: CancelledCallback) -> None:
        """Loads the models ahead of their use."""

    def models(self, settings: Settings) -> tuple[tuple[ModelState, ...], str]:
        """All models with their status, and the device they run on: `CPU` or `GPU`."""

    @property
    def device_note(self) -> str:
        """Why models are not on the GPU although that was wanted, in sentences; empty otherwise."""

    def install(self, model_id: str, source: Path | None, monitor: ProgressMonitor) -> None:
        """Installs a model from a folder, or from the sources in the manifest if `source` is None."""

    def forget_texts(self) -> None:
        """Forgets the words of all dictations read so far."""

    def interrupt(self) -> None:
        """Forcibly ends the running `run` from another thread; a later `run` starts afresh."""


class LocalEngine:
    """The real models in their worker process (`inference`; None without one), which is kept between dictations."""

    def __init__(self) -> None:
        self.inference: Inference | None = None

    def check_recording(self, path: Path) -> datetime | None:
        from app.services.engine.recording_check import refuse_no_recording

        return refuse_no_recording(path)

    def run(
        self,
        source: Path,
        kind: str,
        schema: Schema,
        *,
        settings: Settings,
        context: EncounterContext,
        transcript: Transcript | None,
        on_transcript: Callable[[Transcript], None],
        on_values: Callable[[LiveValues], None] | None,
        monitor: ProgressMonitor,
    ) -> PipelineResult:
        from app import pipeline

        inference = self._running(settings)
        return pipeline.run(
            source,
            kind,
            schema,
            inference,
            context=context,
            transcript=transcript,
            on_transcript=on_transcript,
            on_values=on_values if inference.all_installed else None,
            monitor=monitor,
        )

    def transcribe(self, source: Path, schema: Schema, *, settings: Settings, monitor: ProgressMonitor) -> Transcript:
        from app import pipeline

        return pipeline.transcribe(source, schema, self._running(settings), monitor=monitor)

    def follow(
        self,
        schema: Schema,
        channel: Channel,
        *,
        settings: Settings,
        context: EncounterContext,
        to_the_end: bool,
        monitor: ProgressMonitor,
    ) -> PipelineResult | None:
        from app import pipeline

        inference = self._running(settings)
        return pipeline.follow(schema, inference, channel, context=context, to_the_end=to_the_end, monitor=monitor)

    def discover(
        self, notes: tuple[Note, ...], schema: Schema, *, settings: Settings, monitor: ProgressMonitor
    ) -> Discovery:
        return self._running(settings).discover(notes, schema, monitor)

    def preload_models(self, schema: Schema, *, settings: Settings, cancelled: CancelledCallback) -> None:
        self._running(settings).preload_models(schema, ProgressMonitor(cancelled=cancelled))

    def _running(self, settings: Settings) -> Inference:
        from app.inference.client import Inference

        if self.inference is None:
            self.inference = Inference(settings, _registry())
        else:
            self.inference.use(settings)
        return self.inference

    def models(self, settings: Settings) -> tuple[tuple[ModelState, ...], str]:
        from models.hardware import detect

        registry = _registry()
        states = tuple(
            ModelState(
                model.id,
                model.role,
                model.title,
                registry.status(model.id),
                model.default,
                model.size,
                registry.brought(model.id),
            )
            for model in registry.manifest.models
        )
        return states, "GPU" if settings.device != "cpu" and detect().gpu else "CPU"

    @property
    def device_note(self) -> str:
        return self.inference.device_note if self.inference else ""

    def install(self, model_id: str, source: Path | None, monitor: ProgressMonitor) -> None:
        _registry().install(model_id, source=source, monitor=monitor)

    def forget_texts(self) -> None:
        if self.inference:
            self.inference.forget_texts()

    def interrupt(self) -> None:
        inference, self.inference = self.inference, None
        if inference is not None:
            inference.close()


def _registry() -> Registry:
    from models.library.added_models import open_registry

    return open_registry(paths.models_dir())
