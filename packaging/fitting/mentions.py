"""Fits the mention reader (`extraction.estimators.mention_reader`) to pieces of dictation whose values are marked, and
to the numbers of annotated cases, which are current.

Of a piece every marked value is an example, in the surroundings that the reader would see. How good the reader is is
measured on hands that were left out: pieces of one hand are never split.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extraction.annotation.case_files import Case
from extraction.estimators.mention_reader import STATUSES, MentionStatus, Windows, surroundings
from extraction.estimators.network_weights import NetworkWeights
from extraction.language.spans import Span, overlap
from extraction.preparation.correctable_values import correctable_values
from fitting.mention_files import MarkedPiece
from fitting.network_training import Schedule, batches_of_similar_length, fit_network
from models.base.progress import ProgressMonitor
from models.runtimes.embedder import TokenRuntime

if TYPE_CHECKING:
    from fitting.adapted_network import AdaptedNetwork

_EPOCHS = 4
_BATCH = 12  # texts, each with all values that are read in it
_RATE, _WARMUP = 1.5e-3, 60  # learning rate, batches
_SMOOTHING = 0.02  # of the labels: two nurses do not always agree
_SORTED_AT_ONCE = 8  # batches
_REPORTED = 25  # batches between two reports


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


def examples_of_cases(cases: Iterable[Case]) -> list[Example]:
    """The numbers in the words of what was charted, which are current."""
    return [
        Example(case.text, value, values, MentionStatus.CURRENT)
        for case in cases
        for values in (_values(case.text),)
        for value in dict.fromkeys(_charted(case, values))
    ]


def _values(text: str) -> tuple[Span, ...]:
    return tuple((one.start, one.number_end) for one in correctable_values(text))


def _charted(case: Case, values: Sequence[Span]) -> Iterator[Span]:
    """The only number in the words of each required observation."""
    for one in case.observations:
        start = case.text.find(one.words) if one.words else -1
        within = [value for value in values if overlap(value, (start, start + len(one.words)))] if start >= 0 else []
        if len(within) == 1:
            yield within[0]


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
