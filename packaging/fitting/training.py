"""Fits the shipped models to the cases of several schemas and authors.

Their features name no row and no hospital, so that they carry over. How well they do is measured on authors, or on
whole schemas, that were left out: cases of one author are never split.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.adaptation.training import (
    AnnotatedCase,
    Gathered,
    PooledCases,
    annotated,
    binding_of,
    fit_models,
    read_all,
    vectors_file,
    weigh_pooled,
)
from app.inference.client import Inference
from app.system import paths
from app.system.settings import Settings
from extraction.annotation.case_files import Cases
from extraction.confidence.learned_models import Learned
from extraction.estimators.network_weights import NetworkWeights, load_weights
from extraction.flowsheet.schema import Schema
from extraction.learning.rule_precision import ReadText
from extraction.retrieval.adapter import ADAPTER_FILE, Adapter, load_adapter
from fitting import tasks
from fitting.statement_files import StatedSentence
from models.base.progress import Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from extraction.learning.fit import CaseReadings
    from fitting.adapter import Lesson

# Groups of authors of whom each has an adapter that was not fitted to them.
_ADAPTER_FOLDS = 4
# The same for matchers, which take ten minutes each.
_MATCHER_FOLDS = 2


@dataclass(frozen=True)
class CaseSet:
    """Annotated cases of one schema.

    Attributes:
        author: who wrote them; empty for many authors, of whom each wrote one.
    """

    cases: Cases
    schema: Schema
    author: str = ""


@dataclass(frozen=True)
class MatchedCases(PooledCases):
    """The cases of one schema with their candidates, and the weights that these were matched with."""

    matcher: NetworkWeights


@dataclass(frozen=True)
class Corpus:
    """All cases with their candidates, found by adapters and matchers that were not fitted to them.

    Attributes:
        pools: by schema and author; `folds` are those of the cases, shape (cases,).
        adapter, matcher: those that were fitted to everything.
        sha256: of the case files.
    """

    pools: Sequence[MatchedCases]
    folds: NDArray[np.int64]
    adapter: Adapter
    matcher: NetworkWeights
    sha256: str


@dataclass(frozen=True)
class Shipped:
    """What is shipped: the adapter and the matcher of the embedder, and the models of the filler fitted with them."""

    adapter: Adapter
    matcher: NetworkWeights
    learned: Learned


def learn_for_any_schema(
    corpus: Corpus,
    inference: Inference,
    settings: Settings,
    work: Path,
    *,
    most_of_each: int | None = None,
    monitor: ProgressMonitor,
) -> Shipped:
    """Fits models for unknown schemas; their figures are of authors or schemas left out, as the corpus was pooled.

    Of each set, `most_of_each` cases are read for the acceptance (None for all), which takes some ten seconds a case.
    Raises Cancelled or WorkerDied, see `models.process.worker`.
    """
    found = _read(corpus, inference, settings, work, most_of_each, monitor)
    learned = fit_models(found, corpus.sha256, binding_of(inference, settings), for_any_schema=True, monitor=monitor)
    return Shipped(corpus.adapter, corpus.matcher, learned)


def _read(
    corpus: Corpus,
    inference: Inference,
    settings: Settings,
    work: Path,
    most_of_each: int | None,
    monitor: ProgressMonitor,
) -> Gathered:
    """Fits the prior to the candidates of all cases, and reads cases with the priors of models that left them out."""
    prior, candidates = weigh_pooled(corpus.pools, corpus.folds, monitor)
    read: list[tuple[CaseReadings, ReadText]] = []
    cases: list[AnnotatedCase] = []
    is_read: list[bool] = []
    for one, weighed in zip(corpus.pools, candidates, strict=True):
        some = one.cases[:most_of_each]
        read += read_all(
            some, weighed[:most_of_each], one.schema, prior, inference, settings, work, "learn", monitor, one.matcher
        )
        cases += some
        is_read += [number < len(some) for number in range(len(one.cases))]
    gold, rows = sum(len(one.gold) for one in cases), sum(len(one.rows) for one in cases)
    readings, texts = [readings for readings, _ in read], [text for _, text in read]
    return Gathered(None, prior, readings, texts, corpus.folds[is_read], gold, rows)


def pool_corpus(
    sets: Sequence[CaseSet],
    sentences: Sequence[StatedSentence],
    inference: Inference,
    settings: Settings,
    work: Path,
    *,
    by_schema: bool,
    monitor: ProgressMonitor,
) -> Corpus:
    """Finds the candidates of all cases; what was fitted for that is kept in `work`.

    No candidate comes from an adapter or matcher that saw its author, or with `by_schema` its schema. The adapter
    and the matcher are also fitted to the concepts' words, and the matcher to `sentences` that state them.
    """
    parts = [part for one in sets for part in _parts(one)]
    folds = _folds(parts, by_schema=by_schema)
    prepared = [[annotated(case, one.schema) for case in one.cases.cases] for one in parts]
    adapters, adapter = _fit_adapters(parts, prepared, folds, inference, settings, work, monitor)
    vectors = vectors_file(work, binding_of(inference, settings))
    pools: list[PooledCases] = []
    for one, cases, fold in zip(parts, prepared, folds, strict=True):
        name = f"{one.schema.name}, {one.author}"
        monitor.report(Progress("learn", len(pools) / len(parts), f"looking for the rows of {name}"))
        adapted = adapters[fold % len(adapters)]
        candidates = inference.call(
            "embedder",
            tasks.pool_cases,
            monitor,
            schema=one.schema,
            segmented=[case.segments for case in cases],
            adapter=adapted,
            top_k=settings.top_k,
            index_folder=paths.cache_dir() / "indexes",
            vectors=vectors,
        )
        pools.append(PooledCases(one.schema, cases, candidates))
    matchers, matcher = _fit_matchers(pools, folds, sentences, inference, work, monitor)
    matched = [
        _matched(one, matchers[fold % len(matchers)], inference, monitor)
        for one, fold in zip(pools, folds, strict=True)
    ]
    digest = hashlib.sha256("".join(one.cases.sha256 for one in sets).encode()).hexdigest()
    return Corpus(matched, _each_case(parts, folds), adapter, matcher, digest)


def _parts(one: CaseSet) -> Iterator[CaseSet]:
    """A set by one author as it is; one by many authors in as many parts as there are folds of adapters."""
    from extraction.learning.fit import folds_of

    if one.author:
        yield one
        return
    folds = folds_of([case.text for case in one.cases.cases]) % _ADAPTER_FOLDS
    for number in range(_ADAPTER_FOLDS):
        cases = tuple(case for case, fold in zip(one.cases.cases, folds, strict=True) if fold == number)
        if cases:
            yield replace(one, cases=replace(one.cases, cases=cases), author=f"part {number + 1}")


def _folds(parts: Sequence[CaseSet], *, by_schema: bool) -> list[int]:
    """The fold of each part: one for each author, of whatever schemas, or for each schema."""
    groups = [one.schema.sha256 if by_schema else one.author for one in parts]
    number = {group: place for place, group in enumerate(dict.fromkeys(groups))}
    return [number[group] for group in groups]


def _each_case(parts: Sequence[CaseSet], folds: Sequence[int]) -> NDArray[np.int64]:
    """The fold of each case, shape (cases,)."""
    import numpy as np

    return np.repeat(np.array(folds, dtype=np.int64), [len(one.cases.cases) for one in parts])


def _fit_adapters(
    parts: Sequence[CaseSet],
    prepared: Sequence[Sequence[AnnotatedCase]],
    folds: Sequence[int],
    inference: Inference,
    settings: Settings,
    work: Path,
    monitor: ProgressMonitor,
) -> tuple[list[Adapter], Adapter]:
    """Adapters, and the one that was fitted to everything; they are kept in `work`.

    The adapter number `fold % len(adapters)` was not fitted to the parts of that fold.
    """
    from fitting.adapter import fit_adapter, lesson_of, lesson_of_concepts

    monitor.report(Progress("learn", None, "collecting what was said of each row"))
    lessons = [
        lesson_of(one.schema, [(case.case, case.segments) for case in cases])
        for one, cases in zip(parts, prepared, strict=True)
    ]
    concepts = lesson_of_concepts()
    texts = list(dict.fromkeys(text for lesson in (*lessons, concepts) for text in lesson.texts))
    vectors = inference.call(
        "embedder", tasks.embed_texts, monitor, texts=texts, vectors=vectors_file(work, binding_of(inference, settings))
    )
    fitted_to = _fitted_to(folds, _ADAPTER_FOLDS)
    adapters = []
    for number, chosen in enumerate(fitted_to):
        stop_if(monitor.cancelled)
        monitor.report(Progress("learn", number / len(fitted_to), f"fitting adapter {number + 1} of {len(fitted_to)}"))
        kept = [lessons[place] for place in chosen]
        folder = work / f"adapter-{_digest(text for lesson in (*kept, concepts) for text in _written(lesson))}"
        if not (folder / ADAPTER_FILE).exists():
            fitted = fit_adapter([*kept, concepts], vectors)
            folder.mkdir(exist_ok=True)
            fitted.save(folder)
        adapters.append(load_adapter(folder))
    return adapters[:-1], adapters[-1]


def _fit_matchers(
    pools: Sequence[PooledCases],
    folds: Sequence[int],
    sentences: Sequence[StatedSentence],
    inference: Inference,
    work: Path,
    monitor: ProgressMonitor,
) -> tuple[list[NetworkWeights], NetworkWeights]:
    """Matchers, and the one that was fitted to everything; they are kept in `work`.

    The matcher number `fold % len(matchers)` was not fitted to the parts of that fold.
    """
    from fitting.matcher import examples_of, examples_of_concepts, examples_of_sentences

    monitor.report(Progress("learn", None, "collecting which words state a row"))
    parts = [
        examples_of(
            one.schema, [(case.case, case.segments, of) for case, of in zip(one.cases, one.candidates, strict=True)]
        )
        for one in pools
    ]
    parts.append([*examples_of_concepts(), *examples_of_sentences(sentences)])
    kept = [[*chosen, len(pools)] for chosen in _fitted_to(folds, _MATCHER_FOLDS)]
    digest = _digest([str(kept), *map(repr, parts)])
    files = [work / f"matcher-{digest}-{number}.npz" for number in range(len(kept))]
    if not all(file.exists() for file in files):
        chosen = list(zip(files, kept, strict=True))
        inference.call("embedder", tasks.fit_matchers, monitor, parts=parts, chosen=chosen)
    matchers = [load_weights(file) for file in files]
    return matchers[:-1], matchers[-1]


def _fitted_to(folds: Sequence[int], most: int) -> list[list[int]]:
    """The parts that each of several models is fitted to: number n to those of other folds modulo the number of models.

    At most so many leave some out; one more, the last, is fitted to all parts.
    """
    groups = min(most, len(set(folds)))
    return [[part for part, fold in enumerate(folds) if fold % groups != number] for number in range(groups + 1)]


def _written(lesson: Lesson) -> Iterator[str]:
    yield repr(lesson.rows)
    yield from (repr((one.texts, one.row, sorted(map(str, one.stated)))) for one in lesson.said)


def _digest(texts: Iterable[str]) -> str:
    """Identifies what a kept file was fitted to."""
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode())
    return found.hexdigest()[:16]


def _matched(one: PooledCases, weights: NetworkWeights, inference: Inference, monitor: ProgressMonitor) -> MatchedCases:
    found = inference.call(
        "embedder",
        tasks.match_cases,
        monitor,
        schema=one.schema,
        segmented=[case.segments for case in one.cases],
        pooled=one.candidates,
        weights=weights,
    )
    return MatchedCases(one.schema, one.cases, found, weights)
