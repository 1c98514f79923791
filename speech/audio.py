"""Decodes any recording into blocks of float32 mono 16 kHz samples, on demand."""

from __future__ import annotations

import stat
import wave
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from speech.errors import AudioError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

SAMPLE_RATE = 16_000
SAMPLE_BYTES = 2
MAXIMUM_SECONDS = 4 * 3600.0
MINIMUM_SECONDS = 0.1

# Demuxers that read one local file. Playlists are excluded: they could point to other files or to a network.
_CONTAINERS = "wav,w64,aiff,au,caf,flac,mp3,aac,mov,mp4,m4a,ogg,matroska,webm,asf,amr"
_FORMATS_HINT = "Choose a recording in one of the usual formats: wav, flac, mp3, m4a, ogg or webm."


@dataclass(frozen=True, slots=True)
class AudioInfo:
    """The metadata of a recording.

    Attributes:
        duration: seconds; None if the file does not say.
        sample_rate: Hz.
    """

    duration: float | None
    sample_rate: int
    channels: int
    codec: str


class RecordedSound:
    """A recording being decoded.

    Attributes:
        info: the file's metadata.
        decoded: samples decoded so far.
        damaged: whether a part of it could not be decoded.
    """

    def __init__(self, path: Path) -> None:
        """Raises AudioError if the file is not a recording or is longer than MAXIMUM_SECONDS."""
        with _opened(path) as (_, stream):
            self.info = _info(stream)
        if self.info.duration is not None and self.info.duration > MAXIMUM_SECONDS:
            raise _too_long(path)
        self.path = path
        self.decoded = 0
        self.damaged = _is_cut_wave(path)

    @property
    def seconds(self) -> float:
        """Seconds decoded so far."""
        return self.decoded / SAMPLE_RATE

    def blocks(self, seconds: float) -> Iterator[Samples]:
        """Float32 mono samples at 16 kHz in [-1, 1], `seconds` at a time.

        Undecodable parts are left out and recorded in `damaged`.

        Raises:
            AudioError: nothing could be decoded, or the recording is longer than MAXIMUM_SECONDS.
        """
        import numpy as np

        size = int(seconds * SAMPLE_RATE)
        pieces: list[Samples] = []
        held = 0
        for piece in self._pieces():
            self.decoded += len(piece)
            if self.seconds > MAXIMUM_SECONDS:
                raise _too_long(self.path)
            pieces.append(piece)
            held += len(piece)
            if held >= size:
                joined = np.concatenate(pieces)
                whole = held - held % size
                for start in range(0, whole, size):
                    yield joined[start : start + size]
                pieces, held = [joined[whole:]], held - whole
        if held:
            yield np.concatenate(pieces)
        expected = self.info.duration or 0.0
        # Containers round their length, and lossy codecs pad the last frame.
        if expected - self.seconds > max(0.5, 0.02 * expected):
            self.damaged = True
        if self.seconds < MINIMUM_SECONDS:
            raise _nothing_in(self.path, damaged=self.damaged)

    def _pieces(self) -> Iterator[Samples]:
        import av
        import numpy as np

        with _opened(self.path) as (container, stream):
            resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
            for frame in chain(self._frames(container, stream), [None]):
                try:
                    resampled = resampler.resample(frame)
                except (av.FFmpegError, ValueError):  # ValueError: the format changes in the middle of the file
                    self.damaged = True
                    continue
                for part in resampled:
                    yield part.to_ndarray().reshape(-1).astype(np.float32) / 32768.0

    def _frames(self, container: Any, stream: Any) -> Iterator[Any]:
        import av

        packets = container.demux(stream)
        while True:
            try:
                packet = next(packets)
            except StopIteration:
                return
            except av.FFmpegError:
                self.damaged = True
                return
            try:
                frames = packet.decode()
            except av.FFmpegError:
                self.damaged = True
                continue
            for frame in frames:
                frame.pts = None  # gaps in the file's own clock are not silence; times count decoded samples
                yield frame


def probe(path: Path) -> AudioInfo:
    """The metadata of a recording, without decoding it.

    Raises:
        AudioError: the file is missing, unreadable, empty, or not a recording.
    """
    with _opened(path) as (_, stream):
        return _info(stream)


def made_at(path: Path) -> datetime | None:
    """When a recording was made, according to its container (`creation_time`, or a broadcast wave's `date`).

    None if the container has no readable time. A time without a zone is taken as local.
    """
    with _opened(path) as (container, stream):
        written = {**container.metadata, **stream.metadata}
    said = [written.get("creation_time"), f"{written.get('date', '')} {written.get('time', '')}"]
    for text in filter(None, said):
        with suppress(ValueError):
            at = datetime.fromisoformat(text.strip())
            if len(text.strip()) > len("2026-01-31"):  # a date alone is not enough
                return at.astimezone()
    return None


def verify(path: Path) -> None:
    """Decodes just enough to know that a file contains sound.

    Raises:
        AudioError: the file is missing, unreadable, empty, not a recording, too long, or entirely undecodable.
    """
    recording = RecordedSound(path)
    held = 0
    for piece in recording._pieces():
        held += len(piece)
        if held >= MINIMUM_SECONDS * SAMPLE_RATE:
            return
    raise _nothing_in(path, damaged=recording.damaged)


def decode(path: Path) -> Samples:
    """Decodes the whole recording: float32 mono 16 kHz, 64 kB per second.

    Raises AudioError as `RecordedSound.blocks`.
    """
    import numpy as np

    return np.concatenate(list(RecordedSound(path).blocks(60.0)))


def pcm(samples: Samples) -> bytes:
    """Samples as int16, the format of a microphone; `decode` would restore exactly these."""

    return bytes((samples * 32768.0).round().clip(-32768, 32767).astype("<i2").tobytes())


@contextmanager
def wave_writer(file: Path | BinaryIO) -> Iterator[wave.Wave_write]:
    """Writes sound as a microphone gives it into a wave file: int16, mono, 16 kHz. Raises OSError."""
    with wave.open(str(file) if isinstance(file, Path) else file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(SAMPLE_BYTES)
        out.setframerate(SAMPLE_RATE)
        yield out


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Any, Any]]:
    """The container and its first audio stream."""
    import av

    _check_file(path)
    try:
        # "file:" keeps a name such as "http:x" from being read as an address.
        container = av.open(
            f"file:{path}",
            metadata_errors="ignore",
            options={"format_whitelist": _CONTAINERS, "protocol_whitelist": "file"},
        )
    except (av.FFmpegError, ValueError) as error:
        raise AudioError(f"{path.name} is not a recording that Wardlight can read.", _FORMATS_HINT) from error
    with container:
        if not container.streams.audio:
            raise AudioError(f"{path.name} contains no sound.", _FORMATS_HINT)
        yield container, container.streams.audio[0]


def _check_file(path: Path) -> None:
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise AudioError(f"{path} is a folder.", "Choose the recording inside it.")
        if not stat.S_ISREG(status.st_mode):
            raise AudioError(f"{path} is not a file.", _FORMATS_HINT)
        with path.open("rb"):
            pass
    except FileNotFoundError as error:
        raise AudioError(f"There is no file {path}.", "Check the name and the folder.") from error
    except OSError as error:
        raise AudioError(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    if status.st_size == 0:
        raise AudioError(f"{path.name} is empty.", "Record again, or choose another recording.")


def _is_cut_wave(path: Path) -> bool:
    """Whether a wave file is shorter than its header says; FFmpeg silently accepts the shorter length."""
    with path.open("rb") as file:
        head = file.read(12)
    said = int.from_bytes(head[4:8], "little")
    # Programs that write to a pipe put the largest number in place of the length.
    return head[:4] == b"RIFF" and head[8:] == b"WAVE" and path.stat().st_size < said + 8 and said < 0xFFFF_FF00


def _info(stream: Any) -> AudioInfo:
    duration = None
    if stream.duration is not None and stream.time_base is not None:
        duration = float(stream.duration * stream.time_base)
    elif stream.container.duration is not None:
        duration = stream.container.duration / 1_000_000
    context = stream.codec_context
    return AudioInfo(duration, context.sample_rate or 0, context.channels or 0, context.name)


def _too_long(path: Path) -> AudioError:
    hours = int(MAXIMUM_SECONDS // 3600)
    return AudioError(f"{path.name} is longer than {hours} hours.", "Split it into shorter recordings.")


def _nothing_in(path: Path, *, damaged: bool) -> AudioError:
    if damaged:
        return AudioError(f"{path.name} is damaged: none of its sound could be read.", "Choose another copy.")
    return AudioError(f"{path.name} is too short to contain speech.", "Record again, or choose another recording.")
