"""Rows that a person takes in although the exports retire them, or join them with another row."""

from __future__ import annotations

from collections.abc import Mapping

from extraction.contract.questions import USE

YES, LEAVE = "yes", ""  # the second one leaves it to the exports


def use_question(row_id: str) -> str:
    """Under which a person decides whether a row is used all the same."""
    return f"{USE}{row_id}"


def rows_taken_in(answers: Mapping[str, str]) -> frozenset[str]:
    """The ids of the rows that a person takes in."""
    return frozenset(
        question.removeprefix(USE) for question, answer in answers.items() if question.startswith(USE) and answer == YES
    )
