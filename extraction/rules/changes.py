"""Changes that rules make to the models' proposals, and what each kind of change means for a value.

A rule says what it changes and why; it touches nothing itself. Here its changes are applied, and what it wrote loses
what the models thought of another value: no layer has weighed it, and its confidence is how often that rule is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from extraction.estimators.precision import UNMEASURED
from extraction.flowsheet.findings import Finding, of_rule
from extraction.flowsheet.schema import Schema
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals


class Kind(StrEnum):
    """What a change does."""

    REPLACE = "replace"  # a proposal, or what was held back, has another value
    PROMOTE = "promote"  # what was held back is proposed, unless another rule held it back
    SUPPRESS = "suppress"  # a proposal is held back
    ADD = "add"  # a value that the models did not read
    FLAG = "flag"  # something is to be known about a value, which stays the models' own: findings, time, place, history


@dataclass(frozen=True, slots=True)
class Change:
    """What a rule changes.

    Attributes:
        of: the proposal, or the value that was held back, as the rule was given it; None for what is added.
        value: what becomes of it; None where nothing but the findings changes.
        findings: why.
        instead_of: values that were held back, in whose place this one comes.
    """

    kind: Kind
    of: FilledValue | None
    value: FilledValue | None = None
    findings: tuple[Finding, ...] = ()
    instead_of: tuple[FilledValue, ...] = ()


def replaced(of: FilledValue, value: FilledValue, *findings: Finding) -> Change:
    return Change(Kind.REPLACE, of, value, findings)


def promoted(of: FilledValue, value: FilledValue | None = None, *, instead_of: Iterable[FilledValue] = ()) -> Change:
    """`value` where it is more than what was held back; `instead_of`, see `Change`."""
    return Change(Kind.PROMOTE, of, value, (), tuple(instead_of))


def suppressed(of: FilledValue, *findings: Finding) -> Change:
    return Change(Kind.SUPPRESS, of, None, findings)


def added(value: FilledValue, *findings: Finding, instead_of: Iterable[FilledValue] = ()) -> Change:
    return Change(Kind.ADD, None, value, findings, tuple(instead_of))


def flagged(of: FilledValue, *findings: Finding, value: FilledValue | None = None) -> Change:
    """`value` is the same value with another time, place in the text or history."""
    return Change(Kind.FLAG, of, value, findings)


def applied(
    schema: Schema, proposals: Proposals, changes: Sequence[Change], rule: str, precision: float = UNMEASURED
) -> Proposals:
    """The proposals after the changes of one rule, which is right as often as `precision` says."""
    changes = [one for one in changes if not (one.kind is Kind.PROMOTE and one.of and one.of.held_back_by)]
    if not changes:
        return proposals
    by_value = {id(one.of): one for one in changes if one.of is not None}
    assert len(by_value) == sum(one.of is not None for one in changes), f"{rule} changes a value twice"
    gone = {id(value) for one in changes for value in one.instead_of}
    shown: list[FilledValue] = []
    held_back: list[FilledValue] = []
    for values, is_proposed in ((proposals.values, True), (proposals.unlikely, False)):
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
    return replace(proposals, values=_surest_first(shown), unlikely=_surest_first(held_back))


def _surest_first(values: Sequence[FilledValue]) -> tuple[FilledValue, ...]:
    return tuple(sorted(values, key=lambda value: -value.confidence))


def _changed(schema: Schema, former: FilledValue, change: Change, rule: str, precision: float) -> FilledValue:
    value = change.value or former
    if change.kind in (Kind.FLAG, Kind.SUPPRESS):
        held_back_by = rule if change.kind is Kind.SUPPRESS else value.held_back_by
        findings = (*value.findings, *of_rule(change.findings, rule))
        return replace(value, findings=findings, held_back_by=held_back_by)
    found = change.findings
    if change.kind is Kind.PROMOTE:
        found = (*found, Finding("promoted", (f"{former.confidence:.0%}",)))
    if value.value != former.value:
        value = replace(value, alternatives=_with_former(schema, former, value))
    return _written(value, replace(change, findings=found), rule, precision)


def _written(value: FilledValue, change: Change, rule: str, precision: float) -> FilledValue:
    """A value that a rule wrote."""
    findings = (*value.findings, *of_rule(change.findings, rule))
    return replace(value, rule=rule, confidence=precision, errors=(), features="", findings=findings)


def _with_former(schema: Schema, former: FilledValue, value: FilledValue) -> tuple[tuple[str, float], ...]:
    """What the models read comes first among the alternatives; what another rule made of it does not."""
    row = schema.row(value.row_id)
    was, now = display(row, former.value), display(row, value.value)
    own = () if former.rule else ((was, round(former.confidence, 4)),)
    return (*own, *(one for one in value.alternatives if one[0] not in (was, now)))


def errors_of(value: FilledValue, layers: int) -> tuple[float, ...]:
    """By each layer how likely a value is wrong: of what a rule wrote how often that rule is; empty for what nothing
    has weighed."""
    if value.errors or not value.rule:
        return value.errors
    return (1 - value.confidence,) * layers
