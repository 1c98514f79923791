"""The filler LLM on llama.cpp: a prefix decoded once, and many continuations of it.

Copies of a sequence share cells of the unified KV cache, so that a continuation costs only its own tokens. The
questions about the prefix are in `models.runtimes.closed_questions`.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.base.errors import ResourceError
from models.base.progress import CancelledCallback, never_cancelled, stop_if
from models.errors import GpuError, ModelFileError
from models.runtimes.hidden_states import StateTap

# The most tokens decoded between two checks of `cancelled`: about a second of work on two cores.
CHUNK_TOKENS = 48
# The result for a token must not depend on the tokens decoded with it. But llama.cpp multiplies up to three tokens one
# by one, more of them in fours with the remainder one by one, and from eight on some weights in tiles, each with
# different rounding: a logit moves by up to 0.8. It attends to a single token with all threads, and from 64 on in
# tiles. So prompt tokens are read in multiples of four, at least eight, with few distributions requested, and answer
# tokens in small groups.
_FEWEST_READ, _READ_TOGETHER = 8, 4
_FEW = (2, 3)
_ROOM_TOKENS = 512  # the least that a prefix leaves for questions
MAX_SEQUENCES = 128
_TELLING_TOKENS = 12  # fewer take as long as reading the weights
PREFIX_SEQUENCE = 0
_SPARE_SEQUENCE = MAX_SEQUENCES - 1


class TokenEntry(NamedTuple):
    """One token to decode, its position and sequence, and whether the distribution after it is needed."""

    token: int
    position: int
    sequence: int
    wanted: bool


@dataclass(slots=True)
class TokenCount:
    """Tokens since the runtime was loaded: read (prompt), and decided or generated (completion)."""

    prompt: int = 0
    completion: int = 0


class LlamaRuntime:
    """A GGUF model held in memory with one context.

    Args:
        path: a GGUF file whose checksum the registry has verified.
        context_tokens: size of the unified KV cache: prefix plus all continuations of one batch.
        threads: threads for decoding.
        gpu: hold every layer and the KV cache on the GPU, see `models.runtimes.placement`.
        state_depths: relative depths, 0 to 1, of the layers whose hidden states are kept for each question; empty for
            none.

    Attributes:
        chunk_tokens: tokens decoded between two checks of `cancelled`, at most CHUNK_TOKENS; may change at any time.
        tokens_per_second: recent decoding speed; infinite before it is measured.

    Raises:
        ModelFileError: llama.cpp refuses a file.
        ResourceError: the context does not fit into memory.
    """

    def __init__(
        self,
        path: Path,
        *,
        context_tokens: int = 8192,
        threads: int = 2,
        gpu: bool = False,
        state_depths: Sequence[float] = (),
    ) -> None:
        import llama_cpp

        self.lib = llama_cpp
        self.context_tokens = context_tokens
        self.chunk_tokens = CHUNK_TOKENS
        self.tokens = TokenCount()
        self.tokens_per_second = math.inf
        start_silently()
        self.device = "gpu" if gpu else "cpu"

        model_params = llama_cpp.llama_model_default_params()
        if gpu:
            model_params.n_gpu_layers = 999
        else:  # an empty list: even without layers on it, llama.cpp would start the GPU, and crash if it is full
            no_devices = (ctypes.c_void_p * 1)()
            model_params.devices = ctypes.addressof(no_devices)
            model_params.n_gpu_layers = 0
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), model_params)
        if not self._model:
            raise ModelFileError(
                f"The language model {path.name} cannot be loaded.",
                "Run 'wardlight models verify', then 'wardlight models install' to replace it.",
            )
        self.vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._vocab_size = llama_cpp.llama_vocab_n_tokens(self.vocab)
        count = llama_cpp.llama_model_n_layer(self._model)
        held = sorted({min(round(depth * count), count - 2) for depth in state_depths})
        self.tap = StateTap(held, llama_cpp.llama_model_n_embd(self._model)) if held else None

        params = llama_cpp.llama_context_default_params()
        params.n_ctx = context_tokens
        params.n_batch = params.n_ubatch = max(CHUNK_TOKENS, MAX_SEQUENCES)  # llama.cpp refuses less
        params.n_seq_max = MAX_SEQUENCES
        params.kv_unified = True  # off by default, which would divide the context by the number of sequences
        params.n_threads = params.n_threads_batch = threads
        params.offload_kqv = params.op_offload = gpu  # both on by default: the GPU would be used all the same
        if self.tap:
            params.cb_eval = self.tap.callback
        self._context = llama_cpp.llama_init_from_model(self._model, params)
        if not self._context:
            llama_cpp.llama_model_free(self._model)
            raise ResourceError(
                f"There is not enough memory for the language model {path.name}.",
                "Close other programs, or choose the smaller model in the settings.",
                retryable=True,
            )
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._batch = llama_cpp.llama_batch_init(CHUNK_TOKENS, 0, 1)
        self._prefix: list[int] = []
        self.newline = self.tokenize("\n")[-1]

    def close(self) -> None:
        """Frees context and model; the runtime is unusable afterwards."""
        if self._context:
            self.lib.llama_batch_free(self._batch)
            self.lib.llama_free(self._context)
            self.lib.llama_model_free(self._model)
            self._context = self._model = None

    def use_threads(self, count: int) -> None:
        """Sets the number of threads for decoding."""
        self.lib.llama_set_n_threads(self._context, count, count)

    # text and tokens

    def tokenize(self, text: str, *, special: bool = False) -> list[int]:
        """Token ids of `text`; control tokens such as <|im_start|> are recognised only if `special` is true."""
        data, add_special = text.encode(), False
        buffer = (self.lib.llama_token * (len(data) + 8))()
        count = self.lib.llama_tokenize(self.vocab, data, len(data), buffer, len(buffer), add_special, special)
        return list(buffer[:count])

    # prefix and sequences

    @property
    def prefix_length(self) -> int:
        return len(self._prefix)

    def set_prefix(
        self,
        before: str,
        parts: Sequence[str],
        after: str,
        cancelled: CancelledCallback = never_cancelled,
    ) -> list[int]:
        """Decodes the shared prefix into sequence 0, reusing what it has in common with the previous one.

        `before` and `after` are trusted and may contain control tokens; `parts` are dictated text and never parsed
        for control tokens.

        Returns:
            Number of prefix tokens up to the end of each part.

        Raises:
            ResourceError: the prefix leaves no space for questions.
        """
        tokens = self.tokenize(before, special=True)
        ends = []
        for part in parts:
            tokens += self.tokenize(part)
            ends.append(len(tokens))
        tokens += self.tokenize(after, special=True)
        if len(tokens) > self.context_tokens - _ROOM_TOKENS:
            raise ResourceError(
                f"Part of the dictation needs {len(tokens)} tokens; the model holds {self.context_tokens}.",
                "Split the dictation into shorter ones.",
            )
        kept = min(_common_length(self._prefix, tokens), len(tokens) - 1)
        self.forget_continuations()
        self.lib.llama_memory_seq_rm(self._memory, PREFIX_SEQUENCE, kept, -1)
        self._prefix = tokens[:kept]
        self.decode_all(
            [TokenEntry(token, kept + i, PREFIX_SEQUENCE, wanted=False) for i, token in enumerate(tokens[kept:])],
            cancelled,
        )
        self._prefix = tokens
        self.tokens.prompt += len(tokens) - kept
        return ends

    def forget_prefix(self) -> None:
        """Empties the context of everything that was read."""
        self._prefix = []
        self.lib.llama_memory_clear(self._memory, True)  # noqa: FBT003 - a C function: also clear the data

    def forget_continuations(self) -> None:
        """Drops every sequence but the prefix."""
        for sequence in range(1, MAX_SEQUENCES):
            self.lib.llama_memory_seq_rm(self._memory, sequence, -1, -1)

    def branch(self, source: int, target: int, length: int) -> None:
        """Lets sequence `target` continue the first `length` tokens of `source`; their cells are shared, not copied."""
        self.lib.llama_memory_seq_cp(self._memory, source, target, 0, length)

    @property
    def last_prefix_token(self) -> int:
        """The token that all continuations follow."""
        return self._prefix[-1]

    # decoding

    def decode_all(self, entries: Sequence[TokenEntry], cancelled: CancelledCallback = never_cancelled) -> None:
        """Decodes any number of entries without requesting distributions."""
        for chunk, spare in chunks(self, entries, cancelled):
            self.decode(chunk, spare)

    def decode(self, entries: Sequence[TokenEntry], spare: int = 0) -> None:
        """Calls llama_decode once, with `spare` padding tokens; at most CHUNK_TOKENS in total.

        Raises:
            ResourceError: llama.cpp ran out of space or failed; the prefix is forgotten and the call may be repeated.
        """
        batch = self._batch
        batch.n_tokens = len(entries) + spare
        fill = [TokenEntry(self.newline, position, _SPARE_SEQUENCE, wanted=False) for position in range(spare)]
        for i, entry in enumerate((*entries, *fill)):
            batch.token[i] = entry.token
            batch.pos[i] = entry.position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = entry.sequence
            batch.logits[i] = entry.wanted
        if self.tap:
            self.tap.begin()
        start = time.monotonic()
        status = self.lib.llama_decode(self._context, batch)
        self._note_speed(batch.n_tokens, time.monotonic() - start)
        if spare:
            self.lib.llama_memory_seq_rm(self._memory, _SPARE_SEQUENCE, -1, -1)
        if status != 0:
            self.forget_prefix()
            if self.device == "gpu":
                raise GpuError(f"The graphics card failed in the language model (llama.cpp status {status}).")
            raise ResourceError(
                f"The language model could not decode {len(entries)} tokens (llama.cpp status {status}).",
                "Try again; if it happens again, choose the smaller model in the settings.",
                retryable=True,
            )

    def _note_speed(self, tokens: int, seconds: float) -> None:
        if tokens >= _TELLING_TOKENS:
            speed, known = tokens / seconds, self.tokens_per_second
            self.tokens_per_second = speed if math.isinf(known) else (known + speed) / 2

    def logits(self, row: int) -> NDArray[np.float32]:
        """Logits after entry `row` of the last decode call, shape (vocabulary,); valid until the next call."""
        pointer = self.lib.llama_get_logits_ith(self._context, row)
        return np.ctypeslib.as_array(pointer, shape=(self._vocab_size,))

    def log_probabilities(self, row: int, tokens: Sequence[int]) -> NDArray[np.float64]:
        """Natural log-probability of each of `tokens` after entry `row`, over the whole vocabulary."""
        logits = self.logits(row)
        peak = float(logits.max())
        whole = peak + math.log(float(np.exp(logits - peak).sum()))
        return logits[list(tokens)].astype(np.float64) - whole


def chunks(
    llm: LlamaRuntime, entries: Sequence[TokenEntry], cancelled: CancelledCallback, *, decided: bool = False
) -> Iterator[tuple[Sequence[TokenEntry], int]]:
    """Splits entries into chunks for one decode call each, with the number of padding tokens.

    Padding makes the results independent of the split; `decided`: the entries belong to answers rather than prompts.
    Cancellation is checked before each chunk, and may change the chunk size.
    """
    fewest, most = _FEW
    taken = 0
    while taken < len(entries):
        stop_if(cancelled)
        chunk = entries[taken : taken + (most if decided else llm.chunk_tokens)]
        ends = [place for place, entry in enumerate(chunk, start=1) if entry.wanted]
        chunk = chunk[: ends[most - 1]] if len(ends) > most else chunk
        size = len(chunk)
        yield chunk, max(fewest - size, 0) if decided else max(_FEWEST_READ - size, -size % _READ_TOGETHER)
        taken += size


@cache
def start_silently() -> Any:
    """Starts llama.cpp without its output on stderr.

    What it returns is called by llama.cpp, and so is kept until the process ends.
    """
    import llama_cpp

    log = llama_cpp.llama_log_callback(_no_log)
    llama_cpp.llama_log_set(log, ctypes.c_void_p(0))
    llama_cpp.llama_backend_init()
    return log


def _no_log(_level: int, _text: bytes, _data: Any) -> None:
    """Discards llama.cpp's output on stderr; failures reach the caller as exceptions."""


def _common_length(a: Sequence[int], b: Sequence[int]) -> int:
    length = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        length += 1
    return length
