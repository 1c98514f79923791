"""Follows a dictation while it is spoken; runs in the inference process.

One thread does everything in turn, so that speech recognition and filling share the processor: between two pieces of
the filler's work (it asks there whether it is cancelled) the sound is listened to, where that is due.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.live import Followed, LiveValues, LiveWords, Sound
from app.tasks import Meter, Outcome, index_of, learned_of, proposals_of, weighed_by
from extraction.learned import Learned
from extraction.live import GrowingReader, KeptVectors, ReadSoFar
from extraction.meaning import Beside
from extraction.propose import Proposals
from extraction.reduce import Candidate, ReducedSchema, reduce
from extraction.rowwise import RowwiseFiller
from extraction.said import SetAside
from extraction.schema import Schema
from extraction.segment import Segment, whole_sentences
from models.messages import Talk
from models.progress import CancelledCallback, ProgressCallback, stop_if
from models.runtimes import Runtimes
from speech.live import LiveTranscriber
from speech.transcript import Transcript

if TYPE_CHECKING:
    from models.llm import LlamaRuntime

LISTEN_SECONDS = 1.5  # from the start of one listening to that of the next
_SHARE = 0.5  # of the processor that listening may take
_LEAST_SECONDS = 0.25  # of sound that are worth listening to
_WAIT_SECONDS = 0.05
_CHUNK_TOKENS = 64  # of the filler's work between two looks at the sound: a few tenths of a second on two cores


def follow_recording(
    runtimes: Runtimes,
    *,
    schema: Schema,
    beside: Beside,
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

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        return reduce(schema, segments, index, vectors, top_k, known.prior, known.book)

    usual, llm.chunk_tokens = llm.chunk_tokens, _CHUNK_TOKENS

    def stopped() -> bool:
        is_stopped = listener.stopped()
        if listener.finished:
            llm.chunk_tokens = usual  # there is no sound to look for any more
        return is_stopped

    values = Values(schema, beside, llm, reduced, known, listener, talk, stopped)
    try:
        while not (listener.finished and values.complete):
            if stopped():
                stop_if(cancelled)
            if not values.complete:
                values.read()
            elif not listener.settled():
                listener.wait()
    finally:
        llm.chunk_tokens = usual
    seconds = {"transcribe": listener.seconds, "reduce": values.reduce_seconds, "fill": values.fill_seconds}
    proposals = replace(values.proposals, weighed_by=weighed_by(runtimes, schema, known))
    return meter.outcome(Followed(listener.transcript(), proposals, values.set_aside, values.candidates, seconds))


class Values:
    """Reads what is written and tells what it comes to.

    Attributes:
        proposals, candidates, set_aside: as they stand.
        reduce_seconds, fill_seconds: time spent on each.
    """

    def __init__(
        self,
        schema: Schema,
        beside: Beside,
        llm: LlamaRuntime,
        reduced: Callable[[tuple[Segment, ...]], ReducedSchema],
        known: Learned,
        listener: Listener,
        talk: Talk,
        stopped: CancelledCallback,
    ) -> None:
        self._filler = RowwiseFiller(llm)
        self._reader = GrowingReader(schema, self._filler, self._reduced, beside)
        self._reduce, self._known, self._listener, self._talk, self._stopped = reduced, known, listener, talk, stopped
        self._read: ReadSoFar | None = None
        self.proposals = Proposals((), ())
        self.reduce_seconds = self.fill_seconds = 0.0

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        return self._read.task.reduced.candidates if self._read else ()

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        return self._read.meaning.set_aside if self._read else ()

    @property
    def complete(self) -> bool:
        """Whether everything that is written was read."""
        text = self._listener.text
        return not text or (self._read is not None and self._read.covers(text))

    def read(self) -> None:
        """Reads on for some seconds, and listens meanwhile."""
        text, start = self._listener.text, time.monotonic()
        reduced, listened = self.reduce_seconds, self._listener.seconds
        self._read = self._reader.read(text, self._stopped)
        task = self._read.task
        read = proposals_of(task, self._read.readings, self._known, self._filler.name)
        self.proposals = self._read.meaning.charted(task, read)
        self._talk.told(LiveValues(self.proposals.values, text))
        elsewhere = self.reduce_seconds - reduced + self._listener.seconds - listened
        self.fill_seconds += time.monotonic() - start - elsewhere

    def _reduced(self, segments: tuple[Segment, ...]) -> ReducedSchema:
        start = time.monotonic()
        found = self._reduce(segments)
        self.reduce_seconds += time.monotonic() - start
        return found


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
        """What is written with care: the final text, and after it what may yet be written otherwise."""
        return f"{self._words.text} {whole_sentences(self._words.likely)}".strip()

    def transcript(self) -> Transcript:
        return self._words.transcript()

    def stopped(self) -> bool:
        """Listens where it is due; whether the work is to be stopped."""
        while self._is_due():  # twice where the recording ended meanwhile
            self._listen()
        return self._cancelled()

    def settled(self) -> bool:
        """Has what was said up to the last pause written with care; whether there was anything new."""
        start = time.monotonic()
        settled = not self.finished and self._words.settle()
        self.seconds += time.monotonic() - start
        return settled

    def wait(self) -> None:
        """Waits a moment for sound."""
        try:
            self._take(self._talk.given.get(timeout=_WAIT_SECONDS))
        except queue.Empty:
            return

    def _is_due(self) -> bool:
        while not self._talk.given.empty():
            self._take(self._talk.given.get())
        if self.finished or self._ended:
            return not self.finished
        return self._words.seconds - self._told.covered >= _LEAST_SECONDS and time.monotonic() >= self._due

    def _take(self, sound: Sound) -> None:
        if sound is None:
            self._ended = True
        else:
            self._words.hear(sound)

    def _listen(self) -> None:
        start = time.monotonic()
        self._words.listen(ended=self._ended)
        self._tell()
        took = time.monotonic() - start
        self.seconds += took
        self._due = start + max(self._every, took / _SHARE)
        self.finished = self._ended

    def _tell(self) -> None:
        self._told = LiveWords(self._words.text, self._words.draft, self._words.covered)
        self._talk.told(self._told)
