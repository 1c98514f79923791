"""Listens to a dictation while it is spoken; runs in the inference process, on a thread beside the filler's."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from app.inference.live_events import LiveWords, Sound
from extraction.language.sentences import whole_sentences
from models.process.messages import Talk
from models.runtimes.loaded import Runtimes
from speech.live_transcriber import LiveTranscriber
from speech.transcript import Transcript

LISTEN_SECONDS = 1.5  # from the start of one listening to that of the next
_SHARE = 0.5  # of the time that either kind of listening may take
_LEAST_SECONDS = 0.25  # of sound that are worth listening to
_WAIT_SECONDS = 0.05


class Processor:
    """Divides the processor's threads between the filler and whoever listens, who goes first.

    The filler works in pieces. Those that it begins while nobody listens have all threads, and the listener waits for
    the end of such a piece; the others have what Whisper leaves.
    """

    def __init__(self, runtimes: Runtimes) -> None:
        self._runtimes = runtimes
        self._change = threading.Condition()
        self._listening = self._taken = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """For the time in which Whisper works."""
        with self._change:
            self._listening = True
            self._change.wait_for(lambda: not self._taken)
        try:
            yield
        finally:
            self._listening = False

    def begin(self) -> None:
        """The filler begins a piece of work."""
        with self._change:
            self._taken = not self._listening
            self._change.notify_all()
        config = self._runtimes.config
        self._runtimes.use_threads(config.threads if self._taken else config.threads_beside_speech)

    def rest(self) -> None:
        """The filler has nothing to do for a while."""
        with self._change:
            self._taken = False
            self._change.notify_all()

    def leave(self) -> None:
        """Nobody listens any more: whatever is filled now has all threads."""
        self.rest()
        self._runtimes.use_threads(self._runtimes.config.threads)


class LiveListener:
    """Brings the sound that is given to the transcriber, in good time, and tells what was heard.

    A context manager: it listens until the recording has ended, and is gone when it is left.

    Attributes:
        text: what is written with care: the final text, and after it what may yet be written otherwise.
        ahead: what that may become, as far as it was heard.
        ended: whether the recording has ended.
        finished: whether it has, and all of its text is final.
        awaited: whether somebody waits for more text; may be set by any thread.
        seconds: time spent listening.
    """

    def __init__(self, words: LiveTranscriber, talk: Talk, processor: Processor) -> None:
        self._words, self._talk, self._processor = words, talk, processor
        self._due = self._settle_due = 0.0
        self._covered = 0.0  # seconds of the recording that were told of
        self._left = threading.Event()
        self._news = threading.Event()
        self._failure: BaseException | None = None
        self._thread = threading.Thread(target=self._listen, name="listening")
        self.text = self.ahead = ""
        self.ended = self.finished = False
        self.awaited = True
        self.seconds = 0.0

    def __enter__(self) -> LiveListener:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._left.set()
        self._thread.join()

    def wait(self) -> None:
        """Waits a moment for words. Raises what went wrong in the listening."""
        self._news.wait(_WAIT_SECONDS)
        self._news.clear()
        if self._failure:
            raise self._failure

    def transcript(self) -> Transcript:
        """What was said; to be asked for once it is finished."""
        return self._words.transcript()

    # on its own thread

    def _listen(self) -> None:
        try:
            while not (self.finished or self._left.is_set()):
                self._take_what_came()
                now = time.monotonic()
                if self.ended or (now >= self._due and self._words.seconds - self._covered >= _LEAST_SECONDS):
                    self._hear()
                elif not (self.awaited and now >= self._settle_due and self._words.unsettled and self._settle()):
                    self._wait_for_sound()
        except BaseException as failure:  # noqa: BLE001 - whatever it is, the thread that waits for the words raises it
            self._failure = failure
        self._news.set()

    def _hear(self) -> None:
        start, ended = time.monotonic(), self.ended
        with self._processor.listening():
            self._words.listen(ended=ended, stopped=self._left.is_set)
            self._covered = self._words.covered
            self._write_down()
            self.ahead = self._final_and(self._words.draft)
            self._talk.emit(LiveWords(self._words.text, self._words.draft, self._covered))
            self._words.look_up_times()
        self.finished = ended
        self._due = start + max(LISTEN_SECONDS, self._spent(start) / _SHARE)

    def _settle(self) -> bool:
        """Has what was said up to the last pause written with care; whether that was not given up."""
        start = time.monotonic()
        with self._processor.listening():
            settled = self._words.settle(self._hurried)
        self._settle_due = start + self._spent(start) / _SHARE
        if settled:
            self._write_down()
        return settled

    def _hurried(self) -> bool:
        """Whether the recording has ended: its last window is more urgent then."""
        self._take_what_came()
        return self.ended or self._left.is_set()

    def _write_down(self) -> None:
        text = self._final_and(self._words.likely)
        if text != self.text:
            self.text, self.awaited = text, False
        self._news.set()

    def _final_and(self, rest: str) -> str:
        """The final text, and the whole sentences of what follows it."""
        return f"{self._words.text} {whole_sentences(rest)}".strip()

    def _spent(self, start: float) -> float:
        took = time.monotonic() - start
        self.seconds += took
        return took

    def _take_what_came(self) -> None:
        while not self._talk.inputs.empty():
            self._take(self._talk.inputs.get())

    def _wait_for_sound(self) -> None:
        try:
            self._take(self._talk.inputs.get(timeout=_WAIT_SECONDS))
        except queue.Empty:
            return

    def _take(self, sound: Sound) -> None:
        if sound is None:
            self.ended = True
        else:
            self._words.hear(sound)
