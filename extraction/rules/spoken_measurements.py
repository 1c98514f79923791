"""Charts measurements that are said with their name and number, whatever the models made of them.

"BP 134 over 76, heart rate 91, sat 96 on room air": a name from the lexicon (`extraction.language.vocabulary.
measurements`) is bound to the number beside it, in its row of the schema (`extraction.flowsheet.naming.
row_measurements`). Only a plain pair is bound: nothing but a few small words may stand between name and number, the
number must be possible, and no second number may compete for the name ("was six, now three" is left to the models).

- The models proposed the same value: nothing changes.
- They read another one of the same moment: the bound one replaces it, lit.
- They held it back, or never asked for the row: it is added.
- They proposed the same number for another measurement's row: that proposal is held back. One number, one row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from extraction.filling.closed_answers import said_numbers
from extraction.filling.proposals import proposed_alone, unit_said
from extraction.filling.task import Reading, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.row_measurements import measurement_rows
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, ValueType, of_schema
from extraction.flowsheet.unit_conversion import contradict, convert, counts, meant
from extraction.flowsheet.validation import chart_unit, display
from extraction.flowsheet.values import FilledValue, Neighbour, Proposals, Value
from extraction.language.analysis import analyse
from extraction.language.numbers import numbers, of_times, pressures
from extraction.language.quantities import said_unit
from extraction.language.sentences import Segment
from extraction.language.spans import Span, Spoken, overlap
from extraction.language.vocabulary.measurements import (
    Measurement,
    Mention,
    measured_by_words,
    measurement_cues,
    mentions,
    pressure_parts,
    unnamed_pressure,
    vital_signs,
)
from extraction.language.vocabulary.number_words import number_words
from extraction.preparation.observation_times import observed
from extraction.retrieval.candidates import Candidate, Hit
from extraction.rules.changes import Change, added, hold_back, replaced

# A whole number among these may be a saturation or a temperature.
_AMBIGUOUS = (94, 105)
# The longest name that may also be a unit, and the hours of a day.
_SHORT, _HOURS = 2, 24
_CLOCK = re.compile(r"[012]\d[0-5]\d")


@dataclass(frozen=True, slots=True)
class _Number:
    """A number in characters [start, end) of a sentence, or a pressure as 'systolic/diastolic'."""

    start: int
    end: int
    pressure: str = ""


@dataclass(frozen=True, slots=True)
class _Pair:
    """A measurement with its number, and the characters [start, end) of both in a sentence."""

    measurement: Measurement | None
    number: _Number
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Bound:
    """A measurement as a value of its row, with the values of its unit rows; `words` are its name and number."""

    row: Row
    value: FilledValue
    units: tuple[FilledValue, ...]
    words: str


def spoken_measurements(task: Task, proposals: Proposals) -> Iterator[Change]:
    """The changes of the rule; positions are those of the task's text."""
    bound = _latest(_bound_in(task))
    rows = {value.row_id for value in proposals.values}
    changed: set[int] = set()
    for one in bound:
        same = [value for value in proposals.values if _same_cell(one, value)]
        if any(value.value == one.value.value for value in same):
            continue
        if same:
            changed.add(id(same[0]))
            read = display(one.row, same[0].value)
            yield replaced(same[0], one.value, Finding("said_with_name", (one.words, read)))
        else:
            held_back = [value for value in proposals.held_back if _same_cell(one, value) and not value.held_back_by]
            yield added(one.value, instead_of=held_back)
            yield from (added(unit) for unit in one.units if unit.row_id not in rows)
    for value in proposals.values:
        owner = _owner(task, value, bound)
        if owner and id(value) not in changed:
            yield hold_back(value, Finding("number_of_row", (value.evidence.text, owner.row.name)))


def _same_cell(one: _Bound, value: FilledValue) -> bool:
    """Whether a value is of the same row and time as the bound one."""
    return value.row_id == one.row.id and value.observed_at == one.value.observed_at


def _latest(bound: Iterator[_Bound]) -> list[_Bound]:
    """Of several values of one row and time the one said last."""
    return list({(one.row.id, one.value.observed_at): one for one in bound}.values())


def _owner(task: Task, value: FilledValue, bound: Sequence[_Bound]) -> _Bound | None:
    """The measurement that owns the number of a proposal for the row of another measurement."""
    row = task.schema.row(value.row_id)
    if row.value_type not in NUMBER_TYPES or row.id not in {one.id for one in measurement_rows(task.schema).values()}:
        return None
    same = [one for one in bound if overlap(_span(value), _span(one.value))]
    return same[0] if same and all(one.row.id != row.id for one in same) else None


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end


# which number belongs to which name


def _bound_in(task: Task) -> Iterator[_Bound]:
    """Every plain pair of name and number whose measurement the schema charts, in the order of the text."""
    rows = measurement_rows(task.schema)
    if _has_rows_of_child(task.schema) and measurement_cues().child.search(task.text):
        return  # whose number it is takes more than words beside it
    for sentence in task.segments:
        pairs = _pairs(sentence.text)
        for pair in pairs:
            if pair.measurement is None:
                continue
            for measurement, number in _parts(pair, rows):
                row = rows.get(measurement.id)
                values = _values(task, row, measurement, sentence, number) if row else []
                if row and values and not _is_contested(sentence, values[0], number, pairs):
                    words = " ".join(sentence.text[pair.start : pair.end].split())
                    value = observed(task.text, row, values[0], task.moments)
                    yield _Bound(row, value, tuple(values[1:]), words)


@of_schema
def _has_rows_of_child(schema: Schema) -> bool:
    """Whether the schema has rows for a newborn besides those of the mother."""
    child = measurement_cues().child
    return any(child.search(" ".join((*row.category, row.name))) for row in schema.rows)


def _parts(pair: _Pair, rows: Mapping[str, Row]) -> Iterator[tuple[Measurement, _Number]]:
    """The pair itself, or the two numbers of a pressure that the schema charts in rows of their own."""
    assert pair.measurement is not None
    number, parts = pair.number, pressure_parts(pair.measurement)
    if not number.pressure or pair.measurement.id in rows or parts is None:
        yield pair.measurement, number
        return
    for part, digits in zip(parts, number.pressure.split("/"), strict=True):
        yield part, replace(number, pressure=digits)


def _pairs(text: str) -> tuple[_Pair, ...]:
    """Names with the number that each is bound to; every name and every number at most once."""
    if measurement_cues().other_rows.search(text):
        return ()
    named = mentions(text)
    said = _numbers(text, named)
    edges = [
        (-strength, number.start, place, index)
        for place, mention in enumerate(named)
        if not measurement_cues().not_current.search(text, 0, mention.start)
        for index, number in enumerate(said)
        if (strength := _strength(text, mention, number))
    ]
    pairs: list[_Pair] = []
    names: set[int] = set()
    used: set[int] = set()
    for _, _, place, index in sorted(edges):
        if place not in names and index not in used:
            names.add(place)
            used.add(index)
            pairs.append(_pair(named[place], said[index]))
    for index, number in enumerate(said):
        if index not in used and (unnamed := _unnamed(text, number)):
            used.add(index)
            pairs.append(_pair(unnamed, number))
    pairs += _listed(text, pairs, [number for index, number in enumerate(said) if index not in used])
    return tuple(sorted(pairs, key=lambda pair: pair.start))


def _pair(mention: Mention, number: _Number) -> _Pair:
    return _Pair(mention.measurement, number, min(mention.start, number.start), max(mention.end, number.end))


def _unnamed(text: str, number: _Number) -> Mention | None:
    """What a number without a name measures: its unit says so, or it is a pressure."""
    if measurement_cues().not_current.search(text, 0, number.start):
        return None
    if number.pressure:
        pressure = unnamed_pressure()
        return Mention(pressure, number.start, number.end) if pressure else None
    measurement = measured_by_words(text, number.start, number.end)
    return Mention(measurement, number.start, number.end) if measurement else None


def _listed(text: str, pairs: Sequence[_Pair], left: Sequence[_Number]) -> Iterator[_Pair]:
    """Numbers without names in a list of vital signs: "138 over 70, 86, 18, 97 percent".

    The list continues a named vital sign or a pressure; at least two numbers follow it, or it has a heading. Each
    number is taken for the first vital sign, in the order of the vocabulary, that it can be.
    """
    signs = {one.id: one for one in vital_signs()}
    has_heading = measurement_cues().list_heading.search(text) is not None
    for pair in pairs:
        if not pair.number.pressure and (pair.measurement is None or pair.measurement.id not in signs):
            continue
        known = {one.measurement.id for one in pairs if one.measurement}
        found: list[_Pair] = []
        end = pair.end
        for number in (one for one in left if one.start >= pair.end):
            if not measurement_cues().list_joint.fullmatch(text[end : number.start]):
                break
            measurement = _sign_of(text, number, [one for one in signs.values() if one.id not in known])
            if measurement is None:
                break
            known.add(measurement.id)
            found.append(_Pair(measurement, number, number.start, number.end))
            end = number.end
        if len(found) > 1 or (found and has_heading):
            yield from found
            return


def _sign_of(text: str, number: _Number, signs: Sequence[Measurement]) -> Measurement | None:
    """The first of the vital signs that a number can be; None if that is not clear."""
    value = next((one.value for one in numbers(text) if one.start == number.start), None)
    if value is None or (value.is_integer() and _AMBIGUOUS[0] <= value <= _AMBIGUOUS[1]):
        return next(
            (one for one in signs if one.unit == "%" and measurement_cues().percent.match(text, number.end)), None
        )
    return next((one for one in signs if _may_be(one, value)), None)


def _may_be(measurement: Measurement, value: float) -> bool:
    """Whether a number without a unit may be said of a measurement; a temperature in either unit."""
    celsius = (value - 32) / 1.8 if measurement.unit == "Cel" and value > measurement.high else value
    return measurement.low <= celsius <= measurement.high


def _strength(text: str, mention: Mention, number: _Number) -> int:
    """How plainly a number belongs to a name: 3 after it, 2 before it, 1 after a comma, 0 not at all."""
    measurement = mention.measurement
    if measurement and bool(number.pressure) != (measurement.kind == "pressure"):
        return 0
    if number.start >= mention.end:
        between = text[mention.end : number.start]
        if measurement_cues().link.fullmatch(between):
            return 1 if "," in between else 3
    elif number.end <= mention.start and measurement_cues().backward.fullmatch(text[number.end : mention.start]):
        name = text[mention.start : mention.end]
        return 0 if len(name) <= _SHORT and name.islower() else 2  # "36 hr" are hours
    return 0


def _numbers(text: str, named: Sequence[Mention]) -> list[_Number]:
    """The numbers and pressures of a sentence outside times, dates and names, in order."""
    found = [_Number(one.start, one.end, one.value) for one in pressures(text)]
    scales = [match.span() for match in measurement_cues().scale.finditer(text)]
    often = number_words().often
    plain = [
        one
        for one in numbers(text)
        if not any(overlap((one.start, one.end), span) for span in scales)
        and text[one.start : one.end].lower() not in often
        and not measurement_cues().frequency.match(text, one.end)
    ]
    known = [(one.start, one.end) for one in found]
    for first, second in pairwise(one for one in plain if not any(overlap((one.start, one.end), it) for it in known)):
        if measurement_cues().pressure_joint.fullmatch(text[first.end : second.start]) and _is_after_pressure(
            text, first, named
        ):
            value = f"{first.value:g}/{second.value:g}"
            found.append(_Number(first.start, second.end, value))
    taken = [*((one.start, one.end) for one in found), *of_times(text), *((one.start, one.end) for one in named)]
    found += [
        _Number(one.start, one.end)
        for one in plain
        if not any(overlap((one.start, one.end), span) for span in taken)
        and not measurement_cues().label.search(text, 0, one.start)
        and not _is_clock(text, one)
    ]
    return sorted(found, key=lambda one: one.start)


def _is_clock(text: str, number: Spoken[float]) -> bool:
    """Whether a number that no time was read from is one: "0600", "CIWA 1900 = 9", "the scan at eleven was 410"."""
    if _CLOCK.fullmatch(text, number.start, number.end):
        return text[number.start] == "0" or bool(measurement_cues().equals.match(text, number.end))
    return (
        bool(measurement_cues().at.search(text, 0, number.start) and measurement_cues().equals.match(text, number.end))
        and number.value <= _HOURS
    )


def _is_after_pressure(text: str, number: Spoken[float], named: Sequence[Mention]) -> bool:
    return any(
        one.measurement is not None
        and one.measurement.kind == "pressure"
        and one.end <= number.start
        and measurement_cues().link.fullmatch(text[one.end : number.start])
        for one in named
    )


def _is_contested(sentence: Segment, value: FilledValue, number: _Number, pairs: Sequence[_Pair]) -> bool:
    """Whether a number is an earlier value, or the next one, without a name and after a mere joint, may replace it."""
    text, end = sentence.text, value.evidence.end - sentence.start
    if measurement_cues().earlier.match(text, end):
        return True
    following = next((one for one in _numbers(text, mentions(text)) if one.start >= end), None)
    if following is None or bool(following.pressure) != bool(number.pressure):
        return False
    if any(pair.number == following for pair in pairs):
        return False
    unit, between = said_unit(text, following.end)[0], text[end : following.start]
    if unit and value.unit and contradict(meant(unit, value.unit), value.unit):
        return False
    return bool(measurement_cues().competes.fullmatch(between) or measurement_cues().succeeds.search(between))


# from the number to a value


def _values(task: Task, row: Row, measurement: Measurement, sentence: Segment, number: _Number) -> list[FilledValue]:
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


def _read(row: Row, sentence: Segment, number: _Number) -> tuple[Value, Span] | None:
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
    unit, number = chart_unit(row), value
    if unit and unit != measurement.unit and not (counts(unit) and counts(measurement.unit)):
        try:
            number = convert(value, unit, measurement.unit)
        except ValueError:
            return False
    return measurement.low <= number <= measurement.high and (not measurement.whole or number.is_integer())
