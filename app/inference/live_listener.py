"""Transcribes a dictation while it is spoken; runs in the inference process, on a thread parallel to the filler's."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from app.inference.live_events import LiveWords, Sound
from extraction.language.sentences import whole_sentences
from models.process.messages import Channel
from models.runtimes.loaded import Runtimes
from speech.live_transcriber import LiveTranscriber
from speech.transcript import Transcript

LISTEN_SECONDS = 1.5  # minimum time between the starts of two drafts
_SHARE = 0.5  # maximum share of the time for drafts, and for careful transcription
_LEAST_SECONDS = 0.25  # minimum length of new sound worth a draft
_WAIT_SECONDS = 0.05


class Processor:
    """Divides the processor's threads between the filler and speech recognition, which has priority.

    The filler works in pieces. A piece that begins while Whisper is idle gets all threads, and Whisper waits for its
    end; other pieces get the threads that Whisper leaves.
    """

    def __init__(self, runtimes: Runtimes) -> None:
        self._runtimes = runtimes
        self._change = threading.Condition()
        self._listening = self._taken = False

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Wraps the work of Whisper; first waits for a piece that has all threads."""
        with self._change:
            self._listening = True
            self._change.wait_for(lambda: not self._taken)
        try:
            yield
        finally:
            self._listening = False

    def begin(self) -> None:
        """Called when the filler begins a piece of work."""
        with self._change:
            self._taken = not self._listening
            self._change.notify_all()
        config = self._runtimes.config
        self._runtimes.use_threads(config.threads if self._taken else self._runtimes.threads_beside_speech)

    def rest(self) -> None:
        """Called when the filler has nothing to do for a while."""
        with self._change:
            self._taken = False
            self._change.notify_all()

    def leave(self) -> None:
        """Called when speech recognition has ended; the filler gets all threads."""
        self.rest()
        self._runtimes.use_threads(self._runtimes.config.threads)


class LiveListener:
    """Passes incoming sound to the transcriber and emits the words heard.

    A context manager: its thread runs until the recording has ended, or until the context is left.

    Attributes:
        text: the careful transcription: the final text, and after it sentences that may still change.
        ahead: the final text, and after it the sentences of the draft.
        ended: whether the recording has ended.
        finished: whether it has ended and all of its text is final.
        awaited: whether more text is wanted; any thread may set it.
        seconds: time spent on speech recognition.
    """

    def __init__(self, words: LiveTranscriber, channel: Channel, processor: Processor) -> None:
        self._words, self._channel, self._processor = words, channel, processor
        self._due = self._settle_due = 0.0
        self._covered = 0.0  # seconds of the recording covered by the last draft
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
        """Waits briefly for new words. Raises the error of the listening thread, if any."""
        self._news.wait(_WAIT_SECONDS)
        self._news.clear()
        if self._failure:
            raise self._failure

    def transcript(self) -> Transcript:
        """The transcript; call it only once `finished`."""
        return self._words.transcript()

    # the methods below run on the listening thread

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
            self._channel.emit(LiveWords(self._words.text, self._words.draft, self._covered))
            self._words.look_up_times()
        self.finished = ended
        self._due = start + max(LISTEN_SECONDS, self._spent(start) / _SHARE)

    def _settle(self) -> bool:
        """Transcribes carefully up to the last pause; returns False if it gave up."""
        start = time.monotonic()
        with self._processor.listening():
            settled = self._words.settle(self._hurried)
        self._settle_due = start + self._spent(start) / _SHARE
        if settled:
            self._write_down()
        return settled

    def _hurried(self) -> bool:
        """Whether to give up careful transcription: the recording has ended, so its last window is more urgent."""
        self._take_what_came()
        return self.ended or self._left.is_set()

    def _write_down(self) -> None:
        text = self._final_and(self._words.likely)
        if text != self.text:
            self.text, self.awaited = text, False
        self._news.set()

    def _final_and(self, rest: str) -> str:
        """The final text, and the whole sentences of the text after it."""
        return f"{self._words.text} {whole_sentences(rest)}".strip()

    def _spent(self, start: float) -> float:
        took = time.monotonic() - start
        self.seconds += took
        return took

    def _take_what_came(self) -> None:
        while not self._channel.inputs.empty():
            self._take(self._channel.inputs.get())

    def _wait_for_sound(self) -> None:
        try:
            self._take(self._channel.inputs.get(timeout=_WAIT_SECONDS))
        except queue.Empty:
            return

    def _take(self, sound: Sound) -> None:
        if sound is None:
            self.ended = True
        else:
            self._words.hear(sound)
