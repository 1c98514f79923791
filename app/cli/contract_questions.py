"""Asks at the terminal what exports do not say, and keeps each answer at once."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.services.contracts.answers import keep_answers
from app.system.clock import utc_now
from extraction.contract.questions import Question
from extraction.contract.records import Decision
from extraction.contract.row_extension import Change


def signed(question: str, answer: str) -> Decision:
    """An answer of who is logged in, given now."""
    return Decision(question, answer, getpass.getuser(), utc_now())


def ask(questions: Sequence[Question], folder: Path) -> list[Decision]:
    """Asks until the questions or the input end; an empty answer takes the first choice, the end of input none.

    What was answered stays kept for the folder if somebody presses Ctrl-C.
    """
    given: list[Decision] = []
    for number, question in enumerate(questions, 1):
        print(f"\n{number} of {len(questions)}  {question.text}", file=sys.stderr)
        if question.examples:
            print(f"    for example: {'; '.join(question.examples)}", file=sys.stderr)
        for place, (answer, words) in enumerate(question.choices, 1):
            mark = "*" if answer == question.default else " "
            print(f"  {mark}{place}  {words}", file=sys.stderr)
            for effect in question.effects[place - 1 : place]:
                print(f"        {effect}", file=sys.stderr)
        chosen = _choice(question)
        if chosen is None:
            break
        given.append(signed(question.id, chosen))
        keep_answers(folder, given[-1:])
    return given


def conflict_questions(changes: Iterable[Change]) -> list[Question]:
    """Conflicts as questions; what is there stays unless somebody takes the new."""
    choices = (("old", "keep what the contract says"), ("new", "take what the export says"))
    return [Question(one.question, one.says, choices, "old") for one in changes if one.is_conflict]


def _choice(question: Question) -> str | None:
    while True:
        print("Number, or Enter for the one marked *: ", end="", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            return None
        if not line.strip():
            return question.default
        if line.strip().isdigit() and 1 <= int(line) <= len(question.choices):
            return question.choices[int(line) - 1][0]
