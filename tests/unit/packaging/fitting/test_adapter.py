"""Fitting the adapters of the embedder."""

from __future__ import annotations

import numpy as np

from extraction.annotation.case_files import Case, Observation
from extraction.flowsheet.schema import Instance, Option, Row, Schema, ValueType
from extraction.language.sentences import segment
from fitting.adapter import Lesson, Said, fit_adapter, lesson_of, lesson_of_concepts
from tests.kit.fake_models import FakeEmbedder

TEXT = "He peed in the urinal, and the colour was straw today. Zorb site looks fine."
SCHEMA = Schema(
    "t",
    "T",
    "1",
    (
        Row("1", "Voided into", ValueType.SINGLE_SELECT, ("Output",), (Option("Urinal"), Option("Bedpan"))),
        Row("2", "Zorb 1 site", ValueType.TEXT, ("Zorb",), instance=Instance("Zorb", 1)),
        Row("3", "Zorb 2 site", ValueType.TEXT, ("Zorb",), instance=Instance("Zorb", 2)),
        Row("4", "Unit", ValueType.SINGLE_SELECT, ("Output",), (Option("mL"),), unit_of="1"),
    ),
    "0" * 64,
    "t",
)


def lesson(*observations: Observation) -> Lesson:
    return lesson_of(SCHEMA, [(Case("c", TEXT, observations), segment(TEXT))])


def test_words_bring_their_sentence_and_clause() -> None:
    said = lesson(Observation("1", "Urinal", words="peed in the urinal")).said[0]
    assert said.texts == ("peed in the urinal", TEXT.partition(" Zorb")[0], "He peed", "in the urinal")


def test_without_words_the_sentence_with_the_value_is_taken() -> None:
    said = lesson(Observation("1", "Urinal"), Observation("1", "Bedpan")).said
    assert [one.texts[0] for one in said] == ["He peed in the urinal, and the colour was straw today."]


def test_words_that_are_not_in_the_text_teach_nothing() -> None:
    assert lesson(Observation("1", "Urinal", words="into the bottle")).said == ()


def test_instances_share_a_key_and_unit_rows_have_none() -> None:
    found = lesson(Observation("2", "fine", words="Zorb site"))
    keys = dict(found.rows)
    assert keys["Zorb 1 site"] == keys["Zorb 2 site"] == found.said[0].row
    assert "Unit" not in keys


def test_every_concept_teaches() -> None:
    found = lesson_of_concepts()
    assert {key for _, key in found.rows} >= {one.row for one in found.said}
    assert found == lesson_of_concepts()


def test_what_was_said_comes_nearer_to_its_row_than_to_others() -> None:
    rows = (("Voided volume", "a"), ("Emesis volume", "b"), ("Drain volume", "c"))
    said = {"peed": "a", "threw up": "b", "hemovac": "c"}
    one = Lesson(rows, tuple(Said((text,), key, frozenset((key,))) for text, key in said.items()) * 60)
    embedder = FakeEmbedder(32)
    vectors = dict(zip(one.texts, embedder.encode(list(one.texts)), strict=True))
    adapter = fit_adapter([one], vectors)
    again = fit_adapter([one], vectors)
    words = adapter.said(embedder.encode(list(said)))
    names = adapter.rows(embedder.encode([text for text, _ in rows]))
    assert (words @ names.T).argmax(axis=1).tolist() == [0, 1, 2]
    assert adapter.digest == again.digest
    assert np.isfinite(words).all()
