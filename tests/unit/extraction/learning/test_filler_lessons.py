"""What annotated cases teach the filler: which answer is right where a question is asked."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from extraction.annotation.case_files import Case, Observation
from extraction.filling.task import Task
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.language.sentences import segment
from extraction.learning.filler_lessons import lessons_of
from extraction.retrieval.candidates import Candidate, ReducedSchema
from tests.kit.conditions import candidate

TEXT = "Pulse 88, resps 18. Gait is steady and slow. No nausea. Later the gait is wide."
ROWS = (
    Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",)),
    Row("gait", "Gait", ValueType.MULTI_SELECT, ("Mobility",), (Option("steady"), Option("slow"), Option("wide"))),
    Row("nausea", "Nausea", ValueType.YES_NO, ("Gut",)),
    Row("note", "Comment", ValueType.TEXT, ("Other",)),
    Row("skin", "Skin", ValueType.SINGLE_SELECT, ("Skin",), (Option("dry"), Option("moist"))),
)
SCHEMA = Schema("t", "T", "1", ROWS, "0" * 64, "t")


def taught(
    observations: Sequence[Observation], asked: Sequence[Candidate], found: Sequence[Candidate] = ()
) -> list[tuple[str, int, set[str]]]:
    """The row's name, the number of sentences before the question, and the right answers."""
    task = Task(TEXT, segment(TEXT), SCHEMA, ReducedSchema(tuple(asked)), dt.date(2026, 1, 1))
    lessons = list(lessons_of([(Case("c", TEXT, tuple(observations)), task, (*asked, *found))]))
    return [
        (
            one.question.prompt.split(" [")[0].removesuffix(":"),
            one.sentences,
            {one.question.answers[number].strip() for number in one.right},
        )
        for lesson in lessons
        for one in lesson.questions
    ]


def test_a_charted_number_is_right_and_a_row_that_was_not_charted_is_not_mentioned() -> None:
    found = taught([Observation("hr", 88.0, words="Pulse 88")], [candidate("hr", 0), candidate("nausea", 2)])
    assert found == [("Heart rate", 1, {"88"}), ("Nausea", 3, {"not mentioned"})]


def test_all_options_said_in_the_sentence_are_right() -> None:
    said = Observation("gait", ("steady", "slow"), words="steady and slow")
    later = Observation("gait", ("wide",), words="Later the gait is wide")
    assert taught([said, later], [candidate("gait", 1)]) == [("Gait", 2, {"steady", "slow"})]


def test_what_is_said_only_after_the_question_teaches_nothing() -> None:
    assert not taught([Observation("gait", ("wide",), words="Later the gait is wide")], [candidate("gait", 1)])


def test_without_words_the_value_counts_as_said_in_time() -> None:
    assert taught([Observation("nausea", False)], [candidate("nausea", 2)]) == [("Nausea", 3, {"No"})]


def test_a_text_is_the_span_that_is_most_like_it() -> None:
    said = Observation("note", "gait steady, slow", words="Gait is steady and slow")
    assert taught([said], [candidate("note", 1)]) == [("Comment", 2, {"Gait is steady and slow"})]


def test_charted_rows_that_were_not_asked_are_taught_and_some_of_the_others() -> None:
    found = taught([Observation("hr", 88.0, words="Pulse 88")], [], [candidate("hr", 0), candidate("skin", 1)])
    assert found == [("Heart rate", 1, {"88"}), ("Skin", 2, {"not mentioned"})]


def test_a_value_that_cannot_be_answered_teaches_nothing() -> None:
    assert not taught([Observation("hr", 40.0, words="Pulse 88")], [candidate("hr", 0)])
