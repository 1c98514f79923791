"""Rule: proposes a held-back time after all if its own clause names its row ("he voided at 0630": *Voiding time*).

The time of observation of a value is set with its evidence, see `extraction.filling.evidence.located`.
"""

from __future__ import annotations

from collections.abc import Iterator

from extraction.filling.task import Task
from extraction.flowsheet.values import FilledValue, Proposals
from extraction.language.spans import overlap
from extraction.preparation.observation_times import named_time
from extraction.rules.changes import Change, promoted


def observation_times(task: Task, proposals: Proposals) -> Iterator[Change]:
    """Promotes such times of rows that have no value."""
    taken = {one.row_id for one in proposals.values}
    for value in proposals.held_back:
        if value.row_id not in taken and _names_its_row(task, value):
            taken.add(value.row_id)
            yield promoted(value)


def _names_its_row(task: Task, value: FilledValue) -> bool:
    """Whether a time was said in the clause that names its row, and is not planned."""
    place = value.evidence.start, value.evidence.end
    said = next((one for one in task.moments if overlap((one.start, one.end), place)), None)
    if said is None or said.planned:
        return False
    start, end = task.read(*said.sentence)
    named = named_time(task.schema.row(value.row_id), task.text[start:end])
    return named is not None and overlap((start + named[0], start + named[1]), task.read(said.start, said.end))
