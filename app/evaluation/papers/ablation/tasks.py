"""Tasks of ablation conditions in the inference process; the product's own are in `app.inference.tasks`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.evaluation.papers.ablation.baselines import NEED_EXAMPLES, RANKINGS, reduced
from app.evaluation.papers.ablation.conditions import Condition, joined
from app.evaluation.papers.ablation.few_shot import barred_for
from app.evaluation.papers.ablation.json_object import JsonFiller
from app.evaluation.papers.ablation.library import EXAMPLE, Library
from app.evaluation.papers.ablation.topic_segments import join_by_topic
from app.inference.file_session import read_out
from app.inference.live_events import Followed
from app.inference.tasks import UsageMeter, finished, learned_of, matcher_of, pool_cases, reader_of
from app.inference.usage import Outcome
from extraction.annotation.case_files import Case
from extraction.extractor import Extraction, prepare
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.rowwise import RowwiseFiller
from extraction.flowsheet.schema import Schema
from extraction.growing_extraction import GrowingExtraction
from extraction.language.sentences import Segment, segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.retrieval.reduction import weigh
from models.base.progress import ProgressMonitor, stop_if
from models.runtimes.loaded import Runtimes
from speech.transcript import Transcript

_EVERY_ONE = 0.0  # confidence threshold: every answer is proposed


@dataclass(frozen=True, slots=True)
class Given:
    """A text to read and what is known beside it.

    Attributes:
        own: the cases of this text, which are never used as examples.
        examples: annotated cases.
    """

    text: str
    schema: Schema
    context: EncounterContext
    own: tuple[Case, ...]
    examples: tuple[Case, ...]


def read_by(
    runtimes: Runtimes,
    *,
    condition: Condition,
    given: Given,
    top_k: int,
    learned: Path | None,
    monitor: ProgressMonitor,
) -> Outcome[Followed]:
    """Reads a text with the rows of a condition and, if these are not asked one by one, in its way."""
    meter = UsageMeter(runtimes)
    with meter.loading():
        library = _library(runtimes, given.schema, given.examples, given.own)
        _ = runtimes.llm
    if condition.filler == "json":
        extraction, seconds = _read_objects(runtimes, condition, given, library, monitor)
        return meter.outcome(Followed(Transcript(given.text), extraction), seconds)

    def chosen(segments: tuple[Segment, ...]) -> ReducedSchema:
        return _rows(condition, given, library, segments)

    known, matcher, filler = (
        learned_of(runtimes, given.schema, learned),
        matcher_of(runtimes),
        RowwiseFiller(runtimes.llm),
    )
    values = GrowingExtraction(
        given.schema, given.context, filler, chosen, known, matcher, monitor, reader_of(runtimes)
    )
    read_out(values, given.text, lambda _: None, monitor)
    extraction = finished(values, given.text, runtimes, top_k)
    return meter.outcome(Followed(Transcript(given.text), extraction), values.seconds)


def _read_objects(
    runtimes: Runtimes, condition: Condition, given: Given, library: Library, monitor: ProgressMonitor
) -> tuple[Extraction, dict[str, float]]:
    """Reads a text as JSON with as many rows and examples as fit into the prompt; returns the seconds by stage, too."""
    shots: tuple[Case, ...] = ()

    def cut(text: str) -> tuple[Segment, ...]:
        sentences = segment(text)
        if condition.scope == "topics":
            return join_by_topic(text, sentences, runtimes.llm, monitor)
        return (
            sentences
            if condition.scope == "sentence"
            else joined(text, sentences, paragraphs=condition.scope == "paragraph")
        )

    def fitting(segments: tuple[Segment, ...]) -> ReducedSchema:
        nonlocal shots
        find = _nearest_sentences if condition.shown == "sentences" else _most_alike
        shots = find(library, given.text, segments, condition.shots)
        candidates = _rows(condition, given, library, segments).candidates
        asked = [given.schema.row(candidate.row_id) for candidate in candidates]
        rows, shown = JsonFiller(runtimes.llm, shots, audit=condition.audit).fitting(given.text, asked)
        shots = shots[:shown]
        return ReducedSchema(candidates[:rows])

    start = time.monotonic()
    prepared = prepare(given.text, given.schema, reduce=fitting, cut=cut, context=given.context)
    middle = time.monotonic()
    filler = JsonFiller(runtimes.llm, shots, audit=condition.audit)
    weighed = [WeighedReading(reading, reading.mentioned) for reading in filler.read(prepared.task, monitor)]
    extraction = prepared.charted(propose(prepared.task, weighed, _EVERY_ONE, filler.name))
    return extraction, {"reduce": middle - start, "fill": time.monotonic() - middle}


def _rows(condition: Condition, given: Given, library: Library, segments: tuple[Segment, ...]) -> ReducedSchema:
    assert condition.reduction, "the product reads"
    return reduced(library, condition.reduction, given.text, segments, given.own)


def rank_rows(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segmented: tuple[tuple[Segment, ...], ...],
    own: tuple[Case, ...],
    examples: tuple[Case, ...],
    monitor: ProgressMonitor,
) -> dict[str, list[list[list[str]]]]:
    """Row ids, best first, for each ranking of RANKINGS, each segmentation of a transcript and each segment."""
    library = _library(runtimes, schema, examples, own)
    ranked: dict[str, list[list[list[str]]]] = {}
    for name, rank in RANKINGS.items():
        stop_if(monitor.cancelled)
        if examples or name not in NEED_EXAMPLES:
            ranked[name] = [rank(library, segments) for segments in segmented]
    return ranked


def rank_dictation(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segments: tuple[Segment, ...],
    top_k: int,
    index_folder: Path,
    learned: Path | None,
    monitor: ProgressMonitor,
) -> list[str]:
    """Ids of all candidate rows of the product for a transcript, likeliest first, also those not worth a question."""
    known = learned_of(runtimes, schema, learned)
    pooled = pool_cases(
        runtimes,
        schema=schema,
        segmented=[segments],
        book=known.book,
        top_k=top_k,
        index_folder=index_folder,
        vectors=None,
        monitor=monitor,
    )[0]
    return [one.row_id for one in sorted(weigh(schema, segments, pooled, known.prior), key=lambda one: -one.prior)]


def _library(runtimes: Runtimes, schema: Schema, examples: tuple[Case, ...], own: tuple[Case, ...]) -> Library:
    return Library(schema, runtimes.embedder, examples, barred_for(own, examples))


def _most_alike(library: Library, text: str, segments: Sequence[Segment], count: int) -> tuple[Case, ...]:
    return library.alike(text, count)


def _nearest_sentences(library: Library, text: str, segments: Sequence[Segment], count: int) -> tuple[Case, ...]:
    """The example sentences nearest to any segment, nearest first."""
    found = library.nearest([segment.text for segment in segments], EXAMPLE)
    nearness: dict[str, float] = {}
    for entries in found:
        for entry, similarity in entries[:count]:
            nearness[entry.text] = max(nearness.get(entry.text, -1.0), similarity)
    best = sorted(nearness, key=lambda text: -nearness[text])[:count]
    sentences = {case.text: case for case in library.sentences}
    return tuple(sentences[text] for text in best)
