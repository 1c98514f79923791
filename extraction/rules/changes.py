"""Changes that rules make to the models' proposals, and their effect on a value.

A rule only describes its changes; this module applies them. A value written by a rule loses the models' output for the
old value: no layer has weighed it, and its confidence is how often that rule is right.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
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
    FLAG = "flag"  # changes findings, position or history, and leaves the value the models' own


_WRITES = {Kind.REPLACE, Kind.PROMOTE}
_PROPOSES = {Kind.PROMOTE, Kind.ADD}


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
    """`value` is the same value with another position or history."""
    return Change(Kind.FLAG, of, value, findings)


@dataclass(frozen=True, slots=True)
class Signed:
    """A change, the id of the rule that makes it, and how often that rule is right."""

    change: Change
    rule: str
    precision: float = UNMEASURED


def applied(schema: Schema, proposals: Proposals, signed: Sequence[Signed]) -> Proposals:
    """Applies changes that were all made to these proposals, those of the rule that takes precedence first.

    Findings add up. Otherwise one change counts for a value, and one rule for a row without a proposal: the first. What
    any rule holds back is held back.
    """
    signed = _without_conflicts(signed)
    if not signed:
        return proposals
    by_value: dict[int, list[Signed]] = defaultdict(list)
    for one in signed:
        if one.change.of is not None:
            by_value[id(one.change.of)].append(one)
    gone = {id(value) for one in signed for value in one.change.instead_of}
    shown: list[FilledValue] = []
    held_back: list[FilledValue] = []
    for values, is_proposed in ((proposals.values, True), (proposals.held_back, False)):
        for value in values:
            own = by_value.pop(id(value), [])
            kinds = {one.change.kind for one in own}
            if id(value) in gone and not kinds & _WRITES:
                continue
            stays = Kind.HOLD_BACK not in kinds and (is_proposed or Kind.PROMOTE in kinds)
            (shown if stays else held_back).append(_changed(schema, value, own))
    assert not by_value, "a rule changes a value that is not there"
    shown += [_written(one.change.value, one) for one in signed if one.change.kind is Kind.ADD and one.change.value]
    return replace(proposals, values=_most_confident_first(shown), held_back=_most_confident_first(held_back))


def _without_conflicts(signed: Sequence[Signed]) -> list[Signed]:
    """The changes without those over which another one takes precedence."""
    kept: list[Signed] = []
    held_back = {id(one.change.of) for one in signed if one.change.kind is Kind.HOLD_BACK}
    writers: dict[int, str] = {}  # by value
    proposers: dict[str, str] = {}  # by row
    for one in signed:
        kind, of, value = one.change.kind, one.change.of, one.change.value or one.change.of
        if kind is Kind.PROMOTE and of and (of.held_back_by or id(of) in held_back):
            continue
        if kind in _PROPOSES and value and proposers.setdefault(value.row_id, one.rule) != one.rule:
            continue
        if kind in _WRITES and writers.setdefault(id(of), one.rule) != one.rule:
            continue
        kept.append(one)
    return kept


def _most_confident_first(values: Sequence[FilledValue]) -> tuple[FilledValue, ...]:
    return tuple(sorted(values, key=lambda value: -value.confidence))


def _changed(schema: Schema, value: FilledValue, signed: Sequence[Signed]) -> FilledValue:
    """A value after all changes to it."""
    assert len({one.rule for one in signed}) == len(signed), f"a rule changes a value twice: {signed}"
    of = value
    for one in signed:
        value = _changed_once(schema, of, value, one)
    return value


def _changed_once(schema: Schema, of: FilledValue, now: FilledValue, one: Signed) -> FilledValue:
    """A value after one more change; `of` is what the rule received, `now` what other rules have made of it."""
    change, former = one.change, now
    value = _merged(of, now, change.value) if change.value else now
    if change.kind in (Kind.FLAG, Kind.HOLD_BACK):
        held_back_by = (now.held_back_by or one.rule) if change.kind is Kind.HOLD_BACK else value.held_back_by
        findings = (*value.findings, *of_rule(change.findings, one.rule))
        return replace(value, findings=findings, held_back_by=held_back_by)
    found = change.findings
    if change.kind is Kind.PROMOTE:
        found = (*found, Finding("by_words", (value.evidence.text,)))
    if value.value != former.value:
        other = Finding("also_said", (display(schema.row(value.row_id), value.value),))
        found_before = tuple(one for one in value.findings if one != other)
        value = replace(value, alternatives=_with_former(schema, former, value), findings=found_before)
    return _written(value, replace(one, change=replace(change, findings=found)))


def _merged(of: FilledValue, now: FilledValue, new: FilledValue) -> FilledValue:
    """`now` with what `new` changes in `of`, except what was changed already; findings add up."""
    if now is of:
        return new
    changed = {
        name: getattr(new, name)
        for name in (one.name for one in fields(of))
        if getattr(new, name) != getattr(of, name) and getattr(now, name) == getattr(of, name)
    }
    left = tuple(one for one in now.findings if one in new.findings or one not in of.findings)
    return replace(now, **changed, findings=(*left, *(one for one in new.findings if one not in of.findings)))


def _written(value: FilledValue, one: Signed) -> FilledValue:
    """A value as written by a rule."""
    findings = (*value.findings, *of_rule(one.change.findings, one.rule))
    return replace(value, rule=one.rule, confidence=one.precision, errors=(), features="", findings=findings)


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
