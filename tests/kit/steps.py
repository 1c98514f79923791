"""Stages without models for `app.pipeline.run`: what Whisper heard and what the models read are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from app.inference.live_events import Followed
from app.inference.usage import Outcome
from app.pipeline import PipelineResult, run
from extraction.extractor import prepare
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Evidence, FilledValue, Neighbour, Proposals, Value
from extraction.language.sentences import segment
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.retrieval.candidates import Candidate, ReducedSchema
from models.base.progress import NOT_MONITORED
from speech.transcript import Transcript, Word
from tests.kit.rules import as_proposed

Reader = Callable[[Task], Proposals]


class GivenStages:
    """Attributes: `models` as the pipeline wants them."""

    def __init__(self, heard: Transcript, reader: Reader) -> None:
        self.models: dict[str, str] = {}
        self._heard, self._reader = heard, reader

    def transcribe(self, *_: object) -> Outcome[Transcript]:
        return Outcome(self._heard)

    def read_file(
        self, source: Path | Transcript, schema: Schema, context: EncounterContext, *_: object
    ) -> Outcome[Followed]:
        said = source if isinstance(source, Transcript) else self._heard
        return Outcome(followed(said, schema, context, self._reader), seconds=NO_TIME)


NO_TIME = {"reduce": 0.0, "fill": 0.0}


def followed(
    said: Transcript, schema: Schema, context: EncounterContext, reader: Reader, *candidates: Candidate
) -> Followed:
    """What comes of a transcript if `reader` says what the models read; `candidates` are the rows they were asked."""
    prepared = prepare(said.text, schema, reduce=lambda _: ReducedSchema(candidates), context=context)
    return Followed(said, prepared.charted(reader(prepared.task)))


def heard(text: str, sure: float = 0.99, **words: float) -> Transcript:
    """A transcript of a recording; `words` gives the probabilities of some, by the word without its marks."""
    found, place = [], 0
    for number, word in enumerate(text.split()):
        start = text.index(word, place)
        place = start + len(word)
        probability = words.get(word.strip(".,").lower(), sure)
        found.append(Word(word, number * 0.4, number * 0.4 + 0.3, probability, start, place))
    return Transcript(text, (), tuple(found), len(found) * 0.4, "en", "whisper-base")


def read(
    text: str,
    row_id: str,
    value: Value,
    words: str,
    confidence: float = 0.98,
    *,
    unit: str | None = None,
    errors: tuple[float, ...] = (0.02, 0.02),
    findings: tuple[Finding, ...] = (),
) -> FilledValue:
    """What a model reads out of the first `words` of a text: surely, and as every layer sees it."""
    start = text.index(words)
    sentence = next(one for one in segment(text) if one.start <= start < one.end)
    evidence = Evidence(start, start + len(words), words, sentence.start, sentence.end)
    neighbour = Neighbour("row", row_id, 0)
    return FilledValue(
        row_id, value, unit, evidence, -0.02, 0.01, confidence, 0.8, neighbour, "rowwise", findings, (), errors
    )


def proposed(task: Task, values: Sequence[tuple[Any, ...]]) -> Proposals:
    """What the models propose for a task: row, value, words and if need be the confidence each."""
    return as_proposed(task, Proposals(tuple(read(task.text, *one) for one in values), ()))


def charted(
    transcript: Transcript | str,
    schema: Schema,
    values: Sequence[tuple[Any, ...]] | Reader,
    context: EncounterContext = NO_CONTEXT,
) -> PipelineResult:
    """The pipeline over a transcript, of a recording or typed, with what the models read: row, value, words and if
    need be the confidence each."""
    told = transcript if isinstance(transcript, Transcript) else Transcript(transcript)
    reader = values if callable(values) else lambda task: proposed(task, values)
    return run(
        Path("dictation.wav"),
        "audio",
        schema,
        GivenStages(told, reader),
        context=context,
        monitor=NOT_MONITORED,
    )
