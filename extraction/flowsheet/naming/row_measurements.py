"""Which row of a schema records which bedside measurement (`extraction.language.vocabulary.measurements`).

A row is linked by its LOINC code, or else by its name or a synonym. A measurement that several rows record equally well
is linked to none of them, and rows of a line, drain or wound or of one side are left out: their sentence must say which
one it means.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from extraction.flowsheet.naming.row_meaning import meaning_of
from extraction.flowsheet.naming.row_names import key_of, key_of_text, unbracketed, words_of
from extraction.flowsheet.schema import NUMBER_TYPES, Row, Schema, ValueType, of_schema
from extraction.flowsheet.unit_conversion import contradict
from extraction.flowsheet.validation import chart_unit
from extraction.language.vocabulary.measurements import Measurement, measurements

_BY_CODE, _BY_ROW_NAME, _BY_SPOKEN_NAME, _BY_SYNONYM = 4, 3, 2, 1


@of_schema
def measurement_rows(schema: Schema) -> Mapping[str, Row]:
    """The row that records each measurement, by the measurement's id."""
    known = meaning_of(schema)
    rows = [
        row
        for row in schema.rows
        if row.value_type in NUMBER_TYPES
        and row.unit_of is None
        and known.of(row.id).instance is None
        and known.of(row.id).laterality is None
    ]
    found: dict[str, Row] = {}
    for one in measurements().values():
        linked = sorted(_links(one, rows), key=lambda link: -link[0])
        best = [row for weight, row in linked if weight == linked[0][0]]
        if len(best) == 1:
            found[one.id] = best[0]
    return found


@of_schema
def measurements_of_rows(schema: Schema) -> Mapping[str, frozenset[str]]:
    """The ids of the measurements that each row records, by the row's id."""
    found: dict[str, frozenset[str]] = {}
    for measurement, row in measurement_rows(schema).items():
        found[row.id] = found.get(row.id, frozenset()) | {measurement}
    return found


def _links(measurement: Measurement, rows: list[Row]) -> Iterator[tuple[int, Row]]:
    names, spoken = (frozenset(map(key_of_text, one)) for one in (measurement.rows, measurement.said))
    for row in rows:
        unit = chart_unit(row)
        is_pressure = row.value_type is ValueType.BLOOD_PRESSURE
        if is_pressure != (measurement.kind == "pressure") or (unit and contradict(measurement.unit, unit)):
            continue
        if row.loinc and row.loinc in measurement.loinc:
            yield _BY_CODE, row
        elif names & (own := {key_of_text(row.name), key_of(unbracketed(words_of(row.name)))}):
            yield _BY_ROW_NAME, row
        elif spoken & own:
            yield _BY_SPOKEN_NAME, row
        elif (names | spoken) & set(map(key_of_text, row.synonyms)):
            yield _BY_SYNONYM, row
