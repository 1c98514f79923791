"""The models of the inference process: loaded when first needed, kept until the process ends."""

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
    """What to load and with how much of the machine.

    Attributes:
        speech, embedder: folders of verified models; None where the role is not installed.
        filler: the verified GGUF file.
        *_id: the manifest's id of each.
        threads: for all runtimes together. Whisper has half of them for a window and hardly gains from more, but can
            hear several side by side; the others have all, but while it works beside them the rest, see
            `Runtimes.use_threads`.
        device: 'auto', 'cpu' or 'cuda'.
        state_depths: how deep in the filler the layers lie whose hidden states are kept, see `LlamaRuntime`.
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
    """The three roles behind one door; every attribute loads its model on first use.

    Attributes:
        answers: what the filler answered while somebody spoke, see `extraction.filling.answer_cache`.
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
        """Lets filler and embedder, which never work at the same time, work with so many threads; loads them."""
        self.llm.use_threads(count)
        self.embedder.use_threads(count)

    def devices(self) -> dict[str, str]:
        """The device of each runtime that has been loaded, by role."""
        loaded = self.__dict__
        names = {"speech": "whisper", "filler": "llm", "embedder": "embedder"}
        return {role: loaded[name].device for role, name in names.items() if name in loaded}

    def tokens(self) -> tuple[int, int]:
        """How many tokens the filler has read and written since it was loaded."""
        used = self.llm.tokens if "llm" in self.__dict__ else None
        return (used.prompt, used.completion) if used else (0, 0)

    def _loading(self, model_id: str) -> None:
        self.progress(Progress("load", None, f"loading {model_id}"))


def _installed(path: Path | None) -> Path:
    from models.errors import ModelFileError

    if path is None:
        raise ModelFileError("A model that this job needs is not installed.", "Run 'wardlight models install'.")
    return path
