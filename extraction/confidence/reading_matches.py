"""How likely the sentence of a reading states its row, and its value, by the statement matcher."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import replace

from extraction.estimators.statement_matcher import Matcher, Statement
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import is_yes_no
from extraction.retrieval.statements import Sentences


def matched_readings(task: Task, readings: Sequence[Reading], matcher: Matcher | None) -> list[Reading]:
    """The readings, each with the log-odds that its sentence states its row and its value.

    Without a matcher they are returned as they are.
    """
    if matcher is None:
        return list(readings)
    sentences = Sentences(task.segments)
    rows = [sentences.statement(one.segment.index, one.row.name) for one in readings]
    values = [_statement(sentences, one) for one in readings]
    found = matcher.log_odds([*rows, *values])
    return [
        replace(one, row_match=row, value_match=value)
        for one, row, value in zip(readings, found[: len(rows)], found[len(rows) :], strict=True)
    ]


def _statement(sentences: Sentences, reading: Reading) -> Statement:
    row, segment, value = reading.row, reading.segment, reading.value
    if row.options:
        option = value[0] if isinstance(value, tuple) else value
        return sentences.statement(segment.index, row.name, str(option))
    if is_yes_no(row):
        return sentences.statement(segment.index, row.name, "yes" if value else "no")
    said = None
    if reading.span and segment.start <= reading.span[0] < segment.end:
        said = (reading.span[0] - segment.start, reading.span[1] - segment.start)
    return sentences.statement(segment.index, row.name, said=said)


class Matches:
    """The matches of all readings, for comparison."""

    def __init__(self, readings: Sequence[Reading]) -> None:
        self._of_row: dict[Hashable, list[Reading]] = defaultdict(list)
        self._of_words: dict[Hashable, list[Reading]] = defaultdict(list)
        for reading in readings:
            self._of_row[_row(reading)].append(reading)
            self._of_words[_words(reading)].append(reading)

    def compared(self, reading: Reading) -> tuple[float, ...]:
        """Both matches; the value's against the row's other values; both against other rows' with the same words."""
        values = [one.value_match for one in self._of_row[_row(reading)] if one is not reading]
        rivals = [one for one in self._of_words[_words(reading)] if one.row.id != reading.row.id]
        return (
            reading.row_match,
            reading.value_match,
            reading.value_match - max(values, default=0.0),
            reading.row_match - max((one.row_match for one in rivals), default=0.0),
            reading.value_match - max((one.value_match for one in rivals), default=0.0),
        )


def _row(reading: Reading) -> Hashable:
    return reading.row.id, reading.segment.index


def _words(reading: Reading) -> Hashable:
    """What the rows that may be meant by the same words share: a number's place, or the sentence and the option."""
    if reading.span:
        return reading.span
    value = reading.value
    return reading.segment.index, *(value if isinstance(value, tuple) else (value,))
