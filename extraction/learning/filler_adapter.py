"""Fits low-rank adapters of the filler to lessons (`extraction.learning.filler_lessons`).

Each lesson is read as on the ward: the dictation, and behind its sentences all questions at the same time, none of
which sees another. What is learned is the choice among the permitted answers wherever they part, and that nothing else
is answered.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from extraction.learning.filler_lessons import FillerLesson, TaughtQuestion
from models.progress import Progress, Watch, stop_if
from models.runtimes.answer_tree import AnswerTree, Node

if TYPE_CHECKING:
    from torch import Tensor

_SEED = 0
_DEPTH = 3 / 7  # layers from here on are adapted, which takes two thirds of the time of all
_STEPS = 400  # lessons; some are read twice
_QUESTIONS = 26  # of a lesson, at most
_RATE, _LEAST_RATE, _WARMUP = 3e-4, 0.03, 15  # learning rate, the last as a share of it, steps
_BETAS = (0.9, 0.99)
_DECAY = 0.01
_LONGEST_STEP = 1.0
_PERMITTED_WEIGHT = 0.1

Tokenize = Callable[..., list[int]]  # see `models.runtimes.llm.LlamaRuntime.tokenize`


class Decision(NamedTuple):
    """A place where the permitted answers part: index of the token before it, permitted tokens, and the right one."""

    place: int
    permitted: list[int]
    right: int


@dataclass(frozen=True)
class Packed:
    """A lesson as one sequence of tokens.

    Attributes:
        branches: the number of each token's question, -1 for the dictation.
        reaches: how many tokens of the dictation each token follows.
    """

    tokens: list[int]
    positions: list[int]
    branches: list[int]
    reaches: list[int]
    decisions: list[Decision]

    def attended(self) -> Tensor:
        """Whether a token (row) attends to another (column), shape (tokens, tokens)."""
        import torch

        place, branch, reach = torch.arange(len(self.tokens)), torch.tensor(self.branches), torch.tensor(self.reaches)
        is_own = branch[:, None] == branch[None]
        is_read = (branch[None] < 0) & (place[None] < reach[:, None])
        return (place[:, None] >= place[None]) & (is_own | is_read)


def fit_filler_adapter(
    filler: Path, lessons: Sequence[FillerLesson], tokenize: Tokenize, newline: int, file: Path, watch: Watch
) -> None:
    """Fits adapters of a model to lessons and writes them to `file`.

    Args:
        filler: the model's GGUF file; some twelve seconds for a lesson on two cores with bfloat16, and 8 GB of memory;
            twice as much of both without.
        tokenize, newline: the model's, see `models.runtimes.llm.LlamaRuntime`.

    Raises:
        Cancelled; ModelFileError: no Qwen2 model; OSError.
    """
    import torch

    from extraction.learning.filler_network import FillerNetwork

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(_SEED)
        draw = random.Random(_SEED)
        network = FillerNetwork(filler, _DEPTH)
        parameters = list(network.adapters.parameters())
        optimiser = torch.optim.AdamW(parameters, lr=_RATE, betas=_BETAS, weight_decay=_DECAY)
        for step, lesson in zip(range(_STEPS), _in_turn(lessons, draw), strict=False):
            stop_if(watch.cancelled)
            for group in optimiser.param_groups:
                group["lr"] = _RATE * _share_of_rate(step)
            loss = _loss(network, packed(lesson, tokenize, newline, draw))
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(parameters, _LONGEST_STEP)
            optimiser.step()
            watch.report(
                Progress("learn", step / _STEPS, f"lesson {step + 1} of {_STEPS}: loss {float(loss.detach()):.3f}")
            )
    network.save(file)


def packed(lesson: FillerLesson, tokenize: Tokenize, newline: int, draw: random.Random) -> Packed:
    """A lesson's dictation and some of its questions as tokens; of several right answers, one is drawn."""
    tokens = tokenize(lesson.before, special=True)
    ends = [len(tokens)]
    for sentence in lesson.sentences:
        tokens = tokens + tokenize(sentence)
        ends.append(len(tokens))
    read = len(tokens)
    found = Packed(tokens, list(range(read)), [-1] * read, [read] * read, [])
    chosen = sorted(draw.sample(range(len(lesson.questions)), min(_QUESTIONS, len(lesson.questions))))
    for number in chosen:
        one = lesson.questions[number]
        _add_question(found, number, one, ends[one.sentences], tokenize, newline, draw.choice(one.right))
    return found


def _add_question(
    found: Packed, number: int, one: TaughtQuestion, reach: int, tokenize: Tokenize, newline: int, right: int
) -> None:
    tree = AnswerTree([tokenize(answer) for answer in one.question.answers], newline, one.question.aside)
    asked, start = tokenize(one.question.prompt), len(found.tokens)
    node: Node = tree.root
    decisions: list[Decision] = []
    for token in tree.paths[right]:
        if len(node.children) > 1:
            decisions.append(Decision(start + len(asked) - 1, list(node.children), token))
        asked = [*asked, token]
        node = node.children[token]
    if not decisions:
        return
    asked = asked[: decisions[-1].place - start + 1]
    found.tokens.extend(asked)
    found.positions.extend(range(reach, reach + len(asked)))
    found.branches.extend([number] * len(asked))
    found.reaches.extend([reach] * len(asked))
    found.decisions.extend(decisions)


def _loss(network: Callable[..., Tensor], lesson: Packed) -> Tensor:
    """Cross-entropy of the right answers, in sum over the decisions of a question, on average over the questions."""
    import torch

    wanted = sorted({one.place for one in lesson.decisions})
    index = {place: number for number, place in enumerate(wanted)}
    logits = network(
        torch.tensor(lesson.tokens), torch.tensor(lesson.positions), lesson.attended(), torch.tensor(wanted)
    )
    whole = torch.logsumexp(logits, -1)
    losses = []
    for place, permitted, right in lesson.decisions:
        number = index[place]
        possible = torch.logsumexp(logits[number][permitted], -1)
        losses.append(possible - logits[number][right] + _PERMITTED_WEIGHT * (whole[number] - possible))
    questions = len(set(lesson.branches) - {-1})
    return torch.stack(losses).sum() / questions


def _in_turn(lessons: Sequence[FillerLesson], draw: random.Random) -> Iterator[FillerLesson]:
    """All lessons in random order, again and again."""
    while True:
        yield from draw.sample(lessons, len(lessons))


def _share_of_rate(step: int) -> float:
    """Warm-up, then half a cosine."""
    cosine = (1 + math.cos(math.pi * step / _STEPS)) / 2
    return min(1.0, (step + 1) / _WARMUP) * (_LEAST_RATE + (1 - _LEAST_RATE) * cosine)
