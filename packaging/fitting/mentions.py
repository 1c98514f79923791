"""Fits the mention reader (`extraction.estimators.mention_reader`) to pieces of dictation whose values are marked, and
to annotated cases: what was charted of them is current, and of what must not be charted the reason is known.

Of a piece every marked value is an example, in the surroundings that the reader would see. How good the reader is is
measured on hands that were left out: pieces of one hand are never split.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from extraction.annotation.case_files import Case, Observation, Trap
from extraction.estimators.mention_reader import STATUSES, MentionStatus, Windows, surroundings
from extraction.estimators.network_weights import NetworkWeights
from extraction.filling.evidence import words_of
from extraction.flowsheet.schema import CHOICE_TYPES, NUMBER_TYPES, Schema
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.preparation.correctable_values import correctable_values
from fitting.mention_files import MarkedPiece
from fitting.network_training import Schedule, batches_of_similar_length, fit_network
from models.base.progress import ProgressMonitor
from models.runtimes.embedder import TokenRuntime

if TYPE_CHECKING:
    from fitting.adapted_network import AdaptedNetwork

# Of the choices that were charted only each third is an example: most are in surroundings of their own, which cost
# time, and are easily told.
_OF_CHOICES = 3
_STATUS_OF_TRAPS = {
    "corrected": MentionStatus.CORRECTED,
    "history": MentionStatus.PAST,
    "plan": MentionStatus.PLANNED,
    "other_person": MentionStatus.OTHER,
}
_EPOCHS = 4
_BATCH = 12  # texts, each with all values that are read in it
_RATE, _WARMUP = 1.5e-3, 60  # learning rate, batches
_SMOOTHING = 0.02  # of the labels: two nurses do not always agree
_SORTED_AT_ONCE = 8  # batches
_REPORTED = 25  # batches between two reports

_Annotated = TypeVar("_Annotated", Observation, Trap)


@dataclass(frozen=True, slots=True)
class Example:
    """A value of a text, all values of the text, and the status of the one."""

    text: str
    value: Span
    values: tuple[Span, ...]
    status: MentionStatus


def examples_of_pieces(pieces: Iterable[MarkedPiece]) -> list[Example]:
    """Every marked value."""
    return [Example(piece.text, one.span, _values(piece.text), one.status) for piece in pieces for one in piece.values]


def examples_of_cases(cases: Iterable[Case], schema: Schema) -> list[Example]:
    """The numbers and choices in the words of what was charted, and of what must not be because of its status."""
    return [one for case in cases for one in _examples_of_case(case, schema)]


def _examples_of_case(case: Case, schema: Schema) -> Iterator[Example]:
    values = _values(case.text)
    required = list(_quoted(case.text, case.observations))
    numbers = [found for _, quote in required if (found := _number_in(quote, values))]
    choices = [found for one, quote in required if (found := _choice_in(case.text, quote, schema, one))]
    for value in dict.fromkeys([*numbers, *choices[::_OF_CHOICES]]):
        yield Example(case.text, value, values, MentionStatus.CURRENT)
    may_be = [*required, *_quoted(case.text, case.acceptable or ())]
    others: dict[Span, MentionStatus] = {}
    for trap, quote in _quoted(case.text, case.forbidden or ()):
        if trap.why not in _STATUS_OF_TRAPS:
            continue
        if any(one.row_id == trap.row_id and overlap(quote, words) for one, words in may_be):
            continue
        if schema.row(trap.row_id).value_type in NUMBER_TYPES:
            found = _number_in(quote, values)
        else:
            found = _choice_in(case.text, quote, schema, trap)
        if found and not any(overlap(found, one) for one in (*numbers, *choices)):
            others.setdefault(found, _STATUS_OF_TRAPS[trap.why])
    for value, status in others.items():
        yield Example(case.text, value, values, status)


def _values(text: str) -> tuple[Span, ...]:
    return tuple((one.start, one.number_end) for one in correctable_values(text))


def _quoted(text: str, annotated: Iterable[_Annotated]) -> Iterator[tuple[_Annotated, Span]]:
    """Those whose words the text has, and where."""
    for one in annotated:
        start = text.find(one.words) if one.words else -1
        if start >= 0:
            yield one, (start, start + len(one.words))


def _number_in(quote: Span, values: Sequence[Span]) -> Span | None:
    """The only number of a quote."""
    within = [value for value in values if overlap(value, quote)]
    return within[0] if len(within) == 1 else None


def _choice_in(text: str, quote: Span, schema: Schema, one: Observation | Trap) -> Span | None:
    """The words of a quote that a proposed choice would have as its evidence, or else the quote."""
    row = schema.row(one.row_id)
    if row.value_type not in CHOICE_TYPES:
        return None
    words = words_of(row, one.value, Segment(0, *quote, text[slice(*quote)])) if one.value is not None else None
    return words or quote


def fit_reader(examples: Sequence[Example], encoder: TokenRuntime, monitor: ProgressMonitor) -> NetworkWeights:
    """Fits the network and the changes of the embedder's layers to examples. Raises Cancelled."""
    import torch

    from extraction.estimators.mention_network import batch_of
    from fitting.adapted_network import AdaptedNetwork

    around = [found for one in examples for found in surroundings(one.text, (one.value,), one.values)]
    read = Windows(encoder).of(around)
    labels = [STATUSES.index(one.status) for one in examples]
    of_text: dict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(around):
        of_text[one.text].append(place)

    def loss_of(network: AdaptedNetwork, texts: Sequence[str]) -> torch.Tensor:
        places = [(row, place) for row, text in enumerate(texts) for place in of_text[text]]
        batch = batch_of([read[place] for _, place in places])
        return torch.nn.functional.cross_entropy(
            network(texts, [row for row, _ in places], batch),
            torch.tensor([labels[place] for _, place in places]),
            label_smoothing=_SMOOTHING,
        )

    def batches_of(draw: random.Random) -> list[list[str]]:
        return batches_of_similar_length(list(of_text), len, _BATCH, _SORTED_AT_ONCE, draw)

    schedule = Schedule(_EPOCHS, _RATE, _WARMUP, _REPORTED, "fitting")
    return fit_network(lambda: AdaptedNetwork(encoder, len(STATUSES)), batches_of, loss_of, schedule, monitor)
