"""The rules after the models, in their order.

Each rule is given the proposals as the ones before it left them, and says what it changes and why. Here its changes are
applied and signed with its id (`extraction.rules.changes`): what a rule wrote carries it, and is as sure as it is
right.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from extraction.estimators.precision import NOT_MEASURED, UNMEASURED, Precisions
from extraction.filling.task import Task
from extraction.flowsheet.values import Proposals
from extraction.language.analysis import analyse
from extraction.preparation.observation_times import TIME_RULE
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.rules import observation_times
from extraction.rules.assertion_status import assertion_status
from extraction.rules.changes import Change, applied
from extraction.rules.explicit_statements import explicit_statements
from extraction.rules.instance_places import instance_places
from extraction.rules.laterality import laterality
from extraction.rules.named_instances import named_instances
from extraction.rules.transcript_positions import transcript_positions
from extraction.rules.unmentioned_objects import unmentioned_objects
from extraction.rules.within_limits import within_limits
from extraction.rules.word_for_word import word_for_word

# Of values by definition: a rule has read them, and may have misread the statement. No annotated cases hold any.
_DEFINED = 0.95


@dataclass(frozen=True, slots=True)
class RuleContext:
    """What the rules look at beside the proposals: the transcript, what was asked of it, and the clock on the wall."""

    prepared: PreparedTranscript
    task: Task
    now: dt.datetime


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        id: stored with what the rule writes; it never changes its meaning.
        changes: what it changes.
        concerns: whether it has anything to look at; where not, it is passed over.
        assumed: how often it is right where nobody has measured it, 0 to 1.
    """

    id: str
    changes: Callable[[RuleContext, Proposals], Iterable[Change]]
    concerns: Callable[[RuleContext, Proposals], bool]
    assumed: float = UNMEASURED


def _has_options(on: RuleContext, found: Proposals) -> bool:
    return any(on.task.schema.by_id[value.row_id].options for value in found.values)


RULES = (
    Rule(  # an option that is said word for word is what was said
        "word-for-word",
        lambda on, found: word_for_word(on.task.text, on.task.schema, found),
        lambda on, found: bool(found.unlikely) or _has_options(on, found),
    ),
    Rule(  # what was said of the other side
        "laterality",
        lambda on, found: laterality(on.task.text, on.task.schema, found),
        lambda on, _: analyse(on.task.text).says_both_sides,
    ),
    Rule(  # what is said of the one line, drain or wound that a sentence names
        "named-instance",
        lambda on, found: named_instances(on.task.schema, on.task.plan, on.task.segments, found),
        lambda on, _: bool(on.task.plan.assigned),
    ),
    Rule(  # when it was observed
        TIME_RULE,
        lambda on, found: observation_times.observation_times(on.task.text, on.task.schema, found, on.task.moments),
        lambda on, _: bool(on.task.moments),
    ),
    Rule(  # where a new line or wound is, and what is said of several
        "instance",
        lambda on, found: instance_places(on.task.plan, on.task.segments, found),
        lambda on, _: bool(on.task.plan.assigned),
    ),
    Rule(  # what is stated or denied outright
        "stated-outright",
        lambda on, found: explicit_statements(on.task.text, found, on.task.schema, on.prepared.corrections_in_text),
        lambda on, found: bool(found.unlikely or analyse(on.task.text).denials) or _has_options(on, found),
    ),
    Rule(  # from the text that was read to the transcript that was heard, with what was taken back
        "correction",
        lambda on, found: transcript_positions(on.prepared, found),
        lambda on, _: not on.prepared.plain,
    ),
    Rule(  # what is no current finding of this patient
        "assertion",
        lambda on, found: assertion_status(on.prepared.transcript, on.task.schema, found),
        lambda on, _: bool(analyse(on.prepared.transcript).scopes),
    ),
    Rule(  # what a category within its limits means
        "within-limits",
        lambda on, found: within_limits(on.prepared, found, on.task.schema, on.now),
        lambda on, _: bool(on.prepared.limits),
        _DEFINED,
    ),
    Rule(  # what is not named in the dictation
        "not-named",
        lambda on, found: unmentioned_objects(on.prepared.transcript, on.task.schema, found),
        lambda on, found: len(found.values) > 1 or _has_options(on, found),
    ),
)


def apply_rules(on: RuleContext, read: Proposals, precisions: Precisions = NOT_MEASURED) -> Proposals:
    """What is put before the nurse of what the models `read`; `precisions` says how often each rule is right."""
    found = read
    for rule in RULES:
        if rule.concerns(on, found) and (changes := list(rule.changes(on, found))):
            precision = precisions.get(rule.id, rule.assumed)
            found = applied(on.task.schema, found, changes, rule.id, precision)
    return found
