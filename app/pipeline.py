"""START HERE: from a dictation to values that a nurse can confirm, stage by stage.

Recording -> Transcript -> values with evidence (`extraction.extractor`) -> checks for misheard words. What
happens to the values afterwards (review, export) is in `app.store` and `app.exchange.export`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from app import extraction_records
from app.inference.interface import InferenceClient, Stages
from app.inference.live_events import LiveValues
from app.inference.usage import UsageTotals
from app.record.run import RunRecord
from app.record.values import ProposedValue
from extraction.extractor import Extraction
from extraction.flowsheet.naming.speech_terms import schema_terms
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import FilledValue
from extraction.mishearing import SpokenWord, with_doubts_of_hearing
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.preparation.people.other_patients import NAMES_NOBODY, NamedPatients
from extraction.preparation.prepared_transcript import SetAside
from extraction.retrieval.candidates import Candidate
from extraction.retrieval.likely_rows import LikelyRows
from models.base.progress import ProgressMonitor, stop_if
from models.process.messages import Channel
from speech.errors import AudioError
from speech.text_file import read_text
from speech.transcript import Transcript


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """The result of a run, and the resources used.

    Attributes:
        values: the proposals, most confident first.
        held_back: values that were read but are too doubtful to propose, most confident first.
        candidates: the reduced schema, most relevant row first.
        seconds: wall time per stage; `load` is loading models, which the others do not contain.
        weighed_by: signature of the models that weighed the values, see
            `extraction.confidence.learned_models.signature`.
        features_signature: signature of the meaning of their features, likewise.
        set_aside: statements that are deliberately not charted.
        naming: the patients that the dictation names.
        likely: by clause, the rows that it may be about.
        tokens: `prompt` and `completion` tokens of the filler.
        models, devices: id and device of the model in each role that was used.
    """

    transcript: Transcript
    values: tuple[FilledValue, ...]
    held_back: tuple[FilledValue, ...]
    candidates: tuple[Candidate, ...]
    weighed_by: str
    seconds: dict[str, float]
    tokens: dict[str, int]
    models: dict[str, str]
    devices: dict[str, str]
    set_aside: tuple[SetAside, ...] = ()
    naming: NamedPatients = NAMES_NOBODY
    features_signature: str = ""
    likely: tuple[LikelyRows, ...] = ()

    @property
    def proposed(self) -> tuple[ProposedValue, ...]:
        """The proposals, for the store."""
        return extraction_records.proposed(self.values)

    @property
    def record(self) -> RunRecord:
        """How the values were obtained, for the store."""
        return RunRecord(
            seconds=self.seconds,
            tokens=self.tokens,
            models=self.models,
            devices=self.devices,
            candidates=len(self.candidates),
            held_back=extraction_records.proposed(self.held_back),
            weighed_by=self.weighed_by,
            features_signature=self.features_signature,
            set_aside=extraction_records.set_aside(self.set_aside),
            naming=extraction_records.naming(self.naming),
            likely=extraction_records.likely(self.likely),
        )


def run(
    source: Path,
    kind: str,
    schema: Schema,
    inference: Stages,
    *,
    context: EncounterContext = NO_CONTEXT,
    transcript: Transcript | None = None,
    on_transcript: Callable[[Transcript], None] = lambda _: None,
    on_values: Callable[[LiveValues], None] | None = None,
    monitor: ProgressMonitor,
) -> PipelineResult:
    """Runs every stage; if `transcript` is given, those after transcription.

    `kind` is 'audio' or 'text'. `on_transcript` is called once the text is known, before anything that can still fail.
    `on_values` is called with the values read so far, for a recording already while it is transcribed; without it the
    transcript is there before any other model is loaded.

    Raises:
        InputError, AudioError: the source cannot be used; ModelFileError, WorkerDied, Cancelled: see
        `app.inference.client`.
    """
    took = UsageTotals()
    if transcript is None and (kind == "text" or on_values is None):
        transcript = read_text(source) if kind == "text" else _heard(source, schema, inference, took, monitor)
        on_transcript(transcript)

    def tell(news: Transcript | LiveValues) -> None:
        if isinstance(news, LiveValues):
            if on_values:
                on_values(news)
        elif news.text:
            on_transcript(news)

    channel, hotwords = Channel(SimpleQueue(), tell), [] if transcript else schema_terms(schema)
    found = took.of(inference.read_file(transcript or source, schema, context, hotwords, channel, monitor))
    return _result(_with_speech(found.transcript, source), schema, found.extraction, inference.models, took)


def transcribe(source: Path, schema: Schema, inference: Stages, *, monitor: ProgressMonitor) -> Transcript:
    """Transcribes a recording alone. Raises AudioError if no speech is heard in it, and otherwise as `run` does."""
    return _heard(source, schema, inference, UsageTotals(), monitor)


def follow(
    schema: Schema,
    inference: InferenceClient,
    channel: Channel,
    *,
    context: EncounterContext = NO_CONTEXT,
    to_the_end: bool = True,
    monitor: ProgressMonitor,
) -> PipelineResult | None:
    """Runs all stages at once while the recording is made; returns None if no word was heard.

    `channel` delivers `app.inference.live_events.Sound` and receives LiveWords and LiveValues. Without `to_the_end` the
    transcript is complete, but the values are only those read while it was spoken. Raises as `run` does.
    """
    took = UsageTotals()
    found = took.of(inference.follow(schema, context, schema_terms(schema), channel, to_the_end, monitor))
    if not found.transcript.text:
        return None
    return _result(found.transcript, schema, found.extraction, inference.models, took)


def _result(
    transcript: Transcript, schema: Schema, found: Extraction, models: dict[str, str], took: UsageTotals
) -> PipelineResult:
    proposals = with_doubts_of_hearing(transcript.text, spoken_words(transcript), schema, found.proposals)
    return PipelineResult(
        transcript=transcript,
        values=proposals.values,
        held_back=proposals.held_back,
        candidates=found.candidates,
        weighed_by=proposals.weighed_by,
        features_signature=proposals.features_signature,
        seconds={stage: round(seconds, 3) for stage, seconds in took.seconds.items()},
        tokens=took.tokens,
        models={role: models[role] for role in took.devices},
        devices=took.devices,
        set_aside=found.set_aside,
        naming=found.naming,
        likely=found.likely,
    )


def spoken_words(transcript: Transcript) -> list[SpokenWord]:
    """The words of a transcript with the speech model's probabilities; empty for a typed text."""
    return [SpokenWord(one.char_start, one.char_end, one.text, one.probability) for one in transcript.words]


def _heard(source: Path, schema: Schema, inference: Stages, took: UsageTotals, monitor: ProgressMonitor) -> Transcript:
    transcript = took.of(inference.transcribe(source, schema_terms(schema), monitor))
    stop_if(monitor.cancelled)
    return _with_speech(transcript, source)


def _with_speech(transcript: Transcript, source: Path) -> Transcript:
    """The transcript of a recording. Raises AudioError if no speech is heard in it."""
    if not transcript.text:
        raise AudioError(
            f"No speech was heard in {source.name}.",
            "Listen to the recording: it may be silent or too noisy. It is kept and can be transcribed again.",
        )
    return transcript
