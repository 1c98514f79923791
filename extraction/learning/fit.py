"""Fits the models of `extraction.confidence.learned_models` to the candidates and readings of annotated cases.

Everything is cross-validated: the features of a case come from exemplars and models that never saw it, and so do all
reported figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from extraction.annotation.scoring import Item, items
from extraction.confidence import acceptance_features
from extraction.estimators.boosted_trees import SEED, TreeModel, fit_trees, held_out
from extraction.estimators.calibration import Sample
from extraction.estimators.layer_classifiers import LayerClassifiers, fit_layers, held_out_errors
from extraction.estimators.linear_probes import Probe, fit_probes, held_out_scores
from extraction.filling.proposals import proposed_alone
from extraction.filling.task import Reading, Task, on_instance_rows
from extraction.flowsheet.schema import SAID_TYPES
from extraction.flowsheet.values import FilledValue
from extraction.learning.rule_precision import ReadingScores
from extraction.retrieval import prior_features
from models.base.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 10
# Rows with a lower prior are not worth a question: of 122 cases, held out, F1 is the same without them (0.808 and 0.807
# with exemplars, 0.790 and 0.795 without; standard error 0.01), and they are four of ten questions.
ASK_FROM = 0.15
# For any schema, nothing is proposed that is more likely wrong than right.
_LIKELIER_RIGHT = 0.5
PROBE_COLUMNS = [acceptance_features.FEATURES.index(name) for name in ("row_probe", "value_probe")]
LOG_PROBABILITY = acceptance_features.FEATURES.index("log_probability")


def folds_of(texts: Sequence[str]) -> NDArray[np.int64]:
    """The fold of each case, shape (cases,): seeded, equal texts in one fold, sizes otherwise as equal as possible."""
    different = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    folds = np.random.default_rng(SEED).permutation(len(different)) % FOLDS
    return folds[[different[text] for text in texts]]


def fit_prior(
    pooled: Sequence[Sequence[tuple[tuple[float, ...], bool]]], folds: NDArray[np.int64]
) -> tuple[TreeModel, list[NDArray[np.float64]]]:
    """Fits the model of the reduction; also returns the held-out priors of each case's candidates.

    Args:
        pooled: for each case, its candidates' features and whether the gold fills the row.
    """
    x = np.array([features for case in pooled for features, _ in case], dtype=np.float64)
    y = np.array([filled for case in pooled for _, filled in case])
    if not y.any():
        raise InputError(
            "No row that the cases fill was found in their texts.", "Check that they were annotated with this schema."
        )
    sizes = [len(case) for case in pooled]
    priors = held_out(prior_features.FEATURES, x, y, np.repeat(folds, sizes))
    return fit_trees(prior_features.FEATURES, x, y, ASK_FROM), np.split(priors, np.cumsum(sizes)[:-1])


@dataclass(frozen=True)
class CaseReadings:
    """The readings of an annotated case, as arrays for storage on disk.

    Attributes:
        features: shape (readings, features); the probes' columns are NaN.
        row: index of each reading's row among the case's rows, shape (readings,).
        group: readings with the same number exclude each other, shape (readings,): those of a row, or of an option of a
            multi-select.
        place: the same for numbers, dates and times read from the same words, of which only one row is proposed; -1
            for all other readings, shape (readings,).
        shown, found: number of items it would propose, unit rows included, and how many of them are in the gold.
        right: whether the value of the row itself is right, shape (readings,).
        states: hidden states at the end of each row's question, shape (rows, layers, embedding).
        layers: numbers of those layers.
        filled, best_right: whether the gold fills the row, and whether its likeliest value is right, shape (rows,).
    """

    features: NDArray[np.float64]
    row: NDArray[np.int64]
    group: NDArray[np.int64]
    place: NDArray[np.int64]
    shown: NDArray[np.int64]
    found: NDArray[np.int64]
    right: NDArray[np.bool_]
    states: NDArray[np.float16]
    layers: NDArray[np.int64]
    filled: NDArray[np.bool_]
    best_right: NDArray[np.bool_]


def case_readings(task: Task, readings: Sequence[Reading], gold: frozenset[Item]) -> CaseReadings:
    """The readings of a case with labels from its gold: features by the rows asked, labels by the rows charted."""
    asked, readings = readings, on_instance_rows(task.plan, readings)
    nan = [float("nan")] * len(readings)
    filled_rows = {task.schema.row(row_id).unit_of or row_id for row_id, _ in gold}
    groups: dict[tuple[object, ...], int] = {}
    places: dict[tuple[int, int], int] = {}
    for reading in readings:
        groups.setdefault(_exclusion_key(reading), len(groups))
    rows = {row_id: number for number, row_id in enumerate(dict.fromkeys(reading.row.id for reading in readings))}
    layers = sorted(readings[0].states) if readings else []
    best = {reading.row.id: reading for reading in readings if reading.rank == 0}
    proposed = [proposed_alone(task, reading) for reading in readings]
    each = [frozenset[Item]().union(*(items(value.row_id, value.value) for value in values)) for values in proposed]
    return CaseReadings(
        features=np.array(acceptance_features.acceptance_features(task, asked, nan, nan), dtype=np.float64).reshape(
            -1, len(acceptance_features.FEATURES)
        ),
        row=np.array([rows[reading.row.id] for reading in readings], dtype=np.int64),
        group=np.array([groups[_exclusion_key(reading)] for reading in readings], dtype=np.int64),
        place=np.array([_place_index(values, task, places) for values in proposed], dtype=np.int64),
        shown=np.array([len(found) for found in each], dtype=np.int64),
        found=np.array([len(found & gold) for found in each], dtype=np.int64),
        right=np.array([bool(own_items(task, reading) & gold) for reading in readings], dtype=bool),
        states=np.array([[best[row_id].states[layer] for layer in layers] for row_id in rows], dtype=np.float16),
        layers=np.array(layers, dtype=np.int64),
        filled=np.array([row_id in filled_rows for row_id in rows], dtype=bool),
        best_right=np.array([bool(own_items(task, best[row_id]) & gold) for row_id in rows], dtype=bool),
    )


def _place_index(values: Sequence[FilledValue], task: Task, places: dict[tuple[int, int], int]) -> int:
    """Index in `places` of the words a number, date or time was read from; -1 for other types."""
    if not values or task.schema.row(values[0].row_id).value_type not in SAID_TYPES:
        return -1
    said = values[0].evidence
    return places.setdefault((said.start, said.end), len(places))


def _exclusion_key(reading: Reading) -> tuple[object, ...]:
    """A key shared by readings of which at most one can be proposed."""
    return (reading.row.id, *(reading.value if isinstance(reading.value, tuple) else ()))


def own_items(task: Task, reading: Reading) -> frozenset[Item]:
    """The items a reading would propose for its own row."""
    return frozenset[Item]().union(
        *(items(value.row_id, value.value) for value in proposed_alone(task, reading) if value.row_id == reading.row.id)
    )


@dataclass(frozen=True)
class Fitted:
    """The model that weighs readings, its probes and layer classifiers, and the held-out results.

    Attributes:
        weights: by number, of each case with readings.
        confidence, log_probability: of the sample's values, held out, and from the tokens alone, shape (values,).
        reading: index of each of these values among all readings of the cases, shape (values,).
    """

    acceptance: TreeModel
    probes: dict[str, Probe]
    layers: LayerClassifiers
    sample: Sample
    figures: dict[str, Any]
    confidence: NDArray[np.float64]
    log_probability: NDArray[np.float64]
    reading: NDArray[np.int64]
    weights: Mapping[int, ReadingScores]


def fit_acceptance(
    cases: Sequence[CaseReadings], folds: NDArray[np.int64], gold: int, *, for_any_schema: bool
) -> Fitted:
    """Fits everything that weighs readings.

    Args:
        gold: number of items in the cases.
        for_any_schema: fits models for unknown schemas and fillers. They also learn to work without hidden states, and
            propose what is more likely right than wrong; other models propose from the threshold with the best F1.
    """
    read = [place for place, case in enumerate(cases) if len(case.row)]
    if not read:
        raise InputError(
            "Nothing was read of any case.",
            "Check that the cases were annotated with this schema, and in its language.",
        )
    cases, folds = [cases[place] for place in read], folds[read]
    layers = tuple(int(layer) for layer in cases[0].layers)
    states = np.concatenate([case.states for case in cases])
    if not np.isfinite(states).all():
        raise InputError(
            "Some hidden states of the language model are not numbers.",
            "Verify the model with: wardlight models verify, then learn again.",
        )
    row_folds = np.repeat(folds, [len(case.filled) for case in cases])
    row = renumbered([case.row for case in cases], [len(case.filled) for case in cases])
    targets = {
        "row": np.concatenate([case.filled for case in cases]),
        "value": np.concatenate([case.best_right for case in cases]),
    }
    x = np.concatenate([case.features for case in cases])
    by_layer = {name: scores[row] for name, scores in held_out_scores(states, targets, row_folds, layers).items()}
    for name, column in zip(acceptance_features.PROBES, PROBE_COLUMNS, strict=True):
        x[:, column] = acceptance_features.over_layers(by_layer[name])
    shown, found, right = (
        np.concatenate(parts) for parts in zip(*((case.shown, case.found, case.right) for case in cases), strict=True)
    )
    reading_folds = row_folds[row]
    scores = held_out(acceptance_features.FEATURES, x, right, reading_folds)
    chosen, first = best_and_proposed(cases, scores)
    keep_from, figures = _operating_point(
        scores[first], found[first], shown[first], gold, at=_LIKELIER_RIGHT if for_any_schema else None
    )
    y = right
    if for_any_schema:
        bare = x.copy()
        bare[:, PROBE_COLUMNS] = np.nan
        x, y = np.concatenate([x, bare]), np.concatenate([y, y])
    known = (scores, by_layer["row"], by_layer["value"], right)
    errors = held_out_errors(*known, reading_folds)
    sizes = [len(case.row) for case in cases]
    numbers, ends = np.repeat(np.arange(len(cases)), sizes), np.cumsum(sizes)[:-1]
    return Fitted(
        fit_trees(acceptance_features.FEATURES, x, y, keep_from),
        fit_probes(states, targets, layers),
        fit_layers(*known),
        Sample(errors[chosen], ~right[chosen], (first & (scores >= keep_from))[chosen], numbers[chosen]),
        figures | _separation(scores, x[: len(scores)], right),
        scores[chosen],
        x[: len(scores)][chosen, LOG_PROBABILITY],
        np.flatnonzero(chosen),
        dict(zip(read, map(ReadingScores, np.split(scores, ends), np.split(errors, ends)), strict=True)),
    )


def renumbered(parts: Sequence[NDArray[np.int64]], sizes: Sequence[int]) -> NDArray[np.int64]:
    """Concatenates numberings that each start at 0 into one continuous numbering."""
    offsets = np.cumsum([0, *sizes[:-1]])
    return np.concatenate([part + offset for part, offset in zip(parts, offsets, strict=True)])


def best_and_proposed(
    cases: Sequence[CaseReadings], scores: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The best reading of each group, and those of them that would be proposed if confident enough.

    The latter exclude numbers whose words another row reads with more confidence.
    """
    group = renumbered([case.group for case in cases], [len(case.group) for case in cases])
    place = renumbered([case.place for case in cases], [len(case.place) for case in cases])
    anywhere = np.concatenate([case.place for case in cases]) < 0
    chosen = _best_of_each(scores, group)
    place[anywhere] = place.max(initial=0) + 1 + np.arange(anywhere.sum())  # each in a place of its own
    first = chosen.copy()
    first[chosen] = _best_of_each(scores[chosen], place[chosen])
    return chosen, first


def _best_of_each(scores: NDArray[np.float64], group: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Selects the reading with the highest score in each group."""
    best = np.zeros(len(scores), dtype=bool)
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(group[order], return_index=True)
    best[order[first]] = True
    return best


def _operating_point(
    scores: NDArray[np.float64],
    found: NDArray[np.int64],
    shown: NDArray[np.int64],
    gold: int,
    at: float | None = None,
) -> tuple[float, dict[str, float]]:
    """The threshold with the best F1 (the highest if tied) and its figures; or those of the threshold `at`."""
    order = np.argsort(-scores, kind="stable")
    correct, proposed = (np.concatenate([[0], np.cumsum(of[order])]) for of in (found, shown))
    ranked = scores[order]
    if at is None:
        # A threshold takes all equal scores or none; rounding down keeps the last of them.
        ends = np.append(np.flatnonzero(np.floor(ranked[:-1] * 1e4) != np.floor(ranked[1:] * 1e4)), len(ranked) - 1)
        place = int(ends[(2 * correct[ends + 1] / (proposed[ends + 1] + gold)).argmax()])
        at, count = float(np.floor(ranked[place] * 1e4) / 1e4), place + 1
    else:
        count = int((ranked >= at).sum())
    figures = {
        "f1": float(2 * correct[count] / (proposed[count] + gold)),
        "precision": float(correct[count] / max(proposed[count], 1)),
        "recall": float(correct[count] / gold),
        "recall_of_all_readings": float(correct[-1] / gold),
    }
    return at, {name: round(value, 4) for name, value in figures.items()}


def _separation(scores: NDArray[np.float64], x: NDArray[np.float64], y: NDArray[np.bool_]) -> dict[str, float]:
    """ROC-AUC of right against wrong readings, by the model and by log-probability alone; empty if undefined."""
    if y.all() or not y.any():
        return {}
    from sklearn.metrics import roc_auc_score

    plain = x[:, LOG_PROBABILITY]
    compared = {"roc_auc": scores} | ({} if np.isnan(plain).any() else {"roc_auc_of_log_probability": plain})
    return {name: round(float(roc_auc_score(y, values)), 4) for name, values in compared.items()}
