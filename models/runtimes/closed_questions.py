"""Closed questions on one shared prefix, decoded together.

Every question continues the prefix, or its beginning up to a sentence, in its own sequence and walks its own tree of
permitted answers. All walks advance in the same batch; tokens without an alternative are fed without a decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from models.base.progress import (
    NOT_MONITORED,
    CancelledCallback,
    Progress,
    ProgressMonitor,
    stop_if,
)
from models.runtimes.answer_tree import AnswerTree, Node, forced_path
from models.runtimes.hidden_states import Pool
from models.runtimes.llm import MAX_SEQUENCES, PREFIX_SEQUENCE, LlamaRuntime, TokenEntry, chunks

# An answer longer than this is not worth its KV cells; the longest options of real schemas are well below.
_ANSWER_ROOM = 48


@dataclass(frozen=True, slots=True)
class Question:
    """One question on the shared prefix.

    Attributes:
        prompt: the question itself, ending where the answer begins.
        answers: the permitted answers, each in the form that continues `prompt` (with its leading space).
        aside: index of an answer that gets a probability but is never chosen ("not mentioned"), so that the best other
            answer is known even if unlikely; None to choose among all.
        place: number of prefix tokens before the question; None for all.
    """

    prompt: str
    answers: tuple[str, ...]
    aside: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer chosen from the closed set.

    Attributes:
        index: index of the chosen answer.
        probabilities: for each answer, the probability of its deciding tokens among the permitted ones, along the
            chosen answer's path and one token beyond, shape (answers,); answers that leave the path by the same token
            share the probability.
        permitted_mass: probability that the unconstrained model gives to all permitted first deciding tokens, 0 to 1.
        states: pooled states of the question's tokens by tapped layer, see `models.runtimes.hidden_states.Pool`.
    """

    index: int
    probabilities: tuple[float, ...]
    permitted_mass: float
    states: dict[int, NDArray[np.float32]] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Walk:
    """A question's progress through its tree; `together` holds the answers still on the walk's path."""

    index: int
    sequence: int
    position: int
    pending: list[int]
    node: Node
    paths: list[list[int]]
    depth: int
    aside: int | None
    together: list[int]
    probabilities: list[float]
    decided: bool = False
    permitted_mass: float = 1.0
    pool: Pool = field(default_factory=Pool)

    def decide(self, logs: NDArray[np.float64]) -> None:
        """Takes the likeliest permitted token and advances to the next choice or the end."""
        tokens = list(self.node.children)
        mass = float(np.exp(logs).sum())
        relative = np.exp(logs - math.log(max(mass, 1e-300)))
        if not self.decided:
            self.decided, self.permitted_mass = True, mass
        share = dict(zip(tokens, relative.tolist(), strict=True))
        for answer in self.together:
            self.probabilities[answer] *= share[self.paths[answer][self.depth]]
        best = max(tokens, key=lambda token: (self._leads_on(token), share[token]))
        self.together = [answer for answer in self.together if self.paths[answer][self.depth] == best]
        forced, self.node = forced_path(self.node.children[best])
        self.pending = [best, *forced]
        self.depth += len(self.pending)

    def _leads_on(self, token: int) -> bool:
        """Whether a token leads to an answer that may be chosen."""
        return any(self.paths[answer][self.depth] == token for answer in self.together if answer != self.aside)


def ask(
    llm: LlamaRuntime,
    questions: Sequence[Question],
    monitor: ProgressMonitor = NOT_MONITORED,
) -> list[Answer]:
    """Answers every question on the current prefix, each from its own closed set, in order."""
    answers: dict[int, Answer] = {}
    for group in _groups(llm, questions):
        stop_if(monitor.cancelled)

        def reading(share: float, done: int = len(answers), size: int = len(group)) -> None:
            monitor.report(Progress("fill", (done + share * size) / len(questions), f"{done} of {len(questions)} rows"))

        reading(0.0)
        for walk in _answer_group(llm, questions, group, reading, monitor.cancelled):
            if walk.node.answer is None:
                raise AssertionError("a walk ended between answers")
            answers[walk.index] = Answer(
                walk.node.answer,
                tuple(walk.probabilities),
                walk.permitted_mass,
                walk.pool.pooled(),
            )
        monitor.report(Progress("fill", len(answers) / len(questions), f"{len(answers)} of {len(questions)} rows"))
    return [answers[index] for index in range(len(questions))]


def _groups(llm: LlamaRuntime, questions: Sequence[Question]) -> Iterator[list[int]]:
    """Splits the questions into groups that fit into the sequences and the KV cells."""
    room = llm.context_tokens - llm.prefix_length
    group: list[int] = []
    cells = 0
    for index, question in enumerate(questions):
        need = len(llm.tokenize(question.prompt)) + _ANSWER_ROOM
        if group and (cells + need > room or len(group) + 2 > MAX_SEQUENCES):
            yield group
            group, cells = [], 0
        group.append(index)
        cells += need
    if group:
        yield group


def _answer_group(
    llm: LlamaRuntime,
    questions: Sequence[Question],
    group: Sequence[int],
    reading: Callable[[float], None],
    cancelled: CancelledCallback,
) -> list[_Walk]:
    """Answers one group; `reading` receives the share of the questions read, which takes nearly all of the time."""
    llm.forget_continuations()
    walks: list[_Walk] = []
    for sequence, index in enumerate(group, start=PREFIX_SEQUENCE + 1):
        question = questions[index]
        position = llm.prefix_length if question.place is None else question.place
        llm.branch(PREFIX_SEQUENCE, sequence, position)
        tree = AnswerTree([llm.tokenize(answer) for answer in question.answers], llm.newline, question.aside)
        forced, node = forced_path(tree.root)
        pending = llm.tokenize(question.prompt) + forced
        every = list(range(len(tree.paths)))
        shares = [1.0] * len(every)
        walks.append(
            _Walk(index, sequence, position, pending, node, tree.paths, len(forced), question.aside, every, shares)
        )
    while active := [walk for walk in walks if walk.node.answer is None]:
        _advance(llm, active, reading if not active[0].decided else _ignore_share, cancelled)
    return walks


def _ignore_share(_share: float) -> None: ...


def _advance(
    llm: LlamaRuntime,
    walks: Sequence[_Walk],
    reading: Callable[[float], None],
    cancelled: CancelledCallback,
) -> None:
    """Feeds every walk's pending tokens in one batch, and lets each walk take its next decision."""
    entries: list[TokenEntry] = []
    walk_of: list[_Walk] = []
    decided = walks[0].decided  # the same for all walks
    for walk in walks:
        last = len(walk.pending) - 1
        entries += [TokenEntry(t, walk.position + i, walk.sequence, i == last) for i, t in enumerate(walk.pending)]
        walk_of += [walk] * len(walk.pending)
        walk.position += len(walk.pending)
    if decided:
        llm.tokens.completion += len(entries)
    else:
        llm.tokens.prompt += len(entries)
    read = 0  # entries
    for chunk, spare in chunks(llm, entries, cancelled, decided=decided):
        llm.decode(chunk, spare)
        end = 0
        for walk, group in groupby(walk_of[read : read + len(chunk)]):
            first, end = end, end + len(list(group))
            if llm.tap and not decided:
                walk.pool.add(llm.tap.rows(first, end))
            if chunk[end - 1].wanted:
                walk.decide(llm.log_probabilities(end - 1, list(walk.node.children)))
        read += len(chunk)
        reading(read / len(entries))
