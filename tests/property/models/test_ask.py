"""Closed questions over arbitrary sets of answers."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.base.progress import never_cancelled
from models.runtimes.closed_questions import Answer, Question, ask
from models.runtimes.llm import CHUNK_TOKENS, TokenEntry, chunks
from tests.kit.fake_models import FakeLlm

# Few letters, so that answers share prefixes.
WORDS = st.text("abc ", min_size=1, max_size=6)
ANSWERS = st.lists(WORDS, min_size=2, max_size=8, unique=True).map(tuple)
CERTAINTIES = st.floats(0.01, 0.99)
END = "\n"


def where_it_leaves(answer: str, chosen: str) -> tuple[int, str]:
    """The depth and letter at which an answer leaves the path of the chosen one."""
    pairs = enumerate(zip(answer + END, chosen + END, strict=False))
    return next((place, mine) for place, (mine, other) in pairs if mine != other)


def expected(answers: tuple[str, ...], chosen: str, favoured: str, certainty: float) -> list[float]:
    """The probability of each answer: the product over its letters up to the one that leaves the chosen path."""

    def letter(prefix: str, wanted: str) -> float:
        possible = {(answer + END)[len(prefix)] for answer in answers if (answer + END).startswith(prefix)}
        rest = (1 - certainty) / max(len(possible) - 1, 1)
        written = (favoured + END).startswith(prefix) and len(prefix) <= len(favoured)
        likely = (favoured + END)[len(prefix)] if written else ""
        weights = {one: certainty if one == likely else rest for one in possible}
        return weights[wanted] / sum(weights.values())

    found = []
    for answer in answers:
        last = len(answer) if answer == chosen else where_it_leaves(answer, chosen)[0]
        found.append(prod(letter(answer[:place], (answer + END)[place]) for place in range(last + 1)))
    return found


@given(ANSWERS, WORDS, CERTAINTIES, st.data())
def test_probabilities_follow_the_chosen_path(
    answers: tuple[str, ...], favoured: str, certainty: float, data: st.DataObject
) -> None:
    aside = data.draw(st.none() | st.integers(0, len(answers) - 1))
    llm = FakeLlm(lambda _: favoured, certainty)
    found = ask(llm, [Question("Answer:", answers, aside)])[0]  # type: ignore[arg-type]
    chosen = answers[found.index]
    assert found.index != aside
    assert list(found.probabilities) == pytest.approx(expected(answers, chosen, favoured, certainty))
    # Answers that leave the path by the same letter are one alternative; with the chosen answer they sum to 1.
    leaving = {
        where_it_leaves(answer, chosen): share
        for answer, share in zip(answers, found.probabilities, strict=True)
        if answer != chosen
    }
    assert sum(leaving.values()) + found.probabilities[found.index] == pytest.approx(1.0)


@given(ANSWERS, st.floats(0.51, 0.99), st.data())
def test_the_favourite_answer_is_chosen_unless_set_aside(
    answers: tuple[str, ...], certainty: float, data: st.DataObject
) -> None:
    favourite = data.draw(st.integers(0, len(answers) - 1))
    aside = data.draw(st.none() | st.integers(0, len(answers) - 1))
    llm = FakeLlm(lambda _: answers[favourite], certainty)
    found = ask(llm, [Question("Answer:", answers, aside)])[0]  # type: ignore[arg-type]
    assert (found.index == favourite) == (aside != favourite)


@given(st.lists(st.tuples(ANSWERS, st.integers(0, 2)), min_size=1, max_size=6))
def test_batched_questions_get_the_same_answers_as_single_ones(questions: list[tuple[tuple[str, ...], int]]) -> None:
    def answered(asked: list[tuple[tuple[str, ...], int]]) -> list[Answer]:
        llm = FakeLlm(lambda question: "ab" if question.count("left") == 1 else "ca")
        places = [0, *llm.set_prefix("", ["On the left. ", "Not on the left. "], "", lambda: False)]
        return ask(llm, [Question("Answer:", answers, 0, places[place]) for answers, place in asked])  # type: ignore[arg-type]

    assert answered(questions) == [answered([one])[0] for one in questions]


@given(st.lists(st.booleans(), min_size=1, max_size=300), st.sampled_from((16, 32, CHUNK_TOKENS)))
def test_prompt_tokens_are_padded_to_multiples_of_four(wanted: list[bool], most: int) -> None:
    """At least eight, with at most three distributions requested; other sizes are rounded differently."""
    llm, entries = FakeLlm(lambda _: ""), [TokenEntry(0, place, 0, one) for place, one in enumerate(wanted)]
    llm.chunk_tokens = most
    found = list(chunks(llm, entries, never_cancelled))  # type: ignore[arg-type]
    assert [entry for chunk, _ in found for entry in chunk] == entries
    for chunk, spare in found:
        assert 8 <= len(chunk) + spare <= most
        assert (len(chunk) + spare) % 4 == 0
        assert sum(entry.wanted for entry in chunk) <= 3


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_answer_tokens_are_decoded_in_groups_of_two_or_three(wanted: list[bool]) -> None:
    entries = [TokenEntry(0, place, 0, one) for place, one in enumerate(wanted)]
    found = list(chunks(FakeLlm(lambda _: ""), entries, never_cancelled, decided=True))  # type: ignore[arg-type]
    assert [entry for chunk, _ in found for entry in chunk] == entries
    assert all(len(chunk) + spare in (2, 3) for chunk, spare in found)
