"""Which rows need no question, because what was measured says their value or takes their numbers."""

from __future__ import annotations

from collections.abc import Sequence

from extraction.filling.checked_values import checked_value
from extraction.filling.closed_answers import Choice
from extraction.filling.task import MeasuredValue, Task
from extraction.flowsheet.naming.row_measurements import measured_row_ids
from extraction.flowsheet.schema import SAID_TYPES, Row, ValueType
from extraction.flowsheet.validation import is_plausible
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap
from extraction.retrieval.candidates import Candidate


def is_settled(task: Task, candidate: Candidate, sentences: Sequence[Segment], choices: Sequence[Choice]) -> bool:
    """Whether a row need not be asked about the sentences that retrieved it; `choices` are its possible answers.

    Either its value was measured there, and neither another number that it could have nor a likelier row of the same
    number competes; where something does, the models are asked, too, and what they read otherwise is flagged. Or each
    number that it could have was measured for a likelier row: a number is about one thing.
    """
    row = task.schema.row(candidate.row_id)
    own = [one for one in task.measured if one.row.id == row.id and _is_in(sentences, _span(one))]
    if row.options:
        return bool(own) and row.value_type is not ValueType.MULTI_SELECT  # the models may read more options
    others = [one for one in choices if one.span is None or not _owners(task, one.span)]
    if own:
        competing = [one for one in others if one.span and _is_in(sentences, one.span)]
        return not any(_may_be(row, one, task.text) for one in competing) and not _has_likelier(task, candidate)
    if others or row.value_type not in SAID_TYPES:
        return False
    owners = {one.row.id for choice in choices if choice.span for one in _owners(task, choice.span)}
    prior = max((one.prior for one in task.reduced.candidates if one.row_id in owners), default=0.0)
    return row.id in measured_row_ids(task.schema) or candidate.prior < prior


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
    return [one for one in task.measured if overlap(span, _span(one))]


def _is_in(sentences: Sequence[Segment], span: Span) -> bool:
    return any(one.start <= span[0] < one.end for one in sentences)


def _span(one: MeasuredValue) -> Span:
    return one.value.evidence.start, one.value.evidence.end
