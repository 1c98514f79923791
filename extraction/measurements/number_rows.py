"""The row that a measured number of a sentence belongs to, among those of both sides or of several wounds."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.filling.task import Task
from extraction.flowsheet.naming.number_names import number_names
from extraction.flowsheet.naming.row_measurements import (
    DividedRows,
    divided_rows,
    measurement_rows,
    rows_by_name,
)
from extraction.flowsheet.naming.row_names import key_of_text
from extraction.flowsheet.schema import Laterality, Row, Schema
from extraction.language.body_sites import place_in, written_sides
from extraction.language.clauses import clause_of
from extraction.language.measuring.pairs import MeasuredNumber
from extraction.language.sentences import Segment
from extraction.language.vocabulary.measurements import Measurement, measurement_cues, mentions


def rows_for(
    task: Task, sentence: Segment, measurement: Measurement, number: MeasuredNumber, words: str
) -> Sequence[Row]:
    """The rows that a number belongs to: the only one, those of the sides meant, or the line or wound meant.

    `words` are the name and the number: of rows under several names, the one that is said is meant.
    """
    if row := _only_row(task.schema, measurement):
        return [_named(task.schema, measurement, words) or row]
    divided = divided_rows(task.schema).get(measurement.id)
    if divided is None:
        return []
    if divided.by_side:
        sides = _sides(sentence.text, measurement, number)
        return [row for side, row in divided.by_side.items() if side in sides]
    row = _assigned(task, sentence, divided)
    return [row] if row else []


def row_of_thing(task: Task, sentences: Sequence[Segment], measurement: Measurement) -> Row | None:
    """The row of the thing that the last sentence is about, else one of those before it, else of the only thing."""
    if row := _only_row(task.schema, measurement):
        return row
    divided = divided_rows(task.schema).get(measurement.id)
    if divided is None or not divided.by_number:
        return None
    assigned = (_assigned(task, one, divided) for one in reversed(sentences))
    return next(filter(None, assigned), None) or _only_thing(task, sentences[-1], divided)


def _named(schema: Schema, measurement: Measurement, words: str) -> Row | None:
    """The row of a measurement with several rows whose name is said in the words, the longest such name."""
    said = f" {' '.join(key_of_text(words))} "
    named = rows_by_name(schema).get(measurement.id, {})
    return next((named[key] for key in sorted(named, key=len, reverse=True) if f" {' '.join(key)} " in said), None)


def _only_row(schema: Schema, measurement: Measurement) -> Row | None:
    return measurement_rows(schema).get(measurement.id) or number_names(schema).rows.get(measurement.id)


def _assigned(task: Task, sentence: Segment, divided: DividedRows) -> Row | None:
    one = task.plan.assigned.get((sentence.index, divided.family))
    return None if one is None or one.number is None else divided.by_number.get(one.number)


def _only_thing(task: Task, sentence: Segment, divided: DividedRows) -> Row | None:
    """The row of the only thing that a dictation speaks of, for a sentence that is assigned to none."""
    if (sentence.index, divided.family) in task.plan.assigned:
        return None
    numbers = {one.number for (_, family), one in task.plan.assigned.items() if family == divided.family}
    if not numbers:
        return divided.by_number[min(divided.by_number)]
    (number, *others) = numbers
    is_it = not others and number is not None and not place_in(sentence.text, written=True)
    return divided.by_number.get(number) if is_it and number is not None else None


def _sides(text: str, measurement: Measurement, number: MeasuredNumber) -> frozenset[Laterality]:
    """The sides that a number is said of: the last one before it in its clause, or the one behind it.

    Without any it is said of both, unless a single one is named ("the pedal pulse is 2+").
    """
    said = written_sides(text)
    if not said:
        named = [text[one.start : one.end] for one in mentions(text) if one.measurement is measurement]
        is_of_both = not named or any(name.lower().endswith("s") for name in named)
        return frozenset(Laterality if is_of_both or measurement_cues().both_sides.search(text) else ())
    start, end = clause_of(text, number.start)
    before = [one for one in said if start <= one.start and one.end <= number.start]
    behind = [one for one in said if number.end <= one.start < end]
    found = {Laterality(one.side) for one in (before[-1:] or behind)}
    return frozenset(found) if len(found) == 1 else frozenset()
