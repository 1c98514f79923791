"""Recordings made by the tests: signals of known shape, written in any container with PyAV."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from speech.audio import pcm

Signal = NDArray[np.float32]
# container suffix -> codec that PyAV can write into it
CODECS = {
    ".wav": "pcm_s16le",
    ".flac": "flac",
    ".mp3": "libmp3lame",
    ".m4a": "aac",
    ".ogg": "libopus",
    ".webm": "libopus",
}


def tone(seconds: float, rate: int = 16_000, hertz: float = 440.0, level: float = 0.5) -> Signal:
    return (level * np.sin(2 * np.pi * hertz * np.arange(int(seconds * rate)) / rate)).astype(np.float32)


def silence(seconds: float, rate: int = 16_000) -> Signal:
    return np.zeros(int(seconds * rate), dtype=np.float32)


def noise(seconds: float, rate: int = 16_000, level: float = 0.1, seed: int = 7) -> Signal:
    return (level * np.random.default_rng(seed).standard_normal(int(seconds * rate))).astype(np.float32)


def voice(
    seconds: float, *, speech_db: float = -25.0, noise_db: float = -65.0, gain_db: float = 0.0, seed: int = 3
) -> bytes:
    """Int16 samples at 16 kHz: syllables of a buzzing tone with pauses in between, over steady noise.

    Args:
        speech_db, noise_db: dBFS of their power.
        gain_db: turns the whole up, and cuts it at the limit.
    """
    time = np.arange(int(seconds * 16_000)) / 16_000
    buzz = sum(np.sin(2 * np.pi * 130 * number * time) / number for number in range(1, 12))
    talking = (time % 1.6 < 1.1) & (np.sin(2 * np.pi * 4 * time) > -0.6)
    sound = buzz / np.std(buzz) * 10 ** (speech_db / 20) * talking
    sound = sound + np.random.default_rng(seed).normal(0, 10 ** (noise_db / 20), len(time))
    return pcm(sound * 10 ** (gain_db / 20))


def write_audio(path: Path, signal: Signal, rate: int = 16_000, channels: int = 1, codec: str | None = None) -> Path:
    """Writes `signal`, the same on every channel, in the container that the suffix names."""
    import av

    layout = "mono" if channels == 1 else "stereo"
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec or CODECS[path.suffix], rate=rate, layout=layout)
        samples = np.repeat((signal * 32767).astype(np.int16)[None, :], channels, axis=0)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples), format="s16p", layout=layout)
        frame.sample_rate = rate
        resampler = av.AudioResampler(stream.format, layout, stream.rate, frame_size=stream.frame_size)
        for part in [*resampler.resample(frame), *resampler.resample(None)]:
            container.mux(stream.encode(part))
        container.mux(stream.encode(None))
    return path


def counted(first: int, last: int) -> bytes:
    """Int16 samples at 16 kHz, from the first to before the last, of which each is told apart from its neighbours."""
    return (np.arange(first, last) % 20_000).astype("<i2").tobytes()
