"""Hidden states of chosen layers, copied from llama.cpp during decoding and pooled over a question's tokens.

See ReDD, section 3.2. llama.cpp calls back for every tensor of its graph; the output of layer k is named `l_out-k` and
has the shape (embedding, tokens of the micro-batch). The last layer holds only the tokens whose logits were requested.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


class StateTap:
    """Collects the states of the tapped layers for every token of one decode call.

    Args:
        layers: layer numbers from 0; the last layer cannot be tapped, because it does not hold every token.
        embedding: size of the hidden state.
    """

    def __init__(self, layers: Sequence[int], embedding: int) -> None:
        import llama_cpp
        from llama_cpp._ctypes_extensions import load_shared_library
        from llama_cpp._ggml import libggml_base_path

        library = load_shared_library("ggml-base", libggml_base_path)
        self._names = {f"l_out-{layer}".encode(): layer for layer in layers}
        self._embedding = embedding
        self._parts: dict[int, list[NDArray[np.float32]]] = {layer: [] for layer in layers}
        self._copy = library.ggml_backend_tensor_get
        self._copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t]
        self._copy.restype = None
        self._get_name = library.ggml_get_name
        self._get_name.argtypes = [ctypes.c_void_p]
        self._get_name.restype = ctypes.c_char_p
        self._bytes = library.ggml_nbytes
        self._bytes.argtypes = [ctypes.c_void_p]
        self._bytes.restype = ctypes.c_size_t
        self.callback = llama_cpp.ggml_backend_sched_eval_callback(self._on_tensor)

    def begin(self) -> None:
        """Forgets the last decode call."""
        for parts in self._parts.values():
            parts.clear()

    def rows(self, start: int, stop: int) -> dict[int, NDArray[np.float32]]:
        """States of the batch tokens [start, stop) per layer, shape (tokens, embedding).

        Raises IndexError if some are missing.
        """
        found = {layer: np.concatenate(_between(parts, start, stop)) for layer, parts in self._parts.items()}
        if any(len(states) != stop - start for states in found.values()):
            raise IndexError(f"The decode call held no states for all tokens from {start} to {stop}.")
        return found

    def _on_tensor(self, tensor: int, asking: bool, _user: int | None) -> bool:
        layer = self._names.get(self._get_name(tensor))
        if asking or layer is None:
            return layer is not None
        values = np.empty(self._bytes(tensor) // 4, dtype=np.float32)
        self._copy(tensor, values.ctypes.data, 0, values.nbytes)
        self._parts[layer].append(values.reshape(-1, self._embedding))
        return True


@dataclass(slots=True)
class Pool:
    """Concatenated last, mean and maximum state of a question's tokens per layer, shape (3 * embedding,).

    Eq. 4 has mean and maximum; the last state, after which the answer is decided, is an addition.
    """

    _count: int = 0
    _last: dict[int, NDArray[np.float32]] = field(default_factory=dict)
    _sum: dict[int, NDArray[np.float32]] = field(default_factory=dict)
    _most: dict[int, NDArray[np.float32]] = field(default_factory=dict)

    def add(self, states: dict[int, NDArray[np.float32]]) -> None:
        """Adds tokens; each layer has the shape (tokens, embedding)."""
        for layer, block in states.items():
            self._last[layer] = block[-1].copy()
            # summed token by token, so that the result does not depend on how they were split
            self._sum[layer] = np.vstack([self._sum[layer], block] if self._count else [block]).sum(axis=0)
            self._most[layer] = np.vstack([self._most[layer], block] if self._count else [block]).max(axis=0)
        self._count += len(next(iter(states.values()), ()))

    def pooled(self) -> dict[int, NDArray[np.float32]]:
        """The pooled states per layer; empty if nothing was added."""
        return {
            layer: np.concatenate([last, self._sum[layer] / self._count, self._most[layer]])
            for layer, last in self._last.items()
        }


def _between(parts: Sequence[NDArray[np.float32]], start: int, stop: int) -> list[NDArray[np.float32]]:
    """The rows [start, stop) of consecutive parts."""
    found = []
    for part in parts:
        found.append(part[max(start, 0) : max(stop, 0)])
        start, stop = start - len(part), stop - len(part)
    return found
