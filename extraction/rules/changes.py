"""Changes that rules make to the models' proposals, and their effect on a value.

A rule only describes its changes; this module applies them. A value written by a rule loses the models' output for the
old value: no layer has weighed it, and its confidence is how often that rule is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

from extraction.estimators.precision import UNMEASURED
from extraction.flowsheet.findings import Finding, of_rule
from extraction.flowsheet.naming.exclusive_options import excludes_itself
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals


class Kind(StrEnum):
    """What a change does."""

    REPLACE = "replace"  # gives a proposal or a held-back value another value
    PROMOTE = "promote"  # proposes a held-back value, unless another rule held it back
    HOLD_BACK = "hold back"  # holds back a proposal
    ADD = "add"  # adds a value that the models did not read
    FLAG = "flag"  # changes findings, time, position or history, and leaves the value the models' own


@dataclass(frozen=True, slots=True)
class Change:
    """A change made by a rule.

    Attributes:
        of: the proposal or held-back value, the same object the rule received; None for an added value.
        value: the new value; None if only the findings change.
        findings: the reasons.
        instead_of: held-back values that this one replaces.
    """

    kind: Kind
    of: FilledValue | None
    value: FilledValue | None = None
    findings: tuple[Finding, ...] = ()
    instead_of: tuple[FilledValue, ...] = ()


def replaced(of: FilledValue, value: FilledValue, *findings: Finding) -> Change:
    return Change(Kind.REPLACE, of, value, findings)


def promoted(of: FilledValue, value: FilledValue | None = None, *, instead_of: Iterable[FilledValue] = ()) -> Change:
    """`value` is the new value if it differs from the held-back one; for `instead_of`, see `Change`."""
    return Change(Kind.PROMOTE, of, value, (), tuple(instead_of))


def hold_back(of: FilledValue, *findings: Finding) -> Change:
    return Change(Kind.HOLD_BACK, of, None, findings)


def added(value: FilledValue, *findings: Finding, instead_of: Iterable[FilledValue] = ()) -> Change:
    return Change(Kind.ADD, None, value, findings, tuple(instead_of))


def flagged(of: FilledValue, *findings: Finding, value: FilledValue | None = None) -> Change:
    """`value` is the same value with another time, position or history."""
    return Change(Kind.FLAG, of, value, findings)


def applied(
    schema: Schema, proposals: Proposals, changes: Sequence[Change], rule: str, precision: float = UNMEASURED
) -> Proposals:
    """Applies the changes of one rule with the given precision."""
    changes = [one for one in changes if not (one.kind is Kind.PROMOTE and one.of and one.of.held_back_by)]
    if not changes:
        return proposals
    by_value = {id(one.of): one for one in changes if one.of is not None}
    assert len(by_value) == sum(one.of is not None for one in changes), f"{rule} changes a value twice"
    gone = {id(value) for one in changes for value in one.instead_of}
    shown: list[FilledValue] = []
    held_back: list[FilledValue] = []
    for values, is_proposed in ((proposals.values, True), (proposals.held_back, False)):
        for value in values:
            change = by_value.pop(id(value), None)
            if change is None:
                if id(value) not in gone:
                    (shown if is_proposed else held_back).append(value)
                continue
            stays = change.kind in (Kind.FLAG, Kind.REPLACE)
            proposed = change.kind is Kind.PROMOTE or (is_proposed and stays)
            (shown if proposed else held_back).append(_changed(schema, value, change, rule, precision))
    assert not by_value, f"{rule} changes a value that is not there"
    shown += [_written(one.value, one, rule, precision) for one in changes if one.kind is Kind.ADD and one.value]
    return replace(proposals, values=_most_confident_first(shown), held_back=_most_confident_first(held_back))


def _most_confident_first(values: Sequence[FilledValue]) -> tuple[FilledValue, ...]:
    return tuple(sorted(values, key=lambda value: -value.confidence))


def _changed(schema: Schema, former: FilledValue, change: Change, rule: str, precision: float) -> FilledValue:
    value = change.value or former
    if change.kind in (Kind.FLAG, Kind.HOLD_BACK):
        held_back_by = rule if change.kind is Kind.HOLD_BACK else value.held_back_by
        findings = (*value.findings, *of_rule(change.findings, rule))
        return replace(value, findings=findings, held_back_by=held_back_by)
    found = change.findings
    if change.kind is Kind.PROMOTE:
        found = (*found, Finding("by_words", (value.evidence.text,)))
    if value.value != former.value:
        other = Finding("also_said", (display(schema.row(value.row_id), value.value),))
        found_before = tuple(one for one in value.findings if one != other)
        value = replace(value, alternatives=_with_former(schema, former, value), findings=found_before)
    return _written(value, replace(change, findings=found), rule, precision)


def _written(value: FilledValue, change: Change, rule: str, precision: float) -> FilledValue:
    """A value as written by a rule."""
    findings = (*value.findings, *of_rule(change.findings, rule))
    return replace(value, rule=rule, confidence=precision, errors=(), features="", findings=findings)


def _with_former(schema: Schema, former: FilledValue, value: FilledValue) -> tuple[tuple[str, float], ...]:
    """Puts the models' own value first among the alternatives; a value written by another rule is not kept.

    Of options that exclude each other, only those that are gone.
    """
    row, left = schema.row(value.row_id), former.value
    if excludes_itself(row, left) and isinstance(left, tuple) and isinstance(value.value, tuple):
        left = tuple(name for name in left if name not in value.value)
    was, now = display(row, left), display(row, value.value)
    own = () if former.rule else ((was, round(former.confidence, 4)),)
    return (*own, *(one for one in value.alternatives if one[0] not in (was, now)))


class Weighed(Protocol):
    """What says how likely a value is wrong; see `FilledValue`."""

    @property
    def errors(self) -> tuple[float, ...]: ...

    @property
    def rule(self) -> str: ...

    @property
    def confidence(self) -> float: ...


def errors_of(value: Weighed, layers: int) -> tuple[float, ...]:
    """How likely a value is wrong, by layer.

    For a rule's value, every layer has the rule's error rate; empty if nothing weighed the value.
    """
    if value.errors or not value.rule:
        return value.errors
    return (1 - value.confidence,) * layers
