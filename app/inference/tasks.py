"""Tasks of the inference process, called by `app.inference.client`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from app.inference.usage import Outcome
from extraction.annotation.case_files import Case
from extraction.confidence.binding import TOP_K, Binding
from extraction.confidence.learned_models import FACTS, Learned, load_learned, shipped, signature
from extraction.confidence.reading_matches import matched_readings
from extraction.estimators.mention_reader import READER_FILE, LearnedMentionReader
from extraction.estimators.network_weights import NetworkWeights, shipped_weights
from extraction.estimators.statement_matcher import MATCHER_FILE, Matcher, StatementMatcher
from extraction.extractor import Extraction
from extraction.filling.prompts import prompts
from extraction.filling.rowwise import RowwiseFiller
from extraction.filling.task import Reading, Task
from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.growing_extraction import GrowingExtraction
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.retrieval.adapter import shipped_adapter
from extraction.retrieval.candidates import Candidate, ReducedSchema, pool
from extraction.retrieval.embedding_cache import KeptVectors
from extraction.retrieval.exemplars import ExemplarBook, book_of
from extraction.retrieval.index import Embedder, RowIndex, open_index
from extraction.retrieval.likely_rows import of_clauses
from extraction.retrieval.reduction import reduce
from extraction.retrieval.statements import matched
from models.base import text_caches
from models.base.progress import Progress, ProgressMonitor, stop_if
from models.runtimes.loaded import Runtimes
from speech.audio import SAMPLE_RATE
from speech.transcript import Transcript

Result = TypeVar("Result")


class UsageMeter:
    """Measures work: the seconds inside `with meter.loading():`, and the filler's tokens outside of it."""

    def __init__(self, runtimes: Runtimes) -> None:
        self._runtimes = runtimes
        self._seconds = 0.0
        self._before = runtimes.tokens()

    @contextmanager
    def loading(self) -> Iterator[None]:
        start, (prompt, completion) = time.monotonic(), self._runtimes.tokens()
        yield
        self._seconds += time.monotonic() - start
        after = self._runtimes.tokens()
        self._before = (self._before[0] + after[0] - prompt, self._before[1] + after[1] - completion)

    def outcome(self, value: Result, seconds: dict[str, float]) -> Outcome[Result]:
        """A result with its usage; `seconds` are those of its stages, without loading."""
        prompt, completion = self._runtimes.tokens()
        used = (prompt - self._before[0], completion - self._before[1])
        return Outcome(value, self._seconds, *used, self._runtimes.devices(), seconds)


# Preloading, one model at a time, so that no dictation has to wait for it.


def load_speech(runtimes: Runtimes, *, monitor: ProgressMonitor) -> None:
    import numpy as np

    runtimes.whisper.speech(np.zeros(SAMPLE_RATE, dtype=np.float32))  # speech detection has a model of its own


def load_embedder(runtimes: Runtimes, *, monitor: ProgressMonitor) -> None:
    runtimes.embedder.encode([""])


def load_index(
    runtimes: Runtimes,
    *,
    schema: Schema,
    index_folder: Path,
    learned: Path | None,
    monitor: ProgressMonitor,
) -> None:
    """Loads the index of a schema and what else reading into it begins with, after the models.

    Builds the index if there is none, which can be cancelled.
    """
    index_of(runtimes, schema, index_folder, monitor)
    growing_extraction(
        runtimes,
        schema,
        NO_CONTEXT,
        RowwiseFiller(runtimes.llm),
        top_k=0,
        index_folder=index_folder,
        learned=learned,
        monitor=monitor,
    )


def load_filler(runtimes: Runtimes, *, monitor: ProgressMonitor) -> None:
    """Loads the filler and reads the prompt that precedes every dictation."""
    runtimes.llm.set_prefix(prompts()["before"], (), "", monitor.cancelled)


def forget_texts(runtimes: Runtimes, *, monitor: ProgressMonitor) -> None:
    """Forgets the words of all dictations that this process has read; the models stay loaded."""
    text_caches.forget_texts()
    _last_matcher.clear()  # they hold the tokens of sentences
    _last_reader.clear()
    runtimes.answers.clear()
    if "llm" in vars(runtimes):
        runtimes.llm.forget_prefix()


def transcribe_recording(
    runtimes: Runtimes, *, path: Path, hotwords: list[str], monitor: ProgressMonitor
) -> Outcome[Transcript]:
    from speech.transcribe import transcribe

    meter = UsageMeter(runtimes)
    with meter.loading():
        whisper = runtimes.whisper
    start = time.monotonic()
    transcript = transcribe(whisper, path, hotwords, monitor)
    return meter.outcome(transcript, {"transcribe": time.monotonic() - start})


# Every dictation is read by these two, whether it is spoken, opened, evaluated or typed.


def growing_extraction(
    runtimes: Runtimes,
    schema: Schema,
    context: EncounterContext,
    filler: RowwiseFiller,
    *,
    top_k: int,
    index_folder: Path,
    learned: Path | None,
    monitor: ProgressMonitor,
) -> GrowingExtraction:
    """Reads into a schema with the models of this process; loads all but the index, which the first text needs."""
    schema = as_spoken(schema)
    known, matcher = learned_of(runtimes, schema, learned), matcher_of(runtimes)
    vectors = KeptVectors(runtimes.embedder)

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        index = index_of(runtimes, schema, index_folder, monitor)
        return reduce(schema, segments, index, vectors, top_k, known.prior, known.book, matcher)

    return GrowingExtraction(schema, context, filler, reduced, known, matcher, monitor, reader_of(runtimes))


def finished(values: GrowingExtraction, transcript: str, runtimes: Runtimes, top_k: int) -> Extraction:
    """Adds what only the whole text needs: the signatures of the models, and the likely rows of its clauses."""
    found = values.extraction
    proposals = signed(found.proposals, runtimes, values.schema, values.known, top_k)
    return replace(found, proposals=proposals, likely=of_clauses(transcript, values.schema, found.likely))


def signed(proposals: Proposals, runtimes: Runtimes, schema: Schema, known: Learned, top_k: int) -> Proposals:
    """Adds the signatures of the models that weighed them, see `extraction.confidence.learned_models.signature`."""
    binding = _binding(runtimes, top_k)
    return replace(
        proposals,
        weighed_by=signature(known.identity, binding, schema),
        features_signature=signature(known.features_identity, binding, schema),
    )


def make_book(
    runtimes: Runtimes,
    *,
    schema: Schema,
    cases: tuple[Case, ...],
    vectors: Path,
    monitor: ProgressMonitor,
) -> ExemplarBook:
    """Makes the exemplars of annotated cases; the file `vectors` caches their embeddings."""

    def watched() -> Iterator[Case]:
        for number, case in enumerate(cases):
            stop_if(monitor.cancelled)
            monitor.report(Progress("learn", number / len(cases), f"sentences of case {number + 1} of {len(cases)}"))
            yield case

    with kept_vectors(runtimes, vectors) as embedder:
        return book_of(watched(), schema, embedder)


def pool_cases(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segmented: list[tuple[Segment, ...]],
    book: ExemplarBook | None,
    top_k: int,
    index_folder: Path,
    vectors: Path | None,
    monitor: ProgressMonitor,
) -> list[list[Candidate]]:
    """All candidate rows of each transcript, not yet weighed; for `vectors` see `make_book`, None for no cache."""
    matcher, index = matcher_of(runtimes), index_of(runtimes, schema, index_folder, monitor)
    pooled = []
    with kept_vectors(runtimes, vectors) as embedder:
        for segments in segmented:
            stop_if(monitor.cancelled)
            pooled.append(matched(schema, segments, pool(schema, segments, index, embedder, top_k, book), matcher))
    return pooled


@contextmanager
def kept_vectors(runtimes: Runtimes, path: Path | None) -> Iterator[Embedder]:
    """An embedder that caches its embeddings in a file; without `path`, one without a cache file."""
    if path is None:
        yield runtimes.embedder
        return
    kept = KeptVectors(runtimes.embedder)
    kept.load(path)
    known = len(kept)
    yield kept
    if len(kept) > known:
        with suppress(OSError):  # the cache only saves time
            kept.save(path)


def read_rows(
    runtimes: Runtimes, *, task: Task, kept: Path, monitor: ProgressMonitor, weights: NetworkWeights | None = None
) -> list[Reading]:
    """All readings, not yet weighed, also of rows that were measured: what a ward need not ask is worth learning from.

    The file `kept` caches the filler's answers. The readings are matched with the given weights, or by the shipped
    matcher. Raises OSError if the file cannot be written.
    """
    from extraction.filling.answer_cache import CachingFiller, load_answers, save_answers

    answers = load_answers(kept)
    known = len(answers)
    readings = CachingFiller(runtimes.llm, answers).read(replace(task, measured=()), monitor)
    if len(answers) > known:
        save_answers(kept, answers)
    return matched_readings(task, readings, matcher_of(runtimes, weights))


def matcher_of(runtimes: Runtimes, weights: NetworkWeights | None = None) -> Matcher | None:
    """The shipped matcher of the embedder unless other weights are given; the last one stays in memory."""
    weights = weights or shipped_weights(runtimes.config.embedder_id, MATCHER_FILE)
    if weights is None:
        return None
    wanted = (runtimes.config.embedder_id, weights.digest)
    if wanted not in _last_matcher:
        _last_matcher.clear()
        _last_matcher[wanted] = StatementMatcher(weights, runtimes.embedder)
    return _last_matcher[wanted]


# By embedder and digest of the weights; at most one.
_last_matcher: dict[tuple[str, str], StatementMatcher] = {}


def reader_of(runtimes: Runtimes) -> LearnedMentionReader | None:
    """The shipped mention reader of the embedder; it stays in memory."""
    embedder_id = runtimes.config.embedder_id
    if embedder_id not in _last_reader:
        weights = shipped_weights(embedder_id, READER_FILE)
        if weights is None:
            return None
        _last_reader.clear()
        _last_reader[embedder_id] = LearnedMentionReader(weights, runtimes.embedder)
    return _last_reader[embedder_id]


# By embedder; at most one.
_last_reader: dict[str, LearnedMentionReader] = {}


def index_of(runtimes: Runtimes, schema: Schema, folder: Path, monitor: ProgressMonitor) -> RowIndex:
    """The index of a schema, loaded from `folder` if it is there; the last one stays in memory."""
    embedder_id = runtimes.config.embedder_id
    wanted = (folder, schema.sha256, embedder_id)
    if wanted not in _last_index:
        _last_index.clear()
        adapter = shipped_adapter(embedder_id)
        _last_index[wanted] = open_index(
            schema, runtimes.embedder, embedder_id, folder, adapter=adapter, monitor=monitor
        )
    return _last_index[wanted]


# By folder, schema hash and embedder; at most one, because that of a large schema takes hundreds of MB.
_last_index: dict[tuple[Path, str, str], RowIndex] = {}


def learned_of(runtimes: Runtimes, schema: Schema, folder: Path | None) -> Learned:
    """The learned models in the folder, cached, or the shipped ones without a folder."""
    if folder is None:
        return shipped(runtimes.config.filler_id)
    facts = folder / FACTS
    changed = facts.stat().st_mtime_ns if facts.exists() else 0
    return _read_once(folder, changed, _binding(runtimes), _ByHash(schema))


class _ByHash:
    """A schema that compares equal to others with the same file hash."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByHash) and self.schema.sha256 == other.schema.sha256

    def __hash__(self) -> int:
        return hash(self.schema.sha256)


def _binding(runtimes: Runtimes, top_k: int = TOP_K) -> Binding:
    return Binding.of(runtimes.config.filler_id, runtimes.config.embedder_id, top_k)


@lru_cache(maxsize=2)
def _read_once(folder: Path, _changed: int, now: Binding, known: _ByHash) -> Learned:
    return load_learned(folder, now, known.schema)
