"""How the small networks over the embedder's token vectors are fitted: AdamW, with a rate that rises briefly and falls
to the end.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from extraction.estimators.network_weights import NetworkWeights
from models.base.progress import Progress, ProgressMonitor, stop_if

if TYPE_CHECKING:
    import torch

_SEED = 20260101
_LEAST_RATE = 0.02  # the last learning rate, as a share of the highest
_DECAY = 0.05
_LONGEST_STEP = 1.0

Batch = TypeVar("Batch")
Item = TypeVar("Item")
Network = TypeVar("Network", bound="torch.nn.Module")


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long a network is fitted.

    Attributes:
        rate: the highest learning rate, reached after `warmup` batches.
        reported: batches between two reports.
        doing: what is fitted, for the reports.
    """

    epochs: int
    rate: float
    warmup: int
    reported: int
    doing: str


def fit_network(
    make: Callable[[], Network],
    batches_of: Callable[[random.Random], Sequence[Batch]],
    loss_of: Callable[[Network, Batch], torch.Tensor],
    schedule: Schedule,
    monitor: ProgressMonitor,
) -> NetworkWeights:
    """Fits what of a network is not frozen, with the same result every time. Raises Cancelled.

    Args:
        make: makes the network.
        batches_of: the batches of an epoch.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        network = make()
        network.train()
        fitted = {name: one for name, one in network.named_parameters() if one.requires_grad}
        optimiser = torch.optim.AdamW(fitted.values(), lr=schedule.rate, weight_decay=_DECAY)
        draw = random.Random(_SEED)  # no secret
        batches = [batch for _ in range(schedule.epochs) for batch in batches_of(draw)]
        for number, batch in enumerate(batches):
            stop_if(monitor.cancelled)
            done = number / len(batches)
            if number % schedule.reported == 0:
                monitor.report(Progress("learn", done, f"{schedule.doing}, {done:.0%}"))
            share = min(1.0, (number + 1) / schedule.warmup) * max(_LEAST_RATE, 1 - done)
            for group in optimiser.param_groups:
                group["lr"] = schedule.rate * share
            loss = loss_of(network, batch)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(fitted.values(), _LONGEST_STEP)
            optimiser.step()
    return NetworkWeights({name: one.detach().numpy().astype(np.float32) for name, one in fitted.items()})


def batches_of_similar_length(
    items: Sequence[Item], length: Callable[[Item], int], size: int, sorted_at_once: int, draw: random.Random
) -> list[list[Item]]:
    """All items in random order, in batches of similar length; `sorted_at_once` batches are sorted together."""
    shuffled = draw.sample(list(items), len(items))
    found = []
    for start in range(0, len(shuffled), size * sorted_at_once):
        some = sorted(shuffled[start : start + size * sorted_at_once], key=length)
        found += [some[place : place + size] for place in range(0, len(some), size)]
    return found
