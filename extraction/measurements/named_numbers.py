"""The numbers of a dictation that are said with their name, as values of the schema's rows.

Each pair of name and number (`extraction.language.measuring.measured_numbers`) belongs to the row that records it
(`extraction.flowsheet.naming.row_measurements`, or `number_names` for what a schema alone records), each size
(`extraction.language.measuring.sizes`) to the wound that it is said of. The number must be possible and current, and no
second one may compete for the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from extraction.filling.closed_answers import said_numbers
from extraction.filling.evidence import unit_said
from extraction.filling.task import MeasuredValue, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.number_names import measured_in
from extraction.flowsheet.naming.row_meaning import newborn_rows
from extraction.flowsheet.naming.row_measurements import measurement_rows, numbered_options
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.unit_conversion import convert, counts
from extraction.flowsheet.validation import chart_unit, display
from extraction.flowsheet.values import Value
from extraction.language.body_sites import place_in
from extraction.language.measuring.continued_numbers import with_continued
from extraction.language.measuring.further_numbers import replaces
from extraction.language.measuring.pairs import MeasuredNumber, MeasuredNumbers, MeasuredPair
from extraction.language.measuring.sizes import sizes, things_named
from extraction.language.numbers import numbers
from extraction.language.quantities import number_ranges, said_unit
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.measurements import Measurement, measurement_cues, measurements, pressure_parts
from extraction.measurements.further_readings import further_readings
from extraction.measurements.number_rows import row_of_thing, rows_for
from extraction.measurements.stated_values import stated_value
from extraction.preparation.several_readings import is_told

# What a size is charted of in a schema that has no rows for what was named.
_ANY_THING = "wound"


def named_numbers(task: Task) -> list[MeasuredValue]:
    """All of them without repetitions; several of one row and time name each other: one can be charted there.

    A select row takes the first: another size is that of another line. A further reading of a moment that has one is
    only named.
    """
    cells: dict[tuple[str, str | None], dict[Value, MeasuredValue]] = {}
    for one in sorted(_found(task), key=lambda one: one.further):
        cell = cells.setdefault((one.row.id, one.value.observed_at), {})
        if not (one.row.options and cell):
            cell.setdefault(one.value.value, one)
    return [
        _beside(one, values)
        for values in cells.values()
        for one in values.values()
        if not one.further or all(other.further for other in values.values())
    ]


def _beside(one: MeasuredValue, values: Mapping[Value, MeasuredValue]) -> MeasuredValue:
    others = {display(one.row, value): other for value, other in values.items() if value != one.value.value}
    findings = (*one.value.findings, *(Finding("several_said", (text,)) for text in others))
    only_named = tuple((text, 0.0) for text, other in others.items() if other.further and not one.further)
    return replace(one, value=replace(one.value, findings=findings, alternatives=only_named))


def _found(task: Task) -> Iterator[MeasuredValue]:
    """Every plain pair of name and number whose measurement the schema charts, with the numbers that compete for it or
    continue it in the next sentence, and every size, in order of the text.
    """
    rows = measurement_rows(task.schema)
    last: list[Segment] = []
    sized: set[str] = set()
    closed: set[tuple[str, ...]] = set()  # a second size is that of another wound
    before: MeasuredPair | None = None
    for sentence in _of_patient(task):
        measured = measured_in(task.schema, sentence.text)
        if before:
            measured = with_continued(sentence.text, measured, before)
        before = measured.pairs[-1] if measured.pairs else None
        for pair in measured.pairs:
            if pair.measurement is None:
                continue
            for measurement, number in _parts(pair, rows):
                meant_by = [number] if _has_time(task, sentence, number) else None
                for meant in meant_by or _current(sentence, measurement, number, measured):
                    yield from _of_number(task, sentence, pair, measurement, meant)
        for pair, further in further_readings(task, sentence, measured):
            for measurement, number in _parts(replace(pair, number=further), rows):
                yield from map(_doubted, _of_number(task, sentence, pair, measurement, number))
        for one in _sizes(task, sentence, last):
            if one.row.id in sized:
                closed.add(one.row.category)
            elif one.row.category not in closed:
                sized.add(one.row.id)
                yield one
        last = [*last[-1:], sentence]


def _has_time(task: Task, sentence: Segment, number: MeasuredNumber) -> bool:
    """Whether a number is one of several readings that were taken at times of their own."""
    start, _ = task.heard(sentence.start + number.start, sentence.start + number.end)
    return any((one.at or one.since) and is_told(start, one) for one in task.moments)


def _of_number(
    task: Task, sentence: Segment, pair: MeasuredPair, measurement: Measurement, number: MeasuredNumber
) -> Iterator[MeasuredValue]:
    """The values of the rows that record a number of a pair, or one behind it."""
    words = pair.start, max(pair.end, number.end)
    for row in rows_for(task, sentence, measurement, number, sentence.text[slice(*words)]):
        yield from _values(task, row, measurement, sentence, _read(row, sentence, number), words)


def _doubted(one: MeasuredValue) -> MeasuredValue:
    doubt = Finding("may_not_belong", (one.value.evidence.text,))
    return replace(one, value=replace(one.value, findings=(*one.value.findings, doubt)), further=True)


def _sizes(task: Task, sentence: Segment, last: Sequence[Segment]) -> Iterator[MeasuredValue]:
    """The sizes in a sentence, of what it names, or what one of the last sentences named if it tells no other place."""
    goes_on = last if last and not place_in(sentence.text, written=True) else ()
    before = [thing.value for one in goes_on for thing in things_named(one.text)]
    for size in sizes(sentence.text, before[-1] if before else ""):
        read = (size.value, (sentence.start + size.start, sentence.start + size.end))
        for thing in dict.fromkeys((size.thing, _ANY_THING)):
            measurement = measurements()[f"{thing}_{size.part}"]
            if row := row_of_thing(task, (*goes_on, sentence), measurement):
                yield from _values(task, row, measurement, sentence, read, (size.start, size.end))
                break


def _of_patient(task: Task) -> Iterator[Segment]:
    """The sentences whose numbers are the patient's, not a newborn's with rows of its own in the same schema.

    A sentence that names the child turns to it, one with a word for the mother back to her; one with both is unclear,
    and so is the beginning of a text that names the child.
    """
    if not newborn_rows(task.schema):
        yield from task.segments
        return
    is_mothers = measurement_cues().child.search(task.text) is None
    for sentence in task.segments:
        child, mother = (cue.search(sentence.text) for cue in (measurement_cues().child, measurement_cues().mother))
        if child or mother:
            is_mothers = mother is not None
        if is_mothers and not child:
            yield sentence


def _parts(pair: MeasuredPair, rows: Mapping[str, Row]) -> Iterator[tuple[Measurement, MeasuredNumber]]:
    """The pair itself, or the two numbers of a pressure that the schema charts in rows of their own."""
    assert pair.measurement is not None
    number, parts = pair.number, pressure_parts(pair.measurement)
    if not number.pressure or pair.measurement.id in rows or parts is None:
        yield pair.measurement, number
        return
    for part, digits in zip(parts, number.pressure.split("/"), strict=True):
        yield part, replace(number, pressure=digits)


def _current(
    sentence: Segment, measurement: Measurement, number: MeasuredNumber, measured: MeasuredNumbers
) -> Iterator[MeasuredNumber]:
    """A number and those after it that may be of the same measurement; nothing if it is an earlier value or replaced.

    The next number may be meant if it has no name and follows after a mere joint: "86 101 after walking". Of a range
    neither end is meant.
    """
    text = sentence.text
    unit_of_number, end = said_unit(text, number.end)
    in_circumstance = measurement.in_circumstances and measurement_cues().circumstance.match(text, end)
    if measurement_cues().earlier.match(text, end) and not in_circumstance:
        return
    following = next((one for one in measured.numbers if one.start >= end), None)
    if following is None or bool(following.pressure) != bool(number.pressure):
        yield number
        return
    bound = [pair.measurement for pair in measured.pairs if pair.number == following]
    if bound:
        is_kept = measurement.adds_up or measurement_cues().at_time.match(text, end)
        if measurement not in bound or is_kept or not replaces(text, number, following):
            yield number
        return
    unit, between = said_unit(text, following.end)[0], text[end : following.start]
    competes = measurement_cues().competes.fullmatch(between) or measurement_cues().succeeds.search(between)
    is_of_it = following.pressure or measurement.in_any_unit(following.value)
    is_in_unit = not unit or unit in (unit_of_number, measurement.unit, *measurement.also_in)
    is_other_side = measurement.sided and following.value == number.value
    if not (competes and is_of_it and is_in_unit) or is_other_side:
        yield number
    elif not measurement.sided:
        ranges = number_ranges(text, numbers(text))
        both = (number, *_current(sentence, measurement, following, measured))
        yield from (one for one in both if not any(overlap((one.start, one.end), span) for span in ranges))


# from the number to a value


def _values(
    task: Task, row: Row, measurement: Measurement, sentence: Segment, read: tuple[Value, Span] | None, words: Span
) -> Iterator[MeasuredValue]:
    """What was read, as a value of the row, with its unit rows; nothing if it cannot be, or is not stated as current.

    `words` are the characters [start, end) of the sentence that name and say it.
    """
    if read is None or (measurement.needs_unit and not unit_said(task.text, read[1])):
        return
    one = stated_value(task, row, sentence, *read, words)
    if one and _is_possible(measurement, row, one.value.value):
        yield one


def _read(row: Row, sentence: Segment, number: MeasuredNumber) -> tuple[Value, Span] | None:
    """The number in the form of the row, and where it was said."""
    span = (sentence.start + number.start, sentence.start + number.end)
    if row.options:
        option = numbered_options(row).get(number.value)
        return (option, span) if option else None
    if row.value_type is ValueType.BLOOD_PRESSURE:
        return (number.pressure, span) if number.pressure else None
    if number.pressure:
        return float(number.pressure), span
    found = (one for one in said_numbers(row, (sentence,)) if one.span and overlap(one.span, span))
    return next(((one.value, one.span) for one in found if one.span), None)


def _is_possible(measurement: Measurement, row: Row, value: Value) -> bool:
    if row.options:
        return True
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
