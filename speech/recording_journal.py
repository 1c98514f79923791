"""Writes a recording to disk as it arrives, so that it survives a crash.

One folder holds one recording: `head.json`, written first and atomically, describes it; `sound.pcm` grows by raw
samples (16 kHz, mono, int16, little-endian); `marks.jsonl` by one line per pause. Both are append-only, so that
whatever ends the program leaves the beginning of the recording intact. Finishing converts it to a wave file.
"""

from __future__ import annotations

import json
import os
import time
import wave
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Literal, Self

from models.base.atomic_files import sync_folder, whole_file
from models.base.errors import InputError, ResourceError
from speech.audio import MINIMUM_SECONDS, SAMPLE_BYTES, SAMPLE_RATE, wave_writer

FORMAT = "wardlight-recording/1"
SYNC_SECONDS = 0.4  # together with the time between two appends, less than the promised 0.5 s
_BLOCK_BYTES = 1024 * 1024
_HEAD, _SOUND, _MARKS = "head.json", "sound.pcm", "marks.jsonl"
_OWN = 0o600  # the user's alone
_LAYOUT = {"format": FORMAT, "sample_rate": SAMPLE_RATE, "channels": 1, "sample_format": "int16"}


@dataclass(frozen=True, slots=True)
class Head:
    """What a recording is bound to from its start.

    Attributes:
        started_at: UTC in ISO 8601.
        patient_id: the store's number of the patient.
        bed: the patient's bed at the start; may be empty.
    """

    started_at: str
    patient_id: int
    bed: str
    schema_id: str
    reviewer: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A pause or resumption, after how many samples and when (UTC in ISO 8601)."""

    kind: Literal["pause", "resume"]
    sample: int
    at: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A recording on disk; a truncated last sample or mark is ignored."""

    folder: Path
    head: Head
    samples: int
    marks: tuple[Mark, ...] = ()

    @property
    def seconds(self) -> float:
        return self.samples / SAMPLE_RATE

    @property
    def ended_at(self) -> datetime:
        """When its last sample was heard (UTC)."""
        at, sample = (self.marks[-1].at, self.marks[-1].sample) if self.marks else (self.head.started_at, 0)
        return datetime.fromisoformat(at) + timedelta(seconds=(self.samples - sample) / SAMPLE_RATE)

    @property
    def too_short(self) -> bool:
        """Whether it is too short to contain a word."""
        return self.seconds < MINIMUM_SECONDS

    @property
    def wave(self) -> Path:
        """The wave file that `finish` creates."""
        return _wave(self.folder)


class Journal:
    """A recording being written, for use by one thread. Whatever was appended before an error is kept.

    Args:
        root: the folder for all recordings; it and one for this recording are created.

    Raises:
        ResourceError: from every method, for a full disk or a missing permission.
    """

    def __init__(self, root: Path, head: Head) -> None:
        self._bytes = 0
        self._synced_at = time.monotonic()
        with _writing(root):
            self.folder = _new_folder(root, head)
            with whole_file(self.folder / _HEAD, _OWN) as file:
                file.write(json.dumps(_LAYOUT | asdict(head), indent=1).encode())
            self._sound, self._marks = (_append_to(self.folder / name) for name in (_SOUND, _MARKS))
            sync_folder(self.folder)
            sync_folder(root)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def append(self, pcm: bytes) -> None:
        """Appends samples, and syncs them to disk if the last sync was at least SYNC_SECONDS ago."""
        with _writing(self.folder):
            _write(self._sound, pcm)
            self._bytes += len(pcm)
            if time.monotonic() - self._synced_at >= SYNC_SECONDS:
                self._sync()

    def mark(self, kind: Literal["pause", "resume"]) -> None:
        """Records a pause or its end, and syncs everything."""
        note = Mark(kind, self._bytes // SAMPLE_BYTES, datetime.now(UTC).isoformat())
        with _writing(self.folder):
            _write(self._marks, json.dumps(asdict(note)).encode() + b"\n")
            self._sync()
            os.fsync(self._marks.fileno())

    def sync(self) -> None:
        """Syncs everything to disk."""
        with _writing(self.folder):
            self._sync()

    def close(self) -> None:
        """Syncs what it can and closes the files; the recording remains."""
        with suppress(ResourceError):
            self.sync()
        for file in (self._sound, self._marks):
            file.close()

    def _sync(self) -> None:
        os.fsync(self._sound.fileno())
        self._synced_at = time.monotonic()


def read(folder: Path) -> Kept:
    """Reads a recording. Raises InputError if the folder holds none, or one from a newer version."""
    try:
        head = json.loads((folder / _HEAD).read_bytes())
        if any(head.pop(name, None) != value for name, value in _LAYOUT.items()):
            raise ValueError("another layout")
        samples = _samples(folder)
        return Kept(folder, Head(**head), samples, tuple(_marks_in(folder, samples)))
    except (OSError, ValueError, TypeError, AttributeError, wave.Error, EOFError) as error:
        raise InputError(
            f"{folder} contains no recording that this version can read.", "It was not changed; check it manually."
        ) from error


def unfinished(root: Path) -> list[Kept]:
    """Recordings that were neither handed over nor discarded, oldest first; other folders are ignored."""
    found = []
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        with suppress(InputError):
            found.append(read(folder))
    return sorted(found, key=lambda kept: kept.head.started_at)


def finish(folder: Path) -> Path:
    """Converts a recording to a wave file in its folder, atomically, and removes the samples.

    Call `discard` once the file is stored elsewhere. A recording that is already finished is unchanged.

    Raises:
        InputError: it is too short to contain a word, or the folder holds no recording.
        ResourceError: the file cannot be written; the journal remains.
    """
    kept = read(folder)
    if kept.too_short:
        raise InputError("Nothing was recorded.", "Record for longer, and check that the level moves.")
    with _writing(folder):
        if not kept.wave.exists():
            with whole_file(kept.wave, _OWN) as file, wave_writer(file) as out:
                out.setnframes(kept.samples)
                for block in blocks(kept):
                    out.writeframesraw(block)
        (folder / _SOUND).unlink(missing_ok=True)
    return kept.wave


def blocks(kept: Kept) -> Iterator[bytes]:
    """The samples of an unfinished recording, in blocks."""
    left = kept.samples * SAMPLE_BYTES
    with (kept.folder / _SOUND).open("rb") as file:
        while left and (block := file.read(min(left, _BLOCK_BYTES))):
            left -= len(block)
            yield block


def discard(folder: Path) -> None:
    """Removes a recording for good, its head last, so that after a failure the rest is found again.

    Raises ResourceError.
    """
    try:
        for path in sorted(folder.iterdir(), key=lambda path: path.name == _HEAD):
            path.unlink()
        folder.rmdir()
    except FileNotFoundError:
        return
    except OSError as error:
        raise ResourceError(
            f"The recording in {folder} cannot be removed: {error.strerror}.",
            "Check the permissions of the folder, then remove it manually.",
        ) from error


def _wave(folder: Path) -> Path:
    return folder / f"{folder.name}.wav"


def _samples(folder: Path) -> int:
    if _wave(folder).exists():
        with wave.open(str(_wave(folder)), "rb") as file:
            return file.getnframes()
    sound = folder / _SOUND
    return sound.stat().st_size // SAMPLE_BYTES if sound.exists() else 0


def _marks_in(folder: Path, samples: int) -> Iterator[Mark]:
    """The marks up to the first that is incomplete or beyond the last sample."""
    path = folder / _MARKS
    for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
        try:
            mark = Mark(**json.loads(line))
        except (ValueError, TypeError):
            return
        if not line.endswith(b"\n") or mark.sample > samples:
            return
        yield mark


def _new_folder(root: Path, head: Head) -> Path:
    """Creates a uniquely named folder from the local time."""
    root.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = f"recording-{datetime.fromisoformat(head.started_at).astimezone():%Y%m%d-%H%M%S}"
    for number in range(1, 1000):
        folder = root / (name if number == 1 else f"{name}-{number}")
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            return folder
    raise FileExistsError(17, "too many recordings in one second", str(root))


def _append_to(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, _OWN), "ab", buffering=0)


def _write(file: BinaryIO, data: bytes) -> None:
    while data:  # an unbuffered file may write only a part
        data = data[file.write(data) :]


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ResourceError(
            f"The recording cannot be written to {folder}: {error.strerror}. The recording so far is kept.",
            "Free some disk space or check the permissions of the folder, then try again.",
            retryable=True,
        ) from error
