"""START HERE: from a dictation to values that a nurse can confirm, the stages in their order.

Recording -> Transcript -> segments -> reduced schema -> filled values with evidence. What happens to the values
afterwards (review, export) stands in `app.store` and `app.export`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from app.live import Followed
from app.settings import Settings
from app.tasks import Outcome
from extraction.fill import Task
from extraction.hearing import SpokenWord, with_doubts_of_hearing
from extraction.meaning import NOTHING_BESIDE, Beside, Meaning
from extraction.patients import NAMES_NOBODY, Naming
from extraction.propose import Proposals
from extraction.reduce import Candidate, ReducedSchema
from extraction.said import SetAside
from extraction.schema import Schema
from extraction.segment import Segment
from extraction.terms import schema_terms
from extraction.values import FilledValue
from models.errors import AudioError
from models.messages import Talk
from models.progress import CancelledCallback, ProgressCallback, stop_if
from speech.text_file import read_text
from speech.transcript import Transcript

Result = TypeVar("Result")


class Stages(Protocol):
    """What the pipeline needs of `app.inference.Inference`."""

    models: dict[str, str]

    def transcribe(
        self, path: Path, hotwords: list[str], progress: ProgressCallback, cancelled: CancelledCallback
    ) -> Outcome[Transcript]: ...

    def segment(
        self, text: str, method: str, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> Outcome[tuple[Segment, ...]]: ...

    def reduce(
        self, schema: Schema, segments: tuple[Segment, ...], progress: ProgressCallback, cancelled: CancelledCallback
    ) -> Outcome[ReducedSchema]: ...

    def fill(
        self, task: Task, strategy: str, progress: ProgressCallback, cancelled: CancelledCallback
    ) -> Outcome[Proposals]: ...


class Follower(Protocol):
    """What live filling needs of `app.inference.Inference`."""

    models: dict[str, str]

    def follow(
        self,
        schema: Schema,
        beside: Beside,
        hotwords: list[str],
        talk: Talk,
        to_the_end: bool,
        progress: ProgressCallback,
        cancelled: CancelledCallback,
    ) -> Outcome[Followed]: ...


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """What a run found, and what it took.

    Attributes:
        values: the proposals, most confident first.
        unlikely: values that were read but are too doubtful to be proposed, most confident first.
        candidates: the reduced schema, most relevant row first.
        seconds: wall time per stage; `load` is the part of the others that went into loading models.
        weighed_by: signature of what weighed the values, see `extraction.learned.signature`.
        set_aside: what was said and is not charted on purpose.
        naming: whom the dictation names.
        tokens: `prompt` and `completion` tokens of the filler.
        models, devices: id and device of the model in each role that was used.
    """

    transcript: Transcript
    values: tuple[FilledValue, ...]
    unlikely: tuple[FilledValue, ...]
    candidates: tuple[Candidate, ...]
    weighed_by: str
    seconds: dict[str, float]
    tokens: dict[str, int]
    models: dict[str, str]
    devices: dict[str, str]
    set_aside: tuple[SetAside, ...] = ()
    naming: Naming = NAMES_NOBODY

    def run_info(self) -> dict[str, Any]:
        """How the values came about, for the store and for reports."""
        return {
            "seconds": self.seconds,
            "tokens": self.tokens,
            "models": self.models,
            "devices": self.devices,
            "candidates": len(self.candidates),
            "unlikely": [value.to_json() for value in self.unlikely],
            "weighed_by": self.weighed_by,
            "set_aside": [asdict(one) for one in self.set_aside],
            "naming": self.naming.to_json(),
        }


def run(
    source: Path,
    kind: str,
    schema: Schema,
    inference: Stages,
    *,
    settings: Settings,
    beside: Beside = NOTHING_BESIDE,
    transcript: Transcript | None = None,
    on_transcript: Callable[[Transcript], None] | None = None,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> PipelineResult:
    """Runs every stage; with `transcript` given, from the segments on.

    `kind` is 'audio' or 'text'. `on_transcript` is called once the text is known, before anything that can still fail.

    Raises:
        InputError, AudioError: the source cannot be used; ModelFileError, WorkerDied, Cancelled: see `app.inference`.
    """
    took = _Took()
    if transcript is None:
        transcript = _heard(source, kind, schema, inference, took, progress, cancelled)
        if on_transcript:
            on_transcript(transcript)
    meaning = Meaning(transcript.text, schema, beside)
    with took.stage("segment"):
        sentences = took.of(inference.segment(meaning.text, settings.segmentation, progress, cancelled))
        segments = meaning.parts(sentences)
    with took.stage("reduce"):
        reduced = took.of(inference.reduce(schema, segments, progress, cancelled))
    with took.stage("fill"):
        task = meaning.task(segments, reduced, sentences)
        read = took.of(inference.fill(task, settings.strategy, progress, cancelled))
        proposals = meaning.charted(task, read)
    aside, naming = meaning.set_aside, meaning.naming
    return _result(transcript, schema, proposals, aside, naming, task.reduced.candidates, inference.models, took)


def follow(
    schema: Schema,
    inference: Follower,
    talk: Talk,
    *,
    beside: Beside = NOTHING_BESIDE,
    to_the_end: bool = True,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> PipelineResult | None:
    """All stages at once, while the recording is made; None where no word was heard in it.

    `talk` gives `app.live.Sound` and is told LiveWords and LiveValues. Where it is not followed `to_the_end`, all is
    written down, and its values are what was read while it was spoken. Raises as `run` does.
    """
    took = _Took()
    found = took.of(inference.follow(schema, beside, schema_terms(schema), talk, to_the_end, progress, cancelled))
    took.seconds |= found.seconds
    if not found.transcript.text:
        return None
    return _result(
        found.transcript,
        schema,
        found.proposals,
        found.set_aside,
        found.naming,
        found.candidates,
        inference.models,
        took,
    )


def _result(
    transcript: Transcript,
    schema: Schema,
    proposals: Proposals,
    set_aside: tuple[SetAside, ...],
    naming: Naming,
    candidates: tuple[Candidate, ...],
    models: dict[str, str],
    took: _Took,
) -> PipelineResult:
    proposals = with_doubts_of_hearing(transcript.text, spoken_words(transcript), schema, proposals)
    return PipelineResult(
        transcript=transcript,
        values=proposals.values,
        unlikely=proposals.unlikely,
        candidates=candidates,
        weighed_by=proposals.weighed_by,
        seconds={stage: round(seconds, 3) for stage, seconds in took.seconds.items()},
        tokens=took.tokens,
        models={role: models[role] for role in took.devices},
        devices=took.devices,
        set_aside=set_aside,
        naming=naming,
    )


def spoken_words(transcript: Transcript) -> list[SpokenWord]:
    """The words of a transcript with how sure the speech model was of each; none of a typed one."""
    return [SpokenWord(one.char_start, one.char_end, one.text, one.probability) for one in transcript.words]


def _heard(
    source: Path,
    kind: str,
    schema: Schema,
    inference: Stages,
    took: _Took,
    progress: ProgressCallback,
    cancelled: CancelledCallback,
) -> Transcript:
    with took.stage("transcribe"):
        if kind == "text":
            return read_text(source)
        transcript = took.of(inference.transcribe(source, schema_terms(schema), progress, cancelled))
    stop_if(cancelled)
    if not transcript.text:
        raise AudioError(
            f"No speech was heard in {source.name}.",
            "Listen to the recording: it may be silent or too noisy. It is kept and can be transcribed again.",
        )
    return transcript


@dataclass(slots=True)
class _Took:
    """Seconds, tokens and devices, added up over the stages."""

    seconds: dict[str, float] = field(default_factory=lambda: {"load": 0.0})
    tokens: dict[str, int] = field(default_factory=lambda: {"prompt": 0, "completion": 0})
    devices: dict[str, str] = field(default_factory=dict)

    def stage(self, name: str) -> _Stage:
        return _Stage(self.seconds, name)

    def of(self, outcome: Outcome[Result]) -> Result:
        self.seconds["load"] += outcome.load_seconds
        self.tokens["prompt"] += outcome.prompt_tokens
        self.tokens["completion"] += outcome.completion_tokens
        self.devices |= outcome.devices
        return outcome.value


@dataclass(slots=True)
class _Stage:
    """Adds the time inside the `with` to a stage's seconds."""

    seconds: dict[str, float]
    name: str
    start: float = 0.0

    def __enter__(self) -> None:
        self.start = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.seconds[self.name] = self.seconds.get(self.name, 0.0) + time.monotonic() - self.start
