"""A stand-in for Whisper that hears what the test scripts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.runtimes.whisper import SAMPLE_RATE, WINDOW_SECONDS, HeardWord, WhisperText


def heard(text: str, log_probability: float = -0.2, silent: float = 0.0, repetition: float = 1.2) -> WhisperText:
    """A window with this text, its words spread over half a second each."""
    words = tuple(HeardWord(word, place * 0.5, place * 0.5 + 0.4, 0.9) for place, word in enumerate(text.split()))
    return WhisperText(text, log_probability, silent, repetition, words)


@dataclass
class FakeWhisper:
    """Takes every sample louder than silence for speech; hears `script`, one entry for each window.

    An entry is a text, a `WhisperText`, or a dictionary from the way of writing ('plain', 'hinted', 'no_repeat')
    to one of them.
    """

    script: list[Any] = field(default_factory=list)
    known: frozenset[str] = frozenset()
    name: str = "whisper-fake"
    device: str = "cpu"
    language: str = "en"
    at_once: int = 1
    windows: list[NDArray[np.float32]] = field(default_factory=list)
    asked: list[tuple[str, str | None]] = field(default_factory=list)

    def speech(self, samples: NDArray[np.float32]) -> list[tuple[int, int]]:
        """Stretches between pauses of half a second, none longer than a window."""
        loud = np.flatnonzero(np.abs(samples) > 0.01)
        if not len(loud):
            return []
        breaks = np.flatnonzero(np.diff(loud) > SAMPLE_RATE // 2)
        starts = [int(loud[0]), *(int(loud[place + 1]) for place in breaks)]
        ends = [*(int(loud[place]) + 1 for place in breaks), int(loud[-1]) + 1]
        return [part for start, end in zip(starts, ends, strict=True) for part in _short_enough(samples, start, end)]

    def last_pause(self, samples: NDArray[np.float32]) -> int:
        """The midst of the last silence of a fifth of a second within the samples."""
        loud = np.flatnonzero(np.abs(samples) > 0.01)
        gaps = np.flatnonzero(np.diff(loud) > SAMPLE_RATE // 5)
        return int(loud[gaps[-1]] + loud[gaps[-1] + 1]) // 2 if len(gaps) else 0

    def listen(self, samples: NDArray[np.float32], *, short: bool = False) -> FakeWindow:
        self.windows.append(samples)
        return FakeWindow(self, self.script[len(self.windows) - 1])

    def pieces(self, word: str) -> int:
        return 1 if word in self.known else 3


def _short_enough(samples: NDArray[np.float32], start: int, end: int) -> Iterator[tuple[int, int]]:
    """A stretch, cut where the level changes if it is longer than a window."""
    longest = int(WINDOW_SECONDS * SAMPLE_RATE)
    while end - start > longest:
        cut = start + int(np.flatnonzero(np.diff(samples[start : start + longest + 1]))[-1]) + 1
        yield start, cut
        start = cut
    yield start, end


@dataclass
class FakeWindow:
    runtime: FakeWhisper
    entry: Any

    def write(
        self,
        *,
        beam: int = 1,
        prompt: str | None = None,
        no_repeat: int = 0,
    ) -> WhisperText:
        way = "hinted" if prompt else "no_repeat" if no_repeat else "plain"
        self.runtime.asked.append((way, prompt))
        answer = self.entry.get(way, self.entry["plain"]) if isinstance(self.entry, dict) else self.entry
        return heard(answer) if isinstance(answer, str) else answer

    def timed(self, heard: WhisperText) -> WhisperText:
        return heard


WORD_SECONDS = 0.5
BREATH_SECONDS = 0.3
_FIRST_LEVEL, _LEVEL_STEP = 0.05, 0.002


def spoken(words: Sequence[str], breath_after: Collection[int] = ()) -> bytes:
    """Sound in which a `HearingWhisper` of the same words hears them, half a second each; an empty one is silence.

    After words of these numbers there is a pause too short to end a stretch of speech.
    """
    word, breath = (int(seconds * SAMPLE_RATE) for seconds in (WORD_SECONDS, BREATH_SECONDS))
    levels, lengths = [], []
    for place, text in enumerate(words):
        levels.append(_FIRST_LEVEL + place * _LEVEL_STEP if text else 0.0)
        lengths.append(word)
        if place in breath_after:
            levels.append(0.0)
            lengths.append(breath)
    samples = np.repeat(np.array(levels), np.array(lengths, dtype=int))
    return bytes((samples * 32768).round().astype("<i2").tobytes())


@dataclass
class HearingWhisper(FakeWhisper):
    """Hears `words` in the sound that `spoken` makes of them; of a word that is cut, its first letters."""

    words: Sequence[str] = ()
    heard_windows: int = 0

    def listen(self, samples: NDArray[np.float32], *, short: bool = False) -> FakeWindow:
        self.heard_windows += 1
        found = []
        ends = [*(np.flatnonzero(np.diff(samples)) + 1), len(samples)]
        for start, end in zip([0, *ends[:-1]], ends, strict=True):
            word = self.words[round((float(samples[start]) - _FIRST_LEVEL) / _LEVEL_STEP)] if samples[start] else ""
            whole = end - start >= 0.9 * WORD_SECONDS * SAMPLE_RATE
            if word and end - start > 800:
                text = word if whole else word[:2]
                found.append(HeardWord(text, start / SAMPLE_RATE, end / SAMPLE_RATE, 0.9))
        return _Spoken(self, found)


@dataclass
class _Spoken(FakeWindow):
    """`entry` holds the words of the window."""

    def write(
        self,
        *,
        beam: int = 1,
        prompt: str | None = None,
        no_repeat: int = 0,
    ) -> WhisperText:
        said = " ".join(word.text for word in self.entry)
        return WhisperText(said, -0.2, 0.0, 1.2, tuple(self.entry))
