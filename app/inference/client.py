"""The client of the inference process: each stage of the pipeline as a call."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from app.inference import discovery_task, file_session, live_session, tasks
from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.system import paths
from app.system.settings import Settings
from extraction.discovery.discover import Discovery, Note
from extraction.estimators.linear_probes import DEPTHS
from extraction.flowsheet.schema import Schema
from extraction.language.vocabulary.loader import use_ward_folder
from extraction.preparation.encounter_context import EncounterContext
from models.base.progress import ProgressMonitor, never_cancelled, stop_if
from models.errors import WorkerDied
from models.gpu import find_gpu
from models.hardware import detect
from models.library.registry import Registry
from models.process.messages import Channel
from models.process.worker import WorkerProcess
from models.runtimes.loaded import RuntimeConfig
from speech.transcript import Transcript

Result = TypeVar("Result")

_GPU_FAILED = (
    "The models stopped, perhaps because of the graphics card. They now run on the processor, and nothing was lost."
)


class Inference:
    """Runs the stages in a child process that loads each model when first needed. A context manager.

    If the child dies, the running call raises WorkerDied and the next call starts a new child. If there is a GPU, the
    new one uses the processor alone until another device is chosen. Model files are verified by the calls that need
    them, not before. The child also reads the ward's vocabularies.

    Raises (every stage):
        ModelFileError: a model that the stage needs is not installed or differs from the manifest.
        Cancelled, WorkerDied: see `models.process.worker`.
    """

    def __init__(self, settings: Settings, registry: Registry) -> None:
        self._registry = registry
        self._worker: WorkerProcess | None = None
        self._settings = settings
        self._gpu_failed = False
        self.use(settings)

    def use(self, settings: Settings) -> None:
        """Switches to these settings.

        The next call starts a new child if they, or models installed meanwhile, require other models or resources.
        """
        self.models = {
            "speech": self._registry.resolve("speech", settings.speech_model).id,
            "filler": self._registry.resolve("filler", settings.filler_model).id,
            "embedder": self._registry.resolve("embedder", settings.embedder_model).id,
        }
        self._gpu_failed = self._gpu_failed and settings.device == self._settings.device
        self._settings = settings

    @property
    def devices(self) -> dict[str, str]:
        """The device of each model that is loaded, by role: 'cpu', or its library's name for the GPU."""
        return {role: model.device for role, model in self._worker.loaded.items()} if self._worker else {}

    @property
    def device_note(self) -> str:
        """Why models are not on the GPU although that was wanted, in sentences; empty otherwise."""
        if self._gpu_failed:
            return _GPU_FAILED
        return " ".join(model.note for model in self._worker.loaded.values() if model.note) if self._worker else ""

    @property
    def pid(self) -> int | None:
        """Process id of the inference process; None if it is not running."""
        return self._worker.pid if self._worker else None

    @property
    def all_installed(self) -> bool:
        """Whether all models are installed, as far as a quick look shows."""
        return all(self._registry.status(model) == "installed" for model in self.models.values())

    def start(self) -> None:
        """Starts the child before its first use."""
        self._running().start()

    def close(self) -> None:
        """Ends the child, by force if a stage is running. Safe from any thread."""
        if self._worker:
            self._worker.close()

    def __enter__(self) -> Inference:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def transcribe(self, path: Path, hotwords: list[str], monitor: ProgressMonitor) -> Outcome[Transcript]:
        return self.call("speech", tasks.transcribe_recording, monitor, path=path, hotwords=hotwords)

    def follow(
        self,
        schema: Schema,
        context: EncounterContext,
        hotwords: list[str],
        channel: Channel,
        to_the_end: bool,
        monitor: ProgressMonitor,
    ) -> Outcome[Followed]:
        """Follows a dictation while it is spoken, see `app.inference.live_session`; needs all models."""
        self._need_all()
        return self.call(
            "filler",
            live_session.follow_recording,
            monitor,
            to_the_end=to_the_end,
            channel=channel,
            schema=schema,
            context=context,
            hotwords=hotwords,
            top_k=self._settings.top_k,
            **self._folders,
        )

    def read_file(
        self,
        source: Path | Transcript,
        schema: Schema,
        context: EncounterContext,
        hotwords: list[str],
        channel: Channel,
        monitor: ProgressMonitor,
    ) -> Outcome[Followed]:
        """Reads a recording, or the transcript of a dictation, see `app.inference.file_session`."""
        self._registry.path(self.models["embedder"])
        if isinstance(source, Path):
            self._registry.path(self.models["speech"])
        return self.call(
            "filler",
            file_session.read_file,
            monitor,
            source=source,
            channel=channel,
            schema=schema,
            context=context,
            hotwords=hotwords,
            top_k=self._settings.top_k,
            **self._folders,
        )

    def discover(self, notes: tuple[Note, ...], schema: Schema, monitor: ProgressMonitor) -> Discovery:
        """Finds what dictations say that has no row, see `app.inference.discovery_task`."""
        return self.call(
            "embedder",
            discovery_task.discover_in_notes,
            monitor,
            notes=notes,
            schema=schema,
            index_folder=paths.cache_dir() / "indexes",
        )

    def preload_models(self, schema: Schema, monitor: ProgressMonitor) -> None:
        """Loads all models before their use, one after the other; cancelling does not interrupt loading a model."""
        self._need_all()
        for role, load in (
            ("speech", tasks.load_speech),
            ("filler", tasks.load_filler),
            ("embedder", tasks.load_embedder),
        ):
            stop_if(monitor.cancelled)
            self.call(role, load, ProgressMonitor(monitor.report, never_cancelled))
        self.call("embedder", tasks.load_index, monitor, schema=schema, **self._folders)

    def forget_texts(self) -> None:
        """Forgets the words of all dictations that the child has read; does nothing if it is not running."""
        if self._worker and self._worker.pid is not None:
            with suppress(WorkerDied):  # then it holds nothing any more
                self._worker.run(tasks.forget_texts)

    @property
    def _folders(self) -> dict[str, Path | None]:
        """The folders of schema indexes and of the hospital's learned models."""
        return {"index_folder": paths.cache_dir() / "indexes", "learned": self._settings.learned_folder}

    def _need_all(self) -> None:
        """Raises ModelFileError if a model is not installed or differs from the manifest."""
        for model in self.models.values():
            self._registry.path(model)

    def call(
        self,
        role: str,
        function: Callable[..., Result],
        monitor: ProgressMonitor,
        **arguments: Any,
    ) -> Result:
        """Runs a function that needs the model of `role` in the inference process, as the stages above do."""
        self._registry.path(self.models[role])  # raises unless the model is installed and unchanged
        worker = self._running()
        try:
            return worker.run(function, monitor=monitor, **arguments)
        except WorkerDied as error:
            # Its library may have crashed even where the card was too full for a model.
            if worker.config.device == "cpu" or find_gpu() is None:
                raise
            self._gpu_failed = True
            raise WorkerDied(
                "The models stopped, perhaps because of the graphics card.",
                "Nothing was lost; try again, or choose the processor in the settings.",
                retryable=True,
            ) from error

    def _running(self) -> WorkerProcess:
        config = self._config()
        if self._worker is not None and self._worker.config != config:
            self._worker.close()
            self._worker = None
        if self._worker is None:
            self._worker = WorkerProcess(config, partial(use_ward_folder, paths.language_dir()))
        return self._worker

    def _config(self) -> RuntimeConfig:
        folders = {role: self._folder(model_id) for role, model_id in self.models.items()}
        filler = folders["filler"]
        return RuntimeConfig(
            speech=folders["speech"],
            filler=next(filler.glob("*.gguf")) if filler else None,
            embedder=folders["embedder"],
            speech_id=self.models["speech"],
            filler_id=self.models["filler"],
            embedder_id=self.models["embedder"],
            threads=self._settings.threads or detect().cores,
            device="cpu" if self._gpu_failed else self._settings.device,
            state_depths=DEPTHS,
        )

    def _folder(self, model_id: str) -> Path | None:
        """The folder of a model; None if it is not installed, which only matters to its own stage."""
        return self._registry.path(model_id) if self._registry.status(model_id) == "installed" else None
