"""The network of the statement matcher: a small cross-encoder over the frozen embedder's token vectors.

Sentence and statement are embedded apart, so that their token vectors can be cached, and only this network sees both
(MacAvaney et al., Efficient Document Re-Ranking for Transformers by Precomputing Term Representations, SIGIR 2020).
Each token is given the tokens of the other side that resemble it (Parikh et al., A Decomposable Attention Model, EMNLP
2016); two transformer layers follow. Import this module only where the network is used: it imports torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import normalize

from extraction.estimators.network_weights import Tokens

WIDTH = 128
_LAYERS, _HEADS, _RANK = 2, 4, 64
# Kinds of tokens. Those of a sentence come first.
SENTENCE, SAID, ROW, VALUE = range(4)
MOST_SENTENCE, MOST_STATEMENT = 80, 38  # tokens
_SAME = 0.98  # cosine of a token's input vector to itself
_SIMILARITIES = 4
_DROPOUT = 0.1


class Batch(NamedTuple):
    """Pairs of a sentence and a statement as tensors, shape (pairs, tokens, ...); `padding` is true where none is."""

    ids: Tensor
    kinds: Tensor
    places: Tensor
    states: Tensor
    padding: Tensor


def batch_of(pairs: Sequence[tuple[Tokens, Tokens]]) -> Batch:
    """Raises ValueError without pairs."""
    length = max(len(sentence.ids) + len(statement.ids) for sentence, statement in pairs)
    shape = (len(pairs), length)
    ids, kinds, places = (np.zeros(shape, dtype=np.int64) for _ in range(3))
    states = np.zeros((*shape, pairs[0][0].states.shape[1]), dtype=np.float32)
    padding = np.ones(shape, dtype=bool)
    for number, (sentence, statement) in enumerate(pairs):
        middle = len(sentence.ids)
        end = middle + len(statement.ids)
        for part, tokens, place in ((slice(middle), sentence, 0), (slice(middle, end), statement, MOST_SENTENCE)):
            ids[number, part], kinds[number, part], states[number, part] = tokens
            places[number, part] = place + np.arange(len(tokens.ids))
        padding[number, :end] = False
    return Batch(*map(torch.from_numpy, (ids, kinds, places, states, padding)))


class MatcherNetwork(nn.Module):
    """Log-odds that each sentence makes its statement.

    Args:
        inputs: the embedder's input vector of each token of its vocabulary, shape (vocabulary, dimensions).
    """

    inputs: Tensor

    def __init__(self, inputs: NDArray[np.float32]) -> None:
        super().__init__()
        self.register_buffer("inputs", torch.from_numpy(inputs), persistent=False)
        size = inputs.shape[1]
        self.of_state = nn.Linear(size, WIDTH)
        self.of_input = nn.Linear(size, WIDTH, bias=False)
        self.of_other = nn.Linear(size, WIDTH, bias=False)
        self.of_product = nn.Linear(size, WIDTH, bias=False)
        self.of_similarity = nn.Linear(_SIMILARITIES, WIDTH)
        self.kind = nn.Embedding(4, WIDTH)
        self.place = nn.Embedding(MOST_SENTENCE + MOST_STATEMENT, WIDTH)
        self.down = nn.Linear(size, _RANK, bias=False)
        self.up = nn.Linear(_RANK, size, bias=False)
        nn.init.zeros_(self.up.weight)
        self.sharpness = nn.Parameter(torch.tensor(math.log(12.0)))
        self.first = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH)
        self.dropout = nn.Dropout(_DROPOUT)
        layer = nn.TransformerEncoderLayer(
            WIDTH, _HEADS, 4 * WIDTH, dropout=_DROPOUT, activation="gelu", batch_first=True, norm_first=True
        )
        self.layers = nn.TransformerEncoder(layer, _LAYERS, enable_nested_tensor=False)
        self.last = nn.Sequential(nn.LayerNorm(2 * WIDTH), nn.Linear(2 * WIDTH, 1))

    def forward(self, batch: Batch) -> Tensor:
        """Log-odds, shape (pairs,)."""
        states = normalize(batch.states + self.up(self.down(batch.states)), dim=-1)
        inputs = self.inputs[batch.ids]
        plain = normalize(inputs, dim=-1)
        is_statement = batch.kinds >= ROW
        apart = is_statement[:, :, None] != is_statement[:, None, :]
        others = apart & ~batch.padding[:, :, None] & ~batch.padding[:, None, :]
        alike = (states @ states.transpose(1, 2)).masked_fill(~others, -1)
        same = (plain @ plain.transpose(1, 2)).masked_fill(~others, -1)
        other = torch.softmax((alike + same) * self.sharpness.exp(), -1) @ states
        similarities = torch.stack(
            [alike.amax(-1), same.amax(-1), (same > _SAME).any(-1).float(), (states * other).sum(-1)], -1
        )
        known = (
            self.of_state(batch.states)
            + self.of_input(inputs)
            + self.kind(batch.kinds)
            + self.place(batch.places)
            + self.of_other(other)
            + self.of_product(states * other) * 8
            + self.of_similarity(similarities)
        )
        known = self.dropout(self.norm(known))
        known = torch.cat([self.first.expand(len(known), 1, -1), known], 1)
        padding = torch.cat([torch.zeros(len(known), 1, dtype=torch.bool), batch.padding], 1)
        known = self.layers(known, src_key_padding_mask=padding)
        largest = known.masked_fill(padding[:, :, None], -9).amax(1)
        found: Tensor = self.last(torch.cat([known[:, 0], largest], -1))[:, 0]
        return found
