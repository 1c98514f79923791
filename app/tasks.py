"""What runs in the inference process: one function per stage, each called by `app.inference`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from extraction.cases import Case
from extraction.exemplars import ExemplarBook, book_of
from extraction.fill import Filler, Reading, Task
from extraction.index import open_index
from extraction.learned import Binding, Learned, code_sha256, load_learned, shipped
from extraction.propose import Proposals, propose
from extraction.reduce import Candidate, ReducedSchema, pool, reduce, weigh
from extraction.schema import Schema
from extraction.segment import Segment, segment
from models.progress import CancelledCallback, Progress, ProgressCallback, stop_if
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
    learned: Path | None,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> Outcome[ReducedSchema]:
    clock = _Clock()
    with clock.loading():
        embedder = runtimes.embedder
        known = _learned(runtimes, schema, learned)
    index = open_index(
        schema, embedder, runtimes.config.embedder_id, index_folder, progress=progress, cancelled=cancelled
    )
    reduced = reduce(schema, segments, index, embedder, top_k, known.prior, known.book)
    return Outcome(reduced, clock.seconds, devices=runtimes.devices())


def fill_rows(
    runtimes: Runtimes,
    *,
    task: Task,
    strategy: str,
    learned: Path | None,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> Outcome[Proposals]:
    clock = _Clock()
    with clock.loading():
        llm = runtimes.llm
        known = _learned(runtimes, task.schema, learned)
    before = (llm.tokens.prompt, llm.tokens.completion)
    filler = _filler(runtimes, strategy)
    readings = filler.read(task, progress, cancelled)
    confidences = known.confidences(readings, len(task.segments))
    proposals = propose(task, readings, confidences.tolist(), known.acceptance.keep_from, filler.name)
    used = (llm.tokens.prompt - before[0], llm.tokens.completion - before[1])
    return Outcome(proposals, clock.seconds, *used, runtimes.devices())


def make_book(
    runtimes: Runtimes,
    *,
    schema: Schema,
    cases: tuple[Case, ...],
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> ExemplarBook:
    """The exemplars of annotated cases."""
    embedder = runtimes.embedder

    def watched() -> Iterator[Case]:
        for number, case in enumerate(cases):
            stop_if(cancelled)
            progress(Progress("learn", number / len(cases), f"sentences of case {number + 1} of {len(cases)}"))
            yield case

    return book_of(watched(), schema, embedder)


def pool_cases(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segmented: list[tuple[Segment, ...]],
    book: ExemplarBook | None,
    top_k: int,
    index_folder: Path,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> list[list[Candidate]]:
    """For each of several transcripts every candidate row before any is weighed."""
    embedder = runtimes.embedder
    index = open_index(
        schema, embedder, runtimes.config.embedder_id, index_folder, progress=progress, cancelled=cancelled
    )
    pooled = []
    for segments in segmented:
        stop_if(cancelled)
        pooled.append(pool(schema, segments, index, embedder, top_k, book))
    return pooled


def rank_dictation(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segments: tuple[Segment, ...],
    top_k: int,
    index_folder: Path,
    learned: Path | None,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> list[str]:
    """Ids of all candidate rows of a transcript, likeliest first, also those that are not worth a question."""
    known = _learned(runtimes, schema, learned)
    pooled = pool_cases(
        runtimes,
        schema=schema,
        segmented=[segments],
        book=known.book,
        top_k=top_k,
        index_folder=index_folder,
        progress=progress,
        cancelled=cancelled,
    )[0]
    return [one.row_id for one in sorted(weigh(schema, pooled, known.prior), key=lambda one: -one.prior)]


def read_rows(
    runtimes: Runtimes, *, task: Task, progress: ProgressCallback, cancelled: CancelledCallback
) -> list[Reading]:
    """Everything that the default strategy reads, before it is weighed."""
    return _filler(runtimes, "rowwise").read(task, progress, cancelled)


def binding(runtimes: Runtimes, schema: Schema) -> Binding:
    """What learned models must belong to, here."""
    return Binding(schema.sha256, runtimes.config.filler_id, runtimes.config.embedder_id, code_sha256())


def _learned(runtimes: Runtimes, schema: Schema, folder: Path | None) -> Learned:
    """What the folder holds, read once, or what is shipped."""
    if folder is None:
        return shipped()
    return _read_once(folder, (folder / "learned.json").stat().st_mtime_ns, binding(runtimes, schema))


@lru_cache(maxsize=2)
def _read_once(folder: Path, _changed: int, belongs_to: Binding) -> Learned:
    return load_learned(folder, belongs_to)


def _filler(runtimes: Runtimes, strategy: str) -> Filler:
    if strategy == "json":
        from extraction.json_fill import JsonFiller

        return JsonFiller(runtimes.llm)
    from extraction.rowwise import RowwiseFiller

    return RowwiseFiller(runtimes.llm)
