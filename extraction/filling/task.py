"""What the filling strategies are given and return, and the windows over long transcripts that they share."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from extraction.flowsheet.naming.instance_families import family_by_row
from extraction.flowsheet.schema import Row, Schema
from extraction.flowsheet.values import FilledValue, Value
from extraction.language.edited_text import EditedText
from extraction.language.sentences import Segment
from extraction.language.spans import Span, Spoken
from extraction.preparation.instance_assignment import NO_PLAN, InstancePlan
from extraction.preparation.mentions import Mention
from extraction.preparation.moment import Moment
from extraction.retrieval.candidates import Candidate, ReducedSchema

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MeasuredValue:
    """What was measured, as a value of its row, with the values of its unit rows.

    Attributes:
        words: its name and number.
        span: the characters of the text that is read that say the value.
        further: whether nothing but another number before it says what it measures.
    """

    row: Row
    value: FilledValue
    units: tuple[FilledValue, ...]
    words: str
    span: Span
    further: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """The input of a filler: what it reads of the transcript, its segments, the schema and the rows it was reduced to.

    Attributes:
        text: the text that is read; segments, readings and plan point into it.
        today: completes spoken dates and times.
        moments: the stated times of observation, in positions of the transcript.
        plan: assigns sentences to lines or wounds.
        edited: where the text was heard in the transcript; None if it is the transcript.
        measured: what needs no question, see `extraction.measurements`.
        mentions: what the surroundings of its values make of them, in positions of the transcript.
    """

    text: str
    segments: tuple[Segment, ...]
    schema: Schema
    reduced: ReducedSchema
    today: dt.date
    moments: tuple[Moment, ...] = ()
    plan: InstancePlan = NO_PLAN
    edited: EditedText | None = None
    measured: tuple[MeasuredValue, ...] = ()
    mentions: tuple[Mention, ...] = ()

    @property
    def transcript(self) -> str:
        return self.edited.transcript if self.edited else self.text

    def heard(self, start: int, end: int) -> Span:
        """Where characters [start, end) of the text were heard in the transcript."""
        return self.edited.heard(start, end) if self.edited else (start, end)

    def read(self, start: int, end: int) -> Span:
        """The characters of the text that were heard in [start, end) of the transcript."""
        return self.edited.read(start, end) if self.edited else (start, end)

    @property
    def times(self) -> tuple[Spoken[dt.datetime], ...]:
        """The minutes that the text states, and the characters that say them."""
        left = [one for one in self.moments if self.edited is None or self.edited.keeps(one.start, one.end)]
        return tuple(Spoken(one.at, *self.read(one.start, one.end)) for one in left if one.at)


@dataclass(frozen=True, slots=True)
class Reading:
    """A possible value of a row, before it is validated and weighed.

    Attributes:
        value: for a multi-select, the options weighed together, often one.
        span: characters where the value was said; None if the strategy only knows the segment.
        mentioned: probability that the dictation states the row at all, 0 to 1.
        probability: probability of this value among the row's permitted values, given that it is mentioned, 0 to 1.
        rank: rank of the value among the row's readings, 0 is the likeliest.
        lead: its probability minus that of the likeliest other value, -1 to 1.
        permitted_mass: see `models.runtimes.closed_questions.Answer.permitted_mass`; 1.0 if unknown.
        row_match, value_match: log-odds that the segment states the row, and the value, by the statement matcher; NaN
            without one.
        states: hidden states at the end of the row's question by layer; empty if they are not kept.
    """

    row: Row
    candidate: Candidate
    value: Value
    segment: Segment
    span: tuple[int, int] | None
    mentioned: float
    probability: float
    rank: int = 0
    lead: float = 1.0
    permitted_mass: float = 1.0
    row_match: float = math.nan
    value_match: float = math.nan
    states: Mapping[int, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def log_probability(self) -> float:
        """Natural log-probability that the row is mentioned with this value."""
        return math.log(max(self.mentioned * self.probability, 1e-12))


@dataclass(frozen=True, slots=True)
class TextWindow:
    """Consecutive segments read at once, their text, and the candidates whose best segment is among them."""

    text: str
    segments: tuple[Segment, ...]
    candidates: tuple[Candidate, ...]


def windows(task: Task, most: int) -> Iterator[TextWindow]:
    """Splits the transcript into windows of at most `most` words, in order; windows without candidates are skipped."""
    group: list[Segment] = []
    words = 0
    for segment in (*task.segments, None):
        size = len(segment.text.split()) if segment else 0
        if group and (segment is None or words + size > most):
            window = _window(task, group)
            if window.candidates:
                yield window
            group, words = [], 0
        if segment:
            group.append(segment)
            words += size


def _window(task: Task, group: Sequence[Segment]) -> TextWindow:
    inside = {segment.index for segment in group}
    candidates = tuple(
        replace(candidate, hits=hits)
        for candidate in task.reduced.candidates
        if (hits := tuple(hit for hit in candidate.hits if hit.segment in inside))
    )
    return TextWindow(task.text[group[0].start : group[-1].end], tuple(group), candidates)


def on_instance_rows(plan: InstancePlan, readings: Sequence[Reading]) -> Sequence[Reading]:
    """Moves each reading to the row of the instance that its sentence is about."""
    if not plan:
        return readings
    return [replace(reading, row=_row_for(plan, reading.row, reading.segment.index)) for reading in readings]


def _row_for(plan: InstancePlan, row: Row, segment: int) -> Row:
    home = family_by_row(plan.families).get(row.id)
    if home is None:
        return row
    family, rest = home
    one = plan.assigned.get((segment, family.name))
    if one is None or one.number is None or rest not in family.rows[one.number]:
        return row
    return family.rows[one.number][rest]
