"""Measures how far words and values lag behind the speaker, by playing a recording in real time."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from statistics import median
from typing import Any

from app import pipeline
from app.chart.records import Patient
from app.inference.interface import InferenceClient
from app.inference.live_events import LiveValues, LiveWords, Sound
from app.pipeline import PipelineResult
from app.services.intake.recording import Recording
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import FilledValue, Value
from models.base.progress import ProgressMonitor, stop_if
from models.process.messages import Channel
from speech.audio import SAMPLE_RATE, decode, pcm
from speech.errors import AudioError

BLOCK_SECONDS = 0.05  # a block from the microphone


@dataclass(frozen=True, slots=True)
class Played:
    """The result of playing a recording, with times of words and values in seconds after its first sample."""

    result: PipelineResult
    words: tuple[tuple[float, LiveWords], ...]
    values: tuple[tuple[float, LiveValues], ...]


@dataclass(frozen=True, slots=True)
class Delays:
    """Delays in seconds after the end of a word.

    Attributes:
        final_text: from the last word to the complete final text.
        last_value: from the last word until the values no longer change.
        live_word, slowest_live_word: until a word is shown, final or not: median and maximum.
    """

    final_text: float
    last_value: float
    live_word: float
    slowest_live_word: float


def play(path: Path, schema: Schema, inference: InferenceClient, *, monitor: ProgressMonitor) -> Played:
    """Plays a recording as if it came from a microphone, including the journal.

    Raises AudioError if there is no speech in it, and as `pipeline.follow` does.
    """
    samples = decode(path)
    heard: list[tuple[float, LiveWords]] = []
    read: list[tuple[float, LiveValues]] = []
    begun = threading.Event()
    start = 0.0

    def told(news: Any) -> None:
        begun.wait()
        now = time.monotonic() - start
        if isinstance(news, LiveWords):
            heard.append((now, news))
        else:
            read.append((now, news))

    sound: SimpleQueue[Sound] = SimpleQueue()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as threads:
        recording = Recording(Path(folder), Patient(0, "Sample", "", ""), schema=schema, reviewer="")
        recording.follower = sound
        journal = threads.submit(recording.write, monitor.cancelled)
        following = threads.submit(pipeline.follow, schema, inference, Channel(sound, told), monitor=monitor)
        try:
            start = time.monotonic()
            begun.set()
            size = round(BLOCK_SECONDS * SAMPLE_RATE)
            for first in range(0, len(samples), size):
                stop_if(monitor.cancelled)
                spoken = start + min(first + size, len(samples)) / SAMPLE_RATE
                time.sleep(max(spoken - time.monotonic(), 0.0))
                recording.take(pcm(samples[first : first + size]))
        finally:
            recording.finish()
        journal.result()
        result = following.result()
    if result is None:
        raise AudioError(f"No speech was heard in {path.name}.", "Choose another recording.")
    return Played(result, tuple(heard), tuple(read))


def delays(played: Played) -> Delays:
    """The delays of a played recording."""
    transcript = played.result.transcript
    ends = [word.end for word in transcript.words]
    text_at = next(at for at, words in played.words if words.final == transcript.text)
    waits = [next(at for at, words in played.words if words.covered >= end) - end for end in ends]
    return Delays(text_at - ends[-1], _settled_at(played.values) - ends[-1], median(waits), max(waits))


def _settled_at(told: Sequence[tuple[float, LiveValues]]) -> float:
    """When rows and values last changed."""
    at, last = told[-1]
    for earlier, values in reversed(told):
        if same_rows(values.values, last.values)[1]:
            break
        at = earlier
    return at


def same_rows(one: Iterable[FilledValue], other: Iterable[FilledValue]) -> tuple[float, list[str]]:
    """The share of the rows of both with the same value in both, and the ids of the other rows."""
    first: dict[str, Value] = {value.row_id: value.value for value in one}
    second: dict[str, Value] = {value.row_id: value.value for value in other}
    rows = first.keys() | second.keys()
    differing = sorted(row for row in rows if first.get(row) != second.get(row))
    return (1 - len(differing) / len(rows) if rows else 1.0), differing


def batch(path: Path, schema: Schema, inference: InferenceClient, *, monitor: ProgressMonitor) -> PipelineResult:
    """Fills the same recording after it is finished."""
    return pipeline.run(path, "audio", schema, inference, monitor=monitor)
