"""Closed questions with a scripted model: the chosen answer, the set-aside answer, and the probabilities."""

from __future__ import annotations

import pytest

from models.base.errors import Cancelled
from models.base.progress import Progress, ProgressMonitor, ignore_progress
from models.runtimes.closed_questions import Answer, Question, ask
from models.runtimes.llm import MAX_SEQUENCES
from tests.kit.fake_models import FakeLlm

PROMPT = "Row: Color\nAnswer:"
NONE = " not mentioned"


def answered(favoured: str, *answers: str, aside: int | None = None, certainty: float = 0.9) -> Answer:
    llm = FakeLlm(lambda _: favoured, certainty)
    return ask(llm, [Question(PROMPT, answers, aside)])[0]  # type: ignore[arg-type]


def test_the_favoured_answer_is_chosen_with_its_probability() -> None:
    found = answered(" pale", NONE, " pale", " red", " blue")
    assert found.index == 1
    assert found.probabilities == pytest.approx((0.1 / 3, 0.9, 0.1 / 3, 0.1 / 3))
    assert found.permitted_mass == pytest.approx(1.0)


def test_the_permitted_mass_reveals_a_preferred_answer_outside_the_set() -> None:
    found = answered(" green", NONE, " pale", " red")
    assert found.permitted_mass == pytest.approx(0.15)
    assert found.probabilities == pytest.approx((1 / 3, 1 / 3, 1 / 3))


def test_the_set_aside_answer_gets_a_probability_but_is_never_chosen() -> None:
    found = answered(NONE, NONE, " pale", " red", aside=0)
    assert found.index in (1, 2)
    assert found.probabilities == pytest.approx((0.9, 0.05, 0.05))
    assert answered(NONE, NONE, " pale", " red").index == 0


def test_a_set_aside_answer_with_a_shared_prefix_is_not_followed() -> None:
    """'not mentioned' and 'normal' diverge after two letters, 'not' and 'not mentioned' only after three."""
    found = answered(NONE, NONE, " normal", " pale", aside=0)
    assert found.index == 1
    assert found.probabilities == pytest.approx((0.9 * 0.9, 0.9 * 0.1, 0.1))
    shorter = answered(NONE, NONE, " not", " pale", aside=0)
    assert shorter.index == 1
    assert shorter.probabilities == pytest.approx((0.9 * 0.9, 0.9 * 0.1, 0.1))


def test_a_shared_branch_with_the_set_aside_answer_may_be_followed() -> None:
    """The favourite letter leads to the set-aside answer and to another one, which is then the best."""
    found = answered(NONE, NONE, " nowhere", " a", " b", aside=0)
    assert found.index == 1


def test_an_answer_may_be_a_prefix_of_another() -> None:
    whole = answered(" pale pink", " pale", " pale pink", " red")
    assert whole.index == 1
    assert whole.probabilities == pytest.approx((0.9 * 0.1, 0.9 * 0.9, 0.1))
    beginning = answered(" pale", " pale", " pale pink", " red")
    assert beginning.index == 0
    assert beginning.probabilities == pytest.approx((0.9 * 0.9, 0.9 * 0.1, 0.1))


def test_answers_that_leave_the_path_together_share_their_probability() -> None:
    found = answered(" red", " red", " blue", " black")
    assert found.probabilities == pytest.approx((0.9, 0.1, 0.1))


def test_a_single_answer_needs_no_decision() -> None:
    found = answered(" pale", " pale")
    assert (found.index, found.probabilities, found.permitted_mass, found.states) == (0, (1.0,), 1.0, {})


def test_an_answer_with_the_tokens_of_the_set_aside_one_is_chosen() -> None:
    assert answered(NONE, NONE, NONE, " pale", aside=0).index != 0


def test_an_empty_set_of_answers_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one answer"):
        answered(" pale")


def test_many_questions_are_answered_in_order() -> None:
    """More than the number of sequences, after several sentences; each depends only on the text before it."""
    llm = FakeLlm(lambda question: " yes" if "left" in question else " no")
    right, left, _ = llm.set_prefix("", ["On the right. ", "On the left. ", "No more."], "", lambda: False)
    sides = ["left" if number % 3 else "right" for number in range(2 * MAX_SEQUENCES)]
    places = [left if side == "left" else right for side in sides]
    questions = [Question(PROMPT, (" no", " yes"), place=place) for place in places]
    heard: list[Progress] = []
    found = ask(llm, questions, ProgressMonitor(heard.append))  # type: ignore[arg-type]
    assert [answer.index for answer in found] == [int(side == "left") for side in sides]
    assert [report.fraction for report in heard] == sorted(report.fraction or 0.0 for report in heard)
    assert heard[-1].fraction == 1.0
    assert len(heard) > 2


def test_a_small_context_needs_more_groups_with_the_same_answers() -> None:
    def found(context_tokens: int) -> tuple[list[Answer], int]:
        heard: list[Progress] = []
        llm = FakeLlm(lambda _: " pale", context_tokens=context_tokens)
        questions = [Question(PROMPT, (NONE, " pale", " pink"), aside=0)] * 9
        answers = ask(llm, questions, ProgressMonitor(heard.append))  # type: ignore[arg-type]
        return answers, len({report.message for report in heard})

    (wide, once), (narrow, often) = found(8192), found(100)
    assert wide == narrow
    assert (once, often) == (2, 10)  # before the first group, and after each


def test_nothing_is_asked_after_cancelling() -> None:
    llm = FakeLlm(lambda _: " pale")
    with pytest.raises(Cancelled):
        ask(llm, [Question(PROMPT, (" pale", " red"))], ProgressMonitor(ignore_progress, lambda: True))  # type: ignore[arg-type]
    assert llm.tokens.prompt == 0


def test_tokens_are_counted_as_read_or_decided() -> None:
    llm = FakeLlm(lambda _: " pale")
    ask(llm, [Question(PROMPT, (" pale", " pink"))])  # type: ignore[arg-type]
    assert llm.tokens.prompt == len(PROMPT + " p")
    assert llm.tokens.completion == 0  # the branch decides, and the tokens after it need not be read


def test_a_sentence_is_read_once_for_all_its_questions() -> None:
    llm = FakeLlm(lambda _: " pale")
    end, _ = llm.set_prefix("", ["A sentence. ", "Another one. "], "", lambda: False)
    ask(llm, [Question(PROMPT, (" pale", " pink"), place=end)] * 3)  # type: ignore[arg-type]
    assert llm.tokens.prompt == 3 * len(PROMPT + " p")


def test_chunks_may_grow_while_questions_are_read() -> None:
    questions = [Question(PROMPT, (" pale", " pink", " red"))] * 3
    llm, looks = FakeLlm(lambda _: " red"), 0
    llm.chunk_tokens = 7

    def cancelled() -> bool:
        nonlocal looks
        looks += 1
        if looks == 4:
            llm.chunk_tokens = 256
        return False

    assert [one.index for one in ask(llm, questions, ProgressMonitor(ignore_progress, cancelled))] == [2, 2, 2]  # type: ignore[arg-type]
    assert looks == 4  # before the group, and before each chunk: two of 7 tokens, and the rest
