"""Measures sound levels, and whether a microphone is good enough for dictation. Sound is int16, mono, 16 kHz."""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass
from enum import StrEnum
from operator import mul

SILENCE_DB = -96.0
_FULL = 32768
_CLIPPED_FROM = 32700
_FRAME = 800  # samples: 50 ms, shorter than a syllable, so that pauses between words reveal the room noise

# dBFS that speech recognition still copes with; a voice at 30 cm gives about -25 on a usual headset
HEARD_FROM_DB = -55.0
_LOUD_ENOUGH = -38.0
_NOISE_FROM = -50.0
_ABOVE_NOISE = 15.0
CLIPPED = 0.0005


@dataclass(frozen=True, slots=True)
class SoundLevel:
    """The level of some sound: peak and mean power in dBFS (-96 to 0), and the share of clipped samples."""

    peak: float = SILENCE_DB
    rms: float = SILENCE_DB
    clipped: float = 0.0


@dataclass(frozen=True, slots=True)
class Room:
    """Levels in a microphone test: the power of pauses and voice in dBFS, and the share of clipped samples."""

    noise: float
    speech: float
    clipped: float


class Verdict(StrEnum):
    """The verdict of a microphone test, worded for the person who spoke."""

    GOOD = "Quiet room, clear voice."
    LOUD = "Too loud: move away from the microphone, or turn it down."
    NOISY = "A lot of noise: move closer to the microphone, or away from the noise."
    QUIET = "Too quiet: move closer to the microphone, or turn it up."
    SILENT = "No sound: is it muted, or is another microphone in use?"


def level_of(pcm: bytes) -> SoundLevel:
    """The level of some sound; silence if it is empty."""
    samples = _samples(pcm)
    if not samples:
        return SoundLevel()
    peak = abs(max(samples, key=abs))
    power = sum(map(mul, samples, samples)) / len(samples)
    return SoundLevel(_db(peak), _db(math.sqrt(power)), _clipped(samples) if peak >= _CLIPPED_FROM else 0.0)


def room_of(pcm: bytes) -> Room:
    """Measures a test of a few seconds in which somebody spoke and paused."""
    samples = _samples(pcm)
    frames = sorted(
        _db(_deviation(samples[start : start + _FRAME])) for start in range(0, len(samples) - _FRAME + 1, _FRAME)
    )
    if not frames:
        return Room(SILENCE_DB, SILENCE_DB, 0.0)
    return Room(frames[len(frames) // 10], frames[len(frames) * 19 // 20], _clipped(samples))


def judge_room(room: Room) -> Verdict:
    """Whether the levels are good enough for dictation."""
    if room.speech < HEARD_FROM_DB:
        return Verdict.SILENT
    if room.clipped > CLIPPED:
        return Verdict.LOUD
    if room.noise > _NOISE_FROM and room.speech - room.noise < _ABOVE_NOISE:
        return Verdict.NOISY
    return Verdict.QUIET if room.speech < _LOUD_ENOUGH else Verdict.GOOD


def _samples(pcm: bytes) -> array[int]:
    return array("h", pcm[: len(pcm) // 2 * 2])


def _deviation(samples: array[int]) -> float:
    """The power without a constant offset, which some microphones produce and nobody hears."""
    mean = sum(samples) / len(samples)
    return math.sqrt(max(0.0, sum(map(mul, samples, samples)) / len(samples) - mean * mean))


def _clipped(samples: array[int]) -> float:
    return sum(abs(sample) >= _CLIPPED_FROM for sample in samples) / len(samples)


def _db(amplitude: float) -> float:
    return max(SILENCE_DB, 20 * math.log10(amplitude / _FULL)) if amplitude > 0 else SILENCE_DB
