"""START HERE for extraction: the one chain of steps from a transcript to proposed values.

    prepare   removes parts about other patients, words the speaker took back and statements that a category is
              within its limits; splits the rest into sentences, and a sentence about several lines or wounds further
    reduce    finds the rows that the sentences can mean, each with its times and its line or wound
    read      lets the filler read every value those rows may have
    weigh     estimates how likely each reading is right
    propose   chooses one value per row, validated and in the chart's unit
    rules     apply what the words themselves say; see `extraction.rules.engine`

`extraction.growing_extraction` drives them for every dictation. Learning (`app.adaptation.training`) stops after the
readings.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from extraction.confidence.reading_matches import matched_readings
from extraction.estimators.mention_reader import MentionReader
from extraction.estimators.precision import NOT_MEASURED, Precisions
from extraction.estimators.statement_matcher import Matcher
from extraction.filling.proposals import WeighedReading, propose
from extraction.filling.task import Reading, Task, on_instance_rows
from extraction.flowsheet.naming.row_concepts import as_spoken
from extraction.flowsheet.naming.row_meaning import newborn_rows
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import NO_PROPOSALS, Proposals
from extraction.language.analysis import analyse
from extraction.language.assertion import Status
from extraction.language.sentences import Segment, segment
from extraction.measurements.binding import with_measured
from extraction.preparation.encounter_context import NO_CONTEXT, EncounterContext
from extraction.preparation.instance_assignment import NO_PLAN, assign_instances, names_instances
from extraction.preparation.observation_times import moments
from extraction.preparation.people.other_patients import NAMES_NOBODY, NamedPatients
from extraction.preparation.prepared_transcript import PreparedTranscript, SetAside
from extraction.preparation.sentence_parts import split_by_instance
from extraction.retrieval.candidates import Candidate, ReducedSchema
from extraction.retrieval.expansion import for_each_instance, for_each_time, without_sentences
from extraction.retrieval.likely_rows import LikelyRows
from extraction.rules.assertion_status import finding_of
from extraction.rules.engine import RuleContext, apply_rules

if TYPE_CHECKING:
    from extraction.confidence.learned_models import Learned

Cut = Callable[[str], tuple[Segment, ...]]
Reduce = Callable[[tuple[Segment, ...]], ReducedSchema]


@dataclass(frozen=True, slots=True)
class Extraction:
    """The result of a transcript.

    Attributes:
        candidates: the reduced schema, most relevant row first.
        set_aside: statements that are deliberately not charted.
        naming: the patients it names.
        likely: by sentence, the rows that it may be about; by clause once `app.inference.tasks.finished`.
    """

    proposals: Proposals = NO_PROPOSALS
    candidates: tuple[Candidate, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    naming: NamedPatients = NAMES_NOBODY
    likely: tuple[LikelyRows, ...] = ()


@dataclass(frozen=True, slots=True)
class Prepared:
    """A prepared transcript and the task for the models."""

    prepared_transcript: PreparedTranscript
    task: Task

    @property
    def transcript(self) -> str:
        """The original transcript."""
        return self.prepared_transcript.transcript

    def charted(self, proposals: Proposals, precisions: Precisions = NOT_MEASURED) -> Extraction:
        """Applies the rules to the task's proposals; `precisions` says how often each rule is right."""
        found = apply_rules(RuleContext(self.prepared_transcript, self.task), proposals, precisions)
        aside = (*self.prepared_transcript.set_aside, *_no_findings(self.transcript, found))
        in_order = tuple(sorted(aside, key=lambda one: (one.start, one.end)))
        naming, likely = self.prepared_transcript.naming, tuple(self._likely())
        return Extraction(found, self.task.reduced.candidates, in_order, naming, likely)

    def _likely(self) -> Iterator[LikelyRows]:
        for one in self.task.segments:
            if rows := self.task.reduced.likely.get(one.index):
                yield LikelyRows(*self.prepared_transcript.text.heard(one.start, one.end), rows)


def prepare(
    transcript: str,
    schema: Schema,
    *,
    reduce: Reduce,
    cut: Cut = segment,
    context: EncounterContext = NO_CONTEXT,
    reader: MentionReader | None = None,
) -> Prepared:
    """Runs the steps before reading; `cut` divides the text, into sentences unless another method is compared."""
    schema = as_spoken(schema)
    now = (context.said_at or dt.datetime.now(dt.UTC)).astimezone().replace(tzinfo=None)
    prepared = PreparedTranscript.of(transcript, schema, context.person, context.ward, now.date(), reader)
    sentences = cut(prepared.text.text)
    several = names_instances(schema, prepared.text.text)
    segments = split_by_instance(schema, sentences) if several else sentences
    reduced = reduce(segments) if segments else ReducedSchema(())
    if about_newborn := prepared.about_newborn(segments):
        reduced = without_sentences(reduced, about_newborn, newborn_rows(schema))
    said = prepared.stated  # a time applies to its whole sentence
    spoken = tuple(one.heard(said) for one in moments(analyse(said.text).sentences, now))
    plan = assign_instances(schema, segments, context.known) if several else NO_PLAN
    if plan:
        reduced = for_each_instance(reduced, plan)
    if spoken:
        reduced = for_each_time(reduced, [_heard(prepared, one) for one in segments], spoken)
    edited = None if prepared.text.text == transcript else prepared.text
    task = Task(
        prepared.text.text, segments, schema, reduced, now.date(), spoken, plan, edited, mentions=prepared.mentions
    )
    return Prepared(prepared, with_measured(task))


def _heard(prepared: PreparedTranscript, read: Segment) -> Segment:
    start, end = prepared.text.heard(read.start, read.end)
    return replace(read, start=start, end=end)


def weigh_and_propose(
    task: Task, readings: Sequence[Reading], learned: Learned, strategy: str, matcher: Matcher | None = None
) -> Proposals:
    """Weighs the readings of a task and proposes values."""
    readings = matched_readings(task, readings, matcher)
    confidences, errors, features = learned.weigh(task, readings)
    own_rows = on_instance_rows(task.plan, readings)
    weighed = map(WeighedReading, own_rows, confidences.tolist(), map(tuple, errors.tolist()), features)
    return propose(task, list(weighed), learned.acceptance.keep_from, strategy)


def _no_findings(transcript: str, charted: Proposals) -> Iterator[SetAside]:
    """Statements about the past, other people, conditions, plans or risks from which no value is charted."""
    words = [(value.evidence.start, value.evidence.end) for value in charted.values]
    last = 0
    for scope in analyse(transcript).scopes:
        is_charted = any(start < scope.end and scope.start < end for start, end in words)
        if scope.status is not Status.UNCERTAIN and not is_charted and scope.end > last:
            last = scope.end
            yield SetAside(scope.start, scope.end, transcript[scope.start : scope.end], finding_of(scope).text)
