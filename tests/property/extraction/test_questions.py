"""Whatever is asked: a tree or a refusal, the same each time, in bounded time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from extraction.questions.query import Reason
from extraction.questions.reading import read_question
from extraction.questions.wording import in_words, why_refused
from tests.kit.query_trees import WARD, cases
from tests.unit.extraction.questions.test_reading import SCHEMAS

SCHEMA = SCHEMAS["medsurg_icu"]
WORDS = sorted({word for _, question, _ in cases() for word in question.split()})
pieces = st.one_of(st.sampled_from(WORDS), st.text(max_size=6))


@given(st.lists(pieces, max_size=12).map(" ".join))
def test_every_question_is_read_or_refused(question: str) -> None:
    understood = read_question(question, SCHEMA, WARD)
    assert (understood.query is None) == (understood.refusal is not None)
    if understood.query is not None:
        assert in_words(understood.query)
    elif understood.refusal is not None:
        assert why_refused(understood.refusal)
    assert read_question(question, SCHEMA, WARD) == understood


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    understood = read_question(text, SCHEMA, WARD)
    assert (understood.query is None) == (understood.refusal is not None)


@given(st.lists(pieces, min_size=100, max_size=2000).map(" word ".join))
def test_a_long_text_is_refused_before_it_is_read(text: str) -> None:
    refusal = read_question(text, SCHEMA, WARD).refusal
    assert refusal is not None
    assert refusal.reason is Reason.TOO_LONG


@given(st.sampled_from([question for schema, question, _ in cases() if schema == "medsurg_icu"]), st.data())
def test_a_word_that_nothing_knows_refuses_the_question(question: str, data: st.DataObject) -> None:
    """Words are put in anywhere: no tree may leave them out, except one that searches what was said."""
    words = question.split()
    place = data.draw(st.integers(0, len(words)))
    understood = read_question(" ".join((*words[:place], "qzxvut", *words[place:])), SCHEMA, WARD)
    assert understood.query is None or "qzxvut" in in_words(understood.query)
