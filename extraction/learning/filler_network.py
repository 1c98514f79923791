"""A Qwen2 language model in torch, read from its quantised GGUF file, with low-rank adapters to fit.

The weights stay as they are; beside chosen weights W, each a matrix, stand the adapters A and B: W x + scale * B A x
(Hu et al., LoRA: Low-Rank Adaptation of Large Language Models, ICLR 2022, equation 3; over quantised weights as in
Dettmers et al., QLoRA, NeurIPS 2023). Import this module only where the network is used: it imports torch, and gguf,
which the program itself does not need.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import dropout, linear, scaled_dot_product_attention, silu

from models.errors import ModelFileError
from models.hardware import has_bfloat16

_RANK = 8
_SCALE = 2.0
_ADAPTED = ("attn_q", "attn_k", "attn_v", "attn_output")  # as llama.cpp names them
_ARCHITECTURE = "qwen2"
_DROPOUT = 0.05
_STATES = torch.bfloat16 if has_bfloat16() else torch.float32


class FillerNetwork(nn.Module):
    """The model of a file. Only the adapters are parameters.

    Args:
        path: a GGUF file of a Qwen2 model.
        depth: relative depth, 0 to 1, from which on layers have adapters; earlier layers are not differentiated.

    Raises:
        ModelFileError: the file is of another architecture.
    """

    def __init__(self, path: Path, depth: float) -> None:
        super().__init__()
        reader = gguf.GGUFReader(path)
        if _value(reader, "general.architecture") != _ARCHITECTURE:
            raise ModelFileError(f"{path.name} is no Qwen2 model.", "Adapters can be fitted to Qwen2 models only.")

        def fact(name: str) -> Any:
            return _value(reader, f"{_ARCHITECTURE}.{name}")

        self._layers = int(fact("block_count"))
        self._first = round(depth * self._layers)
        self._heads, self._shared_heads = int(fact("attention.head_count")), int(fact("attention.head_count_kv"))
        self._size = int(fact("embedding_length")) // self._heads
        self._epsilon, self._base = float(fact("attention.layer_norm_rms_epsilon")), float(fact("rope.freq_base"))
        self._weights = {tensor.name: _weight(tensor) for tensor in reader.tensors}
        self.adapters = nn.ModuleDict(
            {
                f"{layer}/{name}": _Adapter(self._weights[f"blk.{layer}.{name}.weight"].shape)
                for layer in range(self._first, self._layers)
                for name in _ADAPTED
            }
        )

    def forward(self, tokens: Tensor, positions: Tensor, attended: Tensor, wanted: Tensor) -> Tensor:
        """Logits after the wanted tokens, shape (wanted, vocabulary).

        Args:
            tokens, positions: shape (tokens,).
            attended: whether a token (row) attends to another (column), shape (tokens, tokens).
            wanted: indices of tokens, shape (wanted,).
        """
        states = self._weights["token_embd.weight"][tokens]
        rates = self._base ** -(torch.arange(0, self._size, 2).float() / self._size)
        angles = positions.float()[:, None] * rates
        turn = angles.cos().to(_STATES), angles.sin().to(_STATES)
        mask = torch.where(attended, 0.0, -1e9).to(_STATES)
        with torch.no_grad():
            for layer in range(self._first):
                states = self._layer(states, layer, turn, mask)
        for layer in range(self._first, self._layers):
            states = self._layer(states, layer, turn, mask)
        final = self._normal(states[wanted], "output_norm.weight")
        out = self._weights.get("output.weight", self._weights["token_embd.weight"])
        return linear(final, out).float()

    def save(self, path: Path) -> None:
        """Writes the adapters as a GGUF file for llama.cpp, in half precision. Raises OSError."""
        writer = gguf.GGUFWriter(path, _ARCHITECTURE)
        writer.add_type("adapter")
        writer.add_string("adapter.type", "lora")
        writer.add_float32("adapter.lora.alpha", _SCALE * _RANK)  # llama.cpp divides it by the rank
        for place, adapter in self.adapters.items():
            layer, _, name = place.partition("/")
            for end, values in adapter.named_parameters():  # `a` and `b`
                halves = values.detach().numpy().astype(np.float16)
                writer.add_tensor(f"blk.{layer}.{name}.weight.lora_{end}", halves)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()

    def _layer(self, states: Tensor, layer: int, turn: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        place = f"blk.{layer}"
        normal = self._normal(states, f"{place}.attn_norm.weight")
        query = _turned(self._in_heads(normal, layer, "attn_q", self._heads), turn)
        key = _turned(self._in_heads(normal, layer, "attn_k", self._shared_heads), turn)
        value = self._in_heads(normal, layer, "attn_v", self._shared_heads)
        each = self._heads // self._shared_heads
        key, value = key.repeat_interleave(each, 0), value.repeat_interleave(each, 0)
        seen = scaled_dot_product_attention(query[None], key[None], value[None], attn_mask=mask[None, None])[0]
        states = states + self._linear(seen.transpose(0, 1).flatten(1), layer, "attn_output")
        normal = self._normal(states, f"{place}.ffn_norm.weight")
        inner = silu(self._linear(normal, layer, "ffn_gate")) * self._linear(normal, layer, "ffn_up")
        return states + self._linear(inner, layer, "ffn_down")

    def _in_heads(self, states: Tensor, layer: int, name: str, heads: int) -> Tensor:
        return self._linear(states, layer, name).view(len(states), heads, self._size).transpose(0, 1)

    def _linear(self, states: Tensor, layer: int, name: str) -> Tensor:
        place = f"blk.{layer}.{name}"
        found = linear(states, self._weights[f"{place}.weight"])
        if (bias := self._weights.get(f"{place}.bias")) is not None:
            found = found + bias.to(_STATES)
        if (key := f"{layer}/{name}") in self.adapters:
            found = found + self.adapters[key](dropout(states, _DROPOUT, self.training))
        return found

    def _normal(self, states: Tensor, name: str) -> Tensor:
        exact = states.float()
        size = torch.rsqrt(exact.pow(2).mean(-1, keepdim=True) + self._epsilon)
        return (exact * size * self._weights[name]).to(_STATES)


class _Adapter(nn.Module):
    """B A x, scaled; zero before it is fitted. `shape` is that of the weight, (outputs, inputs).

    `a` has the shape (rank, inputs), `b` (outputs, rank).
    """

    def __init__(self, shape: torch.Size) -> None:
        super().__init__()
        outputs, inputs = shape
        self.a = nn.Parameter(torch.randn(_RANK, inputs) / math.sqrt(inputs))
        self.b = nn.Parameter(torch.zeros(outputs, _RANK))

    def forward(self, states: Tensor) -> Tensor:
        return linear(linear(states, self.a.to(_STATES)), self.b.to(_STATES)) * _SCALE


def _turned(heads: Tensor, turn: tuple[Tensor, Tensor]) -> Tensor:
    """Queries or keys turned by their positions (rotary embedding, with the halves of a head as pairs)."""
    cosines, sines = turn
    first, second = heads.chunk(2, -1)
    return torch.cat((first * cosines - second * sines, second * cosines + first * sines), -1)


def _value(reader: gguf.GGUFReader, name: str) -> Any:
    found = reader.fields.get(name)
    return found.contents() if found else None


def _weight(tensor: gguf.ReaderTensor) -> Tensor:
    """A matrix in the precision of states, a vector exactly."""
    values = np.array(gguf.dequantize(tensor.data, tensor.tensor_type))
    return torch.from_numpy(values).to(_STATES if values.ndim > 1 else torch.float32)
