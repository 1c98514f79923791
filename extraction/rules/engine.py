"""The rules after the models, in phases.

All rules of a phase receive the proposals left by the phase before it and return changes with reasons. The engine
applies them together and signs them with the rule's id (`extraction.rules.changes`): a value written by a rule carries
its id, and its confidence is the rule's precision. So no rule sees what another of its phase does, their order is of no
account, and where two of them change the same, `Rule.place` says which takes precedence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import IntEnum
from itertools import groupby

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
from extraction.rules.changes import Change, Signed, applied
from extraction.rules.contradictions import contradictions
from extraction.rules.denial_scope import denial_scope
from extraction.rules.explicit_statements import explicit_statements
from extraction.rules.instance_places import instance_places
from extraction.rules.laterality import laterality
from extraction.rules.named_instances import named_instances
from extraction.rules.observation_times import observation_times
from extraction.rules.other_amounts import other_amounts
from extraction.rules.other_people import other_people
from extraction.rules.partial_amounts import partial_amounts
from extraction.rules.rival_numbers import rival_numbers
from extraction.rules.spoken_measurements import spoken_measurements
from extraction.rules.surroundings import surroundings
from extraction.rules.unmentioned_objects import unmentioned_objects
from extraction.rules.withdrawn_words import withdrawn_words
from extraction.rules.within_limits import within_limits
from extraction.rules.word_for_word import word_for_word

# Assumed precision of values from definitions: a rule read them and may have misread the statement. No annotated cases
# contain any.
_DEFINED = 0.95
# Precision of numbers said with their name, where no annotated cases measured it: 299 of 309 at first sight of three
# hands (docs/measurements.md).
_NAMED = 0.97


class Phase(IntEnum):
    """What a rule decides, in the order in which one decision needs the other."""

    WORDS = 1  # whether what was read is what its own words say
    MEASUREMENTS = 2  # to which row a number belongs: needs what is still read otherwise
    STATEMENTS = 3  # what else is stated: needs the rows that are left without a value
    STATUS = 4  # whose a finding is, and whether it is current: needs all that was read
    DEFINITIONS = 5  # what is charted by exception: needs the rows with a current finding
    TOGETHER = 6  # what cannot be true together: needs all values
    DOUBTS = 7  # what nobody named: only of values that nothing else has lit


@dataclass(frozen=True, slots=True)
class RuleContext:
    """The input of the rules apart from the proposals."""

    prepared: PreparedTranscript
    task: Task


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule.

    Attributes:
        id: stored with what the rule writes; its meaning never changes.
        place: its phase, and its rank in it: of two rules of a phase that change the same, the lower rank counts.
        changes: computes its changes.
        concerns: whether it may have anything to do; if not, it is skipped.
        assumed: its precision if unmeasured, 0 to 1.
    """

    id: str
    place: tuple[Phase, int]
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
        (Phase.WORDS, 1),
        lambda _, found: other_amounts(found),
        lambda _, found: any(
            one.code == OTHER_AMOUNT for value in (*found.values, *found.held_back) for one in value.findings
        ),
    ),
    Rule(  # an option said word for word is the value
        "word-for-word",
        (Phase.WORDS, 2),
        lambda on, found: word_for_word(on.task, found),
        lambda on, found: bool(found.held_back) or _has_options(on, found),
    ),
    Rule(  # statements about the other side
        "laterality",
        (Phase.WORDS, 3),
        lambda on, found: laterality(on.task, found),
        lambda on, _: analyse(on.task.text).says_both_sides,
    ),
    Rule(  # statements about the only line, drain or wound that a sentence names
        "named-instance",
        (Phase.WORDS, 4),
        lambda on, found: named_instances(on.task, found),
        lambda on, _: bool(on.task.plan.assigned),
    ),
    Rule(  # times said in the clause that names their row
        TIME_RULE,
        (Phase.WORDS, 5),
        lambda on, found: observation_times(on.task, found),
        lambda on, found: bool(on.task.moments and found.held_back),
    ),
    Rule(  # measurements said with their name and number
        "measurement",
        (Phase.MEASUREMENTS, 1),
        lambda on, found: spoken_measurements(on.task, found),
        lambda on, _: bool(numbers(on.task.text) or amounts(on.task.text, ())),
        _NAMED,
    ),
    Rule(  # places of new lines and wounds, and statements about several
        "instance",
        (Phase.STATEMENTS, 1),
        lambda on, found: instance_places(on.task, found),
        lambda on, _: bool(on.task.plan.assigned),
    ),
    Rule(  # explicit statements and denials
        "stated-outright",
        (Phase.STATEMENTS, 2),
        lambda on, found: explicit_statements(on.task, found),
        lambda on, found: bool(found.held_back or analyse(on.task.text).denials) or _has_options(on, found),
    ),
    Rule(  # words that the speaker took back
        "correction",
        (Phase.STATUS, 1),
        lambda on, found: withdrawn_words(on.prepared, found),
        lambda on, _: bool(on.prepared.corrections or on.prepared.unplaced),
    ),
    Rule(  # statements of, or near, other patients and a newborn
        "other-people",
        (Phase.STATUS, 2),
        lambda on, found: other_people(on.prepared, on.task.schema, found, on.task.today),
        lambda on, _: bool(on.prepared.strangers or on.prepared.newborns),
    ),
    Rule(  # statements that are not a current finding of this patient
        "assertion",
        (Phase.STATUS, 3),
        lambda on, found: assertion_status(on.prepared.transcript, on.task.schema, found, on.prepared.mothers),
        lambda on, _: analyse(on.prepared.transcript).has_status,
    ),
    Rule(  # what a denial says of the rows of a finding, and of how much of it
        "denial",
        (Phase.STATUS, 4),
        lambda on, found: denial_scope(on.task, found),
        lambda on, _: bool(analyse(on.task.text).denials),
    ),
    Rule(  # a part of an amount, and shares of something else
        "part-of-amount",
        (Phase.STATUS, 5),
        lambda on, found: partial_amounts(on.task, found),
        lambda _, found: bool(found.values),
    ),
    Rule(  # numbers beside others that their rows may as well have
        "rival-number",
        (Phase.STATUS, 7),
        lambda on, found: rival_numbers(on.task, found),
        lambda on, found: bool(found.values) and len(numbers(on.task.text)) > 1,
    ),
    Rule(  # numbers that the words around them make a goal, a setting, somebody else's
        "surroundings",
        (Phase.STATUS, 6),
        lambda on, found: surroundings(on.prepared, on.task.schema, found),
        lambda on, _: bool(on.prepared.mentions),
    ),
    Rule(  # values of a category within its limits
        "within-limits",
        (Phase.DEFINITIONS, 1),
        lambda on, found: within_limits(on.task, on.prepared.limits, found),
        lambda on, _: bool(on.prepared.limits),
        _DEFINED,
    ),
    Rule(  # values that cannot be true together
        "contradiction",
        (Phase.TOGETHER, 1),
        lambda on, found: contradictions(on.prepared.transcript, on.task.schema, found),
        _may_contradict,
    ),
    Rule(  # objects that the dictation does not name
        "not-named",
        (Phase.DOUBTS, 1),
        lambda on, found: unmentioned_objects(on.prepared.transcript, on.task.schema, found),
        lambda _, found: bool(found.values),
    ),
)


def apply_rules(on: RuleContext, read: Proposals, precisions: Precisions = NOT_MEASURED) -> Proposals:
    """Applies all rules to the proposals `read` by the models; `precisions` says how often each rule is right."""
    found = read
    for _, phase in groupby(sorted(RULES, key=lambda rule: rule.place), key=lambda rule: rule.place[0]):
        changes = [
            Signed(change, rule.id, precisions.get(rule.id, rule.assumed))
            for rule in phase
            if rule.concerns(on, found)
            for change in rule.changes(on, found)
        ]
        if changes:
            found = applied(on.task.schema, found, changes)
    return found
