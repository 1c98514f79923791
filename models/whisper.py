"""The speech model: faster-whisper (CTranslate2) from a local folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from models.errors import ModelFileError


class WhisperRuntime:
    """A Whisper model held in memory.

    Args:
        folder: a CTranslate2 model whose files were verified by the registry.
        device: 'auto' (CUDA where CTranslate2 finds a GPU), 'cpu' or 'cuda'.
        threads: processor threads; the caller owns the budget.
    Raises:
        ModelFileError: the folder cannot be read as a CTranslate2 Whisper model.
    """

    def __init__(self, folder: Path, *, device: str = "auto", threads: int = 2) -> None:
        import ctranslate2
        from faster_whisper import WhisperModel

        gpu = device != "cpu" and ctranslate2.get_cuda_device_count() > 0
        self.device = "cuda" if gpu else "cpu"
        self.compute_type = "float16" if gpu else "int8"
        self.model_id = folder.name
        try:
            self.model: Any = WhisperModel(
                str(folder),
                device=self.device,
                compute_type=self.compute_type,
                cpu_threads=threads,
                local_files_only=True,
            )
        except (RuntimeError, ValueError, OSError) as error:
            raise ModelFileError(
                f"The speech model in {folder.name} cannot be loaded: {error}.",
                "Run 'wardlight models verify', then 'wardlight models install' to replace it.",
            ) from error

    def token_count(self, text: str) -> int:
        """Tokens that Whisper needs to write `text`."""
        return len(self.model.hf_tokenizer.encode(text, add_special_tokens=False).ids)
