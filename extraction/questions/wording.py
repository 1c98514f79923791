"""A query tree in words: a label for each of its parts, and a sentence for each refusal with what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from extraction.flowsheet.unit_conversion import unit_words
from extraction.questions.query import (
    ALWAYS,
    Aggregate,
    AllOf,
    AnyOf,
    Balance,
    Compare,
    Comparison,
    Condition,
    CountPatients,
    Group,
    Measure,
    Missing,
    Not,
    OverPatients,
    Query,
    Quote,
    Rate,
    Reason,
    Refusal,
    Select,
    Sequence,
    Subject,
    Value,
    Where,
    Window,
)


class ChipKind(StrEnum):
    """Which part of a tree a label shows."""

    KIND = "kind"
    SUBJECT = "subject"
    MEASURE = "measure"
    AGGREGATE = "aggregate"
    WINDOW = "window"
    CONDITION = "condition"
    JOINT = "joint"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class Chip:
    """A part of a tree as it is shown.

    Attributes:
        part: the node that is shown, for changing it.
    """

    kind: ChipKind
    label: str
    part: object


_AGGREGATES = {
    Aggregate.LATEST: "latest",
    Aggregate.FIRST: "first",
    Aggregate.LOWEST: "lowest",
    Aggregate.HIGHEST: "highest",
    Aggregate.MEAN: "mean",
    Aggregate.SUM: "total",
    Aggregate.COUNT: "number of values",
    Aggregate.CHANGE: "change",
    Aggregate.TREND: "trend",
    Aggregate.ANY: "each value",
    Aggregate.WHEN_FIRST: "time of the first",
    Aggregate.WHEN_LAST: "time of the last",
    Aggregate.TIME_SINCE: "time since the last",
}
_RATES = {Rate.HOUR: "per hour", Rate.DAY: "per day", Rate.KILOGRAM_HOUR: "per kg and hour"}


def in_words(query: Query) -> str:
    """A whole tree on one line: "Urine output · total · last 8 hours · below 30 mL/h · all patients"."""
    return " · ".join(chip.label for chip in chips(query))


def chips(query: Query) -> tuple[Chip, ...]:
    """The parts of a tree in the order in which they are shown."""
    return tuple(_chips(query))


def _chips(query: Query) -> Iterator[Chip]:
    match query:
        case Select():
            for value in query.values:
                yield from _value(value)
            if query.where is not None:
                yield from _where(query.where)
            yield _subject(query.subject)
            if query.order is not None:
                yield Chip(ChipKind.ORDER, str(query.order), query.order)
            if query.limit is not None:
                yield Chip(ChipKind.ORDER, "first one" if query.limit == 1 else f"first {query.limit}", query.limit)
        case CountPatients():
            yield Chip(ChipKind.KIND, "How many patients", query)
            yield from _chips(query.of)
        case OverPatients():
            yield Chip(ChipKind.KIND, f"{_AGGREGATES[query.aggregate].capitalize()} over patients", query)
            yield from _chips(query.of)
        case Group():
            yield Chip(ChipKind.KIND, "How many patients of each", query)
            yield from _chips(query.of)
        case Compare():
            yield from _chips(query.left)
            yield Chip(ChipKind.JOINT, "compared with", query)
            yield from _chips(query.right)
        case Sequence():
            yield Chip(ChipKind.KIND, "In order of time", query)
            if not query.measures:
                yield Chip(ChipKind.MEASURE, "Everything charted", query)
            yield from map(_measure, query.measures)
            if query.around is not None:
                yield Chip(ChipKind.WINDOW, f"before and after {_when(query.around)}", query.around)
            yield from _window(query.window)
            yield _subject(query.subject)
        case Missing():
            yield Chip(ChipKind.KIND, "Not charted", query)
            yield from map(_measure, query.measures)
            yield from _window(query.window)
            if query.longer_than is not None:
                yield Chip(ChipKind.WINDOW, f"for more than {_length(query.longer_than)}", query.longer_than)
            yield _subject(query.subject)
        case Quote():
            yield Chip(ChipKind.KIND, f"What was said about “{query.topic}”", query)
            yield from _window(query.window)
            yield _subject(query.subject)


def _value(value: Value | Balance) -> Iterator[Chip]:
    if isinstance(value, Balance):
        yield Chip(ChipKind.MEASURE, "Fluid balance", value)
        yield from _window(value.window)
        return
    yield _measure(value.measure)
    if value.aggregate is not Aggregate.LATEST:
        yield Chip(ChipKind.AGGREGATE, _AGGREGATES[value.aggregate], value)
    if value.rate is not None:
        yield Chip(ChipKind.AGGREGATE, _RATES[value.rate], value)
    yield from _window(value.window)
    if value.baseline is not None:
        yield Chip(ChipKind.WINDOW, value.baseline.words or f"since {_window_words(value.baseline)}", value.baseline)


def _where(where: Where) -> Iterator[Chip]:
    match where:
        case Condition():
            yield from _value(where.value) if _shows_aggregate(where) else _value_without_aggregate(where.value)
            yield Chip(ChipKind.CONDITION, _condition(where), where)
        case Not():
            yield Chip(ChipKind.JOINT, "not", where)
            yield from _where(where.condition)
        case AllOf() | AnyOf():
            for place, one in enumerate(where.conditions):
                if place:
                    yield Chip(ChipKind.JOINT, "and" if isinstance(where, AllOf) else "or", where)
                yield from _where(one)


def _shows_aggregate(condition: Condition) -> bool:
    return isinstance(condition.value, Balance) or condition.value.aggregate is not Aggregate.ANY


def _value_without_aggregate(value: Value | Balance) -> Iterator[Chip]:
    """A value that is asked for at any time of its window, or ever."""
    assert isinstance(value, Value)
    yield _measure(value.measure)
    if value.window == ALWAYS:
        yield Chip(ChipKind.WINDOW, "ever", value.window)
    yield from _window(value.window)


def _measure(measure: Measure) -> Chip:
    part = f", {measure.part}" if measure.part else ""
    return Chip(ChipKind.MEASURE, f"{measure.name}{part}", measure)


def _window(window: Window) -> Iterator[Chip]:
    if window != ALWAYS:
        yield Chip(ChipKind.WINDOW, window.words or _window_words(window), window)


def _window_words(window: Window) -> str:
    since = f"from {_when(window.since)}" if window.since else ""
    until = f"until {_when(window.until)}" if window.until else ""
    return f"{since} {until}".strip()


def _subject(subject: Subject) -> Chip:
    return Chip(ChipKind.SUBJECT, subject.words or "all patients", subject)


def _condition(condition: Condition) -> str:
    unit = f" {unit_words(condition.unit)}" if condition.unit else ""
    if condition.comparison in (Comparison.CHARTED, Comparison.NOT_CHARTED):
        return str(condition.comparison)
    if condition.options:
        return f"{condition.comparison} {' or '.join(condition.options)}"
    numbers = " and ".join(f"{number:g}" for number in condition.numbers)
    return f"{condition.comparison} {numbers}{unit}"


def _when(at: datetime) -> str:
    return f"{at:%d %b %H:%M}"


def _length(length: timedelta) -> str:
    hours = length.total_seconds() / 3600
    if hours < 1:
        return f"{length.total_seconds() / 60:g} minutes"
    return "1 hour" if hours == 1 else f"{hours:g} hours"


def why_refused(refusal: Refusal) -> str:
    """Why a question is not answered, and what to do next."""
    said = f"“{refusal.words}”" if refusal.words else ""
    near = f" Near to it: {', '.join(refusal.near)}." if refusal.near else ""
    match refusal.reason:
        case Reason.NO_QUESTION:
            return "Nothing was asked. Type a question, such as “urine output of bed 4 since midnight”."
        case Reason.TOO_LONG:
            return "The question is too long. Ask for one thing in one sentence."
        case Reason.NOT_ENGLISH:
            return "Questions are understood in English only."
        case Reason.ADVICE:
            return f"Wardlight gives no advice{f' ({said})' if said else ''}. Ask what is charted instead."
        case Reason.PREDICTION:
            return f"Wardlight makes no forecasts{f' ({said})' if said else ''}. Ask what is charted so far."
        case Reason.NOT_IN_THE_NOTES:
            next_step = "Ask “what was said about …” to search the dictations."
            return f"The flowsheet has nothing for {said or 'this'}.{near} {next_step}"
        case Reason.UNKNOWN_PATIENT:
            return f"No patient here is {said or 'so named'}. Check the name or the bed."
        case Reason.SEVERAL_PATIENTS:
            return f"Several patients are called {said}. Ask by full name or by bed."
        case Reason.NO_SUCH_WINDOW:
            return f"There are no notes for {said or 'that time'}. Ask about a later time."
        case Reason.UNIT:
            row = f" of {refusal.near[0]}" if refusal.near else ""
            return f"{said or 'The unit'} does not fit the values{row}. Ask again with another unit, or without one."
        case Reason.NOT_UNDERSTOOD:
            if not said:
                next_step = "Name one thing that is charted, such as “heart rate above 110”."
                return f"The question was not understood.{near} {next_step}"
            return f"{said} was not understood.{near} Ask without it, or in other words."


def measures_of(query: Query) -> tuple[Measure, ...]:
    """The measures of a tree, in the order in which they are shown."""
    return tuple(chip.part for chip in chips(query) if isinstance(chip.part, Measure))
