"""START HERE for extraction: from a transcript to proposed values, the one chain of steps.

    prepare   parts about other patients, what the speaker took back and statements that a category is within its limits
              leave the text; the rest is cut into sentences, and these where one speaks of several lines or wounds
    reduce    the rows that the sentences can mean, each at its times and for its line or wound
    read      every value that those rows may have, by the filler
    weigh     how likely each reading is right
    propose   one value a row, validated and in the chart's unit
    rules     what the words themselves say, see `extraction.rules.engine`

A finished text (`app.inference.tasks.extract_text`), one that is still being spoken (`app.inference.live_session`), a
condition of an ablation (`app.inference.steps`) and learning, which stops after the readings
(`app.adaptation.training`), all go through here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from extraction.estimators.precision import NOT_MEASURED, Precisions
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task, on_instance_rows
from extraction.flowsheet.naming.instance_families import families_of, mentioned
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NO_PROPOSALS, Proposals
from extraction.language.analysis import analyse
from extraction.language.assertion import Status
from extraction.language.sentences import Segment, segment
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.preparation.instance_assignment import NO_PLAN, assign_instances
from extraction.preparation.observation_times import moments
from extraction.preparation.other_patients import NAMES_NOBODY, Naming
from extraction.preparation.prepared_transcript import PreparedTranscript, SetAside
from extraction.preparation.sentence_parts import split_by_instance
from extraction.retrieval.candidates import Candidate, ReducedSchema
from extraction.retrieval.expansion import for_each_instance, for_each_time
from extraction.rules.assertion_status import finding_of
from extraction.rules.engine import RuleContext, apply_rules

if TYPE_CHECKING:
    from extraction.confidence.learned_models import Learned

Cut = Callable[[str], tuple[Segment, ...]]
Reduce = Callable[[tuple[Segment, ...]], ReducedSchema]
Fill = Callable[[Task], Proposals]


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a transcript gives.

    Attributes:
        candidates: the reduced schema, most relevant row first.
        set_aside: what was said and is not charted on purpose.
        naming: whom it names.
    """

    proposals: Proposals = NO_PROPOSALS
    candidates: tuple[Candidate, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    naming: Naming = NAMES_NOBODY


@dataclass(frozen=True, slots=True)
class Prepared:
    """A transcript, what the models are to be asked of it, and the clock on the ward's wall."""

    prepared_transcript: PreparedTranscript
    task: Task
    now: dt.datetime

    @property
    def transcript(self) -> str:
        """The transcript as it was heard."""
        return self.prepared_transcript.transcript

    def charted(self, proposals: Proposals, precisions: Precisions = NOT_MEASURED) -> Extraction:
        """The proposals of the task after the rules; `precisions` says how often each rule is right."""
        found = apply_rules(RuleContext(self.prepared_transcript, self.task, self.now), proposals, precisions)
        aside = (*self.prepared_transcript.set_aside, *_no_findings(self.transcript, found))
        in_order = tuple(sorted(aside, key=lambda one: (one.start, one.end)))
        return Extraction(found, self.task.reduced.candidates, in_order, self.prepared_transcript.naming)


def extract(
    transcript: str,
    schema: Schema,
    *,
    reduce: Reduce,
    fill: Fill,
    cut: Cut = segment,
    context: EncounterContext = NO_CONTEXT,
    precisions: Precisions = NOT_MEASURED,
) -> Extraction:
    """All steps, one after the other; `cut`, `reduce` and `fill` are those that need models, `precisions` says how
    often each rule is right."""
    prepared = prepare(transcript, schema, reduce=reduce, cut=cut, context=context)
    return prepared.charted(fill(prepared.task), precisions)


def prepare(
    transcript: str, schema: Schema, *, reduce: Reduce, cut: Cut = segment, context: EncounterContext = NO_CONTEXT
) -> Prepared:
    """The steps up to what is to be read."""
    prepared = PreparedTranscript.of(transcript, schema, context.person, context.ward)
    now = (context.said_at or dt.datetime.now(dt.UTC)).astimezone().replace(tzinfo=None)
    sentences = cut(prepared.text.text)
    names_instances = bool(mentioned(families_of(schema), prepared.text.text))
    segments = split_by_instance(schema, sentences) if names_instances else sentences
    reduced = reduce(segments) if segments else ReducedSchema(())
    spoken = moments(sentences, now)  # a time holds for the whole of its sentence
    plan = assign_instances(schema, segments, context.known) if names_instances else NO_PLAN
    if plan:
        reduced = for_each_instance(reduced, plan)
    if spoken:
        reduced = for_each_time(reduced, segments, spoken)
    return Prepared(prepared, Task(prepared.text.text, segments, schema, reduced, now.date(), spoken, plan), now)


def weigh_and_propose(task: Task, readings: Sequence[Reading], learned: Learned, strategy: str) -> Proposals:
    """What is proposed of everything that was read of a task."""
    confidences, errors, features = learned.weigh(readings, len(task.segments))
    own_rows = on_instance_rows(task.plan, readings)
    weighed = map(WeighedReading, own_rows, confidences.tolist(), map(tuple, errors.tolist()), features)
    return propose(task, list(weighed), learned.acceptance.keep_from, strategy)


def _no_findings(transcript: str, charted: Proposals) -> tuple[SetAside, ...]:
    """What is said of the past, of others, as a condition, a plan or a risk, and from which nothing is charted."""
    words = [(value.evidence.start, value.evidence.end) for value in charted.values]
    return tuple(
        SetAside(scope.start, scope.end, transcript[scope.start : scope.end], finding_of(scope).text)
        for scope in analyse(transcript).scopes
        if scope.status is not Status.UNCERTAIN
        and not any(start < scope.end and scope.start < end for start, end in words)
    )
