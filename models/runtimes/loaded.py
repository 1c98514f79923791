"""The models of the inference process: loaded on first use, kept until the process ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from models.progress import Progress, ProgressCallback, ignore_progress

if TYPE_CHECKING:
    from models.runtimes.closed_questions import Answer
    from models.runtimes.embedder import EmbedderRuntime
    from models.runtimes.llm import LlamaRuntime
    from models.runtimes.whisper import WhisperRuntime


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
    """The three runtimes, each loaded on first access.

    Attributes:
        answers: the filler's answers during live dictation, see `extraction.filling.answer_cache`.
    """

    def __init__(self, config: RuntimeConfig) -> None:
        self.config = config
        self.answers: dict[bytes, Answer] = {}
        self.progress: ProgressCallback = ignore_progress

    @cached_property
    def llm(self) -> LlamaRuntime:
        from models.runtimes.llm import LlamaRuntime

        self._loading(self.config.filler_id)
        return LlamaRuntime(
            _installed(self.config.filler),
            threads=self.config.threads,
            gpu=self.config.device != "cpu",
            state_depths=self.config.state_depths,
        )

    @cached_property
    def embedder(self) -> EmbedderRuntime:
        from models.runtimes.embedder import EmbedderRuntime

        self._loading(self.config.embedder_id)
        return EmbedderRuntime(
            _installed(self.config.embedder), threads=self.config.threads, gpu=self.config.device != "cpu"
        )

    @cached_property
    def whisper(self) -> WhisperRuntime:
        from models.runtimes.whisper import WhisperRuntime

        self._loading(self.config.speech_id)
        return WhisperRuntime(
            _installed(self.config.speech),
            device=self.config.device,
            threads=self.config.speech_threads,
            at_once=self.config.windows_at_once,
        )

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

    def _loading(self, model_id: str) -> None:
        self.progress(Progress("load", None, f"loading {model_id}"))


def _installed(path: Path | None) -> Path:
    from models.errors import ModelFileError

    if path is None:
        raise ModelFileError("A model that this job needs is not installed.", "Run 'wardlight models install'.")
    return path
