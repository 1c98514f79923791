"""The language model runtime itself, with the small model: shared prefixes, closed answers, hidden states."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from app.system import paths
from models.base.errors import Cancelled
from models.hardware import cpu_flags
from models.library.manifest import load_manifest
from models.library.registry import Registry
from models.runtimes.closed_questions import Answer, Question, ask
from models.runtimes.llm import CHUNK_TOKENS, LlamaRuntime

pytestmark = [pytest.mark.models, pytest.mark.extensive]

# Where llama.cpp multiplies by AVX2 or AVX-512, answers are the same to the last bit; of other arithmetic that is not
# known.
ROUNDING = 0.0 if "avx2" in cpu_flags() else 0.02

BEFORE = "<|im_start|>user\nDictation: "
AFTER = "<|im_end|>\n<|im_start|>assistant\n"
TEXT = "Her nailbeds look pale. Heart rate is 110. He denies nausea."
NAILS = Question("Row: Nailbed color [normal | pale]\nAnswer:", (" normal", " pale"))
RATE = Question("Row: Heart rate (number)\nAnswer:", (" not mentioned", " 110"))


@pytest.fixture(scope="module")
def llm() -> Iterator[LlamaRuntime]:
    folder = Registry(load_manifest(), paths.models_dir()).path("qwen2.5-coder-0.5b-q4")
    runtime = LlamaRuntime(next(folder.glob("*.gguf")), threads=2, context_tokens=2048, state_depths=(0.25, 0.5))
    yield runtime
    runtime.close()


def test_answers_come_from_the_closed_set(llm: LlamaRuntime) -> None:
    llm.set_prefix(BEFORE, [TEXT], AFTER)
    nails, rate = ask(llm, [NAILS, RATE])
    assert NAILS.answers[nails.index] == " pale"
    assert RATE.answers[rate.index] == " 110"
    assert sum(nails.probabilities) == pytest.approx(1.0)
    assert 0 < nails.permitted_mass <= 1


def test_a_prefix_that_was_forgotten_is_read_again_and_answered_the_same(llm: LlamaRuntime) -> None:
    llm.set_prefix(BEFORE, [TEXT], AFTER)
    before, read = ask(llm, [NAILS])[0], llm.tokens.prompt
    llm.forget_prefix()
    assert llm.prefix_length == 0
    llm.set_prefix(BEFORE, [TEXT], AFTER)
    assert llm.tokens.prompt - read == llm.prefix_length
    after = ask(llm, [NAILS])[0]
    assert (after.index, after.probabilities) == (before.index, pytest.approx(before.probabilities, abs=ROUNDING))


def test_a_question_is_answered_the_same_alone_and_among_others(llm: LlamaRuntime) -> None:
    """Sequences of one batch must not see each other, nor does it matter how many there are: short questions, of which
    many end in one piece, and answers that are decided in several steps."""
    site = Question("Site:", (" left forearm", " left hand", " left heel", " right forearm", " right hand"))
    llm.set_prefix(BEFORE, [TEXT * 12], AFTER)
    alone = [ask(llm, [question])[0] for question in (NAILS, site)]
    others = [Question(f"{i}:", (" a b c", " a b d", " a e")) for i in range(40)]
    among = ask(llm, [RATE, *others[:20], NAILS, *others[20:], site])
    for one, other in zip(alone, (among[21], among[-1]), strict=True):
        assert one.index == other.index
        assert one.probabilities == pytest.approx(other.probabilities, abs=ROUNDING)


def test_a_question_is_answered_the_same_in_small_pieces_and_in_large_ones(llm: LlamaRuntime) -> None:
    """What was read while somebody spoke counts for the finished text."""
    questions = [RATE, NAILS, *[Question(f"Row: {i}\nAnswer:", (" a", " b c", " b d")) for i in range(5)]]

    sentences = [f"{sentence}.\n" for sentence in TEXT.split(". ")]
    try:
        llm.chunk_tokens = 16
        for count in range(len(sentences)):
            llm.set_prefix(BEFORE, sentences[: count + 1], "")
        small = [answer for question in questions for answer in ask(llm, [question])]
    finally:
        llm.chunk_tokens = CHUNK_TOKENS
    llm.set_prefix("", ["Something else."], "")
    llm.set_prefix(BEFORE, sentences, "")
    large = ask(llm, questions)
    for one, other in zip(small, large, strict=True):
        assert one.index == other.index
        assert one.probabilities == pytest.approx(other.probabilities, abs=ROUNDING)


def test_a_question_sees_nothing_of_what_follows_its_place(llm: LlamaRuntime) -> None:
    first, second = "Her nailbeds look pale.\n", "Correction: nailbed color is normal.\n"
    end, whole = llm.set_prefix(BEFORE, [first, second], "")
    early, late = ask(llm, [replace(NAILS, place=end), replace(NAILS, place=whole)])
    llm.set_prefix(BEFORE, [first], "")
    alone = ask(llm, [NAILS])[0]
    assert NAILS.answers[early.index] == " pale"
    assert late.probabilities[0] > 2 * early.probabilities[0], "what comes before its place it sees"
    assert early.probabilities == pytest.approx(alone.probabilities, abs=ROUNDING)


def test_hidden_states_belong_to_their_question(llm: LlamaRuntime) -> None:
    def states(questions: list[Question], which: int) -> Answer:
        llm.set_prefix(BEFORE, [TEXT], AFTER)
        return ask(llm, questions)[which]

    alone, among = states([NAILS], 0), states([RATE, NAILS], 1)
    other = states([RATE], 0)
    for layer in (6, 12):
        a, b, c = alone.states[layer], among.states[layer], other.states[layer]
        assert a.shape == b.shape
        assert np.isfinite(a).all()

        def cosine(x: np.ndarray, y: np.ndarray) -> float:
            return float(x @ y / (np.linalg.norm(x) * np.linalg.norm(y)))

        assert cosine(a, b) > 0.99 > cosine(a, c)


def test_prefix_is_decoded_only_where_it_changed(llm: LlamaRuntime) -> None:
    llm.set_prefix(BEFORE, [TEXT], AFTER)
    before = llm.tokens.prompt
    llm.set_prefix(BEFORE, [TEXT], AFTER)
    assert llm.tokens.prompt - before <= 1


def test_spoken_control_tokens_are_plain_text(llm: LlamaRuntime) -> None:
    assert len(llm.tokenize("<|im_end|>")) > 1
    assert len(llm.tokenize("<|im_end|>", special=True)) == 1


def test_cancel_takes_effect_within_a_chunk(llm: LlamaRuntime) -> None:
    start = time.monotonic()
    with pytest.raises(Cancelled):
        llm.set_prefix(BEFORE, [TEXT * 60], AFTER, lambda: time.monotonic() - start > 0.2)
    assert time.monotonic() - start < 20
    llm.set_prefix(BEFORE, [TEXT], AFTER)
    assert ask(llm, [NAILS])[0].index == 1


def test_a_model_of_the_hospital_is_added_checked_and_removed(tmp_path: Path, monkeypatch, capsys) -> None:
    shipped = Registry(load_manifest(), paths.models_dir()).path("qwen2.5-coder-0.5b-q4")
    monkeypatch.setenv("WARDLIGHT_MODELS", str(tmp_path))
    assert main(["models", "add", "--from", str(shipped), "--json"]) == 0
    added = json.loads(capsys.readouterr().out)
    assert added["role"] == "filler"
    assert added["checked"][added["id"]]["right"] >= 0.5
    assert added["checked"][added["id"]]["speed"] > 0
    assert (tmp_path / "added.toml").is_file()
    assert main(["models", "remove", added["id"]]) == 0
    assert not list(tmp_path.glob("*/*.gguf"))
