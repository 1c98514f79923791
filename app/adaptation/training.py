"""Learns from a hospital's annotated cases: `wardlight learn`.

Exemplars -> pooled candidates -> prior of each row -> readings -> probes and acceptance, each step out of fold. The
filler's answers take by far the longest; they are cached in the folder `work`, so that a stopped run can resume, and a
run that fits other features or models does not ask again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.inference import tasks
from app.inference.client import Inference
from app.inference.retry import retry_once
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import Case, Cases
from extraction.annotation.scoring import Item, all_items
from extraction.confidence.binding import Binding
from extraction.confidence.learned_models import Learned
from extraction.estimators.network_weights import NetworkWeights
from extraction.extractor import Prepared, Reduce, prepare
from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment
from extraction.learning.rule_precision import ReadText, as_deployed
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval import prior_features, reduction
from extraction.retrieval.candidates import Candidate, ReducedSchema
from extraction.retrieval.exemplars import ExemplarBook
from models.base.atomic_files import disk
from models.base.errors import InputError
from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extraction.estimators.boosted_trees import TreeModel
    from extraction.learning.fit import CaseReadings

_PACKAGES = ("wardlight", "lightgbm", "scikit-learn", "numpy", "llama-cpp-python", "sentence-transformers")
# With fewer cases, the shipped models are better.
LEAST_CASES = 20


@dataclass(frozen=True)
class AnnotatedCase:
    """An annotated case prepared for learning: its segments, and the items and rows of its gold."""

    case: Case
    segments: tuple[Segment, ...]
    gold: frozenset[Item]
    rows: frozenset[str]


@dataclass(frozen=True)
class PooledCases:
    """The cases of one schema with the candidates of each, before these have a prior."""

    schema: Schema
    cases: Sequence[AnnotatedCase]
    candidates: Sequence[Sequence[Candidate]]


@dataclass(frozen=True)
class Gathered:
    """The exemplars, prior and readings of annotated cases, ready for fitting.

    Attributes:
        book: None for models of any schema.
        readings: of each case, in the order of the cases; `folds` are their folds, shape (cases,).
        texts: the same readings, for charting as on the ward.
        gold: number of items of all cases.
        rows: number of rows that they fill.
    """

    book: ExemplarBook | None
    prior: TreeModel
    readings: list[CaseReadings]
    texts: list[ReadText]
    folds: NDArray[np.int64]
    gold: int
    rows: int


def learn(
    cases: Cases,
    schema: Schema,
    inference: Inference,
    settings: Settings,
    work: Path,
    *,
    monitor: ProgressMonitor,
) -> Learned:
    """Fits the learned models to annotated cases; writes only to the folder `work`.

    Raises:
        InputError: fewer than LEAST_CASES cases or values; Cancelled, WorkerDied: see `models.process.worker`.
    """
    found = gather(cases, schema, inference, settings, work, monitor=monitor)
    return fit_models(found, cases.sha256, binding_of(inference, settings), for_any_schema=False, monitor=monitor)


def check_enough(cases: int, values: int) -> None:
    """Raises InputError if so many annotated cases and values are too few to learn from."""
    if min(cases, values) < LEAST_CASES:
        raise InputError(
            f"{cases} cases with {values} values are too few to learn from.",
            f"Annotate at least {LEAST_CASES} dictations; until then the shipped models are better.",
        )


def fit_models(
    found: Gathered, cases_sha256: str, binding: Binding, *, for_any_schema: bool, monitor: ProgressMonitor
) -> Learned:
    """Fits everything that weighs readings, and measures the rules; raises InputError if nothing was read."""
    from extraction.estimators.calibration import Calibration
    from extraction.learning.fit import fit_acceptance

    monitor.report(Progress("learn", None, "fitting which values are likely right"))
    fitted = fit_acceptance(found.readings, found.folds, found.gold, for_any_schema=for_any_schema)
    monitor.report(Progress("learn", None, "charting each case as the ward would"))
    weighed = sorted(fitted.weights.items())
    texts = [found.texts[number] for number, _ in weighed]
    rules, sample = as_deployed(texts, [weights for _, weights in weighed], fitted.acceptance.keep_from)
    calibration = None
    with suppress(InputError):  # too few wrong values, or none: nothing is promised then
        calibration = Calibration.fit(sample)
    asked = sum(len(one.filled) for one in found.readings)
    right = sum(int(one.filled.sum()) for one in found.readings)
    about = {
        "cases": len(found.readings),
        "values": found.gold,
        "cases_sha256": cases_sha256,
        "held_out": fitted.figures
        | {
            "rows_asked_a_case": round(asked / len(found.readings), 1),
            "recall_of_rows": round(right / found.rows, 4),
        },
        "packages": {name: version(name) for name in _PACKAGES},
    }
    return Learned(
        found.book, found.prior, fitted.acceptance, fitted.probes, fitted.layers, calibration, binding, rules, about
    )


def gather(
    cases: Cases,
    schema: Schema,
    inference: Inference,
    settings: Settings,
    work: Path,
    *,
    monitor: ProgressMonitor,
) -> Gathered:
    """Finds the candidates of annotated cases, fits the prior and reads the cases; see `learn`."""
    from extraction.learning.fit import folds_of

    schema = as_spoken(schema)
    prepared = [annotated(case, schema) for case in cases.cases]
    gold = sum(len(one.gold) for one in prepared)
    check_enough(len(prepared), gold)
    folds = folds_of([one.case.text for one in prepared])
    vectors = vectors_file(work, binding_of(inference, settings))
    book = inference.call("embedder", tasks.make_book, monitor, schema=schema, cases=cases.cases, vectors=vectors)
    candidates = _pooled(prepared, folds, schema, inference, settings, book, vectors, monitor)
    prior, (weighed,) = weigh_pooled([PooledCases(schema, prepared, candidates)], folds, monitor)
    read = read_all(prepared, weighed, schema, prior, inference, settings, work, "learn", monitor)
    rows = sum(len(one.rows) for one in prepared)
    return Gathered(book, prior, [case for case, _ in read], [text for _, text in read], folds, gold, rows)


def weigh_pooled(
    pools: Sequence[PooledCases], folds: NDArray[np.int64], monitor: ProgressMonitor
) -> tuple[TreeModel, list[list[list[Candidate]]]]:
    """The prior fitted to the candidates of all cases, and these candidates weighed by priors that left each out."""
    from extraction.learning.fit import fit_prior

    monitor.report(Progress("learn", None, "fitting which rows are worth a question"))
    prior, priors = fit_prior(
        [
            [
                (features, it.row_id in case.rows)
                for it, features in zip(
                    candidates, prior_features.prior_features(one.schema, case.segments, candidates), strict=True
                )
            ]
            for one in pools
            for case, candidates in zip(one.cases, one.candidates, strict=True)
        ],
        folds,
    )
    each = iter(priors)
    weighed = [
        [
            [replace(it, prior=float(weight)) for it, weight in zip(candidates, next(each), strict=True)]
            for candidates in one.candidates
        ]
        for one in pools
    ]
    return prior, weighed


def binding_of(inference: Inference, settings: Settings) -> Binding:
    """The models, questions and versions for which models learned here are valid."""
    return Binding.of(inference.models["filler"], inference.models["embedder"], settings.top_k)


def answers_file(work: Path, case: Case, binding: Binding) -> Path:
    """The file in `work` with the cached answers of the filler about a case, read as this binding reads."""
    facts = [case.text, binding.reading]
    return work / f"{hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]}.npz"


def annotated(case: Case, schema: Schema) -> AnnotatedCase:
    """A case with its sentences and gold; what a graded case accepts counts as right."""
    charted = (*case.observations, *(case.acceptable or ()))
    gold = all_items((it.row_id, it.value) for it in charted)
    rows = frozenset(schema.row(row_id).unit_of or row_id for row_id, _ in gold)
    segments = as_on_ward(case, schema, lambda _: ReducedSchema(())).task.segments
    return AnnotatedCase(case, segments, gold, rows)


def as_on_ward(case: Case, schema: Schema, reduced: Reduce) -> Prepared:
    """The text of a case as prepared on the ward, with the rows to ask from `reduced`."""
    return prepare(case.text, schema, reduce=reduced, context=EncounterContext(case.dictated_at))


def asked_on_ward(case: Case, schema: Schema, weighed: Sequence[Candidate], prior: TreeModel) -> Prepared:
    """The text of a case as prepared on the ward, with the weighed candidates that are worth asking."""
    return as_on_ward(case, schema, lambda segments: reduction.worth_asking(schema, segments, weighed, prior.keep_from))


def vectors_file(work: Path, binding: Binding) -> Path:
    """The file in `work` with the cached embeddings of the current embedder."""
    return work / f"vectors-{binding.embedder_sha256[:16]}.kept"


def _pooled(
    prepared: Sequence[AnnotatedCase],
    folds: NDArray[np.int64],
    schema: Schema,
    inference: Inference,
    settings: Settings,
    book: ExemplarBook,
    vectors: Path,
    monitor: ProgressMonitor,
) -> list[list[Candidate]]:
    """The candidates of each case, using only exemplars of other folds."""
    found: dict[int, list[Candidate]] = {}
    numbers = sorted(set(folds.tolist()))
    for done, number in enumerate(numbers):
        stop_if(monitor.cancelled)
        monitor.report(Progress("learn", done / len(numbers), "looking for the rows of each sentence"))
        places = [place for place, fold in enumerate(folds) if fold == number]
        cases = [prepared[place] for place in places]
        others = book.without({one.case.id for one in cases})
        pooled = pool(cases, schema, inference, settings, others, vectors, monitor)
        found |= dict(zip(places, pooled, strict=True))
    return [found[place] for place in range(len(prepared))]


def pool(
    cases: Sequence[AnnotatedCase],
    schema: Schema,
    inference: Inference,
    settings: Settings,
    book: ExemplarBook | None,
    vectors: Path,
    monitor: ProgressMonitor,
) -> list[list[Candidate]]:
    """The candidates of each case, before they have a prior."""
    return inference.call(
        "embedder",
        tasks.pool_cases,
        monitor,
        schema=schema,
        segmented=[one.segments for one in cases],
        book=book,
        top_k=settings.top_k,
        index_folder=paths.cache_dir() / "indexes",
        vectors=vectors,
    )


def read_all(
    prepared: Sequence[AnnotatedCase],
    weighed: Sequence[Sequence[Candidate]],
    schema: Schema,
    prior: TreeModel,
    inference: Inference,
    settings: Settings,
    work: Path,
    stage: str,
    monitor: ProgressMonitor,
    matcher: NetworkWeights | None = None,
) -> list[tuple[CaseReadings, ReadText]]:
    """Reads each case, given its candidates with their priors, and matches with `matcher` (None for the shipped one).

    Raises Cancelled or WorkerDied, see `models.process.worker`; what was read is kept in `work`.
    """
    read = []
    for number, (case, candidates) in enumerate(zip(prepared, weighed, strict=True)):
        stop_if(monitor.cancelled)
        monitor.report(Progress(stage, number / len(prepared), f"reading case {number + 1} of {len(prepared)}"))
        on_ward = asked_on_ward(case.case, schema, candidates, prior)
        read.append(_read(case, on_ward, inference, settings, work, monitor.cancelled, matcher))
    return read


def _read(
    one: AnnotatedCase,
    prepared: Prepared,
    inference: Inference,
    settings: Settings,
    work: Path,
    cancelled: CancelledCallback,
    matcher: NetworkWeights | None,
) -> tuple[CaseReadings, ReadText]:
    """Reads a case with the answers cached by earlier runs; tries again once if the inference process dies."""
    from extraction.learning.fit import case_readings

    kept = answers_file(work, one.case, binding_of(inference, settings))
    arguments: dict[str, Any] = {
        "monitor": ProgressMonitor(cancelled=cancelled),
        "task": prepared.task,
        "kept": kept,
        "weights": matcher,
    }
    with disk(work):
        work.mkdir(parents=True, exist_ok=True)
        read = retry_once(lambda: inference.call("filler", tasks.read_rows, **arguments))
    bare = tuple(replace(reading, states={}) for reading in read)
    return case_readings(prepared.task, read, one.gold), ReadText(prepared, bare, one.gold)
