"""The rules around the models, in their order: what of a transcript they are to read, and what comes of their answers.

A finished dictation (`app.pipeline`) and one that is still being spoken (`extraction.streaming`) both go through here.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from extraction.filling.task import Task
from extraction.flowsheet.naming.instance_families import families_of, mentioned
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import Proposals, Value
from extraction.language.analysis import analyse
from extraction.language.assertion import Status
from extraction.language.sentences import Segment
from extraction.preparation.instance_assignment import NO_PLAN, placed, plan_of
from extraction.preparation.observation_times import moments
from extraction.preparation.other_patients import NOBODY, Naming, Person
from extraction.preparation.prepared_transcript import Said, SetAside
from extraction.preparation.sentence_parts import parts
from extraction.retrieval.reduction import ReducedSchema
from extraction.rules.assertion_status import finding_of
from extraction.rules.changes import NOT_MEASURED, Precisions
from extraction.rules.engine import RuleContext, apply_rules
from extraction.rules.observation_times import at_each_time


@dataclass(frozen=True, slots=True)
class Beside:
    """What is known beside a transcript.

    Attributes:
        said_at: when it was dictated, with its time zone: spoken times count from there. None for now.
        known: confirmed values of the same stay by row id, which tell several lines or wounds apart.
        person: the patient whose dictation it is; what is about others is set aside.
        ward: the other patients who are present, whom it may name.
    """

    said_at: dt.datetime | None = None
    known: Mapping[str, Value] = field(default_factory=dict)
    person: Person = NOBODY
    ward: tuple[Person, ...] = ()


NOTHING_BESIDE = Beside()


class Meaning:
    """What a transcript means, as far as rules can tell.

    Attributes:
        text: what the models are to read: the transcript without what was taken back, is about others, or charts a
            category by its definition.
    """

    def __init__(self, transcript: str, schema: Schema, beside: Beside = NOTHING_BESIDE) -> None:
        self._schema, self._known = schema, beside.known
        self._said = Said.of(transcript, schema, beside.person, beside.ward)
        # the clock on the ward's wall
        self._now = (beside.said_at or dt.datetime.now(dt.UTC)).astimezone().replace(tzinfo=None)
        self.text = self._said.text.text
        self._names_instances = bool(mentioned(families_of(schema), self.text))
        self._no_findings: tuple[SetAside, ...] = ()

    @property
    def set_aside(self) -> tuple[SetAside, ...]:
        """What was said and is not charted on purpose; what is no current finding, once it was `charted`."""
        return tuple(sorted((*self._said.set_aside, *self._no_findings), key=lambda one: (one.start, one.end)))

    @property
    def naming(self) -> Naming:
        """Whom the transcript names."""
        return self._said.naming

    def parts(self, sentences: tuple[Segment, ...]) -> tuple[Segment, ...]:
        """The sentences of `text`, cut where one speaks of several lines or wounds in turn."""
        return parts(self._schema, sentences) if self._names_instances else sentences

    def task(
        self, segments: tuple[Segment, ...], reduced: ReducedSchema, sentences: tuple[Segment, ...] | None = None
    ) -> Task:
        """What the models are asked: the segments of `text` and the rows it was reduced to, each row once for each time
        and each line or wound that is spoken of. A time holds for the whole of its sentence; `sentences` are those that
        the segments are parts of, where they are."""
        spoken = moments(sentences or segments, self._now)
        plan = plan_of(self._schema, segments, self._known) if self._names_instances else NO_PLAN
        if plan:
            reduced = placed(reduced, plan)
        if spoken:
            reduced = at_each_time(reduced, segments, spoken)
        return Task(self.text, segments, self._schema, reduced, self._now.date(), spoken, plan)

    def charted(self, task: Task, proposals: Proposals, precisions: Precisions = NOT_MEASURED) -> Proposals:
        """What is put before the nurse: the proposals of a task, placed in the transcript as it was heard, with their
        times of observation and what the rules make of them, see `rules`."""
        charted = apply_rules(RuleContext(self._said, task, self._now), proposals, precisions)
        self._no_findings = _no_findings(self._said.transcript, charted)
        return charted


def _no_findings(transcript: str, charted: Proposals) -> tuple[SetAside, ...]:
    """What is said of the past, of others, as a condition, a plan or a risk, and from which nothing is charted."""
    words = [(value.evidence.start, value.evidence.end) for value in charted.values]
    return tuple(
        SetAside(scope.start, scope.end, transcript[scope.start : scope.end], finding_of(scope).text)
        for scope in analyse(transcript).scopes
        if scope.status is not Status.UNCERTAIN
        and not any(start < scope.end and scope.start < end for start, end in words)
    )
