"""Values read from annotated cases that nothing was fitted to, and how sure the acceptance is of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from app.adaptation.training import Gathered, annotated, binding_of, pool, read_all, vectors_file
from app.inference.client import Inference
from app.system.settings import Settings
from extraction.annotation.case_files import Cases
from extraction.annotation.scoring import Item
from extraction.confidence import acceptance_features
from extraction.estimators.calibration import Sample
from extraction.filling.proposals import proposed_alone
from extraction.filling.task import Reading, Task, on_instance_rows
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Value
from extraction.learning.fit import (
    LOG_PROBABILITY,
    PROBE_COLUMNS,
    CaseReadings,
    Fitted,
    best_and_proposed,
    own_items,
    renumbered,
)
from extraction.learning.rule_precision import ReadText
from extraction.retrieval import reduction
from models.base.errors import InputError
from models.base.progress import Progress, ProgressMonitor

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class StatedReading:
    """What a reading of an annotated case states, for a person to look at.

    Attributes:
        value: as it would be proposed.
        sentence: the sentence after which the row was asked, followed by the one that says the value if different.
        gold: the gold's values for the row, as `scoring.comparable` writes them.
        corrected: number of gold items it matches after a reviewer corrects it; an option of a multi-select that is not
            in the gold is removed and matches none.
    """

    row_id: str
    value: Value
    sentence: str
    gold: tuple[str, ...]
    corrected: int


@dataclass(frozen=True)
class ReadCase:
    """The readings of an annotated case, with what each of them states."""

    readings: CaseReadings
    stated: tuple[StatedReading, ...]


@dataclass(frozen=True)
class Unseen:
    """The readings of cases that were not learned from, in their order, and the number of their gold items."""

    cases: list[ReadCase]
    gold: int


def read_unseen(
    cases: Cases,
    schema: Schema,
    found: Gathered,
    inference: Inference,
    settings: Settings,
    work: Path,
    *,
    monitor: ProgressMonitor,
) -> Unseen:
    """Reads cases that are not in `found` as an extraction that learned from `found` would; answers are cached, too.

    Raises Cancelled or WorkerDied, see `models.process.worker`.
    """
    prepared = [annotated(case, schema) for case in cases.cases]
    monitor.report(Progress("eval", None, "looking for the rows of each sentence"))
    vectors = vectors_file(work, binding_of(inference, settings))
    pooled = pool(prepared, schema, inference, settings, found.book, vectors, monitor)
    candidates = [
        reduction.weigh(schema, one.segments, candidates, found.prior)
        for one, candidates in zip(prepared, pooled, strict=True)
    ]
    read = read_all(prepared, candidates, schema, found.prior, inference, settings, work, "eval", monitor)
    return Unseen([ReadCase(one, _all_stated(text)) for one, text in read], sum(len(one.gold) for one in prepared))


def _all_stated(text: ReadText) -> tuple[StatedReading, ...]:
    task = text.prepared.task
    return tuple(_stated(task, reading, text.gold) for reading in on_instance_rows(task.plan, text.readings))


def _stated(task: Task, reading: Reading, gold: frozenset[Item]) -> StatedReading:
    own = {text for row_id, text in gold if row_id == reading.row.id}
    proposed = [value.value for value in proposed_alone(task, reading) if value.row_id == reading.row.id]
    if isinstance(reading.value, tuple):
        corrected = len(own_items(task, reading) & gold)
    else:
        has_unit = any(task.schema.row(row_id).unit_of == reading.row.id for row_id, _ in gold)
        corrected = bool(own) + has_unit
    value = proposed[0] if proposed else reading.value
    return StatedReading(reading.row.id, value, _sentence(task, reading), tuple(sorted(own)), corrected)


def _sentence(task: Task, reading: Reading) -> str:
    start = reading.span[0] if reading.span else reading.segment.start
    said = next((one for one in task.segments if one.start <= start < one.end), reading.segment)
    return " ".join(dict.fromkeys((reading.segment.text, said.text)))


@dataclass(frozen=True)
class WeighedValues:
    """The values read from cases that were not used for fitting, which would be proposed if confident enough.

    Attributes:
        sample: the values; their cases are numbered in the given order.
        confidence, log_probability: by the acceptance, and from the tokens alone, shape (values,).
        found: number of gold items each value matches, unit rows included, shape (values,).
        corrected: the same after a reviewer's correction, shape (values,).
        reading: index of each value among all readings of the cases, shape (values,).
        gold: number of items in the cases, including those without readings.
    """

    sample: Sample
    confidence: NDArray[np.float64]
    log_probability: NDArray[np.float64]
    found: NDArray[np.int64]
    corrected: NDArray[np.int64]
    reading: NDArray[np.int64]
    gold: int


def weighed(fitted: Fitted, cases: Sequence[ReadCase], gold: int) -> WeighedValues:
    """Weighs cases that the models must not have been fitted to.

    Raises InputError if there are no readings.
    """
    read = [case.readings for case in cases]
    sizes = [len(case.row) for case in read]
    if not sum(sizes):
        raise InputError(
            "Nothing was read of any of the cases.",
            "Check that the cases were annotated with this schema, and in its language.",
        )
    each = [_weigh(fitted, case) for case in read]
    scores, errors = (np.concatenate(parts) for parts in zip(*each, strict=True))
    chosen, first = best_and_proposed(read, scores)
    numbers = np.repeat(np.arange(len(read)), sizes)
    right = np.concatenate([case.right for case in read])
    proposed = first & (scores >= fitted.acceptance.keep_from)
    return WeighedValues(
        Sample(errors[chosen], ~right[chosen], proposed[chosen], numbers[chosen]),
        scores[chosen],
        np.concatenate([case.features[:, LOG_PROBABILITY] for case in read])[chosen],
        np.concatenate([case.found for case in read])[chosen],
        np.array([one.corrected for case in cases for one in case.stated], dtype=np.int64)[chosen],
        np.flatnonzero(chosen),
        gold,
    )


def confidences(fitted: Fitted, cases: Sequence[CaseReadings]) -> NDArray[np.float64]:
    """The acceptance's confidence of every reading of all cases, shape (readings,)."""
    return np.concatenate([_weigh(fitted, case)[0] for case in cases])


def without_states(case: CaseReadings) -> CaseReadings:
    """The same readings as if hidden states had not been kept."""
    return replace(case, states=np.zeros((len(case.filled), 0), np.float16), layers=np.zeros(0, np.int64))


def states_and_labels(
    cases: Sequence[CaseReadings], reading: NDArray[np.int64]
) -> tuple[NDArray[np.float16], NDArray[np.bool_], NDArray[np.bool_]]:
    """States and labels of the given readings among all readings of the cases.

    The states of the row's question, shape (readings, layers, embedding), whether the gold fills the row, and whether
    its likeliest value is right, shape (readings,).
    """
    read = [case for case in cases if len(case.row)]
    row = renumbered([case.row for case in read], [len(case.filled) for case in read])[reading]
    states, filled, best_right = (
        np.concatenate(parts)
        for parts in zip(*((case.states, case.filled, case.best_right) for case in read), strict=True)
    )
    return states[row], filled[row], best_right[row]


def _weigh(fitted: Fitted, case: CaseReadings) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The confidence of each reading, shape (readings,), and its errors by layer, shape (readings, layers)."""
    if not len(case.row):
        return np.zeros(0), np.zeros((0, len(fitted.layers.coefficients)))
    states = case.states.astype(np.float32)
    by_layer = {name: fitted.probes[name].scores(states)[case.row] for name in acceptance_features.PROBES}
    x = case.features.copy()
    for name, column in zip(acceptance_features.PROBES, PROBE_COLUMNS, strict=True):
        x[:, column] = acceptance_features.over_layers(by_layer[name])
    scores = fitted.acceptance.probabilities(x)
    return scores, fitted.layers.errors(scores, by_layer["row"], by_layer["value"])
