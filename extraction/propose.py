"""From readings to proposals: validated, converted into the chart's unit, with evidence and confidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extraction.confidence import features
from extraction.evidence import evidence
from extraction.fill import Reading, Task
from extraction.logistic import LogisticModel
from extraction.schema import Row, ValueType
from extraction.units import convert, said_unit, ucum
from extraction.validate import DIMENSION_UNITS, chart_unit, display, normalise, unit_words
from extraction.values import FilledValue, Neighbour, Value
from models.errors import InputError

_NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)


@dataclass(frozen=True, slots=True)
class Proposals:
    """What is put before the nurse, and what was read but is too unlikely to be; both best first."""

    values: tuple[FilledValue, ...]
    unlikely: tuple[FilledValue, ...]


def propose(task: Task, readings: Sequence[Reading], model: LogisticModel, strategy: str) -> Proposals:
    """Every reading checked and weighed, one per row, unit rows added after their numbers."""
    best: dict[str, FilledValue] = {}
    for reading, numbers in zip(readings, features(readings), strict=True):
        value = _filled(task, reading, model.probability(numbers), strategy)
        if value is not None:
            best[value.row_id] = _agreed(task.schema.row(value.row_id), best.get(value.row_id), value)
    values = [*best.values(), *_unit_rows(task, best)]
    values.sort(key=lambda value: -value.confidence)
    return Proposals(
        tuple(value for value in values if value.confidence >= model.keep_from),
        tuple(value for value in values if value.confidence < model.keep_from),
    )


def _agreed(row: Row, one: FilledValue | None, other: FilledValue) -> FilledValue:
    """The more confident of two readings of one row; where they differ, it says so."""
    if one is None:
        return other
    kept, left = (one, other) if one.confidence >= other.confidence else (other, one)
    if left.value == kept.value:
        return kept
    return replace(kept, problems=(*kept.problems, f"also said: {display(row, left.value)}"))


def _filled(task: Task, reading: Reading, confidence: float, strategy: str) -> FilledValue | None:
    """The reading as a value of its row; None where the row's type refuses it."""
    row = reading.row
    value, doubts = _in_chart_unit(task.text, reading)
    try:
        value, unit, problems = normalise(row, value)
    except InputError:
        return None
    return FilledValue(
        row_id=row.id,
        value=value,
        unit=unit,
        evidence=evidence(task.text, reading),
        log_probability=reading.log_probability,
        not_mentioned=1.0 - reading.mentioned,
        confidence=confidence,
        relevance=reading.candidate.relevance,
        neighbour=reading.candidate.hits[0].neighbour,
        strategy=strategy,
        problems=(*doubts, *problems),
        alternatives=reading.alternatives,
    )


def _in_chart_unit(text: str, reading: Reading) -> tuple[Value, tuple[str, ...]]:
    """A spoken number in the unit that the chart keeps, and what had to be assumed for that."""
    row, value = reading.row, reading.value
    unit = chart_unit(row)
    if row.value_type not in _NUMBERS or not isinstance(value, float) or unit is None:
        return value, ()
    said = _said_unit(text, reading.span)
    if said is None:
        return _assumed(row, value, unit)
    if said == unit:
        return value, ()
    try:
        return convert(value, said, unit), ()
    except ValueError:
        return value, (f"said in {unit_words(said)}, the row is kept in {unit_words(row.unit)}",)


def _said_unit(text: str, span: tuple[int, int] | None) -> str | None:
    """The unit said after the number that begins the span."""
    if span is None:
        return None
    said = text[span[0] : span[1]]
    for start in (match.start() for match in re.finditer(r"(?<=[\w\s-])[^\d\s.,-]|%|°", said)):
        unit, end = said_unit(said, start)
        if unit and end >= len(said):
            return unit
    return None


def _assumed(row: Row, value: float, unit: str) -> tuple[float, tuple[str, ...]]:
    """A number without a unit is in the chart's unit, unless only another unit makes it plausible."""
    if row.value_type is not ValueType.QUANTITY or row.minimum is None or row.maximum is None:
        return value, ()
    if row.minimum <= value <= row.maximum:
        return value, (f"unit not said, taken as {unit_words(row.unit)}",) if row.dimension != "volume" else ()
    for other in DIMENSION_UNITS.get(row.dimension or "", ()):
        converted = convert(value, other, unit)
        if other != unit and row.minimum <= converted <= row.maximum:
            return converted, (f"unit not said, taken as {unit_words(other)}",)
    return value, ()


def _unit_rows(task: Task, best: dict[str, FilledValue]) -> list[FilledValue]:
    """The unit row of every number that was read: the unit that was said, else the row's first option."""
    added = []
    for row in task.schema.rows:
        number = best.get(row.unit_of) if row.unit_of else None
        if number is None or row.id in best:
            continue
        said = _said_unit(task.text, (number.evidence.start, number.evidence.end))
        option = _unit_option(row, said, number.value)
        problems = () if said else (f"unit not said, taken as {option}",)
        added.append(
            replace(
                number,
                row_id=row.id,
                value=option,
                unit=None,
                neighbour=Neighbour("unit", task.schema.row(number.row_id).name, number.neighbour.segment),
                problems=problems,
                alternatives=(),
            )
        )
    return added


def _unit_option(row: Row, said: str | None, number: Value) -> str:
    options: Sequence[str] = row.option_names
    known = {
        option.name: next((u for n in (*option.synonyms, option.name) if (u := ucum(n))), None)
        for option in row.options
    }
    for name in options:
        if said is not None and known[name] == said:
            return name
    fahrenheit = next((name for name in options if known[name] == "[degF]"), None)
    if fahrenheit and isinstance(number, float) and number > 60:
        return fahrenheit
    return options[0]
