"""Turns readings into proposals: validated, converted to the chart's unit, with evidence and confidence."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from extraction.filling.chart_units import MISFITS
from extraction.filling.checked_values import checked_value, unit_values
from extraction.filling.evidence import evidence, is_now_instead, located, no_longer_so
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.schema import NUMBER_TYPES, SAID_TYPES, TIME_TYPES, Row, ValueType
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.preparation.observation_times import moment_of

# Confidence limit for values with a guessed part: as likely right as wrong.
_GUESSED = 0.5
_WORTH_NAMING = 0.05
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class WeighedReading:
    """A reading with its probability of being right, and by each layer of being wrong (empty if unknown).

    `features`: what it was weighed by, see `extraction.confidence.learned_models.Weighing`.
    """

    reading: Reading
    confidence: float
    errors: tuple[float, ...] = ()
    features: str = ""


def proposed_alone(task: Task, reading: Reading) -> list[FilledValue]:
    """The values one reading would propose: its own and, for a number, that of its unit row; empty if invalid."""
    value = _filled(task, WeighedReading(reading, 0.0), "")
    return [] if value is None else list(_timed(task, [value, *unit_values(task, {value.row_id: value})]))


def propose(task: Task, readings: Sequence[WeighedReading], keep_from: float, strategy: str) -> Proposals:
    """Validates all readings and chooses the most confident value of each row.

    A multi-select takes every option that is confident enough, and a row has one value per stated time of observation.
    Unit rows follow their numbers.
    """
    by_column: dict[tuple[str, dt.datetime | None], list[WeighedReading]] = {}
    for one in sorted(readings, key=lambda weighed: -weighed.confidence):
        by_column.setdefault((one.reading.row.id, _time_of(task, one.reading)), []).append(one)
    filled = [value for weighed in by_column.values() for value in _row_values(task, weighed, keep_from, strategy)]
    in_order = sorted(filled, key=lambda value: (_is_misfit(value), -value.confidence))
    kept, held_back = _one_row_per_number(task, in_order, keep_from)
    values = [*kept, *unit_values(task, {value.row_id: value for value in reversed(kept)})]
    read = {value.row_id: value for value in reversed(held_back) if value.row_id not in {one.row_id for one in kept}}
    held_back += unit_values(task, read)
    return Proposals(
        _timed(task, sorted(map(_with_guess_capped, values), key=lambda value: -value.confidence)),
        _timed(task, sorted(held_back, key=lambda value: -value.confidence)),
    )


def _timed(task: Task, values: Iterable[FilledValue]) -> tuple[FilledValue, ...]:
    """Values with their stated times of observation."""
    return tuple(located(task, value, value.evidence) if task.moments else value for value in values)


def _with_guess_capped(value: FilledValue) -> FilledValue:
    """Limits the confidence of a value with a guessed part, and drops its layer errors, which ignore the guess."""
    if not any(one.lights and one.code != "several_said" for one in value.findings):
        return value
    return replace(value, confidence=min(value.confidence, _GUESSED), errors=(), features="")


def _is_misfit(value: FilledValue) -> bool:
    """Whether a number was said in a unit that its row cannot have: another row of the number that can goes first."""
    return any(one.code in MISFITS for one in value.findings)


def _time_of(task: Task, reading: Reading) -> dt.datetime | None:
    """When a reading was observed; None for the time of the dictation."""
    if not task.moments or reading.row.value_type in TIME_TYPES:
        return None
    moment = moment_of(evidence(task, reading).start, task.moments)
    return moment.at if moment else None


def _one_row_per_number(
    task: Task, values: Sequence[FilledValue], keep_from: float
) -> tuple[list[FilledValue], list[FilledValue]]:
    """Splits values, likeliest first, into those to propose and the rest.

    A number is about one thing: if several rows are read from it, the likeliest one is proposed and names the next.
    """
    kept: list[FilledValue] = []
    held_back: list[FilledValue] = []
    owner: dict[tuple[int, int], int] = {}
    for value in values:
        row = task.schema.row(value.row_id)
        place = (value.evidence.start, value.evidence.end)
        if value.confidence < keep_from:
            held_back.append(value)
        elif row.value_type not in SAID_TYPES:
            kept.append(value)
        elif place not in owner:
            owner[place] = len(kept)
            kept.append(value)
        else:
            first = kept[owner[place]]
            kept[owner[place]] = replace(first, findings=(*first.findings, Finding("may_belong", (row.name,))))
            held_back.append(value)
    return kept, held_back


def _row_values(
    task: Task, weighed: Sequence[WeighedReading], keep_from: float, strategy: str
) -> Iterator[FilledValue]:
    """The values of one row from its readings, which are given most confident first."""
    if weighed[0].reading.row.value_type is ValueType.MULTI_SELECT:
        yield from _multi_select_values(task, weighed, keep_from, strategy)
        return
    possible = [value for one in weighed if (value := _filled(task, one, strategy)) is not None]
    if possible:
        best, sure = possible[0], [one for one in possible if one.confidence >= keep_from]
        value = next((one for one in sure if one is not best and _is_now_instead(task, best, one)), best)
        differing = [one for one in possible if one.value != value.value]
        said = (display(task.schema.row(one.row_id), one.value) for one in differing if one.confidence >= keep_from)
        code = "several_said" if weighed[0].reading.row.value_type in NUMBER_TYPES else "also_said"
        yield replace(
            value,
            findings=(*value.findings, *(Finding(code, (other,)) for other in said)),
            alternatives=_alternatives(task.schema.row(value.row_id), differing),
        )


def _is_now_instead(task: Task, was: FilledValue, now: FilledValue) -> bool:
    was_at, now_at = (task.read(one.evidence.start, one.evidence.end) for one in (was, now))
    return is_now_instead(task.text, was_at, now_at)


def _multi_select_values(
    task: Task, weighed: Sequence[WeighedReading], keep_from: float, strategy: str
) -> Iterator[FilledValue]:
    """The values of a multi-select.

    The confident options form one value with the lowest of their confidences, without what was so and is no longer; the
    others are values of their own.
    """
    row = weighed[0].reading.row
    was_so = no_longer_so(task.text, [one.reading for one in weighed if one.confidence >= keep_from])
    chosen, rest = dict[str, WeighedReading](), []
    for one in weighed:
        options = one.reading.value
        assert isinstance(options, tuple)
        if one.confidence >= keep_from and all(one.reading is not was for was in was_so):
            chosen |= {name: one for name in options if name not in chosen}
        elif (value := _filled(task, one, strategy)) is not None and not chosen.keys() & set(options):
            rest.append(value)
    if chosen:
        names = tuple(name for name in row.option_names if name in chosen)
        least = min(chosen.values(), key=lambda one: one.confidence)
        together = replace(least, reading=replace(next(iter(chosen.values())).reading, value=names))
        value = _filled(task, together, strategy)
        if value is not None:
            yield replace(value, alternatives=_alternatives(row, rest))
    yield from rest


def _alternatives(row: Row, others: Sequence[FilledValue]) -> tuple[tuple[str, float], ...]:
    """The likeliest other values as displayed, with their confidence."""
    named: dict[str, float] = {}
    for other in others:
        if other.confidence >= _WORTH_NAMING:
            named.setdefault(display(row, other.value), round(other.confidence, 4))
    return tuple(named.items())[:_MOST_NAMED]


def _filled(task: Task, weighed: WeighedReading, strategy: str) -> FilledValue | None:
    """The reading as a value of its row; None if it is invalid, impossible or on another scale."""
    reading = weighed.reading
    said = checked_value(reading.row, reading.value, task.text, reading.span)
    if said is None:
        return None
    return FilledValue(
        row_id=reading.row.id,
        value=said.value,
        unit=said.unit,
        evidence=evidence(task, reading),
        log_probability=reading.log_probability,
        not_mentioned=1.0 - reading.mentioned,
        confidence=weighed.confidence,
        errors=rounded(weighed.errors),
        relevance=reading.candidate.relevance,
        neighbour=reading.candidate.hits[0].neighbour,
        strategy=strategy,
        findings=said.findings,
        features=weighed.features,
    )


def rounded(errors: Iterable[float]) -> tuple[float, ...]:
    """The errors as stored with a value."""
    return tuple(round(error, 4) for error in errors)
