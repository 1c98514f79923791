"""Hidden states of chosen layers, copied out of llama.cpp while it decodes (ReDD, section 3.2).

llama.cpp asks a callback about every tensor of its graph; the output of layer k is named `l_out-k` and has the shape
(embedding, tokens of the micro-batch). The last layer holds only the tokens whose logits were requested.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class StateTap:
    """Collects the states of the tapped layers for every token of one decode call.

    Args:
        layers: layer numbers from 0; the last layer cannot be tapped (it does not hold every token).
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

    def at(self, row: int) -> dict[int, NDArray[np.float32]]:
        """State of batch token `row` per layer, shape (embedding,)."""
        return {layer: self._row(parts, row) for layer, parts in self._parts.items()}

    @staticmethod
    def _row(parts: list[NDArray[np.float32]], row: int) -> NDArray[np.float32]:
        for part in parts:
            if row < len(part):
                return np.array(part[row])
            row -= len(part)
        raise IndexError(f"The decode call held no state for token {row}.")

    def _on_tensor(self, tensor: int, asking: bool, _user: int | None) -> bool:
        layer = self._names.get(self._get_name(tensor))
        if asking or layer is None:
            return layer is not None
        values = np.empty(self._bytes(tensor) // 4, dtype=np.float32)
        self._copy(tensor, values.ctypes.data, 0, values.nbytes)
        self._parts[layer].append(values.reshape(-1, self._embedding))
        return True
