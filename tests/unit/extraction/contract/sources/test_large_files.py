"""A large export is read as a stream: memory does not grow with its size."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from tests.benchmarks.large_export import read_all, write_dump

MEGABYTE = 1024**2


def most_memory(folder: Path, size: int) -> int:
    """The most that reading a dump of this size allocates."""
    folder.mkdir()
    records = write_dump(folder / "values.csv", size)
    tracemalloc.start()
    try:
        assert read_all(folder) == records
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_size_of_an_export(tmp_path: Path) -> None:
    most_memory(tmp_path / "first", MEGABYTE // 4)  # what is loaded once is no cost of a file
    small, large = (most_memory(tmp_path / f"of {size}", size * MEGABYTE) for size in (1, 3))
    assert large < small + MEGABYTE
