"""The extraction chain with a separate call for each step, so that a step can be replaced and each is measured."""

from __future__ import annotations

from typing import Protocol

from app.inference.usage import Outcome, Took
from extraction.confidence.binding import ReadingMethod
from extraction.extractor import Extraction, extract
from extraction.filling.task import Task
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals
from extraction.language.sentences import Segment
from extraction.preparation.encounter_context import EncounterContext
from extraction.retrieval.candidates import ReducedSchema
from models.progress import Watch


class Steps(Protocol):
    """The steps that need models, see `extraction.extractor`."""

    def segment(self, text: str, method: str, watch: Watch) -> Outcome[tuple[Segment, ...]]: ...

    def reduce(self, schema: Schema, segments: tuple[Segment, ...], watch: Watch) -> Outcome[ReducedSchema]: ...

    def fill(self, task: Task, strategy: str, watch: Watch) -> Outcome[Proposals]: ...


class Chain(Steps, Protocol):
    """The extraction chain over these steps."""

    def extract(
        self,
        transcript: str,
        schema: Schema,
        context: EncounterContext,
        method: ReadingMethod,
        watch: Watch,
    ) -> Outcome[Extraction]:
        """Extracts the values of a transcript; raises what the steps raise."""
        took = Took()
        found = extract(
            transcript,
            schema,
            cut=took.step("segment", lambda text: self.segment(text, method.segmentation, watch)),
            reduce=took.step("reduce", lambda segments: self.reduce(schema, segments, watch)),
            fill=took.step("fill", lambda task: self.fill(task, method.strategy, watch)),
            context=context,
        )
        return took.outcome(found)
