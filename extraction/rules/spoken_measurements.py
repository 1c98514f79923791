"""Charts what was measured (`extraction.measurements`), whatever the models read.

- The models proposed the same value: nothing changes.
- They read another one of the same moment: the bound one replaces it, lit.
- They held it back, or never asked for the row: it is added.
- Several numbers were said of one row and moment: all are proposed, each with the others as notes.
- They proposed the same number for the row of another measurement, or less surely for any other row: that proposal is
  held back. One number, one row.
- They proposed for a row of output what was said of an intake, or the other way round: that is held back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from extraction.filling.evidence import SaidIn
from extraction.filling.task import MeasuredValue, Task
from extraction.flowsheet.findings import Finding
from extraction.flowsheet.naming.row_meaning import fluid_of
from extraction.flowsheet.naming.row_measurements import measured_row_ids
from extraction.flowsheet.schema import SAID_TYPES, Fluid
from extraction.flowsheet.validation import display
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.spans import Span, overlap
from extraction.language.vocabulary.measurements import measurement_cues
from extraction.language.vocabulary.words import stems
from extraction.rules.changes import Change, added, flagged, hold_back, replaced

# What the models read of a number that was measured for another row is proposed from this confidence on. Of 2,398
# numbers that annotated cases confirm in their row, 29 belong into a second one, too, and 139 may stand there.
_AS_SURE = 0.9


def spoken_measurements(task: Task, proposals: Proposals) -> Iterator[Change]:
    """The changes of the rule."""
    bound = task.measured
    rows = {value.row_id for value in proposals.values}
    changed: set[int] = set()
    for one in bound:
        in_cell = [value for value in proposals.values if _same_cell(one, value)]
        if equal := [value for value in in_cell if value.value == one.value.value]:
            if id(equal[0]) not in changed and (several := _others_said(one.value, equal[0])):
                changed.add(id(equal[0]))
                left = (other for other in one.value.alternatives if other not in equal[0].alternatives)
                beside = (*left, *equal[0].alternatives)
                yield flagged(equal[0], *several, value=replace(equal[0], alternatives=beside))
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
    measured = measured_row_ids(task.schema)
    for value in proposals.values:
        is_less_sure = value.row_id in measured or (value.confidence < _AS_SURE and _is_said(task, value))
        if is_less_sure and id(value) not in changed and (owner := _owner(value, bound)):
            yield hold_back(value, Finding("number_of_row", (value.evidence.text, owner.row.name)))
        elif id(value) not in changed and not _is_bound(value, bound):
            yield from _of_other_direction(task, value)


def _of_other_direction(task: Task, value: FilledValue) -> Iterator[Change]:
    """Holds back a volume if the last words about fluids before it say the opposite of its row."""
    row, cues = task.schema.row(value.row_id), measurement_cues()
    direction = fluid_of(row)
    if direction is None:
        return
    where = SaidIn.of(task, value.evidence)
    before = where.sentence[: where.start]
    said = [
        (match.end(), other, match.group())
        for other, pattern in ((Fluid.INTAKE, cues.intake), (Fluid.OUTPUT, cues.output))
        for match in pattern.finditer(before)
    ]
    end, other, words = max(said, default=(0, direction, ""))
    own = stems(" ".join(row.names)) - stems(" ".join(Fluid))
    if other is not direction and not own & stems(before[end:]):
        yield hold_back(value, Finding("other_direction", (words, other)))


def _others_said(said: FilledValue, read: FilledValue) -> list[Finding]:
    """The findings that name other readings of the row, and that the value the models read has not got."""
    return [one for one in said.findings if one.code == "several_said" and one.text not in read.flags]


def _same_cell(one: MeasuredValue, value: FilledValue) -> bool:
    """Whether a value is of the same row and time as the bound one."""
    return value.row_id == one.row.id and value.observed_at == one.value.observed_at


def _is_bound(value: FilledValue, bound: Sequence[MeasuredValue]) -> bool:
    """Whether a proposal is one of the values that were said of its row and time."""
    return any(_same_cell(one, value) and one.value.value == value.value for one in bound)


def _is_said(task: Task, value: FilledValue) -> bool:
    return task.schema.row(value.row_id).value_type in SAID_TYPES


def _owner(value: FilledValue, bound: Sequence[MeasuredValue]) -> MeasuredValue | None:
    """The measurement of another row that owns the number of a proposal."""
    same = [one for one in bound if overlap(_span(value), _span(one.value))]
    return same[0] if same and all(one.row.id != value.row_id for one in same) else None


def _span(value: FilledValue) -> Span:
    return value.evidence.start, value.evidence.end
