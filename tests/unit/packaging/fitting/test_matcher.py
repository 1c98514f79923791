"""Fitting the statement matcher, and what it is taught."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from extraction.annotation.case_files import Case, Observation
from extraction.estimators.network_weights import NetworkWeights, load_weights
from extraction.estimators.statement_matcher import Statement, StatementMatcher, TokenCache
from extraction.flowsheet.naming.row_concepts import concepts
from extraction.flowsheet.schema import Option, Row, Schema, ValueType
from extraction.language.sentences import segment
from extraction.retrieval.candidates import Candidate
from fitting.matcher import Example, examples_of, examples_of_concepts, examples_of_sentences, fit_matcher
from fitting.statement_files import StatedSentence
from models.base.errors import Cancelled
from models.base.progress import NOT_MONITORED, ProgressMonitor, ignore_progress
from tests.kit.conditions import candidate
from tests.kit.fake_models import FakeEmbedder

TEXT = "Pulse 88, resps 18. Gait is steady and slow."
ROWS = (
    Row("hr", "Heart rate", ValueType.NUMERIC, ("Vitals",)),
    Row("gait", "Gait", ValueType.MULTI_SELECT, ("Mobility",), (Option("steady"), Option("slow"), Option("wide"))),
    Row("nausea", "Nausea", ValueType.YES_NO, ("Gut",)),
    Row("note", "Comment", ValueType.TEXT, ("Other",)),
    Row("bp", "Blood pressure", ValueType.BLOOD_PRESSURE, ("Vitals",)),
)
SCHEMA = Schema("t", "T", "1", ROWS, "0" * 64, "t")


def taught(text: str, observations: Sequence[Observation], *candidates: Candidate) -> list[tuple[str, str, str, bool]]:
    """The row, the option and the words said of each example."""
    found = examples_of(SCHEMA, [(Case("c", text, tuple(observations)), segment(text), candidates)])
    return [
        (
            one.statement.row,
            one.statement.value,
            one.statement.sentence[slice(*one.statement.said or (0, 0))],
            one.is_true,
        )
        for one in found
    ]


def test_an_annotated_number_is_told_from_the_other_numbers_of_its_sentence() -> None:
    assert taught(TEXT, [Observation("hr", 88.0, words="Pulse 88")], candidate("hr", 0)) == [
        ("Heart rate", "", "", True),
        ("Heart rate", "", "88", True),
        ("Heart rate", "", "18", False),
    ]


def test_both_numbers_of_a_blood_pressure_are_stated() -> None:
    found = taught(
        "BP 120 over 80, pulse 70.", [Observation("bp", "120/80", words="BP 120 over 80")], candidate("bp", 0)
    )
    assert [(said, is_true) for _, _, said, is_true in found if said] == [("120", True), ("80", True), ("70", False)]


def test_another_stated_option_of_the_row_is_not_false() -> None:
    gold = [Observation("gait", ("steady",), words="steady"), Observation("gait", ("slow",), words="slow")]
    found = taught(TEXT, gold[:1], candidate("gait", 1))
    assert [one[1:] for one in found] == [
        ("", "", True),
        ("steady", "", True),
        ("slow", "", False),
        ("wide", "", False),
    ]
    both = {one[1:] for one in taught(TEXT, gold, candidate("gait", 1))}
    assert both == {("", "", True), ("steady", "", True), ("slow", "", True), ("wide", "", False)}


def test_a_row_whose_words_are_in_another_sentence_teaches_nothing() -> None:
    assert taught(TEXT, [Observation("gait", ("steady",), words="steady")], candidate("gait", 0)) == []
    assert taught(TEXT, [Observation("gait", ("steady",))], candidate("gait", 0)) != []


def test_a_denied_finding_is_no() -> None:
    found = taught("No nausea.", [Observation("nausea", False, words="No nausea")], candidate("nausea", 0))
    assert found == [("Nausea", "", "", True), ("Nausea", "yes", "", False), ("Nausea", "no", "", True)]


def test_a_text_is_stated_by_its_words() -> None:
    found = taught(TEXT, [Observation("note", "slow", words="steady and slow")], candidate("note", 1))
    assert found == [("Comment", "", "", True), ("Comment", "", "steady and slow", True)]


def test_rows_that_nobody_annotated_are_false() -> None:
    found = taught(TEXT, [], candidate("hr", 0), candidate("gait", 1), candidate("note", 1))
    assert {row for row, *_ in found} == {"Heart rate", "Gait", "Comment"}
    assert not any(is_true for *_, is_true in found)


def test_every_concept_teaches_true_and_false_statements() -> None:
    found = examples_of_concepts()
    assert found == examples_of_concepts()
    assert {one.is_true for one in found if one.statement.value} == {True, False}


def taught_by(concept: str, option: str, sentence: str, words: str, why: str = "") -> set[tuple[str, str | None, bool]]:
    """The option and the words said of each example."""
    found = examples_of_sentences([StatedSentence(concept, option, sentence, words, why)])
    rows = {one.statement.row for one in found}
    assert rows <= set(concepts()[concept].rows)
    return {
        (one.statement.value, one.statement.said and sentence[slice(*one.statement.said)], one.is_true) for one in found
    }


def test_a_sentence_states_its_option_and_no_other() -> None:
    found = taught_by("cough", "Productive", "Bringing up green muck.", "green muck")
    assert {("", None, True), ("Productive", None, True)} < found
    assert {is_true for value, _, is_true in found if value not in ("", "Productive")} == {False}


def test_a_sentence_that_only_seems_to_state_an_option() -> None:
    assert taught_by("cough", "Productive", "No cough at all.", "cough", "negated") == {("Productive", None, False)}
    assert taught_by("cough", "Productive", "Cough is dry.", "Cough is dry", "degree") == {
        ("Productive", None, False),
        ("", None, True),
    }
    assert ("", None, False) in taught_by("cough", "Productive", "Her son has a wet cough.", "wet cough", "other")


def test_the_number_of_a_sentence_is_told_from_its_others() -> None:
    concept = next(one.id for one in concepts().values() if not one.options)
    found = taught_by(concept, "", "Rate 88, up from 70.", "88")
    assert found == {("", None, True), ("", "88", True), ("", "70", False)}


def fitted(examples: Sequence[Example], embedder: FakeEmbedder) -> NetworkWeights:
    return fit_matcher(examples, TokenCache(embedder), embedder, NOT_MONITORED)


@pytest.fixture(scope="module")
def lesson() -> list[Example]:
    names = ("heart rate", "gait", "pain", "urine", "skin", "cough", "stool", "sleep")
    return [
        Example(Statement(f"The {said} was noted at visit {number}.", "", row), is_true=said == row)
        for number in range(40)
        for said in names
        for row in (said, names[number % len(names)])
    ]


def test_a_fitted_matcher_tells_true_from_false_statements(
    lesson: list[Example], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fitting.matcher._EPOCHS", 30)
    monkeypatch.setattr("fitting.matcher._WARMUP", 10)
    embedder = FakeEmbedder(32)
    weights = fitted(lesson, embedder)
    weights.save(tmp_path / "matcher.npz")
    matcher = StatementMatcher(load_weights(tmp_path / "matcher.npz"), embedder)
    new = [Statement("Today the gait was noted.", "", row) for row in ("gait", "urine", "sleep")]
    found = matcher.log_odds(new)
    assert found[0] > max(found[1:])
    assert matcher.log_odds(new[:1]) == found[:1]


def test_fitting_twice_gives_the_same_weights(lesson: list[Example], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fitting.matcher._EPOCHS", 1)
    assert fitted(lesson, FakeEmbedder(32)).digest == fitted(lesson, FakeEmbedder(32)).digest


def test_fitting_can_be_cancelled(lesson: list[Example]) -> None:
    embedder = FakeEmbedder(32)
    with pytest.raises(Cancelled):
        fit_matcher(lesson, TokenCache(embedder), embedder, ProgressMonitor(ignore_progress, lambda: True))


def test_the_cache_forgets_when_it_is_full() -> None:
    tokens = TokenCache(FakeEmbedder(32), most=1)
    one = Statement("He coughs.", "Before.", "Cough", "yes", (3, 9))
    sentence, row = tokens.pairs([one])[0]
    again, _ = tokens.pairs([one])[0]
    assert json.dumps(sentence.kinds.tolist()) == json.dumps(again.kinds.tolist()) == "[0, 1, 0]"
    assert row.kinds.tolist() == [2, 2, 3]
