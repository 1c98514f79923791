"""Follows a dictation while it is spoken; runs in the inference process.

One thread does everything in turn, so that speech recognition and filling share the processor: between two pieces of
the filler's work (it asks there whether it is cancelled) the sound is listened to, where that is due.
"""

from __future__ import annotations

import datetime as dt
import queue
import time
from dataclasses import replace
from pathlib import Path

from app.live import Followed, LiveValues, LiveWords, Sound
from app.tasks import Meter, Outcome, index_of, learned_of, proposals_of, weighed_by
from extraction.live import GrowingReader, KeptVectors
from extraction.propose import Proposals
from extraction.reduce import ReducedSchema, reduce
from extraction.rowwise import RowwiseFiller
from extraction.schema import Schema
from extraction.segment import Segment
from models.progress import CancelledCallback, ProgressCallback, stop_if
from models.runtimes import Runtimes
from models.worker import Talk
from speech.live import LiveTranscriber
from speech.transcript import Transcript

LISTEN_SECONDS = 1.0  # from the start of one listening to that of the next
_SHARE = 0.5  # of the processor that listening may take
_LEAST_SECONDS = 0.25  # of sound that are worth listening to
_WAIT_SECONDS = 0.05
_CHUNK_TOKENS = 48  # of the filler's work between two looks at the sound: a few tenths of a second on two cores


def follow_recording(
    runtimes: Runtimes,
    *,
    schema: Schema,
    hotwords: list[str],
    top_k: int,
    index_folder: Path,
    learned: Path | None,
    talk: Talk,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> Outcome[Followed]:
    """Is given `app.live.Sound`, and tells LiveWords and LiveValues until the recording has ended and all is read."""
    meter = Meter(runtimes)
    with meter.loading():
        listener = Listener(LiveTranscriber(runtimes.whisper, hotwords), talk, cancelled, LISTEN_SECONDS)
    # the words come first: between the other models the sound is listened to
    listener.stopped()
    with meter.loading():
        llm = runtimes.llm
    listener.stopped()
    with meter.loading():
        vectors, known = KeptVectors(runtimes.embedder), learned_of(runtimes, schema, learned)
    index = index_of(runtimes, schema, index_folder, progress, cancelled)
    reduce_seconds = fill_seconds = 0.0

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        nonlocal reduce_seconds
        start = time.monotonic()
        found = reduce(schema, segments, index, vectors, top_k, known.prior, known.book)
        reduce_seconds += time.monotonic() - start
        return found

    filler = RowwiseFiller(llm)
    reader = GrowingReader(schema, filler, reduced, dt.datetime.now().astimezone().date())
    read, proposals = None, Proposals((), ())
    usual, llm.chunk_tokens = llm.chunk_tokens, _CHUNK_TOKENS
    try:
        while not listener.finished or (listener.text and (read is None or not read.covers(listener.text))):
            if listener.stopped():
                stop_if(cancelled)
            text = listener.text
            if not text or (read and read.covers(text)):
                listener.wait()
                continue
            start, other = time.monotonic(), listener.seconds + reduce_seconds
            read = reader.read(text, listener.stopped)
            proposals = proposals_of(read.task, read.readings, known, filler.name)
            talk.told(LiveValues(proposals.values, text))
            fill_seconds += time.monotonic() - start - (listener.seconds + reduce_seconds - other)
    finally:
        llm.chunk_tokens = usual
    proposals = replace(proposals, weighed_by=weighed_by(runtimes, schema, known))
    candidates = read.task.reduced.candidates if read else ()
    seconds = {"transcribe": listener.seconds, "reduce": reduce_seconds, "fill": fill_seconds}
    return meter.outcome(Followed(listener.transcript(), proposals, candidates, seconds))


class Listener:
    """Brings the sound that is given to the transcriber, in good time, and tells what was heard.

    Attributes:
        finished: whether the recording has ended and all of its text is final.
        seconds: time spent listening.
    """

    def __init__(
        self,
        words: LiveTranscriber,
        talk: Talk,
        cancelled: CancelledCallback,
        every_seconds: float,
    ) -> None:
        self._words, self._talk, self._cancelled = words, talk, cancelled
        self._every = every_seconds
        self._due = 0.0
        self._ended = False
        self._told = LiveWords("", "", 0.0)
        self.finished = False
        self.seconds = 0.0

    @property
    def text(self) -> str:
        """What is final."""
        return self._words.text

    def transcript(self) -> Transcript:
        return self._words.transcript()

    def stopped(self) -> bool:
        """Listens where it is due; whether the work is to be stopped."""
        while not self._talk.given.empty():
            self._take(self._talk.given.get())
        news = self._ended or self._words.seconds - self._told.covered >= _LEAST_SECONDS
        if not self.finished and news and (self._ended or time.monotonic() >= self._due):
            self._listen()
        return self._cancelled()

    def wait(self) -> None:
        """Waits a moment for sound."""
        try:
            self._take(self._talk.given.get(timeout=_WAIT_SECONDS))
        except queue.Empty:
            return

    def _take(self, sound: Sound) -> None:
        if sound is None:
            self._ended = True
        else:
            self._words.hear(sound)

    def _listen(self) -> None:
        start = time.monotonic()
        self._words.listen(ended=self._ended)
        took = time.monotonic() - start
        self.seconds += took
        self._due = start + max(self._every, took / _SHARE)
        self.finished = self._ended
        self._told = LiveWords(self._words.text, self._words.draft, self._words.covered)
        self._talk.told(self._told)
