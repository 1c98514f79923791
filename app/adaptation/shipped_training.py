"""Fits the shipped models to the cases of several schemas and authors.

Their features name no row and no hospital, so that they carry over. How well they do is measured on authors, or on
whole schemas, that were left out: cases of one author are never split.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.adaptation.training import (
    AnnotatedCase,
    Gathered,
    annotated,
    binding_of,
    fit_models,
    pool,
    read_all,
    vectors_file,
)
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.annotation.case_files import Cases
from extraction.confidence.learned_models import Learned
from extraction.flowsheet.schema import Schema
from extraction.retrieval import prior_features
from extraction.retrieval.candidates import Candidate
from models.progress import Progress, Watch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class CaseSet:
    """Annotated cases of one schema.

    Attributes:
        author: who wrote them; empty for many authors, of whom each wrote one.
    """

    cases: Cases
    schema: Schema
    author: str = ""


def learn_for_any_schema(
    sets: Sequence[CaseSet], inference: Inference, settings: Settings, work: Path, *, by_schema: bool, watch: Watch
) -> Learned:
    """Fits models for unknown schemas; their figures are of authors, or with `by_schema` of schemas, left out.

    Raises Cancelled or WorkerDied, see `models.process.worker`.
    """
    from extraction.learning.fit import fit_prior

    prepared = [[annotated(case, one.schema) for case in one.cases.cases] for one in sets]
    folds = _folds(sets, by_schema=by_schema)
    candidates = [
        _candidates(one, cases, inference, settings, work, watch) for one, cases in zip(sets, prepared, strict=True)
    ]
    watch.report(Progress("learn", None, "fitting which rows are worth a question"))
    prior, priors = fit_prior(
        [
            [(prior_features.prior_features(one.schema.row(it.row_id), it), it.row_id in case.rows) for it in pooled]
            for one, cases, found in zip(sets, prepared, candidates, strict=True)
            for case, pooled in zip(cases, found, strict=True)
        ],
        folds,
    )
    weights = iter(priors)
    readings, texts = [], []
    for one, cases, found in zip(sets, prepared, candidates, strict=True):
        weighed = [
            [replace(it, prior=float(by)) for it, by in zip(pooled, next(weights), strict=True)] for pooled in found
        ]
        for case, text in read_all(cases, weighed, one.schema, prior, inference, settings, work, "learn", watch):
            readings.append(case.readings)
            texts.append(text)
    every = [case for cases in prepared for case in cases]
    gold, rows = sum(len(one.gold) for one in every), sum(len(one.rows) for one in every)
    gathered = Gathered(None, prior, readings, texts, folds, gold, rows)
    digest = hashlib.sha256("".join(one.cases.sha256 for one in sets).encode()).hexdigest()
    return fit_models(gathered, digest, binding_of(inference, settings), for_any_schema=True, watch=watch)


def _candidates(
    one: CaseSet, cases: Sequence[AnnotatedCase], inference: Inference, settings: Settings, work: Path, watch: Watch
) -> list[list[Candidate]]:
    watch.report(Progress("learn", None, f"looking for the rows of {one.schema.name}, {one.author or 'many authors'}"))
    vectors = vectors_file(work, binding_of(inference, settings))
    return pool(cases, one.schema, inference, settings, None, vectors, watch)


def _folds(sets: Sequence[CaseSet], *, by_schema: bool) -> NDArray[np.int64]:
    """The fold of each case, shape (cases,): one for each author or schema; cases of many authors are spread evenly."""
    import numpy as np

    from extraction.learning.fit import folds_of

    groups = list(dict.fromkeys(_group(one, by_schema=by_schema) for one in sets if by_schema or one.author))
    parts = []
    for one in sets:
        if by_schema or one.author:
            parts.append(np.full(len(one.cases.cases), groups.index(_group(one, by_schema=by_schema)), dtype=np.int64))
        else:
            parts.append(folds_of([case.text for case in one.cases.cases]))
    return np.concatenate(parts)


def _group(one: CaseSet, *, by_schema: bool) -> str:
    return one.schema.sha256 if by_schema else one.author
