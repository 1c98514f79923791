"""Where a value was said, and when it was observed.

Readings point into the text that the models read; evidence points into the transcript from the start. `SaidIn` is the
way back, for rules that look at the sentence as it was read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import NUMBER_TYPES, Row, ValueType
from extraction.flowsheet.values import Evidence, FilledValue
from extraction.language.analysis import analyse
from extraction.language.numbers import numbers
from extraction.language.quantities import amounts, out_of, said_unit, with_per
from extraction.language.sentences import Segment
from extraction.language.sentences import segment as sentences
from extraction.language.spans import Span
from extraction.language.vocabulary.words import stem
from extraction.preparation.observation_times import TIME_RULE, stated_time


def evidence(task: Task, reading: Reading) -> Evidence:
    """The words that say the value in their sentence, or else the sentence shown to the filler."""
    segment = reading.segment
    start, end = literal_span(reading) or (segment.start, segment.end)
    if not segment.start <= start < segment.end:  # a number may be in a neighbouring sentence
        segment = next((one for one in sentences(task.text) if one.start <= start < one.end), segment)
    return evidence_of(task, (start, end), (min(segment.start, start), max(segment.end, end)))


def evidence_of(task: Task, words: Span, sentence: Span) -> Evidence:
    """The evidence of words of the text that is read, with their sentence."""
    start, end = task.heard(*words)
    return Evidence(start, end, task.transcript[start:end], *task.heard(*sentence))


@dataclass(frozen=True, slots=True)
class SaidIn:
    """The sentence in which a value was said, as it was read, and the value's words at [start, end) of it."""

    task: Task
    shift: int  # of the sentence in the text
    sentence: str
    start: int
    end: int

    @classmethod
    def of(cls, task: Task, said: Evidence) -> SaidIn:
        start, end = task.read(said.start, said.end)
        shift, stop = task.read(said.sentence_start, said.sentence_end)
        return cls(task, shift, task.text[shift:stop], start - shift, end - shift)

    @property
    def words(self) -> str:
        return self.sentence[self.start : self.end]

    def evidence(self, start: int, end: int) -> Evidence:
        """The evidence of other words of the sentence."""
        sentence = self.shift, self.shift + len(self.sentence)
        return evidence_of(self.task, (self.shift + start, self.shift + end), sentence)


def located(task: Task, value: FilledValue, said: Evidence) -> FilledValue:
    """A value with its evidence and the time of observation stated there, the only place that sets the time."""
    timing, doubts = stated_time(task.transcript, task.schema.row(value.row_id), said, task.moments)
    others = tuple(one for one in value.findings if one.rule != TIME_RULE)
    return replace(value, evidence=said, timing=timing, findings=(*others, *doubts))


def is_now_instead(text: str, was: Span, now: Span) -> bool:
    """Whether a sentence of the text says at `was` how something was, and later, at `now`, how it is now."""
    outdated = [any(of.start <= start < of.end for of in analyse(text).outdated) for start, _ in (was, now)]
    return (
        outdated == [True, False]
        and was[1] <= now[0]
        and any(one.start <= was[0] and now[0] < one.end for one in analyse(text).sentences)
    )


def no_longer_so(text: str, readings: Sequence[Reading]) -> list[Reading]:
    """The readings of how something was, where another of them is of how it is now, in the same sentence."""
    if not analyse(text).outdated:
        return []
    places = [literal_span(one) or (one.segment.start, one.segment.end) for one in readings]
    pairs = zip(readings, places, strict=True)
    return [one for one, was in pairs if any(is_now_instead(text, was, now) for now in places)]


def literal_span(reading: Reading) -> tuple[int, int] | None:
    """Span of the words that say the value: those it was read from, or else those of its option or row name."""
    if reading.span is not None:
        return reading.span
    row, segment = reading.row, reading.segment
    chosen = reading.value if isinstance(reading.value, tuple) else (str(reading.value),)
    names: list[str] = []
    for option in row.options:
        if option.name in chosen and option.name.casefold() not in ("yes", "no"):
            names += option.forms
    if row.value_type is ValueType.YES_NO or not names:
        names = list(row.names)
    for name in sorted(names, key=len, reverse=True):
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", segment.text, re.IGNORECASE)
        if match:
            return segment.start + match.start(), segment.start + match.end()
    return _inflected(names, segment)


def _inflected(names: Sequence[str], segment: Segment) -> tuple[int, int] | None:
    """Span from the first to the last word that shares a stem with the names."""
    roots = tuple(
        {root for name in names for word in re.findall(r"[a-z]{4,}", name.lower()) if len(root := stem(word)) >= 4}
    )
    found = [word for word in re.finditer(r"[A-Za-z]{4,}", segment.text) if word.group().lower().startswith(roots)]
    return (segment.start + found[0].start(), segment.start + found[-1].end()) if roots and found else None


def is_on_other_scale(row: Row, text: str, span: tuple[int, int] | None) -> bool:
    """Whether a number is one of so many, and these are not the row's largest: 'two out of five' of a score to ten,
    'six of nine attempts' of a saturation; or is itself what another number is out of.
    """
    if span is None or row.value_type not in NUMBER_TYPES:
        return False
    for number, total in out_of(text, numbers(text)):
        if span[0] <= total.start < span[1]:
            return True
        if span[0] <= number.start < span[1] and row.maximum is not None:
            return total.value != row.maximum
    return False


def unit_said(text: str, span: tuple[int, int] | None) -> str | None:
    """The unit said after the number at the start of the span, with what it is per behind the span."""
    if span is None:
        return None
    said = text[span[0] : span[1]]
    for amount in amounts(said, numbers(said)):
        if (amount.start, amount.end) == (0, len(said)):
            return with_per(text, span[1], amount.unit)[0]
    for start in (match.start() for match in re.finditer(r"(?<![^\W\d_])[^\d\s.,-]|%|°", said)):
        unit, end = said_unit(said, start)
        if unit and end >= len(said):
            return with_per(text, span[1], unit)[0]
    return with_per(text, span[1])[0] if "/" in text[span[1] :] else None
