"""Fits the mention reader (`extraction.estimators.mention_reader`) to pieces of dictation whose values are marked, and
to the numbers of annotated cases, which are current.

Of a piece every marked value is an example, in the surroundings that the reader would see. How good the reader is is
measured on hands that were left out: pieces of one hand are never split.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from extraction.annotation.case_files import Case
from extraction.estimators.mention_reader import STATUSES, MentionStatus, Windows, surroundings
from extraction.estimators.network_weights import NetworkWeights, TokenEncoder
from extraction.language.spans import Span, overlap
from extraction.preparation.correctable_values import correctable_values
from fitting.mention_files import MarkedPiece
from models.base.progress import Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    from extraction.estimators.network_weights import Tokens

_SEED = 20260101
_EPOCHS = 9
_BATCH = 32
_RATE, _LEAST_RATE, _WARMUP = 1.5e-3, 0.02, 60  # learning rate, the last as a share of it, batches
_DECAY = 0.05
_LONGEST_STEP = 1.0
_SMOOTHING = 0.02  # of the labels: two nurses do not always agree
_SORTED_AT_ONCE = 8  # batches
_REPORTED = 100  # batches between two reports


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


def fit_reader(
    examples: Sequence[Example], windows: Windows, encoder: TokenEncoder, monitor: ProgressMonitor
) -> NetworkWeights:
    """Fits the network to examples. Raises Cancelled."""
    import torch

    from extraction.estimators.mention_network import MentionNetwork, batch_of

    read = windows.of([around for one in examples for around in surroundings(one.text, (one.value,), one.values)])
    labels = [STATUSES.index(one.status) for one in examples]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        network = MentionNetwork(encoder.token_inputs, len(STATUSES))
        optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=_DECAY)
        draw = random.Random(_SEED)  # no secret
        batches = [batch for _ in range(_EPOCHS) for batch in _batches(read, draw)]
        for number, batch in enumerate(batches):
            stop_if(monitor.cancelled)
            if number % _REPORTED == 0:
                monitor.report(Progress("learn", number / len(batches), f"fitting, {number / len(batches):.0%}"))
            share = min(1.0, (number + 1) / _WARMUP) * max(_LEAST_RATE, 1 - number / len(batches))
            for group in optimiser.param_groups:
                group["lr"] = _RATE * share
            loss = torch.nn.functional.cross_entropy(
                network(batch_of([read[place] for place in batch])),
                torch.tensor([labels[place] for place in batch]),
                label_smoothing=_SMOOTHING,
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(network.parameters(), _LONGEST_STEP)
            optimiser.step()
    return NetworkWeights({name: one.numpy().astype(np.float32) for name, one in network.state_dict().items()})


def _batches(windows: Sequence[Tokens], draw: random.Random) -> list[list[int]]:
    """The places of all examples in random order, in batches of similar length."""
    shuffled = draw.sample(range(len(windows)), len(windows))
    found = []
    for start in range(0, len(shuffled), _BATCH * _SORTED_AT_ONCE):
        some = sorted(shuffled[start : start + _BATCH * _SORTED_AT_ONCE], key=lambda place: len(windows[place].ids))
        found += [some[place : place + _BATCH] for place in range(0, len(some), _BATCH)]
    return found
