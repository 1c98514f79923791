"""The low-rank adapters of the filler that are shipped: they teach it to tell what a dictation states of a row.

They are fitted to the corpus by `extraction.learning.filler_adapter`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import resources
from extraction.flowsheet.schema import file_sha256

ADAPTER_FILE = "adapter.gguf"


def shipped_filler_adapter(filler: str) -> Path | None:
    """The file shipped for a filler, by its id; None if there is none."""
    found = resources.FOLDER / "learned" / filler / ADAPTER_FILE
    return found if found.is_file() else None


@cache
def filler_adapter_sha256(filler: str) -> str:
    """Hash of the file; empty if there is none."""
    found = shipped_filler_adapter(filler)
    return file_sha256(found.read_bytes()) if found else ""
