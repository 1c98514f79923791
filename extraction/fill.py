"""The interface of the filling strategies, and what they have in common: windows over long transcripts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from extraction.reduce import Candidate, ReducedSchema
from extraction.schema import Row, Schema
from extraction.segment import Segment
from extraction.values import Value
from models.progress import CancelledCallback, ProgressCallback

# A window is what the filler reads at once; a dictation of some minutes is one window.
_WINDOW_WORDS = 500


@dataclass(frozen=True, slots=True)
class Task:
    """What is to be filled: the transcript, its segments, the schema and the rows it was reduced to.

    `today` gives spoken dates and times their day.
    """

    text: str
    segments: tuple[Segment, ...]
    schema: Schema
    reduced: ReducedSchema
    today: dt.date


@dataclass(frozen=True, slots=True)
class Reading:
    """What a strategy read for a row, before it is checked and weighed.

    Attributes:
        span: characters where the value was said; None where the strategy only knows the segment.
        mentioned: probability that the dictation states the row at all, 0 to 1.
        probability: probability of this value among the row's permitted values, 0 to 1.
        permitted_mass: see `models.ask.Answer.permitted_mass`; 1.0 where it is not known.
        log_probability: natural log-probability of the answer.
        alternatives: other values with their probabilities, best first.
    """

    row: Row
    candidate: Candidate
    value: Value
    segment: Segment
    span: tuple[int, int] | None
    mentioned: float
    probability: float
    permitted_mass: float
    log_probability: float
    alternatives: tuple[tuple[str, float], ...] = ()


class Filler(Protocol):
    """A strategy: reads every candidate row that it can, also the unlikely ones; choosing among them is not its job."""

    name: str

    def read(self, task: Task, progress: ProgressCallback, cancelled: CancelledCallback) -> list[Reading]: ...


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive segments read at once, their text, and the candidates whose best segment lies in it."""

    text: str
    segments: tuple[Segment, ...]
    candidates: tuple[Candidate, ...]


def windows(task: Task) -> Iterator[Window]:
    """The transcript in pieces that fit the context, in order; pieces without a candidate are passed over."""
    group: list[Segment] = []
    words = 0
    for segment in (*task.segments, None):
        size = len(segment.text.split()) if segment else 0
        if group and (segment is None or words + size > _WINDOW_WORDS):
            window = _window(task, group)
            if window.candidates:
                yield window
            group, words = [], 0
        if segment:
            group.append(segment)
            words += size


def _window(task: Task, group: Sequence[Segment]) -> Window:
    inside = {segment.index for segment in group}
    candidates = tuple(
        Candidate(candidate.row_id, hits, candidate.prior)
        for candidate in task.reduced.candidates
        if (hits := tuple(hit for hit in candidate.hits if hit.segment in inside))
    )
    return Window(task.text[group[0].start : group[-1].end], tuple(group), candidates)
