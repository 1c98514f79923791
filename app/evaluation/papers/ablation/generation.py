"""Free text on the shared prefix, one token at a time, constrained by a grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from models.base.progress import (
    NOT_MONITORED,
    Progress,
    ProgressMonitor,
    stop_if,
)
from models.runtimes.llm import PREFIX_SEQUENCE, LlamaRuntime, TokenEntry


@dataclass(frozen=True, slots=True)
class Generation:
    """Greedy text with the natural log-probability of each token; `complete` is false if it reached the token limit."""

    text: str
    log_probabilities: tuple[float, ...]
    complete: bool


def generate(
    llm: LlamaRuntime,
    grammar: str,
    *,
    max_tokens: int,
    monitor: ProgressMonitor = NOT_MONITORED,
) -> Generation:
    """The likeliest text after the prefix that the GBNF `grammar` (its rule `root`) permits.

    The unconstrained favourite is tried first; the grammar is applied to the whole vocabulary only if it refuses that.

    Raises:
        ValueError: the grammar is invalid.
    """
    lib = llm.lib
    sampler = lib.llama_sampler_init_grammar(llm.vocab, grammar.encode(), b"root")
    if not sampler:
        raise ValueError("llama.cpp cannot read the grammar")
    llm.forget_continuations()
    sequence = PREFIX_SEQUENCE + 1
    # The last prefix token is decoded again in the copy, for its distribution.
    position = llm.prefix_length - 1
    llm.branch(PREFIX_SEQUENCE, sequence, position)
    token = llm.last_prefix_token
    written: list[bytes] = []
    logs: list[float] = []
    complete = False
    try:
        while len(logs) < max_tokens:
            stop_if(monitor.cancelled)
            llm.decode([TokenEntry(token, position, sequence, wanted=True)])
            token = _permitted(llm, sampler)
            lib.llama_sampler_accept(sampler, token)
            logs.append(float(llm.log_probabilities(0, [token])[0]))
            llm.tokens.completion += 1
            if lib.llama_vocab_is_eog(llm.vocab, token):
                complete = True
                break
            written.append(_piece(llm, token))
            position += 1
            monitor.report(Progress("fill", None, f"{len(logs)} tokens"))
    finally:
        lib.llama_sampler_free(sampler)
    return Generation(b"".join(written).decode("utf-8", errors="replace"), tuple(logs), complete)


def _piece(llm: LlamaRuntime, token: int) -> bytes:
    """The bytes of a token; empty for control tokens."""
    import ctypes

    buffer = ctypes.create_string_buffer(256)
    special = False
    length = llm.lib.llama_token_to_piece(llm.vocab, token, buffer, len(buffer), 0, special)
    return buffer.raw[: max(length, 0)]


def _permitted(llm: LlamaRuntime, sampler: Any) -> int:
    """The likeliest token that the grammar permits next."""
    import ctypes

    import numpy as np

    lib = llm.lib
    logits = llm.logits(0)
    favourite = int(logits.argmax())
    for tokens in (np.array([favourite]), np.arange(len(logits))):
        data = (lib.llama_token_data * len(tokens))()
        view = np.ctypeslib.as_array(data)
        view["id"], view["logit"] = tokens, logits[tokens]
        candidates = lib.llama_token_data_array(data=data, size=len(tokens), selected=-1, sorted=False)
        lib.llama_sampler_apply(sampler, ctypes.byref(candidates))
        best = int(view["logit"].argmax())
        if np.isfinite(view["logit"][best]):
            return int(view["id"][best])
    raise ValueError("the grammar permits no further token")
