"""What the words of a sentence state as a value of a row, without a model."""

from __future__ import annotations

from extraction.filling.chart_units import OTHER_AMOUNT
from extraction.filling.checked_values import checked_value, unit_values
from extraction.filling.evidence import evidence_of, located
from extraction.filling.task import MeasuredValue, Task
from extraction.flowsheet.schema import Row
from extraction.flowsheet.values import FilledValue, Neighbour, Value
from extraction.language.analysis import analyse
from extraction.language.sentences import Segment
from extraction.language.spans import Span, overlap

STRATEGY = "measurement"


def stated_value(
    task: Task, row: Row, sentence: Segment, value: Value, span: Span, words: Span
) -> MeasuredValue | None:
    """A value that was said in `span` of the text; None if it is denied, not current, or no value of its row.

    `words` are the characters [start, end) of the sentence that name and say it.
    """
    analysed = analyse(task.text)
    if analysed.is_denied(span) or any(overlap(span, (one.start, one.end)) for one in analysed.scopes):
        return None
    said = checked_value(row, value, task.text, span)
    if said is None or any(one.code == OTHER_AMOUNT for one in said.findings):
        return None
    said_at = evidence_of(task, span, (sentence.start, sentence.end))
    stated = FilledValue(
        row_id=row.id,
        value=said.value,
        unit=said.unit,
        evidence=said_at,
        log_probability=0.0,
        not_mentioned=0.0,
        confidence=0.0,  # the precision of the rule that proposes it is set by `extraction.rules.changes`
        relevance=1.0,
        neighbour=Neighbour("words", row.name, sentence.index),
        strategy=STRATEGY,
        findings=said.findings,
    )
    charted, *units = (located(task, one, said_at) for one in (stated, *unit_values(task, {row.id: stated})))
    return MeasuredValue(row, charted, tuple(units), " ".join(sentence.text[slice(*words)].split()), span)
