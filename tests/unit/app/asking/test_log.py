"""The log of questions: who asked what when, and which values answered it; no names, and gone with what it is about."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from extraction.questions.query import WARD, Comparison, Condition, Quote, Reason, Select, Subject, Value
from tests.unit.app.asking.conftest import REVIEWER, Ward

QUESTION = "What is the heart rate of Ann Lee?"


def rates(ward: Ward, subject: Subject = WARD) -> Select:
    return Select(subject, (Value(replace(ward.measure("vs.heart_rate"), words="rate of Ann Lee")),))


def test_a_question_is_logged_without_words_and_with_the_values_of_its_answer(ward: Ward) -> None:
    ann = ward.patient()
    value = ward.chart(ann, "2026-11-23T06:00", "vs.heart_rate", 110.0)
    ward.asked(rates(ward, Subject((ann,), "Ann Lee")), QUESTION)
    ward.asked(Quote("left heel of Ann Lee"), QUESTION)
    first, second = ward.store.questions.asked()
    assert (first.asked_by, first.question, first.value_ids, first.refusal) == (REVIEWER, "", (value,), "")
    assert "Ann Lee" not in first.tree + second.tree
    tree = json.loads(first.tree)
    assert tree["values"][0]["measure"]["row_ids"] == ["vs.heart_rate"]
    assert tree["subject"]["patient_ids"] == [ann]


def test_words_are_kept_if_the_setting_says_so(ward: Ward) -> None:
    ward.settings = replace(ward.settings, keep_questions=True)
    ward.asked(rates(ward), QUESTION)
    (logged,) = ward.store.questions.asked()
    assert logged.question == QUESTION
    assert "rate of Ann Lee" in logged.tree


def test_why_nothing_was_answered_is_logged(ward: Ward) -> None:
    ward.patient()
    ward.chart(1, "2026-11-23T06:00", "vs.heart_rate", 110.0)
    heavy = Condition(Value(ward.measure("vs.heart_rate")), Comparison.ABOVE, numbers=(1.0,), unit="kg")
    ward.asked(Select(where=heavy))
    assert [one.refusal for one in ward.store.questions.asked()] == [Reason.UNIT.value]


def test_the_log_can_only_be_added_to(ward: Ward) -> None:
    ward.settings = replace(ward.settings, keep_questions=True)
    ward.chart(ward.patient(), "2026-11-23T06:00", "vs.heart_rate", 110.0)
    ward.asked(rates(ward), QUESTION)
    database = sqlite3.connect(ward.store._database.path)
    for change in (
        "UPDATE questions SET asked_by = ''",
        "DELETE FROM questions",
        "DELETE FROM question_words",
        "UPDATE question_values SET value_id = 0",
        "DELETE FROM question_values",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="can only be added to"):
            database.execute(change)
    database.close()


def test_what_a_question_is_about_is_removed_with_a_purged_dictation(ward: Ward) -> None:
    ward.settings = replace(ward.settings, keep_questions=True)
    value = ward.chart(ward.patient(), "2026-11-23T06:00", "vs.heart_rate", 110.0)
    dictation = ward.asked(rates(ward), QUESTION).answer.citations[value].dictation_id
    ward.store.dictations.delete(dictation, REVIEWER, "Wrong patient")
    assert ward.store.dictations.purge_deleted(datetime.now(UTC)) == [dictation]
    (logged,) = ward.store.questions.asked()
    assert (logged.question, logged.value_ids, logged.asked_by) == ("", (), REVIEWER)
    assert QUESTION.encode() not in ward.store._database.path.read_bytes()


def test_reading_for_questions_cannot_write(ward: Ward) -> None:
    with ward.store._database.read_only() as connection, pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM dictations")
