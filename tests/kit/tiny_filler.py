"""A Qwen2 model of three layers with random weights and one token for each byte, as a GGUF file."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

LAYERS, WIDTH, HEADS, SHARED_HEADS, INNER = 3, 64, 4, 2, 96
_SEED = 20260101


def write_tiny_filler(path: Path, *, markers: tuple[str, str] = ("<|im_start|>", "<|im_end|>")) -> None:
    draw = np.random.default_rng(_SEED)
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_block_count(LAYERS)
    writer.add_context_length(1024)
    writer.add_embedding_length(WIDTH)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(SHARED_HEADS)
    writer.add_rope_freq_base(1e6)
    writer.add_layer_norm_rms_eps(1e-6)
    pieces = [*_byte_pieces(), "<|endoftext|>", *markers]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(pieces)
    writer.add_token_types([gguf.TokenType.NORMAL] * 256 + [gguf.TokenType.CONTROL] * 3)
    writer.add_token_merges(["a b"])
    writer.add_eos_token_id(256)

    def matrix(name: str, outputs: int, inputs: int) -> None:
        values = draw.normal(size=(outputs, inputs)) / np.sqrt(inputs)
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))

    def vector(name: str, size: int, mean: float) -> None:
        writer.add_tensor(name, (mean + 0.1 * draw.normal(size=size)).astype(np.float32))

    matrix("token_embd", len(pieces), WIDTH)
    vector("output_norm.weight", WIDTH, 1.0)
    head = WIDTH // HEADS
    for layer in range(LAYERS):
        place = f"blk.{layer}"
        for name, outputs in (("attn_q", WIDTH), ("attn_k", SHARED_HEADS * head), ("attn_v", SHARED_HEADS * head)):
            matrix(f"{place}.{name}", outputs, WIDTH)
            vector(f"{place}.{name}.bias", outputs, 0.0)
        matrix(f"{place}.attn_output", WIDTH, WIDTH)
        matrix(f"{place}.ffn_gate", INNER, WIDTH)
        matrix(f"{place}.ffn_up", INNER, WIDTH)
        matrix(f"{place}.ffn_down", WIDTH, INNER)
        vector(f"{place}.attn_norm.weight", WIDTH, 1.0)
        vector(f"{place}.ffn_norm.weight", WIDTH, 1.0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _byte_pieces() -> list[str]:
    """One piece for each byte, as byte-level vocabularies write it: itself if it can be seen, else one from 256 on."""
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in seen else chr(next(others)) for byte in range(256)]
