"""Tasks of ablation conditions in the inference process; the product's own are in `app.inference.tasks`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.inference.tasks import Meter
from app.inference.usage import Outcome
from extraction.annotation.case_files import Case
from extraction.evaluation.baselines import EXAMPLE, NEED_EXAMPLES, RANKINGS, Library, Reduction, reduced
from extraction.evaluation.few_shot import barred_for
from extraction.filling.json_object import JsonFiller
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Task
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.language.sentences import Segment
from extraction.retrieval.candidates import ReducedSchema
from models.progress import Watch, stop_if
from models.runtimes.loaded import Runtimes

_EVERY_ONE = 0.0  # confidence threshold: every answer is proposed


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows to ask about, and the examples to show with them."""

    reduced: ReducedSchema
    shots: tuple[Case, ...] = ()


def reduce_by(
    runtimes: Runtimes,
    *,
    schema: Schema,
    text: str,
    segments: tuple[Segment, ...],
    reduction: Reduction,
    own: tuple[Case, ...],
    examples: tuple[Case, ...],
    shots: int,
    shown: str,
    index_folder: Path,
    watch: Watch,
) -> Outcome[Chosen]:
    """Chooses rows and examples; see `app.evaluation.ablation.conditions.Condition` for the arguments.

    `own` are the cases of this transcript, which are never used as examples.
    """
    meter = Meter(runtimes)
    with meter.loading():
        library = _library(runtimes, schema, examples, own, index_folder, watch)
    find = _nearest_sentences if shown == "sentences" else _most_alike
    chosen = Chosen(reduced(library, reduction, text, segments, own), find(library, text, segments, shots))
    return meter.outcome(chosen)


def fit_context(
    runtimes: Runtimes,
    *,
    schema: Schema,
    text: str,
    chosen: Chosen,
    audit: bool,
    watch: Watch,
) -> Outcome[Chosen]:
    """Cuts the choice down to what fits into the filler's prompt."""
    meter = Meter(runtimes)
    with meter.loading():
        filler = JsonFiller(runtimes.llm, chosen.shots, audit=audit)
    candidates = chosen.reduced.candidates
    rows, shots = filler.fitting(text, [schema.row(candidate.row_id) for candidate in candidates])
    return meter.outcome(Chosen(ReducedSchema(candidates[:rows]), chosen.shots[:shots]))


def fill_json(
    runtimes: Runtimes,
    *,
    task: Task,
    shots: tuple[Case, ...],
    audit: bool,
    watch: Watch,
) -> Outcome[Proposals]:
    """Fills with the JSON strategy; every answer is proposed."""
    meter = Meter(runtimes)
    with meter.loading():
        filler = JsonFiller(runtimes.llm, shots, audit=audit)
    readings = filler.read(task, watch)
    weighed = [WeighedReading(reading, reading.mentioned) for reading in readings]
    proposals = propose(task, weighed, _EVERY_ONE, filler.name)
    return meter.outcome(proposals)


def rank_rows(
    runtimes: Runtimes,
    *,
    schema: Schema,
    segmented: tuple[tuple[Segment, ...], ...],
    own: tuple[Case, ...],
    examples: tuple[Case, ...],
    index_folder: Path,
    watch: Watch,
) -> dict[str, list[list[list[str]]]]:
    """Row ids, best first, for each ranking of RANKINGS, each segmentation of a transcript and each segment."""
    library = _library(runtimes, schema, examples, own, index_folder, watch)
    ranked: dict[str, list[list[list[str]]]] = {}
    for name, rank in RANKINGS.items():
        stop_if(watch.cancelled)
        if examples or name not in NEED_EXAMPLES:
            ranked[name] = [rank(library, segments) for segments in segmented]
    return ranked


def _library(
    runtimes: Runtimes,
    schema: Schema,
    examples: tuple[Case, ...],
    own: tuple[Case, ...],
    folder: Path,
    watch: Watch,
) -> Library:
    barred = barred_for(own, examples)
    return Library(
        schema, runtimes.embedder, runtimes.config.embedder_id, folder, examples, barred, watch.report, watch.cancelled
    )


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
