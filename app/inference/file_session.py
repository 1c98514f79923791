"""Reads a dictation that is not being spoken, and shows words and values as they come; runs in the inference process.

After a few windows of speech some rows are asked of what is transcribed by then, so that the first values stand there
long before the end of a long recording. Nothing is asked twice, not even of a dictation that is read again for another
patient or time; but for when it is asked, a recording is read like its finished text.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app.inference.live_events import Followed, LiveValues
from app.inference.tasks import UsageMeter, finished, growing_extraction
from app.inference.usage import Outcome
from extraction.filling.answer_cache import LATEST, CachingFiller
from extraction.flowsheet.schema import Schema
from extraction.growing_extraction import ONCE, GrowingExtraction
from extraction.language.sentences import whole_sentences
from extraction.preparation.encounter_context import EncounterContext
from models.base.progress import Progress, ProgressMonitor
from models.process.messages import Channel
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
    channel: Channel,
    monitor: ProgressMonitor,
) -> Outcome[Followed]:
    """Transcribes a recording, unless its transcript is given, and reads its values.

    Emits the values read so far as LiveValues, and the Transcript of a recording as soon as it is complete.

    Raises:
        AudioError, Cancelled: see `speech.transcribe.transcribe`.
    """
    meter = UsageMeter(runtimes)
    transcript = source if isinstance(source, Transcript) else None

    def report(progress: Progress) -> None:
        if transcript is not None:  # transcription reports meanwhile
            monitor.report(progress)

    with meter.loading():
        filler = CachingFiller(runtimes.llm, runtimes.answers, LATEST)
        values = growing_extraction(
            runtimes,
            schema,
            context,
            filler,
            top_k=top_k,
            index_folder=index_folder,
            learned=learned,
            monitor=ProgressMonitor(report, monitor.cancelled),
        )
    seconds: dict[str, float] = {}
    if isinstance(source, Path):
        with meter.loading():
            whisper = runtimes.whisper
        start = time.monotonic()
        transcript = transcribe(whisper, source, hotwords, monitor, _reading_beside(runtimes, values, channel))
        seconds["transcribe"] = time.monotonic() - start - sum(values.seconds.values())
        channel.emit(transcript)
    assert transcript is not None
    read_out(values, transcript.text, channel.emit, monitor)
    found = finished(values, transcript.text, runtimes, top_k)
    return meter.outcome(Followed(transcript, found), seconds | values.seconds)


def _reading_beside(runtimes: Runtimes, values: GrowingExtraction, channel: Channel) -> Callable[[str], None]:
    """Reads what is transcribed so far after the first, second, fourth, eighth window of speech, and so on."""
    windows = 0

    def heard(text: str) -> None:
        nonlocal windows
        windows += 1
        rarely = windows & (windows - 1) == 0
        if rarely and (said := whole_sentences(text)):
            with _beside_speech(runtimes):
                channel.emit(LiveValues(values.read(said, _BESIDE_SPEECH).proposals.values, said))

    return heard


def read_out(
    values: GrowingExtraction, text: str, emit: Callable[[LiveValues], object], monitor: ProgressMonitor
) -> None:
    """Reads a finished text to its end: what was measured at once, then in steps that double, because each weighs all
    readings again.
    """
    asked = most = 0
    while not values.covers(text):
        emit(LiveValues(values.read(text, most).proposals.values, text))
        asked += most
        most = max(ONCE, asked)
        monitor.report(Progress("fill", asked / (asked + values.left) if values.left else 1.0))


@contextmanager
def _beside_speech(runtimes: Runtimes) -> Iterator[None]:
    """Leaves speech recognition its threads: it works on the next window meanwhile."""
    runtimes.use_threads(runtimes.threads_beside_speech)
    try:
        yield
    finally:
        runtimes.use_threads(runtimes.config.threads)
