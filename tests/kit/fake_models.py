"""Stand-ins for the models, scripted by the test, so that unit tests need no weights."""

from __future__ import annotations

import math
import os
import re
import time
import zlib
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extraction.language.sentences import segment
from models.base.errors import InputError
from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if
from models.process.messages import Channel
from models.runtimes.llm import TokenCount, TokenEntry
from models.runtimes.loaded import Loaded, RuntimeConfig, Runtimes
from models.runtimes.whisper import on_device

_VOCABULARY = 500


class FakeEmbedder:
    """Bag-of-words vectors: texts that share words are similar, the same text always has the same vector."""

    device = "cpu"

    def __init__(self, dimensions: int = 256) -> None:
        self.dimensions = dimensions
        self.encoded: list[str] = []
        self.threads = 1

    def use_threads(self, count: int) -> None:
        self.threads = count

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.encoded += texts
        vectors = np.full((len(texts), self.dimensions), 1e-3, dtype=np.float32)
        for place, text in enumerate(texts):
            for word in text.lower().replace(",", " ").replace(".", " ").split():
                vectors[place, zlib.crc32(word.encode()) % self.dimensions] += 1.0
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

    @property
    def token_inputs(self) -> NDArray[np.float32]:
        return np.random.default_rng(0).normal(size=(_VOCABULARY, self.dimensions)).astype(np.float32)

    def encode_tokens(
        self, texts: Sequence[str]
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float16]]]:
        """Words as tokens, each with the vector of its letters."""
        inputs, found = self.token_inputs, []
        for text in texts:
            words = list(re.finditer(r"\w+|[^\w\s]", text))
            ids = np.array([zlib.crc32(word.group().lower().encode()) % _VOCABULARY for word in words], dtype=np.int64)
            places = np.array([word.span() for word in words], dtype=np.int64).reshape(-1, 2)
            found.append((ids, places, inputs[ids].astype(np.float16)))
        return found


class FakeLlm:
    """A language model over characters that answers as scripted.

    `script` gets everything that the sequence has read and returns the answer (with its leading space) that the model
    favours; each of its characters is given `certainty`, the other permitted ones share the rest.
    """

    device = "cpu"

    def __init__(self, script: Callable[[str], str], certainty: float = 0.9, context_tokens: int = 8192) -> None:
        self.script = script
        self.certainty = certainty
        self.context_tokens = context_tokens
        self.chunk_tokens = 256
        self.tokens_per_second = math.inf
        self.tokens = TokenCount()
        self.tap = None
        self.newline = ord("\n")
        self.read: dict[int, list[int]] = {0: []}
        self._entries: list[TokenEntry] = []
        self._seen: list[str] = []
        self.threads = 1

    def use_threads(self, count: int) -> None:
        self.threads = count

    def tokenize(self, text: str, *, special: bool = False) -> list[int]:
        return [ord(letter) for letter in text]

    @property
    def prefix_length(self) -> int:
        return len(self.read[0])

    def set_prefix(self, before: str, parts: Sequence[str], after: str, cancelled: CancelledCallback) -> list[int]:
        stop_if(cancelled)
        self.read = {0: self.tokenize("".join((before, *parts, after)))}
        return list(accumulate((len(part) for part in parts), initial=len(before)))[1:]

    def forget_prefix(self) -> None:
        self.read = {0: []}

    def forget_continuations(self) -> None:
        self.read = {0: self.read[0]}

    def branch(self, source: int, target: int, length: int) -> None:
        self.read[target] = self.read[source][:length]

    def decode(self, entries: Sequence[TokenEntry], spare: int = 0) -> None:
        self._seen = [self._take(entry) for entry in entries]

    def _take(self, entry: TokenEntry) -> str:
        sequence = self.read[entry.sequence]
        assert entry.position == len(sequence), "a token was placed where the sequence does not end"
        sequence.append(entry.token)
        return "".join(map(chr, sequence)) if entry.wanted else ""

    def log_probabilities(self, row: int, tokens: Sequence[int]) -> NDArray[np.float64]:
        text = self._seen[row]
        question, written = question_of(text)
        answer = self.script(question) + "\n"
        favoured = ord(answer[len(written)]) if answer.startswith(written) and len(written) < len(answer) else -1
        rest = (1 - self.certainty) / max(len(tokens) - 1, 1)
        return np.array([math.log(self.certainty if token == favoured else rest) for token in tokens])


# The colon behind which the answer begins: the last one, but for those of times of day.
_ANSWER_BEGINS = re.compile(r"(.*)(?<!\d):(?!\d)(.*)", re.DOTALL)


def question_of(text: str) -> tuple[str, str]:
    """What a model that read a text was asked, and what of the answer is written; nothing of what is no question."""
    match = _ANSWER_BEGINS.fullmatch(text)
    return (match[1], match[2]) if match else ("", "")


def sentence_and_row(question: str) -> tuple[str, str]:
    """The sentence behind which a question stands, and the row that it asks for with what stands beside it."""
    *_, sentence, row = question.split("\n")
    return sentence.strip('"'), row


def runtimes_of(filler_id: str = "fake", embedder_id: str = "fake", **models: object) -> Runtimes:
    """The real holder of models with fakes in it, as if they had been loaded."""
    ids = {"speech_id": "fake", "filler_id": filler_id, "embedder_id": embedder_id}
    runtimes = Runtimes(RuntimeConfig(speech=None, filler=None, embedder=None, **ids, threads=4))
    for name, model in models.items():
        setattr(runtimes, name, model)
    return runtimes


# Tasks for the worker process: module-level, so that they travel by name.


def add(runtimes: Runtimes, *, a: int, b: int, monitor: ProgressMonitor) -> int:
    monitor.report(Progress("fill", 0.5, "adding"))
    return a + b


def sentences_of(runtimes: Runtimes, *, text: str, monitor: ProgressMonitor) -> list[str]:
    return [one.text for one in segment(text)]


def wait(runtimes: Runtimes, *, seconds: float, monitor: ProgressMonitor) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        stop_if(monitor.cancelled)
        monitor.report(Progress("fill", None, "waiting"))
        time.sleep(0.02)
    return "waited"


def hang(runtimes: Runtimes, **_: Any) -> None:
    time.sleep(60)


def refuse(runtimes: Runtimes, **_: Any) -> None:
    raise InputError("The file is not a recording.", "Choose another.")


def fail_on_gpu(runtimes: Runtimes, **_: Any) -> None:
    """Fails as CTranslate2 does when the graphics card is lost, if the card may be used at all."""
    if runtimes.config.device == "cpu":
        return
    runtimes.placed(Loaded("speech", "cuda", ""))
    with on_device("cuda"):
        raise RuntimeError("CUDA failed with error an illegal memory access was encountered")


def die_on_gpu(runtimes: Runtimes, **_: Any) -> str:
    """Ends as llama.cpp does when the graphics card is lost, if the card may be used at all."""
    if runtimes.config.device == "cpu":
        return os.environ["CUDA_VISIBLE_DEVICES"]
    runtimes.placed(Loaded("filler", "gpu", ""))
    os.abort()


def stumble(runtimes: Runtimes, **_: Any) -> None:
    raise ZeroDivisionError("a defect")


def loaded_modules(runtimes: Runtimes, **_: Any) -> list[str]:
    import sys

    return sorted(sys.modules)


def converse(runtimes: Runtimes, *, channel: Channel, monitor: ProgressMonitor) -> int:
    """Says twice what it is given, until it is given None; how often that was."""
    count = 0
    while (item := channel.inputs.get()) is not None:
        if item == "die":
            os._exit(3)
        channel.emit(item * 2)
        count += 1
    return count


def die_reading(runtimes: Runtimes, **_: Any) -> None:
    """A decoder that a file brings down."""
    os._exit(139)
