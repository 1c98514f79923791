"""Binds what was measured in a dictation to the rows of its schema."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from extraction.filling.task import MeasuredValue, Task
from extraction.language.numbers import numbers
from extraction.language.quantities import amounts
from extraction.language.spans import overlap
from extraction.measurements.line_values import line_values
from extraction.measurements.named_numbers import named_numbers


def with_measured(task: Task) -> Task:
    """The task with what was measured: lines, and the numbers that are none of theirs.

    Without any number or amount nothing was: a line that is told by its place alone is left to the models.
    """
    if not (numbers(task.text) or amounts(task.text, ())):
        return task
    lines = line_values(task) if task.plan.described else []
    others = (one for one in named_numbers(task) if not _is_of_line(one, lines))
    return replace(task, measured=(*lines, *others))


def _is_of_line(one: MeasuredValue, lines: Sequence[MeasuredValue]) -> bool:
    """Whether a number is the size of a line that is told by its place, or of its row."""
    return any(one.row.id == line.row.id or overlap(one.span, line.span) for line in lines)
