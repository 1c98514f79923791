"""What a GGUF file says of itself, and whether the questions to the language model fit it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.errors import ModelFileError
from models.runtimes.llm import start_silently

# The prompts are written in this chat format (Qwen 1.5 to 3 and others).
_MARKERS = ("<|im_start|>", "<|im_end|>")
_LONGEST = 256  # bytes of a fact
_SHORTEST_CONTEXT = 2048  # tokens, where the file does not say


@dataclass(frozen=True, slots=True)
class GgufFacts:
    """Facts of a GGUF file.

    Attributes:
        name, licence: as its author gave them; empty if not.
        context_tokens: the longest input in tokens that the model was trained for.
        knows_markers: whether its vocabulary has the markers between which the prompts stand.
    """

    name: str
    licence: str
    context_tokens: int
    knows_markers: bool


def read_gguf_facts(path: Path) -> GgufFacts:
    """Reads a file without its weights. Raises ModelFileError if llama.cpp refuses it."""
    import llama_cpp

    start_silently()
    params = llama_cpp.llama_model_default_params()
    params.vocab_only = True
    model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
    if not model:
        raise ModelFileError(
            f"llama.cpp cannot read {path.name}: it is damaged, or of a kind that this release does not know.",
            "Copy it again, or choose another model.",
        )
    try:
        vocab = llama_cpp.llama_model_get_vocab(model)
        context = _text(model, f"{_text(model, 'general.architecture')}.context_length")
        return GgufFacts(
            _text(model, "general.name"),
            _text(model, "general.license"),
            int(context) if context.isdecimal() else _SHORTEST_CONTEXT,
            all(_is_token(vocab, marker.encode()) for marker in _MARKERS),
        )
    finally:
        llama_cpp.llama_model_free(model)


def _text(model: Any, key: str) -> str:
    import llama_cpp

    buffer = ctypes.create_string_buffer(_LONGEST)
    length = llama_cpp.llama_model_meta_val_str(model, key.encode(), buffer, len(buffer))
    return buffer.value.decode(errors="replace") if length > 0 else ""


def _is_token(vocab: Any, text: bytes) -> bool:
    """Whether a text is a single control token."""
    import llama_cpp

    buffer = (llama_cpp.llama_token * len(text))()
    add_special, parse_special = False, True
    return bool(llama_cpp.llama_tokenize(vocab, text, len(text), buffer, len(buffer), add_special, parse_special) == 1)
