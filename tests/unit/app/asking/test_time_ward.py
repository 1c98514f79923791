"""Trees over a ward with times, corrections, refusals and conflicts are answered as SQL answers them over its table."""

from __future__ import annotations

from typing import Any

import pytest

from app.asking.answer import Answer
from app.services.asking.answering import Asking
from app.system.settings import Settings
from extraction.questions.query import CountPatients, Group, Missing, OverPatients, Select, Sequence
from tests.kit.time_questions import TimeQuestion, time_questions
from tests.kit.time_ward import NOW, REVIEWER, TimeWard, time_ward

SEEDS = (1, 2)


@pytest.fixture(scope="module", params=SEEDS)
def ward(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    made = time_ward(tmp_path_factory.mktemp("ward"), request.param)
    yield made, request.param
    made.store.close()
    made.source.close()


def test_every_tree_is_answered_as_by_sql(ward: tuple[TimeWard, int]) -> None:
    made, seed = ward
    asking = Asking(made.store, made.schema, Settings(), lambda _: made.schema)
    questions = time_questions(made, seed)
    assert len(questions) >= 200
    wrong = []
    for one in questions:
        answer = asking.answer(one.tree, REVIEWER, now=NOW).answer
        if not alike(given(one, answer), one.right):
            wrong.append((one.kind, one.words, given(one, answer), one.right))
    assert not wrong, wrong[:3]


def given(question: TimeQuestion, answer: Answer) -> Any:
    """The answer in the form of the right one."""
    match question.tree:
        case CountPatients() | OverPatients():
            return answer.number.value if answer.number else None
        case Group():
            return {line.cells[0].value: line.cells[1].value for line in answer.lines}
        case Missing():
            return {line.patient_id: line.at and line.at.isoformat(timespec="minutes") for line in answer.lines}
        case Sequence():
            return [(line.at and line.at.isoformat(timespec="minutes"), line.cells[1].value) for line in answer.lines
                    if line.cells[1].low is not None]  # fmt: skip
        case Select(where=None, limit=limit):
            found: dict[Any, Any] = {line.patient_id: line.cells[0].value for line in answer.lines}
            return found if limit else dict.fromkeys(one.patient_id for one in answer.not_charted) | found
        case Select():
            met: dict[Any, Any] = dict.fromkeys(range(1, 21), False)
            return met | dict.fromkeys(one.patient_id for one in answer.not_charted) | dict.fromkeys(
                (line.patient_id for line in answer.lines), True)  # fmt: skip
    return dict.fromkeys(one.patient_id for one in answer.not_charted) | {
        line.patient_id: line.cells[0].value for line in answer.lines
    }


def alike(found: Any, right: Any) -> bool:
    if isinstance(found, dict) and isinstance(right, dict):
        return found.keys() == right.keys() and all(alike(found[one], right[one]) for one in right)
    if isinstance(found, list) and isinstance(right, list):
        return len(found) == len(right) and all(alike(one, other) for one, other in zip(found, right, strict=True))
    if isinstance(found, tuple):
        return all(alike(one, other) for one, other in zip(found, right, strict=True))
    if isinstance(right, float) and isinstance(found, float):
        return abs(found - right) < 1e-6
    return bool(found == right)
