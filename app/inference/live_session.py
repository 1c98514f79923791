"""Follows a dictation while it is spoken; runs in the inference process.

Speech recognition and filling share the processor, see `app.inference.live_listener.Processor`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app.inference.live_events import Followed, LiveValues
from app.inference.live_listener import LiveListener, Processor
from app.inference.tasks import UsageMeter, finished, growing_extraction, index_of
from app.inference.usage import Outcome
from extraction.filling.answer_cache import LATEST, CachingFiller
from extraction.flowsheet.schema import Schema
from extraction.growing_extraction import ONCE
from extraction.preparation.encounter_context import EncounterContext
from models.base.progress import CancelledCallback, ProgressMonitor, stop_if
from models.process.messages import Channel
from models.runtimes.loaded import Runtimes
from speech.live_transcriber import LiveTranscriber

if TYPE_CHECKING:
    from models.runtimes.llm import LlamaRuntime

# The longest piece of the filler's work that listening may have to wait for. Larger pieces than _MOST_TOKENS are not
# read any faster, and a remainder below a multiple of _FEWEST_TOKENS takes as long as a full one.
_PIECE_SECONDS = 0.8
_FEWEST_TOKENS, _MOST_TOKENS = 16, 48


def follow_recording(
    runtimes: Runtimes,
    *,
    schema: Schema,
    context: EncounterContext,
    hotwords: list[str],
    top_k: int,
    index_folder: Path,
    learned: Path | None,
    to_the_end: bool,
    channel: Channel,
    monitor: ProgressMonitor,
) -> Outcome[Followed]:
    """Receives `app.inference.live_events.Sound` and emits LiveWords and LiveValues while a dictation is spoken.

    Ends when the recording has ended and is transcribed and, with `to_the_end`, also read. The filler's answers are
    cached for filling the finished text.
    """
    meter = UsageMeter(runtimes)
    with meter.loading():
        words = LiveTranscriber(runtimes.whisper, hotwords)
    processor = Processor(runtimes)
    with LiveListener(words, channel, processor) as listener:
        with meter.loading():
            llm = runtimes.llm
        with _in_pieces(llm, processor, listener, monitor.cancelled) as stopped:
            with meter.loading():
                values = growing_extraction(
                    runtimes,
                    schema,
                    context,
                    CachingFiller(llm, runtimes.answers, LATEST),
                    top_k=top_k,
                    index_folder=index_folder,
                    learned=learned,
                    monitor=ProgressMonitor(cancelled=stopped),
                )
            index_of(
                runtimes, schema, index_folder, ProgressMonitor(monitor.report, stopped)
            )  # before the first sentence ends
            while not (listener.finished and (values.covers(listener.text) or not to_the_end)):
                stop_if(stopped)
                text, news, ahead = listener.text, None, False
                if values.covers(text):
                    ahead = values.read_ahead(listener.ahead)
                else:
                    most = ONCE if text == values.prepared.transcript else 0  # what was measured needs no question
                    news = LiveValues(values.read(text, most).proposals.values, text)
                    listener.awaited = values.left <= ONCE and listener.text == text
                processor.rest()
                if news:
                    channel.emit(news)
                elif not ahead:
                    listener.wait()
    transcript = listener.transcript()
    found = finished(values, transcript.text, runtimes, top_k)
    return meter.outcome(Followed(transcript, found), {"transcribe": listener.seconds} | values.seconds)


@contextmanager
def _in_pieces(
    llm: LlamaRuntime, processor: Processor, listener: LiveListener, cancelled: CancelledCallback
) -> Iterator[CancelledCallback]:
    """Makes the filler work in small pieces until everything is transcribed.

    Yields a callback that must be called before each piece and returns whether to stop.
    """
    usual = llm.chunk_tokens

    def stopped() -> bool:
        in_time = int(min(llm.tokens_per_second * _PIECE_SECONDS, _MOST_TOKENS)) // _FEWEST_TOKENS * _FEWEST_TOKENS
        llm.chunk_tokens = usual if listener.finished else max(in_time, _FEWEST_TOKENS)
        processor.begin()
        return cancelled()

    try:
        yield stopped
    finally:
        llm.chunk_tokens = usual
        processor.leave()
