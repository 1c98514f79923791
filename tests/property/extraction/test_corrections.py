"""Corrections of arbitrary input: every character keeps its position, and only cues change a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from extraction.flowsheet.schema import Definition, Option, Row, Schema, ValueType
from extraction.language.edited_text import EditedText
from extraction.preparation.exception_statements import statements
from extraction.preparation.prepared_transcript import PreparedTranscript
from extraction.preparation.self_corrections import corrected

ROWS = (
    Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",), synonyms=("pulse",)),
    Row("skin", "Skin", ValueType.MULTI_SELECT, ("Skin",), options=(Option("dry"), Option("moist", ("damp",)))),
)
SCHEMA = Schema("t", "T", "1", ROWS, "0" * 64, "t", (Definition(("Skin",), ("derm",), (("skin", ("dry",)),)),))
CUES = ("correction", "scratch that", "no", "sorry", "I mean", "make that", "actually", "no wait", "strike that")
WORDS = (
    *CUES, "heart rate", "pulse", "88", "one forty", "120 over 80", "skin", "is", "dry", "moist", "left", "right arm",
    "WDL", "within normal limits", "except", ",", ".", "two liters", "and", "not",
)  # fmt: skip
speech = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@given(speech)
def test_every_edited_character_maps_to_an_equal_transcript_character(heard: str) -> None:
    said = PreparedTranscript.of(heard, SCHEMA)
    assert [heard[place] for place in said.text.places] == list(said.text.text)
    assert len(set(said.text.places)) == len(said.text.places)
    for one in said.corrections:
        for start, end in (one.taken_back, one.instead or one.taken_back):
            assert 0 <= start < end <= len(heard)
    for aside in said.set_aside:
        assert heard[aside.start : aside.end] == aside.text != ""
    for one in said.limits:
        assert heard[slice(*one.span)].strip()


@given(speech, st.data())
def test_words_heard_in_one_piece_are_read_where_they_were(heard: str, data: st.DataObject) -> None:
    said = PreparedTranscript.of(heard, SCHEMA).text
    if not said.text:
        return
    start = data.draw(st.integers(0, len(said.text) - 1))
    end = data.draw(st.integers(start + 1, len(said.text)))
    if list(said.places[start:end]) == sorted(said.places[start:end]):  # else a correction was moved into it
        assert said.read(*said.heard(start, end)) == (start, end)


@given(st.text())
def test_any_text_is_accepted(heard: str) -> None:
    said = PreparedTranscript.of(heard, SCHEMA)
    assert "".join(heard[place] for place in said.text.places) == said.text.text


@given(st.lists(st.sampled_from([word for word in WORDS if word not in (*CUES, "not")]), max_size=14).map(" ".join))
def test_text_without_a_cue_is_unchanged(heard: str) -> None:
    assert corrected(heard, SCHEMA).text.text == heard


@given(st.integers(30, 250), st.integers(30, 250), st.sampled_from(CUES[:6]))
def test_a_number_after_a_cue_replaces_the_one_before_it(first: int, second: int, cue: str) -> None:
    found = corrected(f"Heart rate {first}, {cue}, {second}.", SCHEMA)
    expected = f"Heart rate {second}." if cue != "make that" else found.text.text
    assert found.text.text == expected
    found = corrected(f"Heart rate {first}, {cue} {second}.", SCHEMA)
    assert found.text.text == f"Heart rate {second}."


@given(st.text(max_size=30), st.data())
def test_cuts_remove_only_the_given_span_and_adjacent_punctuation(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    left = EditedText.of(text).without((start, end))
    assert not any(start <= place < end for place in left.places)
    letters = [place for place in range(len(text)) if not start <= place < end and text[place].isalnum()]
    assert set(letters) <= set(left.places)


@given(speech)
def test_statements_have_a_name_and_a_span_inside_the_text(heard: str) -> None:
    for one in statements(heard, SCHEMA):
        assert 0 <= one.span[0] < one.span[1] <= len(heard)
        assert one.name
        assert one.exception is None or one.span[1] <= one.exception[0] < one.exception[1] <= len(heard)
