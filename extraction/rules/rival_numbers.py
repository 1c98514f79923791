"""Rule: lights a number beside another one that its row may as well be said to have, and that no value is read from.

"94 96 after the neb", "three, four hundred out of the drain": the models answer one number a row and sentence. The
other is named and stands among the alternatives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.filling.checked_values import checked_value
from extraction.filling.evidence import SaidIn
from extraction.filling.task import Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.number_names import measured_in
from extraction.flowsheet.ranges import RangeLevel, level
from extraction.flowsheet.schema import NUMBER_TYPES, Row
from extraction.flowsheet.validation import chart_unit, display
from extraction.flowsheet.values import Proposals, Value
from extraction.language.measuring.pairs import MeasuredNumber
from extraction.language.numbers import numbers
from extraction.language.quantities import number_ranges, said_unit
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.measurements import measurement_cues
from extraction.rules.changes import Change, flagged

_MOST_TIMES = 3  # a number that is measured again is hardly so many times as large, or as small
_UNLIKELY = 0.0  # no model weighed it


def rival_numbers(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Flags such numbers."""
    claimed = [task.read(one.evidence.start, one.evidence.end) for one in proposals.values]
    for value in proposals.values:
        row = task.schema.row(value.row_id)
        if row.value_type not in NUMBER_TYPES or any(one.code == "several_said" for one in value.findings):
            continue
        rival = _rival(task, row, SaidIn.of(task, value.evidence), claimed)
        if rival is not None and rival != value.value:
            text = display(row, rival)
            beside = ((text, _UNLIKELY), *(one for one in value.alternatives if one[0] != text))
            yield flagged(value, Finding("several_said", (text,)), value=replace(value, alternatives=beside))


def _rival(task: Task, row: Row, said: SaidIn, claimed: Sequence[Span]) -> Value | None:
    """The value that the number beside that of a value would be; None without such a number."""
    text, measured = said.sentence, measured_in(task.schema, said.sentence)
    own = next((one for one in measured.numbers if overlap((one.start, one.end), (said.start, said.end))), None)
    if own is None:
        return None
    bound = {pair.number for pair in measured.pairs if pair.measurement}
    place = measured.numbers.index(own)
    for other in (*measured.numbers[place + 1 : place + 2], *measured.numbers[max(place - 1, 0) : place]):
        span = said.shift + other.start, said.shift + other.end
        is_free = other not in bound and not any(overlap(span, one) for one in claimed)
        if is_free and _competes(text, row, own, other):
            found = checked_value(row, other.pressure or other.value, task.text, span)
            if found and level(row, found.value) < RangeLevel.IMPLAUSIBLE:
                return found.value
    return None


def _competes(text: str, row: Row, own: MeasuredNumber, other: MeasuredNumber) -> bool:
    """Whether of two numbers that follow each other either can be meant, with hardly a word between them."""
    first, second = sorted((own, other), key=lambda one: one.start)
    (unit, end), (other_unit, behind) = said_unit(text, first.end), said_unit(text, second.end)
    cues = measurement_cues()
    if not any(joint.fullmatch(text, end, second.start) for joint in (cues.list_joint, cues.repeat_joint)):
        return False
    if bool(first.pressure) != bool(second.pressure) or cues.of_something.match(text, behind):
        return False
    if unit and other_unit and unit != other_unit:
        return False
    if not own.pressure and first.value.is_integer() != second.value.is_integer():
        return False
    is_range = any(start <= first.start and second.end <= stop for start, stop in number_ranges(text, numbers(text)))
    low, high = sorted((first.value, second.value))
    return bool(own.pressure) or is_range or (chart_unit(row) is not None and 0 < high <= low * _MOST_TIMES)
