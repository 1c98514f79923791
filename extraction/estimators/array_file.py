"""Writes arrays to a file atomically."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Writes named arrays for `numpy.load`. Raises OSError."""
    import numpy as np

    partial = path.with_suffix(".partial")
    with partial.open("wb") as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]
    partial.replace(path)
