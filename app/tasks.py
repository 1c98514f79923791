"""What runs in the inference process: one function per stage, each called by `app.inference`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from extraction import confidence
from extraction import reduce as reduction
from extraction.fill import Filler, Task
from extraction.index import open_index
from extraction.logistic import shipped_model
from extraction.propose import Proposals, propose
from extraction.reduce import ReducedSchema, reduce
from extraction.schema import Schema
from extraction.segment import Segment, segment
from models.progress import CancelledCallback, ProgressCallback
from models.runtimes import Runtimes
from speech.transcript import Transcript

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """A stage's result with what it took: seconds spent loading models, tokens, and on which device each model ran."""

    value: Result
    load_seconds: float = 0.0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    devices: dict[str, str] = field(default_factory=dict)


class _Clock:
    """Seconds spent inside `with clock.loading():`."""

    def __init__(self) -> None:
        self.seconds = 0.0

    @contextmanager
    def loading(self) -> Iterator[None]:
        start = time.monotonic()
        yield
        self.seconds += time.monotonic() - start


def transcribe_recording(
    runtimes: Runtimes, *, path: Path, hotwords: list[str], progress: ProgressCallback, cancelled: CancelledCallback
) -> Outcome[Transcript]:
    from speech.transcribe import transcribe

    clock = _Clock()
    with clock.loading():
        whisper = runtimes.whisper
    transcript = transcribe(whisper, path, hotwords, progress, cancelled)
    return Outcome(transcript, clock.seconds, devices=runtimes.devices())


def segment_text(
    runtimes: Runtimes, *, text: str, method: str, progress: ProgressCallback, cancelled: CancelledCallback
) -> Outcome[tuple[Segment, ...]]:
    sentences = segment(text)
    if method == "sentence":
        return Outcome(sentences)
    from extraction.segment_llm import join_by_topic

    clock = _Clock()
    with clock.loading():
        llm = runtimes.llm
    before = (llm.tokens.prompt, llm.tokens.completion)
    joined = join_by_topic(text, sentences, llm, progress, cancelled)
    used = (llm.tokens.prompt - before[0], llm.tokens.completion - before[1])
    return Outcome(joined, clock.seconds, *used, runtimes.devices())


def reduce_schema(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segments: tuple[Segment, ...],
    top_k: int,
    index_folder: Path,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> Outcome[ReducedSchema]:
    clock = _Clock()
    with clock.loading():
        embedder = runtimes.embedder
    index = open_index(
        schema, embedder, runtimes.config.embedder_id, index_folder, progress=progress, cancelled=cancelled
    )
    prior = shipped_model("prior", reduction.FEATURES)
    return Outcome(reduce(schema, segments, index, embedder, top_k, prior), clock.seconds, devices=runtimes.devices())


def fill_rows(
    runtimes: Runtimes, *, task: Task, strategy: str, progress: ProgressCallback, cancelled: CancelledCallback
) -> Outcome[Proposals]:
    clock = _Clock()
    with clock.loading():
        llm = runtimes.llm
    before = (llm.tokens.prompt, llm.tokens.completion)
    filler = _filler(runtimes, strategy)
    proposals = propose(
        task, filler.read(task, progress, cancelled), shipped_model("confidence", confidence.FEATURES), filler.name
    )
    used = (llm.tokens.prompt - before[0], llm.tokens.completion - before[1])
    return Outcome(proposals, clock.seconds, *used, runtimes.devices())


def _filler(runtimes: Runtimes, strategy: str) -> Filler:
    if strategy == "json":
        from extraction.json_fill import JsonFiller

        return JsonFiller(runtimes.llm)
    from extraction.rowwise import RowwiseFiller

    return RowwiseFiller(runtimes.llm)
