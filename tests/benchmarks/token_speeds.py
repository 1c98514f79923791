"""A task of the inference process: how fast the language model reads and writes."""

from __future__ import annotations

import time

from models.base.progress import ProgressMonitor
from models.runtimes.llm import PREFIX_SEQUENCE, TokenEntry
from models.runtimes.loaded import Runtimes

_READ_TOKENS, _WRITTEN_TOKENS = 2000, 200


def token_speeds(runtimes: Runtimes, *, text: str, monitor: ProgressMonitor) -> dict[str, float]:
    """Tokens per second that the language model reads and writes."""
    llm = runtimes.llm
    many = llm.tokenize(text * 20)[:_READ_TOKENS]
    llm.set_prefix("", [], "Write:\n")
    start = time.monotonic()
    llm.decode_all(
        [
            TokenEntry(token, llm.prefix_length + place, PREFIX_SEQUENCE, wanted=False)
            for place, token in enumerate(many)
        ]
    )
    llm.lib.llama_synchronize(llm._context)  # the GPU may still be reading
    read = len(many) / (time.monotonic() - start)
    position, token = llm.prefix_length + len(many), many[0]
    start = time.monotonic()
    for place in range(_WRITTEN_TOKENS):
        llm.decode([TokenEntry(token, position + place, PREFIX_SEQUENCE, wanted=True)])
        token = int(llm.logits(0).argmax())
    return {"read_per_second": read, "written_per_second": _WRITTEN_TOKENS / (time.monotonic() - start)}
