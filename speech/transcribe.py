"""A recording to a transcript with times, on a Whisper runtime.

Guards against invented text: only what the voice-activity filter takes for speech reaches the model, no text is carried
over from one stretch to the next, and stretches that Whisper itself doubts are dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.progress import CancelledCallback, Progress, ProgressCallback, stop_if
from speech.audio import SAMPLE_RATE, Recording, decode
from speech.transcript import SpokenSegment, Transcript, Word

if TYPE_CHECKING:
    from models.whisper import WhisperRuntime

# Whisper reads at most 224 tokens of hotwords; more than about half of that makes the base model echo them.
_HOTWORD_TOKENS = 100
_RARE_TOKENS = 3
_BLOCK_SECONDS = 600
_SEARCH_SECONDS = 30
# A segment below both is more likely invented than heard.
_NO_SPEECH = 0.6
_LOG_PROBABILITY = -1.0


def hotword_text(whisper: WhisperRuntime, terms: Sequence[str]) -> str:
    """The terms that Whisper is least likely to know, as many as its prompt can hold.

    A word that its tokenizer must spell in three or more pieces is rare in its training text.
    """
    chosen: list[str] = []
    room = _HOTWORD_TOKENS
    for term in terms:
        size = whisper.token_count(f" {term}")
        if size >= _RARE_TOKENS and size + 1 <= room:
            chosen.append(term)
            room -= size + 1
    return ", ".join(chosen)


def transcribe(
    whisper: WhisperRuntime,
    path: Path,
    hotwords: Sequence[str],
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> Transcript:
    """Transcribes the file; silence and noise give an empty text.

    `hotwords` are terms to expect, the most important first. Progress carries the words as they are heard.

    Raises:
        AudioError: see `speech.audio.decode`. Cancelled: the caller stopped it.
    """
    progress(Progress("transcribe", 0.0, "reading the recording"))
    recording = decode(path, cancelled)
    hot = hotword_text(whisper, hotwords) or None
    texts: list[str] = []
    segments: list[SpokenSegment] = []
    words: list[Word] = []
    length = 0
    for segment, offset in _heard(whisper, recording, hot, cancelled):
        text = " ".join(word.word.strip() for word in segment.words or () if word.word.strip())
        if not text or (segment.no_speech_prob > _NO_SPEECH and segment.avg_logprob < _LOG_PROBABILITY):
            continue
        start = length + (1 if texts else 0)
        place = start
        for word in segment.words:
            if bare := word.word.strip():
                words.append(
                    Word(bare, word.start + offset, word.end + offset, word.probability, place, place + len(bare))
                )
                place += len(bare) + 1
        texts.append(text)
        length = start + len(text)
        segments.append(
            SpokenSegment(
                segment.start + offset,
                segment.end + offset,
                start,
                length,
                segment.avg_logprob,
                segment.no_speech_prob,
            )
        )
        progress(Progress("transcribe", min((segment.end + offset) / recording.duration, 1.0), text))
    return Transcript(" ".join(texts), tuple(segments), tuple(words), recording.duration, "en", whisper.model_id)


def _heard(
    whisper: WhisperRuntime, recording: Recording, hotwords: str | None, cancelled: CancelledCallback
) -> Iterator[tuple[Any, float]]:
    """Whisper's segments, each with the seconds at which its block begins."""
    import numpy as np

    for start, end in _blocks(recording):
        stop_if(cancelled)
        samples = recording.samples[start:end].astype(np.float32) / 32768.0
        found, _ = whisper.model.transcribe(
            samples,
            language="en",
            beam_size=1,
            temperature=[0.0, 0.2, 0.4],
            condition_on_previous_text=False,
            word_timestamps=True,
            hotwords=hotwords,
            vad_filter=True,
            vad_parameters={"min_silence_duration_ms": 500, "max_speech_duration_s": 28.0},
            hallucination_silence_threshold=2.0,
        )
        for segment in found:
            stop_if(cancelled)
            yield segment, start / SAMPLE_RATE


def _blocks(recording: Recording) -> Iterator[tuple[int, int]]:
    """Sample ranges of at most ten minutes, cut where it is quietest, so that long recordings need little memory."""
    import numpy as np

    total, size, search = len(recording.samples), _BLOCK_SECONDS * SAMPLE_RATE, _SEARCH_SECONDS * SAMPLE_RATE
    start = 0
    while total - start > size:
        tail = recording.samples[start + size - search : start + size].astype(np.float32)
        loudness = np.abs(tail[: len(tail) // 4000 * 4000]).reshape(-1, 4000).mean(axis=1)
        end = start + size - search + int(loudness.argmin()) * 4000 + 2000
        yield start, end
        start = end
    yield start, total
