"""Which rows need no question, because what was measured says their value or takes their numbers."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from extraction.filling.checked_values import checked_value
from extraction.filling.closed_answers import Choice
from extraction.filling.task import MeasuredValue, Task
from extraction.flowsheet.naming.row_measurements import measured_row_ids
from extraction.flowsheet.schema import SAID_TYPES, Row, ValueType
from extraction.flowsheet.validation import is_plausible
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.preparation.observation_times import moment_of
from extraction.retrieval.candidates import Candidate


def is_settled(task: Task, candidate: Candidate, choices: Sequence[Choice]) -> bool:
    """Whether a row need not be asked; `choices` are its possible answers.

    Either its value at that time was measured, and neither a likelier row of the same number competes, nor another
    number that it could have, in that sentence or in one that names the row; where something does, the models are
    asked, too, and what they read otherwise is flagged. Or each number that it could have was measured for a likelier
    row: a number is about one thing.
    """
    row = task.schema.row(candidate.row_id)
    own = _measured(task, candidate)
    if row.options:
        return bool(own) and row.value_type is not ValueType.MULTI_SELECT  # the models may read more options
    others = [one for one in choices if one.span is None or not _owners(task, one.span)]
    if own:
        named = {hit.segment for hit in candidate.hits if hit.names_row}
        places = [one for one in task.segments if one.index in named or any(_holds(one, span) for span in own)]
        competing = [one for one in others if one.span and any(_holds(place, one.span) for place in places)]
        return not any(_may_be(row, one, task.text) for one in competing) and not _has_likelier(task, candidate)
    if others or row.value_type not in SAID_TYPES:
        return False
    owners = {one.row.id for choice in choices if choice.span for one in _owners(task, choice.span)}
    prior = max((one.prior for one in task.reduced.candidates if one.row_id in owners), default=0.0)
    return row.id in measured_row_ids(task.schema) or candidate.prior < prior


def _measured(task: Task, candidate: Candidate) -> list[Span]:
    """Where the row's value was measured, in the sentences that retrieved the row or at the same time as the best."""
    found = {hit.segment for hit in candidate.hits}
    sentences = [one for one in task.segments if one.index in found]
    best = next(one for one in sentences if one.index == candidate.segment)
    at = _at(task, best.start)
    spans = (one.span for one in task.measured if one.row.id == candidate.row_id)
    return [span for span in spans if any(_holds(one, span) for one in sentences) or _at(task, span[0]) == at]


def _at(task: Task, start: int) -> dt.datetime | None:
    moment = moment_of(task.heard(start, start + 1)[0], task.moments) if task.moments else None
    return moment.at if moment else None


def _holds(sentence: Segment, span: Span) -> bool:
    return sentence.start <= span[0] < sentence.end


def _has_likelier(task: Task, candidate: Candidate) -> bool:
    """Whether a likelier row that records no measurement may have been meant by the same sentence."""
    places = {hit.segment for hit in candidate.hits}
    return any(
        one.prior > candidate.prior
        and one.segment in places
        and one.row_id not in measured_row_ids(task.schema)
        and task.schema.row(one.row_id).value_type in SAID_TYPES
        for one in task.reduced.candidates
    )


def _may_be(row: Row, choice: Choice, text: str) -> bool:
    """Whether a number can be the value of a row."""
    said = checked_value(row, choice.value, text, choice.span)
    return said is not None and (not isinstance(said.value, float) or is_plausible(row, said.value) is not False)


def _owners(task: Task, span: Span) -> list[MeasuredValue]:
    """What was measured in these characters."""
    return [one for one in task.measured if overlap(span, one.span)]
