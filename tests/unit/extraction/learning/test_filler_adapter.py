"""Fitting the filler's adapters, on a tiny model: the lessons are learned, and llama.cpp computes what torch does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch

from extraction.learning import filler_adapter
from extraction.learning.filler_adapter import Packed, fit_filler_adapter, packed
from extraction.learning.filler_lessons import FillerLesson, TaughtQuestion
from extraction.learning.filler_network import FillerNetwork
from models.errors import Cancelled, ModelFileError
from models.progress import NOT_WATCHED, Watch, ignore_progress
from models.runtimes.closed_questions import Question, ask
from models.runtimes.llm import LlamaRuntime, TokenEntry
from tests.kit.tiny_filler import write_tiny_filler

PUPILS = Question("Pupils [brisk | slow]:", (" not mentioned", " brisk", " slow"), aside=0)
PAIN = Question("Pain:", (" not mentioned", " 4", " 42"), aside=0)
LESSON = FillerLesson(
    "<|im_start|>",
    ("Pain is 42. ", "Pupils are brisk. "),
    (TaughtQuestion(PAIN, 1, (2,)), TaughtQuestion(PUPILS, 1, (0,)), TaughtQuestion(PUPILS, 2, (1,))),
)


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    write_tiny_filler(path)
    return path


@pytest.fixture
def llm(tiny: Path) -> Iterator[LlamaRuntime]:
    runtime = LlamaRuntime(tiny, context_tokens=1024)
    yield runtime
    runtime.close()


def pack(llm: LlamaRuntime) -> Packed:
    return packed(LESSON, llm.tokenize, llm.newline, random.Random(0))


def logits(network: FillerNetwork, lesson: Packed) -> np.ndarray:
    places = torch.tensor([one.place for one in lesson.decisions])
    tokens, positions = torch.tensor(lesson.tokens), torch.tensor(lesson.positions)
    with torch.no_grad():
        return network.eval()(tokens, positions, lesson.attended(), places).numpy()


def test_a_question_sees_the_sentences_before_it_and_no_other_question(llm: LlamaRuntime) -> None:
    lesson = pack(llm)
    attended = lesson.attended()
    first, second, third = (lesson.branches.index(number) for number in range(3))
    end = len(llm.tokenize("<|im_start|>", special=True)) + len(llm.tokenize("Pain is 42. "))
    for start, stop, reach in ((first, second, end), (second, third, end), (third, len(lesson.tokens), first)):
        assert lesson.positions[start] == reach
        for place in range(start, stop):
            assert attended[place].nonzero().flatten().tolist() == [*range(reach), *range(start, place + 1)]


def test_a_decision_is_taught_wherever_answers_part(llm: LlamaRuntime) -> None:
    """' 4' and ' 42' part from 'not mentioned' first, and from each other after the 4."""
    right = [bytes(llm.piece(one.right)) for one in pack(llm).decisions]
    assert right == [b"4", b"2", b"n", b"b"]


def test_llama_cpp_computes_what_was_fitted(tiny: Path, llm: LlamaRuntime, tmp_path: Path) -> None:
    network, lesson = FillerNetwork(tiny, depth=1 / 3), pack(llm)
    with torch.random.fork_rng(devices=[]), torch.no_grad():
        torch.manual_seed(1)
        for adapter in network.adapters.values():
            adapter.b.normal_(std=0.3)  # type: ignore[union-attr, operator]
    network.save(tmp_path / "adapter.gguf")
    adapted = LlamaRuntime(tiny, context_tokens=1024, adapter=tmp_path / "adapter.gguf")
    try:
        assert decisions(adapted, lesson, adapted=True) == pytest.approx(logits(network, lesson), abs=0.15)
        plain = FillerNetwork(tiny, depth=1 / 3)
        assert decisions(adapted, lesson, adapted=False) == pytest.approx(logits(plain, lesson), abs=0.15)
        assert decisions(adapted, lesson, adapted=True) != pytest.approx(logits(plain, lesson), abs=0.5)
    finally:
        adapted.close()


def decisions(llm: LlamaRuntime, lesson: Packed, *, adapted: bool) -> np.ndarray:
    """The logits of llama.cpp at the decisions, each branch in a sequence of its own."""
    llm.set_prefix(LESSON.before, LESSON.sentences, "", adapted=adapted)
    found = []
    for one in lesson.decisions:
        number = lesson.branches[one.place]
        branch = [place for place, other in enumerate(lesson.branches) if other == number and place <= one.place]
        llm.forget_continuations()
        llm.branch(0, 1, lesson.positions[branch[0]])
        last = len(branch) - 1
        llm.decode(
            [TokenEntry(lesson.tokens[p], lesson.positions[p], 1, wanted=i == last) for i, p in enumerate(branch)]
        )
        found.append(llm.logits(last).copy())
    return np.array(found)


def test_the_answers_of_a_lesson_are_learned(
    tiny: Path, llm: LlamaRuntime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filler_adapter, "_DEPTH", 0.0)
    monkeypatch.setattr(filler_adapter, "_STEPS", 60)
    monkeypatch.setattr(filler_adapter, "_RATE", 3e-2)
    file = tmp_path / "adapter.gguf"
    fit_filler_adapter(tiny, [LESSON], llm.tokenize, llm.newline, file, NOT_WATCHED)
    adapted = LlamaRuntime(tiny, context_tokens=1024, adapter=file)
    try:
        first, second = adapted.set_prefix(LESSON.before, LESSON.sentences, "", adapted=True)
        places = (first, first, second)
        asked = [
            Question(one.question.prompt, one.question.answers, one.question.aside, place)
            for one, place in zip(LESSON.questions, places, strict=True)
        ]
        for taught, answer in zip(LESSON.questions, ask(adapted, asked), strict=True):
            assert answer.probabilities[taught.right[0]] > 0.8
    finally:
        adapted.close()


def test_fitting_can_be_stopped_and_writes_nothing_then(tiny: Path, llm: LlamaRuntime, tmp_path: Path) -> None:
    stopped = Watch(ignore_progress, lambda: True)
    with pytest.raises(Cancelled):
        fit_filler_adapter(tiny, [LESSON], llm.tokenize, llm.newline, tmp_path / "adapter.gguf", stopped)
    assert not (tmp_path / "adapter.gguf").exists()


def test_an_adapter_of_another_model_is_refused(tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "adapter.gguf").write_bytes(b"GGUF, but no adapter")
    with pytest.raises(ModelFileError, match=r"adapter\.gguf does not fit"):
        LlamaRuntime(tiny, context_tokens=1024, adapter=tmp_path / "adapter.gguf")
