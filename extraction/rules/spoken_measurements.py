"""Charts measurements that are said with their name and number, whatever the models made of them.

Each pair of name and number (`extraction.language.measured_numbers`) belongs to the row of the schema that records it
(`extraction.flowsheet.naming.row_measurements`). The number must be possible, and no second one may compete for the
name ("was six, now three" is left to the models).

- The models proposed the same value: nothing changes.
- They read another one of the same moment: the bound one replaces it, lit.
- They held it back, or never asked for the row: it is added.
- Several numbers were said of one row and moment: all are proposed, each with the others as notes.
- They proposed the same number for another measurement's row: that proposal is held back. One number, one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.filling.closed_answers import said_numbers
from extraction.filling.proposals import proposed_alone, unit_said
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.row_measurements import measurement_rows
from extraction.flowsheet.schema import Row, Schema, ValueType, of_schema
from extraction.flowsheet.unit_conversion import contradict, convert, counts, meant
from extraction.flowsheet.validation import chart_unit, display
from extraction.flowsheet.values import FilledValue, Neighbour, Proposals, Value
from extraction.language.analysis import analyse
from extraction.language.measured_numbers import MeasuredNumber, MeasuredNumbers, MeasuredPair, measured_numbers
from extraction.language.quantities import said_unit
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.measurements import Measurement, measurement_cues, pressure_parts
from extraction.preparation.observation_times import observed
from extraction.retrieval.candidates import Candidate, Hit
from extraction.rules.changes import Change, added, hold_back, replaced


@dataclass(frozen=True, slots=True)
class _Bound:
    """A measurement as a value of its row, with the values of its unit rows; `words` are its name and number."""

    row: Row
    value: FilledValue
    units: tuple[FilledValue, ...]
    words: str


def spoken_measurements(task: Task, proposals: Proposals) -> Iterator[Change]:
    """The changes of the rule; positions are those of the task's text."""
    bound = _distinct(_bound_in(task))
    rows = {value.row_id for value in proposals.values}
    changed: set[int] = set()
    for one in bound:
        in_cell = [value for value in proposals.values if _same_cell(one, value)]
        if any(value.value == one.value.value for value in in_cell):
            continue
        same = [value for value in in_cell if id(value) not in changed and not _is_bound(value, bound)]
        if same:
            changed.add(id(same[0]))
            read = display(one.row, same[0].value)
            yield replaced(same[0], one.value, Finding("said_with_name", (one.words, read)))
        else:
            held_back = [value for value in proposals.held_back if _same_cell(one, value) and not value.held_back_by]
            yield added(one.value, instead_of=held_back)
            yield from (added(unit) for unit in one.units if unit.row_id not in rows)
    measured = {row.id for row in measurement_rows(task.schema).values()}
    for value in proposals.values:
        if value.row_id in measured and id(value) not in changed and (owner := _owner(value, bound)):
            yield hold_back(value, Finding("number_of_row", (value.evidence.text, owner.row.name)))


def _same_cell(one: _Bound, value: FilledValue) -> bool:
    """Whether a value is of the same row and time as the bound one."""
    return value.row_id == one.row.id and value.observed_at == one.value.observed_at


def _is_bound(value: FilledValue, bound: Sequence[_Bound]) -> bool:
    """Whether a proposal is one of the values that were said of its row and time."""
    return any(_same_cell(one, value) and one.value.value == value.value for one in bound)


def _distinct(bound: Iterator[_Bound]) -> list[_Bound]:
    """The values without repetitions; several of one row and time name each other: one can be charted there."""
    cells: dict[tuple[str, str | None], dict[Value, _Bound]] = {}
    for one in bound:
        cells.setdefault((one.row.id, one.value.observed_at), {})[one.value.value] = one
    return [_beside(one, values) for values in cells.values() for one in values.values()]


def _beside(one: _Bound, values: Mapping[Value, _Bound]) -> _Bound:
    others = [Finding("also_said", (display(one.row, value),)) for value in values if value != one.value.value]
    return replace(one, value=replace(one.value, findings=(*one.value.findings, *others)))


def _owner(value: FilledValue, bound: Sequence[_Bound]) -> _Bound | None:
    """The measurement of another row that owns the number of a proposal."""
    same = [one for one in bound if overlap(_span(value), _span(one.value))]
    return same[0] if same and all(one.row.id != value.row_id for one in same) else None


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end


def _bound_in(task: Task) -> Iterator[_Bound]:
    """Every plain pair of name and number whose measurement the schema charts, in the order of the text."""
    rows = measurement_rows(task.schema)
    for sentence in _of_patient(task):
        measured = measured_numbers(sentence.text)
        for pair in measured.pairs:
            if pair.measurement is None:
                continue
            for measurement, number in _parts(pair, rows):
                row = rows.get(measurement.id)
                values = _values(task, row, measurement, sentence, number) if row else []
                if row and values and not _is_contested(sentence, values[0], measurement, number, measured):
                    words = " ".join(sentence.text[pair.start : pair.end].split())
                    value = observed(task.text, row, values[0], task.moments)
                    yield _Bound(row, value, tuple(values[1:]), words)


def _of_patient(task: Task) -> Iterator[Segment]:
    """The sentences whose numbers are the patient's, not a newborn's with rows of its own in the same schema.

    A sentence that names the child turns to it, one with a word for the mother back to her; one with both is unclear,
    and so is the beginning of a text that names the child.
    """
    if not _has_rows_of_child(task.schema):
        yield from task.segments
        return
    is_mothers = measurement_cues().child.search(task.text) is None
    for sentence in task.segments:
        child, mother = (cue.search(sentence.text) for cue in (measurement_cues().child, measurement_cues().mother))
        if child or mother:
            is_mothers = mother is not None
        if is_mothers and not child:
            yield sentence


@of_schema
def _has_rows_of_child(schema: Schema) -> bool:
    """Whether the schema has rows for a newborn besides those of the mother."""
    child = measurement_cues().child
    return any(child.search(" ".join((*row.category, row.name))) for row in schema.rows)


def _parts(pair: MeasuredPair, rows: Mapping[str, Row]) -> Iterator[tuple[Measurement, MeasuredNumber]]:
    """The pair itself, or the two numbers of a pressure that the schema charts in rows of their own."""
    assert pair.measurement is not None
    number, parts = pair.number, pressure_parts(pair.measurement)
    if not number.pressure or pair.measurement.id in rows or parts is None:
        yield pair.measurement, number
        return
    for part, digits in zip(parts, number.pressure.split("/"), strict=True):
        yield part, replace(number, pressure=digits)


def _is_contested(
    sentence: Segment, value: FilledValue, measurement: Measurement, number: MeasuredNumber, measured: MeasuredNumbers
) -> bool:
    """Whether a number is an earlier value, or the next one, without a name and after a mere joint, may replace it."""
    text, end = sentence.text, value.evidence.end - sentence.start
    in_circumstance = measurement.in_circumstances and measurement_cues().circumstance.match(text, end)
    if measurement_cues().earlier.match(text, end) and not in_circumstance:
        return True
    following = next((one for one in measured.numbers if one.start >= end), None)
    if following is None or bool(following.pressure) != bool(number.pressure):
        return False
    if any(pair.number == following for pair in measured.pairs):
        return False
    unit, between = said_unit(text, following.end)[0], text[end : following.start]
    if unit and value.unit and contradict(meant(unit, value.unit), value.unit):
        return False
    return bool(measurement_cues().competes.fullmatch(between) or measurement_cues().succeeds.search(between))


# from the number to a value


def _values(
    task: Task, row: Row, measurement: Measurement, sentence: Segment, number: MeasuredNumber
) -> list[FilledValue]:
    """The number as a value of the row, and its unit rows; empty if it cannot be, or is not stated as current."""
    span = (sentence.start + number.start, sentence.start + number.end)
    said = analyse(task.text)
    if said.is_denied(span) or any(overlap(span, (one.start, one.end)) for one in said.scopes):
        return []
    read = _read(row, sentence, number)
    if read is None or (measurement.needs_unit and not unit_said(task.text, read[1])):
        return []
    hit = Hit(sentence.index, 1.0, 1.0, 1.0, 0, 0, 1.0, 0.0, Neighbour("words", row.name, sentence.index))
    reading = Reading(row, Candidate(row.id, (hit,), 1.0), read[0], sentence, read[1], 1.0, 1.0)
    values = proposed_alone(task, reading)
    return values if values and _is_possible(measurement, row, values[0].value) else []


def _read(row: Row, sentence: Segment, number: MeasuredNumber) -> tuple[Value, Span] | None:
    """The number in the form of the row, and where it was said."""
    span = (sentence.start + number.start, sentence.start + number.end)
    if row.value_type is ValueType.BLOOD_PRESSURE:
        return (number.pressure, span) if number.pressure else None
    if number.pressure:
        return float(number.pressure), span
    found = (one for one in said_numbers(row, (sentence,)) if one.span and overlap(one.span, span))
    return next(((one.value, one.span) for one in found if one.span), None)


def _is_possible(measurement: Measurement, row: Row, value: Value) -> bool:
    if isinstance(value, str):
        systolic, diastolic = map(float, value.split("/"))
        return measurement.low <= diastolic < systolic <= measurement.high
    assert isinstance(value, float)
    unit = chart_unit(row)
    units = (unit,) if unit else (measurement.unit, *measurement.also_in)
    return any(_is_in_range(measurement, value, one) for one in units)


def _is_in_range(measurement: Measurement, value: float, unit: str) -> bool:
    if unit in measurement.also_in:
        low, high = measurement.also_in[unit]
        return low <= value <= high
    if unit == measurement.unit or (counts(unit) and counts(measurement.unit)):
        return measurement.low <= value <= measurement.high and (not measurement.whole or value.is_integer())
    try:
        return measurement.low <= convert(value, unit, measurement.unit) <= measurement.high
    except ValueError:
        return False
