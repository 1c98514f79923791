"""The rules after the models, in order.

Each rule receives the proposals left by the rules before it and returns changes with reasons. The engine applies them
and signs them with the rule's id (`extraction.rules.changes`): a value written by a rule carries its id, and its
confidence is the rule's precision.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from extraction.estimators.precision import NOT_MEASURED, UNMEASURED, Precisions
from extraction.filling.chart_units import OTHER_AMOUNT
from extraction.filling.task import Task
from extraction.flowsheet.values import Proposals
from extraction.language.analysis import analyse
from extraction.language.numbers import numbers
from extraction.language.quantities import amounts
from extraction.preparation.observation_times import TIME_RULE
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.rules.assertion_status import assertion_status
from extraction.rules.changes import Change, applied
from extraction.rules.contradictions import contradictions
from extraction.rules.explicit_statements import explicit_statements
from extraction.rules.instance_places import instance_places
from extraction.rules.laterality import laterality
from extraction.rules.named_instances import named_instances
from extraction.rules.observation_times import observation_times
from extraction.rules.other_amounts import other_amounts
from extraction.rules.other_people import other_people
from extraction.rules.spoken_measurements import spoken_measurements
from extraction.rules.transcript_positions import transcript_positions
from extraction.rules.unmentioned_objects import unmentioned_objects
from extraction.rules.within_limits import within_limits
from extraction.rules.word_for_word import word_for_word

# Assumed precision of values from definitions: a rule read them and may have misread the statement. No annotated cases
# contain any.
_DEFINED = 0.95
# Precision of numbers said with their name, where no annotated cases measured it: 299 of 309 at first sight of three
# hands (docs/measurements.md).
_NAMED = 0.97


@dataclass(frozen=True, slots=True)
class RuleContext:
    """The input of the rules apart from the proposals; `now` is the time of the dictation."""

    prepared: PreparedTranscript
    task: Task
    now: dt.datetime


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        id: stored with what the rule writes; its meaning never changes.
        changes: computes its changes.
        concerns: whether it may have anything to do; if not, it is skipped.
        assumed: its precision if unmeasured, 0 to 1.
    """

    id: str
    changes: Callable[[RuleContext, Proposals], Iterable[Change]]
    concerns: Callable[[RuleContext, Proposals], bool]
    assumed: float = UNMEASURED


def _has_options(on: RuleContext, found: Proposals) -> bool:
    return any(on.task.schema.by_id[value.row_id].options for value in found.values)


def _may_contradict(on: RuleContext, found: Proposals) -> bool:
    return any(
        isinstance(value.value, tuple) or on.task.schema.by_id[value.row_id].contradicts for value in found.values
    )


RULES = (
    Rule(  # numbers said as an amount of something else
        "unit",
        lambda _, found: other_amounts(found),
        lambda _, found: any(
            one.code == OTHER_AMOUNT for value in (*found.values, *found.held_back) for one in value.findings
        ),
    ),
    Rule(  # an option said word for word is the value
        "word-for-word",
        lambda on, found: word_for_word(on.task.text, on.task.schema, found),
        lambda on, found: bool(found.held_back) or _has_options(on, found),
    ),
    Rule(  # statements about the other side
        "laterality",
        lambda on, found: laterality(on.task.text, on.task.schema, found),
        lambda on, _: analyse(on.task.text).says_both_sides,
    ),
    Rule(  # statements about the only line, drain or wound that a sentence names
        "named-instance",
        lambda on, found: named_instances(on.task.schema, on.task.plan, on.task.segments, found),
        lambda on, _: bool(on.task.plan.assigned),
    ),
    Rule(  # time of observation
        TIME_RULE,
        lambda on, found: observation_times(on.task.text, on.task.schema, found, on.task.moments),
        lambda on, _: bool(on.task.moments),
    ),
    Rule(  # measurements said with their name and number
        "measurement",
        lambda on, found: spoken_measurements(on.task, found),
        lambda on, _: bool(numbers(on.task.text) or amounts(on.task.text, ())),
        _NAMED,
    ),
    Rule(  # places of new lines and wounds, and statements about several
        "instance",
        lambda on, found: instance_places(on.task.plan, on.task.segments, found),
        lambda on, _: bool(on.task.plan.assigned),
    ),
    Rule(  # explicit statements and denials
        "stated-outright",
        lambda on, found: explicit_statements(on.task.text, found, on.task.schema),
        lambda on, found: bool(found.held_back or analyse(on.task.text).denials) or _has_options(on, found),
    ),
    Rule(  # positions in the original transcript, and withdrawn words
        "correction",
        lambda on, found: transcript_positions(on.prepared, found),
        lambda on, _: not on.prepared.plain,
    ),
    Rule(  # statements of, or near, other patients and a newborn
        "other-people",
        lambda on, found: other_people(on.prepared, on.task.schema, found, on.now.date()),
        lambda on, _: bool(on.prepared.strangers or on.prepared.newborns),
    ),
    Rule(  # statements that are not a current finding of this patient
        "assertion",
        lambda on, found: assertion_status(on.prepared.transcript, on.task.schema, found, on.prepared.mothers),
        lambda on, _: analyse(on.prepared.transcript).has_status,
    ),
    Rule(  # values of a category within its limits
        "within-limits",
        lambda on, found: within_limits(on.prepared, found, on.task.schema, on.now),
        lambda on, _: bool(on.prepared.limits),
        _DEFINED,
    ),
    Rule(  # values that cannot be true together
        "contradiction",
        lambda on, found: contradictions(on.prepared.transcript, on.task.schema, found),
        _may_contradict,
    ),
    Rule(  # objects that the dictation does not name
        "not-named",
        lambda on, found: unmentioned_objects(on.prepared.transcript, on.task.schema, found),
        lambda on, found: len(found.values) > 1 or _has_options(on, found),
    ),
)


def apply_rules(on: RuleContext, read: Proposals, precisions: Precisions = NOT_MEASURED) -> Proposals:
    """Applies all rules to the proposals `read` by the models; `precisions` says how often each rule is right."""
    found = read
    for rule in RULES:
        if rule.concerns(on, found) and (changes := list(rule.changes(on, found))):
            precision = precisions.get(rule.id, rule.assumed)
            found = applied(on.task.schema, found, changes, rule.id, precision)
    return found
