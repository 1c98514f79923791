"""What annotated cases teach the filler: the questions about a dictation, each with the answers that are right.

A row is asked once, after the sentence that retrieved it; right is what the dictation says of it up to there.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from extraction.annotation.case_files import Case, Observation
from extraction.annotation.scoring import equal_values
from extraction.filling.closed_answers import Choice
from extraction.filling.rowwise import WINDOW_WORDS, AskedRow, asked_rows, prefix_of
from extraction.filling.task import Task, windows
from extraction.flowsheet.naming.instance_families import families_of, family_by_row
from extraction.flowsheet.schema import ValueType
from extraction.language.sentences import Segment
from extraction.language.vocabulary.words import stems
from extraction.retrieval.candidates import Candidate, ReducedSchema
from models.runtimes.closed_questions import Question

_SEED = 20260101
_NOT_MENTIONED = 0  # index of that answer
# Of the rows that nobody would ask and nobody charted: so many of the nearest, and of the others.
_NEAR, _NEAREST, _FAR = 5, 30, 3
_SAME_TEXT = 0.6  # share of the words that a span and a charted text have in common


@dataclass(frozen=True, slots=True)
class TaughtQuestion:
    """A question, the number of sentences before it, and the indices of its right answers."""

    question: Question
    sentences: int
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FillerLesson:
    """A dictation as the filler reads it, with questions about it; see `extraction.filling.rowwise.prefix_of`."""

    before: str
    sentences: tuple[str, ...]
    questions: tuple[TaughtQuestion, ...]


def lessons_of(cases: Iterable[tuple[Case, Task, Sequence[Candidate]]]) -> Iterator[FillerLesson]:
    """The lessons of cases, each with its task as it would be asked, and all candidates that were found for it.

    Also asked are charted rows that the reduction missed, and a few that nobody charted.
    """
    draw = random.Random(_SEED)
    for case, task, candidates in cases:
        charted = _charted(case)
        more = _more(task, candidates, charted, draw)
        yield from _lessons(replace(task, reduced=ReducedSchema((*task.reduced.candidates, *more))), charted)


def _charted(case: Case) -> Mapping[str, Sequence[Observation]]:
    """What was or may be charted, by row."""
    charted: dict[str, list[Observation]] = {}
    for one in (*case.observations, *(case.acceptable or ())):
        charted.setdefault(one.row_id, []).append(one)
    return charted


def _more(
    task: Task, candidates: Sequence[Candidate], charted: Mapping[str, Sequence[Observation]], draw: random.Random
) -> list[Candidate]:
    asked = {one.row_id for one in task.reduced.candidates}
    rest = [one for one in candidates if one.row_id not in asked]
    missed = [one for one in rest if one.row_id in charted]
    others = sorted((one for one in rest if one.row_id not in charted), key=lambda one: -one.hits[0].fit)
    near, far = others[:_NEAREST], others[_NEAREST:]
    return missed + draw.sample(near, min(_NEAR, len(near))) + draw.sample(far, min(_FAR, len(far)))


def _lessons(task: Task, charted: Mapping[str, Sequence[Observation]]) -> Iterator[FillerLesson]:
    homes = family_by_row(families_of(task.schema))
    # Rows of which another instance was charted: which instance a sentence is about is decided elsewhere.
    shared = {(home[0].name, home[1]) for row_id in charted if (home := homes.get(row_id))}
    for window in windows(task, WINDOW_WORDS):
        before, sentences = prefix_of(window)
        first = window.segments[0].index
        questions = []
        for asked in asked_rows(task, window):
            own, home = charted.get(asked.row.id, ()), homes.get(asked.row.id)
            if own:
                right = _right(asked, own, task.segments)
            elif home and (home[0].name, home[1]) in shared:
                right = ()
            else:
                right = (_NOT_MENTIONED,)
            if right:
                questions.append(TaughtQuestion(asked.question, asked.behind.index - first + 1, right))
        if questions:
            yield FillerLesson(before, tuple(sentences), tuple(questions))


def _right(asked: AskedRow, charted: Sequence[Observation], segments: Sequence[Segment]) -> tuple[int, ...]:
    """The answers that were charted from the sentences of the question, or before it; empty if that is not known."""
    placed = [(one, _said_in(one.words, segments)) for one in charted]
    known = [one for one, place in placed if place is None or place <= asked.behind.index]
    if not known:
        return ()
    here = [one for one, place in placed if place in (asked.behind.index, asked.segment.index)]
    values = [value for one in here or known for value in (one.value if isinstance(one.value, tuple) else (one.value,))]
    right = [
        number
        for number, choice in enumerate(asked.choices, start=1)
        if any(equal_values(choice.value, value, tolerance=0.0) for value in values)
    ]
    if not right and asked.row.value_type is ValueType.TEXT:
        right = _most_alike(asked.choices, [str(value) for value in values])
    return tuple(right)


def _said_in(words: str, segments: Sequence[Segment]) -> int | None:
    """The first segment with the words, or with their beginning; None if it is not known."""
    said = words.casefold()
    if not said:
        return None
    return next(
        (one.index for one in segments if said[:40] in one.text.casefold() or one.text.casefold() in said), None
    )


def _most_alike(choices: Sequence[Choice], texts: Sequence[str]) -> list[int]:
    """The span that shares most words with a charted text, the shorter of two; empty if none shares enough."""
    best = max(
        (
            (len(said & meant) / max(len(said | meant), 1), -len(choice.text), number)
            for number, choice in enumerate(choices, start=1)
            for said, meant in ((stems(choice.text), stems(text)) for text in texts)
        ),
        default=(0.0, 0, 0),
    )
    return [best[2]] if best[0] >= _SAME_TEXT else []
