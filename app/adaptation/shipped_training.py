"""Fits the shipped models to the cases of several schemas and authors.

Their features name no row and no hospital, so that they carry over. How well they do is measured on authors, or on
whole schemas, that were left out: cases of one author are never split.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.adaptation.training import (
    PooledCases,
    annotated,
    binding_of,
    fit_models,
    pool,
    read_pooled,
    vectors_file,
)
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.annotation.case_files import Cases
from extraction.confidence.learned_models import Learned
from extraction.flowsheet.schema import Schema
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
    pools = [_pooled(one, inference, settings, work, watch) for one in sets]
    found = read_pooled(pools, _folds(sets, by_schema=by_schema), None, inference, settings, work, watch=watch)
    digest = hashlib.sha256("".join(one.cases.sha256 for one in sets).encode()).hexdigest()
    return fit_models(found, digest, binding_of(inference, settings), for_any_schema=True, watch=watch)


def _pooled(one: CaseSet, inference: Inference, settings: Settings, work: Path, watch: Watch) -> PooledCases:
    watch.report(Progress("learn", None, f"looking for the rows of {one.schema.name}, {one.author or 'many authors'}"))
    cases = [annotated(case, one.schema) for case in one.cases.cases]
    vectors = vectors_file(work, binding_of(inference, settings))
    return PooledCases(one.schema, cases, pool(cases, one.schema, inference, settings, None, vectors, watch))


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
