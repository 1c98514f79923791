"""The models of the inference process: loaded on first use, kept until the process ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from models.base.progress import Progress, ProgressCallback, ignore_progress
from models.runtimes.placement import (
    llama_supports_gpu,
    load_placed,
    memory_needed,
    place,
    torch_supports_gpu,
    whisper_supports_gpu,
)

if TYPE_CHECKING:
    from models.runtimes.closed_questions import Answer
    from models.runtimes.embedder import EmbedderRuntime
    from models.runtimes.llm import LlamaRuntime
    from models.runtimes.whisper import WhisperRuntime

_TITLES = {"speech": "Speech recognition", "filler": "The language model", "embedder": "The matching of rows"}


class _OnDevice(Protocol):
    device: str


_Runtime = TypeVar("_Runtime", bound=_OnDevice)


@dataclass(frozen=True, slots=True)
class Loaded:
    """A runtime that was loaded.

    Attributes:
        device: 'cpu', or the name that its library gives to the GPU.
        note: why it is not on the GPU although that was wanted, as a sentence; empty otherwise.
    """

    role: str
    device: str
    note: str


@dataclass(frozen=True, slots=True)
class RuntimeConfig:
    """What to load, and how much of the machine to use.

    Attributes:
        speech, embedder: folders of verified models; None if the role is not installed.
        filler: the verified GGUF file.
        *_id: the manifest's id of each.
        threads: for all runtimes together. Whisper uses half of them per window and hardly gains from more, but can
            transcribe several windows in parallel; the others use all, or the rest while Whisper is working, see
            `Runtimes.use_threads`.
        device: 'auto', 'cpu' or 'cuda'.
        state_depths: see `LlamaRuntime`.
    """

    speech: Path | None
    filler: Path | None
    embedder: Path | None
    speech_id: str
    filler_id: str
    embedder_id: str
    threads: int
    device: str = "auto"
    state_depths: tuple[float, ...] = ()

    def model_id(self, role: str) -> str:
        """The manifest's id of the model in a role."""
        return {"speech": self.speech_id, "filler": self.filler_id, "embedder": self.embedder_id}[role]

    @property
    def speech_threads(self) -> int:
        return max(self.threads // 2, 1)

    @property
    def windows_at_once(self) -> int:
        return self.threads // self.speech_threads

    @property
    def threads_beside_speech(self) -> int:
        return max(self.threads - self.speech_threads, 1)


class Runtimes:
    """The three runtimes, each loaded on first access, on the GPU where that is wanted and works.

    Attributes:
        answers: the filler's answers during live dictation, see `extraction.filling.answer_cache`.
        placed: called with each runtime that was loaded.
    """

    def __init__(self, config: RuntimeConfig) -> None:
        self.config = config
        self.answers: dict[bytes, Answer] = {}
        self.progress: ProgressCallback = ignore_progress
        self.placed: Callable[[Loaded], None] = lambda _: None

    @cached_property
    def llm(self) -> LlamaRuntime:
        from models.runtimes.llm import LlamaRuntime

        path, config = _installed(self.config.filler), self.config
        return self._load(
            "filler",
            memory_needed(path),
            llama_supports_gpu,
            lambda gpu: LlamaRuntime(path, threads=config.threads, gpu=gpu, state_depths=config.state_depths),
        )

    @cached_property
    def embedder(self) -> EmbedderRuntime:
        from models.runtimes.embedder import EmbedderRuntime

        folder = _installed(self.config.embedder)
        return self._load(
            "embedder",
            memory_needed(folder / "model.safetensors"),
            torch_supports_gpu,
            lambda gpu: EmbedderRuntime(folder, threads=self.config.threads, gpu=gpu),
        )

    @cached_property
    def whisper(self) -> WhisperRuntime:
        from models.runtimes.whisper import WhisperRuntime

        folder, config = _installed(self.config.speech), self.config
        return self._load(
            "speech",
            memory_needed(folder / "model.bin"),
            whisper_supports_gpu,
            lambda gpu: WhisperRuntime(
                folder, "cuda" if gpu else "cpu", threads=config.speech_threads, at_once=config.windows_at_once
            ),
        )

    def _load(
        self, role: str, needed_bytes: int, supports_gpu: Callable[[], bool], load: Callable[[bool], _Runtime]
    ) -> _Runtime:
        self.progress(Progress("load", None, f"loading {self.config.model_id(role)}"))
        title = _TITLES[role]
        placement = place(title, self.config.device, needed_bytes, supports_gpu)
        runtime, note = load_placed(title, placement, load)
        self.placed(Loaded(role, runtime.device, note))
        return runtime

    @property
    def threads_beside_speech(self) -> int:
        """Threads that speech recognition leaves to the others while it works: all of them if it is on the GPU."""
        whisper = self.__dict__.get("whisper")
        on_gpu = whisper is not None and whisper.device != "cpu"
        return self.config.threads if on_gpu else self.config.threads_beside_speech

    def use_threads(self, count: int) -> None:
        """Sets the threads of filler and embedder, which never work at the same time; loads both."""
        self.llm.use_threads(count)
        self.embedder.use_threads(count)

    def devices(self) -> dict[str, str]:
        """The device of each loaded runtime, by role."""
        loaded = self.__dict__
        names = {"speech": "whisper", "filler": "llm", "embedder": "embedder"}
        return {role: loaded[name].device for role, name in names.items() if name in loaded}

    def tokens(self) -> tuple[int, int]:
        """How many tokens the filler has read and generated since it was loaded."""
        used = self.llm.tokens if "llm" in self.__dict__ else None
        return (used.prompt, used.completion) if used else (0, 0)


def _installed(path: Path | None) -> Path:
    from models.errors import ModelFileError

    if path is None:
        raise ModelFileError("A model that this job needs is not installed.", "Run 'wardlight models install'.")
    return path
