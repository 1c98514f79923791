"""Transcribes a recording while it is being made.

The recording is split into the same windows as the finished recording would be, and each is transcribed the same way,
so that the text is the same. A window is final when the following speech no longer fits into it. Until then, speech
after the last carefully transcribed pause is repeatedly transcribed in a quick draft.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.base.errors import Cancelled
from models.base.progress import CancelledCallback, never_cancelled
from models.runtimes.whisper import SPEECH_GRID, WhisperRuntime
from speech.audio import SAMPLE_RATE
from speech.hotwords import HotwordFinder
from speech.transcribe import REPEATING, Draft, SpeechSpan, Writing, is_speech, packs, write
from speech.transcript import Transcript

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

_CLOSED = SAMPLE_RATE  # a span that ended this many samples ago is complete
_LEAD = 2 * SAMPLE_RATE  # samples before a span that are included in speech detection
# When the whole window is transcribed again: after this much new speech, or after a pause this long.
_MUCH_SECONDS = 4.0
_LONG_PAUSE_SECONDS = 1.5
# At a truncated word, Whisper repeats what it wrote before.
_NO_REPEAT = 3
_ECHO = 0.7  # share of the words of an echo that match the beginning
_RESIDUE = SPEECH_GRID + SAMPLE_RATE // 5  # fewer samples are just the end of an earlier span


class LiveTranscriber:
    """The transcript of an ongoing recording; for use by one thread.

    Attributes:
        likely: the careful transcription after `text`, up to a pause; final if the window ends there.
        draft: everything heard after `text`, which may still change.
        covered: seconds of the recording covered by `text` and `draft`.
    """

    def __init__(self, runtime: WhisperRuntime, hotwords: Sequence[str]) -> None:
        """`hotwords` are terms that may be said, most important first; any number."""
        self._runtime = runtime
        self._finder = HotwordFinder(hotwords, runtime.pieces)
        self._splitter = _SpeechSplitter(runtime)
        self._final = Draft()
        self.draft = ""
        self.covered = 0.0
        self._begin_window()

    def _begin_window(self) -> None:
        self._closed: list[SpeechSpan] = []  # complete spans of the window
        self._going_on: list[SpeechSpan] = []  # the ongoing span, if any
        self._begun: list[SpeechSpan] | None = None  # its part up to the last short pause; None if not yet determined
        self._writing: Writing | None = None  # the careful transcription; it ends at second `_until`
        self._until = 0.0
        self._skims: dict[tuple[float, int], str] = {}  # quick drafts by start and length of the span

    @property
    def text(self) -> str:
        """The final text, which only grows at its end."""
        return self._final.text

    @property
    def likely(self) -> str:
        return self._writing.text if self._writing else ""

    @property
    def seconds(self) -> float:
        """Length of the sound received."""
        return self._splitter.seconds

    def hear(self, pcm: bytes) -> None:
        """Adds sound, int16 samples at 16 kHz; returns immediately."""
        self._splitter.hear(pcm)

    def listen(self, *, ended: bool = False, stopped: CancelledCallback = never_cancelled) -> None:
        """Drafts the new speech and finalises complete windows; with `ended`, all of them.

        Raises Cancelled once `stopped` returns true; the transcriber is unusable afterwards.
        """
        covered = self.seconds
        closed, going_on = self._splitter.speech_spans(ended=ended)  # only the last one can be ongoing
        windows = list(packs([*closed, *going_on]))
        last = [] if ended or not windows else windows.pop()
        for pack in windows:
            if self._until != pack[-1].end:  # more was said since, or the transcription reaches into the next window
                self._write(pack, stopped)
            self._final.add(self._writing, pack)
            self._begin_window()
            self._splitter.drop(len(pack))
        closed_ones = len(last) - len(going_on)
        self._closed, self._going_on, self._begun = last[:closed_ones], last[closed_ones:], None
        self._skims = {(one.start, len(one.samples)): self._skim(one) for one in self._new_of(last)}
        self.draft = " ".join(filter(None, (self.likely, *self._skims.values())))
        self.covered = covered

    @property
    def unsettled(self) -> bool:
        """Whether enough new speech, or a long enough pause, calls for a careful transcription."""
        new = self._new_of(self._up_to_pause)
        silent = not self._going_on and bool(new) and self.seconds - new[-1].end >= _LONG_PAUSE_SECONDS
        return silent or sum(one.seconds for one in new) >= _MUCH_SECONDS

    def settle(self, hurried: CancelledCallback = never_cancelled) -> bool:
        """Carefully transcribes the speech up to the last pause if it is `unsettled`; returns whether it did.

        Gives up once `hurried` says that there is no time.
        """
        if not self.unsettled:
            return False
        try:
            self._write(self._up_to_pause, hurried)
        except Cancelled:
            return False
        return True

    @property
    def _up_to_pause(self) -> list[SpeechSpan]:
        """The window up to the last pause, including pauses too short to end a span."""
        if self._begun is None:
            pauses = [(one, self._runtime.last_pause(one.samples)) for one in self._going_on]
            self._begun = [SpeechSpan(one.start, one.samples[:pause]) for one, pause in pauses if pause]
        return [*self._closed, *self._begun]

    def _new_of(self, speech_spans: Sequence[SpeechSpan]) -> list[SpeechSpan]:
        """The parts of the spans that have no careful transcription."""
        return [rest for one in speech_spans if (rest := _rest_after(one, self._until))]

    def _write(self, pack: Sequence[SpeechSpan], hurried: CancelledCallback) -> None:
        self._writing, self._until = write(self._runtime, pack, self._finder, hurried), pack[-1].end

    def look_up_times(self) -> None:
        """Determines when the words of `text` were said, if not yet known; call it after they were shown."""
        self._final.look_up_times()

    def transcript(self) -> Transcript:
        """The final transcript with the times of its words."""
        return self._final.transcript(self._runtime, self.seconds)

    def _skim(self, speech_span: SpeechSpan) -> str:
        """A quick transcription of one span alone; empty if it is not fit to be shown."""
        known = self._skims.get((speech_span.start, len(speech_span.samples)))
        if known is not None:
            return known
        heard = self._runtime.listen(speech_span.samples, short=True).write(no_repeat=_NO_REPEAT)
        return without_echo(heard.text) if is_speech(heard) and heard.repetition <= REPEATING else ""


def without_echo(text: str) -> str:
    """Removes an echo from a short window: an end that repeats the beginning in about the same words.

    Whisper fills the silence after short speech that way. A single repeated word is the start of the next sentence.
    """
    words = text.split()
    sounds = [word.strip(".,;:!?").casefold() for word in words]
    for place in range(1, len(words)):
        again = sounds[place:]
        alike = sum(one == sounds[number % place] for number, one in enumerate(again))
        if again[0] == sounds[0] and (place == 1 or len(again) > 1) and alike >= _ECHO * len(again):
            return " ".join(words[:place])
    return text


def _rest_after(speech_span: SpeechSpan, second: float) -> SpeechSpan | None:
    """The part of a span after a given second of the recording."""
    skipped = max(round((second - speech_span.start) * SAMPLE_RATE), 0)
    if skipped >= len(speech_span.samples):
        return None
    return SpeechSpan(max(speech_span.start, second), speech_span.samples[skipped:]) if skipped else speech_span


class _SpeechSplitter:
    """Splits incoming sound into spans of speech.

    Detection starts some time before the first sample outside any span: at the very start of its input it finds the
    onset of a word late, and each new search would cut off more of it.
    """

    def __init__(self, runtime: WhisperRuntime) -> None:
        import numpy as np

        self._runtime = runtime
        self._arrived: list[Samples] = []
        self._pending: Samples = np.zeros(0, dtype=np.float32)
        self._first = 0  # number of the first pending sample in the recording
        self._taken = 0  # number of the first sample after all complete spans
        self._closed: list[SpeechSpan] = []
        self._samples = 0

    @property
    def seconds(self) -> float:
        return self._samples / SAMPLE_RATE

    def hear(self, pcm: bytes) -> None:
        import numpy as np

        samples = np.frombuffer(pcm, dtype="<i2").astype(np.float32) / 32768.0
        self._arrived.append(samples)
        self._samples += len(samples)

    def speech_spans(self, *, ended: bool) -> tuple[list[SpeechSpan], list[SpeechSpan]]:
        """The complete spans that were not dropped, and the ongoing one, if any.

        None is ongoing once the recording has ended.
        """
        import numpy as np

        self._pending = np.concatenate([self._pending, *self._arrived])
        self._arrived = []
        spans = [
            (max(self._first + start, self._taken), self._first + end)
            for start, end in (self._runtime.speech(self._pending) if len(self._pending) else [])
            if self._first + end - self._taken >= _RESIDUE
        ]
        still = self._samples - (0 if ended else _CLOSED)
        open_ones = [spans.pop()] if spans and spans[-1][1] > still else []
        found = [self._speech_span(*span) for span in (*spans, *open_ones)]
        self._closed += found[: len(spans)]
        if spans:
            self._taken = spans[-1][1]
        # the end of a silence is kept, because a word may have begun in it
        keep = open_ones[0][0] if open_ones else max(self._taken, still)
        self._cut(keep - _LEAD)
        return list(self._closed), found[len(spans) :]

    def drop(self, count: int) -> None:
        """Forgets the first `count` complete spans."""
        del self._closed[:count]

    def _speech_span(self, start: int, end: int) -> SpeechSpan:
        return SpeechSpan(start / SAMPLE_RATE, self._pending[start - self._first : end - self._first])

    def _cut(self, first: int) -> None:
        """Forgets the samples before this one, in whole multiples of the grid."""
        skipped = min(max(first - self._first, 0), len(self._pending)) // SPEECH_GRID * SPEECH_GRID
        self._pending, self._first = self._pending[skipped:], self._first + skipped
