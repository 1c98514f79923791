"""A recording written down while it is made.

What was said since the last final word is written again and again; a sentence is final when the speaker has gone on
and two attempts agree about it, or when she pauses. Final text is never changed: each attempt is given it as the
beginning of what Whisper writes. Windows and care are those of `speech.transcribe`, so that the text is the same as
that of the finished recording, but for what only later words could have told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from models.whisper import Heard, WhisperRuntime, Window
from speech.audio import SAMPLE_RATE
from speech.hotwords import HotwordFinder
from speech.transcribe import Draft, Stretch, careful, is_speech, packs, samples_of
from speech.transcript import Transcript

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

# A window is heard again and again, so that it is shorter than what Whisper can hear at once: this is some sentences.
_WINDOW_SECONDS = 12.0
_CLOSED_SECONDS = 1.0  # a stretch that ended so long ago does not go on
_PAUSE_SECONDS = 1.2  # beside the margin of the stretch: within a sentence few people pause for so long
_LONG_PAUSE_SECONDS = 3.0
_MARGIN_SECONDS = 0.4  # of silence at the end of a stretch
_WORDS_ON = 2  # so many words after a sentence show that it is over
_SENTENCE_END = re.compile(r"(?<!\.\.)[.!?][\"')\]]*(?=\s|$)")


class LiveTranscriber:
    """The words of a recording that goes on; for one thread.

    Attributes:
        draft: what was heard after `text` and may still change.
        covered: seconds of the recording that `text` and `draft` cover.
    """

    def __init__(self, runtime: WhisperRuntime, hotwords: Sequence[str]) -> None:
        """`hotwords` are terms that may be said, most important first; any number."""
        self._runtime = runtime
        self._finder = HotwordFinder(hotwords, runtime.pieces)
        self._ear = _Ear(runtime)
        self._final = Draft()
        self.draft = ""
        self.covered = 0.0
        self._begin_pack()

    def _begin_pack(self) -> None:
        """From here on what comes is written down in a window of its own."""
        self._written = ""  # what is final of the window's text
        self._length = 0  # samples of the window when it was last heard
        self._window: Window | None = None
        self._heard: Heard | None = None  # after what is written
        self._former = ""  # what was heard there the time before

    @property
    def text(self) -> str:
        """What is final; it only ever grows at its end."""
        return self._final.text

    @property
    def seconds(self) -> float:
        """How much sound was given."""
        return self._ear.seconds

    def hear(self, pcm: bytes) -> None:
        """Takes sound, int16 samples at 16 kHz; returns at once."""
        self._ear.hear(pcm)

    def listen(self, *, ended: bool = False) -> None:
        """Writes down what has come, which takes some tenths of a second; with `ended` everything becomes final."""
        covered = self.seconds
        stretches = self._ear.stretches(ended=ended)
        pack = next(packs(stretches, _WINDOW_SECONDS), [])
        while pack and (ended or len(pack) < len(stretches)):
            self._close(pack)
            stretches = self._ear.stretches(ended=ended)
            pack = next(packs(stretches, _WINDOW_SECONDS), [])
        if pack:
            self._go_on(pack, self.seconds - pack[-1].end)
        else:
            self.draft = ""
        self.covered = covered

    def transcript(self) -> Transcript:
        """What is final, with the times of its words."""
        return self._final.transcript(self._runtime, self.seconds)

    def _hear(self, pack: Sequence[Stretch]) -> tuple[Window, Heard]:
        """What is said in a pack after what is written of it, as quickly heard."""
        samples = samples_of(pack)
        if self._window is None or self._heard is None or len(samples) != self._length:
            self._window = self._runtime.listen(samples, short=True)
            self._heard = self._window.write(written=self._written)
            self._length = len(samples)
        return self._window, self._heard

    def _go_on(self, pack: Sequence[Stretch], pause: float) -> None:
        """Hears a pack to which more may come; `pause` is how long nobody has spoken, in seconds."""
        window, heard = self._hear(pack)
        self.draft = heard.text if is_speech(heard) else ""
        if _whole(self.draft, pause) <= _agreed(self._former, self.draft) or (pause >= _PAUSE_SECONDS):
            best = self._careful(window, heard) if _whole(self.draft, pause) else None
            if best and (end := _whole(best.text, pause)):
                self._settle(window, replace(best, text=best.text[:end].strip()), pack)
                self.draft = best.text[end:].strip()
                self._heard = replace(best, text=self.draft)
        self._former = self.draft

    def _close(self, pack: Sequence[Stretch]) -> None:
        """Makes everything final that was said in a pack, to which nothing more comes."""
        last = self._final.words[-1].end if self._written and self._final.words else 0.0
        if pack[-1].end - last > _MARGIN_SECONDS:  # else nothing is left, and Whisper would repeat what it wrote
            window, heard = self._hear(pack)
            best = self._careful(window, heard)
            if best or not self._written:
                self._settle(window, best, pack)
        # the first sentences of the stretch that no longer fits may be final already
        self._ear.drop(max(pack[-1].end, last))
        self._begin_pack()
        self.draft = ""

    def _careful(self, window: Window, heard: Heard) -> Heard | None:
        return careful(window, heard, self._finder, self._written, words=False)

    def _settle(self, window: Window, heard: Heard | None, pack: Sequence[Stretch]) -> None:
        """Makes what was heard final, or says that nothing could be made out."""
        if heard:
            heard = replace(heard, words=window.times(heard.text, self._written))
        self._final.add(heard, pack)
        if heard:
            self._written = f"{self._written} {heard.text}".strip()


class _Ear:
    """Sound as it comes, cut into stretches of speech."""

    def __init__(self, runtime: WhisperRuntime) -> None:
        import numpy as np

        self._runtime = runtime
        self._arrived: list[Samples] = []
        self._pending: Samples = np.zeros(0, dtype=np.float32)
        self._first = 0  # number of the first pending sample in the recording
        self._closed: list[Stretch] = []
        self._samples = 0

    @property
    def seconds(self) -> float:
        return self._samples / SAMPLE_RATE

    def hear(self, pcm: bytes) -> None:
        import numpy as np

        samples = np.frombuffer(pcm, dtype="<i2").astype(np.float32) / 32768.0
        self._arrived.append(samples)
        self._samples += len(samples)

    def stretches(self, *, ended: bool) -> list[Stretch]:
        """The stretches that were not dropped; unless the recording has ended, the last one may still go on."""
        import numpy as np

        self._pending = np.concatenate([self._pending, *self._arrived])
        self._arrived = []
        length = len(self._pending)
        spans = self._runtime.speech(self._pending) if length else []
        still = length - (0 if ended else int(_CLOSED_SECONDS * SAMPLE_RATE))
        goes_on = bool(spans) and spans[-1][1] > still
        open_span = spans.pop() if goes_on else None
        found = [self._stretch(*span) for span in spans]
        self._closed += found
        open_ones = [self._stretch(*open_span)] if open_span else []
        # of silence the end is kept: a word may have begun in it
        self._cut(open_span[0] if open_span else max(spans[-1][1] if spans else 0, still))
        return [*self._closed, *open_ones]

    def drop(self, second: float) -> None:
        """Forgets what was before a second of the recording."""
        self._closed = [_after(stretch, second) for stretch in self._closed if stretch.end > second]
        self._cut(round(second * SAMPLE_RATE) - self._first)

    def _stretch(self, start: int, end: int) -> Stretch:
        return Stretch((self._first + start) / SAMPLE_RATE, self._pending[start:end])

    def _cut(self, samples: int) -> None:
        samples = min(max(samples, 0), len(self._pending))
        self._pending, self._first = self._pending[samples:], self._first + samples


def _after(stretch: Stretch, second: float) -> Stretch:
    skipped = max(round((second - stretch.start) * SAMPLE_RATE), 0)
    return Stretch(stretch.start + skipped / SAMPLE_RATE, stretch.samples[skipped:])


def _whole(text: str, pause: float) -> int:
    """Where the last sentence ends that is over: the characters of the text up to there."""
    if pause >= _LONG_PAUSE_SECONDS:
        return len(text)
    on = 0 if pause >= _PAUSE_SECONDS else _WORDS_ON
    ends = [match.end() for match in _SENTENCE_END.finditer(text)]
    return max((end for end in ends if len(text[end:].split()) >= on), default=0)


def _agreed(former: str, text: str) -> int:
    """The characters of a text up to its first word that was heard differently the time before."""
    place = 0
    for word, other in zip(re.finditer(r"\S+", text), former.split(), strict=False):
        if _bare(word.group()) != _bare(other):
            break
        place = word.end()
    return place


def _bare(word: str) -> str:
    return re.sub(r"[^\w.]|\.$", "", word).lower()
