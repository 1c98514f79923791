"""A recording written down while it is made.

What was said since the last final word is skimmed again and again. A sentence is final when the speaker has gone on and
two attempts agree about it, or when she pauses; it is then heard once more together with some sentences before it, and
written with the care of `speech.transcribe`. Final text is never changed: Whisper is given it as the beginning of what
it writes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from models.whisper import Heard, WhisperRuntime, Window
from speech.audio import SAMPLE_RATE
from speech.hotwords import HotwordFinder
from speech.transcribe import REPEATING, Draft, Stretch, careful, is_speech, packs, samples_of
from speech.transcript import Transcript, Word

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

# A sentence is written with some final text before it, which tells what is spoken about; more costs time at each one.
_WINDOW_SECONDS = 20.0
_KEPT_SECONDS = 12.0  # of it where a window begins anew
_CLOSED = SAMPLE_RATE  # a stretch that ended so many samples ago does not go on
_LEAD = SAMPLE_RATE  # samples before a stretch that are searched for speech with it
_RESIDUE = SAMPLE_RATE // 5  # fewer samples are but the end of a stretch that was found before
_PAUSE_SECONDS = 1.2  # beside the margin of the stretch: within a sentence few people pause for so long
_LONG_PAUSE_SECONDS = 3.0
_MARGIN_SECONDS = 0.4  # of silence at the end of a stretch
# Nobody speaks faster; Whisper does where it repeats itself over a word that is cut.
_FEWEST_TOKENS, _TOKENS_PER_SECOND = 8, 8.0
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
        self._first = len(self._final.words)  # the first word of it
        self._skimmed = (0, "")  # how many samples were heard of the rest, and as what
        self._former = ""  # what was heard there the time before
        self._pack: list[Stretch] = []
        self._pause = 0.0  # how long nobody has spoken after it, in seconds

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
        """Writes down what has come, quickly; with `ended` with care, and everything becomes final."""
        covered = self.seconds
        stretches = self._ear.stretches(ended=ended)
        while _seconds(stretches) > _WINDOW_SECONDS and self._slide(stretches):
            stretches = self._ear.stretches(ended=ended)
        pack = next(packs(stretches, _WINDOW_SECONDS), [])
        while pack and (ended or len(pack) < len(stretches)):
            self._close(pack)
            stretches = self._ear.stretches(ended=ended)
            pack = next(packs(stretches, _WINDOW_SECONDS), [])
        self._pack, self._pause = pack, self.seconds - pack[-1].end if pack else 0.0
        self.draft = self._skim(pack) if pack else ""
        self.covered = covered

    def settle(self) -> bool:
        """Makes final what can be of what was heard last, which is written with care for that; whether anything was."""
        former, self._former = self._former, self.draft
        over = _whole(self.draft, self._pause)
        if not over or (over > _agreed(former, self.draft) and self._pause < _PAUSE_SECONDS):
            return False
        window, best = self._careful(self._pack)
        end = _whole(best.text, self._pause) if best else 0
        if best and end:
            self._settle(window, replace(best, text=best.text[:end].strip()), self._pack)
            self._former = self.draft = best.text[end:].strip()
        return end > 0

    def transcript(self) -> Transcript:
        """What is final, with the times of its words."""
        return self._final.transcript(self._runtime, self.seconds)

    def _skim(self, pack: Sequence[Stretch]) -> str:
        """What is said in a pack after what is final of it, heard alone, which is quick."""
        settled = _in_pause(self._settled(pack), pack)
        rest = [_after(stretch, settled) for stretch in pack if stretch.end > settled]
        length = sum(len(stretch.samples) for stretch in rest)
        if length != self._skimmed[0]:
            heard = self._write(self._runtime.listen(samples_of(rest), short=True), rest, "") if rest else None
            self._skimmed = (length, heard.text if heard and _can_be_shown(heard) else "")
        return self._skimmed[1]

    def _careful(self, pack: Sequence[Stretch]) -> tuple[Window, Heard | None]:
        """What is said in a pack after what is final of it, heard with that; None where it cannot be made out."""
        settled = self._settled(pack)
        window = self._runtime.listen(samples_of(pack), short=True)
        heard = self._write(window, [_after(one, settled) for one in pack if one.end > settled], self._written)
        return window, careful(window, heard, self._finder, self._written, words=False)

    def _write(self, window: Window, unsettled: Sequence[Stretch], written: str) -> Heard:
        most = round(_FEWEST_TOKENS + _TOKENS_PER_SECOND * _seconds(unsettled))
        return window.write(written=written, most_tokens=most)

    def _settled(self, pack: Sequence[Stretch]) -> float:
        """The second of the recording up to which what is said in a pack is final."""
        return self._final.words[-1].end if self._written and self._final.words else pack[0].start

    def _slide(self, stretches: Sequence[Stretch]) -> bool:
        """Lets the window begin later, with a final sentence that leaves little before what is not final, or behind
        the final text; False where nothing of it is final."""
        words = self._final.words[self._first :]
        if not self._written or not words:
            return False
        ends = [place for place, word in enumerate(words, 1) if _SENTENCE_END.search(self._upto(word))]
        dropped = next((place for place in ends if _after_all(stretches, words[place - 1].end) <= _KEPT_SECONDS), 0)
        dropped = dropped or len(words)
        self._ear.drop(_in_pause(words[dropped - 1].end, stretches))
        self._first += dropped
        self._written = self.text[words[dropped].char_start :] if dropped < len(words) else ""
        return True

    def _upto(self, word: Word) -> str:
        """A word with the marks that follow it."""
        return self.text[word.char_start :].split(" ", 1)[0]

    def _close(self, pack: Sequence[Stretch]) -> None:
        """Makes everything final that was said in a pack, to which nothing more comes."""
        settled = self._settled(pack)
        if pack[-1].end - settled > _MARGIN_SECONDS:  # else nothing is left, and Whisper would repeat what it wrote
            window, best = self._careful(pack)
            if best or not self._written:
                self._settle(window, best, pack)
        # the first sentences of the stretch that no longer fits may be final already
        self._ear.drop(_in_pause(max(pack[-1].end, settled), pack))
        self._begin_pack()
        self.draft = ""

    def _settle(self, window: Window, heard: Heard | None, pack: Sequence[Stretch]) -> None:
        """Makes what was heard final, or says that nothing could be made out."""
        if heard:
            heard = replace(heard, words=window.times(heard.text, self._written))
        self._final.add(heard, pack)
        if heard:
            self._written = f"{self._written} {heard.text}".strip()


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

    def stretches(self, *, ended: bool) -> list[Stretch]:
        """The stretches that were not dropped; unless the recording has ended, the last one may still go on."""
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
        return [*self._closed, *found[len(spans) :]]

    def drop(self, second: float) -> None:
        """Forgets what was before a second of the recording."""
        self._closed = [_after(stretch, second) for stretch in self._closed if stretch.end > second]
        self._taken = max(self._taken, round(second * SAMPLE_RATE))

    def _stretch(self, start: int, end: int) -> Stretch:
        return Stretch(start / SAMPLE_RATE, self._pending[start - self._first : end - self._first])

    def _cut(self, first: int) -> None:
        """Forgets the samples before the one of this number."""
        skipped = min(max(first - self._first, 0), len(self._pending))
        self._pending, self._first = self._pending[skipped:], self._first + skipped


def _after(stretch: Stretch, second: float) -> Stretch:
    skipped = max(round((second - stretch.start) * SAMPLE_RATE), 0)
    return Stretch(stretch.start + skipped / SAMPLE_RATE, stretch.samples[skipped:])


def _seconds(stretches: Sequence[Stretch]) -> float:
    return sum(stretch.seconds for stretch in stretches)


def _after_all(stretches: Sequence[Stretch], second: float) -> float:
    """How much is said after a second of the recording."""
    return sum(max(stretch.end - max(stretch.start, second), 0.0) for stretch in stretches)


def _in_pause(second: float, stretches: Sequence[Stretch]) -> float:
    """The end of a stretch near to where a word seems to end, so that the onset of the next word is not cut off."""
    near = min(stretches, key=lambda stretch: abs(stretch.end - second))
    return near.end if abs(near.end - second) <= _MARGIN_SECONDS else second


def _can_be_shown(heard: Heard) -> bool:
    """Whether what was quickly heard can be shown."""
    return is_speech(heard) and heard.repetition <= REPEATING


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
