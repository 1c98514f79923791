"""A recording written down while it is made.

It is cut into the windows that the finished recording would be cut into, and each is written in the same way; so it
comes to the same text. A window is final when what follows no longer fits into it. Before that, what was said since the
last pause that was written with care is skimmed again and again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from models.errors import Cancelled
from models.progress import CancelledCallback, never_cancelled
from models.runtimes.whisper import SPEECH_GRID, WhisperRuntime
from speech.audio import SAMPLE_RATE
from speech.hotwords import HotwordFinder
from speech.transcribe import REPEATING, Draft, Stretch, Writing, is_speech, packs, write
from speech.transcript import Transcript

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

_CLOSED = SAMPLE_RATE  # a stretch that ended so many samples ago does not go on
_LEAD = 2 * SAMPLE_RATE  # samples before a stretch that are searched for speech with it
# The whole window is written again for what is new in it: so much, or after so long a pause, is worth that.
_MUCH_SECONDS = 4.0
_LONG_PAUSE_SECONDS = 1.5
# Where a word is cut, Whisper repeats what it wrote before it.
_NO_REPEAT = 3
_ECHO = 0.7  # share of the words of an echo that are those of the beginning
_RESIDUE = SPEECH_GRID + SAMPLE_RATE // 5  # fewer samples are but the end of a stretch that was found before


class LiveTranscriber:
    """The words of a recording that goes on; for one thread.

    Attributes:
        likely: what was written with care after `text`, up to a pause; it is what the window comes to if it ends there.
        draft: what was heard after `text` up to now, and may still change.
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
        self._begin_window()

    def _begin_window(self) -> None:
        self._closed: list[Stretch] = []  # those of the window that do not go on
        self._going_on: list[Stretch] = []  # the one that does, if any
        self._begun: list[Stretch] | None = None  # that one up to its last short pause; None: not looked for
        self._writing: Writing | None = None  # what was written with care, and up to which second
        self._until = 0.0
        self._skims: dict[tuple[float, int], str] = {}  # what was heard in stretches, by their start and length

    @property
    def text(self) -> str:
        """What is final; it only ever grows at its end."""
        return self._final.text

    @property
    def likely(self) -> str:
        return self._writing.text if self._writing else ""

    @property
    def seconds(self) -> float:
        """How much sound was given."""
        return self._ear.seconds

    def hear(self, pcm: bytes) -> None:
        """Takes sound, int16 samples at 16 kHz; returns at once."""
        self._ear.hear(pcm)

    def listen(self, *, ended: bool = False, stopped: CancelledCallback = never_cancelled) -> None:
        """Skims what has come, and makes final the windows that are over; with `ended` everything.

        Raises Cancelled once `stopped` says so, and is of no use any more.
        """
        covered = self.seconds
        closed, going_on = self._ear.stretches(ended=ended)  # one at most goes on, the last
        windows = list(packs([*closed, *going_on]))
        last = [] if ended or not windows else windows.pop()
        for pack in windows:
            if self._until != pack[-1].end:  # more was said since, or what was written reaches into the next window
                self._write(pack, stopped)
            self._final.add(self._writing, pack)
            self._begin_window()
            self._ear.drop(len(pack))
        closed_ones = len(last) - len(going_on)
        self._closed, self._going_on, self._begun = last[:closed_ones], last[closed_ones:], None
        self._skims = {(one.start, len(one.samples)): self._skim(one) for one in self._new_of(last)}
        self.draft = " ".join(filter(None, (self.likely, *self._skims.values())))
        self.covered = covered

    @property
    def unsettled(self) -> bool:
        """Whether much was said up to the last pause, or the pause is long, since it was last written with care."""
        new = self._new_of(self._up_to_pause)
        silent = not self._going_on and bool(new) and self.seconds - new[-1].end >= _LONG_PAUSE_SECONDS
        return silent or sum(one.seconds for one in new) >= _MUCH_SECONDS

    def settle(self, hurried: CancelledCallback = never_cancelled) -> bool:
        """Writes with care what was said up to the last pause, where it is `unsettled`; whether it did.

        It is given up once `hurried` says that there is no time for it.
        """
        if not self.unsettled:
            return False
        try:
            self._write(self._up_to_pause, hurried)
        except Cancelled:
            return False
        return True

    @property
    def _up_to_pause(self) -> list[Stretch]:
        """The window up to the last pause, be it one too short to end a stretch."""
        if self._begun is None:
            pauses = [(one, self._runtime.last_pause(one.samples)) for one in self._going_on]
            self._begun = [Stretch(one.start, one.samples[:pause]) for one, pause in pauses if pause]
        return [*self._closed, *self._begun]

    def _new_of(self, stretches: Sequence[Stretch]) -> list[Stretch]:
        """What of the stretches was not written with care."""
        return [rest for one in stretches if (rest := _after(one, self._until))]

    def _write(self, pack: Sequence[Stretch], hurried: CancelledCallback) -> None:
        self._writing, self._until = write(self._runtime, pack, self._finder, hurried), pack[-1].end

    def look_up_times(self) -> None:
        """Finds out when the words of `text` were said, as far as that is not known: after they were shown."""
        self._final.look_up_times()

    def transcript(self) -> Transcript:
        """What is final, with the times of its words."""
        return self._final.transcript(self._runtime, self.seconds)

    def _skim(self, stretch: Stretch) -> str:
        """What is said in a stretch, heard alone, which is quick; nothing where that cannot be shown."""
        known = self._skims.get((stretch.start, len(stretch.samples)))
        if known is not None:
            return known
        heard = self._runtime.listen(stretch.samples, short=True).write(no_repeat=_NO_REPEAT)
        return without_echo(heard.text) if is_speech(heard) and heard.repetition <= REPEATING else ""


def without_echo(text: str) -> str:
    """What was heard in a short window without its end, where that says the beginning again and again in about the same
    words: so Whisper fills up the silence behind it. One word that comes again begins the next sentence."""
    words = text.split()
    sounds = [word.strip(".,;:!?").casefold() for word in words]
    for place in range(1, len(words)):
        again = sounds[place:]
        alike = sum(one == sounds[number % place] for number, one in enumerate(again))
        if again[0] == sounds[0] and (place == 1 or len(again) > 1) and alike >= _ECHO * len(again):
            return " ".join(words[:place])
    return text


def _after(stretch: Stretch, second: float) -> Stretch | None:
    """What of a stretch comes after a second of the recording."""
    skipped = max(round((second - stretch.start) * SAMPLE_RATE), 0)
    if skipped >= len(stretch.samples):
        return None
    return Stretch(max(stretch.start, second), stretch.samples[skipped:]) if skipped else stretch


class _Ear:
    """Sound as it comes, cut into stretches of speech.

    The search for speech starts some time before the first sample that belongs to no stretch yet: at the very start of
    what it is given it finds the onset of a word late, and each new search would cut off more of it.
    """

    def __init__(self, runtime: WhisperRuntime) -> None:
        import numpy as np

        self._runtime = runtime
        self._arrived: list[Samples] = []
        self._pending: Samples = np.zeros(0, dtype=np.float32)
        self._first = 0  # number of the first pending sample in the recording
        self._taken = 0  # number of the first sample that is in no closed stretch
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

    def stretches(self, *, ended: bool) -> tuple[list[Stretch], list[Stretch]]:
        """The stretches that were not dropped and are closed, and the one that may still go on, if any; none of these
        once the recording has ended."""
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
        found = [self._stretch(*span) for span in (*spans, *open_ones)]
        self._closed += found[: len(spans)]
        if spans:
            self._taken = spans[-1][1]
        # of silence the end is kept: a word may have begun in it
        keep = open_ones[0][0] if open_ones else max(self._taken, still)
        self._cut(keep - _LEAD)
        return list(self._closed), found[len(spans) :]

    def drop(self, count: int) -> None:
        """Forgets so many closed stretches, the first ones."""
        del self._closed[:count]

    def _stretch(self, start: int, end: int) -> Stretch:
        return Stretch(start / SAMPLE_RATE, self._pending[start - self._first : end - self._first])

    def _cut(self, first: int) -> None:
        """Forgets the samples before the one of this number, as far as they are whole multiples of the grid."""
        skipped = min(max(first - self._first, 0), len(self._pending)) // SPEECH_GRID * SPEECH_GRID
        self._pending, self._first = self._pending[skipped:], self._first + skipped
