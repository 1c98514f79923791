"""Any common audio file to 16 kHz mono, decoded by FFmpeg through PyAV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.errors import AudioError
from models.progress import CancelledCallback, never_cancelled, stop_if

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAMPLE_RATE = 16_000
LONGEST_SECONDS = 4 * 3600.0
_SHORTEST_SECONDS = 0.1


@dataclass(frozen=True, slots=True)
class AudioInfo:
    """What a file's header says; `duration` in seconds, 0.0 where the header does not tell."""

    duration: float
    sample_rate: int
    channels: int
    codec: str


@dataclass(frozen=True, slots=True)
class Recording:
    """Decoded audio.

    Attributes:
        samples: 16-bit signed, shape (seconds * 16,000,); 16 bits keep three hours within 350 MB.
        truncated: the file ended in the middle or is damaged; what could be decoded is here.
    """

    samples: NDArray[np.int16]
    truncated: bool

    @property
    def duration(self) -> float:
        """Seconds of audio."""
        return len(self.samples) / SAMPLE_RATE


def probe(path: Path) -> AudioInfo:
    """Reads the header only. Raises AudioError when there is no audio in the file."""
    with _open(path) as container:
        stream = _audio_stream(container, path)
        duration = container.duration / 1_000_000 if container.duration else 0.0
        context = stream.codec_context
        return AudioInfo(duration, context.sample_rate or 0, context.channels or 0, context.name)


def decode(path: Path, cancelled: CancelledCallback = never_cancelled) -> Recording:
    """Decodes the whole file; a damaged one as far as it goes.

    Raises:
        AudioError: no such file, not audio, no sound in it, nothing that can be decoded, or longer than four hours.
    """
    import av
    import numpy as np

    blocks: list[NDArray[np.int16]] = []
    total = 0
    truncated = False
    with _open(path) as container:
        stream = _audio_stream(container, path)
        resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)
        try:
            for frame in _frames(container, stream):
                stop_if(cancelled)
                for part in resampler.resample(frame):
                    blocks.append(part.to_ndarray().reshape(-1))
                    total += len(blocks[-1])
                if total > LONGEST_SECONDS * SAMPLE_RATE:
                    raise AudioError(
                        f"{path.name} is longer than {LONGEST_SECONDS / 3600:.0f} hours.", "Cut it into shorter parts."
                    )
        except av.FFmpegError:
            truncated = True
        blocks += [part.to_ndarray().reshape(-1) for part in resampler.resample(None)]
        expected = container.duration / 1_000_000 if container.duration else 0.0
    samples = np.concatenate(blocks) if blocks else np.zeros(0, dtype=np.int16)
    if len(samples) < _SHORTEST_SECONDS * SAMPLE_RATE:
        raise AudioError(
            f"{path.name} holds no sound that can be decoded.", "The file may be empty or damaged: record again."
        )
    missing = expected - len(samples) / SAMPLE_RATE
    return Recording(samples, truncated or missing > max(1.0, 0.02 * expected))


def _open(path: Path) -> Any:
    import av

    if not path.exists():
        raise AudioError(f"There is no file {path}.", "Check the name and the folder.")
    if path.is_dir():
        raise AudioError(f"{path} is a folder.", "Choose a recording.")
    try:
        if path.stat().st_size == 0:
            raise AudioError(f"{path.name} is empty.", "The recording did not work: record again.")
        return av.open(str(path), mode="r", metadata_errors="ignore")
    except PermissionError as error:
        raise AudioError(f"{path.name} may not be read.", "Ask for the permission to read it.") from error
    except (av.FFmpegError, ValueError, OSError) as error:
        raise AudioError(
            f"{path.name} is not a recording that Wardlight can read.",
            "Choose a wav, flac, mp3, m4a, ogg or webm file.",
        ) from error


def _audio_stream(container: Any, path: Path) -> Any:
    if not container.streams.audio:
        raise AudioError(f"{path.name} has no sound.", "Choose a file with speech in it.")
    return container.streams.audio[0]


def _frames(container: Any, stream: Any) -> Iterator[Any]:
    """Decoded frames; a single damaged packet is passed over, a damaged container ends the file."""
    import av

    for packet in container.demux(stream):
        try:
            yield from packet.decode()
        except av.error.InvalidDataError:
            continue
