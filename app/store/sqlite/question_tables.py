"""The tables of the log of questions: who asked what when, and which values answered it.

They can only be added to. The tree of a question has ids of rows and patients, no words; the words, which may hold
names, are kept apart, so that they and the ids of values can be removed with a deleted dictation.
"""

from __future__ import annotations

from typing import Any

from app.store.sqlite.append_only import only_added_to

_TABLES = (
    """CREATE TABLE questions (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        asked_at TEXT NOT NULL,
        asked_by TEXT NOT NULL,
        tree TEXT NOT NULL,
        refusal TEXT NOT NULL
    )""",
    "CREATE TABLE question_words (question INTEGER PRIMARY KEY REFERENCES questions(number), words TEXT NOT NULL)",
    """CREATE TABLE question_values (
        question INTEGER NOT NULL REFERENCES questions(number),
        value_id INTEGER NOT NULL,
        dictation_id INTEGER NOT NULL REFERENCES dictations(id),
        PRIMARY KEY (question, value_id)
    ) WITHOUT ROWID""",
    "CREATE INDEX question_values_dictation ON question_values(dictation_id)",
)
_DELETED = "EXISTS (SELECT 1 FROM dictations WHERE id = {} AND deleted_at IS NOT NULL)"
_ABOUT_DELETED = """EXISTS (
    SELECT 1 FROM question_values AS used JOIN dictations ON dictations.id = used.dictation_id
    WHERE used.question = OLD.question AND dictations.deleted_at IS NOT NULL
)"""


def create(db: Any) -> None:
    for statement in _TABLES:
        db.execute(statement)
    only_added_to(db, "questions")
    only_added_to(db, "question_words", "question_values", verbs=("UPDATE",))
    only_added_to(db, "question_words", verbs=("DELETE",), unless=_ABOUT_DELETED)
    only_added_to(db, "question_values", verbs=("DELETE",), unless=_DELETED.format("OLD.dictation_id"))


def forget(db: Any, dictation_id: int) -> None:
    """Removes which values of a deleted dictation answered questions, and the words of these questions."""
    db.execute(
        """DELETE FROM question_words
            WHERE question IN (SELECT question FROM question_values WHERE dictation_id = ?)""",
        [dictation_id],
    )
    db.execute("DELETE FROM question_values WHERE dictation_id = ?", [dictation_id])
