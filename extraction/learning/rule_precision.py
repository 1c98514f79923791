"""Measures how often each rule is right, and builds the calibration sample, from held-out annotated cases.

Each case is charted as on the ward, by models not fitted to it. Values written by rules are included. No layer has
weighed them, so each layer is assigned the rule's error rate; the guarantee then covers all wrong values, whatever
wrote them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

from extraction.annotation.scoring import Item, items
from extraction.estimators.calibration import Sample
from extraction.estimators.precision import NOT_MEASURED, Counts, Precisions, measured
from extraction.extractor import Prepared
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.rowwise import settled_rows
from extraction.filling.task import Reading, on_instance_rows
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.rules.changes import errors_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ReadText:
    """An annotated text after reading.

    Attributes:
        readings: without their hidden states.
        gold: the items to be charted.
    """

    prepared: Prepared
    readings: tuple[Reading, ...]
    gold: frozenset[Item]

    @property
    def asked(self) -> list[bool]:
        """Whether each reading is of a row that a ward asks; learning reads those that were measured, too."""
        settled = settled_rows(self.prepared.task)
        return [(one.row.id, one.segment.index) not in settled for one in self.readings]


@dataclass(frozen=True)
class ReadingScores:
    """The confidence of each reading, shape (readings,), and its layer errors, shape (readings, layers).

    They come from models that were not fitted to the text.
    """

    confidences: NDArray[np.float64]
    errors: NDArray[np.float64]


def charted(
    text: ReadText, weights: ReadingScores, keep_from: float, precisions: Precisions = NOT_MEASURED
) -> Proposals:
    """Weighs the readings of a text, proposes values and applies the rules."""
    placed = on_instance_rows(text.prepared.task.plan, text.readings)
    weighed = map(WeighedReading, placed, weights.confidences.tolist(), map(tuple, weights.errors.tolist()))
    proposals = propose(text.prepared.task, list(weighed), keep_from, "rowwise")
    return text.prepared.charted(proposals, precisions).proposals


def _as_asked(text: ReadText, weights: ReadingScores) -> tuple[ReadText, ReadingScores]:
    """A text and its scores with the readings of rows alone that a ward asks."""
    asked = text.asked
    scores = ReadingScores(weights.confidences[asked], weights.errors[asked])
    return replace(text, readings=tuple(compress(text.readings, asked))), scores


def right_by_rule(values: Iterable[FilledValue], gold: frozenset[Item]) -> Counts:
    """By rule, how many of the proposed values it wrote are right and wrong."""
    right, wrong = Counter[str](), Counter[str]()
    for value in values:
        if value.rule and not value.is_unit:
            (right if items(value.row_id, value.value) <= gold else wrong)[value.rule] += 1
    return {rule: (right[rule], wrong[rule]) for rule in sorted(right | wrong)}


def added_up(counts: Iterable[Counts]) -> Counts:
    right, wrong = Counter[str](), Counter[str]()
    for one in counts:
        for rule, (were_right, were_wrong) in one.items():
            right[rule] += were_right
            wrong[rule] += were_wrong
    return {rule: (right[rule], wrong[rule]) for rule in sorted(right.keys() | wrong.keys())}


def without(counts: Counts, some: Counts) -> Counts:
    """Subtracts counts that are part of others."""
    return {
        rule: (right - some.get(rule, (0, 0))[0], wrong - some.get(rule, (0, 0))[1])
        for rule, (right, wrong) in counts.items()
    }


def as_deployed(texts: Sequence[ReadText], weights: Sequence[ReadingScores], keep_from: float) -> tuple[Counts, Sample]:
    """How often each rule is right, and the sample of all values as proposed or held back.

    Only what is read of rows that a ward asks is proposed. The precision applied to each text is measured on all other
    texts.
    """
    import numpy as np

    as_asked = [_as_asked(text, weight) for text, weight in zip(texts, weights, strict=True)]
    each = [right_by_rule(charted(text, weight, keep_from).values, text.gold) for text, weight in as_asked]
    counts = added_up(each)
    layers = weights[0].errors.shape[1] if weights else 0
    sample: list[tuple[tuple[float, ...], bool, bool, int]] = []
    for number, (text, weight) in enumerate(as_asked):
        found = charted(text, weight, keep_from, measured(without(counts, each[number])))
        for proposed, values in ((True, found.values), (False, found.held_back)):
            for value in values:
                errors = errors_of(value, layers)
                if errors and not value.is_unit:
                    sample.append((errors, not items(value.row_id, value.value) <= text.gold, proposed, number))
    columns = tuple(zip(*sample, strict=True)) if sample else ((), (), (), ())
    return counts, Sample(
        np.array(columns[0], dtype=np.float64).reshape(len(sample), layers),
        np.array(columns[1], dtype=bool),
        np.array(columns[2], dtype=bool),
        np.array(columns[3], dtype=np.int64),
    )
