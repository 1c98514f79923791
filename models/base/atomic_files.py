"""Files that are either there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

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


@contextmanager
def whole_file(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """A file to write that appears under its name only once all is written and synced. Raises OSError.

    A reader, or a crash, meets the old content or the new. `mode` is that of a new file, less the process's mask.
    """
    partial = path.with_name(f".{path.name}.partial")
    try:
        with open(partial, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        sync_folder(path.parent)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes) -> None:
    """Replaces the content of a file in one step, see `whole_file`. Raises OSError."""
    with whole_file(path) as file:
        file.write(data)


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
