"""Transcribes a recording.

The recording is decoded in blocks; a voice-activity filter finds spans of speech; spans are packed into windows for
Whisper. Silence is not transcribed, and text that Whisper doubts or repeats is left out, with a warning in the
transcript.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from models.base.progress import CancelledCallback, Progress, ProgressMonitor, stop_if
from models.runtimes.whisper import SPEECH_GRID, WINDOW_SECONDS, AudioWindow, HeardWord, WhisperRuntime, WhisperText
from speech.audio import SAMPLE_RATE, RecordedSound
from speech.hotwords import HotwordFinder, hotword_text
from speech.transcript import SpokenSegment, Transcript, Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

_BLOCK_SECONDS = 120.0
_BEAM = 5
# Above this the text repeats itself; below these nobody may have spoken. Whisper's published limits.
REPEATING = 2.4
_SILENT = 0.6
_DOUBTFUL = -1.0
# Relative length of a text with suggested terms, outside of which it is taken for an echo of them.
_SHORTEST, _LONGEST = 0.8, 1.25
_TWICE = re.compile(r"\b(\w{4,})\W+\1\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpeechSpan:
    """Samples of speech, and the second of the recording at which they start."""

    start: float
    samples: Samples

    @property
    def seconds(self) -> float:
        return len(self.samples) / SAMPLE_RATE

    @property
    def end(self) -> float:
        """The second of the recording at which it ends."""
        return self.start + self.seconds


@dataclass(frozen=True, slots=True)
class Writing:
    """The careful transcription of a window; `timed` determines when each word was said, which is slow."""

    window: AudioWindow
    heard: WhisperText

    @property
    def text(self) -> str:
        return self.heard.text

    def timed(self) -> WhisperText:
        return self.window.timed(self.heard)


def transcribe(
    runtime: WhisperRuntime,
    path: Path,
    hotwords: Sequence[str],
    monitor: ProgressMonitor,
    heard: Callable[[str], None] | None = None,
) -> Transcript:
    """Transcribes a recording.

    Args:
        hotwords: terms that may be said, most important first; any number.
        monitor: its progress carries the words of each window once they are known.
        heard: called with the text so far while the next window is transcribed; never where windows are transcribed
            one at a time.

    Returns:
        A transcript, whose text is empty if nobody speaks.

    Raises:
        AudioError: see `speech.audio.RecordedSound`.
        Cancelled: the caller stopped it.
    """
    recording = RecordedSound(path)
    finder = HotwordFinder(hotwords, runtime.pieces)
    draft = Draft()
    reached = 0.0

    def report(second: float, message: str = "") -> None:
        nonlocal reached
        stop_if(monitor.cancelled)
        reached = max(reached, second)  # the words of a window are known after later blocks have been searched
        length = max(recording.info.duration or 0.0, recording.seconds)
        fraction = min(reached / length, 1.0) if recording.info.duration else None
        monitor.report(Progress("transcribe", fraction, message))

    found = packs(_speech_spans(runtime, recording, report))
    for pack, writing, more in _transcribed(runtime, found, finder, monitor.cancelled):
        draft.add(writing, pack)
        draft.look_up_times()
        report(pack[-1].end, writing.text if writing else "")
        if heard and more:
            heard(draft.text)
    if recording.damaged:
        whole = recording.info.duration or 0.0
        of = f" of {_clock_text(whole)}" if whole > recording.seconds else ""
        draft.warn(f"The recording is damaged: {_clock_text(recording.seconds)}{of} could be read.")
    return draft.transcript(runtime, recording.seconds)


def _speech_spans(
    runtime: WhisperRuntime, recording: RecordedSound, report: Callable[[float], None]
) -> Iterator[SpeechSpan]:
    """Spans of speech in the recording. The last one of a block may continue in the next block and is held back."""
    import numpy as np

    pending = np.zeros(0, dtype=np.float32)
    first = 0  # number of the first pending sample in the recording
    for block in recording.blocks(_BLOCK_SECONDS):
        report(first / SAMPLE_RATE)
        pending = np.concatenate([pending, block])
        spans = runtime.speech(pending)
        ends_in_speech = bool(spans) and spans[-1][1] > len(pending) - SAMPLE_RATE
        for start, end in spans[:-1] if ends_in_speech else spans:
            yield SpeechSpan((first + start) / SAMPLE_RATE, pending[start:end])
        keep = spans[-1][0] if ends_in_speech else len(pending) // SPEECH_GRID * SPEECH_GRID
        pending, first = pending[keep:], first + keep
    for start, end in runtime.speech(pending) if len(pending) else ():
        yield SpeechSpan((first + start) / SAMPLE_RATE, pending[start:end])


def packs(speech_spans: Iterable[SpeechSpan]) -> Iterator[list[SpeechSpan]]:
    """Groups consecutive spans that fit into one window."""
    pack: list[SpeechSpan] = []
    for speech_span in speech_spans:
        if pack and sum(one.seconds for one in pack) + speech_span.seconds > WINDOW_SECONDS:
            yield pack
            pack = []
        pack.append(speech_span)
    if pack:
        yield pack


def _transcribed(
    runtime: WhisperRuntime, found: Iterable[list[SpeechSpan]], finder: HotwordFinder, cancelled: CancelledCallback
) -> Iterator[tuple[list[SpeechSpan], Writing | None, bool]]:
    """Each pack with its transcription, in order, and whether later ones are being transcribed.

    The runtime determines how many are transcribed in parallel.
    """
    with ThreadPoolExecutor(runtime.at_once, thread_name_prefix="writing") as threads:
        begun: deque[tuple[list[SpeechSpan], Future[Writing | None]]] = deque()

        def first() -> tuple[list[SpeechSpan], Writing | None, bool]:
            pack, writing = begun.popleft()
            return pack, writing.result(), bool(begun)

        for pack in found:
            begun.append((pack, threads.submit(write, runtime, pack, finder, cancelled)))
            if len(begun) == runtime.at_once:
                yield first()
        while begun:
            yield first()


def write(
    runtime: WhisperRuntime, pack: Sequence[SpeechSpan], finder: HotwordFinder, cancelled: CancelledCallback
) -> Writing | None:
    """Transcribes a pack; None if it is unintelligible. Raises Cancelled."""
    import numpy as np

    window = runtime.listen(np.concatenate([speech_span.samples for speech_span in pack]))  # without the pauses
    stop_if(cancelled)
    plain = window.write()
    if not is_speech(plain):
        return None
    terms = finder.near(plain.text)
    if terms:
        stop_if(cancelled)
        hinted = window.write(beam=_BEAM, prompt=hotword_text(terms))
        if _is_better(hinted, plain):
            return Writing(window, hinted)
    # more hypotheses alone are no better: 215 errors in 2,135 words of 14 spoken dictations with them, 212 without
    best = plain if plain.repetition <= REPEATING else window.write(beam=_BEAM, no_repeat=4)
    if best.repetition > REPEATING or best.log_probability < _DOUBTFUL or not best.text:
        return None
    return Writing(window, best)


def is_speech(plain: WhisperText) -> bool:
    """Whether the first transcription suggests that anybody spoke."""
    silent = plain.no_speech_probability > _SILENT and plain.log_probability < _DOUBTFUL
    return bool(plain.text) and not silent


def _is_better(hinted: WhisperText, plain: WhisperText) -> bool:
    """Whether the terms improved the transcription rather than being echoed."""
    length = len(hinted.text) / len(plain.text)
    return (
        hinted.repetition <= REPEATING
        and hinted.log_probability > max(plain.log_probability, _DOUBTFUL)
        and _SHORTEST <= length <= _LONGEST
        and len(_TWICE.findall(hinted.text)) <= len(_TWICE.findall(plain.text))
    )


class Draft:
    """A transcript under construction. `text` grows immediately; segments and words follow when times are looked up."""

    def __init__(self) -> None:
        self.text = ""
        self._untimed: list[
            tuple[Writing, Sequence[SpeechSpan], int, int]
        ] = []  # with the position of each in the text
        self.segments: list[SpokenSegment] = []
        self.words: list[Word] = []
        self.warnings: list[str] = []

    def warn(self, warning: str) -> None:
        self.warnings.append(warning)

    def add(self, writing: Writing | None, pack: Sequence[SpeechSpan]) -> None:
        """Appends the transcription of a pack, or warns that it is unintelligible."""
        if writing is None:
            self.warn(f"No words could be made out from {_clock_text(pack[0].start)} to {_clock_text(pack[-1].end)}.")
            return
        text = " ".join(writing.text.split())
        base = len(self.text) + 1 if self.text else 0
        self.text = f"{self.text} {text}" if self.text else text
        self._untimed.append((writing, pack, base, len(self.text)))

    def look_up_times(self) -> None:
        """Determines when the latest words were said, which takes a moment."""
        for writing, pack, base, end in self._untimed:
            self._place_words(writing.timed(), pack, base, end)
        self._untimed.clear()

    def _place_words(self, heard: WhisperText, pack: Sequence[SpeechSpan], base: int, end: int) -> None:
        """Adds the words between two positions of the text, and each span as a segment."""
        place = base
        by_span: list[list[Word]] = [[] for _ in pack]
        for word in heard.words:
            found = self.text.find(word.text, place, end)
            if found < 0:
                continue
            place = found + len(word.text)
            number, start, stop = _in_recording(word, pack)
            by_span[number].append(Word(word.text, start, stop, word.probability, found, place))
        self._add_segments(by_span, heard, pack, base, end)

    def transcript(self, runtime: WhisperRuntime, seconds: float) -> Transcript:
        """The complete transcript of a recording of this length."""
        self.look_up_times()
        return Transcript(
            text=self.text,
            segments=tuple(self.segments),
            words=tuple(self.words),
            duration=seconds,
            language=runtime.language,
            model=runtime.name,
            warnings=tuple(self.warnings),
        )

    def _add_segments(
        self, by_span: list[list[Word]], heard: WhisperText, pack: Sequence[SpeechSpan], base: int, end: int
    ) -> None:
        spoken = [(words, speech_span) for words, speech_span in zip(by_span, pack, strict=True) if words]
        if not spoken:
            spoken = [([], pack[0])]
        for number, (words, speech_span) in enumerate(spoken):
            following = spoken[number + 1][0][0].char_start - 1 if number + 1 < len(spoken) else end
            self.segments.append(
                SpokenSegment(
                    start=words[0].start if words else speech_span.start,
                    end=words[-1].end if words else pack[-1].end,
                    char_start=base,
                    char_end=following,
                    log_probability=heard.log_probability,
                    no_speech_probability=heard.no_speech_probability,
                )
            )
            self.words += words
            base = following + 1


def _in_recording(word: HeardWord, pack: Sequence[SpeechSpan]) -> tuple[int, float, float]:
    """The span in which a word of the window was said, and its start and end in seconds of the recording."""
    middle = (word.start + word.end) / 2
    before = 0.0  # seconds of the window before the span
    number = 0
    while number + 1 < len(pack) and middle >= before + pack[number].seconds:
        before += pack[number].seconds
        number += 1
    speech_span = pack[number]
    start, end = (
        speech_span.start + min(max(second - before, 0.0), speech_span.seconds) for second in (word.start, word.end)
    )
    return number, round(start, 2), round(end, 2)


def _clock_text(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
