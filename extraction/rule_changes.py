"""What rules made of the models' proposals: every value that is not the models' own is lit, and says why.

The rules around the models set values, add some, and propose what the models held back. None of that is as sure as the
models were of what they read, nor has a layer weighed it. So the proposals before and after the rules are compared
here, whichever rule it was: no rule has to think of it.

Values by definition (`extraction.exception`) are the hospital's own words, and are lit only where something speaks
against them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from extraction.exception import STRATEGY as BY_DEFINITION
from extraction.propose import Proposals
from extraction.schema import Schema
from extraction.validate import display, unit_words
from extraction.values import FilledValue, Value

Content = tuple[str, Value, str | None]
Written = dict[Content, str]  # the id of the rule that wrote it

# How `extraction.propose` says that it had to guess.
_UNIT_GUESSED = "unit not said, taken as "
_TAKEN_AS_PERCENT = "said as a fraction, taken as %"
# Of a value that no model has weighed: as likely right as wrong.
UNWEIGHED = 0.5


def content(value: FilledValue) -> Content:
    """What is charted, whenever and wherever it was said."""
    return value.row_id, value.value, value.unit


def marked(
    read: Proposals, charted: Proposals, schema: Schema, written: Mapping[Content, str] | None = None
) -> Proposals:
    """What rules made of the models' proposals `read`, with flags on each value that is not theirs, and its rule.

    Such a value keeps nothing of what the models thought of another one: no layer has weighed it, it is no surer than
    they leave room for, and what they read is the first of its alternatives. The problems that rules found with it
    become its flags. `written` says which rule wrote what.
    """
    written = written or {}
    own = _paired(read.values, charted.values)
    left = [value for value in read.values if all(value is not one for one in own)]
    held_back = list(read.unlikely)
    values = []
    for proposed, one in zip(charted.values, own, strict=True):
        if one is not None:
            values.append(proposed)
            continue
        value = replace(proposed, rule=written.get(content(proposed), ""))
        if (former := _taken(left, value)) is not None:
            values.append(_changed(schema, former, value))
        elif value.strategy == BY_DEFINITION and not value.problems:
            values.append(value)
        elif (former := _taken([one for one in held_back if _same(one, value)], value)) is not None:
            held_back.remove(former)
            values.append(_promoted(former, value))
        elif (former := _taken(held_back, value)) is not None:
            values.append(_changed(schema, former, value))
        else:
            values.append(_added(value))
    return replace(charted, values=tuple(sorted(values, key=lambda value: -value.confidence)))


def with_guesses(schema: Schema, proposals: Proposals) -> Proposals:
    """The proposals with flags on units that nobody said: where a unit's own row is filled, although it could hold
    another one, and where a number was converted from a unit that only its size speaks for."""
    values = tuple(_guessed(schema, value) for value in proposals.values)
    return replace(proposals, values=values)


def _guessed(schema: Schema, value: FilledValue) -> FilledValue:
    row = schema.row(value.row_id)
    told = f"{_UNIT_GUESSED}{unit_words(row.unit)}"
    found = tuple(
        problem
        for problem in value.problems
        if (problem.startswith(_UNIT_GUESSED) and (len(row.options) > 1 or (not row.options and problem != told)))
        or problem == _TAKEN_AS_PERCENT
    )
    if not found:
        return value
    problems = tuple(problem for problem in value.problems if problem not in found)
    confidence = min(value.confidence, UNWEIGHED)
    return replace(_unweighed(value, confidence), problems=problems, flags=(*value.flags, *found))


def _same(one: FilledValue, other: FilledValue) -> bool:
    return content(one) == content(other)


def _paired(read: Sequence[FilledValue], charted: Sequence[FilledValue]) -> list[FilledValue | None]:
    """For each value the one that the models proposed of it; of the same row and value, those of the same words first.
    None where there is none."""
    left = list(read)
    own: list[FilledValue | None] = [None] * len(charted)
    for exactly in (True, False):
        for place, value in enumerate(charted):
            if own[place] is None:
                fitting = [one for one in left if _same(one, value) and (not exactly or _same_words(one, value))]
                if fitting:
                    own[place] = fitting[0]
                    left = [one for one in left if one is not fitting[0]]
    return own


def _same_words(one: FilledValue, other: FilledValue) -> bool:
    return one.evidence.text == other.evidence.text and one.observed_at == other.observed_at


def _taken(left: list[FilledValue], value: FilledValue) -> FilledValue | None:
    """One of the row out of those that are left, which it leaves; of the same words if there is one."""
    of_row = [one for one in left if one.row_id == value.row_id]
    found = next((one for one in of_row if one.evidence.text == value.evidence.text), of_row[0] if of_row else None)
    left[:] = [one for one in left if one is not found]
    return found


def _changed(schema: Schema, former: FilledValue, value: FilledValue) -> FilledValue:
    row = schema.row(value.row_id)
    was, now = display(row, former.value), display(row, value.value)
    others = tuple(one for one in value.alternatives if one[0] not in (was, now))
    reasons, problems = _found_by_rules(value, former.problems)
    return replace(
        _unweighed(value, min(value.confidence, 1 - former.confidence)),
        alternatives=((was, round(former.confidence, 4)), *others),
        problems=problems,
        flags=(*value.flags, *(reasons or (f"the model had read {was}; a rule made it {now}",))),
    )


def _promoted(former: FilledValue, value: FilledValue) -> FilledValue:
    reasons, problems = _found_by_rules(value, former.problems)
    unsure = f"the model was only {former.confidence:.0%} sure; proposed because the words say it"
    return replace(_unweighed(value, value.confidence), problems=problems, flags=(*value.flags, *reasons, unsure))


def _added(value: FilledValue) -> FilledValue:
    reasons, _ = _found_by_rules(value, ())
    flags = reasons or ("added by a rule; no model has read it",)
    return replace(_unweighed(value, min(value.confidence, UNWEIGHED)), problems=(), flags=(*value.flags, *flags))


def _found_by_rules(value: FilledValue, known: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The problems of a value that are new, and those that were known."""
    before = frozenset(known)
    return (
        tuple(problem for problem in value.problems if problem not in before),
        tuple(problem for problem in value.problems if problem in before),
    )


def _unweighed(value: FilledValue, confidence: float) -> FilledValue:
    return replace(value, confidence=max(0.0, confidence), errors=())
