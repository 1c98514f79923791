"""Reads a dictation that was opened, and shows words and values as they come; runs in the inference process.

After a few windows of speech some rows are asked of what is transcribed by then, so that the first values stand there
long before the end of a long recording. Nothing is asked twice, not even about a sentence that is said twice, or of a
dictation that is read again for another patient or time; but for that, the result is that of the finished text.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.inference.growing_extraction import GrowingExtraction
from app.inference.live_events import Followed
from app.inference.tasks import Meter, finished, index_of, learned_of, matcher_of
from app.inference.usage import Outcome
from extraction.confidence.binding import ReadingMethod
from extraction.filling.answer_cache import RememberingFiller
from extraction.flowsheet.schema import Schema
from extraction.language.sentences import Segment, whole_sentences
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from extraction.retrieval.embedding_cache import KeptVectors
from extraction.retrieval.reduction import reduce
from extraction.streaming import ONCE
from models.process.messages import Talk
from models.progress import Progress, Watch, ignore_progress
from models.runtimes.loaded import Runtimes
from speech.transcribe import transcribe
from speech.transcript import Transcript

# Questions while the next window of speech is transcribed, about as long as that takes. Twelve after each window made a
# recording take half as long again, four after each window still a third.
_BESIDE_SPEECH = 4


def read_file(
    runtimes: Runtimes,
    *,
    source: Path | Transcript,
    hotwords: list[str],
    schema: Schema,
    context: EncounterContext,
    top_k: int,
    index_folder: Path,
    learned: Path | None,
    talk: Talk,
    watch: Watch,
) -> Outcome[Followed]:
    """Transcribes a recording, unless its transcript is given, and reads its values.

    Emits the values read so far as LiveValues, and the Transcript of a recording as soon as it is complete.

    Raises:
        AudioError, Cancelled: see `speech.transcribe.transcribe`.
    """
    meter = Meter(runtimes)
    with meter.loading():
        known, matcher = learned_of(runtimes, schema, learned), matcher_of(runtimes)
        vectors = KeptVectors(runtimes.embedder)
        filler = RememberingFiller(runtimes.llm, runtimes.answers)

    transcribed = isinstance(source, Transcript)

    def reduced(segments: tuple[Segment, ...]) -> ReducedSchema:
        quiet = watch if transcribed else Watch(ignore_progress, watch.cancelled)  # transcription reports meanwhile
        index = index_of(runtimes, schema, index_folder, quiet)
        found = reduce(schema, segments, index, vectors, top_k, known.prior, known.book, matcher)
        if transcribed:
            watch.report(Progress("fill", 0.0))
        return found

    values = GrowingExtraction(schema, context, filler, reduced, known, matcher, watch.cancelled)
    start = time.monotonic()

    windows = 0

    def heard(text: str) -> None:
        nonlocal windows
        windows += 1
        rarely = windows & (windows - 1) == 0  # after the first, second, fourth, eighth window
        if rarely and (said := whole_sentences(text)):
            with _beside_speech(runtimes):
                talk.emit(values.read(said, _BESIDE_SPEECH))

    if isinstance(source, Transcript):
        transcript = source
    else:
        with meter.loading():
            whisper = runtimes.whisper
        transcript = transcribe(whisper, source, hotwords, watch, heard)
        talk.emit(transcript)
        transcribed = True
    seconds = {"transcribe": time.monotonic() - start - values.reduce_seconds - values.fill_seconds}
    _read_out(values, transcript.text, talk, watch)
    method = ReadingMethod(top_k=top_k)
    found = finished(values.extraction, transcript.text, runtimes, schema, known, method)
    seconds |= {"reduce": values.reduce_seconds, "fill": values.fill_seconds}
    return meter.outcome(Followed(transcript, found, seconds))


def _read_out(values: GrowingExtraction, text: str, talk: Talk, watch: Watch) -> None:
    """Reads a finished text to its end, in steps that double, because each weighs all readings again."""
    watch.report(Progress("reduce", None))
    asked = 0
    while not values.covers(text):
        most = max(ONCE, asked)
        talk.emit(values.read(text, most))
        asked += most
        watch.report(Progress("fill", asked / (asked + values.left)))


@contextmanager
def _beside_speech(runtimes: Runtimes) -> Iterator[None]:
    """Leaves speech recognition its threads: it works on the next window meanwhile."""
    runtimes.use_threads(runtimes.threads_beside_speech)
    try:
        yield
    finally:
        runtimes.use_threads(runtimes.config.threads)
