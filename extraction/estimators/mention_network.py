"""The network of the mention reader: what the words around a value make of it.

A small transformer over the frozen embedder's token vectors, as `extraction.estimators.matcher_network` is. The tokens
of the value are marked, and every token knows how far from them it is. Import this module only where the network is
used: it imports torch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from extraction.estimators.network_weights import Tokens

WIDTH = 128
_LAYERS, _HEADS = 2, 4
# Kinds of tokens: of the value itself, of another value, of anything else.
OWN, OTHER, WORDS = range(3)
FARTHEST = 100  # tokens
_DROPOUT, _DROPOUT_OF_TOKENS = 0.15, 0.3


class Batch(NamedTuple):
    """Windows as tensors, shape (windows, tokens, ...); `padding` is true where no token is."""

    ids: Tensor
    kinds: Tensor
    distances: Tensor
    states: Tensor
    padding: Tensor


def batch_of(windows: Sequence[Tokens]) -> Batch:
    """Raises ValueError without windows."""
    shape = (len(windows), max(len(one.ids) for one in windows))
    ids, kinds, distances = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    states = np.zeros((*shape, windows[0].states.shape[1]), dtype=np.float32)
    padding = np.ones(shape, dtype=bool)
    for number, one in enumerate(windows):
        end = len(one.ids)
        ids[number, :end], kinds[number, :end], states[number, :end] = one
        distances[number, :end] = _distances(one.kinds)
        padding[number, :end] = False
    return Batch(*map(torch.from_numpy, (ids, kinds, distances, states, padding)))


def _distances(kinds: NDArray[np.int64]) -> NDArray[np.int64]:
    """How far each token is from the value, from 0 (far before it) to 2 * FARTHEST (far after it)."""
    own = np.flatnonzero(kinds == OWN)
    first, last = (own[0], own[-1]) if len(own) else (0, 0)
    places = np.arange(len(kinds))
    apart = np.where(places < first, places - first, np.where(places > last, places - last, 0))
    return np.clip(apart, -FARTHEST, FARTHEST) + FARTHEST


class MentionNetwork(nn.Module):
    """Logits of the statuses of each value.

    Args:
        inputs: the embedder's input vector of each token of its vocabulary, shape (vocabulary, dimensions).
        statuses: how many there are.
    """

    inputs: Tensor

    def __init__(self, inputs: NDArray[np.float32], statuses: int) -> None:
        super().__init__()
        self.register_buffer("inputs", torch.from_numpy(inputs), persistent=False)
        size = inputs.shape[1]
        self.of_state = nn.Linear(size, WIDTH)
        self.of_input = nn.Linear(size, WIDTH, bias=False)
        self.kind = nn.Embedding(3, WIDTH)
        self.distance = nn.Embedding(2 * FARTHEST + 1, WIDTH)
        self.norm = nn.LayerNorm(WIDTH)
        self.dropout = nn.Dropout(_DROPOUT_OF_TOKENS)
        layer = nn.TransformerEncoderLayer(
            WIDTH, _HEADS, 4 * WIDTH, dropout=_DROPOUT, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, _LAYERS, enable_nested_tensor=False)
        self.last = nn.Sequential(nn.LayerNorm(2 * WIDTH), nn.Linear(2 * WIDTH, statuses))

    def forward(self, batch: Batch) -> Tensor:
        """Logits, shape (windows, statuses)."""
        known = (
            self.of_state(batch.states)
            + self.of_input(self.inputs[batch.ids])
            + self.kind(batch.kinds)
            + self.distance(batch.distances)
        )
        known = self.layers(self.dropout(self.norm(known)), src_key_padding_mask=batch.padding)
        own = (batch.kinds == OWN) & ~batch.padding
        mean = (known * own[:, :, None]).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        largest = known.masked_fill(batch.padding[:, :, None], -9).amax(1)
        found: Tensor = self.last(torch.cat([mean, largest], -1))
        return found
