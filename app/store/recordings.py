"""The folder with the store's own copies of recordings and texts.

Until a copy is in the database, an empty file `<name>.pending` marks it. The next `clean` settles what a crash leaves:
marked copies that the database knows are kept, others are deleted. Files without a mark are never touched.
"""

from __future__ import annotations

import hashlib
import os
import re
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from models.base.atomic_files import sync_folder
from models.base.errors import InputError, ResourceError

_PENDING = ".pending"
_CHUNK_BYTES = 1024 * 1024
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that is on the disk but not yet in the database."""

    name: str
    sha256: str
    size: int


class Recordings:
    """The copies in one folder, which is created if missing. Raises ResourceError."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise self._unwritable(error) from error

    def copy(self, source: Path) -> Copy:
        """Copies a file and syncs the copy to the disk. `settle` must follow.

        Raises InputError if the source cannot be read and ResourceError if the copy cannot be written; then nothing is
        left of the copy. The source is never changed.
        """
        suffix = source.suffix.lower()
        name = uuid.uuid4().hex + (suffix if _SUFFIX.fullmatch(suffix) else "")
        digest, size = hashlib.sha256(), 0
        try:
            if not source.is_file():
                raise InputError(f"There is no file {source}.", "Choose a recording or a text file.")
            with source.open("rb") as reader:
                try:
                    self._marker(name).touch(mode=0o600)
                    with self._create(name) as writer:
                        while chunk := _read(reader, source):
                            writer.write(chunk)
                            digest.update(chunk)
                            size += len(chunk)
                        writer.flush()
                        os.fsync(writer.fileno())
                    sync_folder(self.folder)
                except OSError as error:
                    raise self._unwritable(error) from error
        except BaseException as error:
            self.settle(name, kept=False)
            if isinstance(error, OSError):
                raise _unreadable(source, error) from error
            raise
        return Copy(name, digest.hexdigest(), size)

    def settle(self, name: str, *, kept: bool) -> None:
        """Finishes copying: keeps or deletes the copy. What cannot be deleted now is left for `clean`."""
        with suppress(OSError):
            if not kept:
                (self.folder / name).unlink(missing_ok=True)
            self._marker(name).unlink(missing_ok=True)

    def sha256(self, source: Path) -> str:
        """The digest that a copy of this file would have. Raises InputError."""
        try:
            with source.open("rb") as reader:
                return hashlib.file_digest(reader, "sha256").hexdigest()
        except OSError as error:
            raise _unreadable(source, error) from error

    def remove(self, path: Path) -> None:
        """Deletes a copy permanently. Raises ResourceError."""
        try:
            path.unlink(missing_ok=True)
            sync_folder(self.folder)
        except OSError as error:
            raise ResourceError(
                f"The recording {path} cannot be removed: {error.strerror}.",
                "Check the permissions of the folder; it is tried again at the next start.",
                retryable=True,
            ) from error

    def clean(self, is_known: Callable[[str], bool]) -> None:
        """Settles what a crash left; call it only while nothing is copied."""
        for marker in self.folder.glob(f"*{_PENDING}"):
            name = marker.name.removesuffix(_PENDING)
            self.settle(name, kept=is_known(name))

    def _marker(self, name: str) -> Path:
        return self.folder / f"{name}{_PENDING}"

    def _create(self, name: str) -> BinaryIO:
        return open(self.folder / name, "xb", opener=lambda path, flags: os.open(path, flags, 0o600))

    def _unwritable(self, error: OSError) -> ResourceError:
        return ResourceError(
            f"The recording cannot be kept in {self.folder}: {error.strerror}. The original is untouched.",
            "Free some disk space or check the permissions of the folder, then try again.",
            retryable=True,
        )


def _read(reader: BinaryIO, source: Path) -> bytes:
    # distinguishes a source that cannot be read from a copy that cannot be written
    try:
        return reader.read(_CHUNK_BYTES)
    except OSError as error:
        raise _unreadable(source, error) from error


def _unreadable(source: Path, error: OSError) -> InputError:
    return InputError(f"{source} cannot be read: {error.strerror}.", "Check its permissions, or choose another file.")
