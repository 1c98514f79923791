"""Changes of a transformer's linear maps by the product of two small matrices: all that is fitted and shipped.

Hu et al., LoRA: Low-Rank Adaptation of Large Language Models, 2021, section 4.1: W becomes W + s B A. Import this
module only where it is used: it imports torch.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

_SCALE = 2 / 3  # s: with it the changes take the same learning rate as a new network beside them
_SPREAD = 0.02  # of the first values of A; B begins with zeros

Arrays = Mapping[str, NDArray[np.float32]]


class LowRankLinear(nn.Module):
    """A frozen linear map and its change.

    Attributes:
        first: A, shape (rank, inputs); second: B, shape (outputs, rank).
    """

    def __init__(self, linear: nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        self.first = nn.Parameter(torch.randn(rank, linear.in_features) * _SPREAD)
        self.second = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, inputs: Tensor) -> Tensor:
        changed: Tensor = self.linear(inputs) + _SCALE * nn.functional.linear(
            nn.functional.linear(inputs, self.first), self.second
        )
        return changed


def copy_of(transformer: nn.Module) -> nn.Module:
    """A copy whose layers can be changed; it shares the vectors of the vocabulary, which stay as they are."""
    vectors = transformer.get_input_embeddings().weight  # type: ignore[operator]
    return copy.deepcopy(transformer, {id(vectors): vectors})


def add_changes(transformer: nn.Module, rank: int) -> None:
    """Puts a change beside every linear map of the layers; nothing else can be fitted from now on."""
    for parameter in transformer.parameters():
        parameter.requires_grad = False
    for path, linear in _linear_maps(transformer).items():
        transformer.set_submodule(path, LowRankLinear(linear, rank))


def apply_changes(transformer: nn.Module, changes: Arrays) -> None:
    """Adds changes that were fitted, by the names that their parameters have after `add_changes`.

    Raises:
        KeyError, RuntimeError: they belong to another transformer.
    """
    with torch.no_grad():
        for path, linear in _linear_maps(transformer).items():
            first, second = (torch.from_numpy(changes[f"{path}.{part}"]) for part in ("first", "second"))
            linear.weight += _SCALE * (second @ first)


def _linear_maps(transformer: nn.Module) -> dict[str, nn.Linear]:
    """The linear maps of the layers, by their path."""
    modules = transformer.named_modules()
    return {path: one for path, one in modules if isinstance(one, nn.Linear) and path.startswith("encoder.")}
