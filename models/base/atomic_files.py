"""Files that are either there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from models.base.errors import ResourceError


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder survive a power cut. Windows cannot open folders and does this by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_and_sync(path: Path, data: bytes) -> None:
    """Writes a file down to the disk; one that could not be written whole is removed. Raises OSError."""
    try:
        with path.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
    except BaseException:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def replace_file(path: Path, data: bytes) -> None:
    """Replaces the content of a file in one step: a reader, or a crash, meets the old or the new. Raises OSError."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        write_and_sync(partial, data)
        partial.replace(path)
        sync_folder(path.parent)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


@contextmanager
def disk(path: Path) -> Iterator[None]:
    """Says in words what the disk refused."""
    try:
        yield
    except OSError as error:
        raise ResourceError(
            f"{path} cannot be read or written: {error.strerror}.",
            "Check the free space and the permissions of the folder.",
        ) from error
