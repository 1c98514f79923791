"""What comes of the changes of one rule, applied and signed as they are on a ward."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from extraction.estimators.precision import UNMEASURED
from extraction.filling.evidence import evidence_of, located
from extraction.filling.task import Task
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.edited_text import EditedText
from extraction.language.sentences import Segment, segment
from extraction.preparation.instance_assignment import NO_PLAN, InstancePlan
from extraction.preparation.observation_times import moments
from extraction.retrieval.candidates import ReducedSchema
from extraction.rules import changes as rule_changes
from extraction.rules.changes import Change, Signed
from extraction.rules.engine import RULES

_ASSUMED = {rule.id: rule.assumed for rule in RULES}
_TODAY = dt.date(2026, 1, 1)


def task_of(
    text: str | EditedText,
    schema: Schema,
    *,
    now: dt.datetime | None = None,
    segments: tuple[Segment, ...] | None = None,
    plan: InstancePlan = NO_PLAN,
) -> Task:
    """What the models were given of a text, with its times of observation if it was dictated at `now`."""
    edited = text if isinstance(text, EditedText) else EditedText.of(text)
    segments = segment(edited.text) if segments is None else segments
    spoken = tuple(one.heard(edited) for one in moments(segment(edited.text), now)) if now else ()
    today = now.date() if now else _TODAY
    return Task(edited.text, segments, schema, ReducedSchema(()), today, spoken, plan, edited)


def as_proposed(task: Task, read: Proposals) -> Proposals:
    """Values whose evidence points into the text of the task, as they are proposed: located in the transcript."""

    def placed(value: FilledValue) -> FilledValue:
        said = value.evidence
        words, sentence = (said.start, said.end), (said.sentence_start, said.sentence_end)
        return located(task, value, evidence_of(task, words, sentence))

    return replace(read, values=tuple(map(placed, read.values)), held_back=tuple(map(placed, read.held_back)))


def after(changes: Iterable[Change], proposals: Proposals, schema: Schema, *, rule: str) -> Proposals:
    """The proposals after the changes of the rule of this id, which is as sure as where nobody has measured it."""
    return applied(schema, proposals, changes, rule, _ASSUMED[rule])


def applied(
    schema: Schema, proposals: Proposals, changes: Iterable[Change], rule: str, precision: float = UNMEASURED
) -> Proposals:
    """The proposals after the changes of one rule with this precision."""
    return rule_changes.applied(schema, proposals, [Signed(change, rule, precision) for change in changes])
