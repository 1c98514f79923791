"""Which row of a schema records which bedside measurement (`extraction.language.vocabulary.measurements`).

A row is linked by its LOINC code, or else by its name or a synonym. A measurement that several rows record equally well
is linked to none of them. Rows of a line, drain or wound or of one side are linked together, without their number or
side: the sentence must say which one it means.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_names import Key, key_of, key_of_text, unbracketed, words_of
from extraction.flowsheet.schema import NUMBER_TYPES, Laterality, Row, Schema, ValueType, of_schema
from extraction.flowsheet.unit_conversion import contradict
from extraction.flowsheet.validation import chart_unit
from extraction.language.body_sites import written_sides
from extraction.language.vocabulary.measurements import Measurement, measurements

# "2+ Normal", "20 gauge", "3/5", "4 - Confused"
_NUMBERED = re.compile(r"(\d+(?:\.\d)?)(?![\d:])")
_LEAST_GRADES = 3
_POINTS = "{score}"
_BY_CODE, _BY_ROW_NAME, _BY_SPOKEN_NAME, _BY_SYNONYM = 4, 3, 2, 1


@of_schema
def measurement_rows(schema: Schema) -> Mapping[str, Row]:
    """The row that records each measurement, by the measurement's id."""
    rows = _undivided(schema)
    found: dict[str, Row] = {}
    for one in measurements().values():
        best = _usual(one, _best(one, rows))
        if len(best) == 1:
            found[one.id] = best[0]
    return found


@of_schema
def rows_by_name(schema: Schema) -> Mapping[str, Mapping[Key, Row]]:
    """By measurement id, the rows that record it under several names, by name ("Heart rate", "Pulse")."""
    rows = _undivided(schema)
    found: dict[str, Mapping[Key, Row]] = {}
    for one in measurement_rows(schema):
        linked = [row for weight, row in _links(measurements()[one], rows) if weight >= _BY_SPOKEN_NAME]
        if len(linked) > 1:
            found[one] = {name: row for row in linked for name in _keys(row)}
    return found


def _undivided(schema: Schema) -> list[tuple[Row, frozenset[Key]]]:
    """The rows with numbers that belong to no side, line, drain or wound, with their names."""
    known = meaning_of(schema)
    return [
        (row, _keys(row))
        for row in schema.rows
        if _has_number(row) and known.of(row.id).instance is None and known.of(row.id).laterality is None
    ]


def _usual(measurement: Measurement, rows: Sequence[Row]) -> Sequence[Row]:
    """Of rows under several names of a measurement ("Heart rate", "Pulse"), those under its most usual name."""
    if len(rows) < 2:
        return rows
    for name in map(key_of_text, measurement.rows):
        if named := [row for row in rows if name in _keys(row)]:
            return named
    return rows


@dataclass(frozen=True, slots=True)
class DividedRows:
    """The rows of a measurement that is recorded for each side, or for each line, drain or wound of a family."""

    by_side: Mapping[Laterality, Row]
    family: str = ""
    by_number: Mapping[int, Row] = field(default_factory=dict)


@of_schema
def divided_rows(schema: Schema) -> Mapping[str, DividedRows]:
    """The rows of each measurement that is recorded more than once, by the measurement's id."""
    known = meaning_of(schema)
    keyed: dict[str, list[tuple[Row, frozenset[Key]]]] = defaultdict(list)
    for row in schema.rows:
        meaning = known.of(row.id)
        if not _has_number(row):
            continue
        if meaning.instance and not meaning.laterality:
            records = key_of(unbracketed(words_of(meaning.records)))
            keyed[meaning.instance.group].append((row, frozenset({key_of_text(meaning.instance.group) + records})))
        elif meaning.laterality and not meaning.instance:
            keyed[""].append((row, frozenset(map(_without_side, (row.name, _bare(row.name))))))
    found: dict[str, DividedRows] = {}
    for one in measurements().values():
        for family, rows in keyed.items():
            best = _best(one, rows)
            numbers = {of.number: row for row in best if (of := known.of(row.id).instance)}
            sides = {side: row for row in best if (side := known.of(row.id).laterality)}
            if numbers:
                found.setdefault(one.id, DividedRows({}, family, numbers))
            elif len(sides) == len(best) == len(Laterality):
                found.setdefault(one.id, DividedRows(sides))
    return found


@of_schema
def measured_row_ids(schema: Schema) -> frozenset[str]:
    """Ids of the rows that record bedside measurements."""
    divided = (row for one in divided_rows(schema).values() for row in (*one.by_side.values(), *one.by_number.values()))
    return frozenset(row.id for row in (*measurement_rows(schema).values(), *divided))


def numbered_options(row: Row) -> Mapping[float, str]:
    """The options of a single select by the number that each begins with; empty unless several do, all different."""
    found = [(float(match[1]), one.name) for one in row.options if (match := _NUMBERED.match(one.name))]
    by_number = dict(found)
    is_graded = row.value_type is ValueType.SINGLE_SELECT and len(found) >= _LEAST_GRADES
    return by_number if is_graded and len(by_number) == len(found) else {}


def _may_have_options(measurement: Measurement, row: Row) -> bool:
    """Whether a select may record a measurement: a grade or size always, a score where its points are the options."""
    return measurement.is_graded == bool(row.options) or (measurement.unit == _POINTS and bool(numbered_options(row)))


def _has_number(row: Row) -> bool:
    return row.unit_of is None and (row.value_type in NUMBER_TYPES or bool(numbered_options(row)))


def _best(measurement: Measurement, rows: Iterable[tuple[Row, frozenset[Key]]]) -> list[Row]:
    """The rows that record a measurement best."""
    linked = sorted(_links(measurement, rows), key=lambda link: -link[0])
    return [row for weight, row in linked if weight == linked[0][0]]


def _keys(row: Row) -> frozenset[Key]:
    return frozenset({key_of_text(row.name), key_of_text(_bare(row.name))})


def _bare(name: str) -> str:
    """A name without what stands in brackets."""
    return " ".join(word.text for word in unbracketed(words_of(name)))


def _without_side(name: str) -> Key:
    for one in reversed(written_sides(name)):
        name = name[: one.start] + name[one.end :]
    return key_of_text(name)


@of_schema
def measurements_of_rows(schema: Schema) -> Mapping[str, frozenset[str]]:
    """The ids of the measurements that each row records, by the row's id."""
    found: dict[str, frozenset[str]] = {}
    for measurement, row in measurement_rows(schema).items():
        found[row.id] = found.get(row.id, frozenset()) | {measurement}
    return found


def _links(measurement: Measurement, rows: Iterable[tuple[Row, frozenset[Key]]]) -> Iterator[tuple[int, Row]]:
    """The rows that may record a measurement, each with how much its link weighs."""
    names, spoken = (frozenset(map(key_of_text, one)) for one in (measurement.rows, measurement.said))
    for row, own in rows:
        unit = chart_unit(row)
        is_pressure = row.value_type is ValueType.BLOOD_PRESSURE
        if is_pressure != (measurement.kind == "pressure") or not _may_have_options(measurement, row):
            continue
        if unit and contradict(measurement.unit, unit):
            continue
        if row.loinc and row.loinc in measurement.loinc:
            yield _BY_CODE, row
        elif names & own:
            yield _BY_ROW_NAME, row
        elif spoken & own:
            yield _BY_SPOKEN_NAME, row
        elif (names | spoken) & set(map(key_of_text, row.synonyms)):
            yield _BY_SYNONYM, row
