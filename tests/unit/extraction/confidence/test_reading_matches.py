"""How readings are put to the statement matcher, and how its answers are compared."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence

import pytest

from extraction.confidence.reading_matches import Matches, matched_readings
from extraction.estimators.statement_matcher import Statement
from extraction.filling.task import Reading, Task
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.flowsheet.values import Neighbour, Value
from extraction.language.sentences import segment
from extraction.retrieval.candidates import Candidate, Hit, ReducedSchema
from extraction.retrieval.statements import matched

TEXT = "Up in the chair. Pulse 88, steady gait."
SEGMENTS = segment(TEXT)
RATE = Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",))
PULSE = Row("pulse", "Pulse", ValueType.NUMERIC, ("Vitals",))
GAIT = Row("gait", "Gait", ValueType.MULTI_SELECT, ("Mobility",), (Option("steady"), Option("wide")))
FALL = Row("fall", "Fall", ValueType.YES_NO, ("Safety",))
SCHEMA = Schema("t", "T", "1", (RATE, PULSE, GAIT, FALL), "0" * 64, "t")
TASK = Task(TEXT, SEGMENTS, SCHEMA, ReducedSchema(()), dt.date(2026, 1, 1))


class Lengths:
    """Log-odds that are the length of the row's name and of the value, and remember what was asked."""

    def __init__(self) -> None:
        self.asked: list[Statement] = []

    def log_odds(self, statements: Sequence[Statement]) -> list[float]:
        self.asked += statements
        return [float(len(one.row) + len(one.value)) for one in statements]


def reading(row: Row, value: Value, span: tuple[int, int] | None = None) -> Reading:
    hit = Hit(1, 0.5, 0.5, 0.0, 0, 12, 0.0, 0.0, Neighbour("row", row.name, 1))
    return Reading(row, Candidate(row.id, (hit,)), value, SEGMENTS[1], span, 0.9, 0.9)


NUMBER = (TEXT.index("88"), TEXT.index("88") + 2)


def test_a_reading_asks_about_its_row_and_its_value() -> None:
    matcher = Lengths()
    matched_readings(TASK, [reading(GAIT, ("steady",)), reading(FALL, False), reading(RATE, 88.0, NUMBER)], matcher)
    assert {(one.row, one.value, one.said and one.sentence[slice(*one.said)]) for one in matcher.asked} == {
        ("Gait", "", None),
        ("Gait", "steady", None),
        ("Fall", "", None),
        ("Fall", "no", None),
        ("Heart rate", "", None),
        ("Heart rate", "", "88"),
    }
    assert {one.before for one in matcher.asked} == {"Up in the chair."}


def test_a_number_of_another_sentence_is_not_marked() -> None:
    matcher = Lengths()
    matched_readings(TASK, [reading(RATE, 88.0, (0, 2))], matcher)
    assert [one.said for one in matcher.asked] == [None, None]


def test_a_value_is_compared_with_the_rows_others_and_with_other_rows() -> None:
    readings = matched_readings(
        TASK,
        [
            reading(GAIT, ("steady",)),
            reading(GAIT, ("wide",)),
            reading(RATE, 88.0, NUMBER),
            reading(PULSE, 88.0, NUMBER),
        ],
        Lengths(),
    )
    matches = Matches(readings)
    assert matches.compared(readings[0]) == (4.0, 10.0, 2.0, 4.0, 10.0)  # no other row has the option
    assert matches.compared(readings[2]) == (10.0, 10.0, 10.0, 5.0, 5.0)


def test_without_a_matcher_nothing_is_known() -> None:
    (one,) = matched_readings(TASK, [reading(RATE, 88.0, NUMBER)], None)
    assert all(map(math.isnan, Matches([one]).compared(one)))


def test_a_candidate_is_matched_in_its_best_sentence() -> None:
    matcher = Lengths()
    (one,) = matched(SCHEMA, SEGMENTS, [reading(RATE, 88.0).candidate], matcher)
    assert (one.match, matcher.asked) == (10.0, [Statement(SEGMENTS[1].text, SEGMENTS[0].text, "Heart rate")])


@pytest.mark.parametrize("count", [0, 1])
def test_few_candidates_are_matched(count: int) -> None:
    assert len(matched(SCHEMA, SEGMENTS, [reading(RATE, 88.0).candidate] * count, None)) == count
