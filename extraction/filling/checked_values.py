"""What was said as a value that its row can hold: in the chart's unit, possible, and with what has to be doubted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from extraction.filling.chart_units import in_chart_unit, unit_option
from extraction.filling.evidence import is_on_other_scale, unit_said
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.ranges import is_impossible
from extraction.flowsheet.schema import Row, ValueType
from extraction.flowsheet.validation import is_plausible, normalise
from extraction.flowsheet.values import FilledValue, Neighbour, Value
from extraction.language.numbers import numbers, pressures
from extraction.language.quantities import number_ranges, out_of
from extraction.language.spans import Span
from extraction.language.vocabulary.measurements import mentions, pressure_parts
from models.base.errors import InputError

_NUMBERS = (ValueType.NUMERIC, ValueType.QUANTITY)


@dataclass(frozen=True, slots=True)
class CheckedValue:
    """A value of a row, its unit (see `FilledValue`), and the doubts about it."""

    value: Value
    unit: str | None
    findings: tuple[Finding, ...]


def checked_value(row: Row, value: Value, text: str, span: Span | None) -> CheckedValue | None:
    """A value that was said in characters `span` of the text; None if it is invalid, impossible or on another scale."""
    if out_of(text, numbers(text)) and is_on_other_scale(row, text, span):
        return None
    value, doubts = in_chart_unit(row, value, text, span)
    try:
        value, unit, found = normalise(row, value)
    except InputError:
        return None
    if (found or (isinstance(value, float) and not is_plausible(row, value))) and is_impossible(row, value):
        return None
    return CheckedValue(value, unit, (*doubts, *_said_as_several(row, text, span), *found))


def _said_as_several(row: Row, text: str, span: Span | None) -> Iterator[Finding]:
    """That a number was said as an end of a range, or as half of the pressure that its row is named after.

    The row can take one number.
    """
    if span is None or row.value_type not in _NUMBERS:
        return
    whole = list(number_ranges(text, numbers(text)))
    if (said := pressures(text)) and _names_whole_pressure(row):
        whole += [(one.start, one.end) for one in said]
    for start, end in whole:
        if start <= span[0] < end:
            yield Finding("said_as_range", (text[start:end],))


def _names_whole_pressure(row: Row) -> bool:
    """Whether the names of a row say a pressure, and none says which half of it."""
    named = {one.measurement.id: one.measurement for name in row.names for one in mentions(name) if one.measurement}
    whole = [one for one in named.values() if one.kind == "pressure"]
    halves = {half.id for one in whole for half in pressure_parts(one) or ()}
    return bool(whole) and named.keys().isdisjoint(halves)


def unit_values(task: Task, best: Mapping[str, FilledValue]) -> list[FilledValue]:
    """The unit row of every number read: the unit that was said, or else the row's first option."""
    added = []
    for row in task.schema.rows:
        number = best.get(row.unit_of) if row.unit_of else None
        if number is None or row.id in best:
            continue
        said = unit_said(task.text, task.read(number.evidence.start, number.evidence.end))
        option, doubts = unit_option(row, said, number.value)
        added.append(
            replace(
                number,
                row_id=row.id,
                value=option,
                unit=None,
                neighbour=Neighbour("unit", task.schema.row(number.row_id).name, number.neighbour.segment),
                findings=doubts,
                alternatives=(),
                features="",
            )
        )
    return added
